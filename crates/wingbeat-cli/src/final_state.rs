//! `--final`: the last state as CSV, in world coordinates, fit to be read again by `--initial`.

use std::io::Write;

use wingbeat_scene::Built;

/// Digits that bring an f32 back bit for bit.
const DIGITS_F32: usize = 9;
/// Digits that bring an f64 back bit for bit; needed where an origin was added.
const DIGITS_F64: usize = 17;

/// Writes id,x,y[,z],vx,vy[,vz], sorted by id.
pub fn write(built: &Built, out: &mut dyn Write) -> std::io::Result<()> {
    let dimensions = built.flock.dimensions();
    let (position, velocity) = (&["x", "y", "z"][..dimensions], &["vx", "vy", "vz"][..dimensions]);
    writeln!(out, "id,{},{}", position.join(","), velocity.join(","))?;
    for row in built.flock.rows() {
        write!(out, "{}", row.id)?;
        for (a, &x) in row.position[..dimensions].iter().enumerate() {
            let origin = built.origin[a];
            let digits = if origin == 0.0 { DIGITS_F32 } else { DIGITS_F64 };
            write!(out, ",{}", significant(f64::from(x) + origin, digits))?;
        }
        for &v in &row.velocity[..dimensions] {
            write!(out, ",{}", significant(f64::from(v), DIGITS_F32))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A number with this many significant digits, without trailing zeros: plain where that is short, else as a power of ten.
fn significant(x: f64, digits: usize) -> String {
    let scientific = format!("{x:.*e}", digits - 1);
    let Some((_, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-5..digits as i32).contains(&exponent) {
        let text = format!("{x:.*}", (digits as i32 - 1 - exponent) as usize);
        return if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text };
    }
    match scientific.split_once('e') {
        Some((mantissa, power)) if mantissa.contains('.') => {
            format!("{}e{power}", mantissa.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => scientific,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_digits_bring_every_f32_back() {
        let mut bits: u32 = 1;
        for _ in 0..200_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let x = f32::from_bits(bits);
            if x.is_finite() {
                let text = significant(f64::from(x), DIGITS_F32);
                let back = text.parse::<f64>().unwrap() as f32;
                assert_eq!(back.to_bits(), x.to_bits(), "{text}");
            }
        }
    }

    #[test]
    fn numbers_look_like_numbers() {
        let shown = |x: f32| significant(f64::from(x), DIGITS_F32);
        assert_eq!(shown(798.2495), "798.249512");
        assert_eq!(shown(-0.5), "-0.5");
        assert_eq!(shown(0.0), "0");
        assert_eq!(shown(1e20), "1.00000002e20");
        assert_eq!(shown(1e-20), "9.99999968e-21");
        assert_eq!(shown(123_456_792.0), "123456792");
    }
}
