//! Keys of `[drive.NAME]`.

use wingbeat::steer::drive::{Goal, Noise, Speed, Tether};
use wingbeat::steer::parameters::{DRIVE_WEIGHT, limit};
use wingbeat::steer::{DriveKind, WanderParameters};

use super::{
    FARTHEST, Key, KeyKind, key, keys_of, length, number, of_kinds, of_parameter, point,
    point_within,
};

/// The section of a drive.
const DRIVE: &str = "drive.*";

const FORCE: &str = "mass·length/time²";

pub(super) fn drive_keys() -> Vec<Key> {
    let mut keys = vec![
        key(
            "drive.*.kind",
            KeyKind::Choice(DriveKind::<[f32; 2]>::NAMES),
            "",
            "required",
            "What the drive is. Up to 16 drives; forces are added in the order of the file.",
        ),
        of_parameter("drive.*.weight", &DRIVE_WEIGHT),
        key(
            "drive.*.species",
            KeyKind::Text,
            "",
            "everyone",
            "Which boids it drives: a [species.NAME].",
        ),
        key(
            "drive.*.when",
            KeyKind::Choice(&["always", "idle", "busy", "resting"]),
            "",
            "\"always\"",
            "In what state of a boid it drives: always; idle, none of its interactions having \
                a boid in range; busy, one having some; resting, until its stamina is back.",
        ),
    ];
    keys.extend(time_keys());
    keys.extend(of_kinds(&["goal"], goal_keys()));
    keys.extend(of_kinds(&["wander"], wander_keys()));
    keys.extend(of_kinds(&["leader"], leader_keys()));
    keys.extend(of_kinds(&["path"], path_keys()));
    keys.extend(of_kinds(&["flow"], flow_keys()));
    keys.extend(of_kinds(&["wind"], wind_keys()));
    keys.extend(of_kinds(&["speed"], keys_of::<Speed>(DRIVE)));
    keys.extend(of_kinds(&["tether"], tether_keys()));
    keys.extend(of_kinds(&["noise"], keys_of::<Noise>(DRIVE)));
    keys
}

fn time_keys() -> Vec<Key> {
    let mut keys = vec![
        number("drive.*.from", 0.0, 1e12, "time", "0", "When it begins. Larger: later."),
        number(
            "drive.*.until",
            0.0,
            1e12,
            "time",
            "never",
            "When it ends, at or after from. Larger: later.",
        ),
        number(
            "drive.*.delay_min",
            0.0,
            1e12,
            "time",
            "no delay",
            "Everyone waits before setting off, any time from this to delay_max, which is a \
                person's: the same for all drives that have the same delay. Who waits wants to \
                stand. Larger: later.",
        ),
        number(
            "drive.*.delay_max",
            0.0,
            1e12,
            "time",
            "delay_min",
            "The longest of these times. Larger: later.",
        ),
        number(
            "drive.*.delay_median",
            0.0,
            1e9,
            "time",
            "no delay",
            "In place of delay_min: times whose logarithm is normal; half of all wait less long. \
                Larger: later.",
        ),
        number(
            "drive.*.delay_sigma",
            1e-3,
            5.0,
            "1",
            "0.5",
            "With delay_median: standard deviation of the logarithm. Larger: a few wait much \
                longer than most.",
        ),
    ];
    for (name, which) in [
        ("gamma", "gamma distribution, whose mean is shape·scale"),
        ("weibull", "Weibull distribution: 63 % of all wait less long"),
    ] {
        keys.extend([
            number(
                &format!("drive.*.delay_{name}_scale"),
                0.0,
                1e9,
                "time",
                "no delay",
                &format!("In place of delay_min: the scale of a {which}. Larger: later."),
            ),
            number(
                &format!("drive.*.delay_{name}_shape"),
                0.1,
                100.0,
                "1",
                "1",
                &format!(
                    "With delay_{name}_scale: its shape; 1 is the exponential distribution. \
                    Larger: more alike."
                ),
            ),
        ]);
    }
    keys
}

fn goal_keys() -> Vec<Key> {
    let mut keys = vec![point(
        "drive.*.target",
        "length",
        "none",
        "Where boids without a goal of their own are drawn, inside the domain.",
    )];
    keys.extend(keys_of::<Goal<[f32; 2]>>(DRIVE));
    keys.extend([
        key(
            "drive.*.on_arrival",
            KeyKind::Choice(&["stay", "leave", "settle"]),
            "",
            "stay; settle with [body], target and arrival_radius",
            "What becomes of a boid that has arrived: it is still drawn there; leaves the flock as \
                through a door; or settles, and wants to stand from then on until it gets another \
                goal, and so do bodies that settled ones keep from the goal.",
        ),
        key(
            "drive.*.range",
            KeyKind::Number { min: 0.0, max: 1e12, above_min: true },
            "length",
            "no bound",
            "Only those this near are drawn. Larger: from further away.",
        ),
    ]);
    keys
}

