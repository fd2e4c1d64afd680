//! An LZ4 block read as a stream: memory holds the last 64 KiB of it, however much it unpacks to.
//!
//! ```text
//! token · more literal length · literals · u16 distance · more match length, again and again;
//! the last has literals alone
//! ```
//!
//! A token has both lengths in its halves; 15 there is 15 and what bytes after it add, up to one
//! below 255. A match repeats what lies `distance` back, and is 4 bytes longer than its length
//! says. <https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md>

use std::io::{Error, ErrorKind, Read, Result};

/// How far back a match reaches, and a mask for places in the window.
const WINDOW: usize = 1 << 16;

/// The shortest match.
const SHORTEST: usize = 4;

/// What a piece of a block is, or what is wrong with it.
type Unpacking<T> = std::result::Result<T, &'static str>;

/// An LZ4 block that is unpacked as it is read.
#[derive(Debug)]
pub struct Unpacked<'a> {
    packed: &'a [u8],
    window: Box<[u8; WINDOW]>,
    /// Bytes put into the window so far.
    count: usize,
    literals: usize,
    /// The token whose match is still to come.
    token: Option<u8>,
    distance: usize,
    repeats: usize,
    /// What is wrong with the block, once it was met.
    damage: Option<&'static str>,
}

impl<'a> Unpacked<'a> {
    /// Begins to unpack a block.
    pub fn new(packed: &'a [u8]) -> Self {
        let window = Box::new([0; WINDOW]);
        Self {
            packed,
            window,
            count: 0,
            literals: 0,
            token: None,
            distance: 0,
            repeats: 0,
            damage: None,
        }
    }

    fn byte(&mut self) -> Unpacking<u8> {
        let (&first, rest) = self.packed.split_first().ok_or("it ends early")?;
        self.packed = rest;
        Ok(first)
    }

    fn length(&mut self, half: u8) -> Unpacking<usize> {
        let mut length = usize::from(half);
        let mut last = if half == 15 { 255 } else { 0 };
        while last == 255 {
            last = self.byte()?;
            length += usize::from(last);
        }
        Ok(length)
    }

    /// Reads lengths until there is something to unpack; false at the end.
    fn advance(&mut self) -> Unpacking<bool> {
        while self.literals == 0 && self.repeats == 0 {
            if let Some(token) = self.token.take() {
                if self.packed.is_empty() {
                    return Ok(false);
                }
                self.distance = usize::from(u16::from_le_bytes([self.byte()?, self.byte()?]));
                if self.distance == 0 || self.distance > self.count {
                    return Err("a match before its beginning");
                }
                self.repeats = SHORTEST + self.length(token & 15)?;
            } else if self.packed.is_empty() {
                return Ok(false);
            } else {
                let token = self.byte()?;
                self.token = Some(token);
                self.literals = self.length(token >> 4)?;
                if self.literals > self.packed.len() {
                    return Err("it ends early");
                }
            }
        }
        Ok(true)
    }

    /// Keeps what was unpacked for later matches.
    fn keep(&mut self, bytes: &[u8]) {
        for &byte in &bytes[bytes.len().saturating_sub(WINDOW)..] {
            self.window[self.count % WINDOW] = byte;
            self.count += 1;
        }
    }
}

impl Read for Unpacked<'_> {
    /// Fills `out` where there is as much: a literal or a match has some ten bytes, and each call
    /// of a reader that is compiled elsewhere takes longer than these.
    #[inline(never)]
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        if let Some(damage) = self.damage {
            return Err(damaged(damage));
        }
        let mut filled = 0;
        while filled < out.len() {
            match self.piece(&mut out[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(damage) => {
                    self.damage = Some(damage);
                    if filled == 0 {
                        return Err(damaged(damage));
                    }
                    break;
                }
            }
        }
        Ok(filled)
    }
}

impl Unpacked<'_> {
    /// The next bytes of one literal or match; none at the end.
    fn piece(&mut self, out: &mut [u8]) -> Unpacking<usize> {
        if !self.advance()? {
            return Ok(0);
        }
        if self.literals > 0 {
            let count = self.literals.min(out.len());
            let (now, later) = self.packed.split_at(count);
            out[..count].copy_from_slice(now);
            self.keep(now);
            (self.packed, self.literals) = (later, self.literals - count);
            return Ok(count);
        }
        let count = self.repeats.min(out.len());
        for place in &mut out[..count] {
            *place = self.window[(self.count - self.distance) % WINDOW];
            self.window[self.count % WINDOW] = *place;
            self.count += 1;
        }
        self.repeats -= count;
        Ok(count)
    }
}

fn damaged(why: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("damaged: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_unpacks_what_the_packer_packs() {
        let mut random = wingbeat_test_support::Random::new(1);
        let mut draw = |below: u64| random.below(below);
        for length in [0, 1, 4, 5, 12, 13, 14, 300, 70_000, 1_000_000] {
            for kinds in [1, 2, 256] {
                let mut plain: Vec<u8> = Vec::new();
                while plain.len() < length {
                    // Runs of one byte, and repeats from far and near.
                    let (run, back) = (1 + draw(600) as usize, 1 + draw(80_000) as usize);
                    match draw(3) {
                        0 => plain.extend((0..run).map(|_| draw(kinds) as u8)),
                        1 => plain.extend(vec![draw(kinds) as u8; run]),
                        _ if back <= plain.len() => plain.extend_from_within(
                            plain.len() - back..(plain.len() - back + run).min(plain.len()),
                        ),
                        _ => {}
                    }
                }
                plain.truncate(length);
                let packed = lz4_flex::block::compress(&plain);
                let mut found = Vec::new();
                Unpacked::new(&packed).read_to_end(&mut found).expect("a sound block");
                assert!(found == plain, "{length} bytes of {kinds}");
                // A few bytes at a time.
                let mut unpacked = Unpacked::new(&packed);
                let mut few = vec![0; plain.len()];
                few.chunks_mut(7)
                    .for_each(|part| unpacked.read_exact(part).expect("so many bytes"));
                assert!(few == plain && unpacked.read(&mut [0; 9]).is_ok_and(|more| more == 0));
            }
        }
    }

    #[test]
    fn damage_is_an_end_or_an_error() {
        let plain: Vec<u8> = (0..3000u32).flat_map(|i| (i / 7).to_le_bytes()).collect();
        let packed = lz4_flex::block::compress(&plain);
        for cut in 0..packed.len() {
            let mut found = Vec::new();
            let read = Unpacked::new(&packed[..cut]).read_to_end(&mut found);
            assert!(read.is_err() || found.len() < plain.len(), "cut at {cut}");
            let mut flipped = packed.clone();
            flipped[cut] ^= 1 << (cut % 8);
            let mut most = Unpacked::new(&flipped).take(1 << 20);
            let _ = most.read_to_end(&mut Vec::new());
        }
        assert!(
            Unpacked::new(&[0x10, 7, 0, 0]).read_to_end(&mut Vec::new()).is_err(),
            "a distance of 0"
        );
        assert!(
            Unpacked::new(&[0x10, 7, 2, 0]).read_to_end(&mut Vec::new()).is_err(),
            "before the beginning"
        );
    }
}
