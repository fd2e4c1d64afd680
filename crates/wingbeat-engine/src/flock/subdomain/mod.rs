//! A flock in subdomains, each in a process of its own: the same bits as in one.
//!
//! ```text
//! own boids, in any order
//!   exchange   a boid that left the rows of its subdomain goes to the one whose rows they are,
//!              with all that it carries; a boid within sight of another subdomain's rows is sent
//!              there as a ghost  (exchange.rs)
//!   sort       own boids and ghosts, in slot order: the whole flock's, as far as it is seen from
//!              here
//!   steer, integrate   own boids alone: slots in the part's rows
//!   ghost boids are dropped
//!   conclude   as ever; what concerns several parts is decided by all of them alike  (step.rs)
//! ```
//!
//! Rows of cells are owned (partition.rs). Boids keep their ranks, so that no subdomain needs to
//! know the ids of all: see [`Ids`](crate::identity::Ids).

use std::fmt;
use std::ops::Range;
use std::time::Duration;

use wingbeat_steer::body::scale;
use wingbeat_steer::{Drive, DriveKind, ParamError, TimeStep, Vector, math};

use crate::columns::boids::GhostBoid;
use crate::flock::Flock;
use crate::simd::with_default_rounding;
use crate::{Event, FlockError};

mod balance;
mod partition;
mod exchange;
mod members;
mod transport;
mod start;
mod step;

use crate::flock::step::make_step;
use crate::flock::subdomain::balance::RowCosts;
use crate::flock::subdomain::partition::{Cuts, RowRectangle};
pub use transport::{PeerLost, ThreadTransport, Transport};

/// Why a flock cannot be in parts, or no longer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SubdomainError {
    /// Something of the flock is not accepted.
    Refused(FlockError),
    /// Another part is gone.
    Lost(PeerLost),
}

impl fmt::Display for SubdomainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refused) => refused.fmt(f),
            Self::Lost(lost) => lost.fmt(f),
        }
    }
}

impl std::error::Error for SubdomainError {}

impl From<FlockError> for SubdomainError {
    fn from(refused: FlockError) -> Self {
        Self::Refused(refused)
    }
}

impl From<ParamError> for SubdomainError {
    fn from(refused: ParamError) -> Self {
        Self::Refused(refused.into())
    }
}

impl From<PeerLost> for SubdomainError {
    fn from(lost: PeerLost) -> Self {
        Self::Lost(lost)
    }
}

/// What a part has told the others, since it was asked last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommStats {
    /// Boids that went to other parts.
    pub moved: u64,
    /// Boids sent to other subdomains as ghosts, each as often as it was sent.
    pub told: u64,
    /// Words of 32 bits that were sent.
    pub words: u64,
    /// Messages sent to single parts.
    pub messages: u64,
    /// Time to select ghosts and movers, to write and to read messages.
    pub writing: Duration,
    /// How long messages were under way, or other parts waited for: those at the beginning of
    /// steps.
    pub waiting: Duration,
}

