use wingbeat::prelude::*;
use wingbeat::simd::Vectors;

struct Shy;

pair_rule! {
    impl<S, D> Rule for Shy {
        type Sum = Vectors<S, D>;
        fn perception(&self) -> Perception { Perception::from(2.0) }
        fn term(&self, s, own, pair) {
            let near = pair.distance < 3.0;
            pair.direction(s) * near.select(s.splat(-1.0), s.splat(0.0))
        }
        fn force(&self, s, own, sum) { sum }
    }
}

fn main() {}
