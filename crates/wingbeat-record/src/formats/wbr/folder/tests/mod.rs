//! A flock of boids that come, go, and wander from rank to rank, recorded in one file and in a
//! folder.

mod ends;
mod refusals;
mod same;
mod segments;

use std::path::{Path, PathBuf};

use wingbeat::steer::Boundary;
use wingbeat_test_support::Random;

use super::{prepare_folder, rank_file};
use crate::formats::create;
use crate::sink::Sink;
use crate::{About, Edges, LengthUnit, Snapshot, WbrReader};

/// A boid, and what decides which rank has it.
#[derive(Clone)]
struct Boid {
    id: u64,
    species: u8,
    position: [f32; 3],
    velocity: [f32; 3],
    home: usize,
}

/// Frames of a random flock. The homes of its boids change as they go.
struct World {
    random: Random,
    about: About,
    boids: Vec<Boid>,
    steps: i64,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let dimensions = 2 + random.below(2);
        let names = ["hare", "fox", ""];
        let about = About {
            dimensions,
            dt: 0.125 + f64::from(random.unit()),
            every: 1 + random.below(4) as u64,
            seed: random.bits(),
            name: "a test".into(),
            scene: "[flock]\nboids = 7 # ü\n".into(),
            edges: Edges {
                boundary: Boundary::Periodic,
                min: [-9.0, -9.0, 0.0],
                max: [9.0, 9.0, (dimensions as f32 - 2.0) * 9.0],
            },
            origin: [1.0, 2.0, 0.0],
            species: names[..random.below(4)].iter().map(|name| name.to_string()).collect(),
            unit: random.one_in(2).then_some(LengthUnit::BodyLength),
        };
        let mut world = Self { random, about, boids: Vec::new(), steps: 0 };
        (0..1 + world.random.below(30)).for_each(|_| world.enter());
        world
    }

    fn enter(&mut self) {
        let random = &mut self.random;
        // Small and very large ones, in no order.
        let id = if random.one_in(3) { random.bits() } else { random.bits() % 1000 };
        if self.boids.iter().any(|boid| boid.id == id) {
            return;
        }
        let species = random.below(self.about.species.len().max(1)) as u8;
        let position = std::array::from_fn(|_| random.unit() * 18.0 - 9.0);
        let velocity =
            std::array::from_fn(|_| if random.one_in(20) { f32::NAN } else { random.unit() - 0.5 });
        self.boids.push(Boid { id, species, position, velocity, home: random.below(1000) });
    }

    /// As many steps as lie between two frames.
    fn fly(&mut self) {
        self.steps += self.about.every as i64;
        if self.random.one_in(4) {
            self.enter();
        }
        if self.random.one_in(5) && !self.boids.is_empty() {
            let gone = self.random.below(self.boids.len());
            self.boids.swap_remove(gone);
        }
        let wanders = self.random.one_in(2);
        for boid in &mut self.boids {
            for (x, v) in boid.position.iter_mut().zip(boid.velocity) {
                *x += if v.is_nan() { 0.01 } else { v * self.about.dt as f32 };
            }
            if wanders && self.random.one_in(10) {
                boid.home = self.random.below(1000);
            }
        }
    }

    /// Those that are wanted, as a frame.
    fn frame(&self, wanted: impl Fn(&Boid) -> bool) -> Snapshot {
        let mut boids: Vec<&Boid> = self.boids.iter().filter(|boid| wanted(boid)).collect();
        boids.sort_unstable_by_key(|boid| boid.id);
        let mut now = Snapshot::new(self.about.dimensions);
        (now.step, now.time) = (self.steps, self.steps as f64 * self.about.dt);
        now.ids.extend(boids.iter().map(|boid| boid.id));
        if !self.about.species.is_empty() {
            now.species.extend(boids.iter().map(|boid| boid.species));
        }
        for a in 0..self.about.dimensions {
            now.positions[a].extend(boids.iter().map(|boid| boid.position[a]));
            now.velocities[a].extend(boids.iter().map(|boid| boid.velocity[a]));
        }
        now
    }

    /// The frame of one rank of several. The last of more than three never has any individual.
    fn of_rank(&self, rank: usize, of: usize) -> Snapshot {
        self.frame(|boid| boid.home % if of > 3 { of - 1 } else { of } == rank)
    }
}

