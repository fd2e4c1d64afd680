use wingbeat::prelude::*;

struct Count;

pair_rule! {
    impl<S, D> Rule for Count {
        type Sum = f32;
        fn perception(&self) -> Perception { Perception::from(2.0) }
        fn term(&self, s, own, pair) { 1.0 }
        fn force(&self, s, own, sum) { own.velocity }
    }
}

fn main() {}
