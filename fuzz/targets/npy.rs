//! Recordings that end in .npy.
#![no_main]
use libfuzzer_sys::fuzz_target;
use wingbeat_fuzz::recordings::read_and_measure;

fuzz_target!(|bytes: &[u8]| read_and_measure("npy", bytes));
