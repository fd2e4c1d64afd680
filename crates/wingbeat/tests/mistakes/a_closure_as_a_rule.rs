use wingbeat::prelude::*;

fn main() {
    let _ = Flock2::builder().rule(|_: &FocalBoid<2>, _: &[Neighbor<2>]| [0.0, 0.0]);
}
