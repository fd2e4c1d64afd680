//! Messages between pages and a flock, in JSON; frames are binary (frame.rs).
//!
//! A **request** is an object with a number `id` that the page chooses:
//!
//! ```text
//! {"do": "set", "id": 1, "key": "cohesion.weight", "value": "0.5"}
//!     sets a key; the value is TOML, as --set takes it, but no table
//! {"do": "remove", "id": 2, "rule": "cohesion"}
//!     removes a rule; setting one of its keys brings it back
//! {"do": "pause", "id": 3}, and likewise "play", "step", "reset"
//!     as the buttons
//! {"do": "speed", "id": 4, "factor": 2.0}
//!     0.001 to 1000000 times the scene's own time
//! {"do": "explain", "id": 5, "boid": 17}
//!     answers with "page", the object that explain/mod.rs describes
//! {"do": "next"}
//!     asks for another frame; has no id and no answer
//! ```
//!
//! Each gets an **answer**: `type` `"answer"`, `id`, `error` (`null`, or the reason of a refusal in
//! one line), `effect` of a value that was set, `page` of an explanation. The state that a request
//! leads to is sent before its answer. `set`, `remove` and `reset` are carried out in the order in
//! which they come, and other requests need not wait for them.
//!
//! A **state** is sent at first and after every change: `type` `"state"`, `scene`, `about`,
//! `lesson` (`title`, `text`, and `sliders`, pairs of a key and a sentence), `dimensions`,
//! `bounds`, `periodic`, `domain` (`kind`, `min`, `max`), `species` (names), `radii` (of a body of
//! each species, or one where there are no species; empty where boids are points), `places` (exits
//! and sources: `kind`, `name`, `lines`, six numbers each, and `open`, when an exit opens and
//! closes, `null` for never), `boids`, `noun` (what they are called), `unit` (of lengths; `null`
//! where the scene says none, else times are seconds), `dt`, `paused`, `speed`, `run` (resets so
//! far), `pending` (keys that wait for a reset), `absent` (the rules that the scene does not have),
//! `warnings`, and `controls`, a list of objects with `key`, `kind`, `unit`, `about`, `default`,
//! `value`, `given`, `effect` (`next_step` or `rebuild`), `pending`, `allowed`, `slider`,
//! `choices`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use wingbeat_scene::Lesson;

use crate::controls::Control;
use crate::explain::SceneExplanation;

/// What a page may ask for.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub enum Request {
    /// The page has drawn the last frame and takes another. The only request without an answer.
    Next {},
    /// A key of the scene.
    Set {
        /// The page's number for it, which its answer bears.
        id: u32,
        /// Dotted name.
        key: String,
        /// As TOML, the way `--set` takes it.
        value: String,
    },
    /// One of the three rules goes; setting a key of it brings it back.
    Remove {
        /// The page's number for it, which its answer bears.
        id: u32,
        /// Its name.
        rule: String,
    },
    /// The flock stands still.
    Pause {
        /// The page's number for it, which its answer bears.
        id: u32,
    },
    /// The flock goes on.
    Play {
        /// The page's number for it, which its answer bears.
        id: u32,
    },
    /// One step, and then the flock stands still.
    Step {
        /// The page's number for it, which its answer bears.
        id: u32,
    },
    /// The flock is built anew from the scene as tuned.
    Reset {
        /// The page's number for it, which its answer bears.
        id: u32,
    },
    /// How much faster than the scene's own time steps are made.
    Speed {
        /// The page's number for it, which its answer bears.
        id: u32,
        /// 1 is real time.
        factor: f64,
    },
    /// Why a boid goes where it goes.
    Explain {
        /// The page's number for it, which its answer bears.
        id: u32,
        /// Id of the boid.
        boid: u64,
    },
}

