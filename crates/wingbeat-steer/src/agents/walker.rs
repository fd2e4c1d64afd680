//! The walker: a random walk that is sure to reach its target, by a field of view that narrows on
//! the way.

use core::f32::consts::PI;

use alloc::vec::Vec;

use crate::agents::behavior::{length_and_direction, tangent};
use crate::schema::parameter_info::Parameters;
use crate::{Jitter, ParamError, Spline, Vector, check_range, math};

/// Streams of the walker's keyed noise: the turn, the side (or roll) and the length of a leg.
const TURN: u32 = 24;
const SIDE: u32 = 25;
const LENGTH: u32 = 26;

parameters! {
    /// How a walker walks. The defaults are the source's.
    ///
    /// ```
    /// use wingbeat_steer::WalkerParameters;
    /// let straight = WalkerParameters { field_of_view: 0.0, ..Default::default() };
    /// assert_eq!(straight.aggro_radius, 30.0);
    /// ```
    /// Source: the second of the five source systems.
    pub struct WalkerParameters in "walker." {
        field_of_view: f32 = 90.0, "degrees", 0.0 => 110.0, "Whole field of view far from the \
            target; wider than 110, a walk need not arrive.", "stronger detours";
        aggro_radius: f32 = 30.0, "length", 1e-9 => 1e12, "Distance D at which the view begins to \
            narrow: lerp(0, field_of_view, min(D, aggro)/aggro).", "the walk straightens earlier";
        step_factor: f32 = 0.5, "1", 1e-3 => 1.0, "A leg's length as a part of the distance \
            left.", "fewer, longer legs";
        min_step: f32 = 1.0, "length", 1e-9 => 1e12, "Shortest leg; nearer than this the next \
            waypoint is the target.", "no short legs at the end";
        max_step: f32 = 10.0, "length", 1e-9 => 1e12, "Longest leg; at least min_step.", "longer \
            legs far from the target";
    }
    with {
        /// Whether each leg's length is drawn between min_step and its full length instead. Default
        /// false.
        pub random_steps: bool = false;
    }
}

impl WalkerParameters {
    /// The length of the next leg at `distance` from the target: `clamp(distance·step_factor,
    /// min_step, max_step)`.
    ///
    /// ```
    /// # use wingbeat_steer::WalkerParameters;
    /// assert_eq!(WalkerParameters::default().step(14.0), 7.0);
    /// ```
    pub fn step(&self, distance: f32) -> f32 {
        math::clamp(distance * self.step_factor, self.min_step, self.max_step)
    }

    /// The field of view at `distance` from the target, in radians.
    ///
    /// Formula: `field_of_view·min(distance, aggro_radius)/aggro_radius`.
    ///
    /// ```
    /// # use wingbeat_steer::WalkerParameters;
    /// assert_eq!(WalkerParameters::default().view(15.0), core::f32::consts::FRAC_PI_4);
    /// ```
    pub fn view(&self, distance: f32) -> f32 {
        (self.field_of_view * (PI / 180.0))
            * (math::min(distance, self.aggro_radius) / self.aggro_radius)
    }
}

/// The next waypoint of a walk, given the draws.
///
/// Formula: D = ‖target − p‖, s = [`step`](WalkerParameters::step)(D). If s > D: the target. Else
/// p + s·(the direction to the target turned by `turn`·½·[`view`](WalkerParameters::view)(D)).
/// `turn` 0…1; `roll` in radians is the side turned to: 0 left and π right in 2-D, any direction
/// across in 3-D.
///
/// ```
/// use wingbeat_steer::{WalkerParameters, next_waypoint};
/// let next = next_waypoint([10.0, 10.0], [0.0, 0.0], 0.0, 0.0, &WalkerParameters::default());
/// assert!((next[0] - 5.0).abs() < 1e-5); // no turn: half way
/// ```
/// Source: the second of the five source systems.
pub fn next_waypoint<V: Vector>(
    position: V,
    target: V,
    turn: f32,
    roll: f32,
    parameters: &WalkerParameters,
) -> V {
    let (distance, direction) = length_and_direction(target.minus(position));
    let step = parameters.step(distance);
    leg(position, target, (distance, direction, step), turn, roll, parameters)
}

/// The leg of length `step`, or straight to the target if it is nearer.
fn leg<V: Vector>(
    position: V,
    target: V,
    (distance, direction, step): (f32, V, f32),
    turn: f32,
    roll: f32,
    parameters: &WalkerParameters,
) -> V {
    if step > distance || distance == 0.0 {
        return target;
    }
    let (sin, cos) = libm::sincosf(turn * 0.5 * parameters.view(distance));
    let (sin_roll, cos_roll) = libm::sincosf(roll);
    let turned = direction.times(cos).plus(tangent(direction, cos_roll, sin_roll).times(sin));
    let next = position.plus(turned.times(step));
    // So far out that a leg is less than the last digit: no walk could get on, so go straight.
    if next == position { target } else { next }
}

/// A walker: its style, its randomness and the waypoint it is heading for.
///
/// It always arrives, also at a target that moves more slowly than it walks: at most 55° off course
/// (in 2-D and 3-D), every leg brings it nearer, and from min_step on it goes straight.
///
/// ```
/// use wingbeat_steer::{Jitter, Walker, WalkerParameters};
/// let mut walker = Walker::new(WalkerParameters::default(), Jitter::owned(1, 0))?;
/// let walk = walker.waypoints([10.0, 10.0], [0.0, 0.0]);
/// assert_eq!(walk.first(), Some(&[10.0, 10.0]));
/// assert_eq!(walk.last(), Some(&[0.0, 0.0]));
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: the second of the five source systems.
#[derive(Debug, Clone, PartialEq)]
pub struct Walker<V> {
    parameters: WalkerParameters,
    jitter: Jitter,
    draw: u64,
    /// Where it is heading; `None` before the first leg and after each arrival.
    heading_for: Option<V>,
}

