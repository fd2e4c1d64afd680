//! Exits: a boid that ends a step inside an open one leaves by it.
//!
//! ```text
//! when a step from time t₀ to t has ended,
//! for each boid inside an exit that is open at t, by ascending ids:
//!     free ← last + every                              (−∞ where no boid has left yet)
//!     every = 0, or free ≤ t:  it has left;  last ← free if free > t₀, else t
//!     otherwise:               it stays where it is, and waits for its turn
//! ```

use alloc::{format, string::String, vec, vec::Vec};

use super::check_names;
use crate::obstacle::{Point, Solid, wide};
use crate::schema::parameter_info::Parameters;
use crate::{Boundary, Domain, ObstacleShape, ParamError, Params, SpeciesId, Vector};

settings! {
    /// A region by which boids leave the flock.
    #[derive(Clone, Debug, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
    pub struct Exit<V> in "exit." {}
    settings {
        #[cfg_attr(feature = "serde", serde(default = "is_open"))]
        open: bool = true, "Whether boids may leave by it. No way leads to an exit that is closed.";
        #[cfg_attr(feature = "serde", serde(default))]
        opens: f64 = 0.0, in "time" from 0.0 => 1e12, "When it opens. Ways are planned anew then. \
            Larger: later.";
        #[cfg_attr(
            feature = "serde",
            serde(
                default = "crate::schema::serial::never",
                skip_serializing_if = "crate::schema::serial::is_never"
            )
        )]
        closes: f64 = f64::INFINITY, shown "never", in "time" from 0.0 => 1e12, "When it closes, \
            at or after opens. Ways are planned anew then. Larger: later.";
        #[cfg_attr(feature = "serde", serde(default))]
        every: f64 = 0.0, in "time" from 0.0 => 1e12, "At most one leaves in so much time, as by \
            a turnstile, the lowest id first; the others inside wait, and a queue forms. Larger: \
            a slower turnstile.";
    }
    fields {
        /// Its name, for messages; one of a kind among the flock's exits.
        pub name: String;
        /// The region; its edge is part of it. Any shape that has an inside: all but walls.
        pub shape: ObstacleShape<V>;
        /// The species that may leave by it; every boid if `None`.
        #[cfg_attr(feature = "serde", serde(default))]
        pub species: Option<SpeciesId>;
    }
}

/// What an exit remembers from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExitMemory {
    /// The time at which it let out the last boid, which may lie within a step; `None`: it let out
    /// no boid yet.
    pub last: Option<f64>,
}

/// What an exit is where nothing is said.
#[cfg(feature = "serde")]
fn is_open() -> bool {
    true
}

impl<V> Exit<V> {
    /// An open exit for every boid.
    pub fn new(name: impl Into<String>, shape: ObstacleShape<V>) -> Self {
        Self {
            name: name.into(),
            shape,
            species: None,
            open: true,
            opens: 0.0,
            closes: f64::INFINITY,
            every: 0.0,
        }
    }

    /// Whether any boid may leave at this time.
    pub fn is_open_at(&self, time: f64) -> bool {
        self.open && self.opens <= time && time < self.closes
    }
}

/// The exits of a flock.
///
/// ```
/// use wingbeat_steer::{Domain, Exit, ObstacleShape, Params, SpeciesId, gate::Exits};
/// let any = SpeciesId::default();
/// let shape = ObstacleShape::Box { min: [9.0, 4.0], max: [10.0, 6.0], angle: 0.0 };
/// let exits = Exits::new(vec![Exit::new("door", shape)], &Params::default(), &Domain::open())?;
/// assert_eq!(exits.of([9.0, 5.0], any, 1.5), Some(0));
/// assert_eq!(exits.of([8.9, 5.0], any, 1.5), None);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Exits<V> {
    list: Vec<Exit<V>>,
    memory: Vec<ExitMemory>,
    regions: Vec<Region>,
    /// The box about all that may be open at some time.
    about: (Point, Point),
}

