//! Colours: ramps of even lightness, so that no direction looks brighter than another, in the
//! perceptual space OKLCH (<https://bottosson.github.io/posts/oklab/>).

use crate::num::{dot, within};
use crate::{Background, Color};

/// An sRGB colour.
pub type Rgb = [u8; 3];

/// What the picture is made of beside boids.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Top and bottom of the background.
    pub sky: [Rgb; 2],
    /// What far boids sink into.
    pub fog: Rgb,
    /// The edge of the domain.
    pub edge: Rgb,
    /// Letters.
    pub ink: Rgb,
    /// Exits.
    pub exit: Rgb,
    /// A boid without a heading.
    pub rest: Rgb,
    /// Lightness and chroma of headings. Some blues and greens of them lie outside the sRGB gamut,
    /// and lose up to a fifth of their chroma.
    wheel: [f64; 2],
    /// How much lighter a boid is that climbs straight up.
    climb: f64,
    /// Lightness and hue of the slowest and the fastest: what is fast stands out.
    speeds: [[f64; 2]; 2],
    /// Middle lightness of species.
    species: f64,
}

impl Theme {
    pub fn of(background: Background) -> Self {
        match background {
            Background::Dark => Self {
                sky: [[8, 12, 26], [25, 37, 64]],
                fog: [22, 33, 58],
                edge: [84, 102, 142],
                ink: [214, 221, 235],
                exit: [125, 205, 150],
                rest: [190, 196, 208],
                wheel: [0.78, 0.135],
                climb: 0.12,
                speeds: [[0.47, 5.05], [0.94, 8.1]],
                species: 0.78,
            },
            Background::Light => Self {
                sky: [[252, 252, 250], [229, 235, 241]],
                fog: [226, 231, 237],
                edge: [132, 145, 166],
                ink: [38, 46, 60],
                exit: [30, 130, 75],
                rest: [110, 116, 128],
                wheel: [0.58, 0.125],
                climb: -0.12,
                speeds: [[0.84, 8.1], [0.32, 5.05]],
                species: 0.54,
            },
        }
    }
}

/// Steps around the wheel, and along the ramp of speeds.
const HUES: usize = 720;
/// Steps from straight down to straight up.
const CLIMBS: usize = 9;
/// Colours of species, as many as a flock can have.
const SPECIES: usize = 64;
/// Lightness (less the middle one) and hue of the first species, found by search: for every boid,
/// and for those that see no red, green or blue, any two are at least 0.08 apart in OKLab. The
/// player's colors.js has the same.
const FIRST: [[f64; 2]; 8] = [
    [0.2, 4.54],
    [0.0, 1.26],
    [0.04, 2.83],
    [-0.19, 5.08],
    [0.2, 1.79],
    [-0.2, 0.76],
    [0.03, 5.38],
    [-0.19, 3.31],
];

/// Colours at hand.
#[derive(Clone, Debug)]
pub struct Ramp {
    pub theme: Theme,
    kind: Color,
    table: Vec<Rgb>,
    /// Lowest speed, and steps of the table to a unit of speed.
    speeds: [f32; 2],
}

impl Ramp {
    /// Colours of a kind; `speeds` are those at the two ends.
    pub fn new(kind: Color, background: Background, speeds: [f32; 2]) -> Self {
        let theme = Theme::of(background);
        let [lightness, chroma] = theme.wheel;
        let table = match kind {
            Color::Heading => (0..CLIMBS * HUES)
                .map(|i| {
                    let climb = (i / HUES) as f64 / (CLIMBS - 1) as f64 * 2.0 - 1.0;
                    // What is lighter or darker than the middle has room for less chroma.
                    let chroma = chroma * (1.0 - 0.3 * climb * climb);
                    oklch(lightness + theme.climb * climb, chroma, hue(i % HUES))
                })
                .collect(),
            Color::Speed => (0..HUES)
                .map(|i| {
                    let share = i as f64 / (HUES - 1) as f64;
                    let [slow, fast] = theme.speeds;
                    // Between violet and yellow by way of red.
                    let [lightness, hue] = [0, 1].map(|i| slow[i] + (fast[i] - slow[i]) * share);
                    oklch(lightness, 0.14, hue)
                })
                .collect(),
            // From the ninth on the eight come again with other hues and paler.
            Color::Species => (0..SPECIES)
                .map(|k| {
                    let ([lighter, hue], round) =
                        (FIRST[k % FIRST.len()], (k / FIRST.len()) as f64);
                    oklch(
                        theme.species + lighter * 0.7,
                        chroma * 0.95 * (1.0 - 0.09 * round),
                        hue + 0.37 * round,
                    )
                })
                .collect(),
        };
        let [slow, fast] = speeds;
        let speeds = [slow, if fast > slow { (HUES - 1) as f32 / (fast - slow) } else { 0.0 }];
        Self { theme, kind, table, speeds }
    }

