//! What stands before an array's numbers: eight bytes, a length, and a Python dictionary as text.
//!
//! ```text
//! \x93NUMPY 1 0 118 0 {'descr': '<f4', 'fortran_order': False, 'shape': (300, 100, 2), }      \n
//! ```
//!
//! NumPy takes the text for any Python literal. Three keys with values of three kinds never nest,
//! so this parser goes through it once from left to right and refuses the first thing it does not
//! expect: its time is linear in the length, which is limited.

use std::io::{self, Read, Write};

use crate::text::shortened;

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// Longest text taken, bytes: NumPy's own are a few hundred.
const LONGEST_TEXT: u64 = 1 << 16;

/// NumPy pads the text so that the numbers begin at a multiple of this.
const ALIGNMENT: usize = 64;

/// What an array is.
#[derive(Debug, PartialEq)]
pub(super) struct Header {
    /// Kind, bytes and byte order of a number: `<f4`.
    pub descr: String,
    /// Whether the first axis, not the last, changes from one number to the next.
    pub is_fortran: bool,
    /// Length of each axis.
    pub shape: Vec<u64>,
}

impl Header {
    /// Reads the header of an array that lies in a source of `bytes` bytes; tells also how many of
    /// them are left for numbers.
    pub fn read(from: &mut impl Read, bytes: u64) -> Result<(Self, u64), String> {
        let mut start = [0; 10];
        let is_npy = from.read_exact(&mut start).is_ok() && start.starts_with(MAGIC);
        if !is_npy {
            return Err("not an NPY file: allowed is what numpy.save writes".into());
        }
        let [.., major, minor, low, high] = start;
        let (length, begin) = match (major, minor) {
            (1, 0) => (u64::from(u16::from_le_bytes([low, high])), 10),
            (2 | 3, 0) => {
                let mut rest = [0; 2];
                from.read_exact(&mut rest).map_err(cannot_read)?;
                (u64::from(u32::from_le_bytes([low, high, rest[0], rest[1]])), 12)
            }
            _ => return Err(format!("version {major}.{minor} of NPY: allowed is 1.0, 2.0 or 3.0")),
        };
        let Some(left) = bytes.checked_sub(begin + length).filter(|_| length <= LONGEST_TEXT)
        else {
            return Err(format!(
                "an NPY header of {length} bytes: allowed is at most \
                {LONGEST_TEXT}, within the file"
            ));
        };
        let mut text = vec![0; length as usize];
        from.read_exact(&mut text).map_err(cannot_read)?;
        let text = std::str::from_utf8(&text)
            .map_err(|_| "an NPY header that is not text: allowed is UTF-8".to_string())?;
        Ok((Self::parse(text)?, left))
    }

    /// Reads the dictionary.
    fn parse(text: &str) -> Result<Self, String> {
        let (mut descr, mut is_fortran, mut shape) = (None, None, None);
        let mut text = Text(text);
        text.expect('{')?;
        while !text.take('}') {
            let key = text.quoted("a key in quotes")?;
            text.expect(':')?;
            let is_second = match key {
                "descr" => descr
                    .replace(
                        text.quoted("the descr of one kind of number in quotes, such as '<f4'")?,
                    )
                    .is_some(),
                "fortran_order" => is_fortran.replace(text.truth()?).is_some(),
                "shape" => shape.replace(text.numbers()?).is_some(),
                _ => {
                    return Err(format!(
                        "key {} in the NPY header: allowed is descr, fortran_order, shape",
                        shortened(key)
                    ));
                }
            };
            if is_second {
                return Err(format!("key {key} stands twice in the NPY header: allowed is once"));
            }
            if !text.take(',') {
                text.expect('}')?;
                break;
            }
        }
        text.end()?;
        let missing = |key: &str| {
            format!("no {key} in the NPY header: allowed is descr, fortran_order, shape")
        };
        Ok(Self {
            descr: descr.ok_or_else(|| missing("descr"))?.to_string(),
            is_fortran: is_fortran.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
        })
    }

    /// Writes the header as NumPy does, version 1.0.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let order = if self.is_fortran { "True" } else { "False" };
        let shape = match self.shape.as_slice() {
            [only] => format!("({only},)"),
            several => format!("({})", listed(several)),
        };
        let mut text =
            format!("{{'descr': '{}', 'fortran_order': {order}, 'shape': {shape}, }}", self.descr);
        let begin = MAGIC.len() + 4;
        let padded = (begin + text.len() + 1).next_multiple_of(ALIGNMENT) - begin;
        text = format!("{text:<width$}\n", width = padded - 1);
        let length = u16::try_from(text.len()).map_err(io::Error::other)?;
        out.write_all(MAGIC)?;
        out.write_all(&[1, 0])?;
        out.write_all(&length.to_le_bytes())?;
        out.write_all(text.as_bytes())
    }
}

/// Numbers with commas between them.
pub(super) fn listed(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

fn cannot_read(error: io::Error) -> String {
    format!("the NPY header cannot be read: {error}")
}

/// What is left of the text; each method takes something off its front, white space before it
/// included.
struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    fn refuse(&self, allowed: &str) -> String {
        format!("\"{}\" in the NPY header: allowed is {allowed}", shortened(self.0))
    }

    /// Whether `wanted` is next; if so, it is taken.
    fn take(&mut self, wanted: char) -> bool {
        self.0 = self.0.trim_start();
        let rest = self.0.strip_prefix(wanted);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.take(wanted) { Ok(()) } else { Err(self.refuse(&wanted.to_string())) }
    }

    /// A text in quotes of either kind, without escapes.
    fn quoted(&mut self, allowed: &str) -> Result<&'a str, String> {
        self.0 = self.0.trim_start();
        let quote = self.0.chars().next().filter(|c| matches!(c, '\'' | '"'));
        let found = quote
            .and_then(|quote| self.0[1..].split_once(quote))
            .filter(|(text, _)| !text.contains('\\'));
        let (text, rest) = found.ok_or_else(|| self.refuse(allowed))?;
        self.0 = rest;
        Ok(text)
    }

    /// True or False.
    fn truth(&mut self) -> Result<bool, String> {
        self.0 = self.0.trim_start();
        for (word, meaning) in [("True", true), ("False", false)] {
            if let Some(rest) = self.0.strip_prefix(word) {
                self.0 = rest;
                return Ok(meaning);
            }
        }
        Err(self.refuse("True or False"))
    }

    /// A tuple of whole numbers.
    fn numbers(&mut self) -> Result<Vec<u64>, String> {
        self.expect('(')?;
        let mut numbers = Vec::new();
        while !self.take(')') {
            let digits = self.0.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.0.len());
            let (number, rest) = self.0.split_at(digits);
            numbers.push(
                number.parse().map_err(|_| self.refuse("a whole number of at most 64 bits"))?,
            );
            self.0 = rest;
            if !self.take(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(numbers)
    }

    /// Nothing but white space.
    fn end(&self) -> Result<(), String> {
        if self.0.trim_start().is_empty() {
            Ok(())
        } else {
            Err(self.refuse("nothing after the dictionary"))
        }
    }
}
