//! Sources: boids that enter a flock while it runs.
//!
//! ```text
//! when a step has ended at time t and all boids that leave have left, for each source in order:
//!     due ← ⌊(min(t, until) − from)·rate⌋, at least 0, at most count
//!     while released < due:
//!         up to MAX_TRIES times:
//!             place ← min + (max − min)·u, each component's u keyed by (seed, released, tries)
//!             tries ← tries + 1
//!             if the boid has room there: it enters under the next id
//!                 released ← released + 1, tries ← 0; go on with the next
//!         without room: it waits until the next step, and those behind it too
//! ```

use alloc::{format, string::String, vec, vec::Vec};

use super::check_names;
use crate::contact::domain_of;
use crate::math::noise::{stream, uniform};
use crate::obstacle::wide;
use crate::placement::start::{nearest_way, overlaps};
use crate::schema::parameters::Parameters;
use crate::schema::setting::SettingKind;
use crate::{Boundary, Domain, ObstacleSet, ParamError, Params, SpeciesId, Vector, math};

/// Places that are tried in one step for the boid that is next.
pub const MAX_TRIES: u64 = 16;

/// Places along each axis of a source's box that are looked at, when a flock is built, for one that
/// no obstacle is in.
const LATTICE: usize = 9;

settings! {
    /// Boids that come to the flock, one after the other: the k-th of them is due k/rate after
    /// `from`.
    #[derive(Clone, Debug, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
    #[cfg_attr(
        feature = "serde",
        serde(bound(
            serialize = "V: serde::Serialize",
            deserialize = "V: Vector + serde::Deserialize<'de>"
        ))
    )]
    pub struct Source<V: Vector> in "source." {}
    settings {
        min: V = V::origin(), shown "required", in "length" from -1e30 => 1e30, "Lowest \
            corner of the box in which boids come.";
        max: V = V::origin(), shown "required", in "length" from -1e30 => 1e30, "Highest \
            corner, at or above min on every axis.";
        /// Range: above 0, at most 1e6.
        rate: f32 = 1.0, in "boids/time", takes SettingKind::above(0.0, 1e6), "How many are due \
            in a unit of time, at equal intervals; a boid without room waits. Larger: a denser \
            stream.";
        count: Option<u64> = None, shown "no bound", in "boids", "How many in all.";
        from: f64 = 0.0, in "time" from 0.0 => 1e12, "When it begins. Larger: later.";
        #[cfg_attr(
            feature = "serde",
            serde(skip_serializing_if = "crate::schema::serial::is_never")
        )]
        until: f64 = f64::INFINITY, shown "never", in "time" from 0.0 => 1e12, "When it ends, at \
            or after from; a boid that is due by then and waits for room still comes. Larger: \
            later.";
        velocity: V = V::origin(), shown "zeros", in "length/time" from -1e12 => 1e12, "How they \
            come in.";
    }
    with {
        /// Its name, for messages; one of a kind among the flock's sources.
        pub name: String = String::new();
        /// Their species; in flocks without species the first.
        pub species: SpeciesId = SpeciesId::default();
    }
}

/// What a source remembers from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SourceMemory {
    /// Boids that have entered.
    pub released: u64,
    /// Places tried in vain for the one that is next.
    pub tries: u64,
}

/// The sources of a flock, and what they remember.
#[derive(Clone, Debug, PartialEq)]
pub struct Sources<V> {
    list: Vec<Source<V>>,
    memory: Vec<SourceMemory>,
}

/// None.
impl<V> Default for Sources<V> {
    fn default() -> Self {
        Self { list: Vec::new(), memory: Vec::new() }
    }
}

/// What boids enter into, as everything is when a step has ended.
#[derive(Clone, Copy)]
pub struct Entrance<'a, V> {
    /// Tells the sizes of bodies.
    pub params: &'a Params,
    /// The world's edges.
    pub domain: &'a Domain<V>,
    /// Obstacles, if there are any.
    pub obstacles: Option<&'a ObstacleSet<V>>,
    /// Key of all randomness.
    pub seed: u64,
    /// The time at the end of the step.
    pub time: f64,
}

impl<V: Vector> Sources<V> {
    /// These sources, of which no boid has come yet.
    ///
    /// # Errors
    /// Names the source, the value and what is allowed: more than 64, a name given twice, a box
    /// that is none, outside of the domain or all within obstacles that stand still, numbers out of
    /// range, a species that there is not.
    #[inline(never)]
    pub fn new(
        list: Vec<Source<V>>,
        params: &Params,
        domain: &Domain<V>,
        obstacles: Option<&ObstacleSet<V>>,
    ) -> Result<Self, ParamError> {
        let memory = vec![SourceMemory::default(); list.len()];
        let sources = Self { list, memory };
        sources.check(params, domain, obstacles)?;
        Ok(sources)
    }

