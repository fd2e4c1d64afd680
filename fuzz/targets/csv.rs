//! Recordings that end in .csv.
#![no_main]
use libfuzzer_sys::fuzz_target;
use wingbeat_fuzz::recordings::read_and_measure;

fuzz_target!(|bytes: &[u8]| read_and_measure("csv", bytes));
