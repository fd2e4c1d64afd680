//! Turned boxes and polygons against an oracle of another make.
//!
//! The crate turns a box's corners and takes the nearest of four edges, and counts the edges that a
//! ray crosses. Here the point is turned back instead and measured against an upright box by the
//! usual closed formula; a polygon's distance is searched for along its edges by thirds, and
//! whether a point is inside is told by the angle under which it sees them, added up.

use wingbeat_steer::obstacle::Pose;
use wingbeat_steer::{
    Domain, Obstacle, ObstacleId, ObstacleMotion, ObstacleSet, ObstacleShape, noise,
};

type Place = [f64; 2];

/// A number between two, by its place in the sequence of this case.
struct Draws {
    case: u64,
    next: u64,
}

impl Draws {
    fn within(&mut self, low: f32, high: f32) -> f32 {
        self.next += 1;
        low + (high - low) * noise::uniform(self.case, 0, self.next, 0)
    }

    fn place(&mut self, side: f32) -> [f32; 2] {
        [self.within(-side, side), self.within(-side, side)]
    }
}

fn turned([x, y]: Place, degrees: f64) -> Place {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    [cos * x - sin * y, sin * x + cos * y]
}

/// Signed distance of a box that is turned about its middle.
fn from_box(point: Place, min: [f32; 2], max: [f32; 2], angle: f32) -> f64 {
    let half = [0, 1].map(|a| (f64::from(max[a]) - f64::from(min[a])) * 0.5);
    let middle = [0, 1].map(|a| (f64::from(max[a]) + f64::from(min[a])) * 0.5);
    let upright = turned([point[0] - middle[0], point[1] - middle[1]], -f64::from(angle));
    let beyond = [0, 1].map(|a| upright[a].abs() - half[a]);
    let outside = libm::hypot(beyond[0].max(0.0), beyond[1].max(0.0));
    outside + beyond[0].max(beyond[1]).min(0.0)
}

/// Signed distance of a polygon.
fn from_polygon([x, y]: Place, points: &[[f32; 2]]) -> f64 {
    let corners: Vec<Place> =
        points.iter().map(|&[a, b]| [f64::from(a) - x, f64::from(b) - y]).collect();
    let (mut nearest, mut seen) = (f64::INFINITY, 0.0);
    for (i, &[ax, ay]) in corners.iter().enumerate() {
        let [bx, by] = corners[(i + 1) % corners.len()];
        let at = |t: f64| libm::hypot(ax + (bx - ax) * t, ay + (by - ay) * t);
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..100 {
            let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            (low, high) = if at(left) < at(right) { (low, right) } else { (left, high) };
        }
        nearest = nearest.min(at(low));
        seen += libm::atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    // A whole turn from inside, either way round; none from outside.
    if seen.abs() > std::f64::consts::PI { -nearest } else { nearest }
}

/// The set's own distance from one obstacle against an oracle's, at many places; tells how many
/// were inside.
fn agree(
    case: u64,
    shape: ObstacleShape<[f32; 2]>,
    pose: Pose<[f32; 2]>,
    oracle: impl Fn(Place) -> f64,
) -> usize {
    let obstacle = Obstacle { name: "it".into(), shape, motion: ObstacleMotion::Host };
    let mut obstacles =
        ObstacleSet::new(vec![obstacle].into(), &Domain::open()).expect("an obstacle");
    obstacles.set_pose(ObstacleId::new(0), pose).expect("a pose");
    obstacles.begin_step(0.0, 1.0);
    obstacles.end_step(0.0, 1.0);
    let mut draws = Draws { case, next: 1000 };
    let mut inside = 0;
    for _ in 0..60 {
        let point = draws.place(8.0);
        let [dx, dy] = [0, 1].map(|a| f64::from(point[a]) - f64::from(pose.position[a]));
        let wanted = oracle(turned([dx, dy], -f64::from(pose.angle)));
        let found = obstacles.distance(0, point);
        assert!(
            (found - wanted).abs() < 1e-5,
            "case {case}, {point:?}: {found}, not {wanted}, of {obstacles:?}"
        );
        // No boid is nearer than a hair to a surface, where rounding may decide.
        if wanted.abs() > 1e-3 {
            assert_eq!(
                obstacles.solid_at(point),
                (wanted < 0.0).then_some(0),
                "case {case}, {point:?}: {wanted}"
            );
        }
        inside += usize::from(wanted < 0.0);
    }
    inside
}

fn pose(draws: &mut Draws, case: u64) -> Pose<[f32; 2]> {
    if case.is_multiple_of(2) {
        Pose::default()
    } else {
        Pose { position: draws.place(3.0), angle: draws.within(-360.0, 360.0) }
    }
}

#[test]
fn turned_boxes() {
    let inside: usize = (0..300)
        .map(|case| {
            let mut draws = Draws { case, next: 0 };
            let (middle, half) =
                (draws.place(3.0), [draws.within(0.1, 4.0), draws.within(0.1, 4.0)]);
            let angle = [0.0, 90.0, -180.0, draws.within(-360.0, 360.0), draws.within(-1.0, 1.0)]
                [case as usize % 5];
            let (min, max) =
                ([0, 1].map(|a| middle[a] - half[a]), [0, 1].map(|a| middle[a] + half[a]));
            let pose = pose(&mut draws, case / 5);
            agree(case, ObstacleShape::Box { min, max, angle }, pose, |point| {
                from_box(point, min, max, angle)
            })
        })
        .sum();
    assert!(inside > 1000, "{inside}");
}

#[test]
fn polygons() {
    let inside: usize = (0..300)
        .map(|case| {
            let mut draws = Draws { case: 1000 + case, next: 0 };
            // A star of any radii about a point: simple, mostly not convex, either way round.
            let (middle, corners) = (draws.place(2.0), 3 + case as usize % 7);
            let mut points: Vec<[f32; 2]> = (0..corners)
                .map(|i| {
                    let [x, y] = turned(
                        [f64::from(draws.within(0.5, 5.0)), 0.0],
                        360.0 * i as f64 / corners as f64,
                    );
                    [middle[0] + x as f32, middle[1] + y as f32]
                })
                .collect();
            if case % 3 == 0 {
                points.reverse();
            }
            let pose = pose(&mut draws, case);
            agree(case, ObstacleShape::Polygon { points: points.clone() }, pose, |point| {
                from_polygon(point, &points)
            })
        })
        .sum();
    assert!(inside > 1000, "{inside}");
}
