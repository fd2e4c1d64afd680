//! After its first frame the manager allocates nothing, nor does a linear program that is used
//! again.

use wingbeat_steer::anticipation::orca::Program;
use wingbeat_steer::anticipation::{Orca, Wall};
use wingbeat_steer::behavior::{Sphere, falloff};
use wingbeat_steer::glam::Vec3;
use wingbeat_steer::{Body, Jitter, Steering, Wander, WanderParameters};

fn frame(
    steering: &mut Steering<Vec3>,
    body: &mut Body<Vec3>,
    wander: &mut Wander<Vec3>,
    trees: &[Sphere<Vec3>],
) {
    let other = Body::new(Vec3::new(30.0, 1.0, 0.0), Vec3::X, 4.0, 1.0).unwrap();
    steering.observe(body);
    steering.seek(Vec3::new(50.0, 0.0, 0.0));
    steering.weighted(0.5).wander(wander, 0.1);
    steering.pursue(&other).evade(&other);
    steering.separate([Vec3::ONE], 5.0, falloff::inverse);
    steering.avoid_obstacles(trees, 0.5, 10.0, 5.0);
    body.follow(steering.update(0.1));
}

#[test]
fn frames_after_the_first_allocate_nothing() {
    let mut body = Body::new(Vec3::ZERO, Vec3::X, 4.0, 1.0).unwrap();
    let mut steering = Steering::new(&body, 10.0).unwrap();
    let mut wander = Wander::new(WanderParameters::default(), Jitter::owned(1, 0)).unwrap();
    let trees = [Sphere::new(Vec3::new(9.0, 0.0, 0.0), 2.0).unwrap()];
    let mut frames = |count: usize| {
        allocation_counter::measure(|| {
            for _ in 0..count {
                frame(&mut steering, &mut body, &mut wander, &trees);
            }
        })
        .count_total
    };
    frames(1);
    assert_eq!(frames(1000), 0);
    assert!(
        allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1)))).count_total > 0,
        "the counter counts"
    );
}

#[test]
fn a_program_used_again_allocates_nothing() {
    use crate::anticipation::{mover, nearby};
    // All around and coming nearer: there is no way out, so that the program is relaxed too.
    let around = [[1.0, 0.1], [-1.1, 0.0], [0.1, 1.2], [0.0, -1.3]]
        .map(|o: [f32; 2]| nearby(o, o.map(|x| -2.0 * x), 0.45));
    let wall = Wall { offset: [0.0, 2.0], distance: 2.0, velocity: [0.0; 2] };
    let mut program = Program::default();
    let mut answer =
        || Orca::default().velocity_in(&mut program, &mover([1.0, 0.0], 0.45), &around, &[wall]);
    let first = answer();
    let again = allocation_counter::measure(|| assert_eq!(answer(), first));
    assert_eq!(again.count_total, 0);
    assert!(
        program.half_spaces().iter().any(|one| one.broken_by(first) > 0.1),
        "there is a way out"
    );
}
