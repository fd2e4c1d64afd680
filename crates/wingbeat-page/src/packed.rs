//! Bytes as text: what a page carries of the player, the engine and frames. 13 bits are two of 91
//! printable characters, of which none ends a string or begins an element; up to 6 bits that are
//! left at the end are one. That is 1.23 bytes a byte, where base64 takes 1.33.
//!
//! `assets/unpack.js` reads it.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The characters: printable ASCII without the space, quotation marks, `<` and the backslash.
const DIGITS: [u8; 91] = {
    let (mut digits, mut count, mut next) = ([0; 91], 0, b'!');
    while next <= b'~' {
        if !matches!(next, b'"' | b'<' | b'\\') {
            digits[count] = next;
            count += 1;
        }
        next += 1;
    }
    digits
};

/// Bytes as text.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(bytes.len() * 16 / 13 + 2);
    let (mut bits, mut held) = (0_u32, 0);
    let digit = |value: u32| DIGITS[value as usize];
    for &byte in bytes {
        bits |= u32::from(byte) << held;
        held += 8;
        if held >= 13 {
            let pair = bits & 0x1fff;
            text.extend([digit(pair % 91), digit(pair / 91)]);
            bits >>= 13;
            held -= 13;
        }
    }
    if held > 6 {
        text.extend([digit(bits % 91), digit(bits / 91)]);
    } else if held > 0 {
        text.push(digit(bits));
    }
    // All of them are ASCII.
    String::from_utf8(text).unwrap_or_default()
}

/// Bytes, packed as gzip does, as text.
pub(crate) fn zipped(bytes: &[u8]) -> String {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    // Writing into memory does not fail.
    let packed = packed.write_all(bytes).and_then(|()| packed.finish()).unwrap_or_default();
    text_of(&packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Read as the head of this file says, digit by digit in arithmetic of bits alone.
    fn bytes_of(text: &str) -> Vec<u8> {
        let value = |c: u8| DIGITS.iter().position(|&digit| digit == c).expect("a digit");
        let mut bits = Vec::new();
        for pair in text.as_bytes().chunks(2) {
            let (number, count) = match *pair {
                [one] => (value(one), 6),
                [low, high] => (value(low) + 91 * value(high), 13),
                _ => unreachable!("chunks of two"),
            };
            bits.extend((0..count).map(|bit| number >> bit & 1));
        }
        let byte = |bits: &[usize]| (0..8).fold(0, |byte, bit| byte | (bits[bit] << bit) as u8);
        bits.chunks_exact(8).map(byte).collect()
    }

    #[test]
    fn bytes_of_every_length_come_back() {
        let mut random = 1_u32;
        let mut next = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 24) as u8
        };
        for length in 0..200 {
            let some: Vec<u8> = (0..length).map(|_| next()).collect();
            for bytes in [some, vec![0; length], vec![255; length]] {
                let text = text_of(&bytes);
                assert_eq!(bytes_of(&text), bytes, "{length}");
                assert!(text.len() <= length * 16 / 13 + 1);
                assert!(!text.contains(['"', '<', '\\', ' ']) && text.is_ascii());
            }
        }
    }
}
