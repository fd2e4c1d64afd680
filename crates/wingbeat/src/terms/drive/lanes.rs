//! The forces of drives in lanes: `wingbeat_steer::drive`, operation by operation.

use wingbeat_steer::drive::{
    DriveKind, FARTHEST_PULL, Flow, WanderClock, WanderFrame, WanderParameters, When,
};
use wingbeat_steer::noise;

use crate::domain::nearest_images;
use crate::identity::Identity;
use crate::neighbors::{Block, Keyed, LaneAssignment, SortedFlock};
use crate::simd::series::sin_cos_turns;
use crate::simd::{Float, MAX_LANES, Mask, Outlined, Simd, Vectors};
use crate::terms::combine::Terms;
use crate::terms::drive::field::sample;
use crate::terms::drive::leaders::Leaders;
use crate::terms::drive::own::{BlockState, Now};
use crate::terms::drive::wander::{framed, strolled, strolls};
use crate::terms::drive::{Driving, LaneDrive, PreparedDrive, Tether, Timing};

/// A block and its drives.
#[derive(Clone, Copy)]
struct DriveLanes<'a, S: Simd, const D: usize> {
    driving: &'a Driving<'a, D>,
    flock: &'a SortedFlock<'a, D>,
    block: &'a Block<S, D>,
    state: &'a DriveState<S>,
}

/// What drives ask about the boids of a block.
#[derive(Clone, Copy)]
pub(crate) struct DriveState<S: Simd> {
    /// Lanes that flee, pursue or evade another boid.
    pub busy: S::M,
    /// Lanes that regain stamina.
    pub resting: S::M,
    /// Maximum speeds of their species; a boid's own takes their place.
    pub max_speed: S::F,
}

/// All drives of a block: a term each.
pub(crate) struct DriveBlock<'a, 'b, S: Simd, const D: usize> {
    pub driving: &'a Driving<'a, D>,
    pub flock: &'a SortedFlock<'a, D>,
    pub block: &'a Block<S, D>,
    pub state: &'a DriveState<S>,
    pub terms: &'a mut Terms<'b, S, D>,
}

impl<S: Simd, const D: usize> Outlined<S> for DriveBlock<'_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Self { driving, flock, block, state, terms } = self;
        let (drives, at) = (driving.drives, DriveLanes { driving, flock, block, state });
        for place in 0..drives.ready.len() {
            let ready = &drives.ready[place];
            // Weighted at the end: as in the textbook, a negative weight makes −0 of a drive that
            // does not apply.
            let weight = s.splat(ready.weight);
            let force = match ready.timing {
                Timing::Off => {
                    terms.push(Vectors::zero(s) * weight);
                    continue;
                }
                Timing::On => at.force(s, place, ready),
                Timing::Drawn(part) => {
                    let waits = !at.has_set_off(s, part);
                    Vectors::select(waits, at.standing(s, place, ready), at.force(s, place, ready))
                }
            };
            terms.push(force.or_zero(s, at.applies(s, place)) * weight);
        }
        if drives.own.is_empty() {
            return;
        }
        let now = Now::new(flock.identity.step, driving.time);
        let lanes = BlockState::of(&block.own);
        for place in 0..drives.own.len() {
            let force = drives.own[place].1.block(driving.level, &lanes, &now);
            terms.push(Vectors::load(s, &force, 0));
        }
    }
}

/// Makes the boids of a block look at their leaders: their headings become the directions there.
pub(crate) struct SightDirection<'a, S: Simd, const D: usize> {
    pub driving: &'a Driving<'a, D>,
    pub flock: &'a SortedFlock<'a, D>,
    pub block: &'a mut Block<S, D>,
    pub state: &'a DriveState<S>,
}

impl<S: Simd, const D: usize> Outlined<S> for SightDirection<'_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Self { driving, flock, block, state } = self;
        let (mut turned, mut heading) = (s.first(0), block.own.heading);
        for place in 0..driving.drives.ready.len() {
            let LaneDrive::Leader { leaders, looks: true, .. } = &driving.drives.ready[place].kind
            else {
                continue;
            };
            let at = DriveLanes { driving, flock, block, state };
            let (position, _, has) = at.parents(s, leaders);
            let direction = at.way_to(s, position).unit(s);
            let mut turns =
                has & at.applies(s, place) & direction.largest().gt(s.splat(0.0)) & !turned;
            match driving.drives.ready[place].timing {
                Timing::Off => continue,
                Timing::On => {}
                Timing::Drawn(part) => turns = turns & at.has_set_off(s, part),
            }
            heading = Vectors::select(turns, direction, heading);
            turned = turned | turns;
        }
        block.own.heading = heading;
        block.own.at_rest = block.own.at_rest & !turned;
    }
}

