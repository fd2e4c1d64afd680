//! Keys of drives, obstacles, exits and sources.

use wingbeat::steer::drive::{Goal, Leader, Noise, Outside, Path, Speed, Tether, Wind};
use wingbeat::steer::obstacle::AtEnds;
use wingbeat::steer::parameters::{Kinds, SettingKind};
use wingbeat::steer::{
    Avoidance, Drive, DriveKind, Exit, ObstacleShape, Source, Vector, WanderParameters,
};
use wingbeat::steer::{settings, words};

use super::key::{Key, insert_after};
use super::sections::AnyPoint;

settings! {
    /// How long people wait before they set off.
    pub(crate) struct DelayKeys in "drive." {}
    settings {
        delay_min: Option<f64> = None, shown "no delay", in "time" from 0.0 => 1e12, "Everyone \
            waits before setting off, any time from this to delay_max, which is a person's: the \
            same for all drives that have the same delay. Who waits wants to stand. Larger: later.";
        delay_max: Option<f64> = None, shown "delay_min", in "time" from 0.0 => 1e12, "The longest \
            of these times. Larger: later.";
        delay_median: Option<f64> = None, shown "no delay", in "time" from 0.0 => 1e9, "In place \
            of delay_min: times whose logarithm is normal; half of all wait less long. Larger: \
            later.";
        delay_sigma: f64 = 0.5, in "1" from 1e-3 => 5.0, "With delay_median: standard deviation of \
            the logarithm. Larger: a few wait much longer than most.";
        delay_gamma_scale: Option<f64> = None, shown "no delay", in "time" from 0.0 => 1e9, "In \
            place of delay_min: the scale of a gamma distribution, whose mean is shape·scale. \
            Larger: later.";
        delay_gamma_shape: f64 = 1.0, in "1" from 0.1 => 100.0, "With delay_gamma_scale: its \
            shape; 1 is the exponential distribution. Larger: more alike.";
        delay_weibull_scale: Option<f64> = None, shown "no delay", in "time" from 0.0 => 1e9, "In \
            place of delay_min: the scale of a Weibull distribution: 63 % of all wait less long. \
            Larger: later.";
        delay_weibull_shape: f64 = 1.0, in "1" from 0.1 => 100.0, "With delay_weibull_scale: its \
            shape; 1 is the exponential distribution. Larger: more alike.";
    }
}

settings! {
    /// The road of a path.
    pub(crate) struct RoadKeys<V: Vector> in "drive." {}
    settings {
        points: Vec<V> = Vec::new(), shown "required", in "length",
            takes SettingKind::Points { least: 2, most: 1e30 }, "The waypoints, inside the domain.";
        looped: bool = false, "Whether the first point follows the last.";
        radius: f32 = 1.0, in "length" from 1e-9 => 1e12, "Who comes this near to a waypoint makes \
            for the next; half the width of a road. Larger: corners are cut more.";
    }
}

/// Keys of a kind, in a section.
type KeysOf = fn(&str) -> Vec<Key>;

/// Keys of each kind.
const KINDS: [(&str, KeysOf); 10] = [
    ("goal", Key::all::<Goal<AnyPoint>>),
    ("wander", Key::all::<WanderParameters>),
    ("leader", Key::all::<Leader>),
    ("path", Key::all::<RoadKeys<AnyPoint>>),
    ("path", Key::all::<Path<AnyPoint>>),
    ("flow", Key::all::<FlowKeys<AnyPoint>>),
    ("wind", Key::all::<Wind<AnyPoint>>),
    ("speed", Key::all::<Speed>),
    ("tether", Key::all::<Tether<AnyPoint>>),
    ("noise", Key::all::<Noise>),
];

/// Keys of all drives, and of each kind.
fn drive_keys() -> Vec<Key> {
    const DRIVE: &str = "drive.*";
    static WORDS: [&str; KINDS.len()] = {
        let (mut words, mut i) = ([""; KINDS.len()], 0);
        while i < words.len() {
            (words[i], i) = (KINDS[i].0, i + 1);
        }
        words
    };
    let about = "What the drive is. Up to 16 drives; forces are added in the order of the file.";
    let mut keys = vec![Key::kind(DRIVE, DriveKind::<AnyPoint>::NAMES, about)];
    keys.extend(Key::all::<Drive<AnyPoint>>(DRIVE));
    let species = Key::species(DRIVE, "everyone", "Which boids it drives: a [species.NAME].");
    insert_after(&mut keys, "drive.*.weight", species);
    keys.extend(Key::all::<DelayKeys>(DRIVE));
    for ((_, of), word) in KINDS.iter().zip(&WORDS) {
        keys.extend(of(DRIVE).into_iter().map(|key| key.of_kind(word)));
    }
    keys
}

