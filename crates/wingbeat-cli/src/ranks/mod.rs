//! A run on several ranks, for `wingbeat-mpi`: each runs the same command and steps its share of
//! the boids; the first alone prints, and writes files of the whole flock.
//!
//! Ranks call collective methods in the same order. Between two of them a rank may fail by itself:
//! whatever else is collective is preceded by [`Ranks::agree`], by which all ranks learn of it and
//! leave. A rank that has failed meets them there from [`Ranks::end`].

mod part;

use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use wingbeat::{Event, TimeStep, subdomain::Transport};
use wingbeat_record::checkpoint::{self, AnyCheckpoint};
use wingbeat_record::{About, RecordedPart, Recorder};
use wingbeat_scene::{AnyFlock, Built, Machine, Scene, Schedule};

use self::part::{AnyPart, flock_of, without_boids};
use crate::failure::Failure;
use crate::report::RanksReport;
use crate::until::Until;

/// What the bytes that ranks begin with say they are.
const KIND: &str = "beginning";

/// The ranks of a run, as one of them sees them.
pub struct Ranks<'a> {
    transport: &'a mut dyn Transport,
    part: Option<AnyPart>,
    /// What follows the scene's ramps, where it has some.
    schedule: Option<Schedule>,
    /// Whether the ranks have agreed that one has failed.
    is_over: bool,
    threads: usize,
    /// Boids over all steps, and how long those took.
    boid_steps: u64,
    stepping: Duration,
}

/// What ranks need to know to begin.
#[derive(Clone, Serialize, Deserialize)]
pub struct Beginning {
    /// Steps that were made before.
    pub made: u64,
    /// What is recorded by all ranks.
    pub about: Option<About>,
    /// How much of it there is.
    pub recorded: Option<RecordedPart>,
    /// What ends the run before all its steps are made.
    pub until: Until,
}

/// What came of a step.
pub struct Stepped {
    /// Boids when it began.
    pub boids: usize,
    /// Boids when it ended.
    pub left: usize,
    /// What happened, in order; on the first rank.
    pub events: Vec<Event>,
}

impl<'a> Ranks<'a> {
    pub fn new(transport: &'a mut dyn Transport) -> Self {
        Self {
            transport,
            part: None,
            schedule: None,
            is_over: false,
            threads: 1,
            boid_steps: 0,
            stepping: Duration::ZERO,
        }
    }

    /// Whether this is the rank that prints and writes.
    pub fn is_first(&self) -> bool {
        self.transport.rank() == 0
    }

    /// This rank, and how many there are.
    pub fn place(&self) -> (usize, usize) {
        (self.transport.rank(), self.transport.size())
    }

    /// Hands back what this rank has done, once no rank has failed in what it did; the failure of
    /// the first that has, which alone says it. Collective.
    pub fn agree<T>(&mut self, done: Result<T, Failure>) -> Result<T, Failure> {
        self.agree_on(done, |_| 0).map(|(done, _)| done)
    }

    /// The same, with the bits that `bits` tells of what is done, or'ed over all ranks. Collective.
    pub fn agree_on<T>(
        &mut self,
        done: Result<T, Failure>,
        bits: impl FnOnce(&T) -> u32,
    ) -> Result<(T, u32), Failure> {
        let failed = done.as_ref().err().map_or(0, |failure| u32::from(failure.code()) + 1);
        let all = self.transport.all(&[failed, done.as_ref().map_or(0, bits)]);
        let all = all.map_err(|lost| Failure::Other(lost.to_string()))?;
        let failed = all.iter().map(|words| words[0]).enumerate().find(|&(_, code)| code > 0);
        let Some((rank, code)) = failed else {
            return done.map(|done| (done, all.iter().fold(0, |bits, words| bits | words[1])));
        };
        self.is_over = true;
        match done {
            Err(own) if rank == self.transport.rank() => Err(own),
            _ => Err(Failure::Said((code - 1) as u8)),
        }
    }

    /// What came of a run, once all ranks have heard of it: they hear of a failure where they agree
    /// next, at the latest here. Collective.
    pub fn end(&mut self, done: Result<(), Failure>) -> Result<(), Failure> {
        if self.is_over { done } else { self.agree(done) }
    }

    /// Spreads the boids of the first rank, which alone has built a flock, over all, and tells the
    /// others what else it begins with. A flock without boids stays in the first one's place.
    /// Collective.
    pub fn spread(
        &mut self,
        scene: &Scene,
        machine: &Machine,
        own: Option<(Built, Beginning)>,
    ) -> Result<(Built, Beginning), Failure> {
        let sealed = own.as_ref().map_or(Ok(Vec::new()), |(built, beginning)| {
            let common = without_boids(built.flock.checkpoint());
            checkpoint::seal(KIND, beginning, Some(&common)).map_err(Failure::Other)
        });
        let sealed = self.agree(sealed)?;
        let sealed = self.bytes_of_first(&sealed)?;
        let spread = || {
            let (beginning, common) =
                checkpoint::open::<Beginning>(KIND, &sealed).map_err(Failure::Other)?;
            let common = common.ok_or_else(|| Failure::Other("no flock to begin with".into()))?;
            let empty = flock_of(&common, machine)?;
            let (flock, built) = match own {
                Some((mut built, _)) => (std::mem::replace(&mut built.flock, empty), built),
                None => (flock_of(&common, machine)?, built_around(empty, scene)),
            };
            Ok((flock, built, beginning))
        };
        let spread = spread();
        let (flock, built, beginning) = self.agree(spread)?;
        self.threads = flock.threads();
        self.schedule = (!scene.ramps().is_empty()).then(|| scene.schedule());
        self.part = Some(AnyPart::join(flock, self.transport)?);
        Ok((built, beginning))
    }

