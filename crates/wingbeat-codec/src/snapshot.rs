//! What a recording consists of: a description of the run, and the state at one moment after the
//! other.

use wingbeat::{
    Domain, Flock, Frame, TimeStep, observe,
    steer::{Boundary, ParamError},
};

use crate::digits::significant;
use crate::row::Row;
use crate::units::LengthUnit;

/// A description of the recorded run: everything that does not change from frame to frame.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(target_family = "wasm"), derive(serde::Serialize, serde::Deserialize))]
pub struct About {
    /// 2 or 3.
    pub dimensions: usize,
    /// Time one step covers, as it is written: 0.1, not single precision's 0.10000000149011612.
    pub dt: f64,
    /// Steps from one frame to the next.
    pub every: u64,
    /// Seed of all random numbers of the run.
    pub seed: u64,
    /// Name of the scene.
    pub name: String,
    /// The scene as TOML, so that the run can be repeated; empty where there was none.
    pub scene: String,
    /// The domain. In open space the box has no meaning.
    pub edges: Edges,
    /// The recording's origin in world coordinates: add it to a position to get the world's.
    pub origin: [f64; 3],
    /// Names of the species, in the scene's order; empty where there are none. In files of other
    /// programs that name some individuals' species alone, "" is that of the others. At most 256.
    pub species: Vec<String>,
    /// The unit of lengths, where it is known.
    #[cfg_attr(not(target_family = "wasm"), serde(default))]
    pub unit: Option<LengthUnit>,
}

/// A domain of either dimension; in the plane the third axis is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(not(target_family = "wasm"), derive(serde::Serialize, serde::Deserialize))]
pub struct Edges {
    /// What happens at the faces.
    pub boundary: Boundary,
    /// Lowest corner.
    pub min: [f32; 3],
    /// Highest corner.
    pub max: [f32; 3],
}

impl Default for Edges {
    fn default() -> Self {
        Self { boundary: Boundary::Open, min: [0.0; 3], max: [0.0; 3] }
    }
}

impl Edges {
    /// The edges of a flock's domain.
    pub fn of<const D: usize>(domain: &Domain<[f32; D]>) -> Self {
        let wide = |corner: [f32; D]| std::array::from_fn(|a| if a < D { corner[a] } else { 0.0 });
        Self { boundary: domain.boundary, min: wide(domain.min), max: wide(domain.max) }
    }

    /// The box, unless the space is open.
    pub fn bounds(&self) -> Option<([f32; 3], [f32; 3])> {
        (self.boundary != Boundary::Open).then_some((self.min, self.max))
    }

    /// Whether the box is periodic: leaving through one face is entering through the opposite one.
    pub fn is_periodic(&self) -> bool {
        self.boundary == Boundary::Periodic
    }

    /// How far from a place the image of it lies that is nearest to another, in whole sides of a
    /// periodic box.
    pub fn shift(&self, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|a| {
            let side = f64::from(self.max[a]) - f64::from(self.min[a]);
            // In the plane the box has no third side.
            if self.is_periodic() && side > 0.0 {
                side * ((to[a] - from[a]) / side).round()
            } else {
                0.0
            }
        })
    }

    /// The way from one place to another, in a periodic box to its nearest image.
    pub fn way(&self, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
        let shift = self.shift(from, to);
        std::array::from_fn(|a| to[a] - from[a] - shift[a])
    }

    /// The domain that observables are computed in.
    pub fn domain<const D: usize>(&self) -> Domain<[f32; D]> {
        let narrow = |corner: [f32; 3]| std::array::from_fn(|a| corner[a]);
        Domain { boundary: self.boundary, min: narrow(self.min), max: narrow(self.max) }
    }

    /// Refuses a box that has no inside, or is larger than the engine's may be. In open space there
    /// is none.
    pub fn check(&self, dimensions: usize) -> Result<(), ParamError> {
        if dimensions == 2 { self.domain::<2>().check(0.0) } else { self.domain::<3>().check(0.0) }
    }

    /// The same box without what is taken off positions.
    pub fn without(mut self, origin: [f64; 3]) -> Self {
        let is_open = self.boundary == Boundary::Open;
        for axis in (0..3).filter(|_| !is_open) {
            let off = |x: f32| (f64::from(x) - origin[axis]) as f32;
            (self.min[axis], self.max[axis]) = (off(self.min[axis]), off(self.max[axis]));
        }
        self
    }

    /// The same box in other units, axis by axis; a factor below 0 turns the axis round.
    pub fn scaled(mut self, by: [f64; 3]) -> Self {
        for axis in 0..3 {
            let ends =
                [self.min[axis], self.max[axis]].map(|x| (f64::from(x) * by[axis] + 0.0) as f32);
            [self.min[axis], self.max[axis]] =
                if by[axis] < 0.0 { [ends[1], ends[0]] } else { ends };
        }
        self
    }
}

