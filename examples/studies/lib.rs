//! Questions from the literature, put to the engine. What came out is in docs/LITERATURE.md.
#![forbid(unsafe_code)]

pub mod attack;
pub mod memory;

/// How many seeds to run: the first argument, or `usual`. Anything else ends the program with exit
/// code 2.
pub fn seeds(program: &str, usual: u64) -> u64 {
    match std::env::args().nth(1).as_deref().map(str::parse::<u64>) {
        None => usual,
        Some(Ok(seeds)) if (2..=10_000).contains(&seeds) => seeds,
        Some(_) => {
            eprintln!("{program}: SEEDS must be a whole number from 2 to 10000");
            std::process::exit(2);
        }
    }
}

/// Mean, and its standard error: the sample standard deviation over √n.
pub fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}