    /// The bytes of the first rank, on all. Collective.
    fn bytes_of_first(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        // Messages are words: how many bytes there are comes first.
        let word = |bytes: &[u8]| {
            u32::from_le_bytes(std::array::from_fn(|i| bytes.get(i).copied().unwrap_or(0)))
        };
        let length = [bytes.len() as u32, (bytes.len() >> 32) as u32];
        let words: Vec<u32> = length.into_iter().chain(bytes.chunks(4).map(word)).collect();
        let heard = self.transport.all(&words).map_err(|lost| Failure::Other(lost.to_string()))?;
        let length = usize::try_from(number(&heard[0], 0)).unwrap_or(usize::MAX);
        let mut bytes: Vec<u8> = heard[0][2..].iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(length);
        Ok(bytes)
    }

    fn part(&mut self) -> Result<(&mut AnyPart, &mut dyn Transport), Failure> {
        let part = self.part.as_mut();
        let part = part.ok_or_else(|| Failure::Other("the ranks were given no flock".into()))?;
        Ok((part, self.transport))
    }

    /// Boids of all ranks.
    pub fn len(&self) -> usize {
        self.part.as_ref().map_or(0, AnyPart::len_of_all)
    }

    /// Makes a step. Collective.
    pub fn step(&mut self, dt: TimeStep) -> Result<Stepped, Failure> {
        let begun = Instant::now();
        let mut schedule = self.schedule.take();
        let (part, transport) = self.part()?;
        let events = part.step(dt, schedule.as_mut(), transport)?;
        let boids = part.len_of_all();
        self.schedule = schedule;
        self.boid_steps += boids as u64;
        self.stepping += begun.elapsed();
        let (mut came, mut gone) = (0, 0);
        for event in &events {
            match event {
                Event::Entered { .. } => came += 1,
                Event::Left { .. } | Event::Exited { .. } | Event::Captured { .. } => gone += 1,
                _ => {}
            }
        }
        let events = if self.is_first() { events } else { Vec::new() };
        Ok(Stepped { boids, left: boids + came - gone, events })
    }

    /// Brings the flock together in the first rank's. Collective.
    pub fn gather(&mut self, built: &mut Built) -> Result<(), Failure> {
        let (part, transport) = self.part()?;
        if let Some(whole) = part.whole(transport)? {
            built.flock = whole;
        }
        Ok(())
    }

    /// Hands the boids of this rank to a recorder.
    pub fn record(&mut self, recorder: &mut Recorder) -> Result<(), Failure> {
        Ok(self.part()?.0.record(recorder)?)
    }

    /// Writes the boids of this rank into a file beside a checkpoint; tells what is in all such
    /// files alike, and their names.
    pub fn save(
        &mut self,
        path: &Path,
        made: u64,
    ) -> Result<(AnyCheckpoint, Vec<String>), Failure> {
        let (rank, size) = self.place();
        let file = path.with_file_name(part_name(path, made, rank));
        let checkpoint = self.part()?.0.checkpoint();
        let written = match &checkpoint {
            AnyCheckpoint::Two(part) => checkpoint::save(&file, part),
            AnyCheckpoint::Three(part) => checkpoint::save(&file, part),
        };
        written.map_err(|why| Failure::Other(format!("--checkpoint {}: {why}", path.display())))?;
        let names = (0..size).map(|rank| part_name(path, made, rank)).collect();
        Ok((without_boids(checkpoint), names))
    }

    /// What it took to keep the parts one flock, and threads of all ranks together. Collective.
    pub fn report(&mut self) -> Result<(RanksReport, usize), Failure> {
        let (boid_steps, stepping) =
            (self.boid_steps.max(1) as f64, self.stepping.as_secs_f64().max(f64::MIN_POSITIVE));
        let ranks = self.transport.size();
        let threads = ranks * self.threads;
        let (part, transport) = self.part()?;
        let sent = part.take_traffic();
        let nanoseconds = [sent.writing, sent.waiting].map(|time| time.as_nanos() as u64);
        let mine: Vec<u32> = [sent.moved, sent.told, sent.words]
            .into_iter()
            .chain(nanoseconds)
            .flat_map(|number| [number as u32, (number >> 32) as u32])
            .collect();
        let all = transport.all(&mine).map_err(|lost| Failure::Other(lost.to_string()))?;
        let each = |at: usize| all.iter().map(move |words| number(words, at) as f64);
        let sum = |at: usize| each(at).sum::<f64>();
        let most = |at: usize| each(at).fold(0.0, f64::max) * 1e-9;
        let (imbalance, moved_boundaries) = part.imbalance();
        let report = RanksReport {
            ranks,
            imbalance,
            moved_boundaries,
            moved: sum(0) / boid_steps,
            told: sum(1) / boid_steps,
            bytes: 4.0 * sum(2) / boid_steps,
            writing: most(3) / stepping,
            waiting: most(4) / stepping,
        };
        Ok((report, threads))
    }
}

/// A number of two words.
fn number(words: &[u32], at: usize) -> u64 {
    u64::from(words[2 * at]) | u64::from(words[2 * at + 1]) << 32
}

/// What a rank that has built nothing has in the place of a scene's flock.
fn built_around(flock: AnyFlock, scene: &Scene) -> Built {
    let (origin, warnings, notes) = (Vec::new(), Vec::new(), Vec::new());
    Built { flock, origin, warnings, notes, schedule: scene.schedule() }
}

/// The name of the file beside a checkpoint that has the boids of a rank.
fn part_name(path: &Path, made: u64, rank: usize) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{name}.{made}-{rank}")
}

/// Removes the files beside earlier checkpoints. One that stays is in no rank's way.
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
