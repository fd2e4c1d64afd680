//! The forces of drives in lanes: `wingbeat_steer::drive`, operation by operation.
#![forbid(unsafe_code)]

use wingbeat_steer::drive::{
    DriveKind, FARTHEST_PULL, FlowField, Outside, RADIANS_TO_TURNS, WanderFrame, WanderParameters, When,
};
use wingbeat_steer::{Domain, behavior, noise};

use super::leaders::Leaders;
use super::own::{Lanes, Now};
use super::{Driving, Kind, Ready, Tether};
use crate::combine::Terms;
use crate::kernel::{Block, Seats, World};
use crate::model::noise::Keyed;
use crate::simd::series::sin_cos_turns;
use crate::simd::{Float, MAX_LANES, Mask, Piece, Simd, Vectors};

/// A block, and what drives it.
#[derive(Clone, Copy)]
struct At<'a, S: Simd, const D: usize> {
    driving: &'a Driving<'a, D>,
    world: &'a World<'a, D>,
    block: &'a Block<S, D>,
    moods: &'a Moods<S>,
}

/// What the boids of a block are about.
#[derive(Clone, Copy)]
pub(crate) struct Moods<S: Simd> {
    /// Who flees, pursues or evades somebody.
    pub busy: S::M,
    /// Who regains its stamina.
    pub resting: S::M,
    /// Maximum speeds of their species, before what is a boid's own.
    pub max_speed: S::F,
}

impl<S: Simd> Moods<S> {
    /// Of boids that are all alike.
    #[inline(always)]
    pub fn alike(s: S, max_speed: f32) -> Self {
        Self { busy: s.mask(0), resting: s.mask(0), max_speed: s.splat(max_speed) }
    }
}

/// All drives of a block: a term each.
pub(crate) struct DriveBlock<'a, 'b, S: Simd, const D: usize> {
    pub driving: &'a Driving<'a, D>,
    pub world: &'a World<'a, D>,
    pub block: &'a Block<S, D>,
    pub moods: &'a Moods<S>,
    pub terms: &'a mut Terms<'b, S, D>,
}

impl<S: Simd, const D: usize> Piece<S> for DriveBlock<'_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Self { driving, world, block, moods, terms } = self;
        let (drives, at) = (driving.drives, At { driving, world, block, moods });
        for place in 0..drives.ready.len() {
            let ready = &drives.ready[place];
            let force = at.force(s, place, ready);
            terms.push((force * s.splat(ready.weight)).or_zero(s, at.applies(s, place)));
        }
        if drives.own.is_empty() {
            return;
        }
        let now = Now::new(world.whose.step, driving.time);
        let lanes = Lanes::of(&block.own);
        for place in 0..drives.own.len() {
            let force = drives.own[place].1.block(driving.level, &lanes, &now);
            terms.push(Vectors::load(s, &force, 0));
        }
    }
}

/// Turns the eyes of a block's boids to whom they follow.
pub(crate) struct Gaze<'a, S: Simd, const D: usize> {
    pub driving: &'a Driving<'a, D>,
    pub world: &'a World<'a, D>,
    pub block: &'a mut Block<S, D>,
    pub moods: &'a Moods<S>,
}

impl<S: Simd, const D: usize> Piece<S> for Gaze<'_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Self { driving, world, block, moods } = self;
        let (mut turned, mut heading) = (s.first(0), block.own.heading);
        for place in 0..driving.drives.ready.len() {
            let Kind::Leader { leaders, looks: true, .. } = &driving.drives.ready[place].kind else { continue };
            let at = At { driving, world, block, moods };
            let (position, _, has) = at.parents(s, leaders);
            let gaze = at.way_to(s, position).unit(s);
            let turns = has & at.applies(s, place) & gaze.largest().gt(s.splat(0.0)) & !turned;
            heading = Vectors::select(turns, gaze, heading);
            turned = turned | turns;
        }
        block.own.heading = heading;
        block.own.at_rest = block.own.at_rest & !turned;
    }
}

