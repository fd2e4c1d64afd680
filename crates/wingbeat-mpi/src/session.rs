//! The first rank: a run as `wingbeat run` has it, whose steps are orders to all ranks.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use wingbeat::{Level, SubdomainError, TimeStep, Transport};
use wingbeat_cli::in_parts::{Failure, Parts, PartsReport, Recorded, Stepped};
use wingbeat_record::checkpoint::AnyCheckpoint;
use wingbeat_record::{About, RecordedPart, prepare_folder, remove_segments};
use wingbeat_scene::{AnyFlock, Built, Scene, Schedule};

use crate::any::{AnyPart, StepError, empty_flock};
use crate::follow::{remove_older_parts, write_part};
use crate::orders::{BeginFlock, Order};
use crate::ranks::Ranks;
use crate::recording::{self, Recording, bytes_in};

/// All ranks, as the run on the first one sees them.
pub struct Session {
    ranks: Rc<RefCell<Ranks>>,
    part: Option<AnyPart>,
    /// What follows the scene's ramps.
    schedule: Option<Schedule>,
    /// What this rank records, and where all of it will be.
    recording: Option<(Recording, PathBuf)>,
    level: Option<String>,
    threads: usize,
    /// Boids over all steps, and how long those took.
    boid_steps: u64,
    stepping: Duration,
}

impl Session {
    pub fn new(ranks: Rc<RefCell<Ranks>>, level: Option<&str>) -> Self {
        Self {
            ranks,
            part: None,
            schedule: None,
            recording: None,
            level: level.map(str::to_string),
            threads: 1,
            boid_steps: 0,
            stepping: Duration::ZERO,
        }
    }

    fn order(&self, order: &Order) -> Result<(), Failure> {
        self.ranks.borrow().order(order).map_err(Failure::Other)
    }

    fn part(&mut self) -> Result<(&mut AnyPart, std::cell::RefMut<'_, Ranks>), Failure> {
        let part = self
            .part
            .as_mut()
            .ok_or_else(|| Failure::Other("no flock was given to the ranks".into()))?;
        Ok((part, self.ranks.borrow_mut()))
    }
}

/// What all ranks have in common.
fn without_boids(checkpoint: AnyCheckpoint) -> AnyCheckpoint {
    match checkpoint {
        AnyCheckpoint::Two(all) => AnyCheckpoint::Two(Box::new(all.without_boids())),
        AnyCheckpoint::Three(all) => AnyCheckpoint::Three(Box::new(all.without_boids())),
    }
}

/// What cannot be in parts is the user's affair; a rank that is gone is not.
fn failed(error: SubdomainError) -> Failure {
    match error {
        SubdomainError::Refused(refused) => Failure::BadInput(refused.to_string()),
        other => Failure::Other(other.to_string()),
    }
}

impl Parts for Session {
    fn begin(&mut self, built: &mut Built, scene: &Scene) -> Result<(), Failure> {
        if scene.moves_sequentially() {
            let allowed = "at_once, where a flock is in parts: boids that move one after the other \
                are on one rank";
            return Err(Failure::BadInput(format!(
                "model.update = \"sequential\": allowed is {allowed}"
            )));
        }
        self.threads = built.flock.threads();
        let common = without_boids(built.flock.checkpoint());
        let level = self.level.as_ref().and_then(|name| name.parse::<Level>().ok());
        let stand_in = empty_flock(&common, level, 1).map_err(failed)?;
        let mut ramps = None;
        if !scene.ramps().is_empty() {
            ramps = Some((scene.name().to_string(), scene.clone().with_floor_inside()?.to_toml()));
            self.schedule = Some(scene.schedule());
        }
        let begin = BeginFlock {
            dt: scene.dt().get(),
            scene: ramps,
            level: self.level.clone(),
            threads: self.threads,
        };
        let ordered = self.ranks.borrow().order_with(&Order::Begin(begin), Some(&common));
        ordered.map_err(Failure::Other)?;
        let flock = std::mem::replace(&mut built.flock, stand_in);
        let mut ranks = self.ranks.borrow_mut();
        ranks.agree(Ok(())).map_err(Failure::Other)?;
        self.part = Some(AnyPart::join(flock, &mut ranks).map_err(failed)?);
        Ok(())
    }

    fn step(&mut self, dt: TimeStep) -> Result<Stepped, Failure> {
        let begun = Instant::now();
        self.order(&Order::Step)?;
        let mut schedule = self.schedule.take();
        let (part, mut ranks) = self.part()?;
        let stepped = part.step(dt, schedule.as_mut(), &mut ranks).map_err(|error| match error {
            StepError::Subdomain(error) => failed(error),
            StepError::Scene(error) => error.into(),
        });
        let events = stepped.and_then(|()| part.events(&mut ranks).map_err(failed))?;
        let boids = part.len_of_all();
        drop(ranks);
        self.schedule = schedule;
        self.boid_steps += boids as u64;
        self.stepping += begun.elapsed();
        let (mut came, mut gone) = (0, 0);
        for event in &events {
            match event {
                wingbeat::Event::Entered { .. } => came += 1,
                wingbeat::Event::Left { .. }
                | wingbeat::Event::Exited { .. }
                | wingbeat::Event::Captured { .. } => gone += 1,
                _ => {}
            }
        }
        Ok(Stepped { boids, left: boids + came - gone, events })
    }

