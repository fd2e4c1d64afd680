//! Noise by known answers: the engine and the textbook share this code, so that nothing between
//! them would notice a change of it.
//!
//! The numbers come from a program of its own in another language, with integers of any size,
//! masked to 32 or 64 bits after every operation. It has the mixing round (xor of h >> 16, times
//! 0x7feb352d, xor of h >> 15, times 0x846ca68b, xor of h >> 16), the seven rounds over seed, id,
//! step and stream, and xoshiro256++ as its authors give it: result rotl(s0 + s3, 23) + s0, then
//! t = s1 << 17, s2 ^= s0, s3 ^= s1, s1 ^= s2, s0 ^= s3, s2 ^= t, s3 = rotl(s3, 45). From the state
//! 1, 2, 3, 4 that program gives the authors' own first outputs 41943041,
//! 58720359, 3588806011781223.

use wingbeat_steer::drive::{Drive, Noise};
use wingbeat_steer::{Jitter, TextbookBoid, TextbookFlock, noise};

/// 2⁻²⁴: what a draw of 24 bits is multiplied by.
const PART: f32 = 1.0 / 16_777_216.0;

#[test]
fn keyed_noise() {
    let known = [
        ((0, 0, 0, 0), 0x4dc4_d8c5),
        ((1, 7, 0, 0), 0xace4_52a1),
        ((1, 7, 0, 1), 0xc166_8b17),
        ((1, 8, 0, 0), 0xdd83_2e8d),
        ((1, 7, 1, 0), 0x1f9c_a1be),
        // Both halves of every word of the key count.
        ((0x1234_5678_9abc_def0, 0xfedc_ba98_7654_3210, 0x1_0000_0001, 48), 0x81c6_79b5),
        ((u64::MAX, u64::MAX, u64::MAX, u32::MAX), 0xee4d_7d10),
    ];
    for ((seed, id, step, stream), bits) in known {
        assert_eq!(noise::bits(seed, id, step, stream), bits, "{seed} {id} {step} {stream}");
        assert_eq!(noise::uniform(seed, id, step, stream), (bits >> 8) as f32 * PART);
    }
    assert_eq!(noise::uniform(1, 7, 0, 0), 0.675_358_9);
}

#[test]
fn generators_that_agents_own() {
    let known = [
        ((1, 0), [6_417_763, 4_671_093, 16_254_583]),
        ((1, 7), [16_252_963, 9_114_640, 13_111_663]),
        (((1 << 40) + 3, (1 << 33) + 5), [7_909_906, 11_240_565, 753_419]),
    ];
    for ((seed, id), draws) in known {
        let mut jitter = Jitter::owned(seed, id);
        assert_eq!(
            [0, 1, 2].map(|draw| jitter.uniform(draw, 0)),
            draws.map(|bits| bits as f32 * PART),
            "{seed} {id}"
        );
    }
}

/// A boid on another goes where its hash sends it: components 2·U − 1 of streams 0, 1, 2, as a unit
/// vector.
#[test]
fn directions() {
    let (x, y) = (2.0 * 0.675_358_891_487_121_6 - 1.0, 2.0 * 0.755_470_931_529_998_8 - 1.0);
    let long = libm::hypot(x, y);
    let found: [f32; 2] = noise::direction(1, 7, 0);
    assert!(
        (f64::from(found[0]) - x / long).abs() < 1e-6
            && (f64::from(found[1]) - y / long).abs() < 1e-6,
        "{found:?}"
    );
}

/// The second drive's noise has streams 66 and 67, and at 4.6 its tenth interval of a half is under
/// way.
#[test]
fn noise_that_drives() {
    let boid = TextbookBoid { id: 3, position: [0.0; 2], velocity: [0.0; 2] };
    let drives = vec![
        Drive::new("still", Noise { size: 0.0, ..Default::default() }),
        Drive::new("noise", Noise { size: 1.0, interval: 0.5 }),
    ];
    let flock =
        TextbookFlock { drives, seed: 5, time: 4.6, boids: vec![boid], ..Default::default() };
    let turn = 0.359_022_617_340_087_9 * std::f64::consts::TAU;
    let [x, y] = flock.steering(&[0])[0];
    assert!(
        (f64::from(x) - libm::cos(turn)).abs() < 1e-6
            && (f64::from(y) - libm::sin(turn)).abs() < 1e-6,
        "{x} {y}"
    );
}
