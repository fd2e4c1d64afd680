//! Recordings that end in .npz: as they are, or an archive packed of the input, whose checksums are
//! right: the first byte says which arrays are compressed, and each array is its size (two bytes)
//! and its bytes.
#![no_main]
use std::io::{Cursor, Write};

use libfuzzer_sys::fuzz_target;
use wingbeat_fuzz::{first, recordings::read_and_measure};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

const ARRAYS: [&str; 6] = ["position", "velocity", "id", "time", "species", "species_names"];

fuzz_target!(|bytes: &[u8]| {
    if bytes.starts_with(b"PK") {
        read_and_measure("npz", bytes)
    } else {
        read_and_measure("npz", &packed(bytes))
    }
});

fn packed(bytes: &[u8]) -> Vec<u8> {
    let (compressed, mut rest) = first(bytes);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (i, name) in ARRAYS.iter().enumerate() {
        let Some((size, data)) = rest.split_first_chunk::<2>() else { break };
        let (array, others) = data.split_at(data.len().min(usize::from(u16::from_le_bytes(*size))));
        rest = others;
        if array.is_empty() {
            continue;
        }
        let method = if compressed >> i & 1 == 1 {
            CompressionMethod::Deflated
        } else {
            CompressionMethod::Stored
        };
        let options = SimpleFileOptions::default().compression_method(method);
        archive.start_file(format!("{name}.npy"), options).expect("memory takes it");
        archive.write_all(array).expect("memory takes it");
    }
    archive.finish().expect("memory takes it").into_inner()
}
