//! Questions from the literature, put to the engine. What came out is in docs/STUDIES.md.
#![forbid(unsafe_code)]

pub mod attack;