impl<V: Vector> Walker<V> {
    /// A walker at the start of its first leg.
    ///
    /// # Errors
    /// A parameter outside its range (see [`WalkerParameters`]).
    ///
    /// ```
    /// # use wingbeat_steer::{Jitter, Walker, WalkerParameters};
    /// let wide = WalkerParameters { field_of_view: 180.0, ..Default::default() };
    /// let error = Walker::<[f32; 2]>::new(wide, Jitter::owned(1, 0)).unwrap_err();
    /// assert_eq!(error.to_string(), "walker.field_of_view = 180: allowed is 0 to 110");
    /// ```
    pub fn new(parameters: WalkerParameters, jitter: Jitter) -> Result<Self, ParamError> {
        parameters.check_ranges("walker")?;
        check_range("walker.max_step", parameters.max_step, parameters.min_step, 1e12)?;
        Ok(Self { parameters, jitter, draw: 0, heading_for: None })
    }

    /// One waypoint at a time: draws the next from `position` toward `target`.
    ///
    /// ```
    /// # use wingbeat_steer::{Jitter, Walker, WalkerParameters};
    /// let mut walker = Walker::new(WalkerParameters::default(), Jitter::owned(1, 0))?;
    /// assert_eq!(walker.next([0.5, 0.0], [0.0, 0.0]), [0.0, 0.0]); // nearer than min_step: in
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn next(&mut self, position: V, target: V) -> V {
        let draw = self.draw;
        self.draw += 1;
        let turn = self.jitter.uniform(draw, TURN);
        let side = self.jitter.uniform(draw, SIDE);
        let length = self.jitter.uniform(draw, LENGTH);
        // A fair coin in 2-D; any direction across the way in 3-D.
        let coin = if side < 0.5 { 0.0 } else { PI };
        let roll = if V::DIMENSIONS == 2 { coin } else { 2.0 * PI * side };
        let (distance, direction) = length_and_direction(target.minus(position));
        let mut step = self.parameters.step(distance);
        if self.parameters.random_steps && step <= distance {
            step = self.parameters.min_step + (step - self.parameters.min_step) * length;
        }
        leg(position, target, (distance, direction, step), turn, roll, &self.parameters)
    }

    /// All waypoints up front, from `start` to `target`, both included.
    ///
    /// About log₂(D) legs within 20 units of the target plus D/7 beyond, with the default
    /// parameters.
    ///
    /// ```
    /// # use wingbeat_steer::{Jitter, Walker, WalkerParameters};
    /// let mut walker = Walker::new(WalkerParameters::default(), Jitter::owned(3, 0))?;
    /// assert!(walker.waypoints([100.0, 0.0], [0.0, 0.0]).len() > 10);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn waypoints(&mut self, start: V, target: V) -> Vec<V> {
        let mut walk = Vec::from([start]);
        let mut position = start;
        while position != target {
            position = self.next(position, target);
            walk.push(position);
        }
        walk
    }

    /// The walk smoothed: a [`Spline`] through all waypoints.
    ///
    /// # Errors
    /// A start or target outside ±1e30.
    ///
    /// ```
    /// # use wingbeat_steer::{Jitter, Walker, WalkerParameters};
    /// let mut walker = Walker::new(WalkerParameters::default(), Jitter::owned(3, 0))?;
    /// let curve = walker.spline([10.0, 10.0], [0.0, 0.0])?;
    /// assert_eq!(curve.at(0.0), [10.0, 10.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn spline(&mut self, start: V, target: V) -> Result<Spline<V>, ParamError> {
        Spline::new([start, target])?; // refuse before walking toward infinity
        Spline::new(self.waypoints(start, target))
    }

    /// Walks `length` (speed times dt, world units) from `position`: along the present leg, and on
    /// into the next ones, each aimed at where the target is now. Within min_step it goes straight
    /// for the target and stops on it.
    ///
    /// ```
    /// # use wingbeat_steer::{Jitter, Walker, WalkerParameters};
    /// let mut walker = Walker::new(WalkerParameters::default(), Jitter::owned(1, 0))?;
    /// let (mut at, mut rabbit) = ([30.0, 0.0], [0.0, 0.0]);
    /// let mut steps = 0;
    /// while at != rabbit {
    ///     rabbit[1] += 0.05; // it moves at half our speed
    ///     at = walker.walk(at, rabbit, 0.1);
    ///     steps += 1;
    /// }
    /// assert!(steps < 1000);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn walk(&mut self, position: V, target: V, length: f32) -> V {
        let (mut at, mut left) = (position, length);
        // A leg is at least min_step long but for the last, so this is no endless loop; the bound
        // is for rounding far out.
        for _ in 0..1024 {
            let (distance, _) = length_and_direction(target.minus(at));
            let waypoint = match self.heading_for {
                _ if distance <= self.parameters.min_step => target,
                Some(waypoint) => waypoint,
                None => self.next(at, target),
            };
            self.heading_for = Some(waypoint);
            let (leg, direction) = length_and_direction(waypoint.minus(at));
            if leg > left {
                return at.plus(direction.times(left));
            }
            (at, left, self.heading_for) = (waypoint, left - leg, None);
            if at == target {
                break;
            }
        }
        at
    }
}
