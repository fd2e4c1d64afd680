//! The input of the stage Steer, the table of sums, and the scratch space of a worker thread.

use std::any::{Any, TypeId};
use std::sync::Arc;

use wingbeat_steer::Perception;

use crate::columns::extra::{ExtraColumns, PADDING};
use crate::grid::Run;
use crate::kernel::batch::Captures;
use crate::kernel::chase::{NO_PREY, PreyFilter};
use crate::kernel::kept::KeptCandidates;
use crate::kernel::own_rules::OwnRuleScratch;
use crate::kernel::prepared::Prepared;
use crate::kernel::ranked::RankedVisitor;
use crate::motion::anticipate::NearScratch;
use crate::motion::body::BodyScratch;
use crate::motion::obstacle::{Lists, ObstacleIndex};
use crate::neighbors::{DueSlots, List, ROOM, SortedFlock};
use crate::simd::{Float, Level, MAX_LANES, Simd};
use crate::terms::combine::{MAX_TERMS, WaitingTerms};
use crate::terms::drive::Driving;
use crate::terms::species_table::SpeciesInBlock;

/// The scratch space of one worker thread; reused in every step.
#[derive(Debug)]
pub struct Scratch<const D: usize> {
    pub(crate) runs: Vec<Run<D>>,
    pub(super) list: Box<List>,
    pub(super) deferred: Box<List>,
    /// Slots whose turn it is, where not all steer.
    pub(super) due: DueSlots,
    /// Blocks (first slot or place in `due`, count) that must run again, exactly.
    pub(super) again: Vec<(usize, usize)>,
    /// The nearest of every rule and lane, where only those count and ids must decide.
    pub(super) keys: Vec<u64>,
    /// The sums over neighbors of a batch, from its passes to its decision.
    pub(super) sums: NeighborSums,
    pub(super) chases_found: ChaseResults,
    /// A block's terms, where their order differs from that of evaluation.
    pub(super) terms: Box<WaitingTerms<D>>,
    /// Candidates kept by a search for the nearest.
    pub(super) kept: Box<KeptCandidates>,
    /// The species of a block.
    pub(super) present: Box<SpeciesInBlock>,
    /// The prey its boids search.
    pub(super) prey: Box<PreyFilter>,
    /// Where closures of the host's are called.
    pub(super) own_rules: OwnRuleScratch<D>,
    /// Obstacles near a block.
    pub(crate) obstacles: Lists,
    /// Bodies in the way of a block's.
    pub(crate) bodies: BodyScratch<D>,
    /// Candidates of anticipation.
    pub(crate) near: NearScratch<D>,
}

impl<const D: usize> Default for Scratch<D> {
    fn default() -> Self {
        Self {
            runs: Vec::new(),
            list: Box::new([0; ROOM + MAX_LANES]),
            deferred: Box::new([0; ROOM + MAX_LANES]),
            due: DueSlots::default(),
            again: Vec::new(),
            keys: Vec::new(),
            sums: NeighborSums::default(),
            chases_found: ChaseResults::default(),
            terms: Box::new([[[0.0; MAX_LANES]; D]; MAX_TERMS]),
            kept: Box::new(KeptCandidates::new()),
            present: Box::new(SpeciesInBlock::new()),
            prey: Box::new(PreyFilter::new()),
            own_rules: OwnRuleScratch::default(),
            obstacles: Lists::default(),
            bodies: BodyScratch::default(),
            near: NearScratch::default(),
        }
    }
}

impl<const D: usize> Scratch<D> {
    /// Room for the table of a batch of so many boids.
    pub(super) fn make_room(&mut self, input: &StepInput<'_, D>, rows: usize) {
        let Prepared { kinds, declared_ranked, layout, .. } = input.prepared;
        // A rule that has a pass needs room for one.
        let ranked = declared_ranked.len().max(1);
        let ranked = kinds.list.iter().map(|kind| kind.ranked.len()).fold(ranked, usize::max);
        self.keys.resize(self.keys.len().max(RankedVisitor::keys_for(ranked)), 0);
        self.sums.fit(layout.columns, rows);
        if kinds.chases > 0 {
            self.chases_found.fit(rows);
        }
    }

    /// Zeros for the sums of rules by which no boid can see another, so that no pass runs.
    pub(super) fn clear_sums(&mut self) {
        self.sums.values.fill(0.0);
    }
}

