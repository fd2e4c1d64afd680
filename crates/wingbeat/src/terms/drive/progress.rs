//! Tasks of drives for all boids at once. Before steering: where leaders are, and how far the
//! intervals of wanders have passed. After a step: wanders go on, waypoints are taken, goals are
//! reached.

use std::sync::atomic::{AtomicBool, Ordering};

use wingbeat_steer::drive::{DriveKind, Follow, OnArrival, Path, WanderClock, WanderParameters};
use wingbeat_steer::{Domain, noise};

use crate::columns::boids::{Boids, Columns, PADDING};
use crate::columns::extra::{Column, ExtraColumns};
use crate::domain::nearest_images;
use crate::events::StepEvents;
use crate::identity::Identity;
use crate::neighbors::{Keyed, LaneAssignment};
use crate::parallel::Workers;
use crate::simd::{
    Float, Level, MAX_LANES, Mask, Simd, Vectors, Whole, Work, dispatch, load_part, store_part,
};
use crate::terms::drive::lanes::has_set_off;
use crate::terms::drive::wander::{stroll_on, strolls};
use crate::terms::drive::{Drives, LaneDrive, Timing};

/// There since a step before; there since this step. Below the first: not there yet.
pub(super) const ARRIVED: f32 = 1.0;
pub(super) const JUST_NOW: f32 = 2.0;

/// What one drive's sweep reads.
pub(crate) struct Progress<'a, const D: usize> {
    columns: &'a Columns<D>,
    identity: Identity<'a>,
    domain: &'a Domain<[f32; D]>,
    task: Task<'a, D>,
}

enum Task<'a, const D: usize> {
    Wander {
        parameters: &'a WanderParameters,
        draws: std::ops::Range<u64>,
    },
    Arrive {
        target: Option<[f32; D]>,
        own: Option<[&'a [f32]; D]>,
        radius_sq: f32,
        of: DriveMembers<'a>,
        anyone: &'a AtomicBool,
    },
    Path {
        path: &'a Path<[f32; D]>,
        of: DriveMembers<'a>,
    },
}

/// The boids that a drive acts on.
#[derive(Clone, Copy)]
pub(super) struct DriveMembers<'a> {
    /// A species, and that of every slot; everyone if `None`.
    species: Option<(u32, &'a [u32])>,
    /// Who has set off, by the draws of their delays; everyone if `None`.
    drawn: Option<f32>,
}

/// When a step begins and ends, and in which it is.
#[derive(Clone, Copy)]
pub(crate) struct Interval {
    pub seed: u64,
    pub step: u64,
    pub from: f64,
    pub to: f64,
}

impl<const D: usize> Drives<D> {
    /// What is found once a step: before steering.
    pub fn prepare<T: Default + Send>(
        &mut self,
        boids: &Boids<D>,
        time: f64,
        workers: &Workers<T>,
    ) {
        for (drive, ready) in self.list.iter().zip(&mut self.ready) {
            ready.timing = Timing::at(drive, time);
            match (&mut ready.kind, &drive.kind) {
                (LaneDrive::Leader { leaders, .. }, DriveKind::Leader(leader)) => {
                    leaders.find(leader, boids, workers)
                }
                (LaneDrive::Wander { parameters, clock }, _) => {
                    *clock = WanderClock::at(time, parameters.interval)
                }
                (LaneDrive::Noise { interval, draw, .. }, _) => {
                    *draw = WanderClock::at(time, *interval).draw
                }
                _ => {}
            }
        }
    }

