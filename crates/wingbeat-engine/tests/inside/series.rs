use wingbeat_steer::{math, noise};

use super::*;
use crate::simd::{Level, MAX_LANES, Work, dispatch};

/// Calls `lanes` with every block of arguments, and compares bit for bit with `scalar`.
struct Same<'a> {
    arguments: &'a [[f32; 2]],
    level: Level,
}

impl Work for Same<'_> {
    fn run<S: Simd>(self, s: S) {
        for block in self.arguments.chunks_exact(S::LANES) {
            let (mut x, mut y) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
            for (lane, argument) in block.iter().enumerate() {
                (x[lane], y[lane]) = (argument[0], argument[1]);
            }
            let (x, y) = (s.load(&x, 0), s.load(&y, 0));
            let (sin, cos) = sin_cos_turns(s, x);
            let size = x.abs() + s.splat(1e-30);
            let found = [sin, cos, log2(s, size), exp2(s, x), gaussian(s, y, x)];
            for (which, found) in found.into_iter().enumerate() {
                let mut lanes = [0.0; MAX_LANES];
                found.store(&mut lanes);
                for (lane, &[x, y]) in block.iter().enumerate() {
                    let (sin, cos) = math::sin_cos_turns(x);
                    let wanted = [
                        sin,
                        cos,
                        math::log2(x.abs() + 1e-30),
                        math::exp2(x),
                        math::gaussian(y, x),
                    ][which];
                    assert_eq!(
                        lanes[lane].to_bits(),
                        wanted.to_bits(),
                        "{} function {which} of {x} {y}",
                        self.level
                    );
                }
            }
        }
    }
}

#[test]
fn series_in_lanes_are_the_scalar_ones() {
    let ends = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        0.25,
        1.0,
        -1.0,
        1e-30,
        126.5,
        -126.5,
        200.0,
        -1e6,
        0.71,
        std::f32::consts::SQRT_2,
    ];
    let end = |i: u64| [ends[i as usize % ends.len()], 0.25];
    let drawn = |i: u64| {
        [(noise::uniform(1, i, 0, 0) - 0.5) * (1 << (i % 12)) as f32, noise::uniform(1, i, 0, 1)]
    };
    let arguments: Vec<[f32; 2]> = (0..32).map(end).chain((0..8000).map(drawn)).collect();
    for level in Level::available() {
        dispatch(level, Same { arguments: &arguments, level });
    }
}

#[test]
fn series_are_close_to_the_truth() {
    for i in 0..20_000 {
        let x = (noise::uniform(2, i, 0, 0) - 0.5) * 8.0;
        let turns = std::f64::consts::TAU * f64::from(x);
        let (sin, cos) = math::sin_cos_turns(x);
        assert!(
            (f64::from(sin) - libm::sin(turns)).abs() < 4e-7
                && (f64::from(cos) - libm::cos(turns)).abs() < 4e-7,
            "{x}"
        );
        let (power, wanted) = (f64::from(math::exp2(x)), libm::exp2(f64::from(x)));
        assert!((power / wanted - 1.0).abs() < 2e-7, "{x}: {power} {wanted}");
        let large = math::exp2(x * 30.0);
        let (found, wanted) = (f64::from(math::log2(large)), libm::log2(f64::from(large)));
        let scale = if wanted.abs() > 1.0 { wanted.abs() } else { 1.0 };
        assert!((found - wanted).abs() < 3e-7 * scale, "{large}: {found} {wanted}");
    }
}

/// Every operation on whole numbers, against plain ones.
struct WholeNumbers(Level);

impl Work for WholeNumbers {
    fn run<S: Simd>(self, s: S) {
        for block in 0..200 {
            let (mut a, mut b) = ([0; MAX_LANES], [0; MAX_LANES]);
            for lane in 0..MAX_LANES {
                let id = block * 16 + lane as u64;
                (a[lane], b[lane]) = (noise::bits(3, id, 0, 0), noise::bits(3, id, 0, 1));
            }
            let (x, y) = (s.load_whole(&a), s.load_whole(&b));
            let found = [
                x.plus(y),
                x.times(y),
                x.xor(y),
                x.and(y),
                x.or(y),
                x.shift_left(7),
                x.shift_right(9),
                x.shift_right(8).to_float().as_whole(),
                s.splat_whole(77),
            ];
            for (which, found) in found.into_iter().enumerate() {
                let mut lanes = [0.0; MAX_LANES];
                found.as_float().store(&mut lanes);
                for lane in 0..S::LANES {
                    let (a, b) = (a[lane], b[lane]);
                    let (sum, product) = (a.wrapping_add(b), a.wrapping_mul(b));
                    let float = ((a >> 8) as f32).to_bits();
                    let wanted =
                        [sum, product, a ^ b, a & b, a | b, a << 7, a >> 9, float, 77][which];
                    assert_eq!(
                        lanes[lane].to_bits(),
                        wanted,
                        "{} operation {which} on {a:x} {b:x}",
                        self.0
                    );
                }
            }
        }
    }
}

#[test]
fn whole_numbers_in_lanes_are_the_plain_ones() {
    for level in Level::available() {
        dispatch(level, WholeNumbers(level));
    }
}
