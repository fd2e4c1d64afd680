//! What a run has to say: one JSON object for programs, a short summary for people.

use serde::Serialize;
use serde_json::{Map, Value};
use wingbeat_measure::Observables;
pub use wingbeat_render::text::grouped;

use crate::events::EventReport;
use crate::units::Units;
use crate::until::Ended;

/// Everything measured by a run; its fields are the keys of `--json`, which scripts rely on.
#[derive(Debug, Serialize)]
pub struct Report {
    pub scene: String,
    pub boids: usize,
    pub dimensions: usize,
    /// Steps made.
    pub steps: u64,
    /// Why no more were made.
    pub ended: Ended,
    pub dt: f32,
    pub seed: u64,
    pub level: &'static str,
    pub threads: usize,
    pub state_hash: String,
    pub mean_neighbors: f64,
    pub polarization: f64,
    /// Wall time of the steps alone; `null` where there was nothing to divide by.
    pub ns_per_boid_step: Option<f64>,
    /// For the summary.
    #[serde(skip)]
    pub steps_per_second: Option<f64>,
    /// Likewise: what boids are called.
    #[serde(skip)]
    pub noun: &'static str,
    /// Likewise: how many there are still.
    #[serde(skip)]
    pub remaining: usize,
    /// Wall time of the whole command, reading and measuring included.
    pub wall_s: f64,
    /// With `--record` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<Recorded>,
    /// The page that replays the run; with `--html`, and on a terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<Recorded>,
    /// With `--json` only: some take longer than a step.
    #[serde(flatten)]
    pub observed: Option<Final>,
    /// With `--average-from` only.
    #[serde(flatten)]
    pub averages: Option<Averages>,
    /// Of a run on several ranks only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<RanksReport>,
    /// Arrivals, captures, leavers, zeros too.
    pub events: Option<EventReport>,
    /// The unit of lengths, as the scene says it, and times are seconds then; else `null`.
    pub unit: Option<String>,
    #[serde(skip)]
    pub units: Units,
}

/// What was recorded.
#[derive(Debug, Serialize)]
pub struct Recorded {
    /// Where it is.
    pub file: String,
    /// How many frames it has.
    pub frames: u64,
    /// How large it is.
    pub bytes: u64,
}

impl Recorded {
    /// For people: frames and a size.
    pub fn line(&self) -> String {
        format!("{}, {} frames, {}", self.file, grouped(self.frames), size_text(self.bytes))
    }
}

/// Bytes as people say them.
pub fn size_text(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// Time means over the steps after `--average-from`.
#[derive(Debug, Serialize)]
pub struct Averages {
    /// `None`, written as null, where no boid was there at any of them.
    pub mean_polarization: Option<f64>,
    pub mean_milling: Option<f64>,
    /// Means of all observables over the measured steps; with `--observe` or `--every` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_means: Option<Map<String, Value>>,
}

/// The last state's observables beside polarization; `null` where there is no answer.
#[derive(Debug, Serialize)]
pub struct Final {
    /// Who is this close to another is in one group with it: the largest perception radius.
    pub group_radius: Option<f64>,
    #[serde(flatten)]
    pub observables: Map<String, Value>,
}

impl Final {
    /// All but those the report has already.
    pub fn new(observables: &Observables, group_radius: Option<f64>) -> Self {
        let pairs = Observables::NAMES.iter().zip(observables.values());
        let mut values: Map<String, Value> =
            pairs.map(|(name, value)| (name.to_string(), value.into())).collect();
        values.remove("polarization");
        // Counts without a decimal point.
        values.insert("groups".into(), observables.groups.into());
        values.insert("largest_group".into(), observables.largest_group.into());
        Self { group_radius, observables: values }
    }
}

impl Report {
    /// One JSON object.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }

    /// A few lines for people.
    pub fn summary(&self, mean_speed: f64) -> String {
        let mut text = format!(
            "{}: {} {} in {}-D, {} steps of {}{}{}\n",
            self.scene,
            grouped(self.boids as u64),
            self.noun,
            self.dimensions,
            grouped(self.steps),
            self.dt,
            self.units.after("time"),
            self.ended.words()
        );
        let mut line = |name: &str, value: String| text += &format!("  {name:<14}{value}\n");
        line("wall time", format!("{:.2} s", self.wall_s));
        if let (Some(ns), Some(per_second)) = (self.ns_per_boid_step, self.steps_per_second) {
            line("speed", format!("{ns:.1} ns per boid and step, {per_second:.1} steps/s"));
        }
        let plural = if self.threads == 1 { "" } else { "s" };
        line("machine", format!("level {}, {} thread{plural}", self.level, self.threads));
        if let Some(parts) = &self.parts {
            line("ranks", parts.text());
        }
        for (name, value) in self.events.iter().flat_map(|events| events.lines(&self.units)) {
            line(name, value);
        }
        let is_crowd = self.noun == "people";
        // Of none there is nothing to say.
        if self.remaining > 0 {
            if !is_crowd {
                line("polarization", format!("{:.3}", self.polarization));
            }
            line("neighbors", format!("{:.1} in range on average", self.mean_neighbors));
            line("mean speed", format!("{mean_speed:.3}{}", self.units.after("length/time")));
        }
        if let Some(Averages {
            mean_polarization: Some(polarization),
            mean_milling: Some(milling),
            ..
        }) = &self.averages
        {
            line("time means", format!("polarization {polarization:.3}, milling {milling:.3}"));
        }
        if self.remaining > 0 {
            line("state hash", self.state_hash.clone());
        }
        if let Some(recorded) = &self.recorded {
            line("recorded", recorded.line());
        }
        if let Some(page) = &self.page {
            line(
                "see it move",
                format!(
                    "open {} in a browser ({} frames, {})",
                    page.file,
                    grouped(page.frames),
                    size_text(page.bytes)
                ),
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        let sizes = [9_999, 10_000, 123_456_789, 12_345_678_901].map(size_text);
        assert_eq!(sizes, ["9999 bytes", "10.0 kB", "123.5 MB", "12.3 GB"]);
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}

/// What a report tells of ranks.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct RanksReport {
    /// How many there are.
    pub ranks: usize,
    /// What the one with most work had to do when that was last estimated, in parts of the mean.
    pub imbalance: f64,
    /// How often the boundaries between them have moved.
    pub moved_boundaries: u64,
    /// Boids that moved to another rank, by boid and step.
    pub moved: f64,
    /// Boids sent to other ranks as ghosts, by boid and step.
    pub told: f64,
    /// Bytes sent, by boid and step.
    pub bytes: f64,
    /// The part of the time that messages were written and read, and that they were waited for: the
    /// largest of all ranks.
    pub writing: f64,
    /// See `writing`.
    pub waiting: f64,
}

impl RanksReport {
    /// In a line.
    pub(crate) fn text(&self) -> String {
        let Self { ranks, imbalance, moved_boundaries, bytes, writing, waiting, .. } = *self;
        let (writing, waiting) = (100.0 * writing, 100.0 * waiting);
        let times = if moved_boundaries == 1 { "once" } else { "times" };
        let moved = if moved_boundaries == 1 {
            times.to_string()
        } else {
            format!("{moved_boundaries} {times}")
        };
        format!(
            "{ranks}, most work {imbalance:.2} of the mean, boundaries moved {moved}; {bytes:.2} \
                bytes a boid and step, {writing:.1} % of the time to write and read, {waiting:.1} \
                % to wait"
        )
    }
}
