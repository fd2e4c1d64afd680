use wingbeat::prelude::*;

fn play(flock: &mut Flock2) {
    flock.step(0.016);
}

fn main() {}
