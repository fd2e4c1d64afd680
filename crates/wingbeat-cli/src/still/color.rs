//! Colours: headings around a perceptually even wheel, so that no direction looks brighter than another.

/// An sRGB colour.
pub type Rgb = [u8; 3];

/// Top and bottom of the sky behind the flock.
pub const SKY: [Rgb; 2] = [[9, 13, 28], [24, 36, 62]];

/// The edge of the domain.
pub const EDGE: Rgb = [62, 78, 112];

/// The colour of a heading (radians), `nearness` 0 (far) to 1 (near): far boids sink into the sky.
pub fn of_heading(angle: f64, nearness: f64) -> Rgb {
    // Lightness and chroma that the sRGB gamut holds at every hue.
    blend(oklch(0.78, 0.135, angle), SKY[1], 1.0 - nearness)
}

/// A boid at rest has no heading and no hue.
pub fn at_rest(nearness: f64) -> Rgb {
    blend([190, 196, 208], SKY[1], 1.0 - nearness)
}

/// `from` with `share` of `to` mixed in.
pub fn blend(from: Rgb, to: Rgb, share: f64) -> Rgb {
    std::array::from_fn(|i| (f64::from(from[i]) + (f64::from(to[i]) - f64::from(from[i])) * share).round() as u8)
}

/// Björn Ottosson's OKLCH in sRGB, out-of-gamut parts cut.
fn oklch(lightness: f64, chroma: f64, hue: f64) -> Rgb {
    let (a, b) = (chroma * libm::cos(hue), chroma * libm::sin(hue));
    let cube = |x: f64| x * x * x;
    let l = cube(lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b);
    let m = cube(lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b);
    let s = cube(lightness - 0.089_484_177_5 * a - 1.291_485_548 * b);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
    ]
    .map(encode)
}

/// Linear light to an sRGB byte.
fn encode(linear: f64) -> u8 {
    let curved = if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055 };
    // A cast saturates, which cuts what lies outside the gamut.
    (curved * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grey_is_grey_and_directions_differ() {
        let [r, g, b] = oklch(0.5, 0.0, 0.0);
        assert!(r.abs_diff(g) <= 1 && g.abs_diff(b) <= 1, "{r} {g} {b}");
        let wheel: Vec<Rgb> = (0..12).map(|i| of_heading(f64::from(i) * std::f64::consts::TAU / 12.0, 1.0)).collect();
        for (i, one) in wheel.iter().enumerate() {
            assert!(!wheel[..i].contains(one), "{wheel:?}");
        }
    }
}