/// An exit's shape, and the box about it.
#[derive(Clone, Debug, PartialEq)]
struct Region {
    solid: Solid,
    about: (Point, Point),
}

/// What holds nothing.
const NOTHING: (Point, Point) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);

fn within((low, high): &(Point, Point), point: Point) -> bool {
    (0..3).all(|a| point[a] >= low[a] && point[a] <= high[a])
}

/// None.
impl<V> Default for Exits<V> {
    fn default() -> Self {
        Self { list: Vec::new(), memory: Vec::new(), regions: Vec::new(), about: NOTHING }
    }
}

impl<V: Vector> Exits<V> {
    /// These exits.
    ///
    /// # Errors
    /// Names the exit, the value and what is allowed: more than 64, a name given twice, a shape
    /// that is none or has no inside, one outside of the domain (in a periodic box, not all inside
    /// of it), a species that there is not, times out of range.
    #[inline(never)]
    pub fn new(
        list: Vec<Exit<V>>,
        params: &Params,
        domain: &Domain<V>,
    ) -> Result<Self, ParamError> {
        let mut exits =
            Self { memory: vec![ExitMemory::default(); list.len()], list, ..Self::default() };
        exits.check(params, domain)?;
        for exit in &exits.list {
            let region = Region { solid: Solid::new(&exit.shape), about: exit.shape.bounds() };
            let (low, high) = region.about;
            for a in if exit.open { 0..3 } else { 0..0 } {
                exits.about.0[a] =
                    if low[a] < exits.about.0[a] { low[a] } else { exits.about.0[a] };
                exits.about.1[a] =
                    if high[a] > exits.about.1[a] { high[a] } else { exits.about.1[a] };
            }
            exits.regions.push(region);
        }
        Ok(exits)
    }

    /// Refuses exits that do not go with these parameters and this domain; see [`new`](Self::new).
    ///
    /// # Errors
    /// Names the exit, the value and what is allowed.
    #[inline(never)]
    pub fn check(&self, params: &Params, domain: &Domain<V>) -> Result<(), ParamError> {
        check_names("exit", self.list.iter().map(|exit| exit.name.as_str()))?;
        self.list.iter().try_for_each(|exit| exit.check(params, domain))
    }

    /// The exits, in order.
    pub fn list(&self) -> &[Exit<V>] {
        &self.list
    }

    /// What each remembers.
    pub fn memory(&self) -> &[ExitMemory] {
        &self.memory
    }

    /// Refuses memories that cannot be of these exits at this time.
    ///
    /// # Errors
    /// When there are not as many, or a boid left at no time until then.
    pub fn check_memory(&self, memory: &[ExitMemory], time: f64) -> Result<(), ParamError> {
        if memory.len() != self.list.len() {
            let allowed = format!("{}, one for each exit of this flock", self.list.len());
            return Err(ParamError::new("memory.exits", memory.len(), allowed));
        }
        for (exit, memory) in self.list.iter().zip(memory) {
            if let Some(last) = memory.last.filter(|last| !(0.0..=time).contains(last)) {
                let allowed = format!("0 to {time}, the time of the memory");
                return Err(ParamError::new(format!("exit.{}.last", exit.name), last, allowed));
            }
        }
        Ok(())
    }

    /// Exits go on from there.
    ///
    /// # Errors
    /// As [`check_memory`](Self::check_memory); nothing is changed then.
    pub fn remember(&mut self, memory: &[ExitMemory], time: f64) -> Result<(), ParamError> {
        self.check_memory(memory, time)?;
        self.memory.copy_from_slice(memory);
        Ok(())
    }

    /// Exits that take the place of others go on with what those of the same name remember.
    pub fn go_on_from(&mut self, before: &Self) {
        for (exit, memory) in self.list.iter().zip(&mut self.memory) {
            if let Some(place) = before.list.iter().position(|other| other.name == exit.name) {
                *memory = before.memory[place];
            }
        }
    }