    fn whole(&mut self) -> Result<AnyFlock, Failure> {
        self.order(&Order::Whole)?;
        let (part, mut ranks) = self.part()?;
        let whole = part.whole(&mut ranks).map_err(failed)?;
        whole.ok_or_else(|| Failure::Other("the flock came together on another rank".into()))
    }

    fn write_checkpoint(
        &mut self,
        path: &Path,
        made: u64,
    ) -> Result<(AnyCheckpoint, Vec<String>), Failure> {
        let shown = path.display().to_string();
        let failed = |why: String| Failure::Other(format!("--checkpoint {shown}: {why}"));
        self.order(&Order::Checkpoint { path: path.to_string_lossy().into_owned(), made })?;
        let (part, mut ranks) = self.part()?;
        let checkpoint = part.checkpoint();
        let written = write_part(path, made, ranks.rank(), &checkpoint);
        let names =
            (0..ranks.size()).map(|rank| crate::follow::part_name(path, made, rank)).collect();
        ranks.agree(written).map_err(failed)?;
        Ok((without_boids(checkpoint), names))
    }

    fn checkpoint_is_written(&mut self, path: &Path, made: u64) {
        remove_older_parts(path, made);
    }

    fn begin_recording(
        &mut self,
        path: &Path,
        about: About,
        resumed: Option<(u64, u64)>,
    ) -> Result<(), Failure> {
        prepare_folder(path, resumed, &about)?;
        let folder = path.to_path_buf();
        let order =
            Order::BeginRecording(Box::new(recording::BeginRecording { folder, about, resumed }));
        self.order(&order)?;
        let Order::BeginRecording(begin) = order else { return Ok(()) };
        let mut ranks = self.ranks.borrow_mut();
        let begun = Recording::begin(&begin, (ranks.rank(), ranks.size()));
        let told = begun.as_ref().map(drop).map_err(|error| error.to_string());
        let agreed = ranks.agree(told).map_err(Failure::Other);
        // What this rank is refused, it says with its own exit code.
        self.recording = Some((begun?, begin.folder.clone()));
        agreed?;
        // Nothing can be refused any more: what is recorded again takes its place.
        Ok(remove_segments(&begin.folder, begin.step())?)
    }

    fn record(&mut self) -> Result<(), Failure> {
        self.order(&Order::Record)?;
        let (Some((recording, _)), Some(part)) = (&mut self.recording, &mut self.part) else {
            return Ok(());
        };
        recording.record(part, &mut self.ranks.borrow_mut()).map_err(Failure::Other)
    }

    fn sync_recording(&mut self) -> Result<RecordedPart, Failure> {
        self.order(&Order::SyncRecording)?;
        let Some((recording, _)) = &mut self.recording else {
            return Err(Failure::Other("nothing was recorded".into()));
        };
        recording.sync(&mut self.ranks.borrow_mut()).map_err(Failure::Other)
    }

    fn finish_recording(&mut self) -> Result<Recorded, Failure> {
        self.order(&Order::FinishRecording)?;
        let Some((recording, folder)) = self.recording.take() else {
            return Err(Failure::Other("nothing was recorded".into()));
        };
        let frames = recording.finish(&mut self.ranks.borrow_mut()).map_err(Failure::Other)?;
        Ok(Recorded { file: folder.display().to_string(), frames, bytes: bytes_in(&folder) })
    }

    fn report(&mut self) -> Result<PartsReport, Failure> {
        self.order(&Order::Report)?;
        let (boid_steps, stepping) =
            (self.boid_steps.max(1) as f64, self.stepping.as_secs_f64().max(f64::MIN_POSITIVE));
        let (part, mut ranks) = self.part()?;
        let mine = part.traffic_words();
        let all = ranks.all(&mine).map_err(|lost| Failure::Other(lost.to_string()))?;
        let number = |words: &[u32], at: usize| {
            (u64::from(words[2 * at]) | u64::from(words[2 * at + 1]) << 32) as f64
        };
        let sum = |at: usize| all.iter().map(|words| number(words, at)).sum::<f64>();
        let most = |at: usize| all.iter().map(|words| number(words, at)).fold(0.0, f64::max) * 1e-9;
        let (imbalance, moved_boundaries) = part.imbalance();
        Ok(PartsReport {
            ranks: ranks.size(),
            imbalance,
            moved_boundaries,
            moved: sum(0) / boid_steps,
            told: sum(1) / boid_steps,
            bytes: 4.0 * sum(2) / boid_steps,
            writing: most(3) / stepping,
            waiting: most(4) / stepping,
        })
    }

    fn threads(&self) -> usize {
        self.threads * self.ranks.borrow().size()
    }
}
