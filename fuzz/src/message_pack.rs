//! MessagePack with some of its values replaced: still well-formed, with values that no program
//! would write.

use std::ops::Range;

/// Numbers at which arithmetic and checks change their behavior.
const WILD: [f64; 24] = [
    0.0,
    -0.0,
    1e-45,
    1e-38,
    1e-20,
    1e-6,
    0.5,
    1.0,
    -1.0,
    2.0,
    3.0,
    7.0,
    1e3,
    -1e3,
    1e6,
    1e9,
    1e12,
    -1e12,
    1e20,
    1e30,
    -1e30,
    3.4e38,
    f64::INFINITY,
    f64::NAN,
];

/// Replaces values of a message, as `edits` say: each is a value's place (two bytes), what to put
/// there (one), and a number for it (two).
pub fn edited(message: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut message = message.to_vec();
    for edit in edits.chunks_exact(5).take(12) {
        let mut places = Vec::new();
        values(&message, 0, &mut places);
        let at = |number: u16| places[usize::from(number) % places.len()].clone();
        let (place, number) =
            (at(u16::from_le_bytes([edit[0], edit[1]])), u16::from_le_bytes([edit[3], edit[4]]));
        let put = match edit[2] {
            how @ 0..24 => number_like(&message[place.clone()], WILD[usize::from(how)]),
            24..120 => number_like(&message[place.clone()], f64::from(number as i16) / 64.0),
            120..128 => vec![0xc0],
            128..192 => number_like(&message[place.clone()], f64::from(number)),
            // Another value of the same message: names of kinds, and numbers that mean something
            // else there.
            _ => message[at(number)].to_vec(),
        };
        message.splice(place, put);
    }
    message
}

/// A number in the place of a value: of as many bytes where that is a floating-point number, a
/// whole number in the place of one, and in the place of bytes the same with a column's first
/// numbers replaced.
fn number_like(value: &[u8], number: f64) -> Vec<u8> {
    match value[0] {
        0xca => [&[0xca][..], &(number as f32).to_be_bytes()].concat(),
        0xcb => [&[0xcb][..], &number.to_be_bytes()].concat(),
        0xc4 if value.len() >= 6 => {
            [&value[..2], &(number as f32).to_le_bytes(), &value[6..]].concat()
        }
        0xc5 if value.len() >= 7 => {
            [&value[..3], &(number as f32).to_le_bytes(), &value[7..]].concat()
        }
        0xc2 | 0xc3 => vec![0xc2 | u8::from(number == 1.0)],
        _ if number < 0.0 => [&[0xd3][..], &(number as i64).to_be_bytes()].concat(),
        _ => [&[0xcf][..], &(number as u64).to_be_bytes()].concat(),
    }
}

/// The places of all values that are no lists, tables or keys of tables; returns where the value at
/// `at` ends.
fn values(message: &[u8], at: usize, places: &mut Vec<Range<usize>>) -> usize {
    let size = |bytes: usize| {
        message[at + 1..at + 1 + bytes].iter().fold(0, |size, &byte| size << 8 | usize::from(byte))
    };
    let list = |count: usize, head: usize, places: &mut Vec<Range<usize>>| {
        (0..count).fold(at + head, |at, _| values(message, at, places))
    };
    let table = |count: usize, head: usize, places: &mut Vec<Range<usize>>| {
        (0..count).fold(at + head, |at, _| {
            let key = values(message, at, &mut Vec::new());
            values(message, key, places)
        })
    };
    let length = match message[at] {
        first @ 0x80..=0x8f => return table(usize::from(first & 15), 1, places),
        0xde => return table(size(2), 3, places),
        0xdf => return table(size(4), 5, places),
        first @ 0x90..=0x9f => return list(usize::from(first & 15), 1, places),
        0xdc => return list(size(2), 3, places),
        0xdd => return list(size(4), 5, places),
        first @ 0xa0..=0xbf => 1 + usize::from(first & 31),
        0xc4 | 0xd9 => 2 + size(1),
        0xc5 | 0xda => 3 + size(2),
        0xc6 | 0xdb => 5 + size(4),
        0xcc | 0xd0 => 2,
        0xcd | 0xd1 => 3,
        0xca | 0xce | 0xd2 => 5,
        0xcb | 0xcf | 0xd3 => 9,
        _ => 1,
    };
    places.push(at..at + length);
    at + length
}
