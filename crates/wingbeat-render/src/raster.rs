//! Shapes to pixels with smooth edges.
//!
//! A pixel is covered by as much as its middle lies within the nearest edge, from half a pixel
//! outside to half a pixel inside: exact for straight edges, and a handful of operations. The
//! canvas is cut into bands of rows; each is drawn by one thread, its shapes in the picture's
//! order, so that results do not depend on how many threads there are.

use rayon::prelude::*;
use wide::f32x4;

use crate::Picture;
use crate::color::{self, Rgb};
use crate::compose::{Dart, NOTCH, Streak, TAIL, TIP};
use crate::image::Image;
use crate::num::{least, most, within};

/// Rows of a band: few enough for every thread to have several, enough for few shapes to lie in
/// two.
const BAND: usize = 40;
/// Wider darts than this have a lit side, a shaded side and a rim, pixels from axis to edge.
const FACETS: f32 = 2.4;

/// Draws everything but the labels.
pub fn draw(picture: &Picture, image: &mut Image) {
    let (width, height) = (image.width(), image.height());
    let bands = height.div_ceil(BAND);
    let lists = [&picture.behind, &picture.trails, &picture.before]
        .map(|streaks| sorted(streaks, bands, rows_of_streak));
    let darts = sorted(&picture.darts, bands, rows_of_dart);
    image.pixels_mut().par_chunks_mut(BAND * width * 4).enumerate().for_each(|(band, pixels)| {
        let mut strip = Strip { pixels, width, top: band * BAND };
        strip.sky(picture.theme.sky, height);
        if let Some(backdrop) = &picture.backdrop {
            let rows = strip.pixels.chunks_exact_mut(width * 4).enumerate();
            rows.for_each(|(row, pixels)| backdrop.row(band * BAND + row, pixels));
        }
        let [behind, trails, before] = &lists;
        behind[band].iter().for_each(|&i| strip.streak(&picture.behind[i as usize]));
        trails[band].iter().for_each(|&i| strip.streak(&picture.trails[i as usize]));
        darts[band].iter().for_each(|&i| strip.dart(&picture.darts[i as usize]));
        before[band].iter().for_each(|&i| strip.streak(&picture.before[i as usize]));
    });
}

/// For each band, which shapes touch it, in order.
fn sorted<T>(shapes: &[T], bands: usize, rows: fn(&T) -> [f32; 2]) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); bands];
    for (i, shape) in shapes.iter().enumerate() {
        let [top, bottom] = rows(shape);
        if bottom < 0.0 || top >= (bands * BAND) as f32 {
            continue;
        }
        // A cast cuts what is above the canvas.
        let first = top as usize / BAND;
        let last = (bottom as usize / BAND).min(bands - 1);
        for list in lists.iter_mut().take(last + 1).skip(first) {
            list.push(i as u32);
        }
    }
    lists
}

fn rows_of_dart(dart: &Dart) -> [f32; 2] {
    let reach = reach(dart)[1];
    [dart.y - reach - 1.0, dart.y + reach + 1.0]
}

/// How far a dart goes from its middle, across and down.
fn reach(dart: &Dart) -> [f32; 2] {
    let [ux, uy] = dart.along;
    let along = TIP * dart.length;
    [ux, uy]
        .map(f32::abs)
        .map(|u| along * u + dart.half * if dart.length > 0.0 { (1.0 - u * u).sqrt() } else { 1.0 })
}

fn rows_of_streak(streak: &Streak) -> [f32; 2] {
    let (low, high) = (least(streak.from[1], streak.to[1]), most(streak.from[1], streak.to[1]));
    [low - streak.half - 1.0, high + streak.half + 1.0]
}

/// A band of the canvas.
struct Strip<'a> {
    pixels: &'a mut [u8],
    width: usize,
    /// Its first row on the canvas.
    top: usize,
}

