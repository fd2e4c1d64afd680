//! Couzin et al. 2002: zones of repulsion, orientation and attraction.

use core::f32::consts::PI;

use crate::space::right::cross;
use crate::terms::model::definition::{Definition, FocalBoid, Neighbor, SceneDefaults};
use crate::{
    Advance, COINCIDENT, Vector,
    math::{self, noise},
    perpendicular,
};

parameters! {
    /// Three zones about each animal, widths measured outward from the zone inside.
    ///
    /// A boid nearer than r_r (all round): desired = −Σ o/d over those, and nothing else counts.
    /// Otherwise desired = Σ hⱼ over the orientation zone + Σ o/d over the attraction zone, only in
    /// sight, halved where both are occupied. Zero: the own heading (at rest: where the boid's hash
    /// says). Then a Gaussian error of sd `noise`, then a turn towards it by at most
    /// turning_rate·dt, at constant speed.
    ///
    /// Source: I. Couzin et al., *Collective Memory and Spatial Sorting in Animal Groups*, Journal
    /// of Theoretical Biology 218, 2002.
    pub struct Couzin2002 {
        repulsion_radius: f32 = 1.0, "length", 1e-9 => 1e12, "Nearer than this a neighbor repels, \
            at any angle.", "looser groups";
        orientation_width: f32 = 2.0, "length", 0.0 => 1e12, "Width of the zone about it whose \
            headings count.", "swarm, then torus, then parallel groups";
        attraction_width: f32 = 14.0, "length", 0.0 => 1e12, "Width of the zone about that one, \
            which attracts.", "groups that hold together over larger gaps, costlier steps";
        field_of_perception: f32 = 270.0, "degrees", 0.0 => 360.0, "Whole angle about the heading \
            in which the outer zones are seen.", "a smaller blind volume behind";
        turning_rate: f32 = 40.0, "degrees/time", 0.0 => 1e9, "Largest turn per unit of time.",
            "more agile animals";
        speed: f32 = 3.0, "length/time", 0.0 => 1e9, "Speed, the same for all.", "faster animals \
            with wider turns";
        noise: f32 = 0.05, "radians", 0.0 => 10.0, "Standard deviation of the error of the desired \
            direction.", "less order";
    }
}

impl Couzin2002 {
    /// Outer radius of the orientation zone.
    pub fn orientation_radius(&self) -> f32 {
        self.repulsion_radius + self.orientation_width
    }

    /// Outer radius of the attraction zone.
    pub fn attraction_radius(&self) -> f32 {
        self.orientation_radius() + self.attraction_width
    }

    /// Cosine of half the field of perception; `None` if that is all round.
    pub fn cos_half_view(&self) -> Option<f32> {
        (self.field_of_perception < 360.0)
            .then(|| math::cos_half_view(f64::from(self.field_of_perception)))
    }

    /// The desired direction before the error.
    fn desired<V: Vector>(&self, own: &FocalBoid<V>, neighbors: &[Neighbor<V>]) -> V {
        let (repulsion, orientation) = (self.repulsion_radius, self.orientation_radius());
        let coincident = repulsion * repulsion * COINCIDENT;
        let (mut away, mut repelled, mut on_another) = (V::origin(), false, false);
        let (mut along, mut aligned, mut towards, mut attracted) =
            (V::origin(), false, V::origin(), false);
        let view = self.cos_half_view();
        let at_rest = own.heading.largest() == 0.0;
        for other in neighbors {
            let (d_sq, d) = (other.distance_sq, math::sqrt(other.distance_sq));
            let in_sight = view
                .is_none_or(|cos_half| at_rest || other.offset.inner(own.heading) >= cos_half * d);
            if d_sq <= coincident {
                on_another = true;
            } else if d_sq < repulsion * repulsion {
                away = away.plus(other.offset.times(1.0 / d));
                repelled = true;
            } else if d_sq < orientation * orientation {
                if in_sight {
                    along = along.plus(other.heading);
                    aligned = true;
                }
            } else if in_sight {
                towards = towards.plus(other.offset.times(1.0 / d));
                attracted = true;
            }
        }
        if on_another {
            V::origin().minus(away).plus(noise::direction(own.seed, own.id, own.step))
        } else if repelled {
            V::origin().minus(away)
        } else if aligned && attracted {
            along.plus(towards).times(0.5)
        } else {
            along.plus(towards)
        }
    }
}

impl Definition for Couzin2002 {
    const NAME: &'static str = "couzin2002";
    const ABOUT: &'static str = "Zones of repulsion, orientation and attraction, limited turns \
        (Couzin et al. 2002).";
    const LOOKS_AT_HEADINGS: bool = true;

    fn radius(&self) -> Option<f32> {
        Some(self.attraction_radius())
    }

    fn advance(&self) -> Advance {
        Advance::Veer { speed: self.speed, turning_rate: self.turning_rate }
    }

    fn usual(&self) -> SceneDefaults {
        SceneDefaults { dt: 0.1, dimensions: 3, periodic: false, speed: self.speed }
    }

    fn steering<V: Vector>(&self, own: &FocalBoid<V>, neighbors: &[Neighbor<V>]) -> V {
        let direction = own.heading_along(self.desired(own, neighbors));
        let draw = |n| noise::uniform(own.seed, own.id, own.step, noise::stream::MODEL + n);
        let error = math::gaussian(draw(0), draw(1)) * self.noise;
        let (sin, cos) = math::sin_cos_turns(error * (0.5 / PI));
        let mut side = perpendicular(direction).unit();
        if V::DIMENSIONS == 3 {
            // Any way off the direction is as likely.
            let (sin, cos) = math::sin_cos_turns(draw(2));
            side = side.times(cos).plus(cross(direction, side).times(sin));
        }
        direction.times(cos).plus(side.times(sin))
    }
}
