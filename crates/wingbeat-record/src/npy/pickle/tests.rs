use super::*;

/// A list of [1, -2, 1.5, "ü", None, True, b"ab", 2^40], as Python's pickle writes it in protocols
/// 2 to 5.
#[test]
fn every_protocol_is_read() {
    let values = b"(K\x01J\xfe\xff\xff\xffG?\xf8\0\0\0\0\0\0X\x02\0\0\0\xc3\xbcN\x88";
    let two = [
        b"\x80\x02]q\x00",
        &values[..],
        b"c_codecs\nencode\nX\x02\0\0\0abX\x06\0\0\0latin1\x86R\x8a\x06\0\0\0\0\0\x01e.",
    ]
    .concat();
    let four = [
        b"\x80\x04\x95\x00\0\0\0\0\0\0\0]\x94",
        &values[..],
        b"C\x02ab\x94\x8a\x06\0\0\0\0\0\x01e.",
    ]
    .concat();
    let five = [b"\x80\x05]\x94", &values[..], b"\x96\x02\0\0\0\0\0\0\0ab\x8a\x06\0\0\0\0\0\x01e."]
        .concat();
    for bytes in [two, four, five] {
        let pickle = Pickle::read(&bytes).expect("a list");
        let Value::List(items) = &pickle.values[pickle.root] else { panic!("a list: {pickle:?}") };
        let numbers: Vec<Option<f64>> = items.iter().map(|&id| pickle.number(id)).collect();
        assert_eq!(
            numbers,
            [Some(1.0), Some(-2.0), Some(1.5), None, None, None, None, Some((1u64 << 40) as f64)]
        );
        assert_eq!(pickle.text(items[3]), Some("ü"));
        assert!(matches!(pickle.values[items[5]], Value::Bool(true)));
        let held = match &pickle.values[items[6]] {
            Value::Bytes(range) => &bytes[range.clone()],
            Value::Owned(bytes) => bytes,
            other => panic!("{other:?}"),
        };
        assert_eq!(held, b"ab");
    }
}

#[test]
fn nothing_is_called_but_what_makes_arrays() {
    for (module, name) in [
        ("os", "system"),
        ("builtins", "eval"),
        ("numpy", "load"),
        ("posix", "system"),
        ("builtins", "getattr"),
    ] {
        let bytes = format!("\u{2}c{module}\n{name}\nX\u{4}\0\0\0trueR.").into_bytes();
        let bytes = [b"\x80", &bytes[..]].concat();
        let refusal = Pickle::read(&bytes).expect_err("a refusal");
        assert!(
            refusal.contains(&format!("it calls {module}.{name}, which is refused")),
            "{refusal}"
        );
    }
    let stacked = b"\x80\x04\x8c\x05posix\x8c\x06system\x93.";
    assert!(Pickle::read(stacked).is_err_and(|refusal| refusal.contains("posix.system")));
}

#[test]
fn programs_that_make_no_sense_are_refused() {
    for bytes in [
        &b""[..],
        b".",
        b"\x80\x01.",
        b"\x80\x06.",
        b"\x80\x04(",
        b"\x80\x04(.",
        b"\x80\x04t.",
        b"\x80\x04N",
        b"\x80\x04h\x05.",
        b"\x80\x04X\xff\xff\xff\xffa.",
        b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\xffa.",
        b"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xffa.",
        b"\x80\x04NNR.",
        b"\x80\x04N)b.",
        b"\x80\x04]NNs.",
        b"\x80\x04}(Nu.",
        b"\x80\x04cnumpy\ndtype\n)R.",
        b"\x80\x04cnumpy.core.multiarray\n_reconstruct\n)R)b.",
        b"\x80\x04\xff.",
        b"\x80\x04I1\n.",
    ] {
        let refusal = Pickle::read(bytes).expect_err("a refusal");
        assert!(
            refusal.starts_with("a pickle, at byte ") && refusal.len() < 200,
            "{bytes:?}: {refusal}"
        );
    }
}

