//! Surfaces have the areas and volumes of what they stand for, and are no more than a picture can
//! take.

use std::f64::consts::{PI, TAU};

use wingbeat::Domain;
use wingbeat_record::Edges;

use super::{Shapes, mesh};
use crate::{Outlines, Scene};

fn outlines(scene: &str) -> Outlines {
    let scene = Scene::parse("test.toml", scene, &[]).expect("a scene");
    Outlines::of(&scene, &Edges::of(&Domain::<[f32; 3]>::open()))
        .expect("accepted")
        .expect("obstacles")
}

fn scene(dimensions: usize, obstacles: &str) -> String {
    format!("[flock]\nboids = 1\ndimensions = {dimensions}\n{obstacles}")
}

/// The area of triangles in the plane; all go round anticlockwise.
fn area(shapes: &Shapes) -> f64 {
    let areas =
        shapes.triangles.iter().map(|corners| mesh::turn(corners.map(|p| p.map(f64::from))) * 0.5);
    areas.inspect(|&area| assert!(area > 0.0, "a triangle of area {area}")).sum()
}

/// The volume inside of triangles that are a closed surface, and go round anticlockwise as seen
/// from outside.
fn volume(shapes: &Shapes) -> f64 {
    let six = |[[a, b, c], [d, e, f], [g, h, i]]: [[f32; 3]; 3]| {
        let [a, b, c, d, e, f, g, h, i] = [a, b, c, d, e, f, g, h, i].map(f64::from);
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    };
    shapes.triangles.iter().map(|&corners| six(corners) / 6.0).sum()
}

/// How often each edge is there, one way less the other: 0 of all in a closed surface.
fn is_closed(shapes: &Shapes) -> bool {
    let key = |p: [f32; 3]| p.map(|x| (f64::from(x) * 1e4).round() as i64);
    let mut edges = std::collections::HashMap::new();
    for corners in &shapes.triangles {
        for k in 0..3 {
            let (a, b) = (key(corners[k]), key(corners[(k + 1) % 3]));
            *edges.entry((a, b).min((b, a))).or_insert(0) += if a < b { 1 } else { -1 };
        }
    }
    edges.values().all(|&count| count == 0)
}

fn assert_close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-4 * wanted, "{found}, not {wanted}");
}

#[test]
fn the_plane_is_filled() {
    let disc = "[obstacle.a]\nkind = 'sphere'\ncenter = [3.0, -2.0]\nradius = 1.5";
    assert_close(
        area(&outlines(&scene(2, disc)).shapes_at(0.0)),
        24.0 * 2.25 * libm::sin(TAU / 48.0),
    );
    let capsule = "[obstacle.a]\nkind = 'capsule'\nfrom = [1.0, 1.0]\nto = [4.0, 5.0]\n\
        radius = 0.5";
    assert_close(
        area(&outlines(&scene(2, capsule)).shapes_at(0.0)),
        5.0 + 24.0 * 0.25 * libm::sin(TAU / 48.0),
    );
    let turned = "[obstacle.a]\nkind = 'box'\nmin = [0.0, 0.0]\nmax = [4.0, 2.0]\nangle = 30.0";
    let shapes = outlines(&scene(2, turned)).shapes_at(0.0);
    assert_close(area(&shapes), 8.0);
    assert_eq!((shapes.triangles.len(), shapes.lines.len()), (2, 4));
    let wall =
        outlines(&scene(2, "[obstacle.a]\nkind = 'wall'\nfrom = [0.0, 0.0]\nto = [1.0, 3.0]"))
            .shapes_at(0.0);
    assert_eq!((wall.triangles.len(), wall.lines), (0, vec![[[0.0; 3], [1.0, 3.0, 0.0]]]));
}

