//! Cohesion: to the middle of the neighbors.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::Vector;
use crate::terms::rule::definition::{RESPONSES, RuleBoid, RuleDefinition};
use crate::terms::rule::separation::Separation;
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

    fn advice(&self, other: &dyn Fn(&str) -> Option<(f32, Perception)>) -> Vec<String> {
        let mut advice = Vec::new();
        let separation = other(Separation::NAME);
        let together = self.perception.radius;
        let apart = separation.map_or(0.0, |(_, sees)| sees.radius);
        if apart > together {
            advice.push(format!(
                "separation.radius = {apart} is above cohesion.radius = {together}: boids are \
                    pushed apart before they are drawn together"
            ));
        }
        if self.weight > 0.0 && separation.is_none_or(|(weight, _)| weight <= 0.0) {
            advice.push("cohesion without separation: the flock falls together to a point".into());
        }
        advice
    }

    fn term<V: Vector>(&self, _own: &RuleBoid<V>, seen: &Seen<V>) -> (V, f32) {
        (seen.offset, 1.0)
    }
}
