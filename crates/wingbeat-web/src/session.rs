//! A flock behind bytes, so that a page can have it.

use std::sync::Arc;

use serde_json::Value;
use wingbeat::steer::Boundary;
use wingbeat_record::Edges;
use wingbeat_record::checkpoint::AnyCheckpoint;
use wingbeat_scene::{Machine, Outlines, Row, Scene};
use wingbeat_session::{EditableScene, LiveFlock};

use crate::bytes::{boids_from, state_from, state_to};

/// A scene and its flock, on the calling thread alone; empty until one is [built](Self::build).
///
/// ```
/// use wingbeat_web::Session;
/// let mut session = Session::default();
/// session.build(
///     "small.toml",
///     "[flock]\nboids = 50\ndimensions = 2\n[cohesion]\nradius = 2.0\n",
///     &[],
/// )?;
/// session.step(3)?;
/// let frame = session.frame(0.0, true)?;
/// assert_eq!(frame.len(), 52 + 50 * (4 + 16));
/// let answer = session.request(r#"{"do": "explain", "id": 1, "boid": 7}"#)?;
/// assert!(answer.contains("\"boid\":7"));
/// # Ok::<(), String>(())
/// ```
#[derive(Default)]
pub struct Session {
    flock: Option<LiveFlock>,
    observed: [f32; 3],
    outlines: Option<Outlines>,
    lines: Vec<f32>,
    triangles: Vec<f32>,
}

/// What is said where there is no flock yet.
const NO_FLOCK: &str = "no scene was built: allowed after wingbeat_build";

impl Session {
    /// Builds the flock of a scene, in place of any before; it starts with the boids of the
    /// [frame](Self::frame) `start`, if that is not empty. Files that a scene names cannot be read
    /// in a page.
    ///
    /// # Errors
    /// In the words of `wingbeat check`; the flock before stays then.
    pub fn build(&mut self, name: &str, toml: &str, start: &[u8]) -> Result<(), String> {
        let parsed = Scene::parse(name, toml, &[]).map_err(|refusal| refusal.to_string())?;
        let initial = parsed.initial_file();
        let needed = parsed
            .files()
            .into_iter()
            .find(|file| start.is_empty() || Some(file) != initial.as_ref());
        if let Some(file) = needed {
            return Err(format!("{}: allowed in a page is a scene without files", file.display()));
        }
        let start = if start.is_empty() {
            None
        } else {
            Some(Arc::new(boids_from(start, parsed.dimensions())?))
        };
        let scene =
            EditableScene::parse(name, toml, start).map_err(|refusal| refusal.to_string())?;
        // One thread is the calling one: none is started.
        let machine = Machine { level: None, threads: Some(1) };
        self.flock = Some(
            LiveFlock::new(scene, machine, None, true).map_err(|refusal| refusal.to_string())?,
        );
        Ok(())
    }

    /// Makes so many steps.
    ///
    /// # Errors
    /// Without a flock.
    pub fn step(&mut self, steps: u32) -> Result<(), String> {
        let flock = self.flock_mut()?;
        (0..steps).for_each(|_| flock.step());
        Ok(())
    }

    /// Hash of the state, as `wingbeat run --json` prints it; 0 without a flock.
    pub fn state_hash(&self) -> u64 {
        self.flock.as_ref().map_or(0, |flock| flock.flock().state_hash())
    }

    /// Follows a request of wingbeat-session's protocol; its answer, as JSON.
    ///
    /// # Errors
    /// Without a flock, and where the text is not such a request.
    pub fn request(&mut self, json: &str) -> Result<String, String> {
        let flock = self.flock_mut()?;
        let request = serde_json::from_str(json)
            .map_err(|error| format!("not a request of the protocol: {error}"))?;
        serde_json::to_string(&flock.follow(request)).map_err(|error| error.to_string())
    }

    /// The state of wingbeat-session's protocol, as JSON.
    ///
    /// # Errors
    /// Without a flock.
    pub fn state(&self) -> Result<String, String> {
        serde_json::to_string(&self.flock()?.state()).map_err(|error| error.to_string())
    }

    /// The scene with all changes.
    ///
    /// # Errors
    /// Without a flock.
    pub fn toml(&self) -> Result<String, String> {
        Ok(self.flock()?.toml())
    }

