//! The boids that a boid sees under a rule or a model.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{Perception, TextbookBoid, Vector};

/// The boids that a boid sees under a rule, and how many in range it does not.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Neighborhood<V> {
    /// Range, sight and number, `max_neighbors` taken into account. Of a model: its radius and that
    /// number.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "write_perception"))]
    pub perception: Perception,
    /// Others in range, out of sight.
    pub out_of_sight: usize,
    /// Others in range and sight, further away than the nearest that count.
    pub beyond_cap: usize,
    /// Those that count, in slot order.
    pub neighbors: Vec<Seen<V>>,
}

/// Writes a perception as explanations have it: no radius where it is [`EVERYONE`], and the cosine
/// that the sight test compares with.
#[cfg(feature = "serde")]
fn write_perception<S: serde::Serializer>(
    perception: &Perception,
    to: S,
) -> Result<S::Ok, S::Error> {
    let Perception { radius, near_radius, view, nearest } = *perception;
    let radius = (radius < crate::terms::model::EVERYONE).then_some(radius);
    write_keys!(to, "radius": radius, "cos_half_view": view.cos_half(),
        "near_radius": near_radius, "nearest": nearest)
}

/// A neighbor.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Seen<V> {
    /// Its id.
    pub id: u64,
    /// Name of its species, which explanations have; `None` while a flock steps, and where it has
    /// no species.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub species: Option<String>,
    /// The way to it, through the nearest image.
    pub offset: V,
    /// Its length.
    pub distance: f32,
    /// Its squared length.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub distance_sq: f32,
    /// Degrees from the boid's heading ([`angle_from`](Self::angle_from)), which explanations have.
    pub angle: Option<f32>,
    /// The neighbor's velocity.
    pub velocity: V,
    /// Whether it stands on the boid, within a millionth of the rule's radius; of a model: at
    /// distance 0.
    pub coincident: bool,
    /// Whether it is seen only because it is within the rule's near radius.
    pub only_near: bool,
    /// What it adds to the rule's sum: f(d)·offset, its velocity or heading, its offset. `None`
    /// where it adds nothing (coincident, separation), or where a model or a rule of the host's own
    /// makes something else of it.
    pub adds: Option<V>,
}

impl<V: Vector> Seen<V> {
    /// A boid as its own neighbor.
    pub(crate) fn itself(boid: &TextbookBoid<V>) -> Self {
        Self {
            id: boid.id,
            species: None,
            offset: V::origin(),
            distance: 0.0,
            distance_sq: 0.0,
            angle: None,
            velocity: boid.velocity,
            coincident: true,
            only_near: false,
            adds: None,
        }
    }

    /// The angle between a heading and the way to the neighbor: degrees, 0 ahead to 180 behind;
    /// `None` where one of the two is zero.
    ///
    /// Evaluated in `f64` as 2·atan2(‖a − b‖, ‖a + b‖) of the two unit vectors, which is exact at
    /// all angles. No sight test uses it.
    pub fn angle_from(&self, heading: V) -> Option<f32> {
        let unit = |v: V| {
            // Scaled first: offsets may be too small to be squared even in f64.
            let scaled: [f64; 3] =
                core::array::from_fn(
                    |a| if a < V::DIMENSIONS { f64::from(v.axis(a)) } else { 0.0 },
                );
            let largest = f64::from(v.largest());
            let scaled = scaled.map(|x| x / largest);
            let length =
                libm::sqrt(scaled[0] * scaled[0] + scaled[1] * scaled[1] + scaled[2] * scaled[2]);
            (largest > 0.0).then(|| scaled.map(|x| x / length))
        };
        let (a, b) = (unit(heading)?, unit(self.offset)?);
        let size = |sign: f64| {
            let sums: [f64; 3] = core::array::from_fn(|axis| a[axis] + sign * b[axis]);
            libm::sqrt(sums[0] * sums[0] + sums[1] * sums[1] + sums[2] * sums[2])
        };
        Some((2.0 * libm::atan2(size(-1.0), size(1.0)) * (180.0 / core::f64::consts::PI)) as f32)
    }
}
