//! Recordings that end in .wbr: as they are, and once more with right checksums.
#![no_main]
use libfuzzer_sys::fuzz_target;
use wingbeat_fuzz::recordings::read_and_measure;

/// Magic and version.
const HEAD: usize = 12;
/// Tag, checksum and length of a chunk.
const PREFIX: usize = 16;

fuzz_target!(|bytes: &[u8]| {
    let mended = mended(bytes);
    if mended != bytes {
        read_and_measure("wbr", bytes);
    }
    read_and_measure("wbr", &mended);
});

fn mended(bytes: &[u8]) -> Vec<u8> {
    let (mut bytes, mut at) = (bytes.to_vec(), HEAD);
    while at + PREFIX <= bytes.len() {
        let length = u64::from_le_bytes(std::array::from_fn(|i| bytes[at + 8 + i]));
        let Some(end) =
            usize::try_from(length).ok().and_then(|length| (at + PREFIX).checked_add(length))
        else {
            break;
        };
        if end > bytes.len() {
            break;
        }
        let mut sum = crc32fast::Hasher::new();
        sum.update(&bytes[at..at + 4]);
        sum.update(&bytes[at + 8..end]);
        bytes[at + 4..at + 8].copy_from_slice(&sum.finalize().to_le_bytes());
        at = end;
    }
    bytes
}