impl Strip<'_> {
    fn rows(&self) -> usize {
        self.pixels.len() / (self.width * 4)
    }

    fn sky(&mut self, [top, bottom]: [Rgb; 2], height: usize) {
        for (row, pixels) in self.pixels.chunks_exact_mut(self.width * 4).enumerate() {
            let [r, g, b] = color::blend(top, bottom, (self.top + row) as f32 / height as f32);
            pixels.chunks_exact_mut(4).for_each(|pixel| pixel.copy_from_slice(&[r, g, b, 255]));
        }
    }

    /// The rows of the band whose middles lie from one height to another of the canvas.
    fn span(&self, low: f32, high: f32) -> std::ops::Range<usize> {
        let rows = whole(low, high);
        rows.start.saturating_sub(self.top).min(self.rows())
            ..rows.end.saturating_sub(self.top).min(self.rows())
    }

    fn dart(&mut self, dart: &Dart) {
        let [across, down] = reach(dart).map(|reach| reach + 0.5);
        let columns = whole(dart.x - across, dart.x + across);
        let columns = columns.start..columns.end.min(self.width);
        if columns.start >= columns.end {
            return;
        }
        let brush = Brush::of(dart);
        for row in self.span(dart.y - down, dart.y + down) {
            let y = (self.top + row) as f32 + 0.5 - dart.y;
            let x = columns.start as f32 + 0.5 - dart.x;
            let start = (row * self.width + columns.start) * 4;
            let end = (row * self.width + columns.end) * 4;
            let pixels = &mut self.pixels[start..end];
            if dart.length <= 0.0 {
                disc(pixels, dart, x, y);
            } else if dart.half > FACETS {
                brush.faceted(pixels, dart, x, y);
            } else {
                brush.plain(pixels, x, y);
            }
        }
    }

    fn streak(&mut self, streak: &Streak) {
        let [[x0, y0], [x1, y1]] = [streak.from, streak.to];
        let (dx, dy) = (x1 - x0, y1 - y0);
        let length = (dx * dx + dy * dy).sqrt();
        if !(length > 1e-6 && length < 1e6) {
            return;
        }
        let (ux, uy) = (dx / length, dy / length);
        let [low, high] = rows_of_streak(streak);
        let (reach, color) = (streak.half + 0.5, paired(streak.color));
        for row in self.span(low, high) {
            let y = (self.top + row) as f32 + 0.5 - y0;
            // From the line's start at x: u = x·ux + y·uy along it, v = y·ux − x·uy across.
            let [a, b] = meet(y * uy, ux, [-0.5, length + 0.5]);
            let [c, d] = meet(y * ux, -uy, [-reach, reach]);
            let (from, to) = (most(a, c) + x0, least(b, d) + x0);
            if from.is_nan() || to.is_nan() || from > to {
                continue;
            }
            let first = (from - 0.5) as usize;
            let last = ((to + 1.5) as usize).min(self.width);
            for column in first..last {
                let x = column as f32 + 0.5 - x0;
                let (u, v) = (x * ux + y * uy, y * ux - x * uy);
                let across =
                    within(streak.half - v.abs() + 0.5, 0.0, 1.0) * least(1.0, 2.0 * streak.half);
                let ends = within(u + 0.5, 0.0, 1.0) * within(length - u + 0.5, 0.0, 1.0);
                let at = (row * self.width + column) * 4;
                if let Some(pixel) = self.pixels[at..].first_chunk_mut() {
                    mix(pixel, color, (across * ends * f32::from(streak.alpha)) as u32);
                }
            }
        }
    }
}

/// Where base + slope·x lies within a range.
fn meet(base: f32, slope: f32, [low, high]: [f32; 2]) -> [f32; 2] {
    if slope.abs() < 1e-6 {
        return if (low..=high).contains(&base) {
            [f32::NEG_INFINITY, f32::INFINITY]
        } else {
            [1.0, 0.0]
        };
    }
    let (a, b) = ((low - base) / slope, (high - base) / slope);
    [least(a, b), most(a, b)]
}

/// The pixels whose middles lie in a range; none before the canvas.
fn whole(low: f32, high: f32) -> std::ops::Range<usize> {
    // A cast cuts what is below zero.
    (low + 0.5) as usize..(high + 0.5) as usize
}

/// A dart made ready: its two edges as c + m·u − n·|v|, the pixels from an edge, positive inside.
struct Brush {
    outer: [f32; 3],
    notch: [f32; 3],
    along: [f32; 2],
    alpha: f32,
    color: [u32; 2],
}

impl Brush {
    #[inline(always)]
    fn of(dart: &Dart) -> Self {
        let (tip, tail, notch, half) =
            (TIP * dart.length, TAIL * dart.length, NOTCH * dart.length, dart.half);
        let (side, bay) = (tip + tail, tail - notch);
        let (outer, inner) =
            (1.0 / (half * half + side * side).sqrt(), 1.0 / (half * half + bay * bay).sqrt());
        Self {
            outer: [tip * half * outer, -half * outer, side * outer],
            notch: [notch * half * inner, half * inner, -bay * inner],
            along: dart.along,
            alpha: f32::from(dart.alpha),
            color: paired(dart.color),
        }
    }

