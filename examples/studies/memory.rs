//! Does a school remember its shape? Couzin et al. 2002 widened the zone of orientation step by
//! step, and narrowed it again: the same individuals form another group on the way back than on the
//! way there.

use wingbeat::steer::Model;
use wingbeat::steer::model::Couzin2002;
use wingbeat::{Flock3, FlockError, Params, Shape, Spawn, TimeStep};
use wingbeat_measure::{Wanted, measure};

/// Animals in a group, as in the paper's figures.
pub const ANIMALS: usize = 100;
/// The paper's time step, and how long a width is kept: half of it to settle, half of it measured.
pub const DT: f32 = 0.1;
/// Steps at each width.
pub const STEPS: usize = 5000;

/// What a group does at one width of the zone of orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// Width of the zone of orientation.
    pub width: f32,
    /// Time mean of the polarization: 1 if all swim one way.
    pub polarization: f64,
    /// Time mean of ‖Σ r̂ × h‖/N: 1 if all swim around the middle one way.
    pub milling: f64,
    /// Largest group at the end, within the attraction's reach.
    pub largest: usize,
}

/// Zones as in the paper: repulsion 1, attraction 14 wide.
fn params(width: f32) -> Params {
    let model =
        Couzin2002 { orientation_width: width, attraction_width: 14.0, ..Default::default() };
    Params { model: Some(Model::from(model)), ..Default::default() }
}

/// One group through all widths, in their order, never started anew.
///
/// # Errors
/// None with valid widths.
pub fn group(widths: &[f32], steps: usize, seed: u64) -> Result<Vec<Phase>, FlockError> {
    let spawn = Spawn {
        shape: Shape::Ball { center: [0.0; 3], radius: 5.0 },
        speed: 3.0,
        ..Spawn::default()
    };
    let first = params(widths.first().copied().unwrap_or(0.0));
    let mut flock =
        Flock3::builder().params(first).seed(seed).threads(1).spawn(ANIMALS, spawn).build()?;
    let mut phases = Vec::new();
    for &width in widths {
        flock.set_params(params(width))?;
        phases.push(phase(&mut flock, width, steps)?);
    }
    Ok(phases)
}

fn phase(flock: &mut Flock3, width: f32, steps: usize) -> Result<Phase, FlockError> {
    let dt = TimeStep::new(DT)?;
    let (mut polarization, mut milling, mut measured) = (0.0, 0.0, 0.0);
    for step in 0..steps {
        flock.step(dt);
        // Every tenth: a second of the animals' time.
        if step >= steps / 2 && step % 10 == 0 {
            let wanted = Wanted::POLARIZATION | Wanted::MILLING;
            let found = measure(&flock.frame(), flock.domain(), wanted, None);
            polarization += found.polarization.unwrap_or(0.0);
            milling += found.milling.unwrap_or(0.0);
            measured += 1.0;
        }
    }
    let reach = f64::from(1.0 + width + 14.0);
    let largest = measure(&flock.frame(), flock.domain(), Wanted::LARGEST_GROUP, Some(reach))
        .largest_group
        .unwrap_or(0);
    Ok(Phase { width, polarization: polarization / measured, milling: milling / measured, largest })
}

/// Widths from 0 up to `most` and back, `count` each way.
pub fn there_and_back(most: f32, count: usize) -> Vec<f32> {
    let up = (0..count).map(|i| most * i as f32 / (count - 1) as f32);
    up.clone().chain(up.rev()).collect()
}
