//! Goal: to a point, slowing down before it.

use crate::schema::setting::SettingKind;
use crate::terms::behavior::arrival_velocity;
use crate::terms::drive::definition::{
    DriveDefinition, DriveParts, Driven, Field, Memory, Progress, check_place,
};
use crate::{Domain, ParamError, Vector, math};

parameters! {
    /// Drives a boid to its own goal (`Flock::set_goal`), or where it has none to a common target;
    /// without either the force is 0.
    ///
    /// Formula: o the way to the goal through the nearest image, d its length;
    /// unit(o)·max_speed·min(1, d/slowing_radius) − v within `range`, 0 beyond:
    /// [`arrive`](crate::behavior::arrive).
    ///
    /// ```
    /// use wingbeat_steer::drive::{Goal, OnArrival};
    /// let door = Goal {
    ///     target: Some([9.0, 5.0]),
    ///     arrival_radius: 0.5,
    ///     on_arrival: OnArrival::Leave,
    ///     ..Default::default()
    /// };
    /// assert_eq!((door.slowing_radius, door.range), (1.0, f32::INFINITY));
    /// ```
    /// Source: Reynolds 1999 (seek, arrival).
    pub struct Goal<V: Vector> in "drive." {
        slowing_radius: f32 = 1.0, "length", 0.0 => 1e12, "Within this distance the wanted speed \
            falls in proportion; 0: no slowing down.", "earlier and gentler braking";
        arrival_radius: f32 = 0.0, "length", 0.0 => 1e12, "Who ends a step this near has arrived; \
            0: none does.", "sooner";
    }
    settings {
        target: Option<V> = None, shown "none", in "length" from -1e30 => 1e30, "Where \
            boids without a goal of their own are drawn, inside the domain.";
        /// It is told once for each goal.
        on_arrival: OnArrival = OnArrival::Stay, shown "stay; settle with bodies, a target and an \
            arrival_radius", "What becomes of a boid that has arrived: it is still drawn there; \
            leaves the flock as through a door; or settles, and wants to stand from then on until \
            it gets another goal, and so do bodies that settled ones keep from the goal.";
        /// Range: above 0, at most 1e12, or infinite.
        #[cfg_attr(
            feature = "serde",
            serde(
                default = "crate::schema::serial::no_bound",
                with = "crate::schema::serial::bound"
            )
        )]
        range: f32 = f32::INFINITY, shown "no bound", in "length",
            takes SettingKind::above(0.0, 1e12), "Only those this near are drawn. Larger: from \
            further away.";
    }
}

choices! {
    /// What becomes of a boid that has arrived.
    #[non_exhaustive]
    pub enum OnArrival {
        /// It stays, and is still drawn to the goal.
        #[default]
        Stay = "stay",
        /// It leaves the flock at the end of the step, as through a door.
        Leave = "leave",
        /// It wants to stand from then on, wherever it is, until it gets another goal. So does a
        /// body that settled ones keep from the goal: many that are sent to one point gather about
        /// it and come to rest.
        ///
        /// A boid *presses* in a step that begins with its center within 1.5·(Rᵢ + Rⱼ) of that of a
        /// body that has arrived at the same point, and that brings it nearer to the point by less
        /// than half of the wanted speed times dt. Pressing adds dt·max_speed/(2·Rᵢ) to what it
        /// remembers, any other step takes as much away, down to 0; at 1, after the time in which
        /// it could have gone two radii, it has arrived too, which is told. Boids that are no
        /// bodies arrive by the arrival radius alone.
        Settle = "settle",
    }
}

/// Bodies this many times the sum of their radii apart, or less, lean on each other.
const LEANS: f32 = 1.5;
/// The part of the wanted speed below which a boid gets no nearer.
const NO_NEARER: f32 = 0.5;
/// A boid presses for the time in which it could go this many of its radii. Longer, and those under
/// way push the settled ones about: of 60 discs of radius 0.3 with ORCA the mean distance from the
/// goal is 2.4 with 2, 3.1 with 5, and 4.5 with 20; 1.6 were the densest packing.
const PATIENCE: f32 = 2.0;

impl<V: Vector> Goal<V> {
    fn way(&self, boid: &Driven<'_, V>) -> Option<V> {
        Some(boid.way_to(self.target_of(boid)?))
    }

