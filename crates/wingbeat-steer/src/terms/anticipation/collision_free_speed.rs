//! Tordeux, Chraibi and Seyfried 2016: the collision-free speed model.

use crate::math::noise::{normal_of, stream};
use crate::terms::anticipation::definition::{AnticipationDefinition, Mover, Nearby, Wall};
use crate::terms::anticipation::program::Program;
use crate::terms::anticipation::shared::{Contact, exponential, finite_or};
use crate::{Vector, heading, math};

parameters! {
    /// A direction that turns away from others, and a speed that the gap ahead allows.
    ///
    /// With v₀ the length of the preferred velocity and e₀ its direction, n the unit vector to
    /// another, d its distance, ℓ the sum of the two radii (of a wall the mover's own):
    ///
    /// ```text
    /// e = unit(e₀ − Σ a·exp((ℓ − d)/D)·n − Σ over walls a_w·exp((ℓ − d)/D_w)·n)
    ///                                            (the heading, where that is 0)
    /// s = the smallest d − ℓ of those ahead: e·o ≥ 0 and ‖o − e·(e·o)‖ ≤ ℓ
    /// v = e·clamp(s/T, 0, min(v₀, max_speed))
    /// ```
    ///
    /// Where `time_gap_spread` is above 0 each mover has its own T =
    /// time_gap·exp(time_gap_spread·z), z the [normal draw](crate::math::noise::normal_of) of
    /// (seed, id, 115), |z| < 3: worked out in `f64` and then rounded. Log-normal, because a T must
    /// be positive however wide the spread; as 1/T, to which the speed in a crowd is proportional,
    /// is then as widely spread as T.
    ///
    /// Walls turn the direction and never slow down, as in JuPedSim's three versions of this model.
    /// Who stands on the same point is left in a direction drawn for the step. The exponential is
    /// at most 2⁶⁰.
    ///
    /// Sources: A. Tordeux, M. Chraibi, A. Seyfried, *Collision-free speed model for pedestrian
    /// dynamics*, Traffic and Granular Flow '15, 2016, for e and V(s); JuPedSim 1.4
    /// (CollisionFreeSpeedModel and CollisionFreeSpeedModelV2, which differ only in whose the
    /// parameters are) for walls, for the corridor of those ahead and for all defaults.
    /// CollisionFreeSpeedModelV3 turns by another formula and is not this model. JuPedSim leaves
    /// out those that a wall hides; here all in reach count. Where the sum is 0 it goes on in its
    /// last direction at v₀; a boid that prefers to stay (v₀ = 0) stays here.
    pub struct CollisionFreeSpeed in "anticipation." {
        time_gap: f32 = 1.0, "time", 1e-6 => 1e6, "T, the gap ahead is what is walked in this \
            time.", "slower crowds: at a gap of s the speed is s/T";
        time_gap_spread: f32 = 0.0, "1", 0.0 => 1.0, "Standard deviation of the logarithm of T \
            from boid to boid: each has a T of its own, drawn by its id, half of all a shorter one \
            than time_gap.", "some keep close and others far behind";
        strength: f32 = 8.0, "1", 0.0 => 1e9, "a, how much others turn the direction, at \
            contact.", "wider detours, up to walking backwards";
        range: f32 = 0.1, "length", 1e-6 => 1e9, "D, over which that falls by the factor e.",
            "turning away earlier";
        wall_strength: f32 = 5.0, "1", 0.0 => 1e9, "a_w, how much walls turn the direction, at \
            contact.", "more room at walls, jams in narrow doors";
        wall_range: f32 = 0.02, "length", 1e-6 => 1e9, "D_w, over which that falls by the factor \
            e.", "turning away from walls earlier";
        distance: f32 = 3.0, "length", 1e-9 => 1e12, "How far others are looked at, centre to \
            centre.", "costlier steps; below ℓ + v₀·T people brake too late";
    }
}

impl CollisionFreeSpeed {
    /// The model with the time gap of the boid of an id.
    ///
    /// ```
    /// use wingbeat_steer::anticipation::CollisionFreeSpeed;
    /// let model = CollisionFreeSpeed { time_gap_spread: 0.3, ..Default::default() };
    /// assert!(model.of(7, 1).time_gap != model.of(7, 2).time_gap);
    /// assert_eq!(CollisionFreeSpeed::default().of(7, 1), CollisionFreeSpeed::default());
    /// ```
    #[must_use]
    pub fn of(&self, seed: u64, id: u64) -> Self {
        if self.time_gap_spread == 0.0 {
            return *self;
        }
        let factor =
            libm::exp(f64::from(self.time_gap_spread) * normal_of(seed, id, stream::TIME_GAP));
        Self { time_gap: (f64::from(self.time_gap) * factor) as f32, ..*self }
    }

    /// V(s) = clamp(s/T, 0, most): the speed that a gap allows.
    ///
    /// ```
    /// use wingbeat_steer::anticipation::CollisionFreeSpeed;
    /// let model = CollisionFreeSpeed { time_gap: 2.0, ..Default::default() };
    /// assert_eq!([-1.0, 1.0, 9.0].map(|gap| model.speed(gap, 1.25)), [0.0, 0.5, 1.25]);
    /// ```
    pub fn speed(&self, gap: f32, most: f32) -> f32 {
        math::clamp(gap * (1.0 / self.time_gap), 0.0, most)
    }

    /// How much one other or wall turns the direction, towards it; it is taken away.
    fn turned<V: Vector>(met: &Contact<V>, strength: f32, range: f32) -> V {
        met.toward.times(strength * exponential((met.contact - met.distance) * (1.0 / range)))
    }
}

impl AnticipationDefinition for CollisionFreeSpeed {
    const NAME: &'static str = "collision_free_speed";
    const ABOUT: &'static str = "A direction away from others, a speed the gap ahead allows \
            (Tordeux, Chraibi and Seyfried \
            2016).";
    const IS_VELOCITY: bool = true;

    fn distance(&self) -> f32 {
        self.distance
    }

    fn answer<V: Vector>(
        &self,
        _program: &mut Program<V>,
        mover: &Mover<V>,
        others: &[Nearby<V>],
        walls: &[Wall<V>],
    ) -> V {
        let (mut toward, mut toward_walls) = (V::origin(), V::origin());
        for other in others {
            toward =
                toward.plus(Self::turned(&Contact::other(mover, other), self.strength, self.range));
        }
        for met in walls.iter().filter_map(|wall| Contact::wall(mover, wall)) {
            toward_walls =
                toward_walls.plus(Self::turned(&met, self.wall_strength, self.wall_range));
        }
        let sum = mover.preferred.unit().minus(toward).minus(toward_walls).unit();
        let direction = if sum.largest() > 0.0 { sum } else { heading(mover.velocity) };
        let mut gap = f32::INFINITY;
        for other in others {
            let contact = mover.radius + other.radius;
            let along = direction.inner(other.offset);
            let across = other.offset.minus(direction.times(along));
            if along >= 0.0 && across.norm_sq() <= contact * contact {
                gap = math::min(math::sqrt(other.distance_sq) - contact, gap);
            }
        }
        let most = math::min(mover.preferred.norm(), mover.max_speed);
        finite_or(direction.times(self.of(mover.seed, mover.id).speed(gap, most)), V::origin())
    }
}
