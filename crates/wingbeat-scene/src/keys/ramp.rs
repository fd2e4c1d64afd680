//! Keys of `[ramp.NAME]`.

use wingbeat::steer::settings;

use super::KeyKind;

settings! {
    /// A number that changes as time passes: `from` until `start`, then evenly to `to`, which it
    /// keeps.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Ramp in "ramp." {}
    settings {
        key: String = String::new(), shown "required", "Which number changes as the flock flies: \
            the dotted name of a key that takes any number between two and can change in a live \
            view, but flock.dt. What else says its value has no say.";
        from: f64 = 0.0, shown "required", in "of the key" from -1e30 => 1e30, "Its value until \
            start, within the key's own range.";
        to: f64 = 0.0, shown "required", in "of the key" from -1e30 => 1e30, "Its value from start \
            + over on, within the key's own range.";
        over: f64 = 1.0, shown "required", in "time", takes KeyKind::above(0.0, 1e12), "How long \
            it takes from the one to the other, evenly. Larger: a slower change.";
        start: f64 = 0.0, in "time" from 0.0 => 1e12, "When it begins, in time of the flock. \
            Larger: later.";
    }
    with {
        /// What the user calls it.
        pub name: String = String::new();
    }
}
