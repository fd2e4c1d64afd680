//! The anticipation pass: a batch of boids evaluates its anticipation model.

use wingbeat_steer::anticipation::orca::velocity_of;
use wingbeat_steer::anticipation::{
    Answer, Anticipation, Decided, Mover, Nearby, Orca, Wish, faces_near,
};
use wingbeat_steer::{Traits, Vector, math};

use crate::columns::extra::ExtraColumns;
use crate::domain::nearest_images;
use crate::identity::Identity;
use crate::motion::anticipate::AnticipationState;
use crate::motion::anticipate::evaluate::{AheadLanes, Wishes};
use crate::motion::anticipate::near::{NearScratch, NearTable};
use crate::motion::anticipate::planes::{Avoided, AvoidingLanes, Best, Solve};
use crate::motion::anticipate::relax::{Relax, Relaxed};
use crate::motion::body::{BodyColumns, share};
use crate::motion::obstacle::{Lists, ObstacleIndex};
use crate::neighbors::{Block, Keyed, SortedFlock, Surroundings};
use crate::simd::{
    Float, Level, MAX_LANES, Mask, Simd, Vectors, Work, dispatch, load_part, store_part,
};

/// The first search goes this many times as far as the largest body, and further by this factor
/// while there are too few.
const FIRST: f32 = 6.0;
const FURTHER: f32 = 1.4;

/// The next block looks further than this one had to by this factor, so that not every one needs a
/// second look. Not tuned.
const SURER: f32 = 1.2;

/// What boids that ask read.
pub(crate) struct AnticipationInput<'a, const D: usize> {
    pub flock: SortedFlock<'a, D>,
    pub anticipation_state: &'a AnticipationState<D>,
    pub bodies: &'a BodyColumns,
    pub course: Option<&'a ObstacleIndex<D>>,
    pub extra: &'a ExtraColumns<D>,
    pub dt: f32,
    /// The part of the way to a new β that a step covers.
    pub part: f32,
    /// The number of the draw of noise that is held.
    pub draw: u64,
}

impl<const D: usize> AnticipationInput<'_, D> {
    fn max_speed(&self, slot: usize) -> f32 {
        let Traits { species, max_speed, .. } = self.extra.traits(slot);
        max_speed.unwrap_or(self.anticipation_state.limits[species.get()].max_speed)
    }

    fn mass(&self, slot: usize) -> f32 {
        let Traits { species, mass, .. } = self.extra.traits(slot);
        mass.unwrap_or(self.anticipation_state.limits[species.get()].mass)
    }

    /// Whether any boid may have walls near.
    fn has_walls(&self) -> bool {
        self.course.is_some() || self.flock.domain.boundary.has_faces()
    }

    /// The n-th that each lane looks at.
    #[inline(always)]
    fn avoided<S: Simd>(
        &self,
        s: S,
        block: &Block<S, D>,
        table: &NearTable,
        nth: usize,
    ) -> Avoided<S, D> {
        let AnticipationInput { flock, bodies, anticipation_state, .. } = self;
        let (slots, there) = table.nth(s, nth);
        let [x, y, u, v] = s.rows(&anticipation_state.motion, slots);
        let mut radius = s.load(&bodies.radii, block.lane_slots.slot(0));
        let mut share = s.splat(0.5);
        if !anticipation_state.bodies.is_empty() {
            let [their_radius, priority, ..] = s.rows(&anticipation_state.bodies, slots);
            (radius, share) = (their_radius, self.share(s, block, priority));
        }
        let (mut offset, mut velocity) = (Vectors::zero(s), Vectors::zero(s));
        (offset[0], offset[1]) = (x - block.own.position[0], y - block.own.position[1]);
        (velocity[0], velocity[1]) = (u, v);
        let offset = nearest_images(s, flock.domain, offset);
        let distance_sq = offset.dot(offset);
        let per_sq = s.splat(1.0) / distance_sq;
        let radius = radius * s.splat(1.0 + anticipation_state.body.margin);
        Avoided { offset, distance_sq, per_sq, velocity, radius, share, there }
    }

    /// What each lane does of the way that two of them have to give, those of these priorities
    /// doing the rest.
    #[inline(always)]
    fn share<S: Simd>(&self, s: S, block: &Block<S, D>, priority: S::F) -> S::F {
        let bodies = self.bodies;
        if bodies.priorities.is_empty() {
            return s.splat(0.5);
        }
        let own = s.load(&bodies.priorities, block.lane_slots.slot(0));
        s.splat(1.0) - share(s, own, priority, bodies.body.share)
    }

    /// How far a model looks.
    fn reach(&self) -> f32 {
        self.anticipation_state
            .model
            .reach(self.bodies.largest * (1.0 + self.anticipation_state.body.margin))
    }
}