fn wander_keys() -> Vec<Key> {
    let mut keys = keys_of::<WanderParameters>(DRIVE);
    keys.push(key(
        "drive.*.frame",
        KeyKind::Choice(&["world", "heading"]),
        "",
        "\"world\"",
        "Whether angles are measured in the world, as the source has it, or from the heading.",
    ));
    keys
}

fn leader_keys() -> Vec<Key> {
    vec![
        key(
            "drive.*.parent",
            KeyKind::Whole { min: 0, max: i64::MAX },
            "",
            "none",
            "Id of the boid that all boids follow that are not in parents.",
        ),
        key(
            "drive.*.parents",
            KeyKind::Pairs,
            "",
            "[]",
            "Pairs [boid, the boid it follows], by ids.",
        ),
        length(
            "drive.*.distance",
            "none is kept",
            "How far behind the parent to keep. Left out, the force is a unit vector towards it. \
                Larger: further back, and gentler braking.",
        ),
        key(
            "drive.*.looks",
            KeyKind::Flag,
            "",
            "false",
            "Whether boids look at the ones they follow: the way there is the axis of sight cones \
                in place of the heading.",
        ),
    ]
}

fn path_keys() -> Vec<Key> {
    vec![
        key(
            "drive.*.points",
            KeyKind::Points { least: 2, most: FARTHEST },
            "length",
            "required",
            "The waypoints, inside the domain.",
        ),
        key(
            "drive.*.looped",
            KeyKind::Flag,
            "",
            "false",
            "Whether the first point follows the last.",
        ),
        key(
            "drive.*.follow",
            KeyKind::Choice(&["waypoints", "road"]),
            "",
            "\"waypoints\"",
            "From point to point, or along the lines between them as on a road with the radius as \
                half its width, from where a boid joins it to its end.",
        ),
        length(
            "drive.*.radius",
            "1",
            "Who comes this near to a waypoint makes for the next; half the width of a road. \
                Larger: corners are cut more.",
        ),
        number(
            "drive.*.slowing_radius",
            0.0,
            1e12,
            "length",
            "1",
            "Waypoints: within this distance of the end of an open path the wanted speed falls. \
                Larger: earlier and gentler braking.",
        ),
        number(
            "drive.*.prediction_time",
            1e-3,
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
            KeyKind::Text,
            "",
            "none",
            "An .npy file of vectors, f4 or f8, of shape [ny, nx, 2] or [nz, ny, nx, 3]: a grid \
                over min to max. In a scene file the path is relative to that file.",
        ),
        key(
            "drive.*.toward",
            KeyKind::Points { least: 1, most: FARTHEST },
            "length",
            "none",
            "In place of a file: the ways to these points around all obstacles that stand still.",
        ),
        key(
            "drive.*.to_exits",
            KeyKind::Flag,
            "",
            "false",
            "In place of points: the ways to the exits that are open to the boids it drives.",
        ),
        key(
            "drive.*.ways",
            KeyKind::Choice(&["even", "shortest"]),
            "",
            "even with to_exits, shortest with toward",
            "Shortest: every boid to the goal or exit that is nearest by way to go, round corners \
                as near as clearance lets it. Even: as a crowd that fills the floor leaves it \
                without getting denser anywhere (potential flow), over the whole width of \
                corridors and turns, by all exits; longer for one boid, much quicker for many.",
        ),
        point(
            "drive.*.min",
            "length",
            "the domain's",
            "Lowest corner of the grid; needed in an open domain.",
        ),
        point(
            "drive.*.max",
            "length",
            "the domain's",
            "Highest corner of the grid; needed in an open domain.",
        ),
        length(
            "drive.*.cell",
            "a hundredth of the longest side",
            "With toward or to_exits: distance between nodes. Larger: coarser, and gaps in walls \
                narrower than it may close.",
        ),
        number(
            "drive.*.clearance",
            0.0,
            1e12,
            "length",
            "0",
            "With toward or to_exits: ways keep this far from obstacles. Larger: wider berths, and \
                narrow gaps close.",
        ),
        key(
            "drive.*.outside",
            KeyKind::Choice(&["clamp", "zero"]),
            "",
            "\"clamp\"",
            "What the field is beyond its grid: as at the nearest point of it, or zero.",
        ),
        key(
            "drive.*.raw",
            KeyKind::Flag,
            "",
            "false",
            "Whether the field is the force itself; otherwise the velocity wanted, in units of \
                max_speed.",
        ),
    ]
}

fn wind_keys() -> Vec<Key> {
    vec![
        point_within(
            f64::from(limit::MAGNITUDE),
            "drive.*.vector",
            FORCE,
            "required",
            "The force; with drag the velocity of the air.",
        ),
        key(
            "drive.*.drag",
            KeyKind::Flag,
            "",
            "false",
            "Whether boids are dragged along: vector - velocity in place of vector.",
        ),
    ]
}

fn tether_keys() -> Vec<Key> {
    let mut keys = vec![point(
        "drive.*.anchor",
        "length",
        "zeros",
        "Where boids are kept, inside the domain.",
    )];
    keys.extend(keys_of::<Tether<[f32; 2]>>(DRIVE));
    keys
}
