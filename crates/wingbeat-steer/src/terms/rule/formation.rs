//! Formation: each neighbor in its place ahead and aside.

use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

use crate::Vector;
use crate::terms::rule::definition::{RESPONSES, RuleBoid, RuleDefinition};
use crate::terms::rule::{Perception, Response, Seen};

rule! {
    /// Formation: F = mean(o − p), the way that brings the neighbors seen to the place p =
    /// `ahead`·h + `aside`·n, h being the own heading and n the unit vector across it on the side
    /// where the neighbor is (0 for one exactly ahead or behind). A boid at rest has no heading,
    /// and keeps no formation.
    ///
    /// With a field of view of 180° and one nearest neighbor each boid keeps to the one before it:
    /// `aside = 0` makes columns, both numbers wedges; all round with `ahead = 0` lines abreast.
    ///
    /// Source: the neighbor-referenced formations of Balch and Arkin 1998, without numbered slots.
    pub struct Formation {}
    numbers {
        ahead: f32 = 0.5, "length", -1e9 => 1e9, "Where a neighbor is to be along the heading; \
            negative: behind.", "it is kept further ahead";
        aside: f32 = 0.5, "length", 0.0 => 1e9, "How far to the side a neighbor is to be, on the \
            side where it is.", "wider formations";
    }
    responses RESPONSES
}

impl RuleDefinition for Formation {
    const NAME: &'static str = "formation";
    const ABOUT: &'static str = "Keep neighbors in a place ahead and aside.";
    const PHRASE: &'static str = "formation with";
    const HUE: f64 = 3.7;

    fn advice(&self, _: &dyn Fn(&str) -> Option<(f32, Perception)>) -> Vec<String> {
        let Self { ahead, aside, perception: Perception { radius, .. }, .. } = *self;
        let is_seen = ahead * ahead + aside * aside <= radius * radius;
        let unseen = format!(
            "formation.ahead = {ahead}, formation.aside = {aside}: that place is not within \
                formation.radius = {radius}: a neighbor that is there is not seen"
        );
        if is_seen { Vec::new() } else { vec![unseen] }
    }

    fn term<V: Vector>(&self, own: &RuleBoid<V>, seen: &Seen<V>) -> (V, f32) {
        if own.heading.largest() == 0.0 {
            return (V::origin(), 0.0);
        }
        let across = seen.offset.minus(own.heading.times(seen.offset.inner(own.heading)));
        let place = own.heading.times(self.ahead).plus(across.unit().times(self.aside));
        (seen.offset.minus(place), 1.0)
    }
}
