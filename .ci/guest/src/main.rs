//! A host's program of the usual size: a flock with goals, whose boids come, go, arrive, are moved,
//! measured and explained.

use wingbeat::Flock;
use wingbeat::drive::Goal;
use wingbeat::prelude::*;

/// Steps a flock and returns how many arrivals there were.
fn run<const D: usize>(center: [f32; D], corners: [[f32; D]; 2]) -> Result<usize, FlockError> {
    let [min, max] = corners;
    let params = Params {
        rules: Rules {
            separation: Some(Separation { weight: 2.5, ..Default::default() }),
            alignment: Some(Alignment::default()),
            cohesion: Some(Cohesion::default()),
            ..Default::default()
        },
        ..Default::default()
    };
    let goal = Goal { target: Some(center), arrival_radius: 2.0, ..Default::default() };
    let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
    let mut flock = Flock::<D>::builder()
        .params(params.clone())
        .domain(Domain::periodic(min, max))
        .drives(vec![Drive::new("home", goal)])
        .seed(1)
        .spawn(1_000, spawn)
        .build()?;

    let dt = TimeStep::new(0.02)?;
    let visitor = flock.add(center, [1.0; D])?;
    let mut arrivals = 0;
    for step in 0..100 {
        flock.step(dt);
        arrivals +=
            flock.events().iter().filter(|event| matches!(event, Event::Arrived { .. })).count();
        if step == 50 {
            flock.set_params(Params {
                rules: Rules { alignment: None, ..params.rules },
                ..params.clone()
            })?;
            flock.set_goal(visitor, Some(min))?;
            flock.set_position(visitor, min)?;
            flock.set_velocity(visitor, [0.0; D])?;
        }
    }

    let frame = flock.frame();
    let sum: f32 = frame.by_id().map(|boid| boid.position[0]).sum();
    let seen = observe::order(&frame, flock.domain());
    println!(
        "mean x {:.3}, polarization {:.3}",
        sum / frame.len() as f32,
        observe::polarization(&frame)
    );
    println!("{seen:?}, state {:016x}", observe::state_hash(&frame));
    println!("visitor at {:?}", frame.find(visitor)?.position);
    println!("{:?}", flock.explain(visitor, dt)?.decision);
    flock.remove(&[visitor])?;
    Ok(arrivals)
}

fn main() -> Result<(), FlockError> {
    #[cfg(feature = "plane")]
    println!("{} arrivals in the plane", run([10.0; 2], [[0.0; 2], [20.0; 2]])?);
    #[cfg(feature = "space")]
    println!("{} arrivals in space", run([5.0; 3], [[0.0; 3], [10.0; 3]])?);
    Ok(())
}
