//! Exits and sources of a flock, between steps and at the end of a step.

use std::sync::Arc;

use wingbeat_steer::gate::{Entrance, Exits};
use wingbeat_steer::{Exit, ExitId, Source, SourceId};

use super::{Flock, Settings};
use crate::FlockError;
use crate::flock::parts::FlockState;
use crate::memory::MAX_BOIDS;
use crate::motion::obstacle::ObstacleIndex;
use crate::simd::with_default_rounding;

impl<const D: usize> Flock<D> {
    /// The exits, in the order in which events count them.
    pub fn exits(&self) -> &[Exit<[f32; D]>] {
        &self.settings.exits
    }

    /// Other exits from the next step on: doors open and close. Those of a name go on with what the
    /// one of that name before remembers.
    ///
    /// ```
    /// use wingbeat::steer::{Exit, ObstacleShape};
    /// use wingbeat::{Event, Flock2, TimeStep};
    /// let door = Exit::new("door", ObstacleShape::Sphere { center: [1.0, 0.0], radius: 0.5 });
    /// let closed = Exit { open: false, ..door.clone() };
    /// let mut flock =
    ///     Flock2::builder().exits(vec![closed]).boids(&[[0.8, 0.0]], &[[0.0, 0.0]]).build()?;
    /// let (dt, id) = (TimeStep::new(0.1)?, flock.frame().boid(0).id);
    /// flock.step(dt);
    /// assert!(flock.events().is_empty());
    /// flock.set_exits(vec![door])?;
    /// let out = flock.exit_named("door")?;
    /// flock.step(dt);
    /// assert_eq!(flock.events(), [Event::Exited { boid: id, exit: out }]);
    /// assert!(flock.is_empty());
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// As [`FlockBuilder::build`](crate::FlockBuilder::build); nothing is changed then.
    #[inline(never)]
    pub fn set_exits(&mut self, exits: Vec<Exit<[f32; D]>>) -> Result<(), FlockError> {
        let mut next = Exits::new(exits.clone(), &self.settings.params, &self.settings.domain)?;
        next.go_on_from(&self.state.gates.exits);
        self.state.gates.exits = next;
        Arc::make_mut(&mut self.settings).exits = exits;
        Ok(())
    }

    /// The exit of this name.
    ///
    /// # Errors
    /// Names those that there are.
    #[inline(never)]
    pub fn exit_named(&self, name: &str) -> Result<ExitId, FlockError> {
        Ok(ExitId::named(name, self.exits().iter().map(|exit| &*exit.name))?)
    }

    /// The sources, in the order in which events count them.
    pub fn sources(&self) -> &[Source<[f32; D]>] {
        &self.settings.sources
    }

    /// The source of this name.
    ///
    /// # Errors
    /// Names those that there are.
    #[inline(never)]
    pub fn source_named(&self, name: &str) -> Result<SourceId, FlockError> {
        Ok(SourceId::named(name, self.sources().iter().map(|source| &*source.name))?)
    }

    /// Whether any boid is still to come from a source, at whatever time.
    pub fn awaits_others(&self) -> bool {
        self.state.gates.sources.any_due(f64::INFINITY)
    }

    /// A boid that is in an exit that is open when the step from one time to another has ended
    /// leaves, by a turnstile one after the other.
    pub(super) fn let_out(&mut self, step: (f64, f64)) {
        if self.state.gates.exits.any_open_at(step.1) {
            let begun = self.enter_exits(step);
            let exits = &mut self.state.gates.exits;
            with_default_rounding(|| {
                self.workspace.happened.exited(begun, |exit| exits.lets_out(exit.get(), step))
            });
        }
    }

    /// Notes which boids are in an exit, from the returned place of the events on.
    pub(super) fn enter_exits(&mut self, step: (f64, f64)) -> usize {
        let FlockState { boids, gates, .. } = &self.state;
        let (columns, extra, ids, exits) = (&boids.front, &boids.extra, boids.ids(), &gates.exits);
        let exit_of = |slot: usize| {
            let position = columns.position(slot);
            // Few are in the box about all exits.
            exits
                .may_hold(position)
                .then(|| exits.of(position, extra.species_of(slot), step.1))
                .flatten()
        };
        let happened = &mut self.workspace.happened;
        let is_inside = |slot: usize| exit_of(slot).is_some();
        let found = happened.find(boids.len(), is_inside, &self.machine.workers);
        let who = found.iter().map(|&slot| slot as usize);
        let inside =
            who.filter_map(|slot| Some((ids.of(columns.rank[slot]), ExitId::new(exit_of(slot)?))));
        let begun = happened.inside_exits(inside);
        happened.put_back(found);
        begun
    }

    /// A boid that is due by a time, when all that leave have left, enters if there is room.
    pub(super) fn let_in_all(&mut self, time: f64) {
        if !self.state.gates.sources.any_due(time) {
            return;
        }
        self.find_bodies_near_sources(time);
        let boids = &self.state.boids;
        let most = (u64::MAX - boids.next_id()).min((MAX_BOIDS - boids.len()) as u64);
        self.release(time, most);
        let mut newcomers = std::mem::take(&mut self.state.gates.newcomers);
        for (source, position) in newcomers.drain(..) {
            self.let_in(source, position);
        }
        self.state.gates.newcomers = newcomers;
    }

    /// A newcomer of a source: one boid more.
    pub(super) fn let_in(&mut self, source: usize, position: [f32; D]) {
        let &Source { species, velocity, .. } = &self.settings.sources[source];
        let Ok(id) = self.welcome(species, position, velocity) else {
            debug_assert!(false, "there is room");
            return;
        };
        self.workspace.happened.entered(id, SourceId::new(source));
    }

    /// Lists the bodies that may be in the way of the boids that are due.
    pub(super) fn find_bodies_near_sources(&mut self, time: f64) {
        let FlockState { boids, seed, course, gates, .. } = &mut self.state;
        let entrance = entrance(&self.settings, course, *seed, time);
        gates.near.clear();
        if let Some(bodies) = &self.derived.bodies {
            let (columns, extra, sources) = (&boids.front, &boids.extra, &gates.sources);
            let reach = 2.0 * f64::from(bodies.largest);
            let near = |slot: usize| sources.may_meet(columns.position(slot), reach, &entrance);
            let happened = &mut self.workspace.happened;
            let found = happened.find(boids.len(), near, &self.machine.workers);
            let with_radius = |slot: usize| (columns.position(slot), bodies.radius_of(extra, slot));
            gates.near.extend(found.iter().map(|&slot| with_radius(slot as usize)));
            happened.put_back(found);
        }
    }

    /// Who is due and has room, at most so many, is to be let in.
    pub(super) fn release(&mut self, time: f64, most: u64) {
        let FlockState { seed, course, gates, .. } = &mut self.state;
        let entrance = entrance(&self.settings, course, *seed, time);
        let newcomers = &mut gates.newcomers;
        newcomers.clear();
        gates.sources.release(&entrance, &mut gates.near, most, |source, place| {
            newcomers.push((source, place))
        });
    }
}

/// What sources let in to, at a time.
fn entrance<'a, const D: usize>(
    Settings { params, domain, .. }: &'a Settings<D>,
    course: &'a Option<Box<ObstacleIndex<D>>>,
    seed: u64,
    time: f64,
) -> Entrance<'a, [f32; D]> {
    let obstacles = course.as_ref().map(|course| &course.course);
    Entrance { params, domain, obstacles, seed, time }
}
