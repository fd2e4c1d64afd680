//! A flock of boids that come, go, and wander from part to part, recorded whole and in parts.

mod ends;
mod refusals;
mod same;
mod segments;
mod texts;

use std::path::{Path, PathBuf};

use wingbeat::Boundary;
use wingbeat_test_support::Random;

use super::PartIndex;
use crate::formats::create;
use crate::sink::Sink;
use crate::{About, Edges, Snapshot, WbrReader};

/// A boid, and what decides in which part it is.
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

    /// The frame of one part of several. The last of more than three never has any individual.
    fn part(&self, part: usize, of: usize) -> Snapshot {
        self.frame(|boid| boid.home % if of > 3 { of - 1 } else { of } == part)
    }
}

/// A folder with a recording of one piece, and another with the same in parts.
struct Lab(tempfile::TempDir);

impl Lab {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        ["whole", "parts"]
            .iter()
            .for_each(|name| std::fs::create_dir(folder.path().join(name)).expect("a folder"));
        Self(folder)
    }

    fn whole(&self) -> PathBuf {
        self.0.path().join("whole/night.wbr")
    }

    fn index(&self) -> PathBuf {
        self.0.path().join("parts/night.wbr")
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.0.path().join("parts").join(name)
    }
}

/// Records some frames of a world, whole and in so many parts; tells of the index.
fn record(lab: &Lab, world: &mut World, parts: usize, frames: usize) -> PartIndex {
    let index = PartIndex::new(&lab.index(), parts).expect("an index");
    let mut whole = sink(&lab.whole(), &world.about);
    let mut sinks: Vec<_> = (0..parts).map(|part| sink(&index.part(part), &world.about)).collect();
    for _ in 0..frames {
        whole.frame(&world.frame(|_| true)).expect("a frame");
        for (part, sink) in sinks.iter_mut().enumerate() {
            sink.frame(&world.part(part, parts)).expect("a frame");
        }
        world.fly();
    }
    whole.finish().expect("a recording");
    sinks.into_iter().for_each(|sink| assert!(sink.finish().expect("a part") > 0));
    index.write().expect("an index");
    index
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
