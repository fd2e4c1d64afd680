//! The reader against rmp-serde, which writes: what one wrote the other reads, and nothing else.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::{DEEPEST, read};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    Nothing,
    One(i64),
    Pair(f32, String),
    Table { left: u64, right: Option<Box<Kind>> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Wrapped(f64);

/// Everything that a state is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct All {
    flag: bool,
    small: (i8, u8, i16, u16),
    large: (i32, u32, i64, u64),
    float: f32,
    wrapped: Wrapped,
    letter: char,
    text: String,
    bytes: serde_bytes_of::Bytes,
    list: Vec<Kind>,
    table: BTreeMap<String, Option<[f32; 3]>>,
    unit: (),
}

/// Bytes as bytes, and not as a list of numbers.
mod serde_bytes_of {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Visitor};

    #[derive(Clone, Debug, PartialEq)]
    pub struct Bytes(pub Vec<u8>);

    impl Serialize for Bytes {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.serialize_bytes(&self.0)
        }
    }

    impl<'de> Deserialize<'de> for Bytes {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            struct Own;
            impl Visitor<'_> for Own {
                type Value = Bytes;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("bytes")
                }
                fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                    Ok(Bytes(bytes))
                }
            }
            from.deserialize_byte_buf(Own)
        }
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    let leaf = prop_oneof![
        Just(Kind::Nothing),
        any::<i64>().prop_map(Kind::One),
        (any::<f32>(), ".{0,40}").prop_map(|(number, text)| Kind::Pair(number, text)),
    ];
    leaf.prop_recursive(4, 8, 1, |inner| {
        (any::<u64>(), proptest::option::of(inner))
            .prop_map(|(left, right)| Kind::Table { left, right: right.map(Box::new) })
    })
}

prop_compose! {
    fn all()(
        (flag, letter, float, wrapped) in any::<(bool, char, f32, f64)>(),
        (small, large) in any::<((i8, u8, i16, u16), (i32, u32, i64, u64))>(),
        text in ".{0,300}",
        bytes in vec(any::<u8>(), 0..70_000),
        list in vec(kind(), 0..40),
        table in btree_map("[a-z]{0,8}", any::<Option<[f32; 3]>>(), 0..20),
    ) -> All {
        let wrapped = Wrapped(wrapped);
        let bytes = serde_bytes_of::Bytes(bytes);
        All { flag, small, large, float, wrapped, letter, text, bytes, list, table, unit: () }
    }
}

/// The bits, as a number that is none equals nothing.
fn bits<T: Serialize>(value: &T) -> Vec<u8> {
    rmp_serde::to_vec_named(value).expect("a value")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_rmp_wrote_is_read(value in all()) {
        let written = bits(&value);
        let read = read::<All>(&mut written.as_slice());
        prop_assert_eq!(bits(&read.expect("what was written")), written);
    }

    #[test]
    fn what_is_cut_short_is_refused(value in vec(kind(), 1..6)) {
        let written = bits(&value);
        for end in 0..written.len() {
            prop_assert!(read::<Vec<Kind>>(&mut &written[..end]).is_err(), "{end} bytes");
        }
    }

    /// No bytes crash it or take more memory than they are; what it reads rmp reads alike.
    #[test]
    fn whatever_is_there_is_read_or_refused(bytes in vec(any::<u8>(), 0..200)) {
        if let Ok(read) = read::<Vec<Kind>>(&mut bytes.as_slice()) {
            let other: Vec<Kind> = rmp_serde::from_read(bytes.as_slice()).expect("rmp reads it");
            prop_assert_eq!(bits(&read), bits(&other));
        }
    }
}

#[test]
fn a_length_that_is_said_takes_no_memory() {
    for head in [&[0xdb_u8, 0xff, 0xff, 0xff, 0xff][..], &[0xc6, 0xff, 0xff, 0xff, 0xff]] {
        let refusal = read::<String>(&mut &*head).expect_err("four gigabytes").to_string();
        assert_eq!(refusal, "it ends early");
    }
    assert!(read::<Vec<u64>>(&mut &[0xdd, 0xff, 0xff, 0xff, 0xff][..]).is_err());
}

#[test]
fn values_too_deep_are_refused() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Nest(Vec<Nest>);

    let deep = |count: usize| [vec![0x91; count], vec![0x90]].concat();
    assert!(read::<Nest>(&mut deep(DEEPEST as usize - 1).as_slice()).is_ok());
    let refusal = read::<Nest>(&mut deep(1_000_000).as_slice()).expect_err("too deep").to_string();
    assert_eq!(refusal, "values too deep in others");
}

#[test]
fn what_lies_beside_is_left() {
    let both = [bits(&Kind::One(-7)), bits(&"after")].concat();
    let mut rest = both.as_slice();
    assert_eq!(read::<Kind>(&mut rest).expect("the first"), Kind::One(-7));
    assert_eq!(read::<String>(&mut rest).expect("the second"), "after");
    assert!(rest.is_empty());
}
