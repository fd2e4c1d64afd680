//! Who is of which species, how tired, and with limits of its own; who captures whom.
#![forbid(unsafe_code)]

use wingbeat_steer::{AgentLimits, Params, Stamina, Traits};

use crate::boids::{Boids, PADDING};
use crate::carried::Carried;
use crate::kernel::kinds::Kinds;
use crate::kernel::species::{BUSY, CAPTURE, CAPTURES, Society as View};
use crate::parallel::Workers;

const SPECIES: usize = 0;
const SPENT: usize = 1;
const RESTING: usize = 2;

const MAX_SPEED: usize = 0;
const MASS: usize = 1;

/// What the boids of a flock are, beside position and velocity. Of a flock whose boids are all alike it is empty.
#[derive(Clone, Debug)]
pub(crate) struct Society<const D: usize> {
    /// Species, stamina spent, whether resting; no columns without species.
    carried: Carried,
    /// Maximum speed and mass of those that have their own, NaN for the others; no columns until somebody has.
    own: Carried,
    pub kinds: Option<Kinds>,
    /// What the kernel noted of every slot, where species chase.
    pub notes: [Vec<f32>; D],
    stamina: Vec<Option<Stamina>>,
    /// Captor and prey, as ranks.
    caught: Vec<(u32, u32)>,
    /// Of every rank, whether it is captured already.
    gone: Vec<bool>,
    /// Who is captured in a step, kept so that it need not be allocated again.
    prey: Vec<crate::BoidId>,
}

impl<const D: usize> Society<D> {
    /// Everybody of the first species.
    pub fn new(params: &Params, slots: usize) -> Self {
        let mut society = Self {
            carried: Carried::default(),
            own: Carried::default(),
            kinds: None,
            notes: std::array::from_fn(|_| Vec::new()),
            stamina: Vec::new(),
            caught: Vec::new(),
            gone: Vec::new(),
            prey: Vec::new(),
        };
        society.adopt(params, slots);
        society
    }

    /// Other parameters. Boids keep their species; those of a species that is no more are of the first.
    pub fn adopt(&mut self, params: &Params, slots: usize) {
        self.kinds = Kinds::new(params);
        self.stamina = params.species.iter().map(|kind| kind.stamina).collect();
        let tires = self.stamina.iter().any(Option::is_some);
        let wanted = if tires { 3 } else { usize::from(self.kinds.is_some()) };
        if self.carried.count() != wanted {
            let species = (self.carried.count() > 0).then(|| self.carried.column(SPECIES).to_vec());
            self.carried = Carried::new(vec![0.0; wanted], slots);
            if let (Some(species), true) = (species, wanted > 0) {
                self.carried.column_mut(SPECIES).copy_from_slice(&species);
            }
        }
        if self.kinds.is_some() {
            let most = params.species.len();
            for species in self.carried.column_mut(SPECIES) {
                *species = if (*species as usize) < most { *species } else { 0.0 };
            }
        }
    }