    /// The colour of a boid.
    pub fn of(&self, velocity: [f32; 3], species: u8) -> Rgb {
        match self.kind {
            Color::Species => self.table[usize::from(species) % SPECIES],
            Color::Speed => {
                let speed = dot(velocity, velocity).sqrt();
                let [slow, steps] = self.speeds;
                if speed.is_finite() {
                    self.table[within((speed - slow) * steps, 0.0, (HUES - 1) as f32) as usize]
                } else {
                    self.theme.rest
                }
            }
            Color::Heading => self.of_heading(velocity),
        }
    }

    /// The colour of a direction.
    pub fn of_heading(&self, [x, y, z]: [f32; 3]) -> Rgb {
        let speed = dot([x, y, z], [x, y, z]).sqrt();
        if !(speed > 1e-15 && speed.is_finite()) {
            return self.theme.rest;
        }
        let turn = libm::atan2f(y, x) * (HUES as f32 / std::f32::consts::TAU);
        let hue = (turn + HUES as f32 + 0.5) as usize % HUES;
        let climb =
            within((z / speed + 1.0) * (0.5 * (CLIMBS - 1) as f32) + 0.5, 0.0, (CLIMBS - 1) as f32)
                as usize;
        self.table[climb * HUES + hue]
    }

    /// Colours that stand for all there are: along the ramp, `count` of them.
    pub fn samples(&self, count: usize) -> Vec<Rgb> {
        let table = match self.kind {
            // The middle row: level flight.
            Color::Heading => &self.table[CLIMBS / 2 * HUES..(CLIMBS / 2 + 1) * HUES],
            _ => &self.table[..],
        };
        (0..count).map(|i| table[i * table.len() / count]).collect()
    }
}

fn hue(step: usize) -> f64 {
    step as f64 / HUES as f64 * std::f64::consts::TAU
}

/// `from` with `share` of `to` mixed in.
pub fn blend(from: Rgb, to: Rgb, share: f32) -> Rgb {
    std::array::from_fn(|i| {
        (f32::from(from[i]) + (f32::from(to[i]) - f32::from(from[i])) * share + 0.5) as u8
    })
}