    /// After boids have moved: memories go on. Arrivals of those that are not gone already go to
    /// `events`; a boid that leaves by arriving is gone.
    pub fn progress<T: Default + Send>(
        &self,
        boids: &mut Boids<D>,
        domain: &Domain<[f32; D]>,
        passed: Interval,
        (level, workers): (Level, &Workers<T>),
        happened: &mut StepEvents,
    ) {
        let mut memories = std::mem::take(&mut boids.extra.memories);
        let slots = boids.len();
        happened.captures_are_told();
        let begun = happened.events.len();
        for (place, (drive, ready)) in self.list.iter().zip(&self.ready).enumerate() {
            let anyone = AtomicBool::new(false);
            let Some(task) = self.task((drive, ready.timing), boids, &passed, &anyone) else {
                continue;
            };
            let columns = &boids.front;
            let identity = Identity {
                rank: &columns.rank,
                ids: boids.ids(),
                seed: passed.seed,
                step: passed.step,
            };
            let reads = Progress { columns, identity, domain, task };
            let mut own = memories[ready.column..].iter_mut().map(Column::values_mut);
            let mut next = || own.next().unwrap_or_default();
            if matches!(drive.kind, DriveKind::Wander(_)) && D == 3 {
                let own = [next(), next(), next()];
                workers.sweep(slots, [own], &|first, [mut own], _| {
                    sweep(level, &reads, first, &mut own)
                });
            } else {
                let own = [next()];
                workers.sweep(slots, [own], &|first, [mut own], _| {
                    sweep(level, &reads, first, &mut own)
                });
            }
            if anyone.into_inner() || matches!(&drive.kind, DriveKind::Goal(goal) if goal.settles())
            {
                let leave = matches!(
                    &drive.kind,
                    DriveKind::Goal(goal) if goal.on_arrival == OnArrival::Leave
                );
                let marks = &mut memories[ready.column];
                let found = happened.find(slots, |slot| marks.values()[slot] == JUST_NOW, workers);
                for &slot in &found {
                    marks.values_mut()[slot as usize] = ARRIVED;
                    happened.arrived(boids.ids().of(columns.rank[slot as usize]), place, leave);
                }
                happened.put_back(found);
            }
        }
        happened.events[begun..].sort_unstable();
        boids.extra.memories = memories;
    }

    /// What a drive's sweep does after a step, if anything.
    fn task<'a>(
        &self,
        (drive, timing): (&'a wingbeat_steer::Drive<[f32; D]>, Timing),
        boids: &'a Boids<D>,
        passed: &Interval,
        anyone: &'a AtomicBool,
    ) -> Option<Task<'a, D>> {
        let of = DriveMembers::new(drive, timing, &boids.extra);
        match &drive.kind {
            DriveKind::Wander(parameters) => {
                let draw = |time| WanderClock::at(time, parameters.interval).draw;
                let draws = draw(passed.from)..draw(passed.to);
                (!draws.is_empty()).then_some(Task::Wander { parameters, draws })
            }
            // Who is not driven neither arrives nor takes waypoints.
            _ if timing == Timing::Off => None,
            DriveKind::Goal(goal) if goal.arrival_radius > 0.0 => {
                let goals = &boids.extra.goals;
                let own = goals[0].in_use().then(|| goals.each_ref().map(Column::values));
                let radius_sq = goal.arrival_radius * goal.arrival_radius;
                Some(Task::Arrive { target: goal.target, own, radius_sq, of, anyone })
            }
            DriveKind::Path(path) => Some(Task::Path { path, of }),
            _ => None,
        }
    }
}

/// One batch of a sweep.
#[inline(never)]
fn sweep<const D: usize>(
    level: Level,
    reads: &Progress<'_, D>,
    first: usize,
    own: &mut [&mut [f32]],
) {
    dispatch(level, ProgressBatch { reads, first, own });
}

struct ProgressBatch<'a, 'b, 'c, const D: usize> {
    reads: &'a Progress<'a, D>,
    first: usize,
    own: &'b mut [&'c mut [f32]],
}