/// A scratch folder for a recording in one file, and the same of several ranks.
struct Lab(tempfile::TempDir);

impl Lab {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a scratch folder"))
    }

    fn whole(&self) -> PathBuf {
        self.0.path().join("whole.wbr")
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("night.wbr")
    }

    /// A file of the ranks that began at step 0.
    fn file(&self, rank: usize, size: usize) -> PathBuf {
        rank_file(&self.folder(), 0, rank, size)
    }

    /// Begins the files of so many ranks at a step.
    fn sinks(&self, step: u64, size: usize, about: &About) -> Vec<Box<dyn Sink>> {
        let files = (0..size).map(|rank| rank_file(&self.folder(), step, rank, size));
        files.map(|file| sink(&file, about)).collect()
    }

    /// The names of what is in the folder, in order.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder()).expect("a folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.map(|e| e.file_name());
        let mut names: Vec<String> = entries
            .map(|entry| name(entry).expect("an entry").to_string_lossy().into_owned())
            .collect();
        names.sort_unstable();
        names
    }
}

/// Records some frames of a world, in one file and by so many ranks.
fn record(lab: &Lab, world: &mut World, size: usize, frames: usize) {
    prepare_folder(&lab.folder(), None, &world.about).expect("a folder");
    let mut whole = sink(&lab.whole(), &world.about);
    let mut sinks = lab.sinks(0, size, &world.about);
    for _ in 0..frames {
        whole.frame(&world.frame(|_| true)).expect("a frame");
        for (rank, sink) in sinks.iter_mut().enumerate() {
            sink.frame(&world.of_rank(rank, size)).expect("a frame");
        }
        world.fly();
    }
    whole.finish().expect("a recording");
    finish(sinks);
}

fn finish(sinks: Vec<Box<dyn Sink>>) {
    sinks.into_iter().for_each(|sink| assert!(sink.finish().expect("a file") > 0));
}

fn sink(path: &Path, about: &About) -> Box<dyn Sink> {
    create(path, about).unwrap_or_else(|error| panic!("{error}"))
}

/// All frames of a recording.
fn frames(path: &Path) -> Vec<Snapshot> {
    let mut reader = WbrReader::open(path).unwrap_or_else(|error| panic!("{error}"));
    let mut now = Snapshot::new(reader.about().dimensions);
    let mut read = |k| {
        reader.read(k, &mut now).unwrap_or_else(|error| panic!("{error}"));
        now.clone()
    };
    (0..WbrReader::open(path).expect("a reader").len()).map(&mut read).collect()
}

/// Equal to the last bit, of NaN too.
fn same_bits(one: &Snapshot, other: &Snapshot) -> bool {
    let bits = |frame: &Snapshot| -> Vec<Vec<u32>> {
        frame.columns().map(|column| column.iter().map(|x| x.to_bits()).collect()).collect()
    };
    (one.step, one.time.to_bits(), &one.ids, &one.species)
        == (other.step, other.time.to_bits(), &other.ids, &other.species)
        && bits(one) == bits(other)
}

/// The refusal of whatever is there: one short line.
fn refusal(path: &Path) -> String {
    let mut now = Snapshot::new(2);
    let refused = match WbrReader::open(path) {
        Err(error) => error,
        Ok(mut reader) => (0..reader.len())
            .find_map(|k| reader.read(k, &mut now).err())
            .unwrap_or_else(|| panic!("no refusal: {reader:?}")),
    };
    let message = refused.to_string();
    assert!(!message.contains('\n') && message.len() < 500, "{message}");
    message
}
