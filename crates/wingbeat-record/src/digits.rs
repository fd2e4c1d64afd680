//! Numbers as text.

/// Digits that bring an f32 back bit for bit.
pub(crate) const DIGITS_F32: usize = 9;

/// A number with this many significant digits, without trailing zeros: plain where that is short,
/// else as a power of ten. Nine digits bring an f32 back bit for bit, 17 an f64.
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

/// The same of an f32 in nine digits; nothing for NaN.
pub(crate) fn exact(x: f32) -> String {
    if x.is_nan() { String::new() } else { significant(f64::from(x), DIGITS_F32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_digits_bring_every_f32_back() {
        let mut random = wingbeat_test_support::Random::new(1);
        for _ in 0..200_000 {
            let x = f32::from_bits(random.bits() as u32);
            if x.is_finite() {
                let text = exact(x);
                let back = text.parse::<f64>().unwrap() as f32;
                assert_eq!(back.to_bits(), x.to_bits(), "{text}");
            }
        }
    }

    #[test]
    fn numbers_look_like_numbers() {
        assert_eq!(exact(798.2495), "798.249512");
        assert_eq!(exact(-0.5), "-0.5");
        assert_eq!(exact(0.0), "0");
        assert_eq!(exact(1e20), "1.00000002e20");
        assert_eq!(exact(1e-20), "9.99999968e-21");
        assert_eq!(exact(123_456_792.0), "123456792");
        assert_eq!(exact(f32::NAN), "");
    }
}
