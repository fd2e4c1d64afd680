//! NPY, NumPy's file of one array: read and written here for recordings, initial states and flow
//! fields alike.
//!
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>
//!
//! ```
//! use wingbeat_record::npy::{NpyReader, write_header};
//! let mut file = Vec::new();
//! write_header(&mut file, "<f4", &[2, 3])?;
//! for value in [0.0f32, 1.0, 2.0, 10.0, 11.0, 12.0] {
//!     file.extend(value.to_le_bytes());
//! }
//! let array = NpyReader::open(file.as_slice(), file.len() as u64)?.floats()?;
//! assert_eq!((array.at([0, 2]), array.at([1, 0])), (2.0, 10.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod header;
mod number;
mod placed;

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use crate::error::TEMPORARY;
use crate::memory::beyond_memory;
use header::{Header, listed};
use number::Number;
pub(crate) use placed::PlacedArray;

/// An array whose header is read and whose numbers are not: the moment to look at its shape.
///
/// Everything is refused in one line that says what is wrong and what is allowed; where it was is
/// for the caller to add.
#[derive(Debug)]
pub struct NpyReader<R> {
    from: R,
    header: Header,
    /// Bytes after the header.
    left: u64,
}

/// Numbers of any shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Length of each axis.
    pub shape: Vec<usize>,
    /// How far apart two neighbors along each axis lie in `values`.
    pub strides: Vec<usize>,
    /// All numbers, in the file's own order.
    pub values: Vec<f64>,
}

impl Array {
    /// The number at one index for each axis.
    ///
    /// # Panics
    /// If there are not that many numbers.
    pub fn at<const AXES: usize>(&self, index: [usize; AXES]) -> f64 {
        self.values[index.iter().zip(&self.strides).map(|(i, stride)| i * stride).sum::<usize>()]
    }
}

impl<R: Read> NpyReader<R> {
    /// Reads the header of an array in a source of `bytes` bytes. Data after the array is left
    /// alone, as NumPy does.
    ///
    /// # Errors
    /// When it is no NPY file of version 1.0, 2.0 or 3.0 with numbers of one kind.
    pub fn open(mut from: R, bytes: u64) -> Result<Self, String> {
        let (header, left) = Header::read(&mut from, bytes)?;
        Ok(Self { from, header, left })
    }

    /// The same array from another source at the same place.
    pub fn boxed<T>(self, wrap: impl FnOnce(R) -> T) -> NpyReader<T> {
        NpyReader { from: wrap(self.from), header: self.header, left: self.left }
    }

    /// Whether it is an array of Python's objects, which follow, pickled.
    pub fn is_of_objects(&self) -> bool {
        self.header.descr == "|O"
    }

    /// Length of each axis, as the header claims.
    pub fn shape(&self) -> &[u64] {
        &self.header.shape
    }

    /// The shape as messages show it: `shape [300, 100, 2]`.
    pub fn shown_shape(&self) -> String {
        // Arrays that are read here have at most four axes; messages stay short for others.
        let (first, rest) = self.header.shape.split_at(self.header.shape.len().min(8));
        format!("shape [{}{}]", listed(first), if rest.is_empty() { "" } else { ", …" })
    }

    /// Reads the numbers, which have to be floats of 4 or 8 bytes in either byte order.
    ///
    /// # Errors
    /// When they are others, or fewer than the shape says, or more than memory holds.
    pub fn floats(self) -> Result<Array, String> {
        let shape = self.header.shape.clone();
        let is_fortran = self.header.is_fortran;
        let values = self.numbers(FLOATS, Number::float, append_floats)?;
        // Without numbers an axis may claim any length; no index is valid then.
        let shape: Vec<usize> =
            shape.into_iter().map(|side| usize::try_from(side).unwrap_or(usize::MAX)).collect();
        let mut strides = vec![1usize; shape.len()];
        for done in 1..shape.len() {
            let (axis, before) = if is_fortran {
                (done, done - 1)
            } else {
                (shape.len() - 1 - done, shape.len() - done)
            };
            strides[axis] = strides[before].saturating_mul(shape[before]);
        }
        Ok(Array { shape, strides, values })
    }

