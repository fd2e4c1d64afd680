//! Keys of `[drive.NAME]`.

use super::{Key, Kind, key, length, number, of_kinds, point};

/// Kinds of drives.
const KINDS: &[&str] = &["goal", "wander", "leader", "path", "flow", "wind", "speed", "tether", "noise"];

const FORCE: &str = "mass·length/time²";

pub(super) fn drive_keys() -> Vec<Key> {
    let mut keys = vec![
        key(
            "drive.*.kind",
            Kind::Choice(KINDS),
            "",
            "required",
            "What the drive is. Up to 16 drives; forces are added in the order of the file.",
        ),
        number(
            "drive.*.weight",
            -1e9,
            1e9,
            "1",
            "1",
            "Factor on the force. Larger: it wins over other terms more often; negative turns it round.",
        ),
        key("drive.*.species", Kind::Text, "", "everyone", "Whom it drives: a [species.NAME]."),
        key(
            "drive.*.when",
            Kind::Choice(&["always", "idle", "busy", "resting"]),
            "",
            "\"always\"",
            "In what state of a boid it drives: always; idle, none of its interactions having anybody in range; busy, one having somebody; resting, until its stamina is back.",
        ),
    ];
    keys.extend(of_kinds(&["goal"], goal_keys()));
    keys.extend(of_kinds(&["wander"], wander_keys()));
    keys.extend(of_kinds(&["leader"], leader_keys()));
    keys.extend(of_kinds(&["path"], path_keys()));
    keys.extend(of_kinds(&["flow"], flow_keys()));
    keys.extend(of_kinds(&["wind"], wind_keys()));
    keys.extend(of_kinds(&["speed"], speed_keys()));
    keys.extend(of_kinds(&["tether"], tether_keys()));
    let about = "Size of a force whose direction is drawn anew for every boid and step. Larger: more jitter.";
    keys.extend(of_kinds(&["noise"], vec![number("drive.*.size", 0.0, 1e9, FORCE, "1", about)]));
    keys
}

fn goal_keys() -> Vec<Key> {
    vec![
        point("drive.*.target", "length", "none", "Where boids without a goal of their own are drawn, inside the domain."),
        number(
            "drive.*.slowing_radius",
            0.0,
            1e12,
            "length",
            "1",
            "Within this distance the wanted speed falls in proportion; 0: no slowing down. Larger: earlier and gentler braking.",
        ),
        number(
            "drive.*.arrival_radius",
            0.0,
            1e12,
            "length",
            "0",
            "Who ends a step this near has arrived; 0: nobody does. Larger: sooner.",
        ),
        key(
            "drive.*.on_arrival",
            Kind::Choice(&["stay", "leave"]),
            "",
            "\"stay\"",
            "What becomes of who has arrived: it is still drawn there, or leaves the flock as through a door.",
        ),
        key(
            "drive.*.range",
            Kind::Number { min: 0.0, max: 1e12, above_min: true },
            "length",
            "no bound",
            "Only those this near are drawn. Larger: from further away.",
        ),
    ]
}

fn wander_keys() -> Vec<Key> {
    vec![
        number(
            "drive.*.distance",
            0.0,
            1e9,
            FORCE,
            "10",
            "How far ahead the circle lies, on which the point strolls that draws the boid. Larger: straighter and faster.",
        ),
        number(
            "drive.*.radius",
            0.0,
            1e9,
            FORCE,
            "5",
            "Radius of the circle, in space of a sphere. Larger: wider swings, sharper turns.",
        ),
        number(
            "drive.*.range",
            0.0,
            std::f64::consts::TAU,
            "radians",
            "1",
            "Width of the random turn drawn for each interval. Larger: more nervous; small: long smooth arcs.",
        ),
        number("drive.*.interval", 1e-3, 1e6, "time", "1", "Time between draws. Larger: the same turns, more slowly."),
        key(
            "drive.*.frame",
            Kind::Choice(&["world", "heading"]),
            "",
            "\"world\"",
            "Whether angles are measured in the world, as the source has it, or from the heading.",
        ),
    ]
}

