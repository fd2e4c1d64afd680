//! Wander: a point strolling on a circle (or sphere) carried ahead of the agent.

use core::f64::consts::TAU;

use crate::schema::parameter_info::Parameters;
use crate::terms::behavior::geometry::{heading, heading_frame};
use crate::terms::behavior::jitter::Jitter;
use crate::terms::behavior::stroll::{DrawnTurn, Stroll, WanderClock};
use crate::{ParamError, Vector};

choices! {
    /// In whose frame the wander circle turns.
    ///
    /// ```
    /// use wingbeat_steer::{WanderFrame, WanderParameters};
    /// let _ = WanderParameters { frame: WanderFrame::Heading, ..Default::default() };
    /// ```
    pub enum WanderFrame {
        /// Angles are measured in the world, as in the source: the agent is drawn toward wherever
        /// the point happens to be, so it keeps a course for long and then sweeps into another.
        #[default]
        World = "world",
        /// Angles are measured from the heading, as in Reynolds' figure: the point's place means
        /// "turn left" or "turn right", so the agent curls, and a point behind it brakes.
        Heading = "heading",
    }
}

parameters! {
    /// The style of a wander. The defaults are the source's.
    ///
    /// ```
    /// use wingbeat_steer::WanderParameters;
    /// let nervous = WanderParameters { range: 3.0, ..Default::default() };
    /// assert_eq!((nervous.distance, nervous.radius), (10.0, 5.0));
    /// ```
    /// Source: the first of the five source systems, after Reynolds 1999.
    pub struct WanderParameters in "drive." {
        distance: f32 = 10.0, "mass·length/time²", 0.0 => 1e9, "How far ahead the circle lies, on \
            which the point strolls that draws the boid.", "straighter and faster";
        radius: f32 = 5.0, "mass·length/time²", 0.0 => 1e9, "Radius of the circle, in space of a \
            sphere.", "wider swings, sharper turns";
        range: f32 = 1.0, "radians", 0.0 => TAU, "Width of the random turn drawn for each \
            interval.", "more nervous; small: long smooth arcs";
        interval: f32 = 1.0, "time", 1e-3 => 1e6, "Time between draws.", "the same turns, more \
            slowly";
    }
    settings {
        frame: WanderFrame = WanderFrame::World, "Whether angles are measured in the world, as \
            the source has it, or from the heading.";
    }
}

impl WanderParameters {
    fn checked(self) -> Result<Self, ParamError> {
        self.check_ranges("wander")?;
        Ok(self)
    }
}

/// The force of a wander whose point lies in direction `point` (a unit vector) from the circle's
/// centre.
///
/// Formula: `distance·h + radius·point`, the point turned into the [`heading_frame`] if the
/// parameters say so. At rest h = 0: only the circle is left, so a resting agent starts moving.
///
/// ```
/// use wingbeat_steer::{WanderParameters, behavior::wander};
/// assert_eq!(wander([0.0, 3.0], [1.0, 0.0], &WanderParameters::default()), [5.0, 10.0]);
/// ```
/// Source: Reynolds 1999; numbers of the source system.
#[inline]
pub fn wander<V: Vector>(velocity: V, point: V, parameters: &WanderParameters) -> V {
    let point = match parameters.frame {
        WanderFrame::World => point,
        WanderFrame::Heading => heading_frame(velocity, point),
    };
    heading(velocity).times(parameters.distance).plus(point.times(parameters.radius))
}