    /// Reads the numbers of a list, which have to be whole, with or without sign, in either byte
    /// order.
    ///
    /// # Errors
    /// As [`floats`](Self::floats).
    pub fn wholes(self) -> Result<Vec<i128>, String> {
        self.numbers("i1 to i8 or u1 to u8", Number::whole, append_wholes)
    }

    /// Reads a list of labels: texts of NumPy's kind U, or whole numbers, as their digits.
    ///
    /// # Errors
    /// As [`floats`](Self::floats).
    pub fn labels(self) -> Result<Vec<String>, String> {
        let Some(characters) = self.header.descr.trim_start_matches(['<', '>']).strip_prefix('U')
        else {
            return Ok(digits_of(&self.wholes()?));
        };
        let allowed = || {
            format!(
                "dtype {}: allowed is U1 to U{LONGEST_LABEL}",
                crate::text::shortened(&self.header.descr)
            )
        };
        let characters = characters
            .parse()
            .ok()
            .filter(|length| (1..=LONGEST_LABEL).contains(length))
            .ok_or_else(allowed)?;
        // Each character is a number.
        let order = if self.header.descr.starts_with('>') { ">u4" } else { "<u4" };
        let mut shape = self.header.shape.clone();
        shape.push(characters);
        let header = Header { descr: order.into(), is_fortran: false, shape };
        let codes = NpyReader { from: self.from, header, left: self.left }.wholes()?;
        texts_of(&codes, characters as usize)
            .ok_or_else(|| "a character that is not one: allowed is Unicode".to_string())
    }

    /// The kind of its numbers, where it is allowed.
    fn number(
        &self,
        allowed: &str,
        is_allowed: impl Fn(&Number) -> bool,
    ) -> Result<Number, String> {
        let descr = &self.header.descr;
        let number = Number::of(descr).filter(is_allowed);
        number.ok_or_else(|| {
            format!(
                "dtype {}: allowed is {allowed}, either byte order",
                crate::text::shortened(descr)
            )
        })
    }

    /// How many numbers there are. The header is only a claim: it is compared with what is there
    /// before anything is allocated by it.
    fn count(&self, number: &Number) -> Result<u128, String> {
        let claimed = self
            .shape()
            .iter()
            .try_fold(1u128, |product, &side| product.checked_mul(u128::from(side)));
        claimed.filter(|&count| count <= u128::from(self.left) / number.bytes as u128).ok_or_else(
            || {
                let needed = claimed.and_then(|count| count.checked_mul(number.bytes as u128));
                let needed = needed
                    .map_or("2¹²⁸ bytes or more".into(), |needed| format!("{needed} bytes"));
                format!(
                    "{} needs {needed}: allowed is what the file holds, {}",
                    self.shown_shape(),
                    self.left
                )
            },
        )
    }

    /// How many bytes the numbers of an array of floats take.
    ///
    /// # Errors
    /// When they are others, or fewer than the shape says.
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    pub fn bytes(&self) -> Result<u64, String> {
        let number = self.number(FLOATS, |number| number.float(0).is_some())?;
        Ok(self.count(&number)? as u64 * number.bytes as u64)
    }

    /// The same array of floats in a temporary file, where its numbers can be read in any order
    /// without being held in memory.
    ///
    /// # Errors
    /// When it cannot be read, or the file cannot be written.
    // Of archives, which pages do not read.
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    pub fn unpacked(mut self) -> Result<NpyReader<File>, String> {
        let bytes = self.bytes()?;
        let folder = std::env::temp_dir();
        let cannot = |error: io::Error| {
            format!(
                "cannot be unpacked in {}: {}: {TEMPORARY} names another folder",
                folder.display(),
                crate::io_reason(&error)
            )
        };
        let mut file = tempfile::tempfile().map_err(cannot)?;
        let mut left = bytes;
        let mut buffer = vec![0; 1 << 16];
        // Not io::copy: whose fault it is that it ends is to be said.
        while left > 0 {
            let part = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            self.from.read_exact(&mut buffer[..part]).map_err(cannot_be_read)?;
            file.write_all(&buffer[..part]).map_err(cannot)?;
            left -= part as u64;
        }
        file.rewind().map_err(cannot)?;
        Ok(NpyReader { from: file, header: self.header, left: bytes })
    }

