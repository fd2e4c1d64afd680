//! A step: its one recipe, for flocks in one piece and in parts, and its stages.

use std::convert::Infallible;
use std::sync::Arc;

use wingbeat_steer::{Boundary, IntoTimeStep, TimeStep};

use crate::Brake;
use crate::columns::boids::Columns;
use crate::columns::extra::{Column, Outcome};
use crate::flock::Flock;
use crate::flock::parts::{Derived, FlockState, Machine, Workspace};
use crate::flock::queries::Indexed;
use crate::identity::Identity;
use crate::kernel::{self, OtherPasses, StepInput, headings};
use crate::motion::integrate::{self, Motion};
use crate::motion::limits::Limits;
use crate::neighbors::SortedFlock;
use crate::simd::with_default_rounding;

/// A flock in one piece or in parts, as it is stepped: what is written here holds in one piece, and
/// parts put in its place what they do together. `P` is what the parts are reached by.
pub(super) trait Steps<const D: usize, P: ?Sized = ()>: Send {
    /// Why a step cannot be made.
    type Lost;

    fn flock(&mut self) -> &mut Flock<D>;

    /// Whether the step is given up ([`Flock::brake`]); asked between any two stages.
    fn is_given_up(&self) -> bool {
        false
    }

    /// Before all else: every boid goes to where it belongs, and those it may see are here.
    fn exchange(&mut self, _parts: &mut P) -> Result<(), Self::Lost> {
        Ok(())
    }

    /// After sorting: which slots hold own boids.
    fn find_own(&mut self) {}

    /// After steering: what it cost.
    fn weigh(&mut self) {}

    /// After moving freely: bodies may look further than was known.
    fn look_further(&mut self, _parts: &mut P) -> Result<(), Self::Lost> {
        Ok(())
    }

    /// Others are not looked at from here on: they are dropped.
    fn forget_others(&mut self) {}

    /// Each prey is captured by the first of its captors.
    fn capture(&mut self, _parts: &mut P) -> Result<(), Self::Lost> {
        self.flock().tell_captures();
        Ok(())
    }

    /// Boids in an exit leave; a turnstile lets out one after the other.
    fn leave_by_exits(&mut self, step: (f64, f64), _parts: &mut P) -> Result<(), Self::Lost> {
        self.flock().let_out(step);
        Ok(())
    }

    /// Boids that leave are removed together.
    fn remove_gone(&mut self) {
        self.flock().remove_gone();
    }

    /// Sources let in.
    fn enter(&mut self, time: f64, _parts: &mut P) -> Result<(), Self::Lost> {
        self.flock().let_in_all(time);
        Ok(())
    }

    /// After the step: cuts move to where work is even.
    fn even_out(&mut self, _parts: &mut P) -> Result<(), Self::Lost> {
        Ok(())
    }
}

impl<const D: usize> Steps<D> for Flock<D> {
    type Lost = Infallible;

    fn flock(&mut self) -> &mut Self {
        self
    }

    fn is_given_up(&self) -> bool {
        self.machine.workers.is_braked()
    }
}

/// A step in its stages, unless it is given up.
///
/// ```text
/// sort               boids into slot order, by grid cell: neighbors in space become neighbors in
///                    memory
/// steer              each boid looks at its neighbors, and its terms are combined
/// move freely        anticipation replaces preferred velocities, then steering becomes velocity
///                    and position, with obstacles and faces met, as if there were no other bodies
/// resolve contacts   displacements of bodies are cut to what the bounds by other bodies allow
/// conclude           stamina, captures, progress of drives, arrivals, exits, the edges of an
///                    absorbing domain, sources
/// ```
pub(super) fn make_step<const D: usize, P: ?Sized, S: Steps<D, P>>(
    whole: &mut S,
    dt: TimeStep,
    parts: &mut P,
) -> Result<(), S::Lost> {
    whole.exchange(parts)?;
    let workers = Arc::clone(&whole.flock().machine.workers);
    workers.enter(whole.flock().len(), || {
        whole.flock().sort();
        whole.find_own();
        if whole.is_given_up() {
            return;
        }
        whole.flock().steer();
        whole.weigh();
        if whole.is_given_up() {
            return;
        }
        whole.flock().move_freely(dt);
    });
    if whole.is_given_up() {
        return Ok(());
    }
    whole.look_further(parts)?;
    workers.enter(whole.flock().len(), || whole.flock().resolve_contacts(dt));
    if whole.is_given_up() {
        return Ok(());
    }
    whole.forget_others();
    conclude(whole, dt, parts)?;
    if whole.is_given_up() {
        return Ok(());
    }
    let flock = whole.flock();
    (flock.state.step, flock.state.time) = (flock.state.step + 1, flock.end_of(dt));
    whole.even_out(parts)
}