/// Puts answers in the place of the preferred velocities of a batch that begins at slot `first`,
/// and bits of the new β in the place of those of before.
pub(crate) fn answer<const D: usize>(
    level: Level,
    asking: &AnticipationInput<'_, D>,
    first: usize,
    (answers, blocked): ([&mut [f32]; D], &mut [u32]),
    (scratch, lists): (&mut NearScratch<D>, &mut Lists),
) {
    dispatch(level, AnticipateBatch { asking, first, answers, blocked, scratch, lists });
}

struct AnticipateBatch<'a, 'b, const D: usize> {
    asking: &'a AnticipationInput<'a, D>,
    first: usize,
    answers: [&'b mut [f32]; D],
    blocked: &'b mut [u32],
    scratch: &'a mut NearScratch<D>,
    lists: &'a mut Lists,
}

impl<const D: usize> Work for AnticipateBatch<'_, '_, D> {
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let flock = &self.asking.flock;
        let (mut slot, end) = (self.first, self.first + self.blocked.len());
        let mut row_end = slot;
        self.scratch.relaxing.clear();
        while slot < end {
            if slot == row_end {
                row_end = flock.grid.row_end(flock.columns.position(slot)).min(end);
            }
            let count = S::LANES.min(row_end - slot);
            let mut block = Block::<S, D>::of_row(s, flock, (slot, count), false);
            block.bound(s, flock);
            self.look(s, &block);
            let mut left = self.answer(s, &block, slot).bits();
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                self.ask(slot + lane, lane);
            }
            slot += count;
        }
        self.relax_those(s);
    }
}

impl<const D: usize> AnticipateBatch<'_, '_, D> {
    /// Lists for every lane the boids it looks at: all in reach in slot order, or the nearest in
    /// the order of (d², rank).
    #[inline(always)]
    fn look<S: Simd>(&mut self, s: S, block: &Block<S, D>) {
        let (whole, live) = (self.asking.reach(), block.own.live);
        let Some(wanted) = self.asking.anticipation_state.model.nearest() else {
            self.look_within(s, block, whole);
            return self.scratch.table.list_all(s, s.splat(whole * whole), live);
        };
        let begun = math::max(self.scratch.hint, self.asking.bodies.largest * FIRST);
        let mut reach = math::min(begun, whole);
        loop {
            self.look_within(s, block, reach);
            let table = &mut self.scratch.table;
            let smallest = table.smallest(s, wanted);
            let furthest_sq = live.select(smallest.last(), s.splat(0.0)).reduce_max();
            if furthest_sq <= reach * reach || reach >= whole {
                table.list_nearest(
                    s,
                    &smallest,
                    whole * whole,
                    live,
                    self.asking.flock.identity.rank,
                );
                self.scratch.hint = math::min(math::sqrt(furthest_sq) * SURER, whole);
                return;
            }
            reach = math::min(reach * FURTHER, whole);
        }
    }

    #[inline(always)]
    fn look_within<S: Simd>(&mut self, s: S, block: &Block<S, D>, reach: f32) {
        let NearScratch { look, table, .. } = &mut *self.scratch;
        table.clear();
        let mut surroundings = Surroundings::new(&self.asking.flock, block, reach, look);
        while surroundings.list_more(s) {
            table.reserve();
            let mut visitor = table.visitor::<S>(s.splat(reach * reach), block.own.live);
            surroundings.show(s, &mut visitor);
            let len = visitor.len;
            table.set_len(len);
        }
    }

    /// The lanes of a block as they avoid others, with the preferred velocities of their steering.
    #[inline(always)]
    fn movers<S: Simd>(&self, s: S, block: &Block<S, D>, slot: usize) -> AvoidingLanes<S, D> {
        let AnticipationInput { anticipation_state, bodies, extra, .. } = self.asking;
        let (at, count, haste) = (slot - self.first, block.count, anticipation_state.through.haste);
        let (mut preferred, mut most) = (Vectors::<S, D>::zero(s), [0.0; MAX_LANES]);
        for a in 0..D {
            preferred[a] = load_part(s, &*self.answers[a], at);
        }
        let alike = !extra.species.in_use() && !extra.max_speed.in_use();
        most[0] = self.asking.max_speed(slot) * haste;
        for lane in 1..count {
            most[lane] = if alike { most[0] } else { self.asking.max_speed(slot + lane) * haste };
        }
        let radius = s.load(&bodies.radii, slot) * s.splat(1.0 + anticipation_state.body.margin);
        AvoidingLanes {
            velocity: block.own.velocity,
            preferred,
            radius,
            max_speed: s.load(&most, 0),
        }
    }