/// The number that a time step was written as.
fn as_written(dt: f32) -> f64 {
    TimeStep::new(dt).map_or(f64::from(dt), TimeStep::as_written)
}

/// The time after so many steps, to the digits that a product of the two has for certain.
fn time_of(steps: u64, dt: f64) -> f64 {
    let time = steps as f64 * dt;
    significant(time, 15).parse().unwrap_or(time)
}

impl About {
    /// A flock without a scene, recorded at every `every`-th step of `dt`.
    pub fn flock<const D: usize>(flock: &Flock<D>, dt: f32, every: u64) -> Self {
        let edges = Edges::of(flock.domain());
        let (name, scene) = (String::new(), String::new());
        let species = flock.params().species_names();
        Self {
            dimensions: D,
            dt: as_written(dt),
            every,
            seed: 0,
            name,
            scene,
            edges,
            origin: [0.0; 3],
            species,
            unit: None,
        }
    }

    /// The number of the frame at this step: frames count from 0, however many steps lie between
    /// them.
    pub fn number(&self, step: i64) -> i64 {
        i64::try_from(self.every).map_or(0, |every| step.div_euclid(every.max(1)))
    }

    /// The name of an individual's species; `None` where there are no species.
    ///
    /// # Panics
    /// If there are species and not that many individuals.
    pub fn species_name(&self, now: &Snapshot, i: usize) -> Option<&str> {
        if self.species.is_empty() {
            None
        } else {
            Some(&self.species[usize::from(now.species[i])])
        }
    }

    /// Frames per unit of time.
    pub fn fps(&self) -> f64 {
        1.0 / (self.dt * self.every.max(1) as f64)
    }
}

/// The state of all individuals at one moment, in columns, by ascending id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Steps made, or the frame's number in a recording of another kind.
    pub step: i64,
    /// Time, in the recording's unit.
    pub time: f64,
    /// Ids, ascending.
    pub ids: Vec<u64>,
    /// Species of each individual, by ascending id: places in [`About::species`]. Empty where there
    /// are none.
    pub species: Vec<u8>,
    /// Positions, an axis each.
    pub positions: Vec<Vec<f32>>,
    /// Velocities, an axis each; NaN where not known.
    pub velocities: Vec<Vec<f32>>,
}

impl Snapshot {
    /// An empty state in 2 or 3 dimensions.
    pub fn new(dimensions: usize) -> Self {
        let columns = || vec![Vec::new(); dimensions];
        Self { positions: columns(), velocities: columns(), ..Self::default() }
    }

    /// A flock as it is now.
    ///
    /// ```
    /// use wingbeat::{Flock2, Params};
    /// use wingbeat_record::Snapshot;
    /// let flock = Flock2::builder()
    ///     .params(Params::default())
    ///     .boids(&[[1.0, 2.0], [3.0, 4.0]], &[[0.5; 2]; 2])
    ///     .build()?;
    /// let now = Snapshot::of(&flock.frame(), 0.1);
    /// assert_eq!((now.len(), now.positions[1][0], now.position(1)), (2, 2.0, [3.0, 4.0, 0.0]));
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    pub fn of<const D: usize>(frame: &Frame<'_, D>, dt: f64) -> Self {
        let (mut slots, mut now) = (Slots::default(), Self::new(D));
        slots.copy(frame, dt);
        slots.by_id(&mut now);
        now
    }