fn conclude<const D: usize, P: ?Sized, S: Steps<D, P>>(
    whole: &mut S,
    dt: TimeStep,
    parts: &mut P,
) -> Result<(), S::Lost> {
    whole.flock().begin_events();
    whole.flock().tire(dt);
    whole.capture(parts)?;
    let flock = whole.flock();
    flock.remember_and_arrive(dt);
    let step = (flock.state.time, flock.end_of(dt));
    whole.leave_by_exits(step, parts)?;
    whole.flock().tell_squeezed();
    whole.flock().leave_domain();
    whole.remove_gone();
    whole.enter(step.1, parts)
}

impl<const D: usize> Flock<D> {
    /// One step of length `dt`. It cannot fail, and within the accepted ranges it makes no NaN and
    /// no infinity. Should a rule or a drive of the host's own panic, so does this, on whatever
    /// thread that was; the flock is then as it was before the step, and can be stepped again.
    pub fn step(&mut self, dt: impl IntoTimeStep) {
        self.step_by(dt.time_step());
    }

    #[inline(never)]
    pub(crate) fn step_by(&mut self, dt: TimeStep) {
        let workers = Arc::clone(&self.machine.workers);
        workers.release();
        // Once, and not for each stage: a small flock would feel it.
        let Ok(()) = workers.enter(self.len(), || {
            let made = make_step(self, dt, &mut ());
            // A host that asked once will ask again.
            let Self { state, derived, workspace, machine, .. } = self;
            if workspace.queries.was_asked() {
                workspace.queries.prepare(&workspace.grid, Indexed { state, derived, machine });
            }
            made
        });
    }

    /// What gives up a step under way, from another thread.
    #[doc(hidden)]
    pub fn brake(&self) -> Brake {
        self.machine.workers.brake().clone()
    }

    /// Whether the last step was given up; asked once. A flock that was stopped in the middle of a
    /// step is good for nothing but to be overwritten by a clone from before.
    #[doc(hidden)]
    pub fn gave_up(&mut self) -> bool {
        self.machine.workers.release()
    }

    /// When a step that begins now ends; like all that steps compute, whatever rounding the host
    /// has set.
    fn end_of(&self, dt: TimeStep) -> f64 {
        with_default_rounding(|| self.state.time + f64::from(dt.get()))
    }

    /// Boids into slot order.
    #[doc(hidden)]
    #[inline(never)]
    pub fn sort(&mut self) {
        let Workspace { grid, back, steered, sorted, queries, .. } = &mut self.workspace;
        let (boids, Machine { level, workers, .. }) = (&mut self.state.boids, &self.machine);
        with_default_rounding(|| match queries.take() {
            None => grid.sort(boids, back, workers, *level),
            Some(mut index) => {
                index.hand_over(grid, back);
                boids.sort(grid.order(), back, workers);
                queries.put_back(index);
            }
        });
        (*steered, *sorted) = (false, true);
    }

    /// Steering of all boids. Needs a sorted flock.
    #[doc(hidden)]
    #[inline(never)]
    pub fn steer(&mut self) {
        let Self { settings, host, state, derived, workspace, machine } = self;
        let FlockState { boids, seed, step, time, course, .. } = state;
        let Derived { kernel: prepared, drives, slices, .. } = derived;
        let Workspace { grid, back, crowd, headings, captures, steered, .. } = workspace;
        let model = derived.model.as_deref();
        let level = model.map_or(machine.level, |model| model.level(machine.level));
        let (workers, slots) = (&*machine.workers, boids.len());
        boids.outcome.make_room(slots);
        drives.prepare(&settings.drives, boids, *time, workers);
        let fine = crowd.find(machine, prepared, grid, (boids, &mut back.columns));

        let (members, front, extra, Outcome { force, busy, .. }) = boids.split();
        let columns = if fine { &back.columns } else { front };
        let identity =
            Identity { rank: &columns.rank, ids: members.ids(), seed: *seed, step: *step };
        let mut flock = SortedFlock::new(columns, extra, identity, (grid, &settings.domain));
        flock.turns = slices.as_ref().map(|slices| slices.turns(&extra.phase, *step));
        if prepared.reads_headings {
            flock.aligned = refresh_headings(columns, headings, slots, machine);
        }
        if fine {
            (flock.species, flock.fine) = (&crowd.species, Some(&crowd.fine));
        }
        let turns = flock.turns;
        let listed = (&settings.drives[..], &host.drives[..]);
        let input = StepInput {
            flock,
            prepared,
            extra,
            course: course.as_deref().filter(|course| course.steers()),
            drives: drives.driving(listed, (front, extra), *time, level),
            captures: captures.begin(if busy.in_use() { slots } else { 0 }),
        };
        let passes = OtherPasses { model, host: host.rules.as_deref() };
        let batch = slices.as_ref().map_or(workers.batch(), |slices| slices.batch(workers.batch()));
        for slots in members.own() {
            let force = force.each_mut().map(Column::values_mut);
            let fine_force = crowd.steering.each_mut().map(Vec::as_mut_slice);
            let columns = [if fine { fine_force } else { force }];
            workers.for_batches_marked(
                batch,
                slots,
                columns,
                busy.values_mut(),
                &|first, [out], busy, scratch| {
                    kernel::steer(level, &input, &passes, (first, out, busy), scratch);
                },
            );
        }
        if fine {
            crowd.hand_over(force, turns, slots, workers);
        }
        if let Some(slices) = slices {
            slices.steered(&mut boids.extra.phase);
        }
        *steered = true;
    }

