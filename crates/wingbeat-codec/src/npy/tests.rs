use super::header::Header;
use super::*;

/// An array as a file: version, text of the header, numbers.
fn file(version: u8, text: &str, data: &[u8]) -> Vec<u8> {
    let length = text.len() as u32;
    let length = if version == 1 {
        (length as u16).to_le_bytes().to_vec()
    } else {
        length.to_le_bytes().to_vec()
    };
    [b"\x93NUMPY", &[version, 0][..], &length, text.as_bytes(), data].concat()
}

fn header(text: &str) -> Result<Header, String> {
    let file = file(1, text, &[]);
    Header::read(&mut file.as_slice(), file.len() as u64).map(|(header, _)| header)
}

#[test]
fn headers_come_back_and_numbers_begin_where_numpy_wants_them() {
    for descr in ["<f4", ">f8", "|u1"] {
        for shape in [vec![], vec![0], vec![7], vec![300, 100, 2], vec![u64::MAX; 30]] {
            for is_fortran in [false, true] {
                let written = Header { descr: descr.into(), is_fortran, shape: shape.clone() };
                let mut bytes = Vec::new();
                written.write(&mut bytes).expect("memory takes it");
                assert!(bytes.len().is_multiple_of(64) && bytes.ends_with(b"\n"));
                bytes.extend(b"12345");
                assert_eq!(
                    Header::read(&mut bytes.as_slice(), bytes.len() as u64),
                    Ok((written, 5))
                );
            }
        }
    }
    // As numpy.save(file, numpy.zeros((2, 3), "f4")) writes it.
    let mut bytes = Vec::new();
    write_header(&mut bytes, "<f4", &[2, 3]).expect("memory takes it");
    let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    assert_eq!(bytes, file(1, &format!("{text:<117}\n"), &[]));
}

#[test]
fn every_version_and_spelling_is_read() {
    let wanted = Header { descr: "<f8".into(), is_fortran: true, shape: vec![4] };
    for text in [
        "{'descr': '<f8', 'fortran_order': True, 'shape': (4,), }\n",
        "{\"shape\":(4),\"fortran_order\":True,\"descr\":\"<f8\"}",
        " {\n'descr'\t:'<f8','shape' : ( 4 , ) ,'fortran_order':True } \n",
    ] {
        for version in 1..=3 {
            let bytes = file(version, text, &[0; 3]);
            let (header, left) =
                Header::read(&mut bytes.as_slice(), bytes.len() as u64).expect("a header");
            assert_eq!((&header, left), (&wanted, 3), "version {version}: {text}");
        }
    }
}

#[test]
fn what_is_no_header_is_refused_by_name() {
    let full = |descr: &str, order: &str, shape: &str| {
        format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}}}")
    };
    for (text, expected) in [
        (String::new(), "\"\" in the NPY header: allowed is {"),
        ("[1, 2]".into(), "\"[1, 2]\" in the NPY header: allowed is {"),
        ("{}".into(), "no descr"),
        ("{'descr': '<f4', 'shape': (2,)}".into(), "no fortran_order"),
        ("{'descr': '<f4', 'fortran_order': False}".into(), "no shape"),
        (
            "{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}".into(),
            "key descr stands twice",
        ),
        (
            "{'dtype': '<f4'}".into(),
            "key dtype in the NPY header: allowed is descr, fortran_order, shape",
        ),
        ("{descr: '<f4'}".into(), "allowed is a key in quotes"),
        ("{'descr' '<f4'}".into(), "allowed is :"),
        (full("[('x', '<f4')]", "False", "(2,)"), "\"[('x', '<f4')], 'fortran_order'"),
        (full("'<f4", "False", "(2,)"), "allowed is }"),
        (
            full("'\\x3cf4'", "False", "(2,)"),
            "allowed is the descr of one kind of number in quotes",
        ),
        (full("'<f4'", "0", "(2,)"), "allowed is True or False"),
        (full("'<f4'", "False", "2"), "allowed is ("),
        (full("'<f4'", "False", "[2]"), "allowed is ("),
        (
            full("'<f4'", "False", "(2, -1)"),
            "\"-1)}\" in the NPY header: allowed is a whole number",
        ),
        (full("'<f4'", "False", "(2.0,)"), "allowed is )"),
        (full("'<f4'", "False", "(,)"), "allowed is a whole number"),
        (
            full("'<f4'", "False", "(99999999999999999999,)"),
            "allowed is a whole number of at most 64 bits",
        ),
        (full("'<f4'", "False", "(2,)") + "{", "allowed is nothing after the dictionary"),
        (full("'<f4'", "False", "(2,"), "allowed is a whole number"),
    ] {
        let refusal = header(&text).expect_err(&text);
        assert!(refusal.contains(expected), "{text}: {refusal}");
    }
    let sound = file(1, &full("'<f4'", "False", "(2,)"), &[]);
    let refusal =
        |bytes: &[u8]| Header::read(&mut &bytes[..], bytes.len() as u64).expect_err("a refusal");
    assert!(refusal(&sound[..9]).contains("not an NPY file"));
    assert!(refusal(&sound[..sound.len() - 1]).contains("within the file"));
    let changed = |at: usize, byte: u8| {
        let mut bytes = sound.clone();
        bytes[at] = byte;
        refusal(&bytes)
    };
    assert!(changed(0, b'N').contains("not an NPY file"));
    assert!(changed(6, 4).contains("version 4.0 of NPY: allowed is 1.0, 2.0 or 3.0"));
    assert!(changed(7, 1).contains("version 1.1 of NPY"));
    assert!(changed(12, 0xff).contains("not text"));
    // Longer than any header that any program writes.
    let long = file(2, &full("'<f4'", "False", &" ".repeat(70_000)), &[]);
    assert!(refusal(&long).contains("at most 65536"));
}