    /// 2 or 3.
    pub fn dimensions(&self) -> usize {
        self.positions.len()
    }

    /// Number of individuals.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no individuals.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Position of the `i`-th individual; in the plane the third coordinate is 0.
    ///
    /// # Panics
    /// If there are not that many.
    #[inline]
    pub fn position(&self, i: usize) -> [f32; 3] {
        wide(&self.positions, i)
    }

    /// Velocity of the `i`-th individual; in the plane the third component is 0.
    ///
    /// # Panics
    /// If there are not that many.
    #[inline]
    pub fn velocity(&self, i: usize) -> [f32; 3] {
        wide(&self.velocities, i)
    }

    /// [`observe::state_hash`] of the same state.
    #[inline(never)]
    pub fn state_hash(&self) -> u64 {
        let columns = || self.positions.iter().chain(&self.velocities);
        let hash =
            |(i, &id): (usize, &u64)| observe::boid_hash(id, columns().map(|column| column[i]));
        self.ids.iter().enumerate().map(hash).fold(0, u64::wrapping_add)
    }

    /// The individuals whose position is known, as rows of this frame.
    #[inline(never)]
    pub fn rows(&self, frame: i64) -> Vec<Row> {
        let row = |i: usize| {
            let (position, velocity) =
                (self.position(i).map(f64::from), self.velocity(i).map(f64::from));
            Row { frame, id: self.ids[i], position, velocity }
        };
        let is_known = |row: &Row| row.position.iter().all(|x| !x.is_nan());
        (0..self.len()).map(row).filter(is_known).collect()
    }

    /// Whether no number is beyond `farthest`, and all positions are known.
    #[inline(never)]
    pub fn is_within(&self, farthest: f32) -> bool {
        self.positions.iter().flatten().all(|x| x.abs() <= farthest)
            && !self.velocities.iter().flatten().any(|v| v.abs() > farthest)
    }

    /// Drops all individuals.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.species.clear();
        self.columns_mut().for_each(Vec::clear);
    }

    /// Appends those of another.
    pub fn append(&mut self, other: &Self) {
        self.ids.extend_from_slice(&other.ids);
        self.species.extend_from_slice(&other.species);
        let columns = self.columns_mut().zip(other.columns());
        columns.for_each(|(all, column)| all.extend_from_slice(column));
    }

    /// Writes the individuals by ascending id, of pieces one after the other that are in order
    /// each; `order` is room for that.
    ///
    /// # Errors
    /// With an id that is there twice, and its places.
    #[inline(never)]
    pub fn by_id(
        &self,
        order: &mut Vec<(u64, usize)>,
        out: &mut Self,
    ) -> Result<(), (u64, [usize; 2])> {
        order.clear();
        order.extend(self.ids.iter().copied().zip(0..));
        // Stable: that is a merge of what ascends already, which the rows of each piece do.
        order.sort_by_key(|&(id, _)| id);
        if let Some(twice) = order.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err((twice[0].0, [twice[0].1, twice[1].1]));
        }
        // Whatever it held before may have been of another dimension.
        out.positions.resize_with(self.dimensions(), Vec::new);
        out.velocities.resize_with(self.dimensions(), Vec::new);
        reorder(&mut out.ids, &self.ids, order);
        reorder(&mut out.species, &self.species, if self.species.is_empty() { &[] } else { order });
        out.columns_mut().zip(self.columns()).for_each(|(to, from)| reorder(to, from, order));
        Ok(())
    }

    /// Positions, then velocities.
    pub fn columns(&self) -> impl Iterator<Item = &Vec<f32>> {
        self.positions.iter().chain(&self.velocities)
    }

    /// The same, to be changed.
    pub fn columns_mut(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        self.positions.iter_mut().chain(&mut self.velocities)
    }
}