/// A part of a flock: the boids in some rows of the world, and what it takes to step them as the
/// whole flock would be stepped.
///
/// Every part is given the same flock and makes the same calls in the same order, with its own
/// [`Transport`]. All that is said of one part here holds for the whole: parts of any number, on
/// any threads and levels, end in the same bits as the flock in one piece.
///
/// ```
/// use std::thread;
/// use wingbeat::subdomain::{Subdomain, ThreadTransport};
/// use wingbeat::{Alignment, Domain, Flock2, Params, Shape, Spawn, TimeStep, observe};
/// let build = || {
///     let params = Params { rules: Alignment::default().into(), ..Default::default() };
///     let spawn = Spawn {
///         shape: Shape::Box { min: [0.0; 2], max: [20.0; 2] },
///         speed: 1.0,
///         ..Spawn::default()
///     };
///     Flock2::builder()
///         .params(params)
///         .domain(Domain::periodic([0.0; 2], [20.0; 2]))
///         .spawn(300, spawn)
///         .threads(1)
///         .build()
///         .unwrap()
/// };
/// let dt = TimeStep::new(0.02)?;
/// let mut whole = build();
/// (0..10).for_each(|_| whole.step(dt));
///
/// let run = |mut peers: ThreadTransport| {
///     move || {
///         let mut part = Subdomain::new(build(), &mut peers).unwrap();
///         (0..10).for_each(|_| part.step(dt, &mut peers).unwrap());
///         observe::state_hash(&part.into_flock().frame())
///     }
/// };
/// // All of them at once: each waits for the others.
/// let parts: Vec<_> =
///     ThreadTransport::new(3).into_iter().map(|peers| thread::spawn(run(peers))).collect();
/// let hash = parts.into_iter().map(|part| part.join().unwrap()).fold(0, u64::wrapping_add);
/// assert_eq!(hash, observe::state_hash(&whole.frame()));
/// # Ok::<(), wingbeat::FlockError>(())
/// ```
pub struct Subdomain<const D: usize> {
    flock: Flock<D>,
    cuts: Cuts,
    rows: RowRectangle,
    traffic: CommStats,
    /// How far bodies are expected to look at others in their way.
    in_the_way: f32,
    /// The step before which work was weighed last, and how many steps pass until it is weighed
    /// again.
    weighed: (u64, u64),
    /// What rows cost, in a step that is weighed.
    costs: Option<RowCosts>,
    imbalance: f64,
    evened: f64,
    moved_cuts: u64,
}

impl<const D: usize> fmt::Debug for Subdomain<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part")
            .field("flock", &self.flock)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

impl<const D: usize> Subdomain<D> {
    /// A part of a flock that all parts are given whole: each keeps its share.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    #[inline(never)]
    pub fn new(mut flock: Flock<D>, peers: &mut dyn Transport) -> Result<Self, SubdomainError> {
        let (rank, size, boids) = (peers.rank(), peers.size(), flock.len());
        // Whichever: the first exchange brings every boid to where it belongs.
        let mine = boids * rank / size..boids * (rank + 1) / size;
        let ids = &flock.state.boids.ids;
        let others: Vec<_> = ids[..mine.start].iter().chain(&ids[mine.end..]).copied().collect();
        let next = flock.state.boids.next_id();
        flock.remove(&others)?;
        flock.state.boids.expect_id(next);
        Self::join(flock, peers)
    }

    /// A part of a flock whose boids the parts were given, each by one of them, wherever it is: one
    /// part may have all of them. The parts' flocks are alike in everything else.
    ///
    /// # Errors
    /// When a part is gone, or something of the flock cannot be in parts: a model whose boids look
    /// at every boid, or what the host's own rules and drives remember.
    #[inline(never)]
    pub fn join(mut flock: Flock<D>, peers: &mut dyn Transport) -> Result<Self, SubdomainError> {
        refuse(&flock)?;
        flock.machine.crowds = crate::grid::Crowds::Never;
        let all = peers.all(&start::told(&flock))?;
        start::agree(&mut flock, &all, peers)?;
        let costs = start::costs(&peers.all(&start::rows(&flock))?);
        let cuts = Cuts::new(&costs, peers.size());
        let rows = cuts.rows(peers.rank());
        flock.boids_changed();
        let flock_step = flock.state.step;
        let mut part = Self {
            flock,
            cuts,
            rows,
            traffic: CommStats::default(),
            in_the_way: 0.0,
            weighed: (flock_step, balance::FIRST),
            costs: None,
            imbalance: 1.0,
            evened: 1.0,
            moved_cuts: 0,
        };
        // Every boid to where it belongs.
        part.exchange(peers)?;
        let others = part.slots_where(|part, slot| {
            let (z, y) = part.row_of(slot);
            !part.rows.hold(z, y)
        });
        part.drop_slots(&others);
        part.take_traffic();
        Ok(part)
    }

    /// One step of length `dt`, as [`Flock::step`].
    ///
    /// # Errors
    /// When a part is gone. The flock cannot be stepped further then.
    #[inline(never)]
    pub fn step(&mut self, dt: TimeStep, peers: &mut dyn Transport) -> Result<(), SubdomainError> {
        // Whose a boid is must not depend on the host's rounding either.
        with_default_rounding(|| make_step(self, dt, peers))
    }

