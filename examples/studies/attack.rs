//! Does a flock hold together when something flies through it? Metric against topological
//! neighbors, as Ballerini et al. 2008 asked.
//!
//! A flock in open space flies until it has settled. Then an attacker crosses it on a straight line
//! through its middle, and a boid that comes too close flees. Afterwards everyone has time to find
//! together again, and the groups are counted. Nothing but the neighborhood differs between the
//! two flocks, and the metric radius is such that a boid has as many neighbors on average as the
//! topological one looks at, in the settled flock.

use wingbeat::steer::Vector;
use wingbeat::{
    AgentLimits, Alignment, BoidId, Cohesion, Flock3, FlockError, Params, Perception, Rules,
    Separation, Shape, Spawn, TimeStep, observe,
};
use wingbeat_measure::{Wanted, measure};

/// Boids of a flock.
pub const BOIDS: usize = 300;
/// Neighbors a boid looks at: exactly, or on average.
pub const NEIGHBORS: u32 = 7;
/// Time step.
pub const DT: f32 = 0.05;
/// Steps before the attack and after it.
pub const SETTLING: usize = 800;
/// Steps after the attack.
pub const RECOVERY: usize = 1000;

/// How far a boid can see at all, in initial spacings.
const SIGHT: f32 = 8.0;
/// The attacker is fled from within this distance, with this acceleration when it is at hand.
const FEAR: f32 = 2.0;
const PANIC: f32 = 8.0;
/// The attacker begins this far from the middle of the flock and is this fast, where boids fly at 1
/// to 1.2.
const APPROACH: f32 = 20.0;
const ATTACKER_SPEED: f32 = 4.0;
/// Boids closer than this, directly or by way of others, are one group: half of how far they see.
pub const GROUP_RADIUS: f64 = 4.0;

/// Who counts as a neighbor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Neighborhood {
    /// Everyone within this radius.
    Metric(f32),
    /// The nearest [`NEIGHBORS`].
    Topological,
}

/// What one attack did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Mean neighbors within the metric radius before it; those looked at, if topological.
    pub neighbors: f64,
    /// Polarization before it.
    pub polarization: f64,
    /// Groups before it.
    pub groups_before: usize,
    /// Groups after it.
    pub groups: usize,
    /// Boids in the largest of them.
    pub largest: usize,
}

fn params(neighborhood: Neighborhood) -> Params {
    let (radius, nearest) = match neighborhood {
        Neighborhood::Metric(radius) => (radius, None),
        Neighborhood::Topological => (SIGHT, Some(NEIGHBORS)),
    };
    let social = Perception { radius, nearest, ..Default::default() };
    // Separation is the same for both: a boid that is within arm's length.
    let close = Perception { radius: 1.0, ..Default::default() };
    Params {
        agent: AgentLimits { min_speed: 1.0, max_speed: 1.2, max_force: 3.0, ..Default::default() },
        rules: Rules {
            separation: Some(Separation { weight: 4.0, perception: close, ..Default::default() }),
            alignment: Some(Alignment { weight: 1.5, perception: social, ..Default::default() }),
            cohesion: Some(Cohesion { weight: 0.6, perception: social, ..Default::default() }),
            ..Default::default()
        },
        ..Default::default()
    }
}

/// A flock that has flown for [`SETTLING`] steps.
///
/// # Errors
/// None with these parameters.
pub fn settled(neighborhood: Neighborhood, seed: u64) -> Result<Flock3, FlockError> {
    // A ball of one boid per unit of volume.
    let radius = 4.153;
    let spawn = Spawn {
        shape: Shape::Ball { center: [0.0; 3], radius },
        speed: 1.0,
        heading: Some([1.0, 0.0, 0.0]),
        heading_spread: 20.0,
        ..Spawn::default()
    };
    let mut flock = Flock3::builder()
        .params(params(neighborhood))
        .seed(seed)
        .threads(1)
        .spawn(BOIDS, spawn)
        .build()?;
    fly(&mut flock, SETTLING)?;
    Ok(flock)
}

fn fly(flock: &mut Flock3, steps: usize) -> Result<(), FlockError> {
    let dt = TimeStep::new(DT)?;
    for _ in 0..steps {
        flock.step(dt);
    }
    Ok(())
}

fn groups(flock: &Flock3) -> (usize, usize) {
    let found = measure(
        &flock.frame(),
        flock.domain(),
        Wanted::GROUPS | Wanted::LARGEST_GROUP,
        Some(GROUP_RADIUS),
    );
    (found.groups.unwrap_or(0), found.largest_group.unwrap_or(0))
}

/// A flock, with an attack or, as a control, without one.
///
/// # Errors
/// None with these parameters.
pub fn outcome(
    neighborhood: Neighborhood,
    seed: u64,
    attacked: bool,
) -> Result<Outcome, FlockError> {
    let mut flock = settled(neighborhood, seed)?;
    let neighbors = match neighborhood {
        Neighborhood::Metric(_) => flock.mean_neighbors(),
        Neighborhood::Topological => f64::from(NEIGHBORS),
    };
    let polarization = observe::polarization(&flock.frame());
    let groups_before = groups(&flock).0;
    let steps = (2.0 * APPROACH / ATTACKER_SPEED / DT) as usize;
    if attacked {
        attack(&mut flock, steps)?;
    } else {
        fly(&mut flock, steps)?;
    }
    fly(&mut flock, RECOVERY)?;
    let (groups, largest) = groups(&flock);
    Ok(Outcome { neighbors, polarization, groups_before, groups, largest })
}

/// The attacker crosses the flock, from the side, and flies along with it: its line is straight as
/// the flock sees it.
fn attack(flock: &mut Flock3, steps: usize) -> Result<(), FlockError> {
    let mut frightened: Vec<(BoidId, [f32; 3])> = Vec::new();
    for step in 0..steps {
        let middle = observe::mean_position(&flock.frame(), flock.domain()).map(|x| x as f32);
        let along = step as f32 * DT * ATTACKER_SPEED - APPROACH;
        let attacker = middle.plus([0.0, along, 0.0]);
        frightened.clear();
        for boid in flock.frame().by_slot() {
            let away = boid.position.minus(attacker);
            let distance = away.norm();
            if distance < FEAR {
                let push = PANIC * (1.0 - distance / FEAR) * DT;
                frightened.push((boid.id, boid.velocity.plus(away.unit().times(push))));
            }
        }
        for &(id, velocity) in &frightened {
            flock.set_velocity(id, velocity)?;
        }
        fly(flock, 1)?;
    }
    Ok(())
}

/// The radius at which a settled metric flock has [`NEIGHBORS`] neighbors on average, over some
/// seeds: found by halving, since a larger radius means more of them.
///
/// # Errors
/// None with these parameters.
pub fn matching_radius(seeds: u64) -> Result<f32, FlockError> {
    let (mut low, mut high) = (1.0, 4.0);
    for _ in 0..10 {
        let middle = 0.5 * (low + high);
        let mut neighbors = 0.0;
        for seed in 0..seeds {
            neighbors +=
                settled(Neighborhood::Metric(middle), seed)?.mean_neighbors() / seeds as f64;
        }
        if neighbors < f64::from(NEIGHBORS) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(0.5 * (low + high))
}
