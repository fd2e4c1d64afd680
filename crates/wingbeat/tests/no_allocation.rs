//! Once its buffers have grown, a step allocates nothing.

use wingbeat::steer::Vector;
use wingbeat::*;

fn allocations_of_a_step<const D: usize>(domain: Domain<[f32; D]>, combine: Combine, of: AlignmentOf, storage: Storage) -> u64
where
    [f32; D]: Vector,
{
    [1, 4].map(|every| allocations(domain, combine, of, storage, every)).iter().sum()
}

/// Of twenty steps of a flock that steers every `every` steps.
fn allocations<const D: usize>(domain: Domain<[f32; D]>, combine: Combine, of: AlignmentOf, storage: Storage, every: u32) -> u64
where
    [f32; D]: Vector,
{
    let params = Params {
        separation: Some(Separation::default()),
        alignment: Some(Alignment { of, ..Default::default() }),
        cohesion: Some(Cohesion::default()),
        combine,
        ..Default::default()
    };
    let spawn = Spawn { shape: Shape::Box { min: [0.0; D], max: [12.0; D] }, ..Spawn::default() };
    let builder = Flock::<D>::builder().params(params).domain(domain).seed(1).threads(1).storage(storage).steer_every(every);
    let mut flock = builder.spawn(3000, &spawn).build().expect("a flock");
    let dt = TimeStep::new(0.02).expect("a time step");
    (0..50).for_each(|_| flock.step(dt));
    let counted = allocation_counter::measure(|| (0..20).for_each(|_| flock.step(dt)));
    counted.count_total
}

#[test]
fn a_step_allocates_nothing() {
    let smooth = Combine::Direction(Cruise { smoothing_rate: 2.0, ..Cruise::default() });
    for combine in [Combine::Weighted, Combine::Prioritized, smooth] {
        for of in [AlignmentOf::Velocity, AlignmentOf::Heading] {
            let periodic = Domain::periodic([0.0; 3], [12.0; 3]);
            assert_eq!(allocations_of_a_step(periodic, combine, of, Storage::Automatic), 0, "{combine:?} {of:?}");
            let walled = Domain::walled([0.0; 2], [12.0; 2], 1.0, 3.0);
            assert_eq!(allocations_of_a_step(walled, combine, of, Storage::Automatic), 0, "{combine:?} {of:?}");
        }
    }
}
