//! Where frames come from: a recording, or a flock that is stepped.

use std::path::Path;

use indicatif::ProgressBar;
use wingbeat_record::{Frames, Options, Snapshot, left_out, readable};
use wingbeat_render::Bounds;
use wingbeat_scene::{AnyFlock, Built, Machine, Scene};

use super::args::RenderArgs;
use crate::args::SceneValues;
use crate::failure::Failure;
use crate::still::{bounds, box_of};
use crate::{interrupt, progress, terminal};

/// Frames by number, from 0, to be asked for in ascending order.
pub enum Source {
    Recording(Frames),
    Scene { built: Box<Built>, scene: Box<Scene>, made: u64 },
}

impl Source {
    /// Opens what was given.
    pub fn open(args: &RenderArgs, machine: &Machine) -> Result<Self, Failure> {
        let extension = Path::new(&args.input).extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
        if let Some(message) = left_out(&extension) {
            return Err(Failure::BadInput(format!("{}: {message}", args.input)));
        }
        if !readable().contains(&extension.as_str()) {
            let scene = Scene::load(&args.input, &args.values.overrides()?)?;
            let built = scene.build(machine)?;
            built.notes.iter().for_each(|note| terminal::note(note));
            return Ok(Self::Scene { built: Box::new(built), scene: Box::new(scene), made: 0 });
        }
        if args.values != SceneValues::default() {
            let message = format!(
                "{}: a recording: allowed with it is none of --steps, --dt, --boids, --seed, --initial, --set",
                args.input
            );
            return Err(Failure::BadInput(message));
        }
        let bar = progress::bytes();
        let opened = Frames::open(Path::new(&args.input), &Options::default(), &progress::watch(&bar));
        bar.finish_and_clear();
        let frames = opened?;
        if frames.is_empty() {
            return Err(Failure::BadInput(format!("{}: no frame in it: allowed is at least one", args.input)));
        }
        frames.notes().iter().for_each(|note| terminal::note(note));
        Ok(Self::Recording(frames))
    }

    /// How many frames there are.
    pub fn len(&self) -> u64 {
        match self {
            Self::Recording(frames) => frames.len() as u64,
            Self::Scene { scene, .. } => scene.steps() + 1,
        }
    }

    /// What frames are counted in.
    pub fn counts(&self) -> &'static str {
        if matches!(self, Self::Recording(_)) { "frames" } else { "steps" }
    }

    pub fn bounds(&self) -> Option<Bounds> {
        match self {
            Self::Recording(frames) => box_of(&frames.about().edges),
            Self::Scene { built, .. } => bounds(&built.flock),
        }
    }

    pub fn dimensions(&self) -> usize {
        match self {
            Self::Recording(frames) => frames.about().dimensions,
            Self::Scene { built, .. } => built.flock.dimensions(),
        }
    }

    /// Reads or makes frame `k`. A scene may be stopped on the way; false then.
    pub fn read(&mut self, k: u64, out: &mut Snapshot, bar: &ProgressBar) -> Result<bool, Failure> {
        match self {
            Self::Recording(frames) => {
                frames.read(k as usize, out)?;
                bar.set_position(k);
            }
            Self::Scene { built, scene, made } => {
                while *made < k {
                    if interrupt::requested() {
                        return Ok(false);
                    }
                    built.flock.step(scene.dt());
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