#[test]
fn nests_of_brackets_end_at_once() {
    let begun = std::time::Instant::now();
    for opening in
        ["{", "(", "[", "{'descr':", "{'shape':(", "{'shape':((", "'", "{'a':{'a':", "\\'"]
    {
        for prefix in ["", "{'descr': ", "{'shape': (", "{'descr': '<f4', 'fortran_order': "] {
            let text = format!("{prefix}{}", opening.repeat(60_000 / opening.len()));
            assert!(header(&text).is_err_and(|refusal| refusal.len() < 200), "{prefix}{opening}");
        }
    }
    assert!(begun.elapsed().as_secs() < 2, "{:?}", begun.elapsed());
}

#[test]
fn damaged_headers_are_refused_or_mean_what_they_say() {
    let sound = b"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 20, 2), }".to_vec();
    let alphabet = b"{}()[]'\",: 0123456789\\TrueFalsdcprtnhi_<>|f8";
    let (mut random, mut accepted) = (wingbeat_test_support::Random::new(7), 0);
    let mut next = |below: usize| random.below(below);
    for _ in 0..30_000 {
        let mut text = sound.clone();
        for _ in 0..=next(3) {
            let at = next(text.len());
            match next(4) {
                0 => text[at] ^= 1 << next(8),
                1 => text[at] = alphabet[next(alphabet.len())],
                2 => text.insert(at, alphabet[next(alphabet.len())]),
                _ => drop(text.remove(at)),
            }
        }
        let bytes = [b"\x93NUMPY\x01\x00", &(text.len() as u16).to_le_bytes()[..], &text].concat();
        match Header::read(&mut bytes.as_slice(), bytes.len() as u64) {
            Ok((header, 0)) => {
                accepted += 1;
                let mut again = Vec::new();
                header.write(&mut again).expect("memory takes it");
                assert_eq!(
                    Header::read(&mut again.as_slice(), again.len() as u64),
                    Ok((header, 0))
                );
            }
            Ok((_, left)) => panic!("{left} bytes of nothing left"),
            Err(refusal) => {
                assert!(refusal.len() < 300 && refusal.contains("allowed is"), "{refusal}")
            }
        }
    }
    // Another digit or another space is a header too.
    assert!((1_000..15_000).contains(&accepted), "{accepted} of 30000");
}

/// An array of these bytes.
fn array(descr: &str, shape: &str, data: &[u8]) -> NpyReader<std::io::Cursor<Vec<u8>>> {
    let bytes =
        file(1, &format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}}}"), data);
    let length = bytes.len() as u64;
    NpyReader::open(std::io::Cursor::new(bytes), length).expect("a header")
}