#[test]
fn bombs_take_little() {
    let begun = std::time::Instant::now();
    // A text of a megabyte, encoded as often as there is room for.
    let text = "a".repeat(1 << 20);
    let mut bytes =
        [b"\x80\x02X", &(text.len() as u32).to_le_bytes()[..], text.as_bytes(), b"\x94"].concat();
    bytes.extend(b"c_codecs\nencode\n\x94h\x00X\x06\0\0\0latin1\x86\x94R");
    bytes.extend(b"h\x01h\x02R".repeat(100_000));
    let refusal = Pickle::read(&[bytes.clone(), b".".to_vec()].concat()).expect_err("a refusal");
    assert!(refusal.contains("more bytes than the file has"), "{refusal}");
    // A kind and a shape of 64 sides, of which as many arrays are made as there is room for: each
    // has the size of any value.
    assert!(size_of::<Value>() <= 48, "{}", size_of::<Value>());
    let parts = [
        &b"(C\x01acnumpy\ndtype\n\x8c\x02f8\x85R("[..],
        &b"K\x01".repeat(64),
        b"t\x8c\x01Ctq\x010",
    ]
    .concat();
    let begin = [&b"\x80\x04cnumpy.core.numeric\n_frombuffer\nq\x000"[..], &parts].concat();
    let many = [begin, b"h\x00h\x01R0".repeat(10_000), b"N.".to_vec()].concat();
    let values = Pickle::read(&many).expect("arrays").values;
    let own = |value: &Value| match value {
        Value::Owned(bytes) => bytes.len(),
        Value::List(items) => items.len() * size_of::<Id>(),
        _ => 0,
    };
    let held: usize = values.iter().map(|value| size_of::<Value>() + own(value)).sum();
    assert!(held < many.len() * 10, "{held} bytes of {}", many.len());
    // Values, marks and memos without end.
    for byte in [b"N", b"(", b"]"] {
        let bytes = [b"\x80\x04".to_vec(), byte.repeat(MOST_VALUES + 2)].concat();
        assert!(Pickle::read(&bytes).is_err_and(|refusal| refusal.contains("values")));
    }
    let memos = [b"\x80\x04N".to_vec(), b"\x94".repeat(MOST_VALUES + 2)].concat();
    assert!(Pickle::read(&memos).is_err_and(|refusal| refusal.contains("values")));
    // A list that holds itself.
    let mut own = b"\x80\x04]\x94h\x00a.".to_vec();
    assert!(Pickle::read(&own).is_ok_and(|pickle| pickle.get("trajectories").is_err()));
    own.truncate(4);
    assert!(Pickle::read(&own).is_err());
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

/// Whatever becomes of a sound pickle, the machine ends, and does not panic.
#[test]
fn damaged_pickles_are_refused_or_read() {
    let sound = [
        &b"\x80\x04cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n\
            K\x00\x85C\x01b\x87R(K\x01)cnumpy\ndtype\n"[..],
        b"\x8c\x02O8\x89\x88\x87R(K\x03\x8c\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK?tb\x89]}(\
            \x8c\x0ctrajectories",
        b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n\
            K\x00\x85C\x01b\x87R(K\x01K\x02K\x01K\x02\x87cnumpy\ndtype\n",
        b"\x8c\x02f4\x89\x88\x87R(K\x03\x8c\x01<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89\
            C\x10",
        &[0.0f32, 1.0, 2.0, 3.0].map(f32::to_le_bytes).concat(),
        b"tbuatb.",
    ]
    .concat();
    let values = |bytes: &[u8]| {
        let pickle = Pickle::read(bytes)?;
        let id = pickle.get("trajectories")?.ok_or("none")?;
        pickle.array(id).ok_or("no array")?.floats()
    };
    assert_eq!(
        values(&sound).map(|array| (array.shape, array.values)),
        Ok((vec![2, 1, 2], vec![0.0, 1.0, 2.0, 3.0]))
    );
    let mut random = wingbeat_test_support::Random::new(11);
    let mut next = |below: usize| random.below(below);
    let mut refused = 0;
    for _ in 0..50_000 {
        let mut bytes = sound.clone();
        for _ in 0..=next(3) {
            let at = next(bytes.len());
            match next(4) {
                0 => bytes[at] ^= 1 << next(8),
                1 => bytes[at] = next(256) as u8,
                2 => bytes.insert(at, b"(tbuRah\x94)]}\x87q0"[next(14)]),
                _ => drop(bytes.remove(at)),
            }
        }
        refused += usize::from(values(&bytes).is_err());
    }
    assert!((20_000..50_000).contains(&refused), "{refused}");
}