    /// Which slots hold own boids, once all are sorted.
    fn find_own(&mut self) {
        let (boids, cells, rows) =
            (&mut self.flock.state.boids, self.flock.workspace.grid.cells(), self.rows);
        let (slots, position) = (boids.len(), &boids.front.position);
        let along = |axis: usize, slot: usize| {
            if axis < D { cells.cell(axis, position[axis][slot]) } else { 0 }
        };
        // The first slot within a range for which something holds that holds for all that follow.
        let first = |range: Range<usize>, holds: &dyn Fn(usize) -> bool| {
            let (mut low, mut high) = (range.start, range.end);
            while low < high {
                let middle = low + (high - low) / 2;
                if holds(middle) { high = middle } else { low = middle + 1 }
            }
            low
        };
        let Some(part) = &mut boids.part else { return };
        part.own.clear();
        let mut layer = first(0..slots, &|slot| along(2, slot) >= rows.z[0]);
        let last = if rows.z[1] == i32::MAX {
            slots
        } else {
            first(layer..slots, &|slot| along(2, slot) >= rows.z[1])
        };
        while layer < last {
            let z = along(2, layer);
            let next = first(layer..last, &|slot| along(2, slot) > z);
            let low = first(layer..next, &|slot| along(1, slot) >= rows.y[0]);
            let high = if rows.y[1] == i32::MAX {
                next
            } else {
                first(low..next, &|slot| along(1, slot) >= rows.y[1])
            };
            match part.own.last_mut().filter(|before| before.end == low) {
                Some(before) => before.end = high,
                None if low < high => part.own.push(low..high),
                None => {}
            }
            layer = next;
        }
    }

    /// Ghosts are dropped.
    fn forget_others(&mut self) {
        let slots = self.flock.len();
        let mut others = Vec::new();
        let mut at = 0;
        for own in self.flock.state.boids.own() {
            others.extend(at as u32..own.start as u32);
            at = own.end;
        }
        others.extend(at as u32..slots as u32);
        self.drop_slots(&others);
    }

    /// These boids, whose slots ascend, are no longer here.
    fn drop_slots(&mut self, slots: &[u32]) {
        self.flock.state.boids.drop_slots(slots);
        self.all_are_own();
        self.flock.workspace.boids_moved();
    }

    /// No ghosts are present at this point.
    fn all_are_own(&mut self) {
        if let Some(part) = &mut self.flock.state.boids.part {
            part.all_are_own();
        }
    }

    /// The row that the boid in a slot is in.
    fn row_of(&self, slot: usize) -> (i32, i32) {
        let [_, y, z] =
            self.flock.workspace.grid.cells().of(self.flock.state.boids.front.position(slot));
        (z, y)
    }

    /// The slots for which something holds, ascending.
    fn slots_where(&mut self, holds: impl Fn(&Self, usize) -> bool + Sync) -> Vec<u32> {
        let mut happened = std::mem::take(&mut self.flock.workspace.happened);
        let this = &*self;
        let found =
            happened.find(this.flock.len(), |slot| holds(this, slot), &this.flock.machine.workers);
        self.flock.workspace.happened = happened;
        found
    }

    /// How far boids look in a step, whatever they look for: at neighbors, at encounters they would
    /// meet, at bodies in their way.
    fn reach(&self) -> f32 {
        let flock = &self.flock;
        let largest = flock.derived.bodies.as_ref().map_or(0.0, |bodies| bodies.largest);
        let anticipated = flock
            .derived
            .anticipation
            .as_ref()
            .map_or(0.0, |ahead| ahead.model.reach(largest * (1.0 + ahead.body.margin)));
        math::max(flock.derived.kernel.radius, math::max(anticipated, self.in_the_way))
    }