/// The table between passes and decision, a row for each boid of the batch that steers: sums of the
/// three rules or a model's steering, then the force of prey, then forces of the host's own rules.
#[derive(Debug, Default)]
pub(super) struct NeighborSums {
    values: Vec<f32>,
    rows: usize,
}

impl NeighborSums {
    /// Room for `columns` of `rows`, each longer by the padding. Kept for the largest batch.
    pub fn fit(&mut self, columns: usize, rows: usize) {
        self.rows = rows + PADDING;
        if self.values.len() < columns * self.rows {
            self.values.resize(columns * self.rows, 0.0);
        }
    }

    pub fn get(&self, column: usize, row: usize) -> f32 {
        self.values[column * self.rows + row]
    }

    /// Registers of consecutive columns, from one row on; beyond `count` of them zeros.
    #[inline(always)]
    pub fn load<S: Simd, const N: usize>(
        &self,
        s: S,
        column: usize,
        row: usize,
        count: usize,
    ) -> [S::F; N] {
        let mut lanes = [s.splat(0.0); N];
        for i in 0..N {
            if i < count {
                lanes[i] = s.load(&self.values, (column + i) * self.rows + row);
            }
        }
        lanes
    }

    /// Writes whole registers from a row on, or their first `part` lanes alone.
    #[inline(always)]
    pub fn store<S: Simd>(
        &mut self,
        _s: S,
        column: usize,
        row: usize,
        all: &[S::F],
        part: Option<usize>,
    ) {
        for i in 0..all.len() {
            let at = (column + i) * self.rows + row;
            match part {
                None => all[i].store(&mut self.values[at..]),
                Some(part) => {
                    let mut buffer = [0.0; MAX_LANES];
                    all[i].store(&mut buffer);
                    self.values[at..at + part].copy_from_slice(&buffer[..part]);
                }
            }
        }
    }
}

/// What boids that flee, pursue or evade have found, by row of the table.
#[derive(Debug, Default)]
pub(super) struct ChaseResults {
    /// 1 for those whose interactions have a boid in range.
    pub busy: Vec<u32>,
    /// The slot of the prey that a boid captures, or [`NO_PREY`].
    pub prey: Vec<u32>,
}

impl ChaseResults {
    fn fit(&mut self, rows: usize) {
        self.busy.resize(self.busy.len().max(rows + PADDING), 0);
        self.prey.resize(self.prey.len().max(rows + PADDING), NO_PREY);
    }
}

/// Everything that the stage Steer reads, borrowed for its duration.
pub struct StepInput<'a, const D: usize> {
    pub(crate) flock: SortedFlock<'a, D>,
    pub(crate) prepared: &'a Prepared,
    /// What boids have beside position and velocity, in slot order.
    pub(crate) extra: &'a ExtraColumns<D>,
    /// Obstacles that boids steer ahead of.
    pub(crate) course: Option<&'a ObstacleIndex<D>>,
    /// Drives, where there are any.
    pub(crate) drives: Option<Driving<'a, D>>,
    /// Captures: captor and prey.
    pub(crate) captures: &'a Captures,
}

/// A pass behind one virtual call a batch.
pub trait BatchPass<const D: usize>: Send + Sync {
    /// The level at which a flock that has this level steers: blocks are cut by its lanes.
    fn level(&self, level: Level) -> Level;

    /// Runs the pass on the slots of a batch (the first, and how many) and writes its sums into the
    /// scratch space.
    fn run_batch(
        &self,
        level: Level,
        input: &StepInput<'_, D>,
        batch: (usize, usize),
        scratch: &mut Scratch<D>,
    );

    /// The host's own rules behind it, if it runs those.
    fn host(&self) -> Option<&dyn HostPasses<D>> {
        None
    }
}

/// The host's own rules behind a pass.
pub trait HostPasses<const D: usize> {
    /// Adds what each rule sees, in the order of the rules.
    fn perceptions(&self, found: &mut Vec<Perception>);

    /// The rule of a type, the last of several.
    fn rule(&self, of: TypeId) -> Option<&dyn Any>;

    /// The pass with another in the place of that rule: `rule` is an `Arc` of its type.
    fn with_rule(&self, rule: &dyn Any) -> Option<Arc<dyn BatchPass<D>>>;
}