    /// What the kernel reads, in a flock with species.
    pub fn view(&self) -> Option<View<'_>> {
        Some(View {
            kinds: self.kinds.as_ref()?,
            species: self.carried.column(SPECIES),
            resting: self.tires().then(|| self.carried.column(RESTING)),
            max_speed: self.own_max_speed(),
        })
    }

    /// Whether anybody has stamina.
    fn tires(&self) -> bool {
        self.carried.count() > RESTING
    }

    /// Boids' own maximum speeds, NaN for who has none.
    pub fn own_max_speed(&self) -> Option<&[f32]> {
        (self.own.count() > 0).then(|| self.own.column(MAX_SPEED))
    }

    /// What integration reads, where boids are not all alike.
    pub fn limits(&self) -> Option<Limits<'_>> {
        if self.kinds.is_none() && self.own.count() == 0 {
            return None;
        }
        Some(Limits {
            kinds: self.kinds.as_ref().map(|kinds| (kinds, self.carried.column(SPECIES))),
            own: (self.own.count() > 0).then(|| [self.own.column(MAX_SPEED), self.own.column(MASS)]),
        })
    }

    /// Takes everything along to where a sort has put its boid.
    pub fn follow<T: Default + Send>(&mut self, order: &[u32], workers: &Workers<T>) {
        self.carried.follow(order, workers);
        self.own.follow(order, workers);
    }

    /// A boid in the last slot.
    pub fn add(&mut self) {
        self.carried.add();
        self.own.add();
    }

    /// What a boid has goes to a slot that is free.
    pub fn moved(&mut self, from: usize, to: usize) {
        self.carried.moved(from, to);
        self.own.moved(from, to);
    }

    /// The slots left after a removal.
    pub fn keep(&mut self, slots: usize) {
        self.carried.keep(slots);
        self.own.keep(slots);
    }

    /// What is the own of the boid in a slot.
    pub fn traits(&self, slot: usize) -> Traits {
        let mut traits = Traits::default();
        if self.kinds.is_some() {
            traits.species = self.carried.column(SPECIES)[slot] as usize;
        }
        if self.tires() {
            traits.spent = self.carried.column(SPENT)[slot];
            traits.resting = self.carried.column(RESTING)[slot] > 0.0;
        }
        if self.own.count() > 0 {
            let given = |which: usize| Some(self.own.column(which)[slot]).filter(|value| !value.is_nan());
            (traits.max_speed, traits.mass) = (given(MAX_SPEED), given(MASS));
        }
        traits
    }

    /// Gives the boid in a slot traits of its own.
    pub fn set(&mut self, slot: usize, traits: &Traits, slots: usize) {
        if self.kinds.is_some() {
            self.carried.column_mut(SPECIES)[slot] = traits.species as f32;
        }
        if self.tires() {
            self.carried.column_mut(SPENT)[slot] = traits.spent;
            self.carried.column_mut(RESTING)[slot] = if traits.resting { 1.0 } else { 0.0 };
        }
        if self.own.count() == 0 && (traits.max_speed.is_some() || traits.mass.is_some()) {
            self.own = Carried::new(vec![f32::NAN; 2], slots);
        }
        if self.own.count() > 0 {
            self.own.column_mut(MAX_SPEED)[slot] = traits.max_speed.unwrap_or(f32::NAN);
            self.own.column_mut(MASS)[slot] = traits.mass.unwrap_or(f32::NAN);
        }
    }

    /// Nobody yet, with room.
    pub fn take_prey(&mut self) -> Vec<crate::BoidId> {
        self.prey.clear();
        std::mem::take(&mut self.prey)
    }

    pub fn put_prey(&mut self, prey: Vec<crate::BoidId>) {
        self.prey = prey;
    }

    /// Species of every slot, where there are any.
    pub fn species(&self) -> Option<&[f32]> {
        self.kinds.is_some().then(|| self.carried.column(SPECIES))
    }

    /// Whether anybody flees, pursues or evades.
    pub fn chases(&self) -> bool {
        self.kinds.as_ref().is_some_and(|kinds| kinds.chases > 0)
    }

    /// Room for the kernel's notes.
    pub fn prepare_notes(&mut self, slots: usize) {
        for column in &mut self.notes {
            column.resize(slots + PADDING, 0.0);
        }
    }

    /// The columns of notes, to be written and put back.
    pub fn take_notes(&mut self) -> [Vec<f32>; D] {
        std::mem::replace(&mut self.notes, std::array::from_fn(|_| Vec::new()))
    }

    /// What a step did to everybody's stamina.
    pub fn tire<T: Default + Send>(&mut self, slots: usize, dt: f32, workers: &Workers<T>) {
        let mut columns = self.carried.columns_mut(SPECIES);
        let (Some(species), Some(spent), Some(resting)) = (columns.next(), columns.next(), columns.next()) else { return };
        let (species, columns) = (&*species, [spent, resting]);
        let (busy, stamina) = (&self.notes[BUSY], &self.stamina);
        workers.sweep(slots, [columns], &|first, [[spent, resting]], _| {
            for (i, (spent, resting)) in spent.iter_mut().zip(resting).enumerate() {
                let mut traits = Traits { spent: *spent, resting: *resting > 0.0, ..Traits::default() };
                traits.tire(stamina[species[first + i] as usize].as_ref(), busy[first + i] > 0.0, dt);
                (*spent, *resting) = (traits.spent, if traits.resting { 1.0 } else { 0.0 });
            }
        });
    }

    /// Captors and their prey, as ranks, by the captors' ids: each prey once, by the first of its captors. Everybody looked at the
    /// same moment, so whoever is captured may still capture.
    pub fn captures(&mut self, boids: &Boids<D>) -> &[(u32, u32)] {
        self.caught.clear();
        let rank = &boids.front.rank;
        let slots = boids.len();
        for (slot, &busy) in self.notes[BUSY][..slots].iter().enumerate() {
            if busy == CAPTURES {
                self.caught.push((rank[slot], rank[self.notes[CAPTURE][slot].to_bits() as usize]));
            }
        }
        if self.caught.is_empty() {
            return &[];
        }
        self.caught.sort_unstable();
        self.gone.clear();
        self.gone.resize(slots, false);
        let gone = &mut self.gone;
        self.caught.retain(|&(_, prey)| !std::mem::replace(&mut gone[prey as usize], true));
        &self.caught
    }
}

/// What boids may do, where not all are alike.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'a> {
    pub kinds: Option<(&'a Kinds, &'a [f32])>,
    /// Own maximum speeds and masses, NaN for who has none.
    pub own: Option<[&'a [f32]; 2]>,
}

impl Limits<'_> {
    /// Whether every mass is 1.
    #[inline(always)]
    pub fn light(&self, common: &AgentLimits) -> bool {
        self.own.is_none() && self.kinds.map_or(common.mass == 1.0, |(kinds, _)| kinds.light)
    }
}
