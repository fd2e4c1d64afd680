//! What the benchmarks share: the points they measure at, the scalar baseline, and where results
//! come from.
#![forbid(unsafe_code)]

pub mod crowds;
pub mod finding;
pub mod machine;
pub mod outside;
#[cfg(feature = "peers")]
pub mod peers;
pub mod points;
pub mod race;
pub mod scalar_grid;
pub mod scalar_rules;
pub mod scalar_vicsek;
pub mod steps;

/// The arguments of a benchmark that reads them itself, without the `--bench` that `cargo bench`
/// adds to every benchmark's.
pub fn arguments() -> Vec<String> {
    std::env::args().skip(1).filter(|argument| argument != "--bench").collect()
}

/// 1234567 as 1,234,567.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
