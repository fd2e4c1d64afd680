//! Exits and sources as lines with names, for pictures.

use wingbeat::Domain;
use wingbeat::steer::ObstacleShape;
use wingbeat_record::Edges;

use super::{Segment, chains};
use crate::dimension::by_dimension;
use crate::{Scene, SceneError, worlds};

/// Where boids leave the flock or come to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// `exit` or `source`.
    pub kind: &'static str,
    /// Its name in the scene.
    pub name: String,
    /// Its outline, in the scene's own coordinates.
    pub lines: Vec<Segment>,
    /// When an exit opens and closes; `None` where it does not close, twice 0 where it never opens.
    pub open: [Option<f64>; 2],
}

impl Place {
    /// The exits and then the sources of a scene whose world has these edges, each in the order of
    /// the file.
    ///
    /// # Errors
    /// When one of them is not accepted.
    pub fn all(scene: &Scene, edges: &Edges) -> Result<Vec<Self>, SceneError> {
        by_dimension!(scene, places::<2>(scene, edges), places::<3>(scene, edges))
    }

    pub(super) fn new<const D: usize>(
        kind: &'static str,
        name: &str,
        shape: &ObstacleShape<[f32; D]>,
    ) -> Self {
        let mut lines = Vec::new();
        let narrow = |point: [f64; 3]| point.map(|x| x as f32);
        chains(shape, &mut |points: &[[f64; 3]]| {
            lines.extend(points.windows(2).map(|pair| [narrow(pair[0]), narrow(pair[1])]));
        });
        Self { kind, name: name.to_string(), lines, open: [Some(0.0), None] }
    }
}

fn places<const D: usize>(scene: &Scene, edges: &Edges) -> Result<Vec<Place>, SceneError> {
    let corner = |wide: [f32; 3]| std::array::from_fn(|a| wide[a]);
    let domain: Domain<[f32; D]> =
        Domain { boundary: edges.boundary, min: corner(edges.min), max: corner(edges.max) };
    let (exits, sources) = (worlds::exits(scene, &domain)?, worlds::sources::<D>(scene)?);
    let exits = exits.list().iter().map(|exit| {
        let closes = exit.closes.is_finite().then_some(exit.closes);
        let open = if exit.open { [Some(exit.opens), closes] } else { [Some(0.0); 2] };
        Place { open, ..Place::new("exit", &exit.name, &exit.shape) }
    });
    let sources = sources.iter().map(|source| {
        let shape = ObstacleShape::Box { min: source.min, max: source.max, angle: 0.0 };
        Place::new("source", &source.name, &shape)
    });
    Ok(exits.chain(sources).collect())
}
