//! A host's own rule as a closure and in lanes, against the flock without it.

use wingbeat::prelude::*;
use wingbeat::simd::Vectors;
use wingbeat::{Flock, Level};
use wingbeat_benches::points::{RADIUS, uniform};
use wingbeat_benches::race::{Race, Wanted};

use crate::races::{dt, stepping};

const STIFFNESS: f32 = 0.01;
const LENGTH: f32 = 0.5 * RADIUS;

/// Springs between all that see each other.
struct Springs;
pair_rule! {
    impl<S, D> Rule for Springs {
        type Sum = Vectors<S, D>;
        fn perception(&self) -> Perception { Perception::from(RADIUS) }
        fn term(&self, s, own, pair) {
            pair.direction(s) * ((pair.distance - s.splat(LENGTH)) * s.splat(STIFFNESS))
        }
        fn force(&self, s, own, sum) { sum }
    }
}

pub fn race<const D: usize>(level: Level) -> Race {
    let state = uniform::<D>(10_000, 20.0);
    let springs = |_: &FocalBoid<D>, near: &[Neighbor<D>]| {
        let mut force = [0.0; D];
        for other in near {
            let (way, size) = (other.direction(), STIFFNESS * (other.distance - LENGTH));
            for a in 0..D {
                force[a] += way[a] * size;
            }
        }
        force
    };
    let builder = || state.flock().threads(1).level(level);
    let of = |name: &str, wanted: Wanted, built: Result<Flock<D>, FlockError>| {
        let mut flock = built.expect("a valid flock");
        flock.step(dt());
        stepping(name, wanted, flock, 10)
    };
    let contenders = vec![
        of("without", Wanted::Nothing, builder().build()),
        of("pair_rule", Wanted::Costs(2.2), builder().rule(Springs).build()),
        of("closure", Wanted::Costs(10.0), builder().own_rule(RADIUS, springs).build()),
    ];
    Race { contenders }
}
