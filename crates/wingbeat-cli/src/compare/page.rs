//! `--html`: the page of one side.

use std::path::Path;

use wingbeat_page::{Page, PageOptions};
use wingbeat_record::Options;
use wingbeat_scene::{Machine, Scene};

use crate::failure::Failure;
use crate::page::{of_chosen_frames, steps_apart};
use crate::record::Record;
use crate::replay::{open_footage, page_of};
use crate::{interrupt, progress};

/// The page of a recording.
pub fn of_recording(
    path: &Path,
    options: &Options,
    page_options: &PageOptions,
) -> Result<Page, Failure> {
    page_of(&mut open_footage(path, options)?, page_options)
}

/// The page of a scene, which is flown once more for it.
pub fn of_scene(scene: &Scene, machine: &Machine, limit: u64) -> Result<Page, Failure> {
    let folder =
        tempfile::tempdir().map_err(|error| Failure::Other(format!("no page: {error}")))?;
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
    of_recording(&path, &Options::default(), &of_chosen_frames(limit))
}