/// Lighter (above 1) or darker (below).
pub fn scaled(color: Rgb, by: f32) -> Rgb {
    color.map(|c| (f32::from(c) * by + 0.5) as u8)
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
    let curved = if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055
    };
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
        for background in [Background::Dark, Background::Light] {
            let ramp = Ramp::new(Color::Heading, background, [0.0; 2]);
            let wheel = ramp.samples(12);
            for (i, one) in wheel.iter().enumerate() {
                assert!(!wheel[..i].contains(one), "{wheel:?}");
            }
            assert_eq!(ramp.of([1.0, 0.0, 0.0], 0), wheel[0]);
            assert_eq!(ramp.of([0.0, -2.0, 0.0], 0), wheel[9]);
            assert_eq!(ramp.of([0.0; 3], 0), ramp.theme.rest);
            assert_eq!(ramp.of([f32::NAN; 3], 0), ramp.theme.rest);
        }
    }

    #[test]
    fn the_faster_the_lighter_in_the_dark() {
        let ramp = Ramp::new(Color::Speed, Background::Dark, [1.0, 3.0]);
        let light =
            |speed: f32| ramp.of([0.0, speed, 0.0], 0).iter().map(|&c| u32::from(c)).sum::<u32>();
        assert!(light(1.0) < light(2.0) && light(2.0) < light(3.0));
        assert_eq!((light(0.0), light(9.0)), (light(1.0), light(3.0)));
    }

    #[test]
    fn species_have_colours_of_their_own() {
        for background in [Background::Dark, Background::Light] {
            let ramp = Ramp::new(Color::Species, background, [0.0; 2]);
            let colors: Vec<Rgb> = (0..64).map(|species| ramp.of([1.0; 3], species)).collect();
            assert_eq!(colors.iter().collect::<std::collections::BTreeSet<_>>().len(), 64);
            // sRGB as it is seen without one kind of cone (Machado, Oliveira, Fernandes 2009),
            // severity 1.
            let seen_by = [
                [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                [
                    [0.152_286, 1.052_583, -0.204_868],
                    [0.114_503, 0.786_281, 0.099_216],
                    [-0.003_882, -0.048_116, 1.051_998],
                ],
                [
                    [0.367_322, 0.860_646, -0.227_968],
                    [0.280_085, 0.672_501, 0.047_413],
                    [-0.011_820, 0.042_940, 0.968_881],
                ],
                [
                    [1.255_528, -0.076_749, -0.178_779],
                    [-0.078_411, 0.930_809, 0.147_602],
                    [0.004_733, 0.691_367, 0.303_900],
                ],
            ];
            for sight in seen_by {
                let seen = |color: Rgb| -> [f64; 3] {
                    let linear = color.map(decode);
                    let mixed: [f64; 3] = sight.map(|row| (0..3).map(|k| row[k] * linear[k]).sum());
                    oklab(mixed.map(|c| c.clamp(0.0, 1.0)))
                };
                for (i, &one) in colors[..8].iter().enumerate() {
                    for &other in &colors[..i] {
                        let (a, b) = (seen(one), seen(other));
                        let apart =
                            (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>().sqrt();
                        assert!(
                            apart > 0.07,
                            "{background:?}: {one:?} and {other:?} are {apart} \
                            apart under {sight:?}"
                        );
                    }
                }
            }
        }
    }

    /// A byte of sRGB as linear light.
    fn decode(c: u8) -> f64 {
        let c = f64::from(c) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
    }

    /// OKLab of linear light (<https://bottosson.github.io/posts/oklab/>), which the crate itself
    /// does not go back to.
    fn oklab([r, g, b]: [f64; 3]) -> [f64; 3] {
        let l = libm::cbrt(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b);
        let m = libm::cbrt(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b);
        let s = libm::cbrt(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b);
        let a = 1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s;
        let b = 0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s;
        [0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s, a, b]
    }

    fn lightness_chroma_hue(color: Rgb) -> [f64; 3] {
        let [lightness, a, b] = oklab(color.map(decode));
        [lightness, (a * a + b * b).sqrt(), libm::atan2(b, a).to_degrees()]
    }

    #[test]
    fn headings_go_around_a_wheel_of_one_lightness() {
        for background in [Background::Dark, Background::Light] {
            let ramp = Ramp::new(Color::Heading, background, [0.0; 2]);
            let [lightness, chroma] = ramp.theme.wheel;
            for degrees in (-180..180).step_by(5) {
                let turn = f64::from(degrees).to_radians();
                let heading = [libm::cos(turn) as f32 * 3.0, libm::sin(turn) as f32 * 3.0, 0.0];
                let [light, strong, hue] = lightness_chroma_hue(ramp.of(heading, 0));
                let off = (hue - f64::from(degrees) + 540.0) % 360.0 - 180.0;
                // Some blues and greens would lie outside of sRGB, and are cut; all bounds are
                // those of the cut.
                assert!((light - lightness).abs() < 0.013, "{degrees}: {light}");
                assert!(strong > chroma - 0.025 && strong < chroma + 0.002, "{degrees}: {strong}");
                assert!(off.abs() < 4.6, "{degrees}: {hue}");
            }
            // Who climbs is lighter on the night sky, and darker on paper.
            let [up, down] =
                [1.0, -1.0].map(|z| lightness_chroma_hue(ramp.of([1.0, 0.0, z], 0))[0] - lightness);
            assert!(
                up * ramp.theme.climb > 0.0 && down * ramp.theme.climb < 0.0 && up.abs() > 0.05,
                "{up} {down}"
            );
        }
    }
}