#[test]
fn numbers_of_every_kind_and_byte_order_are_read() {
    for (descr, data) in [
        ("<f4", [1.5f32, -2.0].map(f32::to_le_bytes).concat()),
        (">f4", [1.5f32, -2.0].map(f32::to_be_bytes).concat()),
        ("<f8", [1.5f64, -2.0].map(f64::to_le_bytes).concat()),
        (">f8", [1.5f64, -2.0].map(f64::to_be_bytes).concat()),
    ] {
        assert_eq!(
            array(descr, "(2,)", &data).floats().map(|array| array.values),
            Ok(vec![1.5, -2.0]),
            "{descr}"
        );
        assert!(
            array(descr, "(2,)", &data)
                .wholes()
                .is_err_and(|refusal| refusal.contains("i1 to i8 or u1 to u8")),
            "{descr}"
        );
    }
    for (descr, data, wanted) in [
        ("|i1", vec![0x80, 0x7f], [-128, 127]),
        ("|u1", vec![0x80, 0x7f], [128, 127]),
        ("<i2", vec![0x00, 0x80, 0x02, 0x01], [-32768, 258]),
        (">i2", vec![0x80, 0x00, 0x01, 0x02], [-32768, 258]),
        ("<u2", vec![0x00, 0x80, 0x02, 0x01], [32768, 258]),
        ("<i4", [i32::MIN, 9].map(i32::to_le_bytes).concat(), [i128::from(i32::MIN), 9]),
        (">u4", [u32::MAX, 9].map(u32::to_be_bytes).concat(), [i128::from(u32::MAX), 9]),
        ("<i8", [i64::MIN, 9].map(i64::to_le_bytes).concat(), [i128::from(i64::MIN), 9]),
        (">i8", [i64::MIN, 9].map(i64::to_be_bytes).concat(), [i128::from(i64::MIN), 9]),
        ("<u8", [u64::MAX, 9].map(u64::to_le_bytes).concat(), [i128::from(u64::MAX), 9]),
    ] {
        assert_eq!(array(descr, "(2,)", &data).wholes(), Ok(wanted.to_vec()), "{descr}");
        assert!(
            array(descr, "(2,)", &data).floats().is_err_and(|refusal| refusal.contains("f4 or f8")),
            "{descr}"
        );
    }
    for descr in ["", "f4", "=f4", "|f4", "<f2", "<f16", "<c8", "|b1", "<U5", "|O", "<M8[ns]", "é"]
    {
        let refusal = array(descr, "(2,)", &[0; 64]).floats().expect_err(descr);
        assert!(
            refusal.contains(&format!("dtype {descr}: allowed is f4 or f8, either byte order")),
            "{refusal}"
        );
    }
}

#[test]
fn claims_are_compared_with_the_file_before_anything_is_allocated() {
    let longest = u64::MAX.to_string();
    for (shape, expected) in [
        ("(3,)".to_string(), "shape [3] needs 24 bytes: allowed is what the file holds, 16"),
        (format!("({longest},)"), "needs 147573952589676412920 bytes"),
        (format!("({longest}, {longest}, {longest})"), "needs 2¹²⁸ bytes or more"),
        (
            "(2, 2, 2, 2, 2, 2, 2, 2, 2)".into(),
            "shape [2, 2, 2, 2, 2, 2, 2, 2, …] needs 4096 bytes",
        ),
    ] {
        let refusal = array("<f8", &shape, &[0; 16]).floats().expect_err("a refusal");
        assert!(refusal.contains(expected), "{refusal}");
    }
    // Fewer bytes than the file was said to have.
    let bytes = file(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", &[0; 16]);
    let cut = NpyReader::open(bytes.as_slice(), bytes.len() as u64 + 8).and_then(NpyReader::floats);
    assert!(cut.is_err_and(|refusal| refusal.contains("the data cannot be read")));
    // What lies behind an array is another's; an array of nothing has nothing; a number alone has
    // no axes.
    assert_eq!(array("<f8", "(1,)", &[0; 99]).floats().map(|array| array.values), Ok(vec![0.0]));
    assert_eq!(
        array("<f8", &format!("(0, {longest})"), &[]).floats().map(|array| array.values),
        Ok(vec![])
    );
    assert_eq!(array("<f8", "()", &[0; 8]).floats().map(|array| array.at([])), Ok(0.0));
}

#[test]
fn indices_mean_the_same_in_both_orders() {
    let shape = [2usize, 3, 4];
    let data: Vec<u8> = (0..24u8).flat_map(|i| f64::from(i).to_le_bytes()).collect();
    for (order, strides) in [("False", [12, 4, 1]), ("True", [1, 2, 6])] {
        let bytes = file(
            1,
            &format!("{{'descr': '<f8', 'fortran_order': {order}, 'shape': (2, 3, 4)}}"),
            &data,
        );
        let array = NpyReader::open(bytes.as_slice(), bytes.len() as u64)
            .and_then(NpyReader::floats)
            .expect("an array");
        assert_eq!((array.shape.as_slice(), array.strides.as_slice()), (&shape[..], &strides[..]));
        assert_eq!(array.at([1, 2, 3]), 23.0);
        assert_eq!(array.at([1, 0, 2]), (strides[0] + 2 * strides[2]) as f64);
    }
}