#[inline]
fn wide(columns: &[Vec<f32>], i: usize) -> [f32; 3] {
    std::array::from_fn(|a| columns.get(a).map_or(0.0, |column| column[i]))
}

/// A copy of a flock's columns in slot order. Copying is all that the simulation waits for; the
/// writer thread sorts by id.
#[derive(Debug, Default)]
pub struct Slots {
    step: i64,
    time: f64,
    /// Ids, ascending; those of a part of a flock in slot order.
    living: Vec<u64>,
    /// Places of the slots' ids among them; empty in a part of a flock, whose boids have places
    /// among the ids of all parts.
    ranks: Vec<u32>,
    species: Vec<u32>,
    /// The slot of every rank.
    order: Vec<u32>,
    positions: Vec<Vec<f32>>,
    velocities: Vec<Vec<f32>>,
}

impl Slots {
    /// Takes the columns of a flock.
    #[inline(never)]
    pub fn copy<const D: usize>(&mut self, frame: &Frame<'_, D>, dt: f64) {
        self.step = frame.step() as i64;
        self.time = time_of(frame.step(), dt);
        self.living.clear();
        self.ranks.clear();
        if frame.living().len() == frame.len() {
            self.living.extend(frame.living().iter().map(|id| id.get()));
            self.ranks.extend_from_slice(frame.ranks());
        } else {
            self.living.extend(frame.ids().map(|id| id.get()));
        }
        refill(&mut self.species, frame.species());
        self.positions.resize_with(D, Vec::new);
        self.velocities.resize_with(D, Vec::new);
        for a in 0..D {
            refill(&mut self.positions[a], frame.positions(a));
            refill(&mut self.velocities[a], frame.velocities(a));
        }
    }

    /// Writes the columns by ascending id.
    #[inline(never)]
    pub fn by_id(&mut self, out: &mut Snapshot) {
        (out.step, out.time) = (self.step, self.time);
        self.order.clear();
        if self.ranks.is_empty() {
            self.order.extend(0..self.living.len() as u32);
            self.order.sort_unstable_by_key(|&slot| self.living[slot as usize]);
            out.ids.clear();
            out.ids.extend(self.order.iter().map(|&slot| self.living[slot as usize]));
        } else {
            refill(&mut out.ids, &self.living);
            self.order.resize(self.ranks.len(), 0);
            for (slot, &rank) in self.ranks.iter().enumerate() {
                self.order[rank as usize] = slot as u32;
            }
        }
        out.species.clear();
        if !self.species.is_empty() {
            // An engine has at most 64 species.
            out.species.extend(self.order.iter().map(|&slot| self.species[slot as usize] as u8));
        }
        // Scattered reads and sequential writes: processors wait less for these than for the
        // opposite.
        for (from, to) in self.positions.iter().chain(&self.velocities).zip(out.columns_mut()) {
            to.clear();
            to.extend(self.order.iter().map(|&slot| from[slot as usize]));
        }
    }
}

fn reorder<T: Copy>(to: &mut Vec<T>, from: &[T], order: &[(u64, usize)]) {
    to.clear();
    to.extend(order.iter().map(|&(_, row)| from[row]));
}

fn refill<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    to.extend_from_slice(from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_flock_is_put_in_order_by_its_ids() {
        let column = || vec![vec![1.0, 2.0, 3.0]; 2];
        let (living, species) = (vec![40, 7, 900], vec![0, 1, 2]);
        let mut slots = Slots {
            living,
            species,
            positions: column(),
            velocities: column(),
            ..Slots::default()
        };
        let mut now = Snapshot::new(2);
        slots.by_id(&mut now);
        assert_eq!(
            (now.ids.as_slice(), now.species.as_slice()),
            ([7, 40, 900].as_slice(), [1, 0, 2].as_slice())
        );
        assert!(now.columns().all(|column| *column == [2.0, 1.0, 3.0]));
    }
}
