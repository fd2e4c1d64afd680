//! Chunks: a tag, a checksum, a length, and the payload.

use std::io::{self, Read};

use wingbeat_codec::{bytes_at, checksum};

/// Bytes before a chunk's payload.
pub(super) const PREFIX: usize = 4 + 4 + 8;

/// Begins a chunk at the end of a buffer, to be [ended](end) when its payload is there.
pub(super) fn begin(out: &mut Vec<u8>, tag: [u8; 4]) -> usize {
    let at = out.len();
    out.extend_from_slice(&tag);
    out.extend_from_slice(&[0; PREFIX - 4]);
    at
}

/// Fills in the length of the chunk begun at `at`, and the checksum of its tag, then length and
/// payload.
pub(super) fn end(out: &mut [u8], at: usize) {
    let length = (out.len() - at - PREFIX) as u64;
    out[at + 8..at + 16].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(&[&out[at..at + 4], &out[at + 8..]]);
    out[at + 4..at + 8].copy_from_slice(&sum.to_le_bytes());
}

/// What was found where a chunk should begin.
pub(super) enum ChunkRead {
    /// A whole chunk with this tag; its payload is in the buffer.
    Chunk([u8; 4]),
    /// Nothing, or only the beginning of a chunk: the file ends.
    End,
    /// Bytes that are no chunk, or whose checksum is wrong.
    Damaged,
}

/// Reads the chunk that begins `left` bytes before the end of the file.
pub(super) fn read(
    file: &mut impl Read,
    left: u64,
    payload: &mut Vec<u8>,
) -> io::Result<ChunkRead> {
    payload.clear();
    if left < PREFIX as u64 {
        return Ok(ChunkRead::End);
    }
    let mut prefix = [0; PREFIX];
    file.read_exact(&mut prefix)?;
    let tag = [prefix[0], prefix[1], prefix[2], prefix[3]];
    if !tag.iter().all(u8::is_ascii_uppercase) {
        return Ok(ChunkRead::Damaged);
    }
    let length = u64::from_le_bytes(bytes_at(&prefix, 8));
    // Checked before anything of this length is allocated.
    if length > left - PREFIX as u64 {
        return Ok(ChunkRead::End);
    }
    payload.extend_from_slice(&prefix[8..]);
    file.take(length).read_to_end(payload)?;
    if payload.len() as u64 != length + 8 {
        return Ok(ChunkRead::End);
    }
    let sound = checksum(&[&tag, payload]) == u32::from_le_bytes(bytes_at(&prefix, 4));
    payload.drain(..8);
    Ok(if sound { ChunkRead::Chunk(tag) } else { ChunkRead::Damaged })
}