    /// For each pixel of a row that is covered in part: which, how many pixels inside its middle
    /// lies, and how far across. x and y are the first pixel's from the dart's middle. Four at a
    /// time, as most of a dart's surroundings are not it.
    #[inline(always)]
    fn covered(&self, width: usize, x: f32, y: f32, mut take: impl FnMut(usize, f32, f32)) {
        let [ux, uy] = self.along;
        let (u, v) = (f32x4::splat(x * ux + y * uy), f32x4::splat(y * ux - x * uy));
        let next = f32x4::new([0.0, 1.0, 2.0, 3.0]);
        for four in (0..width).step_by(4) {
            let i = next + f32x4::splat(four as f32);
            let (u, v) = (u + i * f32x4::splat(ux), v - i * f32x4::splat(uy));
            let edge = |[c, m, n]: [f32; 3]| {
                f32x4::splat(c) + f32x4::splat(m) * u - f32x4::splat(n) * v.abs()
            };
            let inside = edge(self.outer).fast_min(edge(self.notch));
            if inside.simd_gt(f32x4::splat(-0.5)).none() {
                continue;
            }
            let (inside, v) = (inside.to_array(), v.to_array());
            for lane in 0..4 {
                if inside[lane] > -0.5 && four + lane < width {
                    take(four + lane, inside[lane], v[lane]);
                }
            }
        }
    }

    /// A row of a small dart.
    #[inline(always)]
    fn plain(&self, pixels: &mut [u8], x: f32, y: f32) {
        let pixels = pixels.as_chunks_mut::<4>().0;
        self.covered(pixels.len(), x, y, |i, inside, _| {
            mix(&mut pixels[i], self.color, (within(inside + 0.5, 0.0, 1.0) * self.alpha) as u32);
        });
    }

    /// A row of a large one: folded along its axis, light from the upper left, and a darker rim
    /// that sets it off from others.
    fn faceted(&self, pixels: &mut [u8], dart: &Dart, x: f32, y: f32) {
        let pixels = pixels.as_chunks_mut::<4>().0;
        let [ux, uy] = self.along;
        // The side at positive v faces (-uy, ux).
        let lit = within((uy - ux) * 0.7, -1.0, 1.0);
        self.covered(pixels.len(), x, y, |i, inside, v| {
            let rim = 0.66 + 0.34 * within(inside * 0.9 - 0.1, 0.0, 1.0);
            let light = rim * (0.97 + 0.13 * lit * within(v, -1.0, 1.0));
            let color = paired(color::scaled(dart.color, light));
            mix(&mut pixels[i], color, (within(inside + 0.5, 0.0, 1.0) * self.alpha) as u32);
        });
    }
}

fn disc(pixels: &mut [u8], dart: &Dart, x: f32, y: f32) {
    for (i, pixel) in pixels.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let x = x + i as f32;
        let covered = within(dart.half - (x * x + y * y).sqrt() + 0.5, 0.0, 1.0);
        mix(pixel, paired(dart.color), (covered * f32::from(dart.alpha)) as u32);
    }
}

/// Red and blue in one number, green in another, with room to multiply both at once.
#[inline(always)]
fn paired([r, g, b]: Rgb) -> [u32; 2] {
    [u32::from(r) | u32::from(b) << 16, u32::from(g)]
}