words! {
    /// How ways share the floor.
    pub(crate) enum WaysKind {
        #[default]
        Even = "even",
        Shortest = "shortest",
    }
}

settings! {
    /// What a flow is made of.
    pub(crate) struct FlowKeys<V: Vector> in "drive." {}
    settings {
        file: Option<String> = None, shown "none", "An .npy file of vectors, f4 or f8, of shape \
            [ny, nx, 2] or [nz, ny, nx, 3]: a grid over min to max. In a scene file the path is \
            relative to that file.";
        toward: Option<Vec<V>> = None, shown "none", in "length",
            takes SettingKind::Points { least: 1, most: 1e30 }, "In place of a file: the ways to \
            these points around all obstacles that stand still.";
        to_exits: bool = false, "In place of points: the ways to the exits that are open to the \
            boids it drives.";
        ways: Option<WaysKind> = None, shown "even with to_exits, shortest with toward",
            "Shortest: every boid to the goal or exit that is nearest by way to go, round corners \
            as near as clearance lets it. Even: as a crowd that fills the floor leaves it without \
            getting denser anywhere (potential flow), over the whole width of corridors and turns, \
            by all exits; longer for one boid, much quicker for many.";
        min: Option<V> = None, shown "the domain's", in "length" from -1e30 => 1e30, "Lowest \
            corner of the grid; needed in an open domain.";
        max: Option<V> = None, shown "the domain's", in "length" from -1e30 => 1e30, "Highest \
            corner of the grid; needed in an open domain.";
        cell: Option<f64> = None, shown "a hundredth of the longest side",
            in "length" from 1e-9 => 1e12, "With toward or to_exits: distance between nodes. \
            Larger: coarser, and gaps in walls narrower than it may close.";
        clearance: f64 = 0.0, in "length" from 0.0 => 1e12, "With toward or to_exits: ways keep \
            this far from obstacles. Larger: wider berths, and narrow gaps close.";
        outside: Outside = Outside::Clamp, "What the field is beyond its grid: as at the nearest \
            point of it, or zero.";
        raw: bool = false, "Whether the field is the force itself; otherwise the velocity wanted, \
            in units of max_speed.";
    }
}

words! {
    /// How an obstacle moves.
    pub(crate) enum MotionKind {
        #[default]
        Static = "static",
        Line = "line",
        Circle = "circle",
        Waypoints = "waypoints",
        Host = "host",
    }
}

settings! {
    /// How one obstacle moves.
    pub(crate) struct MotionKeys<V: Vector> in "obstacle." {}
    settings {
        motion: MotionKind = MotionKind::Static, "Whether it stands still, moves in a line, round \
            a circle, along a closed line of points, or as the host says by \
            `Flock::set_obstacle_pose`.";
        velocity: Option<V> = None, shown "required for line",
            in "length/time" from -1e9 => 1e9, "Line: its velocity.";
        range_min: Option<V> = None, shown "no range", in "length" from -1e12 => 1e12, "Line: \
            lowest corner of the box its middle stays in; needs range_max.";
        range_max: Option<V> = None, shown "no range", in "length" from -1e12 => 1e12, "Line: \
            highest corner of that box; needs range_min.";
        ends: AtEnds = AtEnds::TurnBack, shown "turn_back", "What happens at the ends of the \
            range: it goes back as it came, or starts again at the other end.";
        orbit: Option<V> = None, shown "required for circle", in "length" from -1e12 => 1e12,
            "Circle: what its middle goes round, in the x-y plane.";
        period: Option<f64> = None, shown "required for circle", in "time" from -1e9 => 1e9,
            "Circle: time of a turn, anticlockwise; negative: clockwise. At least 0.001 in size. \
            Larger: slower.";
        waypoints: Option<Vec<V>> = None, shown "required for waypoints", in "length",
            takes SettingKind::Points { least: 2, most: 1e12 }, "Waypoints: the points; it is \
            shifted by as much as a walker from the first.";
        speed: Option<f32> = None, shown "required for waypoints",
            in "length/time" from 0.0 => 1e9, "Waypoints: speed along the line. Larger: faster.";
    }
}