    /// The boids as a frame. Polarization, milling and mean speed are those of the
    /// last frame that was observed.
    ///
    /// # Errors
    /// Without a flock.
    pub fn frame(&mut self, rate: f32, observe: bool) -> Result<Vec<u8>, String> {
        if observe {
            self.observed = self.flock()?.observe();
        }
        let observed = self.observed;
        Ok(self.flock()?.frame(rate, observed))
    }

    /// The state and the boids, as bytes for [`restore`](Self::restore).
    ///
    /// # Errors
    /// Without a flock.
    pub fn checkpoint(&self) -> Result<Vec<u8>, String> {
        let flock = self.flock()?;
        let mut bytes = state_to(flock.flock().checkpoint().state_mut())?;
        bytes.extend(flock.frame(0.0, self.observed));
        Ok(bytes)
    }

    /// Goes on from a checkpoint of a flock of the same scene, in the same bits, whatever boids
    /// have come or gone since.
    ///
    /// # Errors
    /// When the bytes are not a checkpoint of such a flock.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        let flock = self.flock_mut()?.flock_mut();
        let (state, frame) = state_from(bytes)?;
        let rows = boids_from(frame, flock.dimensions())?.rows;
        let mut checkpoint = flock.checkpoint();
        match &mut checkpoint {
            AnyCheckpoint::Two(to) => to.boids = rows.iter().map(Row::boid).collect(),
            AnyCheckpoint::Three(to) => to.boids = rows.iter().map(Row::boid).collect(),
        }
        *checkpoint.state_mut() = state;
        flock.restore(&checkpoint).map_err(|refusal| refusal.to_string())
    }

    /// Takes a scene for its obstacles: a JSON object of `name`, `toml` and `domain`, the domain of
    /// the flock as pages have it. Whether any of them moves; `None` where there are none.
    ///
    /// # Errors
    /// When it is no such object, or the scene is not accepted.
    pub fn world(&mut self, json: &str) -> Result<Option<bool>, String> {
        let world: Value =
            serde_json::from_str(json).map_err(|error| format!("not a world: {error}"))?;
        let text = |value: &Value, name: &str| match value[name].as_str() {
            Some(text) => Ok(text.to_string()),
            None => Err(format!("not a world: {name}: allowed is a text")),
        };
        let (name, toml, domain) = (text(&world, "name")?, text(&world, "toml")?, &world["domain"]);
        let boundary = match text(domain, "kind")?.as_str() {
            "open" => Boundary::Open,
            "periodic" => Boundary::Periodic,
            // To obstacles all others are alike.
            _ => Boundary::Reflecting,
        };
        let scene = Scene::parse(&name, &toml, &[]).map_err(|refusal| refusal.to_string())?;
        let corner =
            |corner: &Value| std::array::from_fn(|a| corner[a].as_f64().unwrap_or(0.0) as f32);
        let edges = Edges { boundary, min: corner(&domain["min"]), max: corner(&domain["max"]) };
        self.outlines = Outlines::of(&scene, &edges).map_err(|refusal| refusal.to_string())?;
        Ok(self.outlines.as_ref().map(Outlines::moves))
    }

    /// Where the obstacles of the [world](Self::world) are at a time.
    pub fn set_time(&mut self, time: f64) {
        let shapes =
            self.outlines.as_mut().map(|outlines| outlines.shapes_at(time)).unwrap_or_default();
        self.lines = shapes.lines.into_iter().flatten().flatten().collect();
        self.triangles = shapes.triangles.into_iter().flatten().flatten().collect();
    }

    /// Their edges at the [time set](Self::set_time), six numbers each.
    pub fn lines(&self) -> &[f32] {
        &self.lines
    }

    /// Their surfaces likewise, nine numbers each.
    pub fn triangles(&self) -> &[f32] {
        &self.triangles
    }

    fn flock(&self) -> Result<&LiveFlock, String> {
        self.flock.as_ref().ok_or_else(|| NO_FLOCK.to_string())
    }

    fn flock_mut(&mut self) -> Result<&mut LiveFlock, String> {
        self.flock.as_mut().ok_or_else(|| NO_FLOCK.to_string())
    }
}