    /// Refuses sources that do not go with these parameters and this world; see [`new`](Self::new).
    ///
    /// # Errors
    /// Names the source, the value and what is allowed.
    #[inline(never)]
    pub fn check(
        &self,
        params: &Params,
        domain: &Domain<V>,
        obstacles: Option<&ObstacleSet<V>>,
    ) -> Result<(), ParamError> {
        check_names("source", self.list.iter().map(|source| source.name.as_str()))?;
        self.list.iter().try_for_each(|source| source.check(params, domain, obstacles))
    }

    /// The sources, in order.
    pub fn list(&self) -> &[Source<V>] {
        &self.list
    }

    /// What each remembers.
    pub fn memory(&self) -> &[SourceMemory] {
        &self.memory
    }

    /// Refuses memories that cannot be of these sources.
    ///
    /// # Errors
    /// When there are not as many, or more have been released than the source has.
    pub fn check_memory(&self, memory: &[SourceMemory]) -> Result<(), ParamError> {
        if memory.len() != self.list.len() {
            let allowed = format!("{}, one for each source of this flock", self.list.len());
            return Err(ParamError::new("memory.sources", memory.len(), allowed));
        }
        for (source, memory) in self.list.iter().zip(memory) {
            if let Some(count) = source.count.filter(|&count| memory.released > count) {
                let allowed = format!("at most {count}, as many as it has");
                return Err(ParamError::new(
                    format!("source.{}.released", source.name),
                    memory.released,
                    allowed,
                ));
            }
        }
        Ok(())
    }

    /// Sources go on from there.
    ///
    /// # Errors
    /// As [`check_memory`](Self::check_memory); nothing is changed then.
    pub fn remember(&mut self, memory: &[SourceMemory]) -> Result<(), ParamError> {
        self.check_memory(memory)?;
        self.memory.copy_from_slice(memory);
        Ok(())
    }

    /// Whether any boid is due, or waits, at a time.
    pub fn any_due(&self, time: f64) -> bool {
        self.list
            .iter()
            .zip(&self.memory)
            .any(|(source, memory)| source.due(time) > memory.released)
    }

    /// Whether a body at a place could be in the way of a boid that is due, where both radii
    /// together are at most `reach`. Sure where it says no.
    pub fn may_meet(&self, place: V, reach: f64, entrance: &Entrance<'_, V>) -> bool {
        let place = wide(place);
        self.list.iter().zip(&self.memory).any(|(source, memory)| {
            let (min, max) = (wide(source.min), wide(source.max));
            let way = nearest_way(
                core::array::from_fn(|a| min[a] * 0.5 + max[a] * 0.5),
                place,
                entrance.domain,
            );
            let near = |a: usize| {
                let rounding = (place[a].abs() + min[a].abs() + max[a].abs()) * 1e-12;
                way[a].abs() <= (max[a] - min[a]) * 0.5 + reach * (1.0 + 1e-9) + rounding
            };
            source.due(entrance.time) > memory.released && (0..V::DIMENSIONS).all(near)
        })
    }

    /// Lets in the boids that are due and have room, at most `most`. `others` are the bodies that
    /// may be in the way, in any order, each with its radius; those that enter are added. `enter`
    /// is told the source and the place of each, in the order in which they enter.
    #[inline(never)]
    pub fn release(
        &mut self,
        entrance: &Entrance<'_, V>,
        others: &mut Vec<(V, f32)>,
        mut most: u64,
        mut enter: impl FnMut(usize, V),
    ) {
        for (which, (source, memory)) in self.list.iter().zip(&mut self.memory).enumerate() {
            let due = source.due(entrance.time);
            let radius = source.radius(entrance.params);
            while memory.released < due && most > 0 {
                let Some(place) = source.find_room(which, memory, entrance, radius, others) else {
                    break;
                };
                if radius > 0.0 {
                    others.push((place, radius));
                }
                *memory = SourceMemory { released: memory.released + 1, tries: 0 };
                most -= 1;
                enter(which, place);
            }
        }
    }
}

impl<V: Vector> Source<V> {
    /// How many are due by a time.
    fn due(&self, time: f64) -> u64 {
        let time = if time < self.until { time } else { self.until };
        // As u64, what is below 0 is 0.
        let due = libm::floor((time - self.from) * f64::from(self.rate)) as u64;
        self.count.map_or(due, |count| due.min(count))
    }

    /// The radius of its boids' bodies; 0 in flocks of points.
    fn radius(&self, params: &Params) -> f32 {
        params.body_of(self.species).and_then(|body| body.radius).unwrap_or(0.0)
    }

    /// A place for the boid that is next, after those tried before.
    fn find_room(
        &self,
        which: usize,
        memory: &mut SourceMemory,
        entrance: &Entrance<'_, V>,
        radius: f32,
        others: &[(V, f32)],
    ) -> Option<V> {
        for _ in 0..MAX_TRIES {
            let draw = |a: usize| {
                uniform(
                    entrance.seed,
                    memory.released,
                    memory.tries,
                    stream::SOURCE + 4 * which as u32 + a as u32,
                )
            };
            let place = V::from_fn(|a| {
                let (min, max) = (self.min.axis(a), self.max.axis(a));
                let x = math::min(min + (max - min) * draw(a), max);
                entrance.domain.settle(a, x, 0.0).0
            });
            memory.tries = memory.tries.wrapping_add(1);
            if entrance.has_room(place, radius, others) {
                return Some(place);
            }
        }
        None
    }

