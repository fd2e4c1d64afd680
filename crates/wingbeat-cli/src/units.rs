//! What lengths and times are called: in a scene's unit, or a recording's.

use wingbeat_record::{LengthUnit, Recording};
use wingbeat_scene::Scene;

/// What lengths and times are called.
#[derive(Clone, Debug, PartialEq)]
pub struct Units {
    /// The unit of lengths, where it is known.
    length: Option<LengthUnit>,
    /// The unit of times, or the word for it.
    time: String,
    /// What speeds are per, where it is known.
    speed_time: Option<String>,
    /// 2 or 3.
    dimensions: usize,
    /// What boids are called.
    noun: &'static str,
}

impl Default for Units {
    fn default() -> Self {
        Self::of_length(None, 2)
    }
}

impl Units {
    /// Those of a scene: where it says its unit of length, times are seconds.
    pub fn of_scene(scene: &Scene) -> Self {
        let of_boids = Self::of_length(scene.unit(), scene.dimensions());
        Self { noun: scene.noun(), ..of_boids }
    }

    /// Those of lengths in this unit, if it is known, and seconds.
    pub fn of_length(length: Option<LengthUnit>, dimensions: usize) -> Self {
        let time = if length.is_some() { "s" } else { "time" }.to_string();
        Self { length, speed_time: Some(time.clone()), time, dimensions, noun: "boids" }
    }

    /// Those of a recording, as far as they are known.
    pub fn of(recording: &Recording) -> Self {
        let found = recording.found();
        let about = recording.about();
        let scene = about.and_then(|about| Scene::parse(&about.name, &about.scene, &[]).ok());
        Self {
            length: found.length_unit,
            time: found.time_unit.to_string(),
            speed_time: found.speed_time.map(|unit| unit.to_string()),
            dimensions: recording.dimensions(),
            noun: scene.map_or("boids", |scene| scene.noun()),
        }
    }

    /// 2 or 3.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// A unit in these: `m/s` for `length/time`; nothing where speeds are per an unknown time.
    pub fn spell(&self, unit: &str) -> String {
        let unit = &unit.replace("boids", self.noun);
        let unit = match (unit.strip_suffix("/time"), &self.speed_time) {
            (Some(distance), Some(time)) => format!("{distance}/{time}"),
            (Some(_), None) => return String::new(),
            (None, _) => unit.replace("time", &self.time),
        };
        let Some(length) = self.length else { return unit };
        unit.replace("length", &length.to_string())
    }

    /// The label of an axis of times.
    pub fn time_label(&self) -> String {
        if self.time == "time" { self.time.clone() } else { format!("time ({})", self.time) }
    }

    /// What follows a number that counts this unit: ` m/s` for `length/time` where lengths have a
    /// unit, else nothing.
    pub fn after(&self, unit: &str) -> String {
        if self.length.is_some() { format!(" {}", self.spell(unit)) } else { String::new() }
    }

    /// A rate in words: `2.04/s`, or `2.04 by time` where times have no unit.
    pub fn rate(&self, number: &str) -> String {
        if self.length.is_some() { format!("{number}/s") } else { format!("{number} by time") }
    }
}
