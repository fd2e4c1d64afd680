//! Exits: who ends a step inside an open one has left by it.

use alloc::{format, string::String, vec::Vec};

use super::{check_names, check_species};
use crate::obstacle::{Point, Solid, wide};
use crate::{Boundary, Domain, ObstacleShape, ParamError, Params, Vector};

/// A region by which boids leave the flock.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Exit<V> {
    /// Its name, for messages; one of a kind among the flock's exits.
    pub name: String,
    /// The region; its edge is part of it. Any shape that has an inside: all but walls.
    pub shape: ObstacleShape<V>,
    /// Who may leave by it: a place among the species; everybody if `None`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub species: Option<usize>,
    /// Whether anybody may. A closed one is as if it were not there.
    #[cfg_attr(feature = "serde", serde(default = "is_open"))]
    pub open: bool,
}

/// What an exit is where nothing is said.
#[cfg(feature = "serde")]
fn is_open() -> bool {
    true
}

impl<V> Exit<V> {
    /// An open exit for everybody.
    pub fn new(name: impl Into<String>, shape: ObstacleShape<V>) -> Self {
        Self { name: name.into(), shape, species: None, open: true }
    }
}

/// The exits of a flock.
///
/// ```
/// use wingbeat_steer::{Domain, Exit, ObstacleShape, Params, gate::Exits};
/// let shape = ObstacleShape::Box { min: [9.0, 4.0], max: [10.0, 6.0], angle: 0.0 };
/// let exits = Exits::new(vec![Exit::new("door", shape)], &Params::default(), &Domain::open())?;
/// assert_eq!(exits.of([9.0, 5.0], 0), Some(0));
/// assert_eq!(exits.of([8.9, 5.0], 0), None);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Exits<V> {
    list: Vec<Exit<V>>,
    regions: Vec<Region>,
    /// The box about all that are open.
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
        Self { list: Vec::new(), regions: Vec::new(), about: NOTHING }
    }
}

impl<V: Vector> Exits<V> {
    /// These exits.
    ///
    /// # Errors
    /// Names the exit, the value and what is allowed: more than 64, a name given twice, a shape that is none or has no inside, one
    /// outside of the domain (in a periodic box, not all inside of it), a species that there is not.
    #[inline(never)]
    pub fn new(list: Vec<Exit<V>>, params: &Params, domain: &Domain<V>) -> Result<Self, ParamError> {
        let mut exits = Self { list, ..Self::default() };
        exits.check(params, domain)?;
        for exit in &exits.list {
            let region = Region { solid: Solid::new(&exit.shape), about: exit.shape.bounds() };
            let (low, high) = region.about;
            for a in if exit.open { 0..3 } else { 0..0 } {
                exits.about.0[a] = if low[a] < exits.about.0[a] { low[a] } else { exits.about.0[a] };
                exits.about.1[a] = if high[a] > exits.about.1[a] { high[a] } else { exits.about.1[a] };
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

    /// Whether any is open.
    pub fn any_open(&self) -> bool {
        self.list.iter().any(|exit| exit.open)
    }

    /// Whether a boid of any species may be in one that is open.
    #[inline]
    pub fn may_hold(&self, position: V) -> bool {
        within(&self.about, wide(position))
    }

    /// The first open exit that a boid of a species is in.
    pub fn of(&self, position: V, species: usize) -> Option<usize> {
        let point = wide(position);
        let holds = |(exit, region): (&Exit<V>, &Region)| {
            exit.open
                && exit.species.is_none_or(|whose| whose == species)
                && within(&region.about, point)
                && region.solid.distance(point).0 <= 0.0
        };
        self.list.iter().zip(&self.regions).position(holds)
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
            check_species(&name, species, params)?;
        }
        if domain.boundary == Boundary::Open {
            return Ok(());
        }
        let (low, high) = self.shape.bounds();
        for a in 0..V::DIMENSIONS {
            let (min, max) = (f64::from(domain.min.axis(a)), f64::from(domain.max.axis(a)));
            let (refused, allowed) = if domain.is_periodic() {
                (low[a] < min || high[a] > max, format!("a region within {min} to {max}, the periodic domain"))
            } else {
                (low[a] > max || high[a] < min, format!("a region that reaches into {min} to {max}, the domain"))
            };
            if refused {
                return Err(ParamError::new(format!("{name}.shape"), format!("{} to {} on axis {a}", low[a], high[a]), allowed));
            }
        }
        Ok(())
    }
}