impl<const D: usize> Work for ProgressBatch<'_, '_, '_, D> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let count = self.own[0].len();
        for at in (0..count).step_by(S::LANES) {
            let live = S::LANES.min(count - at);
            match &self.reads.task {
                Task::Wander { parameters, draws } => {
                    let mut stroll = Vectors::<S, D>::zero(s);
                    for a in 0..strolls::<D>() {
                        stroll[a] = load_part(s, &*self.own[a], at);
                    }
                    for draw in draws.clone() {
                        let identity = Identity { step: draw, ..self.reads.identity };
                        let key = Keyed::new(s, &identity, &LaneAssignment::Row(self.first + at));
                        stroll = stroll_on(s, &key, stroll, parameters.range);
                    }
                    for a in 0..strolls::<D>() {
                        store_part(s, stroll[a], &mut *self.own[a], at, live);
                    }
                }
                Task::Arrive { target, own, radius_sq, of, anyone } => {
                    let marks = load_part(s, &*self.own[0], at);
                    let mut there = self.within(s, at, target, own, *radius_sq);
                    if let Some(part) = of.drawn {
                        let lane_slots = LaneAssignment::Row(self.first + at);
                        there = there & has_set_off(s, &self.reads.identity, &lane_slots, part);
                    }
                    if let Some((wanted, species)) = of.species {
                        let species = s.load_whole(&species[self.first + at..]).to_float();
                        let wanted = s.splat(wanted as f32);
                        there = there & species.le(wanted) & wanted.le(species);
                    }
                    let new = there & marks.lt(s.splat(ARRIVED)) & s.first(live);
                    if new.any() {
                        anyone.store(true, Ordering::Relaxed);
                        store_part(
                            s,
                            new.select(s.splat(JUST_NOW), marks),
                            &mut *self.own[0],
                            at,
                            live,
                        );
                    }
                }
                Task::Path { path, of } => {
                    self.reads.along(path, of, self.first + at, &mut self.own[0][at..at + live])
                }
            }
        }
    }
}

impl<const D: usize> ProgressBatch<'_, '_, '_, D> {
    /// Who stands within a radius of the goal.
    #[inline(always)]
    fn within<S: Simd>(
        &self,
        s: S,
        at: usize,
        target: &Option<[f32; D]>,
        own: &Option<[&[f32]; D]>,
        radius_sq: f32,
    ) -> S::M {
        let (mut has, mut goal) = match target {
            Some(target) => (s.first(S::LANES), Vectors::splat(s, *target)),
            None => (s.first(0), Vectors::zero(s)),
        };
        if let Some(own) = own {
            let own = Vectors::load(s, own, self.first + at);
            let owns = own[0].le(own[0]);
            goal = Vectors::select(owns, own, goal);
            has = has | owns;
        }
        let position = Vectors::load(s, &self.reads.columns.position.each_ref(), self.first + at);
        let way = nearest_images(s, self.reads.domain, goal - position);
        has & way.dot(way).le(s.splat(radius_sq))
    }
}

impl<'a> DriveMembers<'a> {
    /// Those that a drive drives in a step in which it is on.
    pub fn new<const D: usize>(
        drive: &wingbeat_steer::Drive<[f32; D]>,
        timing: Timing,
        extra: &'a ExtraColumns<D>,
    ) -> Self {
        let species = drive.species.and_then(|wanted| Some((wanted as u32, extra.species.get()?)));
        Self { species, drawn: timing.drawn() }
    }

    /// Whether it drives the boid in a slot, which does not wait.
    pub fn drives(&self, identity: &Identity<'_>, slot: usize) -> bool {
        let draw = || noise::uniform(identity.seed, identity.id(slot), 0, noise::stream::DELAY);
        let is_one = self.species.is_none_or(|(wanted, species)| species[slot] == wanted);
        is_one && self.drawn.is_none_or(|part| draw() < part)
    }
}

impl<const D: usize> Progress<'_, D> {
    /// The waypoints to make for from now on, or how far along a road boids are: the definition
    /// itself, a boid at a time.
    #[inline(always)]
    fn along(
        &self,
        path: &Path<[f32; D]>,
        of: &DriveMembers<'_>,
        first: usize,
        walked: &mut [f32],
    ) {
        for i in 0..walked.len() {
            if !of.drives(&self.identity, first + i) {
                continue;
            }
            let position = self.columns.position(first + i);
            walked[i] = match path.follow {
                Follow::Waypoints => path.take(walked[i] as usize, position, self.domain) as f32,
                _ => path.road.progress(walked[i], position),
            };
        }
    }
}

const _: () = assert!(MAX_LANES <= PADDING);
