//! Boids that settle where they arrive, and those that settled ones keep from the same goal:
//! `OnArrival::Settle`, a boid at a time.
//!
//! ```text
//! after moving, for every goal at which boids settle, for every boid under way:
//!     presses ← it came no nearer, and as the step began it leaned on one that had settled at the
//!               same target
//!     what it remembers goes up or down; at 1 it has arrived
//! ```

use wingbeat_steer::drive::{Drive, DriveKind, Goal};
use wingbeat_steer::{Domain, Params, Vector};

use crate::columns::boids::{Boids, Columns};
use crate::columns::extra::ExtraColumns;
use crate::grid::{Grid, Reach, Run};
use crate::identity::Identity;
use crate::parallel::Workers;
use crate::terms::drive::progress::{ARRIVED, DriveMembers, JUST_NOW};
use crate::terms::drive::{Drives, Interval, Timing};

/// What the flock knows when boids have moved.
#[derive(Clone, Copy)]
pub(crate) struct Moved<'a, const D: usize> {
    /// Where boids were.
    pub before: &'a Columns<D>,
    pub params: &'a Params,
    /// Of the step's beginning, as are the bodies' radii, by slot, and the largest of them.
    pub grid: &'a Grid<D>,
    pub radii: &'a [f32],
    pub largest: f32,
    pub passed: Interval,
}

/// Where a worker has room for the runs of a search.
type RoomForRuns<T, const D: usize> = fn(&mut T) -> &mut Vec<Run<D>>;

/// One goal at which boids settle.
struct Settling<'a, const D: usize> {
    goal: &'a Goal<[f32; D]>,
    of: DriveMembers<'a>,
    moved: Moved<'a, D>,
    identity: Identity<'a>,
    domain: &'a Domain<[f32; D]>,
    before: &'a Columns<D>,
    after: &'a Columns<D>,
    extra: &'a ExtraColumns<D>,
    /// What boids remember of the goal.
    parts: &'a [f32],
    dt: f32,
}

impl<const D: usize> Drives<D> {
    /// What boids remember of pressing, after they have moved: positions of before are in the back
    /// columns. Those that arrive by it are marked, for [`progress`](Self::progress) to tell.
    pub fn press<T: Default + Send>(
        &mut self,
        list: &[Drive<[f32; D]>],
        (boids, domain): (&mut Boids<D>, &Domain<[f32; D]>),
        moved: Moved<'_, D>,
        (workers, runs): (&Workers<T>, RoomForRuns<T, D>),
    ) {
        let slots = boids.len();
        let mut next = std::mem::take(&mut self.pressed);
        next.resize(slots, 0.0);
        for (drive, ready) in list.iter().zip(&self.ready) {
            let Some(goal) = goal_of(drive).filter(|_| ready.timing != Timing::Off) else {
                continue;
            };
            let columns = &boids.front;
            let settling = Settling {
                goal,
                of: DriveMembers::new(drive, ready.timing, &boids.extra),
                moved,
                identity: Identity {
                    rank: &columns.rank,
                    ids: boids.ids(),
                    seed: moved.passed.seed,
                    step: moved.passed.step,
                },
                domain,
                before: moved.before,
                after: columns,
                extra: &boids.extra,
                parts: &boids.extra.memories[ready.column].values()[..slots],
                dt: (moved.passed.to - moved.passed.from) as f32,
            };
            workers.for_batches(slots, [[next.as_mut_slice()]], &|first, [[next]], scratch| {
                for (slot, part) in (first..).zip(next) {
                    *part = settling.part(slot, runs(scratch));
                }
            });
            boids.extra.memories[ready.column].values_mut()[..slots].copy_from_slice(&next);
        }
        self.pressed = next;
    }
}

/// Whether boids settle anywhere.
pub(crate) fn settles<const D: usize>(list: &[Drive<[f32; D]>]) -> bool {
    list.iter().any(|drive| goal_of(drive).is_some())
}

/// The goal at which boids that are driven settle.
fn goal_of<const D: usize>(drive: &Drive<[f32; D]>) -> Option<&Goal<[f32; D]>> {
    if let DriveKind::Goal(goal) = &drive.kind {
        Some(goal).filter(|goal| goal.settles())
    } else {
        None
    }
}

impl<const D: usize> Settling<'_, D> {
    /// What the boid in a slot remembers from now on.
    fn part(&self, slot: usize, runs: &mut Vec<Run<D>>) -> f32 {
        let part = self.parts[slot];
        if part >= ARRIVED || !self.of.drives(&self.identity, slot) {
            return part;
        }
        let traits = self.extra.traits(slot);
        let max_speed = traits.limits(self.moved.params).max_speed;
        let presses = self.target(slot).is_some_and(|target| {
            let way =
                |columns: &Columns<D>| image(self.domain, target.minus(columns.position(slot)));
            self.goal.gets_no_nearer(way(self.before), way(self.after), max_speed, self.dt)
                && self.leans(slot, target, runs)
        });
        let part =
            Goal::<[f32; D]>::pressed(part, presses, (max_speed, self.moved.radii[slot]), self.dt);
        if part >= ARRIVED { JUST_NOW } else { part }
    }

    fn target(&self, slot: usize) -> Option<[f32; D]> {
        self.extra.goal(slot).or(self.goal.target)
    }

    /// Whether it leaned on a boid that had settled at the same target, as the step began.
    fn leans(&self, slot: usize, target: [f32; D], runs: &mut Vec<Run<D>>) -> bool {
        let Moved { grid, radii, largest, .. } = self.moved;
        let own = self.before.position(slot);
        // A little more, for rounding.
        let reach = Reach::new(Goal::<[f32; D]>::reach(radii[slot] + largest) * 1.001, self.domain);
        grid.search_within(&reach, &self.before.position, &own, &own, runs);
        runs.iter().flat_map(|run| run.first as usize..run.end as usize).any(|other| {
            other != slot
                && self.parts[other] >= ARRIVED
                && Goal::leans(
                    image(self.domain, self.before.position(other).minus(own)),
                    radii[slot] + radii[other],
                )
                && self.target(other) == Some(target)
        })
    }
}

/// The nearest image of an offset.
fn image<const D: usize>(domain: &Domain<[f32; D]>, offset: [f32; D]) -> [f32; D] {
    <[f32; D]>::from_fn(|a| domain.image(a, offset[a]))
}
