use wingbeat::prelude::*;

fn faster(flock: &mut Flock2) {
    flock.params_mut().agent.max_speed = 5.0;
}

fn main() {}