impl<S: Simd, const D: usize> At<'_, S, D> {
    /// Whom a drive drives now.
    #[inline(always)]
    fn applies(&self, s: S, place: usize) -> S::M {
        let drive = &self.driving.drives.list[place];
        let applies = match drive.when {
            When::Always => s.first(S::LANES),
            When::Idle => !(self.moods.busy | self.moods.resting),
            When::Busy => self.moods.busy,
            When::Resting => self.moods.resting,
        };
        let (Some(wanted), Some(species)) = (drive.species, self.driving.carried.species.get()) else { return applies };
        let (wanted, species) = (s.splat(wanted as f32), self.column(s, species));
        applies & species.le(wanted) & wanted.le(species)
    }

    /// Maximum speeds.
    #[inline(always)]
    fn max_speed(&self, s: S) -> S::F {
        let Some(own) = self.driving.carried.max_speed.get() else { return self.moods.max_speed };
        let own = self.column(s, own);
        own.ge(s.splat(0.0)).select(own, self.moods.max_speed)
    }

    /// A drive's force, not yet weighted.
    #[inline(always)]
    fn force(&self, s: S, place: usize, ready: &Ready<D>) -> Vectors<S, D> {
        let own = &self.block.own;
        match &ready.kind {
            Kind::Goal { target, slowing_radius, range_sq } => self.goal(s, target, *slowing_radius, *range_sq),
            Kind::Wander { parameters, points } => self.wander(s, parameters, points),
            Kind::Leader { leaders, distance, .. } => self.leader(s, leaders, *distance),
            Kind::Waypoints { points, slowing } => self.waypoint(s, ready.column, points, slowing),
            Kind::Road => self.road(s, place),
            Kind::Flow => self.flow(s, place),
            Kind::Wind(wind) => {
                let vector = Vectors::splat(s, wind.vector);
                if wind.drag { vector - own.velocity } else { vector }
            }
            Kind::Speed(speed) => {
                let missing = s.splat(speed.speed) - own.velocity.dot(own.velocity).sqrt();
                own.heading * (missing * s.splat(speed.rate))
            }
            Kind::Tether(tether) => self.tether(s, tether),
            Kind::Noise { size, stream } => self.noise(s, *size, *stream),
        }
    }

    /// One of a boid's columns.
    #[inline(always)]
    fn column(&self, s: S, column: &[f32]) -> S::F {
        if let (None, Seats::Row(first)) = (self.world.fine, &self.block.seats) {
            return s.load(column, *first);
        }
        let mut lanes = [0.0; MAX_LANES];
        for lane in 0..self.block.count {
            lanes[lane] = column[self.world.slot(self.block.seats.slot(lane))];
        }
        s.load(&lanes, 0)
    }

    /// The way to points, through the nearest image.
    #[inline(always)]
    fn way_to(&self, s: S, points: Vectors<S, D>) -> Vectors<S, D> {
        nearest(s, self.world.domain, points - self.block.own.position)
    }

    #[inline(always)]
    fn goal(&self, s: S, target: &Option<[f32; D]>, slowing_radius: f32, range_sq: f32) -> Vectors<S, D> {
        let goals = &self.driving.carried.goals;
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
        let near = has & way.dot(way).le(s.splat(range_sq));
        self.arrive(s, way, s.splat(slowing_radius)).or_zero(s, near)
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
    fn wander(&self, s: S, parameters: &WanderParameters, points: &[Vec<f32>; D]) -> Vectors<S, D> {
        let mut point = Vectors::zero(s);
        for a in 0..D {
            point[a] = self.column(s, &points[a]);
        }
        let heading = self.block.own.heading;
        let point = if parameters.frame == WanderFrame::World { point } else { framed(s, heading, point) };
        heading * s.splat(parameters.distance) + point * s.splat(parameters.radius)
    }

    /// Positions and velocities of whom the boids follow, and which follow anybody.
    #[inline(always)]
    fn parents(&self, s: S, leaders: &Leaders<D>) -> (Vectors<S, D>, Vectors<S, D>, S::M) {
        let (mut position, mut velocity) = ([[0.0; MAX_LANES]; D], [[0.0; MAX_LANES]; D]);
        let (boids, mut has) = (self.driving.boids, 0);
        for lane in 0..self.block.count {
            let rank = self.world.whose.rank[self.block.seats.slot(lane)];
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
        self.column(s, self.driving.carried.memories[column].values()).store(&mut next);
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
    fn road(&self, s: S, place: usize) -> Vectors<S, D> {
        let DriveKind::Path(path) = &self.driving.drives.list[place].kind else { return Vectors::zero(s) };
        let (mut force, mut max_speed) = ([[0.0; MAX_LANES]; D], [0.0; MAX_LANES]);
        self.max_speed(s).store(&mut max_speed);
        let columns = self.world.columns;
        for lane in 0..self.block.count {
            let seat = self.block.seats.slot(lane);
            let (position, velocity) = (columns.position(seat), columns.velocity(seat));
            let way = behavior::follow_path(position, velocity, &path.road, path.prediction_time, max_speed[lane]);
            for a in 0..D {
                force[a][lane] = way[a];
            }
        }
        Vectors::load(s, &force, 0)
    }

    #[inline(always)]
    fn flow(&self, s: S, place: usize) -> Vectors<S, D> {
        let DriveKind::Flow(flow) = &self.driving.drives.list[place].kind else { return Vectors::zero(s) };
        let field = self.sample(s, &flow.field);
        if flow.raw {
            return field;
        }
        let flows = field.largest().gt(s.splat(0.0));
        (field * self.max_speed(s) - self.block.own.velocity).or_zero(s, flows)
    }

    /// `FlowField::at`: corners are gathered one lane at a time, all else is done in lanes.
    #[inline(always)]
    fn sample(&self, s: S, field: &FlowField<[f32; D]>) -> Vectors<S, D> {
        let (shape, zero) = (field.shape(), s.splat(0.0));
        let ((min, _), per_length) = (field.bounds(), field.per_length());
        let (mut inside, mut part) = (s.first(S::LANES), Vectors::<S, D>::zero(s));
        let mut first = [0; MAX_LANES];
        let mut stride = 1;
        for a in 0..D {
            let last = s.splat((shape[a] - 1) as f32);
            let raw = (self.block.own.position[a] - s.splat(min[a])) * s.splat(per_length[a]);
            let t = raw.lt(zero).select(zero, raw.gt(last).select(last, raw));
            inside = inside & raw.ge(zero) & raw.le(last);
            let (mut floors, mut nodes) = ([0; MAX_LANES], [0.0; MAX_LANES]);
            t.store_floor(&mut floors);
            for lane in 0..S::LANES {
                let node = if floors[lane] > shape[a] as i32 - 2 { shape[a] as i32 - 2 } else { floors[lane] };
                first[lane] += stride * node as usize;
                nodes[lane] = node as f32;
            }
            part[a] = t - s.load(&nodes, 0);
            stride *= shape[a];
        }
        let mut corners = [Vectors::<S, D>::zero(s); 8];
        let values = field.values();
        for corner in 0..1 << D {
            let z = if D == 3 { corner >> 2 & 1 } else { 0 };
            let offset = (corner & 1) + shape[0] * ((corner >> 1 & 1) + shape[1] * z);
            let mut found = [[0.0; MAX_LANES]; D];
            for lane in 0..self.block.count {
                let value = &values[first[lane] + offset];
                for a in 0..D {
                    found[a][lane] = value[a];
                }
            }
            corners[corner] = Vectors::load(s, &found, 0);
        }
        // Pairs along the first axis, then pairs of those along the second, then along the third.
        let mut count = 1 << D;
        for a in 0..D {
            count /= 2;
            for i in 0..count {
                let (low, high) = (corners[2 * i], corners[2 * i + 1]);
                corners[i] = low + (high - low) * part[a];
            }
        }
        if field.beyond() == Outside::Zero { corners[0].or_zero(s, inside) } else { corners[0] }
    }

    #[inline(always)]
    fn tether(&self, s: S, tether: &Tether<[f32; D]>) -> Vectors<S, D> {
        let (distance, direction) = self.way_to(s, Vectors::splat(s, tether.anchor)).length_and_direction(s);
        let radius = s.splat(tether.radius);
        let (beyond, farthest) = (distance - radius, s.splat(FARTHEST_PULL));
        let pull = beyond.lt(farthest).select(beyond, farthest) * s.splat(tether.strength);
        (direction * pull).or_zero(s, distance.gt(radius))
    }

    #[inline(always)]
    fn noise(&self, s: S, size: f32, stream: u32) -> Vectors<S, D> {
        let key = Keyed::new(s, &self.world.whose, &self.block.seats);
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

/// Columns of a wander: an angle in the plane, a point on the sphere in space.
pub(super) const fn strolls<const D: usize>() -> usize {
    if D == 2 { 1 } else { D }
}

/// The turn of an interval, and in space its direction along the sphere.
#[inline(always)]
fn drawn<S: Simd, const D: usize>(s: S, key: &Keyed<S>, start: Vectors<S, D>, range: f32) -> (S::F, Vectors<S, D>) {
    let turn = (key.uniform(s, noise::stream::WANDER) - s.splat(0.5)) * s.splat(range * RADIANS_TO_TURNS);
    if D == 2 {
        return (turn, start);
    }
    let (sin, cos) = sin_cos_turns(s, key.uniform(s, noise::stream::WANDER + 1) * s.splat(0.5));
    (turn, start.tangent(s, cos, sin))
}

/// Where the point is when a part of the interval has passed; in the plane `stroll` holds the angle in its first component.
#[inline(always)]
pub(super) fn strolled<S: Simd, const D: usize>(
    s: S,
    key: &Keyed<S>,
    stroll: Vectors<S, D>,
    range: f32,
    part: f32,
) -> Vectors<S, D> {
    let (turn, along) = drawn(s, key, stroll, range);
    let turned = turn * s.splat(part);
    if D == 2 {
        let (sin, cos) = sin_cos_turns(s, stroll[0] + turned);
        let mut point = stroll;
        (point[0], point[1]) = (cos, sin);
        return point;
    }
    let (sin, cos) = sin_cos_turns(s, turned);
    stroll * cos + along * sin
}

/// Where it is when the interval is over.
#[inline(always)]
pub(super) fn stroll_on<S: Simd, const D: usize>(s: S, key: &Keyed<S>, stroll: Vectors<S, D>, range: f32) -> Vectors<S, D> {
    if D == 3 {
        return strolled(s, key, stroll, range, 1.0).unit(s);
    }
    let angle = stroll[0] + drawn(s, key, stroll, range).0;
    let (half, one) = (s.splat(0.5), s.splat(1.0));
    let mut after = stroll;
    after[0] = angle.gt(half).select(angle - one, angle.lt(-half).select(angle + one, angle));
    after
}

/// `behavior::heading_frame`.
#[inline(always)]
fn framed<S: Simd, const D: usize>(s: S, forward: Vectors<S, D>, local: Vectors<S, D>) -> Vectors<S, D> {
    let (zero, one) = (s.splat(0.0), s.splat(1.0));
    let mut world = forward * local[0] + forward.tangent(s, one, zero) * local[1];
    if D == 3 {
        world = world + forward.tangent(s, zero, one) * local[D - 1];
    }
    Vectors::select(forward.largest().gt(zero), world, local)
}

/// The nearest image of offsets: `Domain::image`.
#[inline(always)]
pub(super) fn nearest<S: Simd, const D: usize>(s: S, domain: &Domain<[f32; D]>, offset: Vectors<S, D>) -> Vectors<S, D> {
    if !domain.is_periodic() {
        return offset;
    }
    let mut image = offset;
    for a in 0..D {
        let side = domain.side(a);
        let (side, half) = (s.splat(side), s.splat(side * 0.5));
        let o = offset[a];
        image[a] = o.gt(half).select(o - side, o.lt(-half).select(o + side, o));
    }
    image
}
