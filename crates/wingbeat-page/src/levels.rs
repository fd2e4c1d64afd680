//! Positions and velocities as levels of at most 16 bits, and back.
//!
//! On a periodic axis from `min`, of length L, of N levels: q stands for min + (q + ½)·L/N, so that
//! the box wraps where the number does. On others q stands for min + q·(max − min)/(N − 1). Either
//! way a position is off by at most half a step. A velocity's component is (q − 32768)·step with
//! step = (largest component)/M; level 0 means that it is not known. N is 2¹⁶ and M 2¹⁵ − 1; or 2¹²
//! and 127 ([`Precision::Coarse`]) for recordings so large that more frames are worth more than
//! more digits.

use serde::Serialize;
use wingbeat_record::About;

use crate::survey::Survey;

/// How many digits are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 16 bits each.
    Fine,
    /// 12 bits for a coordinate, 8 for a velocity's component: less than half the bytes.
    Coarse,
}

/// The level of a velocity's component of 0: the middle of all.
pub const ZERO_VELOCITY: u16 = 32768;

/// Larger drifts are taken as 0, so that an expected level fits an `i32`.
const LARGEST_DRIFT: f64 = 1000.0;

/// How levels and numbers correspond.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Levels {
    /// The coordinate at which level 0 begins, for each axis.
    pub min: Vec<f64>,
    /// From one level to the next.
    pub step: Vec<f64>,
    /// ½ on periodic axes, else 0.
    pub half: f64,
    /// Levels of positions are taken modulo this plus 1.
    pub mask: u16,
    /// From one level of a velocity's component to the next.
    pub velocity_step: f64,
    /// How far a coordinate may be off.
    pub position_error: f64,
    /// How far a velocity's component may be off.
    pub velocity_error: f64,
}

impl Levels {
    pub fn new(about: &About, survey: &Survey, precision: Precision) -> Self {
        let (mask, speeds) = match precision {
            Precision::Fine => (u16::MAX, 32767.0),
            Precision::Coarse => ((1 << 12) - 1, 127.0),
        };
        let (min, max, periodic) = match about.edges.bounds() {
            Some((min, max)) if about.edges.is_periodic() => (min, max, true),
            _ => (survey.min, survey.max, false),
        };
        let axes = 0..about.dimensions;
        let steps = f64::from(mask) + if periodic { 1.0 } else { 0.0 };
        let step: Vec<f64> =
            axes.clone().map(|a| (f64::from(max[a]) - f64::from(min[a])) / steps).collect();
        let velocity_step = f64::from(survey.fastest_axis) / speeds;
        // The player computes in f32.
        let largest = axes
            .clone()
            .map(|a| f64::from(min[a].abs()).max(f64::from(max[a].abs())))
            .fold(0.0, f64::max);
        let rounding = largest * f64::from(f32::EPSILON);
        Self {
            position_error: step.iter().copied().fold(0.0, f64::max) * 0.5 + rounding,
            velocity_error: velocity_step * 0.5
                + f64::from(survey.fastest_axis) * f64::from(f32::EPSILON),
            min: axes.map(|a| f64::from(min[a])).collect(),
            step,
            mask,
            half: if periodic { 0.5 } else { 0.0 },
            velocity_step,
        }
    }

    /// The level of a coordinate.
    pub fn of_position(&self, axis: usize, x: f32) -> u16 {
        let step = self.step[axis];
        if step == 0.0 {
            return 0;
        }
        let at = (f64::from(x) - self.min[axis]) / step;
        // A file may hold positions outside of its own periodic box.
        let level = if self.half > 0.0 {
            at.floor().rem_euclid(f64::from(self.mask) + 1.0)
        } else {
            at.round()
        };
        // The cast saturates; the end of a box in f32 may round up to it.
        (level as u16).min(self.mask)
    }

    /// The level of a velocity's component; 0 where it is not known.
    pub fn of_velocity(&self, v: f32) -> u16 {
        if v.is_nan() {
            return 0;
        }
        if self.velocity_step == 0.0 {
            return ZERO_VELOCITY;
        }
        (f64::from(v) / self.velocity_step).round().clamp(-32767.0, 32767.0) as i32 as u16
            ^ ZERO_VELOCITY
    }

    /// Levels that a boid moves along an axis in the time `h`, for each level of the sum of its
    /// velocity before and after.
    pub fn drift(&self, axis: usize, h: f64) -> f64 {
        let step = self.step[axis];
        let drift = 0.5 * h * self.velocity_step / step;
        if step > 0.0 && drift.is_finite() && drift.abs() < LARGEST_DRIFT { drift } else { 0.0 }
    }
}
