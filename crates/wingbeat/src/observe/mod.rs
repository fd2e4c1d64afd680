//! What a flock looks like in numbers. All sums are f64 in id order, so they do not depend on the storage.

use wingbeat_steer::{Domain, Vector};

use crate::Frame;

mod nearest;
pub use nearest::nearest_neighbor_distance;

/// Polarization ‖Σ h‖ / N: 1 when all fly alike, near 0 when headings are random. Resting boids count as zero; 0 for nobody.
///
/// Source: Vicsek et al. 1995, eq. 5.
pub fn polarization<const D: usize>(frame: &Frame<'_, D>) -> f64
where
    [f32; D]: Vector,
{
    let mut sum = [0.0f64; D];
    for boid in frame.by_id() {
        let heading = unit(boid.velocity.map(f64::from));
        for a in 0..D {
            sum[a] += heading[a];
        }
    }
    norm(sum) / at_least_one(frame.len())
}

/// Milling ‖Σ r̂ × h‖ / N about the mean position (periodic: the circular mean): 1 when all circle one way round the middle.
///
/// Source: Couzin et al. 2002, group angular momentum, with unit position vectors.
pub fn milling<const D: usize>(frame: &Frame<'_, D>, domain: &Domain<[f32; D]>) -> f64
where
    [f32; D]: Vector,
{
    let center = mean_position(frame, domain);
    let mut sum = [0.0f64; 3];
    for boid in frame.by_id() {
        let mut arm = [0.0f64; 3];
        let mut heading = [0.0f64; 3];
        let h = unit(boid.velocity.map(f64::from));
        for a in 0..D {
            let raw = f64::from(boid.position[a]) - center[a];
            arm[a] = nearest_image(raw, domain, a);
            heading[a] = h[a];
        }
        let r = unit(arm);
        sum[0] += r[1] * heading[2] - r[2] * heading[1];
        sum[1] += r[2] * heading[0] - r[0] * heading[2];
        sum[2] += r[0] * heading[1] - r[1] * heading[0];
    }
    norm(sum) / at_least_one(frame.len())
}

/// Mean speed Σ‖v‖ / N, length/time; 0 for nobody.
pub fn mean_speed<const D: usize>(frame: &Frame<'_, D>) -> f64 {
    let sum = frame.by_id().fold(0.0, |sum, boid| sum + norm(boid.velocity.map(f64::from)));
    sum / at_least_one(frame.len())
}

/// Mean position; on a periodic axis the circular mean (the direction of Σ exp(2πi·x/L)).
pub fn mean_position<const D: usize>(frame: &Frame<'_, D>, domain: &Domain<[f32; D]>) -> [f64; D]
where
    [f32; D]: Vector,
{
    let count = at_least_one(frame.len());
    let mut mean = [0.0f64; D];
    for (a, mean) in mean.iter_mut().enumerate() {
        if domain.is_periodic() {
            let (min, side) = (f64::from(domain.min[a]), f64::from(domain.side(a)));
            let (mut cos, mut sin) = (0.0, 0.0);
            for boid in frame.by_id() {
                let angle = std::f64::consts::TAU * (f64::from(boid.position[a]) - min) / side;
                cos += libm::cos(angle);
                sin += libm::sin(angle);
            }
            // Of the images of the mean, the one in the box.
            let turns = libm::atan2(sin, cos) / std::f64::consts::TAU;
            *mean = min + side * if turns < 0.0 { turns + 1.0 } else { turns };
        } else {
            *mean = frame.by_id().fold(0.0, |sum, boid| sum + f64::from(boid.position[a])) / count;
        }
    }
    mean
}

/// A fingerprint of ids, positions and velocities: the wrapping sum of one 64-bit mix a boid, so that it does not depend on
/// order and parts of a flock can be hashed apart. Equal states have equal hashes; it is how "the same bits" is checked.
pub fn state_hash<const D: usize>(frame: &Frame<'_, D>) -> u64 {
    frame.by_slot().fold(0, |sum, boid| {
        let mut h = mix(boid.id.get() ^ 0x9e37_79b9_7f4a_7c15);
        for value in boid.position.into_iter().chain(boid.velocity) {
            h = mix(h ^ u64::from(value.to_bits()));
        }
        sum.wrapping_add(h)
    })
}

/// The finaliser of splitmix64.
const fn mix(mut h: u64) -> u64 {
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}

fn nearest_image<const D: usize>(offset: f64, domain: &Domain<[f32; D]>, axis: usize) -> f64
where
    [f32; D]: Vector,
{
    if !domain.is_periodic() {
        return offset;
    }
    let side = f64::from(domain.side(axis));
    offset - side * (offset / side).round()
}

fn at_least_one(count: usize) -> f64 {
    count.max(1) as f64
}

fn norm<const N: usize>(v: [f64; N]) -> f64 {
    v.iter().fold(0.0, |sum, c| sum + c * c).sqrt()
}

fn unit<const N: usize>(v: [f64; N]) -> [f64; N] {
    let norm = norm(v);
    if norm < f64::from(wingbeat_steer::REST_SPEED) { [0.0; N] } else { v.map(|c| c / norm) }
}