    /// Where it leads the boid.
    pub(crate) fn target_of(&self, boid: &Driven<'_, V>) -> Option<V> {
        boid.goal.or(self.target)
    }

    /// Whether boids settle where they arrive.
    pub fn settles(&self) -> bool {
        self.on_arrival == OnArrival::Settle
    }

    /// Whether two bodies lean on each other: `offset` is the way from one to the other, `radii`
    /// the sum of their radii.
    pub fn leans(offset: V, radii: f32) -> bool {
        let reach = Self::reach(radii);
        offset.norm_sq() <= reach * reach
    }

    /// How far apart bodies are at most that lean on each other, by the sum of their radii.
    pub fn reach(radii: f32) -> f32 {
        radii * LEANS
    }

    /// Whether a step gets a boid nearer by less than half of what it wants, by its ways to the
    /// target before and after.
    pub fn gets_no_nearer(&self, before: V, after: V, max_speed: f32, dt: f32) -> bool {
        let distance = before.norm_plain();
        let slows = self.slowing_radius > 0.0 && distance <= self.slowing_radius;
        let wanted = if slows { max_speed * (distance / self.slowing_radius) } else { max_speed };
        distance - after.norm_plain() < NO_NEARER * (wanted * dt)
    }

    /// What a boid of a given radius remembers after a step, by whether it pressed in it
    /// ([`OnArrival::Settle`]); at 1 it has arrived.
    pub fn pressed(part: f32, presses: bool, (max_speed, radius): (f32, f32), dt: f32) -> f32 {
        let more = (dt * max_speed) / (PATIENCE * radius);
        if presses { math::min(part + more, 1.0) } else { math::max(part - more, 0.0) }
    }

    /// Whether it stands within the arrival radius.
    fn is_at(&self, boid: &Driven<'_, V>) -> bool {
        let near = |way: V| way.norm_sq() <= self.arrival_radius * self.arrival_radius;
        self.arrival_radius > 0.0 && self.way(boid).is_some_and(near)
    }
}

impl<V: Vector> DriveDefinition<V> for Goal<V> {
    const NAME: &'static str = "goal";

    fn check(&self, at: &Field<'_>, domain: &Domain<V>) -> Result<(), ParamError> {
        if let Some(target) = self.target {
            check_place(&at.key("target"), target, domain)?;
        }
        at.ranges(self)?;
        if self.settles() && self.arrival_radius == 0.0 {
            return Err(ParamError::new(
                at.key("arrival_radius"),
                self.arrival_radius,
                "above 0 where on_arrival is settle",
            ));
        }
        Ok(())
    }

    fn begin(&self) -> Memory<V> {
        if self.settles() { Memory::Settling(0.0) } else { Memory::Arrived(false) }
    }

    fn continues(&self, before: &Self) -> bool {
        self.target == before.target
            && (self.arrival_radius > 0.0) == (before.arrival_radius > 0.0)
            && self.settles() == before.settles()
    }

    /// `None` without a target in range.
    fn desired(&self, boid: &Driven<'_, V>) -> Option<V> {
        let way = self.way(boid).filter(|way| way.norm_sq() <= self.range * self.range)?;
        let settled = matches!(boid.memory, Memory::Settling(part) if part >= 1.0);
        Some(if settled {
            V::origin()
        } else {
            arrival_velocity(way, boid.max_speed, self.slowing_radius)
        })
    }

    fn progress(&self, boid: &Driven<'_, V>, is_driven: bool, _time: f64) -> Progress<V> {
        let arrives = || is_driven && self.is_at(boid);
        match boid.memory {
            Memory::Arrived(false) if arrives() => {
                Progress { memory: Memory::Arrived(true), arrived: true }
            }
            Memory::Settling(part) if part < 1.0 && arrives() => {
                Progress { memory: Memory::Settling(1.0), arrived: true }
            }
            memory => Progress::none(memory),
        }
    }

    fn parts(&self, boid: &Driven<'_, V>, _force: Option<V>) -> DriveParts<V> {
        let target = self.target_of(boid);
        DriveParts {
            arrived: (self.arrival_radius > 0.0).then_some(match boid.memory {
                Memory::Settling(part) => part >= 1.0,
                memory => memory == Memory::Arrived(true),
            }),
            ..target.map_or(DriveParts::default(), |target| DriveParts::toward(boid, target))
        }
    }
}