    /// Turns and bends the wishes of lanes: what is asked with takes the place of the preferred
    /// velocities, and the new β that of before.
    #[inline(always)]
    fn asks<S: Simd>(
        &mut self,
        s: S,
        block: &Block<S, D>,
        slot: usize,
        (wishes, ahead): (&Wishes<S, D>, Option<&AheadLanes<S, D>>),
        (movers, lanes): (&mut AvoidingLanes<S, D>, S::M),
    ) {
        let AnticipationInput { flock, anticipation_state, part, draw, .. } = self.asking;
        let (at, count, through) = (slot - self.first, block.count, &anticipation_state.through);
        let mut beta = [0.0; MAX_LANES];
        for lane in 0..count {
            beta[lane] = f32::from_bits(self.blocked[at + lane]);
        }
        let before = s.load(&beta, 0);
        let after = wishes.turn(s, (through, *part), before, ahead, || {
            Keyed::new(s, &flock.identity, &block.lane_slots)
        });
        let held = Identity { step: *draw, ..flock.identity };
        let asked =
            wishes.asked(s, through.noise, after, || Keyed::new(s, &held, &block.lane_slots));
        // Lanes behind the block are those of the next, and the definition asks for some itself.
        movers.preferred = Vectors::select(lanes, asked, movers.preferred);
        for a in 0..D {
            store_part(s, movers.preferred[a], &mut *self.answers[a], at, count);
        }
        lanes.select(after, before).store(&mut beta);
        for lane in 0..count {
            self.blocked[at + lane] = beta[lane].to_bits();
        }
    }

    /// Answers in lanes what can be; lanes that only the definition itself can answer.
    #[inline(always)]
    fn answer<S: Simd>(&mut self, s: S, block: &Block<S, D>, slot: usize) -> S::M {
        let (Anticipation::Orca(orca), 2) = (&self.asking.anticipation_state.model, D) else {
            return block.own.live;
        };
        let mut movers = self.movers(s, block, slot);
        let at = slot - self.first;
        self.scratch.planes.clear();
        self.add_walls::<S>(orca, block, slot);
        let wishes = Wishes::new(s, &movers);
        let mut ahead =
            self.asking.anticipation_state.through.looks_ahead().then(|| wishes.ahead(s));
        let mut unsure = s.mask(0);
        let NearScratch { table, planes, .. } = &mut *self.scratch;
        for nth in 0..table.longest() {
            let avoided = self.asking.avoided(s, block, table, nth);
            unsure = unsure | planes.ask(s, (orca, self.asking.dt), &movers, &avoided);
            if let Some(ahead) = &mut ahead {
                wishes.see(s, &avoided, ahead);
            }
        }
        let lanes = block.own.live & !unsure;
        self.asks(s, block, slot, (&wishes, ahead.as_ref()), (&mut movers, lanes));
        let planes = &mut self.scratch.planes;
        let mut best =
            Best { velocity: Vectors::zero(s), failed: s.mask(0), failed_at: s.splat(0.0) };
        s.outline(Solve { planes, mover: &movers, lanes, best: &mut best });
        for a in 0..D {
            let asked = load_part(s, &*self.answers[a], at);
            store_part(
                s,
                (lanes & !best.failed).select(best.velocity[a], asked),
                &mut *self.answers[a],
                at,
                block.count,
            );
        }
        if best.failed.any() {
            self.relax_later(s, &best, slot, &movers);
        }
        unsure & block.own.live
    }

