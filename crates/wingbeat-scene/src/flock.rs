//! A flock of either dimension behind one type, for hosts that learn the dimension from a file.

use wingbeat::steer::Vector;
use wingbeat::{
    Boid, BoidId, Brake, Domain, Event, Flock, FlockError, Level, Params, TimeStep, observe,
};
use wingbeat_record::Edges;

/// A flock in the plane or in space.
#[derive(Clone)]
pub enum AnyFlock {
    /// In the plane.
    Two(
        #[cfg(not(wingbeat_only = "space"))] Flock<2>,
        #[cfg(wingbeat_only = "space")] crate::absent::Absent<Flock<2>>,
    ),
    /// In space.
    Three(
        #[cfg(not(wingbeat_only = "plane"))] Flock<3>,
        #[cfg(wingbeat_only = "plane")] crate::absent::Absent<Flock<3>>,
    ),
}

/// The domain of a flock of either dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnyDomain {
    /// In the plane.
    Two(Domain<[f32; 2]>),
    /// In space.
    Three(Domain<[f32; 3]>),
}

/// One boid for files and pictures: its id, and as many coordinates as it has dimensions (the third
/// is 0 in the plane).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Identity.
    pub id: u64,
    /// Position in the scene's own coordinates.
    pub position: [f32; 3],
    /// Velocity.
    pub velocity: [f32; 3],
}

impl Row {
    /// The boid, in so many of the three dimensions.
    pub fn boid<const D: usize>(&self) -> Boid<D> {
        let narrow = |v: [f32; 3]| std::array::from_fn(|a| v[a]);
        let (position, velocity) = (narrow(self.position), narrow(self.velocity));
        Boid { id: BoidId::new(self.id), position, velocity }
    }
}

/// Boids that a flock starts with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// The boids.
    pub rows: Vec<Row>,
    /// Their species, as places in the scene's list; empty where the scene decides.
    pub species: Vec<u8>,
}

/// The same expression for either flock.
macro_rules! either {
    ($any:expr, $flock:ident => $value:expr) => {
        match $any {
            crate::AnyFlock::Two($flock) => $value,
            crate::AnyFlock::Three($flock) => $value,
        }
    };
}
pub(crate) use either;

impl AnyFlock {
    /// Makes one step.
    pub fn step(&mut self, dt: TimeStep) {
        either!(self, flock => flock.step(dt));
    }

    /// What gives up a step under way, from another thread.
    #[doc(hidden)]
    pub fn brake(&self) -> Brake {
        either!(self, flock => flock.brake())
    }

    /// Whether the last step was given up; asked once.
    #[doc(hidden)]
    pub fn gave_up(&mut self) -> bool {
        either!(self, flock => flock.gave_up())
    }

    /// 2 or 3.
    pub fn dimensions(&self) -> usize {
        match self {
            Self::Two(_) => 2,
            Self::Three(_) => 3,
        }
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        either!(self, flock => flock.steps())
    }

    /// Time passed: the lengths of all steps, added up in `f64`.
    pub fn time(&self) -> f64 {
        either!(self, flock => flock.time())
    }

    /// Number of boids.
    pub fn len(&self) -> usize {
        either!(self, flock => flock.len())
    }

    /// Whether there are no boids.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The SIMD level in use.
    pub fn level(&self) -> Level {
        either!(self, flock => flock.level())
    }

    /// Worker threads in use.
    pub fn threads(&self) -> usize {
        either!(self, flock => flock.threads())
    }

    /// The rules.
    pub fn params(&self) -> &Params {
        either!(self, flock => flock.params())
    }

    /// What happened in the last step; see [`Flock::events`].
    pub fn events(&self) -> &[Event] {
        either!(self, flock => flock.events())
    }

    /// Names of its exits, in the order in which [events](Self::events) count them.
    pub fn exits(&self) -> Vec<String> {
        either!(self, flock => flock.exits().iter().map(|exit| exit.name.clone()).collect())
    }

    /// Whether any boid is still to come from a source.
    pub fn awaits_others(&self) -> bool {
        either!(self, flock => flock.awaits_others())
    }

    /// Mean number of others within the largest perception radius. Sorts the flock first, hence the
    /// exclusive borrow.
    pub fn mean_neighbors(&mut self) -> f64 {
        either!(self, flock => flock.mean_neighbors())
    }

    /// See [`observe::polarization`].
    pub fn polarization(&self) -> f64 {
        either!(self, flock => observe::polarization(&flock.frame()))
    }

    /// See [`observe::milling`].
    pub fn milling(&self) -> f64 {
        either!(self, flock => observe::milling(&flock.frame(), flock.domain()))
    }

    /// See [`observe::mean_speed`].
    pub fn mean_speed(&self) -> f64 {
        either!(self, flock => observe::mean_speed(&flock.frame()))
    }

    /// The largest speed of all boids; 0 without any.
    pub fn largest_speed(&self) -> f32 {
        let largest = either!(self, flock => {
            flock
                .frame()
                .by_slot()
                .map(|boid| boid.velocity.norm_sq())
                .fold(0.0, |m: f32, x| if x > m { x } else { m })
        });
        largest.sqrt()
    }

    /// Polarization, milling, angular momentum and mean speed; see [`observe::order`]. The crate
    /// `wingbeat-measure` finds more.
    pub fn order(&self) -> observe::OrderParameters {
        either!(self, flock => observe::order(&flock.frame(), flock.domain()))
    }

    /// See [`observe::state_hash`].
    pub fn state_hash(&self) -> u64 {
        either!(self, flock => observe::state_hash(&flock.frame()))
    }

    /// Boids as these rows have them, in any order, and no others; see [`Flock::set_boids`].
    ///
    /// # Errors
    /// When an id is named twice, or a state is not accepted; nothing is changed then.
    pub fn set_rows(&mut self, rows: &[Row]) -> Result<(), FlockError> {
        either!(self, flock => flock.set_boids(&rows.iter().map(Row::boid).collect::<Vec<_>>()))
    }

    /// The world's edges.
    pub fn domain(&self) -> AnyDomain {
        match self {
            Self::Two(flock) => AnyDomain::Two(*flock.domain()),
            Self::Three(flock) => AnyDomain::Three(*flock.domain()),
        }
    }

    /// The world's edges, as recordings have them.
    pub fn edges(&self) -> Edges {
        either!(self, flock => Edges::of(flock.domain()))
    }

    /// Lowest and highest corner of the domain, scene coordinates; `None` where it has no edges.
    pub fn bounds(&self) -> Option<([f32; 3], [f32; 3])> {
        either!(self, flock => {
            let domain = flock.domain();
            (domain.boundary != wingbeat::steer::Boundary::Open)
                .then(|| (widen(domain.min), widen(domain.max)))
        })
    }

    /// Whether a boid that leaves on one side enters on the other.
    pub fn is_periodic(&self) -> bool {
        either!(self, flock => flock.domain().boundary == wingbeat::steer::Boundary::Periodic)
    }

    /// All boids by ascending id.
    pub fn rows(&self) -> Vec<Row> {
        either!(self, flock => {
            let row = |boid: wingbeat::Boid<_>| Row {
                id: boid.id.get(),
                position: widen(boid.position),
                velocity: widen(boid.velocity),
            };
            flock.frame().by_id().map(row).collect()
        })
    }
}

fn widen<const D: usize>(v: [f32; D]) -> [f32; 3] {
    std::array::from_fn(|a| if a < D { v[a] } else { 0.0 })
}