    /// How long ways are is known only now, and with it how far bodies look at others: where that
    /// is further than what is here, the boids there are sent as well.
    fn look_further(&mut self, peers: &mut dyn Transport) -> Result<(), SubdomainError> {
        let Some(bodies) = &self.flock.derived.bodies else { return Ok(()) };
        let Flock { state, settings, workspace, machine, .. } = &self.flock;
        let (boids, domain, workers) = (&state.boids, &settings.domain, &machine.workers);
        let back = &workspace.back.columns;
        let of = |slot: usize| {
            let (then, now) = (boids.front.position(slot), back.position(slot));
            let way = <[f32; D]>::from_fn(|a| domain.image(a, now[a] - then[a])).norm_plain();
            bodies.furthest_look(bodies.radii[slot], way, scale(then, domain))
        };
        let most = |range: Range<usize>| range.map(of).fold(0.0, math::max);
        let furthest = boids.own().map(|own| {
            let first = own.start;
            workers.reduce(
                own.len(),
                &|range: Range<usize>| most(first + range.start..first + range.end),
                &math::max,
            )
        });
        let mine = furthest.fold(0.0, math::max);
        let all = peers.all(&[mine.to_bits()])?;
        let needed = all
            .iter()
            .filter_map(|words| words.first())
            .fold(0.0, |most, &bits| math::max(most, f32::from_bits(bits)));
        let enough = needed <= self.reach();
        // A little more, so that not every step has to look twice.
        self.in_the_way = needed * 1.1;
        if enough {
            return Ok(());
        }
        let ways = self.take_ways();
        self.forget_others();
        self.exchange(peers)?;
        let workers = std::sync::Arc::clone(&self.flock.machine.workers);
        workers.enter(self.flock.len(), || {
            self.flock.sort();
            self.find_own();
            self.flock.prepare_bodies();
        });
        self.put_ways(&ways);
        Ok(())
    }

    /// Where own boids would be and how they would move, in slot order, an axis after the other.
    fn take_ways(&self) -> Vec<Vec<f32>> {
        let (boids, back) = (&self.flock.state.boids, &self.flock.workspace.back.columns);
        let axes = back.position.each_ref().into_iter().chain(back.velocity.each_ref());
        axes.map(|axis| boids.own().flat_map(|own| &axis[own]).copied().collect()).collect()
    }

    /// The same boids are in the same order, among others.
    fn put_ways(&mut self, ways: &[Vec<f32>]) {
        let (boids, back) = (&self.flock.state.boids, &mut self.flock.workspace.back.columns);
        let axes = back.position.each_mut().into_iter().chain(back.velocity.each_mut());
        for (axis, way) in axes.zip(ways) {
            let mut rest = way.as_slice();
            for own in boids.own() {
                let (here, others) = rest.split_at(own.len());
                axis[own].copy_from_slice(here);
                rest = others;
            }
        }
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.flock.state.step
    }

    /// Time passed.
    pub fn time(&self) -> f64 {
        self.flock.state.time
    }

    /// Boids of this part.
    pub fn len(&self) -> usize {
        self.flock.len()
    }

    /// Whether there is no boid in this part.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Boids in all parts, as the last step began.
    pub fn len_of_all(&self) -> usize {
        self.flock.state.boids.part.as_ref().map_or(0, |part| part.all)
    }

    /// What happened in the last step to boids of this part; put together with the others' and
    /// sorted it is what [`Flock::events`] tells of the whole.
    pub fn events(&self) -> &[Event] {
        self.flock.events()
    }

    /// The part of this part's boids in [`observe::state_hash`](crate::observe::state_hash) of the
    /// whole, which is the wrapping sum of all.
    #[inline(never)]
    pub fn state_hash(&self) -> u64 {
        crate::observe::state_hash(&self.flock.frame())
    }

    /// What this part has told the others since it was asked last.
    pub fn take_traffic(&mut self) -> CommStats {
        std::mem::take(&mut self.traffic)
    }

    /// The boids of this part as a flock for themselves.
    #[inline(never)]
    pub fn into_flock(mut self) -> Flock<D> {
        self.flock.state.boids.become_flock();
        self.flock.workspace.grid.be_of_whole();
        self.flock.derived.drives.forget_leaders();
        self.flock
    }

    /// Lets `look` see the boids of this part as a flock for themselves. O(n·log n).
    pub fn as_flock<R>(&mut self, look: impl FnOnce(&Flock<D>) -> R) -> R {
        let kept = self.flock.state.boids.become_flock();
        let seen = look(&self.flock);
        self.flock.state.boids.keep_ranks(kept);
        seen
    }

