//! The index that queries search: the slot order of boids where they are now, found early.
//!
//! A step begins by sorting the boids, so after it the grid knows where they were. The first query
//! after boids have moved finds the order that the next sort would find, and keeps it with a copy
//! of the positions; the next sort takes it over. So queries need no exclusive access, move no
//! boid, and the order of a step is found once, whether a host asks or not.
//!
//! ```text
//! query   index ← order and positions of boids where they are, unless it is there     (one thread)
//! moved   the index is dropped, its buffers kept
//! sort    takes the order from the index if it is there, else finds it             (all threads)
//! step    ends with making the index, if a query asked since the last one          (all threads)
//! ```

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use wingbeat_steer::math;

use crate::columns::axes::Axes;
use crate::columns::boids::{BackBuffers, PADDING};
use crate::flock::parts::{Derived, FlockState, Machine};
use crate::grid::{Grid, Run, extremes};
use crate::kernel::Scratch;
use crate::motion::obstacle::Lists;
use crate::parallel::{Workers, pick};
use crate::simd::with_default_rounding;

/// Boids in slot order where they are now.
#[derive(Debug)]
pub(crate) struct QueryIndex<const D: usize> {
    pub grid: Grid<D>,
    /// In that order.
    pub position: Axes<D>,
    pub rank: Vec<u32>,
    /// The box that holds them.
    pub low: [f32; D],
    pub high: [f32; D],
    /// The largest radius of a body; 0 in a flock of points.
    pub largest_body: f32,
}

/// A boid that a query found: its place in the index, and its distance, squared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundBoid {
    pub distance_sq: f32,
    pub place: u32,
}

/// What a query works in.
#[derive(Debug, Default)]
pub(crate) struct QueryScratch<const D: usize> {
    pub runs: Vec<Run<D>>,
    pub found: Vec<FoundBoid>,
    pub lists: Lists,
}

/// The index while boids stay where they are, and buffers.
#[derive(Debug, Default)]
pub(crate) struct QueryCache<const D: usize> {
    index: OnceLock<Box<QueryIndex<D>>>,
    /// An index of the past, for its buffers.
    spare: Mutex<Option<Box<QueryIndex<D>>>>,
    /// Whether a query asked since the last step.
    asked: AtomicBool,
    scratch: Mutex<Vec<QueryScratch<D>>>,
}

/// A copy makes its own when it is asked.
impl<const D: usize> Clone for QueryCache<D> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<const D: usize> QueryCache<D> {
    /// Boids have moved.
    pub fn clear(&mut self) {
        if let Some(index) = self.index.take() {
            self.put_back(index);
        }
    }

    /// The index, if it was made, for a sort to take the order from.
    pub fn take(&mut self) -> Option<Box<QueryIndex<D>>> {
        self.index.take()
    }

    /// Keeps the buffers of an index.
    pub fn put_back(&mut self, index: Box<QueryIndex<D>>) {
        if let Ok(spare) = self.spare.get_mut() {
            *spare = Some(index);
        }
    }

    /// Whether a query asked since this was last called.
    pub fn was_asked(&mut self) -> bool {
        std::mem::take(self.asked.get_mut())
    }

    /// The index, made if need be. On the calling thread alone: others may be the host's, in the
    /// middle of a query of their own, which would wait for this one.
    pub fn index(&self, shape: &Grid<D>, flock: Indexed<'_, D>) -> &QueryIndex<D> {
        if !self.asked.load(Ordering::Relaxed) {
            self.asked.store(true, Ordering::Relaxed);
        }
        self.index.get_or_init(|| self.make(shape, flock, &Workers::caller()))
    }

    /// Makes the index on all threads.
    pub fn prepare(&self, shape: &Grid<D>, flock: Indexed<'_, D>) {
        let workers = &*flock.machine.workers;
        self.index.get_or_init(|| self.make(shape, flock, workers));
    }

    fn make(
        &self,
        shape: &Grid<D>,
        flock: Indexed<'_, D>,
        workers: &Workers<Scratch<D>>,
    ) -> Box<QueryIndex<D>> {
        let spare = self.spare.lock().ok().and_then(|mut spare| spare.take());
        let mut index = spare.unwrap_or_else(|| {
            Box::new(QueryIndex {
                grid: Grid::new(0.0, None, &wingbeat_steer::Domain::open(), flock.machine.storage),
                position: Axes::new(0),
                rank: Vec::new(),
                low: [0.0; D],
                high: [0.0; D],
                largest_body: 0.0,
            })
        });
        index.grid.take_shape(shape);
        with_default_rounding(|| index.fill(flock, workers));
        index
    }

    /// Room for a query to work in.
    pub fn scratch(&self) -> QueryScratch<D> {
        // A query that finds it taken does without.
        self.scratch.try_lock().ok().and_then(|mut all| all.pop()).unwrap_or_default()
    }

    /// Keeps that room.
    #[inline(never)]
    pub fn keep_scratch(&self, scratch: QueryScratch<D>) {
        if let Ok(mut all) = self.scratch.try_lock() {
            all.push(scratch);
        }
    }
}

/// What an index is made of.
#[derive(Clone, Copy)]
pub(crate) struct Indexed<'a, const D: usize> {
    pub state: &'a FlockState<D>,
    pub derived: &'a Derived<D>,
    pub machine: &'a Machine<D>,
}

impl<const D: usize> QueryIndex<D> {
    fn fill(&mut self, flock: Indexed<'_, D>, workers: &Workers<Scratch<D>>) {
        let Indexed { state, derived, machine } = flock;
        let (boids, slots) = (&state.boids, state.boids.len());
        self.rank.resize(slots + PADDING, 0);
        self.position.resize(slots);
        let Self { grid, position, rank, .. } = self;
        grid.find_order(&boids.front, &mut rank[..slots], workers, machine.level);
        let order = grid.order();
        workers.sweep(slots, [position.renewed()], &|first, [position], _| {
            for (a, position) in position.into_iter().enumerate() {
                pick(&boids.front.position[a], position, &order[first..]);
            }
        });
        for (a, column) in position.each_ref().into_iter().enumerate() {
            (self.low[a], self.high[a]) = if slots > 0 {
                extremes(&column[..slots])
            } else {
                (f32::INFINITY, f32::NEG_INFINITY)
            };
        }
        self.largest_body = derived.bodies.as_ref().map_or(0.0, |bodies| {
            let own = boids.extra.radius.get().unwrap_or_default();
            let own = own[..own.len().min(slots)].iter().filter(|own| !own.is_nan());
            own.fold(bodies.largest, |most, &own| math::max(most, own))
        });
    }

    /// Gives its order to the flock's grid, and the ranks in that order to the back buffer: what a
    /// sort finds out.
    pub fn hand_over(&mut self, grid: &mut Grid<D>, back: &mut BackBuffers<D>) {
        std::mem::swap(grid, &mut self.grid);
        back.columns.resize(self.len());
        std::mem::swap(&mut back.columns.rank, &mut self.rank);
    }

    /// How many boids there are.
    pub fn len(&self) -> usize {
        self.rank.len() - PADDING
    }

    /// The slot of the boid at a place.
    pub fn slot(&self, place: u32) -> usize {
        self.grid.order()[place as usize] as usize
    }
}
