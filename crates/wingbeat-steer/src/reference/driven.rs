//! Drives of the textbook flock: their forces, and their memory.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::explanation::{DriveForce, TermParts};
use crate::reference::TextbookFlock;
use crate::space::boid::{REST_SPEED, heading};
use crate::terms::drive::definition::{DriveParts, Driven, Memory};
use crate::terms::drive::{Drive, DriveKind, Goal, OnArrival, When};
use crate::{Term, Vector};

/// By id and drive, the way to the goal.
pub(super) type Leaning<V> = BTreeMap<(u64, usize), V>;

/// Whether a boid has arrived where it settles.
fn has_settled<V>(boid: &Driven<'_, V>) -> bool {
    matches!(boid.memory, Memory::Settling(part) if part >= 1.0)
}

impl<V: Vector> TextbookFlock<V> {
    /// Other drives from now on. What boids remember is kept where it is still of use
    /// ([`Drive::continues`]).
    pub fn set_drives(&mut self, drives: Vec<Drive<V>>) {
        let continues = |place: usize| match (drives.get(place), self.drives.get(place)) {
            (Some(now), Some(then)) => now.continues(then),
            _ => false,
        };
        self.memories.retain(|&(_, place), _| continues(place));
        self.drives = drives;
    }

    /// A boid's own goal from now on, which it has not arrived at; `None`: it has none.
    pub fn set_goal(&mut self, id: u64, goal: Option<V>) {
        match goal {
            Some(goal) => self.goals.insert(id, goal),
            None => self.goals.remove(&id),
        };
        let drives = &self.drives;
        let is_goal = |place: usize| {
            drives.get(place).is_some_and(|drive| matches!(drive.kind, DriveKind::Goal(_)))
        };
        self.memories.retain(|&(boid, place), _| boid != id || !is_goal(place));
    }

    /// Whether a drive has anything to do with boid `i`, in whatever state that is.
    fn concerns(&self, i: usize, drive: &Drive<V>) -> bool {
        drive.species.is_none_or(|species| species == self.traits_of(i).species)
    }

    /// Whether a drive drives boid `i` now, or would if the boid did not wait.
    fn applies(&self, i: usize, drive: &Drive<V>) -> bool {
        let resting = self.traits_of(i).resting;
        self.concerns(i, drive)
            && drive.is_on(self.time)
            && match drive.when {
                When::Always => true,
                When::Idle => !resting && !self.is_busy(i),
                When::Busy => self.is_busy(i),
                When::Resting => resting,
            }
    }

