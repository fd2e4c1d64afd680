//! `--html`: the page of one side.

use std::path::Path;

use wingbeat_page::{Page, PageOptions};
use wingbeat_record::{Frames, Options};
use wingbeat_scene::{Machine, Scene};

use crate::failure::Failure;
use crate::page::steps_apart;
use crate::record::Record;
use crate::{interrupt, progress};

/// The page of a recording.
pub fn of_recording(path: &Path, options: &Options, limit: u64) -> Result<Page, Failure> {
    let bar = progress::bytes();
    let opened = Frames::open(path, options, &progress::watch(&bar));
    bar.finish_and_clear();
    let mut footage = opened?;
    let bar = progress::counted(footage.len() as u64, "frames");
    let page =
        wingbeat_page::replay_watched(&mut footage, &PageOptions { limit, ..PageOptions::default() }, &progress::watch(&bar));
    bar.finish_and_clear();
    Ok(page?)
}

/// The page of a scene, which is flown once more for it.
pub fn of_scene(scene: &Scene, machine: &Machine, limit: u64) -> Result<Page, Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::Other(format!("no page: {error}")))?;
    let path = folder.path().join("run.wbr");
    let mut built = scene.build(machine)?;
    let every = steps_apart(scene, &built, limit);
    let mut record = Record::to(&path, &built, scene, every)?;
    record.capture(&built.flock, 0)?;
    let bar = progress::counted(scene.steps(), "steps");
    for made in 1..=scene.steps() {
        if interrupt::requested() {
            bar.finish_and_clear();
            return Err(Failure::Stopped("stopped; nothing is written".into()));
        }
        built.step(scene.dt())?;
        record.capture(&built.flock, made)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    record.finish()?;
    // Frames were chosen by an estimate: a page a little larger is better than one of half the frames.
    of_recording(&path, &Options::default(), limit / 4 * 5)
}
