//! Tasks of drives for all boids at once. Before steering: where leaders are, and how far the
//! intervals of wanders have passed. After a step: wanders go on, waypoints are taken, goals are
//! reached.

use std::sync::atomic::AtomicBool;

use wingbeat_steer::drive::{Drive, OnArrival};
use wingbeat_steer::{Domain, DriveId, noise};

use crate::columns::boids::{Boids, PADDING};
use crate::columns::extra::{Column, ExtraColumns};
use crate::events::StepEvents;
use crate::identity::Identity;
use crate::parallel::Workers;
use crate::simd::{Level, MAX_LANES, Simd, Work, dispatch};
use crate::terms::drive::lane_drive::{MovedLanes, Numbers};
use crate::terms::drive::{Drives, LaneDrive, LaneKind, Timing, each_lanes};

/// There since a step before; there since this step. Below the first: not there yet.
pub(super) const ARRIVED: f32 = 1.0;
pub(super) const JUST_NOW: f32 = 2.0;

/// The boids that a drive acts on.
#[derive(Clone, Copy)]
pub(crate) struct DriveMembers<'a> {
    /// A species, and that of every slot; everyone if `None`.
    pub species: Option<(u32, &'a [u32])>,
    /// Who has set off, by the draws of their delays; everyone if `None`.
    pub drawn: Option<f32>,
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
        list: &[Drive<[f32; D]>],
        boids: &Boids<D>,
        time: f64,
        workers: &Workers<T>,
    ) {
        for (drive, ready) in list.iter().zip(&mut self.ready) {
            ready.timing = Timing::at(drive, time);
            each_lanes!(&mut ready.kind, kind => kind.begin_step(boids, time, workers));
        }
    }

    /// After boids have moved: memories go on. Arrivals of those that are not gone already go to
    /// `events`; a boid that leaves by arriving is gone.
    pub fn progress<T: Default + Send>(
        &self,
        list: &[Drive<[f32; D]>],
        (boids, domain): (&mut Boids<D>, &Domain<[f32; D]>),
        passed: Interval,
        (level, workers): (Level, &Workers<T>),
        happened: &mut StepEvents,
    ) {
        let mut memories = std::mem::take(&mut boids.extra.memories);
        let slots = boids.len();
        happened.captures_are_told();
        let begun = happened.events.len();
        for (place, (drive, ready)) in list.iter().zip(&self.ready).enumerate() {
            // Boids that are not driven neither arrive nor take waypoints.
            let is_off = ready.timing == Timing::Off && !drive.kind.runs_on();
            if is_off || !ready.kind.progresses(&passed) {
                continue;
            }
            let (columns, arrivals) = (&boids.front, AtomicBool::new(false));
            let moved = |first| MovedLanes {
                columns,
                extra: &boids.extra,
                identity: Identity {
                    rank: &columns.rank,
                    ids: boids.ids(),
                    seed: passed.seed,
                    step: passed.step,
                },
                domain,
                passed,
                members: DriveMembers::new(drive, ready.timing, &boids.extra),
                first,
                arrivals: &arrivals,
            };
            let numbers = memories[ready.column..].iter_mut().take(ready.kind.columns().len());
            let mut numbers = numbers.map(Column::values_mut);
            let numbers: Numbers<'_> = std::array::from_fn(|_| numbers.next().unwrap_or_default());
            workers.sweep(slots, [numbers], &|first, [mut numbers], _| {
                progress(level, &ready.kind, &moved(first), &mut numbers)
            });
            let Some(on_arrival) = ready.kind.arrival() else {
                continue;
            };
            // Where boids settle, pressing may have marked some.
            if arrivals.into_inner() || on_arrival == OnArrival::Settle {
                let leave = on_arrival == OnArrival::Leave;
                let marks = &mut memories[ready.column];
                let found = happened.find(slots, |slot| marks.values()[slot] == JUST_NOW, workers);
                for &slot in &found {
                    marks.values_mut()[slot as usize] = ARRIVED;
                    happened.arrived(
                        boids.ids().of(columns.rank[slot as usize]),
                        DriveId::new(place),
                        leave,
                    );
                }
                happened.put_back(found);
            }
        }
        happened.events[begun..].sort_unstable();
        boids.extra.memories = memories;
    }
}

/// One batch of a sweep.
#[inline(never)]
fn progress<const D: usize>(
    level: Level,
    kind: &LaneKind<D>,
    moved: &MovedLanes<'_, D>,
    numbers: &mut Numbers<'_>,
) {
    dispatch(level, ProgressBatch { kind, moved, numbers });
}

struct ProgressBatch<'a, 'b, const D: usize> {
    kind: &'a LaneKind<D>,
    moved: &'a MovedLanes<'a, D>,
    numbers: &'a mut Numbers<'b>,
}

impl<const D: usize> Work for ProgressBatch<'_, '_, D> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { kind, moved, numbers } = self;
        let count = numbers[0].len();
        for at in (0..count).step_by(S::LANES) {
            let places = at..(at + S::LANES).min(count);
            each_lanes!(kind, kind => kind.progress(s, moved, numbers, places));
        }
    }
}

impl<'a> DriveMembers<'a> {
    /// Those that a drive drives in a step in which it is on.
    pub(super) fn new<const D: usize>(
        drive: &Drive<[f32; D]>,
        timing: Timing,
        extra: &'a ExtraColumns<D>,
    ) -> Self {
        let species =
            drive.species.and_then(|wanted| Some((wanted.get() as u32, extra.species.get()?)));
        Self { species, drawn: timing.drawn() }
    }

    /// Whether it drives the boid in a slot, which does not wait.
    pub fn drives(&self, identity: &Identity<'_>, slot: usize) -> bool {
        let draw = || noise::uniform(identity.seed, identity.id(slot), 0, noise::stream::DELAY);
        let is_one = self.species.is_none_or(|(wanted, species)| species[slot] == wanted);
        is_one && self.drawn.is_none_or(|part| draw() < part)
    }
}

const _: () = assert!(MAX_LANES <= PADDING);
