//! Floor plans: who walks where, and what is no plan.

use wingbeat::{
    Flock,
    steer::{Boundary, ObstacleShape},
};
use wingbeat_scene::{AnyFlock, Machine, Override, Scene};

/// An L of corridors two wide, as JuPedSim writes it, with a pillar in its corner: 0 to 20 east, 0
/// to 12 north.
const CORNER: &str = "POLYGON ((0 0, 20 0, 20 2, 2 2, 2 12, 0 12, 0 0), (0.5 0.5, 1 0.5, 1 1, 0.5 \
    1, 0.5 0.5))";

fn text(boids: usize, wkt: &str, more: &str) -> String {
    format!("[flock]\nboids = {boids}\ndimensions = 2\n[floor]\nwkt = \"{wkt}\"\n{more}")
}

fn scene(boids: usize, wkt: &str, more: &str) -> Scene {
    Scene::parse("plan.toml", &text(boids, wkt, more), &[])
        .unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn built(scene: &Scene) -> Result<Flock<2>, String> {
    match scene.build(&Machine::default()).map_err(|refusal| refusal.to_string())?.flock {
        AnyFlock::Two(flock) => Ok(flock),
        AnyFlock::Three(_) => panic!("a plane"),
    }
}

/// Whether a place is on the L, its pillar apart; by hand.
fn on_corner([x, y]: [f32; 2]) -> bool {
    let on_l = (0.0..=20.0).contains(&x) && (0.0..=2.0).contains(&y)
        || (0.0..=2.0).contains(&x) && (0.0..=12.0).contains(&y);
    on_l && !((0.5..1.0).contains(&x) && (0.5..1.0).contains(&y))
}

fn refusal(wkt: &str) -> String {
    let refused = Scene::parse("plan.toml", &text(3, wkt, ""), &[])
        .and_then(|scene| scene.build(&Machine::default()));
    refused.err().unwrap_or_else(|| panic!("{wkt} was taken")).to_string()
}

#[test]
fn all_start_on_the_floor_and_stay_there() {
    let run = "[agent]\nmax_speed = 5\n[drive.stroll]\nkind = \"wander\"\n[drive.out]\n\
        kind = \"wind\"\nvector = [9, 7]\n";
    let scene = scene(300, CORNER, run);
    let mut flock = built(&scene).expect("a flock");
    for step in 0..600 {
        for boid in flock.frame().by_id() {
            assert!(on_corner(boid.position), "step {step}: {boid:?}");
        }
        flock.step(scene.dt());
    }
    // Against the wind's corners they do arrive: walls hold them, not lack of trying.
    let north = flock.frame().by_id().filter(|boid| boid.position[1] > 11.9).count();
    let east = flock.frame().by_id().filter(|boid| boid.position[0] > 19.9).count();
    assert!(north > 30 && east > 30, "{north} at the north end, {east} at the east end");
}

#[test]
fn rings_become_walls_and_holes_polygons() {
    let scene = scene(5, CORNER, "");
    let flock = built(&scene).expect("a flock");
    let list = &flock.obstacles().expect("obstacles").obstacles().list;
    let names: Vec<&str> = list.iter().map(|obstacle| obstacle.name.as_str()).collect();
    let walls: Vec<String> = (0..6).map(|edge| format!("floor-0-outer-{edge}")).collect();
    assert_eq!(
        names,
        [walls.iter().map(String::as_str).collect(), vec!["floor-0-hole-0"]].concat()
    );
    assert_eq!(list[2].shape, ObstacleShape::Wall { from: [20.0, 2.0], to: [2.0, 2.0] });
    assert_eq!(list[5].shape, ObstacleShape::Wall { from: [0.0, 12.0], to: [0.0, 0.0] });
    assert_eq!(
        list[6].shape,
        ObstacleShape::Polygon { points: vec![[0.5, 0.5], [1.0, 0.5], [1.0, 1.0], [0.5, 1.0]] }
    );
    // The domain that no key gives is a hundredth of the longest side wider on every side.
    let domain = flock.domain();
    assert_eq!(
        (domain.boundary, domain.min, domain.max),
        (Boundary::Reflecting, [-0.2; 2], [20.2, 12.2])
    );
    // Walls around a floor are what the scene's own obstacles are besides, first in the list.
    let more = self::scene(
        5,
        CORNER,
        "[obstacle.bin]\nkind = \"sphere\"\ncenter = [10, 1]\nradius = 0.2\n",
    );
    assert_eq!(
        built(&more).expect("a flock").obstacles().expect("obstacles").obstacles().list[7].name,
        "bin"
    );
}

#[test]
fn a_domain_or_a_spawn_that_is_given_holds() {
    let given = "[domain]\nkind = \"walled\"\nmin = [-5, -5]\nmax = [30, 30]\n[spawn]\n\
        min = [0, 10]\nmax = [20, 12]\n";
    let flock = built(&scene(200, CORNER, given)).expect("a flock");
    assert_eq!((flock.domain().min, flock.domain().max), ([-5.0; 2], [30.0; 2]));
    assert!(flock.frame().by_id().all(|boid| on_corner(boid.position) && boid.position[1] >= 10.0));
    let open = built(&scene(200, CORNER, "[domain]\nkind = \"open\"\n")).expect("a flock");
    assert!(open.frame().by_id().all(|boid| on_corner(boid.position)));
    assert!(open.frame().by_id().any(|boid| boid.position[0] > 15.0), "all over the plan");
    // The place of one species; the other starts all over the floor.
    let kinds = "[species.a]\ncount = 10\n[species.b]\ncount = 10\n[species.b.spawn]\n\
        min = [18, 0]\nmax = [20, 2]\n";
    let text = text(20, CORNER, kinds);
    let flock = built(&Scene::parse("plan.toml", &text, &[]).expect("a scene")).expect("a flock");
    assert!(flock.frame().by_id().skip(10).all(|boid| boid.position[0] >= 18.0));
    let off = built(&scene(5, CORNER, "[spawn]\nmin = [5, 5]\nmax = [10, 10]\n")).unwrap_err();
    assert_eq!(
        off,
        "plan.toml:6: spawn.shape = nothing: allowed is a start with room outside the obstacles \
            that stand still, on the floor"
    );
}

#[test]
fn a_narrow_floor_in_a_wide_box_is_found() {
    // A diagonal corridor: one part in 2,000 of the box around it.
    let wkt = "POLYGON ((0 0, 0.05 0, 100 99.95, 100 100, 99.95 100, 0 0.05, 0 0))";
    let flock = built(&scene(50, wkt, "")).expect("a flock");
    assert!(flock.frame().by_id().all(|boid| (boid.position[0] - boid.position[1]).abs() <= 0.051));
}

#[test]
fn a_corner_to_the_side_of_a_point_counts_once() {
    // The hole's first corner is as high as the corner in the east.
    let wkt = "POLYGON ((0 0, 10 0, 20 5, 10 10, 0 10, 0 0), (3 5, 4 5, 4 6, 3 5))";
    assert_eq!(built(&scene(20, wkt, "")).expect("a flock").len(), 20);
}

#[test]
fn polygons_apart_are_floors_of_their_own() {
    let two = "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)), ((6 0, 9 0, 9 4, 6 4, 6 0), (7 1, 7 2, 8 \
        2, 8 1, 7 1)))";
    let collected = "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)), POLYGON Z ((6 0 1, 9 \
                     0 1, 9 4 1, 6 4 1, 6 0 1), \
                     (7 1 1, 7 2 1, 8 2 1, 8 1 1, 7 1 1)))";
    let flocks = [two, collected].map(|wkt| built(&scene(100, wkt, "")).expect("a flock"));
    let positions = |flock: &Flock<2>| -> Vec<[f32; 2]> {
        flock.frame().by_id().map(|boid| boid.position).collect()
    };
    assert_eq!(positions(&flocks[0]), positions(&flocks[1]), "heights are left out");
    let on = |[x, _]: &[f32; 2]| *x <= 4.0 || *x >= 6.0;
    assert!(
        positions(&flocks[0]).iter().all(on) && positions(&flocks[0]).iter().any(|[x, _]| *x > 6.0)
    );
    assert_eq!(
        flocks[0].obstacles().expect("obstacles").obstacles().list.last().expect("one").name,
        "floor-1-hole-0"
    );
}

#[test]
fn a_plan_in_world_coordinates_goes_by_the_origin() {
    // So far out that f32 alone would round to half a metre; corners that repeat say nothing.
    let wkt = "POLYGON ((5000000.25 800000, 5000010.5 800000, 5000010.5 800000, 5000010.5 800004, \
        5000000.25 800004, 5000000.25 800000))";
    let flock = built(&scene(20, wkt, "[domain]\norigin = [5000000, 800000]\n")).expect("a flock");
    let list = &flock.obstacles().expect("obstacles").obstacles().list;
    assert_eq!(list.len(), 4);
    assert_eq!(list[0].shape, ObstacleShape::Wall { from: [0.25, 0.0], to: [10.5, 0.0] });
}

/// Boids that are blown to and fro stay on the floor beside the points where rings touch.
#[test]
fn rings_may_touch_in_points_and_hold() {
    let in_hole = |[x, y]: [f32; 2]| y > 1.0 + 1e-5 && (x - 2.0).abs() < 2.0 - y - 1e-5;
    let on_hole_floor =
        |p: [f32; 2]| (0.0..=4.0).contains(&p[0]) && (0.0..=2.0).contains(&p[1]) && !in_hole(p);
    let on_corners = |[x, y]: [f32; 2]| {
        (0.0..=2.0).contains(&x) == (0.0..=2.0).contains(&y) && (0.0..=4.0).contains(&x)
    };
    let hole = "POLYGON ((0 0, 0 2, 2 2, 4 2, 4 0, 0 0), (2 2, 1 1, 3 1, 2 2))";
    let two = "MULTIPOLYGON (((0 0, 2 0, 2 2, 0 2, 0 0)), ((2 2, 4 2, 4 4, 2 4, 2 2)))";
    let drives = "[agent]\nmax_speed = 5\n[drive.to]\nkind = \"wander\"\nweight = 9\n\
            [drive.point]\n\
            kind = \"goal\"\ntarget = [2, 2]\n";
    for (wkt, is_on) in [(hole, &on_hole_floor as &dyn Fn([f32; 2]) -> bool), (two, &on_corners)] {
        let scene = scene(300, wkt, drives);
        let mut flock = built(&scene).expect("a flock");
        for step in 0..400 {
            for boid in flock.frame().by_id() {
                assert!(is_on(boid.position), "{wkt} step {step}: {boid:?}");
            }
            flock.step(scene.dt());
        }
    }
}

#[test]
fn a_byte_order_mark_and_the_coordinate_system_are_skipped() {
    let plain = "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))";
    let positions = |wkt: &str| -> Vec<[f32; 2]> {
        built(&scene(20, wkt, ""))
            .expect("a flock")
            .frame()
            .by_id()
            .map(|boid| boid.position)
            .collect()
    };
    for before in ["\u{feff}", "SRID=25832;", "\u{feff}srid = 4326 ; ", " \n"] {
        assert_eq!(
            positions(&format!("{before}{plain}").replace('\n', "\\n")),
            positions(plain),
            "{before:?}"
        );
    }
}

#[test]
fn what_is_no_plan_is_refused_in_a_line() {
    let square = "(0 0, 9 0, 9 9, 0 9, 0 0)";
    let deep = format!(
        "{}POLYGON ({square}){}",
        "GEOMETRYCOLLECTION (".repeat(100_000),
        ")".repeat(100_000)
    );
    for (wkt, expected) in [
        ("".into(), "not WKT"),
        ("walls".into(), "not WKT"),
        ("POLYGON ((0 0, 1 x))".into(), "not WKT"),
        ("POLYGON ((0 0, 1 0, 1 1".into(), "not WKT"),
        (format!("POLYGON ({square}))"), "not WKT (text after the last parenthesis)"),
        (
            format!("POLYGON ({square}) POLYGON ({square})"),
            "not WKT (text after the last parenthesis)",
        ),
        (deep, "not WKT (parentheses more than 16 deep)"),
        (
            "POINT (1 2)".into(),
            "a POINT: allowed is POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION of these",
        ),
        ("GEOMETRYCOLLECTION (LINESTRING (0 0, 1 1))".into(), "a LINESTRING: allowed is"),
        ("POLYGON EMPTY".into(), "polygon 0 is empty"),
        ("MULTIPOLYGON EMPTY".into(), "an empty plan: allowed is POLYGON"),
        (
            "POLYGON ((0 0))".into(),
            "polygon 0 outer ring: 1 corner: allowed are 3 different corners or more",
        ),
        ("POLYGON ((0 0, 0 0))".into(), "polygon 0 outer ring: 1 corner"),
        ("SRID=x;POLYGON ((0 0, 1 0, 0 1, 0 0))".into(), "not WKT"),
        (
            "POLYGON ((0 0, 1 0, 0 0))".into(),
            "polygon 0 outer ring: 2 different corners: allowed are 3 or more",
        ),
        (
            "POLYGON ((0 0, 9 0, 9 9, 0 9))".into(),
            "polygon 0 outer ring: ends at (0 9): allowed is a ring that ends where it begins, at \
                (0 0)",
        ),
        (
            "POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))".into(),
            "edge 0 of polygon 0 outer ring (0 0, 4 4) meets edge 2 of polygon 0 outer ring (4 0, \
                0 4): allowed are rings that touch",
        ),
        (
            "POLYGON ((0 0, 4 0, 2 0, 0 0))".into(),
            "edge 0 of polygon 0 outer ring (0 0, 4 0) meets edge",
        ),
        (
            "POLYGON ((0 0, 4 0, 2 2, 4 4, 0 4, 2 2, 0 0))".into(),
            "edge 1 of polygon 0 outer ring (4 0, 2 2) meets edge 4 of polygon 0 outer ring (0 4, \
                2 2): allowed are rings that",
        ),
        (
            format!("POLYGON ({square}, (5 3, 12 3, 12 5, 5 3))"),
            "meets edge 0 of polygon 0 hole 0 (5 3, 12 3): allowed are rings",
        ),
        (
            format!("POLYGON ({square}, (20 20, 21 20, 21 21, 20 20))"),
            "polygon 0 hole 0 lies outside: allowed are holes inside",
        ),
        (
            format!("POLYGON ({square}, (1 1, 8 1, 8 8, 1 8, 1 1), (3 3, 4 3, 4 4, 3 3))"),
            "polygon 0 hole 1 lies in polygon 0 hole 0: allowed are polygons apart",
        ),
        (
            format!("MULTIPOLYGON (({square}), ((3 3, 4 3, 4 4, 3 3)))"),
            "polygon 1 outer ring lies in polygon 0 outer ring: allowed are polygons apart",
        ),
        (format!("MULTIPOLYGON (({square}), ((9 0, 12 0, 12 9, 9 9, 9 0)))"), "meets edge"),
        (
            "POLYGON ((0 0, 1e13 0, 1 1, 0 0))".into(),
            "polygon 0 outer ring corner 1: coordinate 1e13: allowed is -1e12 to 1e12",
        ),
        ("POLYGON ((0 0, 1e999 0, 1 1, 0 0))".into(), "corner 1: coordinate inf"),
    ] {
        let refusal = refusal(&wkt);
        assert!(
            refusal.starts_with("plan.toml:5: floor.wkt: ") && refusal.contains(expected),
            "{wkt:.60}: {refusal}"
        );
        assert!(refusal.lines().count() == 1 && refusal.len() < 300, "{refusal}");
    }
    let in_space = text(3, CORNER, "").replace("dimensions = 2", "dimensions = 3");
    let refused = Scene::parse("plan.toml", &in_space, &[])
        .and_then(|scene| scene.check())
        .unwrap_err()
        .to_string();
    assert_eq!(
        refused,
        "plan.toml:3: flock.dimensions = 3: allowed is 2 with [floor]: floor plans are flat"
    );
}

#[test]
fn a_plan_in_a_file_is_the_plan_in_the_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("plan.wkt"), format!("{CORNER}\n")).expect("a file");
    let from_file = "[flock]\nboids = 50\ndimensions = 2\n[floor]\nfile = \"plan.wkt\"\n";
    std::fs::write(folder.path().join("plan.toml"), from_file).expect("a file");
    let scene = Scene::load(folder.path().join("plan.toml").to_str().expect("a path"), &[])
        .expect("a scene");
    assert_eq!(scene.files(), [folder.path().join("plan.wkt")]);
    let inside = scene.clone().with_floor_inside().expect("the file");
    assert!(
        inside.files().is_empty() && inside.floor_wkt().is_some_and(|wkt| wkt.starts_with(CORNER))
    );
    let again = Scene::parse("again.toml", &inside.to_toml(), &[]).expect("its text");
    let hash = |scene: &Scene| {
        let mut flock = scene.build(&Machine::default()).expect("a flock").flock;
        (0..20).for_each(|_| flock.step(scene.dt()));
        flock.state_hash()
    };
    assert_eq!(hash(&scene), hash(&again));
    let both = Scene::load(
        folder.path().join("plan.toml").to_str().expect("a path"),
        &[Override::text("--set", "floor.wkt", CORNER)],
    );
    let refused = both.and_then(|scene| scene.check()).unwrap_err().to_string();
    assert!(
        refused.contains("floor.file = \"plan.wkt\": allowed is left out where floor.wkt is given"),
        "{refused}"
    );
    std::fs::remove_file(folder.path().join("plan.wkt")).expect("a file");
    let refused = scene.check().unwrap_err().to_string();
    assert!(refused.contains("plan.wkt: cannot read the plan:"), "{refused}");
}