    /// What a drive's force on boid `i` depends on.
    fn driven(&self, i: usize, place: usize, drive: &Drive<V>) -> Driven<'_, V> {
        let boid = self.boids[i];
        let parent = drive.parent_of(boid.id);
        let parent = parent.and_then(|id| self.boids.iter().find(|other| other.id == id));
        Driven {
            id: boid.id,
            seed: self.seed,
            step: self.step,
            time: self.time,
            position: boid.position,
            velocity: boid.velocity,
            max_speed: self.limits_of(i).max_speed,
            domain: &self.domain,
            goal: self.goals.get(&boid.id).copied(),
            parent: parent.map(|parent| (parent.position, parent.velocity)),
            memory: self.memories.get(&(boid.id, place)).copied().unwrap_or_else(|| drive.begin()),
        }
    }

    /// The axis of sight of boid `i`: toward its leader where a
    /// [`Leader`](crate::terms::drive::Leader) says so, otherwise ahead; `None` at rest.
    pub(super) fn gaze(&self, i: usize) -> Option<V> {
        let at_leader = self.drives.iter().enumerate().find_map(|(place, drive)| {
            if !drive.looks()
                || !self.applies(i, drive)
                || drive.waits(self.seed, self.boids[i].id, self.time)
            {
                return None;
            }
            let driven = self.driven(i, place, drive);
            Some(driven.way_to(driven.parent?.0).unit()).filter(|&gaze| gaze.largest() > 0.0)
        });
        let velocity = self.boids[i].velocity;
        at_leader.or_else(|| (velocity.norm_plain() >= REST_SPEED).then(|| heading(velocity)))
    }

    /// The drive at `place` as a term of boid `i`.
    pub(super) fn drive_term(&self, i: usize, place: usize, drive: &Drive<V>) -> TermParts<V> {
        let applies = self.applies(i, drive);
        let (force, parts) = if applies {
            let driven = self.driven(i, place, drive);
            let force = drive.force(place, &driven);
            (force, drive.parts(&driven, force))
        } else {
            (V::origin(), DriveParts::default())
        };
        let weight = drive.weight;
        TermParts {
            name: Some(drive.name.clone()),
            kind: Some(drive.kind.name()),
            drive: Some(DriveForce { applies, parts, force, weight }),
            ..TermParts::new(Term::Drive(place), force.times(weight))
        }
    }

    /// Boids that lean on one that has settled at the same goal, as the step begins: by id and
    /// drive, with the way to the goal.
    pub(super) fn leaning(&self) -> Leaning<V> {
        let mut leaning = Leaning::new();
        for (place, drive) in self.drives.iter().enumerate() {
            let DriveKind::Goal(goal) = &drive.kind else { continue };
            if !goal.settles() || self.params.body.is_none() {
                continue;
            }
            let driven: Vec<_> =
                (0..self.boids.len()).map(|i| self.driven(i, place, drive)).collect();
            for (i, one) in driven.iter().enumerate() {
                let Some(target) = goal.target_of(one) else { continue };
                let leans_on = |(j, other): (usize, &Driven<'_, V>)| {
                    let offset = one.way_to(other.position);
                    let radii = self.traits_of(i).radius(&self.params)
                        + self.traits_of(j).radius(&self.params);
                    j != i
                        && has_settled(other)
                        && goal.target_of(other) == Some(target)
                        && Goal::leans(offset, radii)
                };
                if driven.iter().enumerate().any(leans_on) {
                    leaning.insert((one.id, place), one.way_to(target));
                }
            }
        }
        leaning
    }

    /// What is remembered of pressing, for drives whose boids settle; `leaning` is how it was when
    /// the step began.
    fn press(&mut self, time: f64, leaning: &Leaning<V>) {
        if self.params.body.is_none() {
            return;
        }
        let dt = (time - self.time) as f32;
        for (place, drive) in self.drives.clone().iter().enumerate() {
            let DriveKind::Goal(goal) = &drive.kind else { continue };
            if !goal.settles() {
                continue;
            }
            for i in 0..self.boids.len() {
                let driven = self.driven(i, place, drive);
                let Memory::Settling(part) = driven.memory else { continue };
                if part >= 1.0 || !self.concerns(i, drive) || !drive.drives(&driven) {
                    continue;
                }
                let presses = leaning.get(&(driven.id, place)).is_some_and(|&before| {
                    let after =
                        goal.target_of(&driven).map_or(before, |target| driven.way_to(target));
                    goal.gets_no_nearer(before, after, driven.max_speed, dt)
                });
                let radius = self.traits_of(i).radius(&self.params);
                let part = Goal::<V>::pressed(part, presses, (driven.max_speed, radius), dt);
                let id = driven.id;
                self.memories.insert((id, place), Memory::Settling(part));
                if part >= 1.0 {
                    self.arrived.push((id, place));
                }
            }
        }
    }

    /// What drives remember of boids that have moved, at the step's end `time`; boids whose goal
    /// says so leave on arrival.
    pub(super) fn remember(&mut self, time: f64, leaning: &Leaning<V>) {
        self.arrived.clear();
        self.press(time, leaning);
        let mut leave = Vec::new();
        for (place, drive) in self.drives.clone().iter().enumerate() {
            for i in 0..self.boids.len() {
                let id = self.boids[i].id;
                let progress = drive.progress(&self.driven(i, place, drive), time);
                if self.concerns(i, drive) || drive.kind.runs_on() {
                    self.memories.insert((id, place), progress.memory);
                    if progress.arrived {
                        self.arrived.push((id, place));
                        let goes = matches!(
                            &drive.kind,
                            DriveKind::Goal(goal) if goal.on_arrival == OnArrival::Leave
                        );
                        leave.extend(goes.then_some(id));
                    }
                }
            }
        }
        self.arrived.sort_unstable();
        self.boids.retain(|boid| !leave.contains(&boid.id));
    }
}