/// Lanes whose boids do not wait any more: of their delays, drawn as in `Delay::of`, those below
/// `part` are over.
#[inline(always)]
pub(super) fn has_set_off<S: Simd>(
    s: S,
    identity: &Identity<'_>,
    lane_slots: &LaneAssignment<S>,
    part: f32,
) -> S::M {
    let key = Keyed::new(s, &Identity { step: 0, ..*identity }, lane_slots);
    key.uniform(s, noise::stream::DELAY).lt(s.splat(part))
}

impl<S: Simd, const D: usize> DriveLanes<'_, S, D> {
    /// Lanes whose draw is below this: their delay is over.
    #[inline(always)]
    fn has_set_off(&self, s: S, part: f32) -> S::M {
        has_set_off(s, &self.flock.identity, &self.block.lane_slots, part)
    }

    /// The force on a boid that waits: where the drive would have it take a velocity, it is to
    /// stand.
    #[inline(always)]
    fn standing(&self, s: S, place: usize, ready: &PreparedDrive<D>) -> Vectors<S, D> {
        let still = Vectors::zero(s) - self.block.own.velocity;
        match &ready.kind {
            LaneDrive::Goal { target, range_sq, .. } => {
                still.or_zero(s, self.way_to_goal(s, target, *range_sq).1)
            }
            LaneDrive::Leader { leaders, distance: Some(_), .. } => {
                still.or_zero(s, self.parents(s, leaders).2)
            }
            LaneDrive::Waypoints { .. } | LaneDrive::Road => still,
            LaneDrive::Flow => match &self.driving.drives.list[place].kind {
                DriveKind::Flow(flow) if !flow.raw => still.or_zero(s, self.field(s, flow).1),
                _ => Vectors::zero(s),
            },
            LaneDrive::Speed(speed) => self.speed(s, 0.0, speed.rate),
            _ => Vectors::zero(s),
        }
    }

    /// Lanes that a drive acts on now, as far as it is not a matter of time.
    #[inline(always)]
    fn applies(&self, s: S, place: usize) -> S::M {
        let drive = &self.driving.drives.list[place];
        let applies = match drive.when {
            When::Always => s.first(S::LANES),
            When::Idle => !(self.state.busy | self.state.resting),
            When::Busy => self.state.busy,
            When::Resting => self.state.resting,
        };
        let (Some(wanted), Some(species)) = (drive.species, self.driving.extra.species.get())
        else {
            return applies;
        };
        let (wanted, species) = (
            s.splat(wanted as f32),
            self.block.lane_slots.numbers(s, self.flock, species, self.block.count),
        );
        applies & species.le(wanted) & wanted.le(species)
    }

    /// Maximum speeds.
    #[inline(always)]
    fn max_speed(&self, s: S) -> S::F {
        self.block.own_or(s, self.flock, self.driving.extra.max_speed.get(), self.state.max_speed)
    }

    /// A drive's force, not yet weighted.
    #[inline(always)]
    fn force(&self, s: S, place: usize, ready: &PreparedDrive<D>) -> Vectors<S, D> {
        let own = &self.block.own;
        match &ready.kind {
            LaneDrive::Goal { target, slowing_radius, range_sq, settles } => {
                let force = self.goal(s, target, *slowing_radius, *range_sq);
                if *settles { self.unless_settled(s, place, ready, force) } else { force }
            }
            LaneDrive::Wander { parameters, clock } => {
                self.wander(s, ready.column, parameters, clock)
            }
            LaneDrive::Leader { leaders, distance, .. } => self.leader(s, leaders, *distance),
            LaneDrive::Waypoints { points, slowing } => {
                self.waypoint(s, ready.column, points, slowing)
            }
            LaneDrive::Road => self.road(s, place, ready.column),
            LaneDrive::Flow => self.flow(s, place),
            LaneDrive::Wind(wind) => {
                let vector = Vectors::splat(s, wind.vector);
                if wind.drag { vector - own.velocity } else { vector }
            }
            LaneDrive::Speed(speed) => self.speed(s, speed.speed, speed.rate),
            LaneDrive::Tether(tether) => self.tether(s, tether),
            LaneDrive::Noise { size, stream, draw, .. } => self.noise(s, *size, *stream, *draw),
        }
    }

    /// One of a boid's columns.
    #[inline(always)]
    fn column(&self, s: S, column: &[f32]) -> S::F {
        self.block.lane_slots.column(s, self.flock, column, self.block.count)
    }

    /// The way to points, through the nearest image.
    #[inline(always)]
    fn way_to(&self, s: S, points: Vectors<S, D>) -> Vectors<S, D> {
        nearest_images(s, self.flock.domain, points - self.block.own.position)
    }

    #[inline(always)]
    fn speed(&self, s: S, speed: f32, rate: f32) -> Vectors<S, D> {
        let own = &self.block.own;
        let missing = s.splat(speed) - own.velocity.dot(own.velocity).sqrt();
        own.heading * (missing * s.splat(rate))
    }

    #[inline(always)]
    fn goal(
        &self,
        s: S,
        target: &Option<[f32; D]>,
        slowing_radius: f32,
        range_sq: f32,
    ) -> Vectors<S, D> {
        let (way, near) = self.way_to_goal(s, target, range_sq);
        self.arrive(s, way, s.splat(slowing_radius)).or_zero(s, near)
    }

    /// Where boids have settled: they are to stand.
    #[inline(always)]
    fn unless_settled(
        &self,
        s: S,
        place: usize,
        ready: &PreparedDrive<D>,
        force: Vectors<S, D>,
    ) -> Vectors<S, D> {
        let settled =
            self.column(s, self.driving.extra.memories[ready.column].values()).ge(s.splat(1.0));
        Vectors::select(settled, self.standing(s, place, ready), force)
    }

    /// The way to the goal, and lanes that have one in range.
    #[inline(always)]
    fn way_to_goal(&self, s: S, target: &Option<[f32; D]>, range_sq: f32) -> (Vectors<S, D>, S::M) {
        let goals = &self.driving.extra.goals;
        let (mut has, mut goal) = match target {
            Some(target) => (s.first(S::LANES), Vectors::splat(s, *target)),
            None => (s.first(0), Vectors::zero(s)),
        };
        if goals[0].in_use() {
            let mut own = Vectors::zero(s);
            for a in 0..D {
                own[a] = self.column(s, goals[a].values());
            }
            let owns = own[0].le(own[0]);
            goal = Vectors::select(owns, own, goal);
            has = has | owns;
        }
        let way = self.way_to(s, goal);
        (way, has & way.dot(way).le(s.splat(range_sq)))
    }

    /// `behavior::arrive` along a way.
    #[inline(always)]
    fn arrive(&self, s: S, way: Vectors<S, D>, slowing_radius: S::F) -> Vectors<S, D> {
        let max_speed = self.max_speed(s);
        let (distance, direction) = way.length_and_direction(s);
        let slowing = slowing_radius.gt(s.splat(0.0)) & distance.le(slowing_radius);
        let speed = slowing.select(max_speed * (distance / slowing_radius), max_speed);
        direction * speed - self.block.own.velocity
    }

    #[inline(always)]
    fn wander(
        &self,
        s: S,
        column: usize,
        parameters: &WanderParameters,
        clock: &WanderClock,
    ) -> Vectors<S, D> {
        let mut stroll = Vectors::zero(s);
        for a in 0..strolls::<D>() {
            stroll[a] = self.column(s, self.driving.extra.memories[column + a].values());
        }
        let identity = Identity { step: clock.draw, ..self.flock.identity };
        let key = Keyed::new(s, &identity, &self.block.lane_slots);
        let point = strolled(s, &key, stroll, parameters.range, clock.part);
        let heading = self.block.own.heading;
        let point =
            if parameters.frame == WanderFrame::World { point } else { framed(s, heading, point) };
        heading * s.splat(parameters.distance) + point * s.splat(parameters.radius)
    }

    /// Positions and velocities of the leaders, and lanes that have one.
    #[inline(always)]
    fn parents(&self, s: S, leaders: &Leaders<D>) -> (Vectors<S, D>, Vectors<S, D>, S::M) {
        let (mut position, mut velocity) = ([[0.0; MAX_LANES]; D], [[0.0; MAX_LANES]; D]);
        let (boids, mut has) = (self.driving.boids, 0);
        for lane in 0..self.block.count {
            let rank = self.flock.identity.rank[self.block.lane_slots.slot(lane)];
            let Some(slot) = leaders.slot_of(rank) else { continue };
            has |= 1 << lane;
            for a in 0..D {
                position[a][lane] = boids.position[a][slot];
                velocity[a][lane] = boids.velocity[a][slot];
            }
        }
        (Vectors::load(s, &position, 0), Vectors::load(s, &velocity, 0), s.mask(has))
    }

    #[inline(always)]
    fn leader(&self, s: S, leaders: &Leaders<D>, distance: Option<f32>) -> Vectors<S, D> {
        let (position, velocity, has) = self.parents(s, leaders);
        let way = self.way_to(s, position);
        let force = match distance {
            None => way.unit(s),
            Some(distance) => {
                let (heading, _) = velocity.heading(s);
                self.arrive(s, way - heading * s.splat(distance), s.splat(distance))
            }
        };
        force.or_zero(s, has)
    }

    #[inline(always)]
    fn waypoint(&self, s: S, column: usize, points: &[[f32; D]], slowing: &[f32]) -> Vectors<S, D> {
        let mut next = [0.0; MAX_LANES];
        self.column(s, self.driving.extra.memories[column].values()).store(&mut next);
        let (mut places, mut radii) = ([[0.0; MAX_LANES]; D], [0.0; MAX_LANES]);
        for lane in 0..self.block.count {
            let next = next[lane] as usize;
            radii[lane] = slowing[next];
            for a in 0..D {
                places[a][lane] = points[next][a];
            }
        }
        let way = self.way_to(s, Vectors::load(s, &places, 0));
        self.arrive(s, way, s.load(&radii, 0))
    }

    /// The definition itself, a boid at a time.
    #[inline(always)]
    fn road(&self, s: S, place: usize, column: usize) -> Vectors<S, D> {
        let DriveKind::Path(path) = &self.driving.drives.list[place].kind else {
            return Vectors::zero(s);
        };
        let (mut force, mut max_speed, mut along) =
            ([[0.0; MAX_LANES]; D], [0.0; MAX_LANES], [0.0; MAX_LANES]);
        self.max_speed(s).store(&mut max_speed);
        self.column(s, self.driving.extra.memories[column].values()).store(&mut along);
        let columns = self.flock.columns;
        for lane in 0..self.block.count {
            let seat = self.block.lane_slots.slot(lane);
            let (position, velocity) = (columns.position(seat), columns.velocity(seat));
            let way = path.along_road(position, velocity, along[lane], max_speed[lane]);
            for a in 0..D {
                force[a][lane] = way[a];
            }
        }
        Vectors::load(s, &force, 0)
    }

    #[inline(always)]
    fn flow(&self, s: S, place: usize) -> Vectors<S, D> {
        let DriveKind::Flow(flow) = &self.driving.drives.list[place].kind else {
            return Vectors::zero(s);
        };
        let (field, flows) = self.field(s, flow);
        if flow.raw {
            return field;
        }
        (field * self.max_speed(s) - self.block.own.velocity).or_zero(s, flows)
    }

    /// A flow's field, and lanes where it is not 0.
    #[inline(always)]
    fn field(&self, s: S, flow: &Flow<[f32; D]>) -> (Vectors<S, D>, S::M) {
        let field =
            sample(s, flow.field_at(self.driving.time), &self.block.own.position, self.block.count);
        (field, field.largest().gt(s.splat(0.0)))
    }

    #[inline(always)]
    fn tether(&self, s: S, tether: &Tether<[f32; D]>) -> Vectors<S, D> {
        let (distance, direction) =
            self.way_to(s, Vectors::splat(s, tether.anchor)).length_and_direction(s);
        let radius = s.splat(tether.radius);
        let (beyond, farthest) = (distance - radius, s.splat(FARTHEST_PULL));
        let pull = beyond.lt(farthest).select(beyond, farthest) * s.splat(tether.strength);
        (direction * pull).or_zero(s, distance.gt(radius))
    }

    #[inline(always)]
    fn noise(&self, s: S, size: f32, stream: u32, draw: u64) -> Vectors<S, D> {
        let identity = Identity { step: draw, ..self.flock.identity };
        let key = Keyed::new(s, &identity, &self.block.lane_slots);
        let (sin, cos) = sin_cos_turns(s, key.uniform(s, stream));
        let mut way = Vectors::zero(s);
        (way[0], way[1]) = (cos, sin);
        if D == 3 {
            let z = s.splat(2.0) * key.uniform(s, stream + 1) - s.splat(1.0);
            let r = (s.splat(1.0) - z * z).sqrt();
            (way[0], way[1], way[2]) = (cos * r, sin * r, z);
        }
        way * s.splat(size)
    }
}
