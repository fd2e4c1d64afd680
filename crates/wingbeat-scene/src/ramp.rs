//! `[ramp.NAME]`: numbers of a scene that change as its flock flies.
//!
//! A ramp takes a number from one value to another as time passes. What a flock is given at the
//! beginning of a step depends on its time alone, so a run that goes on from a checkpoint has the
//! same bits. It is given as a live view gives what viewers change
//! ([`Scene::apply`](crate::Scene::apply)), and so it can be what those can change.

use wingbeat::steer::parameters::SettingValue;

use crate::SceneError;
use crate::advice;
use crate::document::Document;
pub use crate::keys::Ramp;
use crate::keys::{self, KeyKind, known_key};
use crate::rules;
use crate::value::{KeyValue, Origin};

impl Ramp {
    /// The key's value at a time.
    ///
    /// ```
    /// use wingbeat_scene::Ramp;
    /// let ramp = Ramp {
    ///     name: "tire".into(),
    ///     key: "agent.max_speed".into(),
    ///     from: 4.0,
    ///     to: 2.0,
    ///     start: 10.0,
    ///     over: 20.0,
    /// };
    /// assert_eq!(
    ///     [0.0, 10.0, 15.0, 30.0, 99.0].map(|time| ramp.at(time)),
    ///     [4.0, 4.0, 3.5, 2.0, 2.0]
    /// );
    /// ```
    pub fn at(&self, time: f64) -> f64 {
        if time <= self.start {
            self.from
        } else if time >= self.start + self.over {
            self.to
        } else {
            self.from + (self.to - self.from) * ((time - self.start) / self.over)
        }
    }

    fn end(&self) -> f64 {
        self.start + self.over
    }
}

/// Sections of what is around boids; all other keys that can change are of the engine's parameters.
const WORLD: [&str; 4] = ["drive", "avoidance", "obstacle", "exit"];

pub(crate) fn is_of_world(key: &str) -> bool {
    WORLD.contains(&key.split('.').next().unwrap_or(key))
}

/// The ramps of a document, checked: each changes a number that can change, within its range.
pub(crate) fn read(document: &Document) -> Result<Vec<Ramp>, SceneError> {
    let mut ramps: Vec<Ramp> = Vec::new();
    for table in document.tables("ramp") {
        let path = |key: &str| format!("{table}.{key}");
        let name = table.rsplit('.').next().unwrap_or(table).to_string();
        let ramp = document.read(table, Ramp { name, ..Ramp::default() });
        check_key(document, &path("key"), &ramp.key)?;
        for end in ["from", "to"] {
            check_value(document, &path(end), &ramp.key)?;
        }
        if let Some(other) = ramps.iter().find(|other| other.key == ramp.key) {
            return Err(document.refuse(
                &path("key"),
                &format!("a key that no other ramp changes ({} does)", other.name),
            ));
        }
        ramps.push(ramp);
    }
    let has_fields =
        || document.tables("drive").into_iter().any(|drive| computes_field(document, drive));
    if let Some(ramp) = ramps.iter().find(|ramp| is_of_world(&ramp.key)).filter(|_| has_fields()) {
        let allowed = "a key of rules, limits or models: drives, obstacles and exits would be made \
                       anew in every step, and with them the \
                       flow fields of this scene";
        return Err(document.refuse(&format!("ramp.{}.key", ramp.name), allowed));
    }
    // Between these times all numbers change evenly, so what holds at them holds between.
    for &time in &times(&ramps) {
        let mut then = document.clone();
        ramps.iter().for_each(|ramp| then.set_number(&ramp.key, ramp.at(time), &ramp.name));
        rules::params(&then)?;
    }
    Ok(ramps)
}

/// Whether a drive has a flow field that is computed, which may take seconds.
fn computes_field(document: &Document, drive: &str) -> bool {
    document.has(&format!("{drive}.toward"))
        || document.flag(&format!("{drive}.to_exits")) == Some(true)
}

/// Refuses a key that is none, is no number, or cannot change while a flock flies.
fn check_key(document: &Document, at: &str, key: &str) -> Result<(), SceneError> {
    let can = |known: &&keys::Key| {
        matches!(known.kind, KeyKind::Number { .. })
            && known.changes_in_flight()
            && !key.starts_with("ramp.")
            && key != "flock.dt"
    };
    if known_key(key).is_some_and(keys::Key::is_of_bodies) && !document.has_section("body") {
        return Err(document
            .refuse(at, "a key of bodies in a scene with [body]: without it boids are points"));
    }
    if known_key(key).filter(can).is_some() {
        return Ok(());
    }
    let allowed = match known_key(key) {
        None => format!("a key of the scene: {}", advice::advice(key, None)),
        Some(known) if !matches!(known.kind, KeyKind::Number { .. }) => {
            "a key that takes any number \
            between two"
                .to_string()
        }
        Some(_) => {
            "a number of rules, limits, models, drives, obstacles or exits, which can change while \
                a flock flies"
                .to_string()
        }
    };
    Err(document.refuse(at, &allowed))
}

/// Refuses an end of a ramp that its key does not take.
fn check_value(document: &Document, at: &str, key: &str) -> Result<(), SceneError> {
    let Some(leaf) = document.leaf(at) else { return Ok(()) };
    let table = key.rsplit_once('.').map_or("", |(table, _)| table);
    let known = keys::find(key, document.kind_of(table));
    let known = known.ok_or_else(|| {
        let owner = table.split('.').next().unwrap_or(table);
        document.refuse(
            &at.replace(".from", ".key").replace(".to", ".key"),
            &format!("a key that the [{owner}] of this scene has"),
        )
    })?;
    document.check_value(at, leaf, known, 3)
}

/// When ramps begin and end, and the start.
pub(crate) fn times(ramps: &[Ramp]) -> Vec<f64> {
    let mut times: Vec<f64> =
        ramps.iter().flat_map(|ramp| [ramp.start, ramp.end()]).chain([0.0]).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

impl Document {
    /// Gives a key a number; what was given for it is forgotten.
    pub(crate) fn set_number(&mut self, key: &str, x: f64, ramp: &str) {
        for (one, other) in [("field_of_view", "cos_half_view"), ("cos_half_view", "field_of_view")]
        {
            if let Some(rule) = key.strip_suffix(one) {
                self.forget(&format!("{rule}{other}"));
            }
        }
        let origin = Origin::Flag(format!("[ramp.{ramp}]"));
        self.put(
            key,
            KeyValue { value: Some(SettingValue::Number(x)), shown: x.to_string(), origin },
        );
    }
}