    /// Reads all numbers; `value` makes something of a number's bits, or nothing where the kind is
    /// not allowed, and `append` does so with all numbers of some bytes: compiled here, as this
    /// function is compiled where `R` is known.
    fn numbers<T>(
        mut self,
        allowed: &str,
        value: fn(&Number, u64) -> Option<T>,
        append: fn(&Number, &[u8], &mut Vec<T>),
    ) -> Result<Vec<T>, String> {
        let number = self.number(allowed, |number| value(number, 0).is_some())?;
        let count = self.count(&number)?;
        if let Some(allowed) = beyond_memory(count.saturating_mul(size_of::<T>() as u128)) {
            return Err(format!("{}: allowed is {allowed}", self.shown_shape()));
        }
        let count = count as usize;
        let mut values = Vec::with_capacity(count);
        // A multiple of every number's size.
        let mut buffer = [0; 1 << 13];
        while values.len() < count {
            let part = buffer.len().min((count - values.len()) * number.bytes);
            let part = &mut buffer[..part];
            self.from.read_exact(part).map_err(cannot_be_read)?;
            append(&number, part, &mut values);
        }
        Ok(values)
    }
}

impl<R: Read + Seek> NpyReader<R> {
    /// The array with its numbers, which have to be floats of 4 or 8 bytes, left where they are.
    pub(crate) fn in_place(mut self) -> Result<PlacedArray<R>, String> {
        let number = self.number(FLOATS, |number| number.float(0).is_some())?;
        let count = self.count(&number)?;
        let start = self.from.stream_position().map_err(cannot_be_read)?;
        let Header { is_fortran, shape, .. } = self.header;
        Ok(PlacedArray::new(self.from, start, number, count as u64, (&shape, is_fortran)))
    }
}

#[inline(never)]
fn append_floats(number: &Number, bytes: &[u8], values: &mut Vec<f64>) {
    let numbers = bytes.chunks_exact(number.bytes);
    values.extend(numbers.filter_map(|bytes| number.float(number.bits(bytes))));
}

#[inline(never)]
fn append_wholes(number: &Number, bytes: &[u8], values: &mut Vec<i128>) {
    let numbers = bytes.chunks_exact(number.bytes);
    values.extend(numbers.filter_map(|bytes| number.whole(number.bits(bytes))));
}

#[inline(never)]
fn digits_of(wholes: &[i128]) -> Vec<String> {
    wholes.iter().map(i128::to_string).collect()
}

/// Texts of so many codes each.
#[inline(never)]
fn texts_of(codes: &[i128], characters: usize) -> Option<Vec<String>> {
    let character = |code: &i128| u32::try_from(*code).ok().and_then(char::from_u32);
    let text = |codes: &[i128]| -> Option<String> {
        let text: String = codes.iter().map(character).collect::<Option<_>>()?;
        Some(text.trim_end_matches('\0').to_string())
    };
    codes.chunks_exact(characters).map(text).collect()
}

/// Floats that are read.
const FLOATS: &str = "f4 or f8";

fn cannot_be_read(error: io::Error) -> String {
    format!("the data cannot be read: {error}")
}

/// Characters of the longest label that is taken.
const LONGEST_LABEL: u64 = 1000;

/// Begins an array of this `descr` (`<f4`, `<f8`, `<u8`) and shape; its numbers have to follow, the
/// last axis first.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_header(out: &mut impl Write, descr: &str, shape: &[u64]) -> io::Result<()> {
    Header { descr: descr.into(), is_fortran: false, shape: shape.to_vec() }.write(out)
}

#[cfg(test)]
mod tests;