impl Request {
    /// The page's number for it; 0 where there is none.
    pub fn id(&self) -> u32 {
        match *self {
            Self::Next {} => 0,
            Self::Set { id, .. }
            | Self::Remove { id, .. }
            | Self::Pause { id }
            | Self::Play { id }
            | Self::Step { id }
            | Self::Reset { id }
            | Self::Speed { id, .. }
            | Self::Explain { id, .. } => id,
        }
    }
}

impl TryFrom<Map<String, Value>> for Request {
    type Error = String;

    /// Takes the fields one by one: what serde derives for an enum with a tag is ten times the
    /// machine code, which pages carry.
    fn try_from(fields: Map<String, Value>) -> Result<Self, String> {
        let mut fields = Fields(fields);
        let action = fields.text("do")?;
        let id = if action == "next" {
            0
        } else {
            fields.take("id", "a whole number of 32 bits", |id| id.as_u64()?.try_into().ok())?
        };
        let request = match action.as_str() {
            "next" => Self::Next {},
            "set" => Self::Set { id, key: fields.text("key")?, value: fields.text("value")? },
            "remove" => Self::Remove { id, rule: fields.text("rule")? },
            "pause" => Self::Pause { id },
            "play" => Self::Play { id },
            "step" => Self::Step { id },
            "reset" => Self::Reset { id },
            "speed" => {
                Self::Speed { id, factor: fields.take("factor", "a number", Value::as_f64)? }
            }
            "explain" => Self::Explain {
                id,
                boid: fields.take("boid", "a whole number, 0 and above", Value::as_u64)?,
            },
            _ => {
                let allowed = "next, set, remove, pause, play, step, reset, speed, explain";
                return Err(format!("do = {}: allowed is {allowed}", shown(&action.into())));
            }
        };
        match fields.0.keys().next() {
            Some(name) => Err(format!("{}: not a field of {action}", name.escape_debug())),
            None => Ok(request),
        }
    }
}

/// What has not been taken of an object yet.
struct Fields(Map<String, Value>);

