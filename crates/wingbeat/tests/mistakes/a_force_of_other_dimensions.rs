use wingbeat::prelude::*;

fn main() {
    let _ = Flock2::builder().own_rule(2.0, |_, _| [0.0, 0.0, 0.0]);
}