    /// Whether any may be open at some time.
    pub fn any_open(&self) -> bool {
        self.list.iter().any(|exit| exit.open)
    }

    /// Whether any is open at this time.
    pub fn any_open_at(&self, time: f64) -> bool {
        self.list.iter().any(|exit| exit.is_open_at(time))
    }

    /// Whether a boid of any species may be in one that is open, at whatever time.
    #[inline]
    pub fn may_hold(&self, position: V) -> bool {
        within(&self.about, wide(position))
    }

    /// Whether a place is in an exit, open or not, that lets out boids of some of these species.
    pub fn hold(&self, position: V, is_asked: impl Fn(SpeciesId) -> bool) -> bool {
        let point = wide(position);
        self.list.iter().zip(&self.regions).any(|(exit, region)| {
            exit.species.is_none_or(&is_asked)
                && within(&region.about, point)
                && region.solid.distance(point).0 <= 0.0
        })
    }

    /// The first exit open at this time that a boid of a species is in.
    pub fn of(&self, position: V, species: SpeciesId, time: f64) -> Option<usize> {
        let point = wide(position);
        let holds = |(exit, region): (&Exit<V>, &Region)| {
            exit.is_open_at(time)
                && exit.species.is_none_or(|whose| whose == species)
                && within(&region.about, point)
                && region.solid.distance(point).0 <= 0.0
        };
        self.list.iter().zip(&self.regions).position(holds)
    }

    /// Whether an exit lets out one boid more in the step between two times; called for those
    /// inside by ascending ids.
    pub fn lets_out(&mut self, exit: usize, (begin, end): (f64, f64)) -> bool {
        let (every, memory) = (self.list[exit].every, &mut self.memory[exit]);
        let free =
            memory.last.filter(|_| every > 0.0).map_or(f64::NEG_INFINITY, |last| last + every);
        if free > end {
            return false;
        }
        // Who waits leaves when its turn comes, and not at the end of that step: so many an hour,
        // however long steps are.
        memory.last = Some(if free > begin { free } else { end });
        true
    }
}

impl<V: Vector> Exit<V> {
    fn check(&self, params: &Params, domain: &Domain<V>) -> Result<(), ParamError> {
        let name = format!("exit.{}", self.name);
        self.shape.check(&name)?;
        if self.shape.is_thin() {
            return Err(ParamError::new(
                format!("{name}.kind"),
                "wall",
                "a shape that has an inside: sphere, capsule, box or polygon",
            ));
        }
        if let Some(species) = self.species {
            params.check_species_id(format_args!("{name}.species"), species)?;
        }
        self.check_times(&name)?;
        if domain.boundary == Boundary::Open {
            return Ok(());
        }
        let (low, high) = self.shape.bounds();
        for a in 0..V::DIMENSIONS {
            let (min, max) = (f64::from(domain.min.axis(a)), f64::from(domain.max.axis(a)));
            let (refused, allowed) = if domain.is_periodic() {
                (
                    low[a] < min || high[a] > max,
                    format!("a region within {min} to {max}, the periodic domain"),
                )
            } else {
                (
                    low[a] > max || high[a] < min,
                    format!("a region that reaches into {min} to {max}, the domain"),
                )
            };
            if refused {
                return Err(ParamError::new(
                    format!("{name}.shape"),
                    format!("{} to {} on axis {a}", low[a], high[a]),
                    allowed,
                ));
            }
        }
        Ok(())
    }

    fn check_times(&self, name: &str) -> Result<(), ParamError> {
        self.check_ranges(name)?;
        if self.closes < self.opens {
            let allowed = format!("at least {name}.opens = {}", self.opens);
            return Err(ParamError::new(format!("{name}.closes"), self.closes, allowed));
        }
        Ok(())
    }
}