/// Concave ones, both ways round, with a corner on a straight edge, and a spiral whose ears are
/// few.
#[test]
fn polygons_are_cut_into_triangles_inside_of_them() {
    let comb = [
        [0.0, 0.0],
        [7.0, 0.0],
        [7.0, 4.0],
        [5.0, 4.0],
        [5.0, 1.0],
        [4.0, 1.0],
        [4.0, 4.0],
        [2.0, 4.0],
        [2.0, 1.0],
        [0.0, 1.0],
    ];
    let straight = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 1.0], [0.0, 2.0]];
    let arm = |k: i32, radius: f64| {
        let (turn, radius) = (f64::from(k) * 0.35, radius + 0.25 * f64::from(k));
        [radius * libm::cos(turn), radius * libm::sin(turn)]
    };
    let spiral: Vec<[f64; 2]> =
        (0..60).map(|k| arm(k, 2.0)).chain((0..60).rev().map(|k| arm(k, 1.2))).collect();
    for points in [&comb[..], &straight[..], &spiral[..]] {
        let wide: Vec<[f64; 3]> = points.iter().map(|&[x, y]| [x, y, 0.0]).collect();
        let wanted = mesh::area(&wide).abs();
        let there = points.to_vec();
        let back: Vec<[f64; 2]> = points.iter().rev().copied().collect();
        for points in [there, back] {
            let text = format!("[obstacle.a]\nkind = 'polygon'\npoints = {points:?}");
            let shapes = outlines(&scene(2, &text)).shapes_at(0.0);
            // Triangles that all go round the same way, and have the polygon's area together, lie
            // nowhere else than in it.
            assert_close(area(&shapes), wanted);
            assert!(
                shapes.triangles.len() <= points.len() - 2 && shapes.lines.len() == points.len()
            );
        }
    }
}

#[test]
fn solids_are_closed_and_as_large_as_they_should_be() {
    let ball = "[obstacle.a]\nkind = 'sphere'\ncenter = [1.0, 2.0, 3.0]\nradius = 2.0";
    let ball = outlines(&scene(3, ball)).shapes_at(0.0);
    let capsule = "[obstacle.a]\nkind = 'capsule'\nfrom = [0.0, 0.0, 0.0]\nto = [2.0, 3.0, 6.0]\n\
        radius = 2.0";
    let capsule = outlines(&scene(3, capsule)).shapes_at(0.0);
    let cuboid = "[obstacle.a]\nkind = 'box'\nmin = [-1.0, 0.0, 0.0]\nmax = [1.0, 3.0, 4.0]";
    let cuboid = outlines(&scene(3, cuboid)).shapes_at(0.0);
    for shapes in [&ball, &capsule, &cuboid] {
        assert!(is_closed(shapes), "{} triangles with a gap", shapes.triangles.len());
    }
    assert_close(volume(&cuboid), 24.0);
    assert_eq!((cuboid.triangles.len(), cuboid.lines.len()), (12, 12));
    // Inside of the ball by as much as 24 pieces are inside of a circle.
    let round = PI * 8.0 * 4.0 / 3.0;
    assert!((0.95..0.99).contains(&(volume(&ball) / round)), "{}", volume(&ball));
    let grown = (volume(&capsule) - volume(&ball)) / (7.0 * 12.0 * 4.0 * libm::sin(TAU / 24.0));
    assert!((grown - 1.0).abs() < 1e-3, "a cylinder {grown} times what it should be");
    assert!(ball.lines.is_empty() && capsule.lines.is_empty());
}

#[test]
fn many_are_coarser() {
    for (dimensions, count) in [(2, 1_000), (2, 3_000), (3, 30), (3, 1_000), (3, 2_000)] {
        let center = |k: usize| {
            if dimensions == 2 { format!("[{k}.0, 0.0]") } else { format!("[{k}.0, 0.0, 0.0]") }
        };
        let one = |k| {
            format!("[obstacle.o{k}]\nkind = 'sphere'\ncenter = {}\nradius = 0.25\n", center(k))
        };
        let all: String = (0..count).map(one).collect();
        let triangles = outlines(&scene(dimensions, &all)).shapes_at(0.0).triangles.len();
        assert!(triangles <= 100_000 && triangles >= 6 * count, "{count}: {triangles}");
    }
}

/// What moves is where it is at the time asked for.
#[test]
fn what_moves_is_drawn_where_it_is() {
    let text = "[obstacle.a]\nkind = 'sphere'\ncenter = [0.0, 0.0]\nradius = 1.0\nmotion = 'line'\n\
        velocity = [2.0, 0.0]";
    let mut outlines = outlines(&scene(2, text));
    assert!(outlines.moves());
    let right = |shapes: &Shapes| {
        shapes
            .triangles
            .iter()
            .flatten()
            .map(|p| p[0])
            .fold(f32::MIN, |most, x| if x > most { x } else { most })
    };
    assert_eq!([0.0, 3.0].map(|time| right(&outlines.shapes_at(time))), [1.0, 7.0]);
}
