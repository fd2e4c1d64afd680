//! Where frames come from: a recording, or a flock that is stepped.

use std::path::Path;

use indicatif::ProgressBar;
use wingbeat_record::{About, Frames, Snapshot, in_python, readable};
use wingbeat_render::{Bounds, Style};
use wingbeat_scene::{AnyFlock, Built, Machine, Outlines, Place, Scene, Segment};
use wingbeat_session::surroundings::radii;

use super::args::RenderArgs;
use crate::failure::Failure;
use crate::files::Files;
use crate::options::SceneValues;
use crate::still::{bounds, box_of, worded, worded_of};
use crate::{interrupt, progress, terminal};

/// Frames by number, from 0, to be asked for in ascending order.
pub enum FrameSource {
    Recording(Box<Frames>, Scenery),
    Scene { built: Box<Built>, scene: Box<Scene>, made: u64 },
}

/// What a recording's scene has beside boids.
pub struct Scenery {
    obstacles: Option<Outlines>,
    exits: Vec<Segment>,
    /// Of bodies, by species.
    radii: Vec<f32>,
    /// What boids are called.
    noun: &'static str,
}

impl Default for Scenery {
    fn default() -> Self {
        Self { obstacles: None, exits: Vec::new(), radii: Vec::new(), noun: "boids" }
    }
}

impl Scenery {
    fn of(about: &About) -> Option<Self> {
        let scene = Scene::parse(&about.name, &about.scene, &[]).ok()?;
        let places = Place::all(&scene, &about.edges).unwrap_or_default();
        let exits = places.into_iter().filter(|place| place.kind == "exit");
        Some(Self {
            obstacles: Outlines::of(&scene, &about.edges).ok().flatten(),
            exits: exits.flat_map(|place| place.lines).collect(),
            radii: radii(scene.params()),
            noun: scene.noun(),
        })
    }
}

impl FrameSource {
    /// Opens what was given.
    pub fn open(args: &RenderArgs, machine: &Machine, files: &mut Files) -> Result<Self, Failure> {
        let extension = Path::new(&args.input)
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or("")
            .to_ascii_lowercase();
        let options = args.read.options()?;
        if !readable().contains(&extension.as_str()) {
            if let Some(message) = in_python(Path::new(&args.input)) {
                return Err(Failure::BadInput(format!("{}: {message}", args.input)));
            }
            if let Some((flag, value)) = args.read.given() {
                return Err(Failure::value(
                    flag,
                    value,
                    "nothing here: it is for recordings, and this is a scene",
                ));
            }
            let scene = Scene::load(&args.input, &args.values.overrides()?)?;
            files.read_scene(&args.input, &scene)?;
            let built = scene.build(machine)?;
            built.notes.iter().for_each(|note| terminal::note(note));
            return Ok(Self::Scene { built: Box::new(built), scene: Box::new(scene), made: 0 });
        }
        if args.values != SceneValues::default() {
            let message = format!(
                "{}: a recording: allowed with it is none of --steps, --dt, --boids, --seed, \
                    --initial, --set",
                args.input
            );
            return Err(Failure::BadInput(message));
        }
        files.read(&args.input)?;
        let bar = progress::bytes();
        let opened = Frames::open(Path::new(&args.input), &options, &progress::watch(&bar));
        bar.finish_and_clear();
        let frames = opened?;
        if frames.is_empty() {
            return Err(Failure::BadInput(format!(
                "{}: no frame in it: allowed is at least one",
                args.input
            )));
        }
        frames.notes().iter().for_each(|note| terminal::note(note));
        let scenery = Scenery::of(frames.about()).unwrap_or_default();
        Ok(Self::Recording(Box::new(frames), scenery))
    }

    /// How many frames there are.
    pub fn len(&self) -> u64 {
        match self {
            Self::Recording(frames, _) => frames.len() as u64,
            Self::Scene { scene, .. } => scene.steps() + 1,
        }
    }

    /// What frames are counted in.
    pub fn counts(&self) -> &'static str {
        if matches!(self, Self::Recording(..)) { "frames" } else { "steps" }
    }

    /// What coordinates of the recording's file were multiplied by.
    pub fn factors(&self) -> [f64; 3] {
        match self {
            Self::Recording(frames, _) => frames.factors(),
            Self::Scene { .. } => [1.0; 3],
        }
    }

    /// The usual style, with what units and boids are called here.
    pub fn words(&self) -> Style {
        match self {
            Self::Recording(frames, scenery) => {
                worded(frames.about().unit, frames.time_unit(), scenery.noun)
            }
            Self::Scene { scene, .. } => worded_of(scene),
        }
    }

    pub fn bounds(&self) -> Option<Bounds> {
        match self {
            Self::Recording(frames, _) => box_of(&frames.about().edges),
            Self::Scene { built, .. } => bounds(&built.flock),
        }
    }

    pub fn dimensions(&self) -> usize {
        match self {
            Self::Recording(frames, _) => frames.about().dimensions,
            Self::Scene { built, .. } => built.flock.dimensions(),
        }
    }

    /// Names of the species, of which there may be none.
    pub fn species(&self) -> Vec<String> {
        match self {
            Self::Recording(frames, _) => frames.about().species.clone(),
            Self::Scene { scene, .. } => scene.params().species_names(),
        }
    }

    /// Lines of the obstacles, as they are in the frame read last, at this time.
    pub fn lines(&mut self, time: f64) -> Vec<Segment> {
        match self {
            Self::Recording(_, Scenery { obstacles, .. }) => {
                obstacles.as_mut().map_or_else(Vec::new, |outlines| outlines.at(time))
            }
            Self::Scene { built, .. } => built.flock.outlines(),
        }
    }

    /// Lines of the exits.
    pub fn exits(&self) -> Vec<Segment> {
        match self {
            Self::Recording(_, scenery) => scenery.exits.clone(),
            Self::Scene { built, .. } => built.flock.exit_outlines(),
        }
    }

    /// Radii of bodies by species, or one where there are none; empty of points.
    pub fn radii(&self) -> Vec<f32> {
        match self {
            Self::Recording(_, scenery) => scenery.radii.clone(),
            Self::Scene { scene, .. } => radii(scene.params()),
        }
    }

    /// Reads or makes frame `k`. A scene may be stopped on the way; false then.
    pub fn read(&mut self, k: u64, out: &mut Snapshot, bar: &ProgressBar) -> Result<bool, Failure> {
        match self {
            Self::Recording(frames, _) => {
                frames.read(k as usize, out)?;
                bar.set_position(k);
            }
            Self::Scene { built, scene, made } => {
                while *made < k {
                    if interrupt::requested() {
                        return Ok(false);
                    }
                    built.step(scene.dt())?;
                    *made += 1;
                    bar.set_position(*made);
                }
                let dt = f64::from(scene.dt().get());
                *out = match &built.flock {
                    AnyFlock::Two(flock) => Snapshot::of(&flock.frame(), dt),
                    AnyFlock::Three(flock) => Snapshot::of(&flock.frame(), dt),
                };
            }
        }
        Ok(true)
    }
}
