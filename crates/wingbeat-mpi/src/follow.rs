//! All ranks but the first: they do what they are told.

use std::path::Path;

use wingbeat::{Level, TimeStep, Transport};
use wingbeat_record::checkpoint::{self, AnyCheckpoint};
use wingbeat_scene::{Scene, Schedule};

use crate::any::{AnyPart, StepError, empty_flock};
use crate::orders::{BeginFlock, Order};
use crate::ranks::Ranks;
use crate::recording::Recording;

/// A rank that follows.
#[derive(Default)]
struct Follower {
    part: Option<AnyPart>,
    schedule: Option<Schedule>,
    recording: Option<Recording>,
    dt: Option<TimeStep>,
}

/// Does what the first rank says, until it says that the run is over; tells the exit code. What is
/// wrong here is wrong on the first rank, too, which says it.
pub fn follow(ranks: &mut Ranks) -> u8 {
    let mut follower = Follower::default();
    loop {
        match ranks.hear() {
            Ok((Order::End(code), _)) => return code,
            Ok((order, flock)) => {
                // The same happens to the first rank in the same call: it will tell, and say that
                // the run is over.
                let _ = follower.does(order, flock, ranks);
            }
            Err(_) => return 1,
        }
    }
}

impl Follower {
    fn does(
        &mut self,
        order: Order,
        flock: Option<AnyCheckpoint>,
        ranks: &mut Ranks,
    ) -> Result<(), String> {
        match order {
            Order::Begin(begin) => self.begin(begin, flock, ranks),
            Order::Step => {
                let (Some(part), Some(dt)) = (&mut self.part, self.dt) else { return Ok(()) };
                part.step(dt, self.schedule.as_mut(), ranks).map_err(|error| match error {
                    StepError::Subdomain(error) => error.to_string(),
                    StepError::Scene(error) => error.to_string(),
                })?;
                part.events(ranks).map_err(|error| error.to_string())?;
                Ok(())
            }
            Order::Whole => {
                let Some(part) = &mut self.part else { return Ok(()) };
                part.whole(ranks).map(drop).map_err(|error| error.to_string())
            }
            Order::Checkpoint { path, made } => {
                let Some(part) = &mut self.part else { return Ok(()) };
                let written = write_part(Path::new(&path), made, ranks.rank(), &part.checkpoint());
                ranks.agree(written)
            }
            Order::BeginRecording(order) => {
                let begun = Recording::begin(&order, (ranks.rank(), ranks.size()))
                    .map_err(|error| error.to_string());
                ranks.agree(begun.as_ref().map(drop).map_err(String::clone))?;
                self.recording = begun.ok();
                Ok(())
            }
            Order::Record => match (&mut self.recording, &mut self.part) {
                (Some(recording), Some(part)) => recording.record(part, ranks),
                _ => Ok(()),
            },
            Order::SyncRecording => {
                self.recording.as_mut().map_or(Ok(()), |recording| recording.sync(ranks).map(drop))
            }
            Order::FinishRecording => {
                self.recording.take().map_or(Ok(()), |recording| recording.finish(ranks).map(drop))
            }
            Order::Report => {
                let Some(part) = &mut self.part else { return Ok(()) };
                ranks.all(&part.traffic_words()).map(drop).map_err(|error| error.to_string())
            }
            Order::End(_) => Ok(()),
        }
    }

    fn begin(
        &mut self,
        begin: BeginFlock,
        common: Option<AnyCheckpoint>,
        ranks: &mut Ranks,
    ) -> Result<(), String> {
        let BeginFlock { dt, scene, level, threads } = begin;
        let made = (|| {
            let common = common.ok_or("an order to begin without a flock")?;
            let level = level
                .map(|name| name.parse::<Level>().map_err(|error| error.to_string()))
                .transpose()?;
            let flock = empty_flock(&common, level, threads).map_err(|error| error.to_string())?;
            let schedule = match scene {
                Some((name, text)) => Some(
                    Scene::parse(&name, &text, &[]).map_err(|error| error.to_string())?.schedule(),
                ),
                None => None,
            };
            Ok((flock, schedule, TimeStep::new(dt).map_err(|error| error.to_string())?))
        })();
        ranks.agree(
            made.as_ref()
                .map(drop)
                .map_err(|error: &String| format!("rank {}: {error}", ranks.rank())),
        )?;
        let (flock, schedule, dt) = made?;
        (self.schedule, self.dt) = (schedule, Some(dt));
        self.part = Some(AnyPart::join(flock, ranks).map_err(|error| error.to_string())?);
        Ok(())
    }
}

/// The name of the file beside a checkpoint that has the boids of a rank.
pub fn part_name(path: &Path, made: u64, rank: usize) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{name}.{made}-{rank}")
}

/// Writes it.
pub fn write_part(
    path: &Path,
    made: u64,
    rank: usize,
    checkpoint: &AnyCheckpoint,
) -> Result<(), String> {
    let file = path.with_file_name(part_name(path, made, rank));
    let written = match checkpoint {
        AnyCheckpoint::Two(part) => checkpoint::save(&file, part),
        AnyCheckpoint::Three(part) => checkpoint::save(&file, part),
    };
    written.map(drop).map_err(|error| error.to_string())
}

/// Removes the files of checkpoints before. One that stays is in no rank's way.
pub fn remove_older_parts(path: &Path, made: u64) {
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Some(name), Ok(entries)) = (path.file_name(), std::fs::read_dir(folder)) else { return };
    let before = |file: &str| {
        let (step, rank) =
            file.strip_prefix(&*name.to_string_lossy())?.strip_prefix('.')?.split_once('-')?;
        let _: usize = rank.parse().ok()?;
        step.parse::<u64>().ok().filter(|&step| step != made)
    };
    for entry in
        entries.flatten().filter(|entry| before(&entry.file_name().to_string_lossy()).is_some())
    {
        let _ = std::fs::remove_file(entry.path());
    }
}
