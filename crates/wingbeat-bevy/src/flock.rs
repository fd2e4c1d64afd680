//! The resource: the flock, the entity of each boid, where every boid was and is.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use wingbeat::{BoidId, Event, Params};
use wingbeat_scene::{AnyFlock, Machine, Override, SceneError};
use wingbeat_session::{EditableScene, LiveFlock};

use crate::Axes;
use crate::poses::{Period, Pose, Poses};
use crate::roster::Roster;

/// A flock that an app has. Insert it, and its boids get entities before the next fixed step;
/// insert another, and the entities of the one before go. An app has one at a time.
///
/// ```
/// use wingbeat_bevy::Flock;
/// let mut flock = Flock::from_toml(
///     "small",
///     "[flock]\nboids = 50\n[cohesion]\n[alignment]\n",
///     &["flock.seed=7"],
/// )?;
/// assert_eq!((flock.len(), flock.dimensions(), flock.steps()), (50, 3, 0));
/// flock.set("cohesion.weight", "0.5")?;
/// assert!(
///     flock.set("cohesion.weihgt", "0.5").is_err_and(|line| line.contains("cohesion.weight"))
/// );
/// assert!(Flock::preset("shaol").is_err_and(|refusal| refusal.to_string().contains("shoal")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Resource)]
pub struct Flock {
    live: LiveFlock,
    pub(crate) roster: Roster,
    pub(crate) poses: Poses,
    /// Whether boids have to be looked through anew, as other code may have changed them.
    pub(crate) stale: bool,
    /// Whether its boids had entities before.
    pub(crate) adopted: bool,
    /// Whether it has gone back to a checkpoint, so that what entities asked for before means
    /// nothing any more.
    pub(crate) restored: bool,
    /// Places in the roster of those that shall get entities.
    pub(crate) newcomers: Vec<usize>,
    /// Who has left the flock and still has an entity, by ascending id.
    pub(crate) departed: Vec<(BoidId, Entity)>,
    /// What happened in the last step, until it is told.
    pub(crate) untold: Vec<Event>,
}

impl Flock {
    /// A flock of one of the scenes that come with Wingbeat (`wingbeat presets` lists them), on all
    /// threads of the machine.
    ///
    /// # Errors
    /// When there is no such preset.
    pub fn preset(name: &str) -> Result<Self, SceneError> {
        Self::load(name, &[], Machine::default())
    }

    /// A flock of a preset or of a scene file, with keys of the scene set otherwise:
    /// `"flock.boids=2000"`. `machine` never changes a result.
    ///
    /// # Errors
    /// When there is no such preset or file, or something in it is not accepted.
    pub fn load(
        preset_or_path: &str,
        overrides: &[&str],
        machine: Machine,
    ) -> Result<Self, SceneError> {
        Self::of(EditableScene::load(preset_or_path, &read(overrides)?)?, machine)
    }

    /// A flock of a scene in a text; `name` is what messages call it.
    ///
    /// # Errors
    /// When something in it is not accepted.
    pub fn from_toml(name: &str, text: &str, overrides: &[&str]) -> Result<Self, SceneError> {
        Self::of(EditableScene::with_overrides(name, text, &read(overrides)?)?, Machine::default())
    }

    fn of(scene: EditableScene, machine: Machine) -> Result<Self, SceneError> {
        Ok(Self::new(LiveFlock::new(scene, machine, None, true)?))
    }

    /// A flock that was built elsewhere.
    pub fn new(live: LiveFlock) -> Self {
        Self {
            live,
            roster: Roster::default(),
            poses: Poses::default(),
            stale: true,
            adopted: false,
            restored: false,
            newcomers: Vec::new(),
            departed: Vec::new(),
            untold: Vec::new(),
        }
    }

