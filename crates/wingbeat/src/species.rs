//! Species: what boids of each may do and how tired they are; who captures whom.

use wingbeat_steer::{AgentLimits, Params, Stamina, Traits};

use crate::boids::{Boids, PADDING};
use crate::carried::{Carried, Column};
use crate::kernel::kinds::Kinds;
use crate::kernel::species::{BUSY, CAPTURE, CAPTURES, SpeciesColumns};
use crate::parallel::Workers;

/// The species of a flock, prepared for the kernel, and what it notes of boids that chase. Empty in a flock without species. What
/// is a boid's own lies in columns of [`Carried`].
#[derive(Clone, Debug)]
pub(crate) struct SpeciesState<const D: usize> {
    pub kinds: Option<Kinds>,
    /// What the kernel noted of every slot, where species chase.
    notes: [Vec<f32>; D],
    stamina: Vec<Option<Stamina>>,
    /// Captor and prey, as ranks; kept so that it need not be allocated again.
    caught: Vec<(u32, u32)>,
    /// Of every rank, whether it is captured already.
    captured: Vec<bool>,
}

impl<const D: usize> SpeciesState<D> {
    pub fn new(params: &Params, boids: &mut Boids<D>) -> Self {
        let mut state = Self {
            kinds: None,
            notes: std::array::from_fn(|_| Vec::new()),
            stamina: Vec::new(),
            caught: Vec::new(),
            captured: Vec::new(),
        };
        state.adopt(params, boids);
        state
    }

    /// Other parameters. Boids keep their species; those of a species that is no more are of the first. Stamina begins anew where
    /// nobody had any.
    pub fn adopt(&mut self, params: &Params, boids: &mut Boids<D>) {
        let slots = boids.len();
        let Carried { species, spent, resting, .. } = &mut boids.carried;
        self.kinds = Kinds::new(params);
        self.stamina = params.species.iter().map(|kind| kind.stamina).collect();
        let used = |column: &mut Column<f32>, wanted: bool| {
            if column.in_use() != wanted {
                *column = if wanted { Column::new(0.0, slots) } else { Column::default() };
            }
        };
        used(species, self.kinds.is_some());
        let tires = self.stamina.iter().any(Option::is_some);
        used(spent, tires);
        used(resting, tires);
        let most = params.species.len();
        for species in species.values_mut() {
            *species = if (*species as usize) < most { *species } else { 0.0 };
        }
    }

    /// What the kernel reads, in a flock with species.
    pub fn view<'a>(&'a self, carried: &'a Carried<D>) -> Option<SpeciesColumns<'a>> {
        Some(SpeciesColumns {
            kinds: self.kinds.as_ref()?,
            species: carried.species.values(),
            resting: carried.resting.get(),
            max_speed: carried.max_speed.get(),
        })
    }

    /// What integration reads, where boids are not all alike.
    pub fn limits<'a>(&'a self, carried: &'a Carried<D>) -> Option<Limits<'a>> {
        let own = carried.max_speed.get().zip(carried.mass.get()).map(<[&[f32]; 2]>::from);
        if self.kinds.is_none() && own.is_none() {
            return None;
        }
        Some(Limits { kinds: self.kinds.as_ref().map(|kinds| (kinds, carried.species.values())), own })
    }

    /// Whether anybody flees, pursues or evades.
    pub fn chases(&self) -> bool {
        self.kinds.as_ref().is_some_and(|kinds| kinds.chases > 0)
    }

    /// The columns of notes, to be written and put back; without species they are empty.
    pub fn take_notes(&mut self, slots: usize) -> [Vec<f32>; D] {
        let mut notes = std::mem::replace(&mut self.notes, std::array::from_fn(|_| Vec::new()));
        if self.kinds.is_some() {
            notes.iter_mut().for_each(|column| column.resize(slots + PADDING, 0.0));
        }
        notes
    }

    pub fn put_notes(&mut self, notes: [Vec<f32>; D]) {
        self.notes = notes;
    }

    /// What a step did to everybody's stamina.
    pub fn tire<T: Default + Send>(&self, boids: &mut Boids<D>, dt: f32, workers: &Workers<T>) {
        let slots = boids.len();
        let Carried { species, spent, resting, .. } = &mut boids.carried;
        if !spent.in_use() {
            return;
        }
        let (species, columns) = (species.values(), [spent.values_mut(), resting.values_mut()]);
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
        self.captured.clear();
        self.captured.resize(slots, false);
        let captured = &mut self.captured;
        self.caught.retain(|&(_, prey)| !std::mem::replace(&mut captured[prey as usize], true));
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

impl<const D: usize> Carried<D> {
    /// What is the own of the boid in a slot.
    pub fn traits(&self, slot: usize) -> Traits {
        let of = |column: &Column<f32>| column.get().map(|values| values[slot]);
        let own = |column| of(column).filter(|value| !value.is_nan());
        Traits {
            species: of(&self.species).map_or(0, |species| species as usize),
            spent: of(&self.spent).unwrap_or(0.0),
            resting: of(&self.resting).is_some_and(|resting| resting > 0.0),
            max_speed: own(&self.max_speed),
            mass: own(&self.mass),
        }
    }

    /// Gives the boid in a slot of so many traits of its own.
    pub fn set_traits(&mut self, slot: usize, traits: &Traits, slots: usize) {
        let own = traits.max_speed.is_some() || traits.mass.is_some();
        for (column, value) in [(&mut self.max_speed, traits.max_speed), (&mut self.mass, traits.mass)] {
            if own && !column.in_use() {
                *column = Column::new(f32::NAN, slots);
            }
            if column.in_use() {
                column.values_mut()[slot] = value.unwrap_or(f32::NAN);
            }
        }
        let resting = if traits.resting { 1.0 } else { 0.0 };
        let columns = [(&mut self.species, traits.species as f32), (&mut self.spent, traits.spent), (&mut self.resting, resting)];
        for (column, value) in columns.into_iter().filter(|(column, _)| column.in_use()) {
            column.values_mut()[slot] = value;
        }
    }
}

impl Limits<'_> {
    /// Whether every mass is 1.
    #[inline(always)]
    pub fn unit_mass(&self, common: &AgentLimits) -> bool {
        self.own.is_none() && self.kinds.map_or(common.mass == 1.0, |(kinds, _)| kinds.unit_mass)
    }
}
