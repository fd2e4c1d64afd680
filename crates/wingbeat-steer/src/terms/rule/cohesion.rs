//! Cohesion: to the middle of the neighbors.

use crate::Vector;
use crate::terms::rule::definition::{RESPONSES, RuleBoid, RuleDefinition};
use crate::terms::rule::{Perception, Response, Seen};

rule! {
    /// Cohesion: C = mean(o), the way to the middle of the neighbors seen.
    pub struct Cohesion {}
    responses RESPONSES
}

impl RuleDefinition for Cohesion {
    const NAME: &'static str = "cohesion";
    const ABOUT: &'static str = "Stay with neighbors.";
    const PHRASE: &'static str = "cohesion with";
    const HUE: f64 = 2.75;

    fn term<V: Vector>(&self, _own: &RuleBoid<V>, seen: &Seen<V>) -> (V, f32) {
        (seen.offset, 1.0)
    }
}