/// A wandering agent's memory: where on the circle (2-D) or sphere (3-D) the point is, and the
/// randomness that moves it.
///
/// 1. At the start the point lies at angle 0 (+x).
/// 2. For every `interval` one turn U(−½, ½)·range is drawn; in 3-D also the direction along the
///    sphere it is made in.
/// 3. Within the interval the point moves along that arc at an even pace.
///
/// So the point's path is a fixed function of **time**: the same seed gives the same wander at 30,
/// 60 or 144 steps per unit of time, and with `dt = interval = 1` exactly the source's. What
/// differs between frame rates is only how the host integrates the force: over 60 units of time
/// with default parameters, tracks taken at 30, 60 and 144 steps per unit of time stay within 1 %
/// of the distance travelled (`tests/it/frame_rate.rs`).
///
/// A wander made with [`Jitter::keyed`] has the same point, bit for bit, as the
/// [drive](crate::Drive) of a flock with that seed and id.
///
/// At a fixed heading the force changes by at most `2·radius·sin(range/4)` per interval (2.47 with
/// the defaults).
///
/// ```
/// use wingbeat_steer::{Jitter, Wander, WanderParameters};
/// let mut wander = Wander::new(WanderParameters::default(), Jitter::owned(1, 0))?;
/// assert_eq!(wander.steer([2.0, 0.0], 1.0), [15.0, 0.0]); // θ starts at 0
/// assert_ne!(wander.steer([2.0, 0.0], 1.0), [15.0, 0.0]); // and has moved on
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: Reynolds 1999; the first of the five source systems.
#[derive(Debug, Clone, PartialEq)]
pub struct Wander<V> {
    parameters: WanderParameters,
    jitter: Jitter,
    /// Time passed, the lengths of all steps added up.
    time: f64,
    clock: WanderClock,
    /// The point at the interval's start.
    stroll: Stroll<V>,
    /// The whole turn of this interval.
    drawn: DrawnTurn<V>,
}

impl<V: Vector> Wander<V> {
    /// A wander at angle 0.
    ///
    /// # Errors
    /// A parameter outside its range (see [`WanderParameters`]).
    ///
    /// ```
    /// # use wingbeat_steer::{Jitter, Wander, WanderParameters, glam::Vec3};
    /// let sphere = Wander::<Vec3>::new(WanderParameters::default(), Jitter::keyed(1, 0))?;
    /// assert_eq!(sphere.point(), Vec3::X);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn new(parameters: WanderParameters, jitter: Jitter) -> Result<Self, ParamError> {
        let parameters = parameters.checked()?;
        let (stroll, mut jitter) = (Stroll::default(), jitter);
        let drawn = stroll.draw(parameters.range, |which| jitter.uniform(0, which));
        Ok(Self { parameters, jitter, time: 0.0, clock: WanderClock::default(), stroll, drawn })
    }

    /// The style.
    ///
    /// ```
    /// # use wingbeat_steer::{Jitter, Wander, WanderParameters};
    /// let wander = Wander::<[f32; 2]>::new(WanderParameters::default(), Jitter::owned(1, 0))?;
    /// assert_eq!(wander.parameters().radius, 5.0);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn parameters(&self) -> &WanderParameters {
        &self.parameters
    }

    /// Direction of the point from the centre of its circle: a unit vector.
    ///
    /// ```
    /// # use wingbeat_steer::{Jitter, Wander, WanderParameters};
    /// let wander = Wander::<[f32; 2]>::new(WanderParameters::default(), Jitter::owned(1, 0))?;
    /// assert_eq!(wander.point(), [1.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn point(&self) -> V {
        self.stroll.point(&self.drawn, self.clock.part)
    }

    /// The force now; then time moves on by `dt` (0…1000; NaN counts as 0).
    ///
    /// ```
    /// # use wingbeat_steer::{Jitter, Wander, WanderParameters};
    /// let mut wander = Wander::new(WanderParameters::default(), Jitter::owned(1, 0))?;
    /// let force = wander.steer([0.0, 1.0], 1.0 / 60.0);
    /// assert_eq!(force, [5.0, 10.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn steer(&mut self, velocity: V, dt: f32) -> V {
        let force = wander(velocity, self.point(), &self.parameters);
        self.advance(dt);
        force
    }

    /// Lets time pass: at most `dt/interval` draws.
    fn advance(&mut self, dt: f32) {
        self.time += f64::from(crate::terms::behavior::geometry::time_step(dt));
        let now = WanderClock::at(self.time, self.parameters.interval);
        for draw in self.clock.draw..now.draw {
            self.stroll = self.stroll.after(&self.drawn);
            let jitter = &mut self.jitter;
            self.drawn =
                self.stroll.draw(self.parameters.range, |which| jitter.uniform(draw + 1, which));
        }
        self.clock = now;
    }
}
