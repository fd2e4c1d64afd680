//! What a batch reads and what it works with.
#![forbid(unsafe_code)]

use wingbeat_steer::{AlignmentOf, Domain, Extras, Params, Perception};

use super::chosen::Met;
use super::kinds::Present;
use super::seats::Active;
use crate::boids::{Columns, Whose};
use crate::combine::{Combination, MAX_TERMS, Waiting};
use crate::drive::Driving;
use crate::grid::{Fine, Grid, Run};
use crate::obstacle::{Course, Lists};
use crate::rule::nearest::Nearest;
use crate::rule::own_sights::OwnSights;
use crate::rule::shared::Shared;
use crate::rule::three::Three;
use crate::simd::MAX_LANES;
use crate::slices::Turns;

/// Candidates listed before they are summed: 4 KiB of slots stay in the first-level cache, and a clump of any size fits.
pub(super) const LIST: usize = 1024;

/// Neighbours of a block in a crowd that are sorted by slot at once; hardly ever more than a few hundred.
pub(super) const ROOM: usize = 4096;

/// A list, and room for the widest push behind its end.
pub(super) type List = [u32; ROOM + MAX_LANES];

/// What one worker thread needs beside the columns; reused for ever.
#[derive(Debug)]
pub struct Scratch<const D: usize> {
    pub(crate) runs: Vec<Run<D>>,
    pub(super) list: Box<List>,
    /// Who steers, where not all do.
    pub(super) active: Active,
    /// Blocks (first slot or place in `active`, count) that hold a coincident pair or lie in a tiny periodic box.
    pub(super) again: Vec<(usize, usize)>,
    /// The nearest of every rule and lane, where only those count and ids must decide.
    pub(super) keys: Vec<u64>,
    /// A block's terms, where they are not taken as they come.
    pub(super) terms: Box<Waiting<D>>,
    /// Whom a search for the nearest met.
    pub(super) met: Box<Met>,
    /// The species of a block.
    pub(super) present: Box<Present>,
    /// Obstacles near a block.
    pub(crate) obstacles: Lists,
}

impl<const D: usize> Default for Scratch<D> {
    fn default() -> Self {
        Self {
            runs: Vec::new(),
            list: Box::new([0; ROOM + MAX_LANES]),
            active: Active::default(),
            again: Vec::new(),
            keys: Vec::new(),
            terms: Box::new([[[0.0; MAX_LANES]; D]; MAX_TERMS]),
            met: Box::new(Met::new()),
            present: Box::new(Present::new()),
            obstacles: Lists::default(),
        }
    }
}

/// Everything a step reads, borrowed for its duration.
pub struct World<'a, const D: usize> {
    pub(crate) columns: &'a Columns<D>,
    /// What alignment averages: velocities or headings.
    pub(crate) aligned: [&'a [f32]; D],
    pub(crate) whose: Whose<'a>,
    pub(crate) grid: &'a Grid<D>,
    pub(crate) domain: &'a Domain<[f32; D]>,
    pub(crate) prepared: &'a Prepared,
    /// The finer order that columns are in, if they are; a slot is a place then.
    pub(crate) fine: Option<&'a Fine<D>>,
    /// Whose turn it is, where not all steer in every step.
    pub(crate) turns: Option<Turns<'a>>,
    /// What boids steer ahead of.
    pub(crate) course: Option<&'a Course<D>>,
    /// Drives, where there are any.
    pub(crate) drives: Option<Driving<'a, D>>,
}

impl<const D: usize> World<'_, D> {
    /// The slot of a boid, where the columns are in another order.
    #[inline]
    pub(crate) fn slot(&self, place: usize) -> usize {
        self.fine.map_or(place, |fine| fine.slot[place] as usize)
    }
}

/// The parameters as the kernel wants them; made anew whenever they change.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub three: Three,
    /// The loop for flocks without rules of their own; `None` with.
    pub fast: Option<Fast>,
    /// The rules that look at their nearest alone, if any do.
    pub nearest: Option<Nearest>,
    pub combination: Combination,
    /// Whether neighbours' headings are looked at: alignment averages those instead of velocities, or a model does.
    pub aligns_headings: bool,
    /// The largest radius of any rule.
    pub radius: f32,
    /// Its square.
    pub radius_sq: f32,
}

/// Which fast loop fits the parameters.
#[derive(Clone, Debug)]
pub(crate) enum Fast {
    /// One sight for all three rules, separation linear.
    Shared(Shared),
    /// Anything else.
    OwnSights(OwnSights),
}

impl Prepared {
    pub fn new(params: &Params, radius: f32, declared: &[Perception], drives: usize, steers_ahead: bool) -> Self {
        Self {
            three: Three::new(params),
            fast: declared
                .is_empty()
                .then(|| Shared::new(params).map_or_else(|| Fast::OwnSights(OwnSights::new(params)), Fast::Shared)),
            nearest: Nearest::new(params, declared),
            combination: Combination::new(params, Extras { rules: declared.len(), drives }, steers_ahead),
            aligns_headings: params.alignment.is_some_and(|alignment| alignment.of == AlignmentOf::Heading)
                || params.species.iter().flat_map(|kind| kind.alignment).any(|alignment| alignment.of == AlignmentOf::Heading)
                || params.model.is_some_and(|model| model.looks_at_headings()),
            radius,
            radius_sq: radius * radius,
        }
    }
}
