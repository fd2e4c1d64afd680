//! Recordings of pedestrians, which end in .txt.
#![no_main]
use libfuzzer_sys::fuzz_target;
use wingbeat_fuzz::recordings::read_and_measure;

fuzz_target!(|bytes: &[u8]| read_and_measure("txt", bytes));