fn leader_keys() -> Vec<Key> {
    vec![
        key(
            "drive.*.parent",
            Kind::Whole { min: 0, max: i64::MAX },
            "",
            "none",
            "Id of the boid that all follow who are not in parents.",
        ),
        key("drive.*.parents", Kind::Pairs, "", "[]", "Pairs [boid, whom it follows], by ids."),
        length(
            "drive.*.distance",
            "none is kept",
            "How far behind the parent to keep. Left out, the force is a unit vector towards it. Larger: further back, and gentler braking.",
        ),
        key(
            "drive.*.looks",
            Kind::Flag,
            "",
            "false",
            "Whether boids look at whom they follow: the way there is the axis of sight cones in place of the heading.",
        ),
    ]
}

fn path_keys() -> Vec<Key> {
    vec![
        key("drive.*.points", Kind::Points(2), "length", "required", "The waypoints, inside the domain."),
        key("drive.*.looped", Kind::Flag, "", "false", "Whether the first point follows the last."),
        key(
            "drive.*.follow",
            Kind::Choice(&["waypoints", "road"]),
            "",
            "\"waypoints\"",
            "From point to point, or along the lines between them as on a road with the radius as half its width.",
        ),
        length(
            "drive.*.radius",
            "1",
            "Who comes this near to a waypoint makes for the next; half the width of a road. Larger: corners are cut more.",
        ),
        number(
            "drive.*.slowing_radius",
            0.0,
            1e12,
            "length",
            "1",
            "Waypoints: within this distance of the end of an open path the wanted speed falls. Larger: earlier and gentler braking.",
        ),
        number(
            "drive.*.prediction_time",
            0.0,
            1e3,
            "time",
            "1",
            "Road: how far ahead a boid looks. Larger: corners are cut more.",
        ),
    ]
}

fn flow_keys() -> Vec<Key> {
    vec![
        key(
            "drive.*.file",
            Kind::Text,
            "",
            "none",
            "An .npy file of vectors, f4 or f8, of shape [ny, nx, 2] or [nz, ny, nx, 3]: a grid over min to max. In a scene file the path is relative to that file.",
        ),
        key(
            "drive.*.toward",
            Kind::Points(1),
            "length",
            "none",
            "In place of a file: the ways to the nearest of these points around all obstacles that stand still, by fast marching.",
        ),
        point("drive.*.min", "length", "the domain's", "Lowest corner of the grid; needed in an open domain."),
        point("drive.*.max", "length", "the domain's", "Highest corner of the grid; needed in an open domain."),
        length(
            "drive.*.cell",
            "a hundredth of the longest side",
            "With toward: distance between nodes. Larger: coarser, and gaps in walls narrower than it may close.",
        ),
        number(
            "drive.*.clearance",
            0.0,
            1e12,
            "length",
            "0",
            "With toward: ways keep this far from obstacles. Larger: wider berths, and narrow gaps close.",
        ),
        key(
            "drive.*.outside",
            Kind::Choice(&["clamp", "zero"]),
            "",
            "\"clamp\"",
            "What the field is beyond its grid: as at the nearest point of it, or zero.",
        ),
        key(
            "drive.*.raw",
            Kind::Flag,
            "",
            "false",
            "Whether the field is the force itself; otherwise the velocity wanted, in units of max_speed.",
        ),
    ]
}

fn wind_keys() -> Vec<Key> {
    vec![
        point("drive.*.vector", FORCE, "required", "The force; with drag the velocity of the air."),
        key("drive.*.drag", Kind::Flag, "", "false", "Whether boids are dragged along: vector - velocity in place of vector."),
    ]
}

fn speed_keys() -> Vec<Key> {
    vec![
        number("drive.*.speed", 0.0, 1e9, "length/time", "1", "The speed wanted. Larger: faster."),
        number(
            "drive.*.rate",
            0.0,
            1e9,
            "1/time",
            "1",
            "How fast it is approached, at mass 1. Larger: sooner; above 1/dt it overshoots.",
        ),
    ]
}

fn tether_keys() -> Vec<Key> {
    vec![
        point("drive.*.anchor", "length", "zeros", "Where boids are kept, inside the domain."),
        number("drive.*.radius", 0.0, 1e12, "length", "1", "How far they may go. Larger: more freedom."),
        number("drive.*.strength", 0.0, 1e9, "mass/time²", "1", "Force per length beyond. Larger: a stiffer tether."),
    ]
}
