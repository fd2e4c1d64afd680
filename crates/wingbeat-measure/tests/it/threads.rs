//! Threads change no measure.

use wingbeat::observe::{mean_position, state_hash};
use wingbeat::steer::*;
use wingbeat::*;
use wingbeat_measure::{State, Wanted, measure};
use wingbeat_test_support::tier;

/// A large flock is looked at by its threads; sums are still made in the order of ids.
#[test]
fn threads_do_not_change_what_is_observed() {
    fn same<const D: usize>(domain: Domain<[f32; D]>) {
        let spawn = Spawn {
            shape: Shape::Box { min: [0.0; D], max: [20.0; D] },
            speed: 1.0,
            ..Spawn::default()
        };
        let mut wanted = None;
        for threads in [1, 2, 3, 7] {
            let params = Params { rules: Alignment::default().into(), ..Default::default() };
            let builder =
                Flock::<D>::builder().params(params).domain(domain).seed(3).threads(threads);
            let mut flock = builder.spawn(tier::either(8_000, 40_000), spawn).build().unwrap();
            flock.sort();
            let (frame, domain) = (flock.frame(), flock.domain());
            let some = Wanted::POLARIZATION
                | Wanted::MEAN_SPEED
                | Wanted::MILLING
                | Wanted::ANGULAR_MOMENTUM;
            let found = measure(&frame, domain, some | Wanted::NEAREST_NEIGHBOR_DISTANCE, None);
            let found =
                (format!("{found:?} {:?}", mean_position(&frame, domain)), state_hash(&frame));
            // The same in columns by id, which one thread looks at.
            let boids: Vec<Boid<D>> = frame.by_id().collect();
            let positions: [Vec<f32>; D] =
                std::array::from_fn(|a| boids.iter().map(|boid| boid.position[a]).collect());
            let velocities: [Vec<f32>; D] =
                std::array::from_fn(|a| boids.iter().map(|boid| boid.velocity[a]).collect());
            let state = State::of_columns(
                positions.each_ref().map(|x| &x[..]),
                velocities.each_ref().map(|x| &x[..]),
                *domain,
            );
            let alone = state.measure(some | Wanted::NEAREST_NEIGHBOR_DISTANCE, None);
            assert_eq!(
                found.0,
                format!("{alone:?} {:?}", state.mean_position()),
                "{threads} threads"
            );
            assert_eq!(*wanted.get_or_insert_with(|| found.clone()), found, "{threads} threads");
        }
    }
    same::<2>(Domain::open());
    same::<3>(Domain::periodic([0.0; 3], [20.0; 3]));
}