    /// Lanes whose half-planes leave no velocity wait until there is one for every lane.
    #[inline(always)]
    fn relax_later<S: Simd>(
        &mut self,
        s: S,
        best: &Best<S, D>,
        slot: usize,
        movers: &AvoidingLanes<S, D>,
    ) {
        let Best { velocity, failed, failed_at } = best;
        let (mut last, mut failed_ats, mut most) =
            ([[0.0; MAX_LANES]; 2], [0.0; MAX_LANES], [0.0; MAX_LANES]);
        for a in 0..2 {
            velocity[a].store(&mut last[a]);
        }
        failed_at.store(&mut failed_ats);
        movers.max_speed.store(&mut most);
        let mut bits = failed.bits();
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            if self.scratch.planes.has_walls() {
                self.relax(slot + lane, lane);
                continue;
            }
            let NearScratch { planes, relaxing, .. } = &mut *self.scratch;
            let (place, last) = (slot - self.first + lane, last.map(|of| of[lane]));
            relaxing.add(
                planes,
                lane,
                &Relaxed { last, failed_at: failed_ats[lane], max_speed: most[lane], place },
            );
            if relaxing.len() == S::LANES {
                self.relax_those(s);
            }
        }
    }

    /// Answers those that wait.
    #[inline(always)]
    fn relax_those<S: Simd>(&mut self, s: S) {
        let relaxing = &mut self.scratch.relaxing;
        if relaxing.len() == 0 {
            return;
        }
        let mut best = Vectors::<S, D>::zero(s);
        s.outline(Relax { relaxing, best: &mut best });
        for a in 0..2 {
            let mut answers = [0.0; MAX_LANES];
            best[a].store(&mut answers);
            for (&place, answer) in relaxing.places().iter().zip(answers) {
                self.answers[a][place] = answer;
            }
        }
        relaxing.clear();
    }

    /// The answer of one with walls whose half-planes leave no velocity, by the definition itself.
    #[inline(never)]
    fn relax(&mut self, slot: usize, lane: usize) {
        let mover = self.mover(slot);
        let NearScratch { planes, program, .. } = &mut *self.scratch;
        planes.of_lane(lane, program);
        let answer = velocity_of(program, &mover);
        for a in 0..D {
            self.answers[a][slot - self.first] = answer[a];
        }
    }

    /// The half-planes of walls, by the definition itself.
    #[inline(always)]
    fn add_walls<S: Simd>(&mut self, orca: &Orca, block: &Block<S, D>, slot: usize) {
        if !self.asking.has_walls() {
            return;
        }
        for lane in 0..block.count {
            self.add_walls_of(orca, slot + lane, lane);
        }
    }

    #[inline(never)]
    fn add_walls_of(&mut self, orca: &Orca, slot: usize, lane: usize) {
        self.find_walls(slot);
        let mover = self.mover(slot);
        let NearScratch { walls, planes, .. } = &mut *self.scratch;
        for (place, plane) in walls.iter().filter_map(|wall| orca.wall(&mover, wall)).enumerate() {
            planes.require(place, lane, &plane);
        }
    }

    /// One boid, as the definition has it.
    fn mover(&self, slot: usize) -> Mover<[f32; D]> {
        let AnticipationInput { flock, anticipation_state, bodies, dt, .. } = self.asking;
        let Identity { seed, step, .. } = flock.identity;
        Mover {
            id: flock.identity.id(slot),
            seed,
            step,
            velocity: flock.columns.velocity(slot),
            preferred: crate::arrays::from_fn(|a| self.answers[a][slot - self.first]),
            radius: bodies.radii[slot] * (1.0 + anticipation_state.body.margin),
            max_speed: self.asking.max_speed(slot) * anticipation_state.through.haste,
            dt: *dt,
        }
    }

    /// The walls that one boid looks at.
    fn find_walls(&mut self, slot: usize) {
        let AnticipationInput { flock, course, .. } = self.asking;
        let walls = &mut self.scratch.walls;
        walls.clear();
        let (position, reach) = (flock.columns.position(slot), self.asking.reach());
        if let Some(course) = course {
            course.walls_near(position, reach, self.lists, walls);
        }
        faces_near(position, reach, flock.domain, walls);
    }

    /// One boid asks the definition: scalar code, which has no use for a level's instructions.
    #[inline(never)]
    fn ask(&mut self, slot: usize, lane: usize) {
        let AnticipationInput { flock, anticipation_state, bodies, .. } = self.asking;
        self.find_walls(slot);
        let mover = self.mover(slot);
        let (wider, columns, own) =
            (1.0 + anticipation_state.body.margin, flock.columns, flock.columns.position(slot));
        let NearScratch { table, others, walls, program, .. } = &mut *self.scratch;
        others.clear();
        others.extend(table.of_lane(lane).map(|other| {
            let raw = columns.position(other).minus(own);
            let offset: [f32; D] = crate::arrays::from_fn(|a| flock.domain.image(a, raw[a]));
            let (velocity, radius, share) = (
                columns.velocity(other),
                bodies.radii[other] * wider,
                1.0 - bodies.share(slot, other),
            );
            Nearby { offset, distance_sq: offset.norm_sq(), velocity, radius, share }
        }));
        let (at, blocked) = (slot - self.first, f32::from_bits(self.blocked[slot - self.first]));
        let wish = Wish {
            mover,
            blocked,
            mass: self.asking.mass(slot),
            part: self.asking.part,
            draw: self.asking.draw,
        };
        let Decided { blocked, answer, .. } = anticipation_state.model.decide(
            &anticipation_state.through,
            program,
            &wish,
            others,
            walls,
        );
        let (Answer::Velocity(answer) | Answer::Force(answer)) = answer;
        self.blocked[at] = blocked.to_bits();
        for a in 0..D {
            self.answers[a][at] = answer[a];
        }
    }
}
