//! `[drive.NAME]`.

use wingbeat::steer::drive::{
    Delay, Flow, Goal, Leader, Noise, OnArrival, Path, Speed, Tether, Wind,
};
use wingbeat::steer::parameters::SettingKind;
use wingbeat::steer::{Drive, DriveKind, Vector, WanderParameters, behavior, settings};

use super::flow::{self, FlowKeys, NodesAround};
use super::named_table::NamedTable;
use crate::SceneError;
use crate::keys::Key;
use crate::scene::Scene;

settings! {
    /// How long people wait before they set off.
    struct DelayKeys in "drive." {}
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
    struct Road<V: Vector> in "drive." {}
    settings {
        points: Vec<V> = Vec::new(), shown "required", in "length",
            takes SettingKind::Points { least: 2, most: 1e30 }, "The waypoints, inside the domain.";
        looped: bool = false, "Whether the first point follows the last.";
        radius: f32 = 1.0, in "length" from 1e-9 => 1e12, "Who comes this near to a waypoint makes \
            for the next; half the width of a road. Larger: corners are cut more.";
    }
}

type Place = [f32; 2];

/// Keys of a kind, in a section.
type KeysOf = fn(&str) -> Vec<Key>;

/// Keys of each kind.
const KINDS: [(&str, KeysOf); 10] = [
    ("goal", Key::all::<Goal<Place>>),
    ("wander", Key::all::<WanderParameters>),
    ("leader", Key::all::<Leader>),
    ("path", Key::all::<Road<Place>>),
    ("path", Key::all::<Path<Place>>),
    ("flow", Key::all::<FlowKeys<Place>>),
    ("wind", Key::all::<Wind<Place>>),
    ("speed", Key::all::<Speed>),
    ("tether", Key::all::<Tether<Place>>),
    ("noise", Key::all::<Noise>),
];

/// Keys of all drives, and of each kind.
pub(super) fn keys() -> Vec<Key> {
    const DRIVE: &str = "drive.*";
    static WORDS: [&str; KINDS.len()] = {
        let (mut words, mut i) = ([""; KINDS.len()], 0);
        while i < words.len() {
            (words[i], i) = (KINDS[i].0, i + 1);
        }
        words
    };
    let about = "What the drive is. Up to 16 drives; forces are added in the order of the file.";
    let mut keys = vec![Key::kind(DRIVE, DriveKind::<Place>::NAMES, about)];
    keys.extend(Key::all::<Drive<Place>>(DRIVE));
    keys.insert(2, Key::species(DRIVE, "everyone", "Which boids it drives: a [species.NAME]."));
    keys.extend(Key::all::<DelayKeys>(DRIVE));
    for ((_, of), word) in KINDS.iter().zip(&WORDS) {
        keys.extend(of(DRIVE).into_iter().map(|key| key.of_kind(word)));
    }
    keys
}

pub(super) fn drives<const D: usize>(
    scene: &Scene,
    around: NodesAround<'_, D>,
) -> Result<Vec<Drive<[f32; D]>>, SceneError> {
    let document = &scene.document;
    let mut drives = Vec::new();
    for table in NamedTable::all(document, "drive") {
        let (species, delay) = (table.species()?, delay(&table)?);
        let drive = table.read(Drive::new(table.name(), kind(scene, &table, around)?));
        let drive = Drive { species, delay, ..drive };
        drive.check(around.domain).map_err(|refusal| document.refuse_param(refusal))?;
        drives.push(drive);
    }
    Ok(drives)
}

/// How long people wait before they set off: the key that is given says how that is distributed.
fn delay(table: &NamedTable<'_>) -> Result<Delay, SceneError> {
    let keys = table.read(DelayKeys::default());
    let first = [
        ("delay_min", keys.delay_min),
        ("delay_max", keys.delay_max),
        ("delay_median", keys.delay_median),
        ("delay_gamma_scale", keys.delay_gamma_scale),
        ("delay_weibull_scale", keys.delay_weibull_scale),
    ];
    let mut given = first.into_iter().filter_map(|(key, value)| Some((key, value?)));
    // A width or a shape alone says nothing.
    let Some((key, scale)) = given.next() else { return Ok(Delay::None) };
    if let Some((other, _)) = given.find(|&(other, _)| (key, other) != ("delay_min", "delay_max")) {
        return Err(table.refuse(key, &format!("left out where {other} is given")));
    }
    Ok(match key {
        "delay_median" => Delay::LogNormal { median: scale, sigma: keys.delay_sigma },
        "delay_gamma_scale" => Delay::Gamma { shape: keys.delay_gamma_shape, scale },
        "delay_weibull_scale" => Delay::Weibull { shape: keys.delay_weibull_shape, scale },
        _ => {
            let min = keys.delay_min.unwrap_or(0.0);
            Delay::Uniform { min, max: keys.delay_max.unwrap_or(min) }
        }
    })
}

fn kind<const D: usize>(
    scene: &Scene,
    table: &NamedTable<'_>,
    around: NodesAround<'_, D>,
) -> Result<DriveKind<[f32; D]>, SceneError> {
    Ok(match table.kind() {
        "goal" => goal(table).into(),
        "wander" => table.read(WanderParameters::default()).into(),
        "leader" => {
            let leader = table.read(Leader::default());
            Leader { parents: Leader::each(leader.parents).parents, ..leader }.into()
        }
        "path" => path(table)?.into(),
        "flow" => {
            let keys = table.read(FlowKeys::default());
            let fields = flow::fields(scene, table, &keys, around)?
                .into_iter()
                .map(|(time, field)| (time, field.outside(keys.outside)));
            let mut fields = fields.collect::<Vec<_>>().into_iter();
            let (_, first) = fields.next().ok_or_else(|| table.refuse("toward", "a way"))?;
            Flow { raw: keys.raw, later: fields.collect(), ..Flow::new(first) }.into()
        }
        "wind" => table.read(Wind::default()).into(),
        "speed" => table.read(Speed::default()).into(),
        "tether" => table.read(Tether::default()).into(),
        _ => table.read(Noise::default()).into(),
    })
}

fn goal<const D: usize>(table: &NamedTable<'_>) -> Goal<[f32; D]> {
    let given = table.read(Goal::default());
    // Bodies that are sent to one point cannot all be there: without an end they would whirl about
    // it.
    let crowds =
        given.target.is_some() && given.arrival_radius > 0.0 && table.document.has_section("body");
    if crowds && !table.has("on_arrival") {
        return Goal { on_arrival: OnArrival::Settle, ..given };
    }
    given
}

fn path<const D: usize>(table: &NamedTable<'_>) -> Result<Path<[f32; D]>, SceneError> {
    let Road { points, looped, radius } = table.read(Road::<[f32; D]>::default());
    let road = if looped {
        behavior::Path::looped(points, radius)
    } else {
        behavior::Path::open(points, radius)
    };
    let road = road.map_err(|refusal| {
        table.refuse(refusal.field.trim_start_matches("path."), &refusal.to_string())
    })?;
    Ok(table.read(Path::new(road)))
}