settings! {
    /// Many spheres.
    pub(crate) struct ScatterKeys<V: Vector> in "obstacle." {}
    settings {
        count: Option<u64> = None, shown "by spacing", in "" from 1.0 => 1e6, "How many: NAME-0, \
            NAME-1, …";
        spacing: Option<f64> = None, shown "none", in "length" from 1e-9 => 1e12, "In place of a \
            count: their mean distance, so that as many fit the box as have room. Larger: fewer.";
        seed: Option<u64> = None, shown "flock.seed", "Key of their places, sizes and ways.";
        radius: f32 = 0.0, shown "required", in "length" from 1e-9 => 1e12, "Their radius, or the \
            smallest of a range.";
        radius_max: Option<f32> = None, shown "radius", in "length" from 1e-9 => 1e12, "Largest \
            radius; sizes are uniform between the two.";
        min: Option<V> = None, shown "the domain's", in "length" from -1e12 => 1e12, "Lowest \
            corner of the box their middles are in; needed in an open domain.";
        max: Option<V> = None, shown "the domain's", in "length" from -1e12 => 1e12, "Highest \
            corner of that box; needed in an open domain.";
        speed: f32 = 0.0, in "length/time" from 0.0 => 1e9, "How fast they move, each in a \
            direction of its own. Larger: harder to give way to.";
        speed_max: Option<f32> = None, shown "speed", in "length/time" from 0.0 => 1e9, "Largest \
            speed; speeds are uniform between the two.";
        ends: Option<AtEnds> = None, shown "wrap in a periodic domain whose box it is, else \
            turn_back", "What happens at the ends of the range: it goes back as it came, or starts \
            again at the other end.";
    }
}

/// The kind of many at random places.
pub(crate) const SCATTER: &str = "scatter";

/// The words of all shapes but those that are left out.
fn shapes(but: &str) -> Vec<&'static str> {
    let words = ObstacleShape::<AnyPoint>::KINDS.iter().map(|kind| kind.word);
    words.filter(|word| *word != but).collect()
}

/// The keys of each shape.
fn shape_keys(section: &str, but: &str) -> Vec<Key> {
    let kinds = ObstacleShape::<AnyPoint>::KINDS.iter().filter(|kind| kind.word != but);
    kinds
        .flat_map(|kind| {
            let keys = kind.settings.iter().map(|setting| Key::setting(section, setting));
            keys.map(|key| key.of_kind(&kind.word))
        })
        .collect()
}

/// Keys of `[avoidance]` and `[obstacle.NAME]`.
fn obstacle_keys() -> Vec<Key> {
    let single: &'static [&'static str] = shapes("").leak();
    let all = [single, &[SCATTER]].concat().leak();
    let about = "The shape: a ball or disc; all within a radius of a segment; a box; a segment \
        without thickness (2-D); a simple polygon (2-D); or many balls at random places. No boid \
        ends a step inside.";
    let mut keys = Key::all::<Avoidance>("avoidance");
    keys.push(Key::kind("obstacle.*", all, about));
    keys.extend(shape_keys("obstacle.*", ""));
    let scatter = Key::all::<ScatterKeys<AnyPoint>>("obstacle.*").into_iter();
    keys.extend(scatter.map(|key| key.of_kind(&SCATTER)));
    let motion = Key::all::<MotionKeys<AnyPoint>>("obstacle.*").into_iter();
    keys.extend(motion.map(|key| key.of_kinds(single)));
    keys
}

/// Keys of `[exit.NAME]` and `[source.NAME]`.
fn gate_keys() -> Vec<Key> {
    let about = "The shape of the region: a boid that ends a step inside has left the flock, \
        through this exit. Up to 64 exits; the first of the file that holds a boid counts it.";
    // What has no inside lets no boid out.
    let mut keys = vec![Key::kind("exit.*", shapes("wall").leak(), about)];
    keys.extend(shape_keys("exit.*", "wall"));
    keys.push(Key::species("exit.*", "everyone", "Who may leave by it: a [species.NAME]."));
    keys.extend(Key::all::<Exit<AnyPoint>>("exit.*"));
    keys.extend(Key::all::<Source<AnyPoint>>("source.*"));
    keys.push(Key::species("source.*", "the first", "Whose they are: a [species.NAME]."));
    keys
}

/// Keys of all of these.
pub(super) fn keys() -> Vec<Key> {
    [drive_keys(), obstacle_keys(), gate_keys()].concat()
}