impl Fields {
    fn take<T>(
        &mut self,
        name: &str,
        allowed: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<T, String> {
        let value = self.0.remove(name).ok_or_else(|| format!("{name} is missing"))?;
        read(&value).ok_or_else(|| format!("{name} = {}: allowed is {allowed}", shown(&value)))
    }

    fn text(&mut self, name: &str) -> Result<String, String> {
        self.take(name, "a text", |value| value.as_str().map(str::to_string))
    }
}

/// A value as JSON, by what writes states too: its `Display` would be compiled beside that.
fn shown(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// What became of a request.
#[derive(Debug, Default, Serialize)]
#[serde(tag = "type", rename = "answer")]
pub struct Answer {
    /// The request's number.
    pub id: u32,
    /// Why not, in one line; `null` where all is well.
    pub error: Option<String>,
    /// When a value that was set holds: `next_step` or `rebuild`; `null` where it is for other
    /// commands only (`flock.steps`).
    pub effect: Option<&'static str>,
    /// What `explain --json` prints.
    pub page: Option<Box<SceneExplanation>>,
}

impl Answer {
    /// That of a request which was refused, in one line.
    pub fn refused(error: String) -> Self {
        Self { error: Some(error), ..Self::default() }
    }
}

/// How things stand: sent to every viewer at its start and after every change.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "state")]
pub struct State {
    /// Name of the scene.
    pub scene: String,
    /// What it says about itself.
    pub about: String,
    /// What its page says, and which sliders come first on it.
    pub lesson: Words,
    /// 2 or 3.
    pub dimensions: usize,
    /// Lowest and highest corner of the domain; `null` where it has no edges.
    pub bounds: Option<[Vec<f32>; 2]>,
    /// Whether boids that leave on one side enter on the other.
    pub periodic: bool,
    /// The domain as in pages of recordings: its kind, and its corners where it has edges.
    pub domain: Value,
    /// Names of the species, in the scene's order; empty where there are none.
    pub species: Vec<String>,
    /// The radius of a body of each species, or one where there are no species; empty where boids
    /// are points.
    pub radii: Vec<f32>,
    /// Exits and sources: the kind, the name, and the six numbers of each line of the outline.
    pub places: Vec<Value>,
    /// How many boids there are.
    pub boids: usize,
    /// What they are called.
    pub noun: &'static str,
    /// The unit of lengths, where the scene says it; times are seconds then.
    pub unit: Option<String>,
    /// Time one step covers.
    pub dt: f32,
    /// Whether the flock stands still.
    pub paused: bool,
    /// How much faster than the scene's own time.
    pub speed: f64,
    /// How often the flock has been built anew.
    pub run: u32,
    /// Keys whose values wait for a reset.
    pub pending: Vec<String>,
    /// The rules that the scene does not have.
    pub absent: Vec<&'static str>,
    /// Values that are accepted, but unlikely to be meant.
    pub warnings: Vec<String>,
    /// All keys that have a say.
    pub controls: Vec<Control>,
}

/// A lesson as pages have it: [`Lesson`].
#[derive(Debug, Serialize)]
pub struct Words {
    /// The heading; empty for the scene's name.
    pub title: String,
    /// A few sentences of Markdown.
    pub text: String,
    /// Keys, each with a sentence.
    pub sliders: Vec<(String, String)>,
}

impl From<Lesson> for Words {
    fn from(Lesson { title, text, sliders }: Lesson) -> Self {
        Self { title, text, sliders }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Request, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn every_request_is_read() {
        for (json, shown) in [
            (r#"{"do": "next"}"#, "Next"),
            (
                r#"{"do": "set", "id": 1, "key": "a.b", "value": "2"}"#,
                r#"Set { id: 1, key: "a.b", value: "2" }"#,
            ),
            (
                r#"{"id": 2, "rule": "cohesion", "do": "remove"}"#,
                r#"Remove { id: 2, rule: "cohesion" }"#,
            ),
            (r#"{"do": "pause", "id": 3}"#, "Pause { id: 3 }"),
            (r#"{"do": "play", "id": 4294967295}"#, "Play { id: 4294967295 }"),
            (r#"{"do": "step", "id": 5}"#, "Step { id: 5 }"),
            (r#"{"do": "reset", "id": 6}"#, "Reset { id: 6 }"),
            (r#"{"do": "speed", "id": 7, "factor": 2}"#, "Speed { id: 7, factor: 2.0 }"),
            (
                r#"{"do": "explain", "id": 8, "boid": 18446744073709551615}"#,
                "Explain { id: 8, boid: 18446744073709551615 }",
            ),
        ] {
            assert_eq!(format!("{:?}", read(json).expect(json)), shown);
        }
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for (json, said) in [
            (r#"{"id": 1}"#, "do is missing"),
            (r#"{"do": "dance", "id": 1}"#, "allowed is next, set"),
            (r#"{"do": "pause"}"#, "id is missing"),
            (r#"{"do": "pause", "id": 4294967296}"#, "id = 4294967296: allowed is a whole number"),
            (r#"{"do": "pause", "id": -1}"#, "id = -1"),
            (r#"{"do": "pause", "id": null}"#, "id = null"),
            (r#"{"do": "pause", "id": 1, "key": "a"}"#, "key: not a field of pause"),
            (r#"{"do": "next", "id": 1}"#, "id: not a field of next"),
            (r#"{"do": "set", "id": 1, "key": "a.b", "value": 2}"#, "value = 2: allowed is a text"),
            (r#"{"do": "set", "id": 1, "key": "a.b"}"#, "value is missing"),
            (r#"{"do": "speed", "id": 1, "factor": "2"}"#, "factor = \"2\": allowed is a number"),
            (r#"{"do": "explain", "id": 1, "boid": 1.5}"#, "boid = 1.5: allowed is a whole number"),
            (r#"["pause", 1]"#, "map"),
            ("pause", "expected value"),
        ] {
            let refusal = read(json).expect_err(json);
            assert!(refusal.contains(said) && refusal.lines().count() == 1, "{refusal}");
        }
    }
}