    /// Lets `change` set something of the flock that is set of every part alike: parameters,
    /// drives, obstacles, exits.
    pub fn set<R>(&mut self, change: impl FnOnce(&mut Flock<D>) -> R) -> R {
        change(&mut self.flock)
    }

    /// The flock of all parts in one piece, on the part of this rank; `None` on the others. O(n) of
    /// the whole there.
    ///
    /// # Errors
    /// When a part is gone.
    #[inline(never)]
    pub fn whole(
        &mut self,
        rank: usize,
        peers: &mut dyn Transport,
    ) -> Result<Option<Flock<D>>, SubdomainError> {
        let mut messages = vec![Vec::new(); peers.size()];
        if peers.rank() != rank {
            let all_slots: Vec<u32> = (0..self.flock.len() as u32).collect();
            self.flock.state.boids.tell(&all_slots, GhostBoid::All, &mut messages[rank]);
        }
        let heard = peers.exchange(messages)?;
        if peers.rank() != rank {
            return Ok(None);
        }
        let mut whole = self.flock.clone();
        heard.iter().for_each(|words| {
            whole.state.boids.hear(words, GhostBoid::All);
        });
        whole.state.boids.become_flock();
        whole.workspace.grid.be_of_whole();
        if let (Some(slices), phase) = (&mut whole.derived.slices, &whole.state.boids.extra.phase) {
            slices.go_on(phase);
        }
        // There is no other part any more whose bodies may be larger.
        if let Some(bodies) = &mut whole.derived.bodies {
            bodies.elsewhere = 0.0;
        }
        whole.boids_changed();
        Ok(Some(whole))
    }

    /// Mean number of others within the largest perception radius, as [`Flock::mean_neighbors`];
    /// the same on every part.
    ///
    /// # Errors
    /// When a part is gone.
    #[inline(never)]
    pub fn mean_neighbors(&mut self, peers: &mut dyn Transport) -> Result<f64, SubdomainError> {
        self.exchange(peers)?;
        self.flock.sort();
        self.find_own();
        let found = self.flock.count_neighbors();
        self.forget_others();
        let words: Vec<u32> = [found, self.len() as u64]
            .iter()
            .flat_map(|&number| [number as u32, (number >> 32) as u32])
            .collect();
        let all = peers.all(&words)?;
        let number =
            |words: &[u32], at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
        let (found, boids) = all.iter().fold((0, 0), |(found, boids), words| {
            (found + number(words, 0), boids + number(words, 2))
        });
        Ok(if boids == 0 { 0.0 } else { found as f64 / boids as f64 })
    }

    /// Events of all parts in the last step, as [`Flock::events`] has them; the same on every part.
    ///
    /// # Errors
    /// When a part is gone.
    pub fn events_of_all(&self, peers: &mut dyn Transport) -> Result<Vec<Event>, SubdomainError> {
        let words: Vec<u32> = self.events().iter().flat_map(|event| event.words()).collect();
        let all = peers.all(&words)?;
        let mut events: Vec<Event> = all
            .iter()
            .flat_map(|words| words.chunks_exact(5).filter_map(Event::of_words))
            .collect();
        events.sort_unstable();
        Ok(events)
    }
}

/// Refuses what cannot be in parts.
fn refuse<const D: usize>(flock: &Flock<D>) -> Result<(), FlockError> {
    if let Some(model) =
        flock.settings.params.model.as_ref().filter(|model| model.radius().is_none())
    {
        let allowed = "a model with a radius, where a flock is in parts: this one's boids look at \
            every boid";
        return Err(ParamError::new("model.name", model.name(), allowed).into());
    }
    let settles =
        |drive: &&Drive<[f32; D]>| matches!(&drive.kind, DriveKind::Goal(goal) if goal.settles());
    if let Some(drive) =
        flock.drives().iter().find(settles).filter(|_| flock.settings.params.body.is_some())
    {
        // Ghosts come without what they remember of drives.
        let allowed = "stay or leave, where a flock of bodies is in parts";
        return Err(
            ParamError::new(format!("drive.{}.on_arrival", drive.name), "settle", allowed).into()
        );
    }
    if flock.host.memory.is_some() {
        return Err(
            ParamError::new("host_memory", "some", "none, where a flock is in parts").into()
        );
    }
    Ok(())
}