    fn check(
        &self,
        params: &Params,
        domain: &Domain<V>,
        obstacles: Option<&ObstacleSet<V>>,
    ) -> Result<(), ParamError> {
        let name = format!("source.{}", self.name);
        self.check_ranges(&name)?;
        if self.until < self.from {
            return Err(ParamError::new(
                format!("{name}.until"),
                self.until,
                format!("at least {name}.from = {}", self.from),
            ));
        }
        params.check_species_id(format_args!("{name}.species"), self.species)?;
        self.check_box(&name, self.radius(params), domain)?;
        obstacles
            .map_or(Ok(()), |obstacles| self.check_obstacles(&name, self.radius(params), obstacles))
    }

    /// Refuses a box that is none, or where the domain leaves no place to its boids.
    fn check_box(&self, name: &str, radius: f32, domain: &Domain<V>) -> Result<(), ParamError> {
        let inner = domain_of(domain, radius);
        for a in 0..V::DIMENSIONS {
            let (min, max) = (self.min.axis(a), self.max.axis(a));
            if max < min {
                return Err(ParamError::new(
                    format!("{name}.max[{a}]"),
                    max,
                    format!("at least {name}.min[{a}] = {min}"),
                ));
            }
            if domain.boundary == Boundary::Open {
                continue;
            }
            for (field, x) in [("min", min), ("max", max)] {
                let (low, high) = (domain.min.axis(a), domain.max.axis(a));
                if x < low || x > high {
                    return Err(ParamError::new(
                        format!("{name}.{field}[{a}]"),
                        x,
                        format!("{low} to {high}, the domain"),
                    ));
                }
            }
            for (field, x, refused) in
                [("min", min, min > inner.max.axis(a)), ("max", max, max < inner.min.axis(a))]
            {
                if refused {
                    let (low, high) = (inner.min.axis(a), inner.max.axis(a));
                    let allowed = format!(
                        "a box that reaches into {low} to {high}, their radius {radius} \
                            away from the domain's faces"
                    );
                    return Err(ParamError::new(format!("{name}.{field}[{a}]"), x, allowed));
                }
            }
        }
        Ok(())
    }

    /// Refuses a box whose lattice of places is all within obstacles that stand still.
    fn check_obstacles(
        &self,
        name: &str,
        radius: f32,
        obstacles: &ObstacleSet<V>,
    ) -> Result<(), ParamError> {
        let blocks = |place: V| {
            let list = &obstacles.obstacles().list;
            (0..list.len())
                .find(|&i| !list[i].motion.moves() && is_in_the_way(obstacles, i, place, radius))
        };
        let mut first = None;
        for number in 0..LATTICE.pow(V::DIMENSIONS as u32) {
            let part =
                |a: usize| (number / LATTICE.pow(a as u32) % LATTICE) as f32 / (LATTICE - 1) as f32;
            let place =
                V::from_fn(|a| self.min.axis(a) * (1.0 - part(a)) + self.max.axis(a) * part(a));
            let Some(found) = blocks(place) else { return Ok(()) };
            first = first.or(Some(found));
        }
        let Some(first) = first else { return Ok(()) };
        let allowed = format!(
            "a box with room outside of obstacle.{}",
            obstacles.obstacles().list[first].name
        );
        Err(ParamError::new(
            format!("{name}.min"),
            format!("{:?} to max = {:?}", self.min, self.max),
            allowed,
        ))
    }
}

impl<V: Vector> Entrance<'_, V> {
    /// Whether a body of a radius (0: a point) at a place overlaps no boid, no obstacle and no
    /// face. Bodies may touch.
    fn has_room(&self, place: V, radius: f32, others: &[(V, f32)]) -> bool {
        let inner = domain_of(self.domain, radius);
        let overlaps = |&(other, own): &(V, f32)| {
            overlaps(wide(place), wide(other), f64::from(radius) + f64::from(own), self.domain)
        };
        let blocked = |obstacles: &ObstacleSet<V>| {
            (0..obstacles.obstacles().list.len())
                .any(|i| is_in_the_way(obstacles, i, place, radius))
        };
        inner.contains(place)
            && !(radius > 0.0 && others.iter().any(overlaps))
            && !self.obstacles.is_some_and(blocked)
    }
}

/// Whether an obstacle overlaps a body of a radius (0: holds a point) at a place.
fn is_in_the_way<V: Vector>(
    obstacles: &ObstacleSet<V>,
    obstacle: usize,
    place: V,
    radius: f32,
) -> bool {
    obstacles.distance(obstacle, place) < f64::from(radius) || obstacles.holds(obstacle, place)
}
