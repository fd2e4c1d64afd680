//! Numbers as text.

/// Digits that bring an f32 back bit for bit, and an f64.
const DIGITS_F32: i32 = 9;
const DIGITS_F64: i32 = 17;
/// From here on an f32 is a whole number.
const WHOLE_F32: f32 = 16_777_216.0;

/// A number with this many significant digits, without trailing zeros: plain where that is short,
/// else as a power of ten.
pub fn significant(x: f64, digits: usize) -> String {
    let scientific = format!("{x:.*e}", digits - 1);
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let power: i32 = exponent.parse().unwrap_or(0);
    if (-5..digits as i32).contains(&power) {
        let text = format!("{x:.*}", (digits as i32 - 1 - power) as usize);
        return if text.contains('.') { trimmed(&text).to_string() } else { text };
    }
    if mantissa.contains('.') { format!("{}e{exponent}", trimmed(mantissa)) } else { scientific }
}

fn trimmed(number: &str) -> &str {
    number.trim_end_matches('0').trim_end_matches('.')
}

/// The shortest number that brings an f32 back bit for bit, be it read as an f32 or as an f64: at
/// most nine digits; nothing for NaN.
pub fn exact(x: f32) -> String {
    if x.is_nan() {
        return String::new();
    }
    let shortest = plain(x, format!("{x:e}"), DIGITS_F32);
    // Of a whole number the shortest may be another whole number. A few others lie so near the
    // middle between two f32 that the f64 between rounds to the other one.
    let back = shortest.parse::<f64>().map(|wide| wide as f32);
    let is_whole = x.abs() >= WHOLE_F32 && !shortest.contains('e');
    if back == Ok(x) && !is_whole {
        shortest
    } else {
        significant(f64::from(x), DIGITS_F32 as usize)
    }
}

/// The same of an f64: at most 17 digits.
pub fn exact_f64(x: f64) -> String {
    if x.is_nan() { String::new() } else { plain(x, format!("{x:e}"), DIGITS_F64) }
}

/// A number plain where that takes few zeros, else as the power of ten that is given.
fn plain(x: impl std::fmt::Display, scientific: String, digits: i32) -> String {
    let power = scientific.split_once('e').and_then(|(_, power)| power.parse().ok());
    if (-5..digits).contains(&power.unwrap_or(0)) { x.to_string() } else { scientific }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_brings_every_f32_back() {
        let mut random = wingbeat_test_support::Random::new(1);
        for _ in 0..200_000 {
            let x = f32::from_bits(random.bits() as u32);
            if x.is_finite() {
                let text = exact(x);
                let back = text.parse::<f64>().unwrap() as f32;
                assert_eq!(back.to_bits(), x.to_bits(), "{text}");
                assert!(text.parse() == Ok(x) && text.len() <= significant(x.into(), 9).len());
            }
        }
    }

    #[test]
    fn numbers_look_like_numbers() {
        assert_eq!(exact(798.2495), "798.2495");
        assert_eq!(exact(-0.5), "-0.5");
        assert_eq!(exact(0.0), "0");
        assert_eq!(exact(1e20), "1e20");
        assert_eq!(exact(1e-20), "1e-20");
        assert_eq!(exact(123_456_792.0), "123456792");
        assert_eq!(exact(f32::NAN), "");
        assert_eq!(exact_f64(37.6), "37.6");
        assert_eq!(exact_f64(-1.25e-9), "-1.25e-9");
        assert_eq!(exact_f64(12_345_678.5), "12345678.5");
        assert_eq!(exact_f64(f64::INFINITY), "inf");
    }
}
