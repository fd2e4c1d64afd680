//! What stands still in the plane, for maps of recordings.

use wingbeat::Domain;
use wingbeat::steer::{ObstacleSet, Obstacles};
use wingbeat_record::Edges;

use super::{Place, Segment, lines, mesh, placing};
use crate::floor::floor;
use crate::worlds::{self, outside::StaticObstacles};
use crate::{Scene, SceneError};

/// The walls, obstacles and exits of a scene of the plane, in its own coordinates, and where boids
/// can be among them. Obstacles that move are left out: a map of a whole run has no one place for
/// them.
pub struct Layout {
    /// Walls, and the outlines of obstacles.
    pub walls: Vec<Segment>,
    /// Obstacles with an inside, as polygons whose last corner is joined to the first. Round ones
    /// have at most 48 corners.
    pub solids: Vec<Vec<[f32; 2]>>,
    /// The exits.
    pub exits: Vec<Place>,
    /// The rings of the floor plan, as lines: what an odd number of them goes round is floor.
    /// `None` without a floor plan: floor is everywhere.
    pub floor: Option<Vec<Segment>>,
    domain: Domain<[f32; 2]>,
    standing: StaticObstacles<2>,
}

impl Layout {
    /// That of a scene whose world has these edges, if it has anything of it, and is in the plane.
    ///
    /// # Errors
    /// When the floor plan, an obstacle or an exit is not accepted.
    pub fn of(scene: &Scene, edges: &Edges) -> Result<Option<Self>, SceneError> {
        if scene.dimensions() != 2 {
            return Ok(None);
        }
        let corner = |wide: [f32; 3]| [wide[0], wide[1]];
        let domain =
            Domain { boundary: edges.boundary, min: corner(edges.min), max: corner(edges.max) };
        let refused = |refusal| scene.document.refuse_param(refusal);
        let mut list = worlds::obstacles(scene, &domain)?.list;
        list.retain(|obstacle| !obstacle.motion.moves());
        let exits: Vec<Place> =
            Place::all(scene, edges)?.into_iter().filter(|place| place.kind == "exit").collect();
        if list.is_empty() && exits.is_empty() {
            return Ok(None);
        }
        let floor = floor(scene)?;
        let rings = floor.as_ref().map(|floor| floor.lines().collect());
        let obstacles = Obstacles { list, avoidance: None };
        let standing = StaticObstacles::new(&obstacles, &domain, None).map_err(refused)?;
        let set = ObstacleSet::new(obstacles, &domain).map_err(refused)?;
        let pieces = mesh::pieces::<2>(set.obstacles().list.len());
        let solid = |i: usize| {
            let placed = placing(&set, i);
            let corners = mesh::corners(&set.obstacles().list[i].shape, pieces);
            corners.into_iter().map(|point| corner(placed(point))).collect::<Vec<_>>()
        };
        let solids = (0..set.obstacles().list.len()).map(solid);
        let solids = solids.filter(|corners| !corners.is_empty()).collect();
        Ok(Some(Self { walls: lines(&set), solids, exits, floor: rings, domain, standing }))
    }

    /// Whether a point lies outside of the domain's faces or inside an obstacle. The floor plan is
    /// not asked.
    pub fn is_blocked(&self, point: [f32; 2]) -> bool {
        let has_faces = self.domain.boundary.has_faces();
        (has_faces && !self.domain.contains(point)) || self.standing.is_closed(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALL: &str = "[flock]\nboids = 1\ndimensions = 2\n\
        [floor]\nwkt = 'POLYGON ((0 0, 8 0, 8 4, 0 4, 0 0), (2 1, 4 1, 4 3, 2 3, 2 1))'\n\
        [obstacle.pillar]\nkind = 'sphere'\ncenter = [6.0, 2.0]\nradius = 0.5\n\
        [obstacle.cart]\nkind = 'sphere'\ncenter = [7.0, 1.0]\nradius = 0.5\nmotion = 'line'\n\
        velocity = [0.0, 0.5]\n\
        [exit.door]\nkind = 'box'\nmin = [7.5, 0.0]\nmax = [8.0, 4.0]\n";

    fn layout(text: &str) -> Option<Layout> {
        let scene = Scene::parse("hall.toml", text, &[]).expect("a scene");
        Layout::of(&scene, &Edges::default()).expect("accepted")
    }

    #[test]
    fn what_stands_still_is_there() {
        let layout = layout(HALL).expect("a layout");
        // The outer ring, the hole, the pillar's circle.
        assert_eq!(layout.walls.len(), 4 + 4 + 48);
        assert_eq!(layout.solids.iter().map(Vec::len).collect::<Vec<_>>(), [4, 48]);
        assert_eq!(layout.floor.as_ref().map(Vec::len), Some(8));
        assert_eq!(layout.exits.iter().map(|exit| &exit.name[..]).collect::<Vec<_>>(), ["door"]);
        let blocked = [[3.0, 2.0], [6.2, 2.0]].map(|point| layout.is_blocked(point));
        let free = [[1.0, 2.0], [7.0, 1.0], [7.9, 2.0]].map(|point| layout.is_blocked(point));
        assert_eq!((blocked, free), ([true; 2], [false; 3]));
    }

    #[test]
    fn open_space_has_none() {
        assert!(layout("[flock]\nboids = 1\ndimensions = 2\n").is_none());
        let ball = "[flock]\nboids = 1\ndimensions = 3\n[obstacle.a]\nkind = 'sphere'\n\
            center = [0.0, 0.0, 0.0]\nradius = 1.0\n";
        assert!(layout(ball).is_none());
    }
}