/// Mixes a colour into a pixel, `share` of 256.
#[inline(always)]
fn mix(pixel: &mut [u8; 4], [red_blue, green]: [u32; 2], share: u32) {
    let below = u32::from_le_bytes(*pixel);
    let red_blue = (((below & 0x00ff_00ff) * (256 - share) + red_blue * share) >> 8) & 0x00ff_00ff;
    let green = (((below >> 8) & 0xff) * (256 - share) + green * share) & 0xff00;
    *pixel = (red_blue | green | 0xff00_0000).to_le_bytes();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Background;
    use crate::color::Theme;

    const GREY: [u8; 4] = [100, 100, 100, 255];

    /// A grey canvas with shapes on it.
    fn canvas(width: usize, height: usize, paint: impl FnOnce(&mut Strip<'_>)) -> Vec<u8> {
        let mut pixels = GREY.repeat(width * height);
        paint(&mut Strip { pixels: &mut pixels, width, top: 0 });
        pixels
    }

    /// Red of a canvas of 40 by 30.
    fn drawn(paint: impl FnOnce(&mut Strip<'_>)) -> Vec<u8> {
        canvas(40, 30, paint).chunks_exact(4).map(|pixel| pixel[0]).collect()
    }

    /// How much of the white shape lies on the grey, in pixels.
    fn area(pixels: &[u8]) -> f32 {
        pixels.iter().map(|&p| (f32::from(p) - 100.0) / 155.0).fold(0.0, |sum, part| sum + part)
    }

    const WHITE: Dart = Dart {
        x: 20.3,
        y: 14.6,
        along: [0.8, 0.6],
        length: 12.0,
        half: 2.3,
        color: [255; 3],
        alpha: 256,
    };

    #[test]
    fn a_dart_covers_its_area_wherever_it_points() {
        // The triangle less the bay behind it.
        let exact = 12.0 * 2.3 - (TAIL - NOTCH) * 12.0 * 2.3;
        for turn in 0..24 {
            let turn = turn as f32 * 0.27;
            let dart = Dart { along: [libm::cosf(turn), libm::sinf(turn)], ..WHITE };
            let found = area(&drawn(|strip| strip.dart(&dart)));
            assert!((found / exact - 1.0).abs() < 0.15, "{turn}: {found} of {exact}");
        }
    }

    #[test]
    fn a_dart_points_where_it_goes() {
        let pixels =
            drawn(|strip| strip.dart(&Dart { along: [1.0, 0.0], x: 20.0, y: 14.5, ..WHITE }));
        let row = |x: usize| (0..30).filter(|y| pixels[y * 40 + x] > 140).count();
        assert!(row(25) >= 1 && row(25) < row(17), "{} {}", row(25), row(17));
        assert_eq!((pixels[14 * 40 + 28], pixels[14 * 40 + 13]), (100, 100));
    }

    #[test]
    fn a_boid_without_a_heading_is_a_disc() {
        for half in [1.0, 2.5, 6.0] {
            let found = area(&drawn(|strip| strip.dart(&Dart { length: 0.0, half, ..WHITE })));
            let exact = std::f32::consts::PI * half * half;
            assert!((found / exact - 1.0).abs() < 0.08, "{half}: {found} of {exact}");
        }
    }

    #[test]
    fn a_streak_is_as_long_and_as_wide_as_it_is() {
        for (from, to) in
            [([5.0, 5.0], [35.0, 5.0]), ([5.0, 25.0], [5.0, 3.0]), ([4.2, 3.1], [33.0, 27.5])]
        {
            let streak = Streak { from, to, half: 0.75, color: [255; 3], alpha: 256 };
            let length = ((to[0] - from[0]) * (to[0] - from[0])
                + (to[1] - from[1]) * (to[1] - from[1]))
                .sqrt();
            let found = area(&drawn(|strip| strip.streak(&streak)));
            assert!(
                (found / (length * 1.5) - 1.0).abs() < 0.05,
                "{from:?}: {found} of {}",
                length * 1.5
            );
        }
    }

    #[test]
    fn shapes_have_their_color_and_let_through_what_they_should() {
        let color = [10, 200, 90];
        for (alpha, expected) in [(256, color), (128, [55, 150, 95]), (0, [100; 3])] {
            // A dart that is thin enough to have one colour, a disc, a streak.
            let dart = Dart { along: [1.0, 0.0], x: 20.5, y: 15.5, color, alpha, ..WHITE };
            let streak = Streak { from: [5.0, 15.5], to: [35.0, 15.5], half: 2.0, color, alpha };
            for pixels in [
                canvas(40, 30, |strip| strip.dart(&dart)),
                canvas(40, 30, |strip| strip.dart(&Dart { length: 0.0, ..dart })),
                canvas(40, 30, |strip| strip.streak(&streak)),
            ] {
                let pixel = &pixels[(15 * 40 + 20) * 4..][..4];
                assert!(
                    pixel.iter().zip(expected).all(|(&a, b)| a.abs_diff(b) <= 1),
                    "{alpha}: {pixel:?}, wanted {expected:?}"
                );
                assert_eq!((pixel[3], &pixels[..4]), (255, &GREY[..]));
            }
        }
    }

    #[test]
    fn a_large_dart_is_lit_from_the_upper_left_and_has_a_rim() {
        let dart = Dart {
            along: [1.0, 0.0],
            x: 20.0,
            y: 15.0,
            length: 30.0,
            half: 10.0,
            color: [200; 3],
            alpha: 256,
        };
        let pixels = drawn(|strip| strip.dart(&dart));
        // Twelve pixels to the left of the tip, where the dart is 8 wide: above its axis, below,
        // and at its edge.
        let [above, below, edge] = [12, 17, 11].map(|y| pixels[y * 40 + 25]);
        assert_eq!((above, below), (212, 176), "200 times 0.97 plus and minus 0.13 · 0.7");
        assert!((100..above - 20).contains(&edge), "{edge}");
    }

    /// What is drawn in part is what a larger canvas shows there.
    #[test]
    fn what_lies_outside_is_cut() {
        let places = [
            (-3.0, 10.0),
            (43.0, 10.0),
            (20.0, -2.0),
            (20.0, 33.0),
            (0.0, 0.0),
            (40.0, 30.0),
            (1.5, 28.25),
        ];
        let both = |(x, y): (f32, f32), shift: f32| {
            move |strip: &mut Strip<'_>| {
                let (x, y) = (x + shift, y + shift);
                strip.streak(&Streak {
                    from: [x, y],
                    to: [20.0 + shift, 15.5 + shift],
                    half: 1.0,
                    color: [0; 3],
                    alpha: 200,
                });
                strip.dart(&Dart { x, y, ..WHITE });
                strip.dart(&Dart { x, y, half: 5.0, color: [9, 99, 200], ..WHITE });
                strip.dart(&Dart { x, y, length: 0.0, ..WHITE });
            }
        };
        for place in places {
            let (small, large) =
                (canvas(40, 30, both(place, 0.0)), canvas(120, 120, both(place, 40.0)));
            assert!(small != GREY.repeat(40 * 30), "{place:?}: nothing is to be seen");
            for (y, row) in small.chunks_exact(40 * 4).enumerate() {
                let there = &large[((y + 40) * 120 + 40) * 4..][..40 * 4];
                assert!(
                    row.iter().zip(there).all(|(a, b)| a.abs_diff(*b) <= 1),
                    "{place:?}: row {y}"
                );
            }
        }
        for (x, y) in [
            (-30.0, 10.0),
            (80.0, 10.0),
            (20.0, -40.0),
            (20.0, 75.0),
            (-1e9, 1e9),
            (1e30, 0.0),
            (f32::NAN, 3.0),
        ] {
            let dart = drawn(|strip| strip.dart(&Dart { x, y, ..WHITE }));
            let streak = Streak {
                from: [x, y],
                to: [x + 1.0, y + 9.0],
                half: 1.0,
                color: [255; 3],
                alpha: 256,
            };
            assert!(
                dart == [100; 1200] && drawn(|strip| strip.streak(&streak)) == [100; 1200],
                "{x} {y}"
            );
        }
        // A line that comes from far away.
        let line =
            Streak { from: [1e5, 15.5], to: [20.0, 15.5], half: 0.5, color: [255; 3], alpha: 256 };
        let row = drawn(|strip| strip.streak(&line))[15 * 40..16 * 40].to_vec();
        assert!(
            row[..19].iter().all(|&p| p == 100) && row[21..].iter().all(|&p| p == 255),
            "{row:?}"
        );
    }

    #[test]
    fn bands_are_not_to_be_seen() {
        let mut random = wingbeat_test_support::Random::new(1);
        let mut next = |most: f32| random.within(0.0, most);
        let (width, height) = (150, 5 * BAND / 2);
        let darts = (0..300).map(|i| {
            let turn = next(std::f32::consts::TAU);
            let (x, y) = (next(170.0) - 10.0, next(120.0) - 10.0);
            let along = [libm::cosf(turn), libm::sinf(turn)];
            Dart {
                x,
                y,
                along,
                length: if i % 7 == 0 { 0.0 } else { 4.0 + next(20.0) },
                half: 1.0 + next(4.0),
                color: [i as u8; 3],
                alpha: 200,
            }
        });
        let darts: Vec<Dart> = darts.collect();
        let mut streaks = || -> Vec<Streak> {
            let mut end = || [next(170.0) - 10.0, next(120.0) - 10.0];
            (0..20)
                .map(|i| Streak {
                    from: end(),
                    to: end(),
                    half: 0.8,
                    color: [250, i, 0],
                    alpha: 150,
                })
                .collect()
        };
        let picture = Picture {
            backdrop: None,
            width: width as u32,
            height: height as u32,
            theme: Theme::of(Background::Dark),
            behind: streaks(),
            trails: streaks(),
            darts,
            before: streaks(),
            labels: None,
        };
        let mut banded = Image::new(width, height);
        draw(&picture, &mut banded);
        let mut whole = Image::new(width, height);
        let mut strip = Strip { pixels: whole.pixels_mut(), width, top: 0 };
        strip.sky(picture.theme.sky, height);
        picture.behind.iter().chain(&picture.trails).for_each(|streak| strip.streak(streak));
        picture.darts.iter().for_each(|dart| strip.dart(dart));
        picture.before.iter().for_each(|streak| strip.streak(streak));
        assert!(banded == whole);
    }
}
