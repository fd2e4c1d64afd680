//! Where frames come from: a recording, or a flock that is stepped.

use std::path::Path;

use indicatif::ProgressBar;
use wingbeat_record::{Frames, Snapshot, in_python, readable};
use wingbeat_render::Bounds;
use wingbeat_scene::{AnyFlock, Built, Machine, Outlines, Scene, Segment};

use super::args::RenderArgs;
use crate::failure::Failure;
use crate::files::Files;
use crate::options::SceneValues;
use crate::still::{bounds, box_of};
use crate::{interrupt, progress, terminal};

/// Frames by number, from 0, to be asked for in ascending order.
pub enum FrameSource {
    /// With the obstacles of the scene it is of.
    Recording(Box<Frames>, Option<Outlines>),
    Scene {
        built: Box<Built>,
        scene: Box<Scene>,
        made: u64,
    },
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
        let about = frames.about();
        let scene = if about.scene.is_empty() {
            None
        } else {
            Scene::parse(&about.name, &about.scene, &[]).ok()
        };
        let outlines = scene.and_then(|scene| Outlines::of(&scene, &about.edges).ok().flatten());
        Ok(Self::Recording(Box::new(frames), outlines))
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
            Self::Recording(_, outlines) => {
                outlines.as_mut().map_or_else(Vec::new, |outlines| outlines.at(time))
            }
            Self::Scene { built, .. } => built.flock.outlines(),
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