    /// Steering becomes motion.
    #[doc(hidden)]
    #[inline(never)]
    pub fn integrate(&mut self, dt: TimeStep) {
        self.move_freely(dt);
        self.resolve_contacts(dt);
    }

    /// Bodies move from the front columns into the back ones, since contacts
    /// need to know where the others were.
    fn move_freely(&mut self, dt: TimeStep) {
        let FlockState { boids, time, course, .. } = &mut self.state;
        if let Some(course) = course {
            course.begin_step(*time, dt.get(), &self.machine.workers);
        }
        boids.mark_squeezed(course.is_some());
        self.prepare_bodies();
        self.anticipate(dt.get());
        let Self { settings, state, derived, workspace, machine, .. } = self;
        let FlockState { boids, seed, step, course, .. } = state;
        let Derived { kernel, bodies, anticipation, .. } = derived;
        let Workspace { back, answers, .. } = workspace;
        let (members, front, extra, Outcome { force, squeezed, .. }) = boids.split_mut();
        let Columns { position, velocity, rank } = front;
        let identity = Identity { rank, ids: members.ids(), seed: *seed, step: *step };
        let mut motion = Motion::new(
            force.each_ref().map(Column::values),
            identity,
            &settings.params,
            Limits::new(&kernel.kinds, extra),
            &settings.domain,
            dt.get(),
            (course.as_deref(), bodies.as_ref()),
        );
        motion.answers = anticipation.as_ref().map(|anticipation| {
            (answers.each_ref().map(Vec::as_slice), anticipation.model.is_velocity())
        });
        let to = if bodies.is_some() {
            (&mut back.columns.position, &mut back.columns.velocity)
        } else {
            (position, velocity)
        };
        for slots in members.own() {
            let columns = [to.0.each_mut(), to.1.each_mut()];
            machine.workers.sweep_marked(
                slots,
                columns,
                squeezed.values_mut(),
                &|first, [position, velocity], squeezed, scratch| {
                    let to = (position, velocity, squeezed);
                    let obstacles = &mut scratch.obstacles;
                    integrate::integrate(machine.level, &motion, first, to, obstacles);
                },
            );
        }
    }

    /// Displacements of bodies are cut to what others leave.
    fn resolve_contacts(&mut self, dt: TimeStep) {
        self.keep_bodies_apart(dt.get());
        if let Some(course) = &mut self.state.course {
            course.end_step(self.state.time, dt.get(), &self.machine.workers);
        }
        self.workspace.boids_moved();
    }

    /// Removes the boids that are gone.
    fn remove_gone(&mut self) {
        let gone = self.workspace.happened.gone();
        if !gone.is_empty() {
            let back = &mut self.workspace.back;
            let removed = self.state.boids.remove(gone, back, &self.machine.workers);
            debug_assert!(removed.is_ok(), "they live, and each is named once: {removed:?}");
            self.boids_changed();
        }
    }

    /// No event yet, and room for those that may come.
    fn begin_events(&mut self) {
        let (boids, has_drives) = (self.len(), self.has_drives());
        let happened = &mut self.workspace.happened;
        happened.clear();
        if has_drives
            || self.settings.domain.boundary == Boundary::Absorbing
            || self.derived.kernel.kinds.chases > 0
            || self.state.gates.exits.any_open()
        {
            happened.make_room(boids);
        }
    }
}

/// Headings of all boids, in the order of the columns.
fn refresh_headings<'a, const D: usize>(
    columns: &Columns<D>,
    headings: &'a mut [Vec<f32>; D],
    slots: usize,
    Machine { level, workers, .. }: &Machine<D>,
) -> [&'a [f32]; D] {
    for column in headings.iter_mut() {
        column.resize(columns.rank.len(), 0.0);
    }
    let written = headings.each_mut().map(Vec::as_mut_slice);
    workers.sweep(slots, [written], &|first, [headings], _| {
        headings::headings(*level, &columns.velocity, first, headings)
    });
    headings.each_ref().map(Vec::as_slice)
}
