//! Numbers off the front of some bytes, their checksum, and the bytes compressed.

/// CRC-32 (IEEE) of some parts, one after the other.
pub fn checksum(parts: &[&[u8]]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

/// The bytes as one LZ4 block.
pub fn compress(bytes: &[u8]) -> Vec<u8> {
    lz4_flex::block::compress(bytes)
}

/// `N` bytes from `at` on, which must be there.
///
/// # Panics
/// If they are not.
pub fn bytes_at<const N: usize>(from: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| from[at + i])
}

/// Takes numbers off the front of a payload; `None` where it ends.
#[derive(Debug)]
pub struct Cursor<'a>(pub &'a [u8]);

impl<'a> Cursor<'a> {
    /// So many bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N).map(|taken| bytes_at(taken, 0))
    }

    /// A whole number of 4 bytes.
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// A whole number of 8 bytes.
    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A whole number of 8 bytes, with its sign.
    pub fn i64(&mut self) -> Option<i64> {
        self.array().map(i64::from_le_bytes)
    }

    /// A float of 4 bytes.
    pub fn f32(&mut self) -> Option<f32> {
        self.array().map(f32::from_le_bytes)
    }

    /// A float of 8 bytes.
    pub fn f64(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    /// A length and as many bytes.
    pub fn block(&mut self) -> Option<&'a [u8]> {
        let length = self.u32()?;
        self.take(length as usize)
    }
}