    /// Changes a key of the scene from the next step on; the value is written as in TOML.
    ///
    /// # Errors
    /// One line, when the key or the value is not accepted, or takes effect only when a flock is
    /// built; nothing is changed then.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        self.live.set(key, value)
    }

    /// A number that is the same exactly if ids, positions and velocities are, to the last bit: the
    /// `state_hash` of `wingbeat run --json`.
    pub fn state_hash(&self) -> u64 {
        self.flock().state_hash()
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.flock().steps()
    }

    /// Number of boids.
    pub fn len(&self) -> usize {
        self.flock().len()
    }

    /// Whether there is no boid.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// 2 or 3.
    pub fn dimensions(&self) -> usize {
        self.flock().dimensions()
    }

    /// The rules.
    pub fn params(&self) -> &Params {
        self.flock().params()
    }

    /// The entity of a boid. O(1) while ids are counted from 0 without a gap, O(log n) otherwise.
    pub fn entity(&self, id: BoidId) -> Option<Entity> {
        self.roster.entity(id)
    }

    /// The boid of an entity.
    pub fn id(&self, entity: Entity) -> Option<BoidId> {
        self.roster.id(entity)
    }

    /// Position and velocity after the last step, in Bevy's axes: what the transform shows lies
    /// between that and the step before. In a scene in the plane what is not in the plane is 0.
    pub fn state(&self, entity: Entity, axes: Axes) -> Option<(Vec3, Vec3)> {
        let rank = self.roster.rank(self.id(entity)?)?;
        let pose = self.poses.current(self.roster.seats()[rank]);
        Some((axes.to_bevy(pose.position), axes.to_bevy(pose.velocity)))
    }

    /// All that later steps depend on, as bytes with a checksum.
    ///
    /// # Errors
    /// One line, when it cannot be written.
    pub fn checkpoint(&self) -> Result<Vec<u8>, String> {
        self.live.checkpoint()
    }

    /// Goes back to a [checkpoint](Self::checkpoint), bit for bit. Before the next step a boid that
    /// is no longer there loses its entity, and one that is there again gets one; nothing is
    /// interpolated on the way.
    ///
    /// # Errors
    /// One line, when the bytes are no whole checkpoint or of another kind of flock; nothing is
    /// changed then.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.live.restore(bytes)?;
        (self.stale, self.restored) = (true, true);
        Ok(())
    }

    /// The flock behind it.
    pub fn live(&self) -> &LiveFlock {
        &self.live
    }

    /// The flock behind it, to be changed in any way: entities are brought in line before the next
    /// step.
    pub fn live_mut(&mut self) -> &mut LiveFlock {
        self.stale = true;
        &mut self.live
    }

    pub(crate) fn flock(&self) -> &AnyFlock {
        self.live.flock()
    }

    /// For changes after which the roster is still right.
    pub(crate) fn flock_mut(&mut self) -> &mut AnyFlock {
        self.live.flock_mut()
    }

    pub(crate) fn is_space(&self) -> bool {
        self.dimensions() == 3
    }

    pub(crate) fn period(&self) -> Option<Period> {
        Period::of(self.flock())
    }

    /// One step. Who is new has a seat afterwards, and an entity as soon as there may be one.
    pub(crate) fn step(&mut self) {
        self.live.step();
        self.untold.clear();
        self.untold.extend_from_slice(self.live.flock().events());
        self.agree();
        self.poses.advance(self.live.flock(), self.roster.seats(), self.roster.rows());
        for &rank in &self.newcomers {
            self.poses.settle(self.roster.seats()[rank]);
        }
    }

    /// After other code may have changed anything. `removed` are entities that are no boids
    /// since the last step.
    pub(crate) fn refresh(&mut self, removed: Vec<(BoidId, Entity)>) {
        self.agree();
        if self.restored {
            // They were removed from a state that is no more: one of them that is there again gets
            // another entity.
            self.newcomers.extend(
                removed.into_iter().filter_map(|(id, entity)| self.roster.vacate(id, entity)),
            );
            self.newcomers.sort_unstable();
        } else {
            self.remove(removed.into_iter());
        }
        self.poses.snap(self.live.flock(), self.roster.seats(), self.roster.rows());
        (self.stale, self.adopted, self.restored) = (false, true, false);
    }

    /// The boids that left, and those that entered.
    fn agree(&mut self) {
        let difference = self.roster.agree_with(self.live.flock().living());
        self.departed.extend(
            difference.gone.into_iter().filter(|&(_, entity)| entity != Entity::PLACEHOLDER),
        );
        self.departed.sort_unstable_by_key(|&(id, _)| id);
        // No boid waits from before: entities come right after steps.
        self.newcomers = difference.come;
    }

    /// Boids of entities that are there already: positions, velocities, in the scene's axes. Many
    /// in one call; only where the flock does not accept all of them one by one, to find out which
    /// ones it refuses.
    pub(crate) fn add(&mut self, poses: &[Pose]) -> Vec<Result<BoidId, String>> {
        let dimensions = self.dimensions();
        let row = |v: &[f32; 3]| v[..dimensions].to_vec();
        let positions: Vec<f32> = poses.iter().flat_map(|pose| row(&pose.position)).collect();
        let velocities: Vec<f32> = poses.iter().flat_map(|pose| row(&pose.velocity)).collect();
        if let Ok(ids) = self.flock_mut().add_all(&positions, &velocities) {
            return ids.map(|id| Ok(BoidId::new(id))).collect();
        }
        let each = positions.chunks_exact(dimensions).zip(velocities.chunks_exact(dimensions));
        let flock = self.live.flock_mut();
        let add = |(position, velocity)| {
            flock.add_all(position, velocity).map(|ids| BoidId::new(ids.start))
        };
        each.map(add).map(|added| added.map_err(|refusal| refusal.to_string())).collect()
    }

    /// Removes those of these boids that are still there, all in one call.
    pub(crate) fn remove(&mut self, who: impl Iterator<Item = (BoidId, Entity)>) {
        let mut ids: Vec<u64> = who
            .filter(|&(id, entity)| self.entity(id) == Some(entity))
            .map(|(id, _)| id.get())
            .collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            return;
        }
        // All of them live; should the flock think otherwise, the roster follows the flock.
        let _ = self.flock_mut().remove(&ids);
        // Their entities are gone already, or are no boids any more.
        let _ = self.roster.agree_with(self.live.flock().living());
    }
}

fn read(overrides: &[&str]) -> Result<Vec<Override>, SceneError> {
    overrides.iter().map(|assignment| Override::set(assignment)).collect()
}
