//! A flock after a step, as the bytes that pages get.
//!
//! Little-endian throughout; boids by ascending id:
//!
//! | offset | type | holds |
//! |---|---|---|
//! | 0 | 4 bytes | `WBV2`: magic and version |
//! | 4 | u32 | dimensions D, 2 or 3 |
//! | 8 | u32 | boids n |
//! | 12 | u32 | how often the flock has been built anew |
//! | 16 | f64 | steps made since |
//! | 24 | f64 | time covered since |
//! | 32 | f32 | steps made per second, over the last half second; 0 when paused |
//! | 36 | f32 | polarization, of this step or one a moment earlier |
//! | 40 | f32 | milling, likewise |
//! | 44 | f32 | mean speed, likewise |
//! | 48 | u32 | exits e |
//! | 52 | u32 × e | how many have gone by each, since it was built |
//! | h = 52 + 4e | u32 × n | ids |
//! | h + 4n | f32 × n·D | positions, boid after boid |
//! | h + 4n + 4nD | f32 × n·D | velocities likewise |
//! | h + 4n + 8nD | u8 × n | in flocks with species only: places among them |

use wingbeat::Flock;
use wingbeat_record::Snapshot;
use wingbeat_scene::AnyFlock;

/// Bytes before the ids in a flock without exits.
pub const HEAD_BYTES: usize = 52;

/// What a frame holds besides the boids.
pub struct FrameHead<'a> {
    /// How often the flock has been built anew.
    pub run: u32,
    /// Steps made since.
    pub step: u64,
    /// Time covered since.
    pub time: f64,
    /// Steps made per second, lately.
    pub rate: f32,
    /// Polarization, milling, mean speed.
    pub observed: [f32; 3],
    /// How many have gone by each exit.
    pub left: &'a [u32],
}

impl FrameHead<'_> {
    /// The first bytes of a frame of so many boids, with room for the rest.
    fn bytes(&self, dimensions: usize, boids: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD_BYTES + boids * (5 + 8 * dimensions));
        bytes.extend(b"WBV2");
        bytes.extend((dimensions as u32).to_le_bytes());
        // A flock has fewer than 2³² boids.
        bytes.extend((boids as u32).to_le_bytes());
        bytes.extend(self.run.to_le_bytes());
        bytes.extend((self.step as f64).to_le_bytes());
        bytes.extend(self.time.to_le_bytes());
        bytes.extend(self.rate.to_le_bytes());
        self.observed.iter().for_each(|observed| bytes.extend(observed.to_le_bytes()));
        // A scene has at most 64.
        bytes.extend((self.left.len() as u32).to_le_bytes());
        self.left.iter().for_each(|left| bytes.extend(left.to_le_bytes()));
        bytes
    }
}

/// Polarization, milling and mean speed.
pub fn observe(flock: &AnyFlock) -> [f32; 3] {
    let found = flock.order();
    [found.polarization, found.milling, found.mean_speed].map(|value| value.unwrap_or(0.0) as f32)
}

/// The bytes of a frame.
pub fn encode(flock: &AnyFlock, head: &FrameHead<'_>) -> Vec<u8> {
    match flock {
        AnyFlock::Two(flock) => encode_in(flock, head),
        AnyFlock::Three(flock) => encode_in(flock, head),
    }
}

/// The bytes of a recorded frame, without observables.
pub fn frame_of(snapshot: &Snapshot) -> Vec<u8> {
    let step = u64::try_from(snapshot.step).unwrap_or(0);
    let (time, observed) = (snapshot.time, [0.0; 3]);
    let head = FrameHead { run: 0, step, time, rate: 0.0, observed, left: &[] };
    let mut bytes = head.bytes(snapshot.positions.len(), snapshot.len());
    let columns = |columns: &[Vec<f32>], bytes: &mut Vec<u8>| {
        for i in 0..snapshot.len() {
            columns.iter().for_each(|column| bytes.extend(column[i].to_le_bytes()));
        }
    };
    // Pages have ids of 32 bits.
    snapshot.ids.iter().for_each(|&id| bytes.extend((id as u32).to_le_bytes()));
    columns(&snapshot.positions, &mut bytes);
    columns(&snapshot.velocities, &mut bytes);
    bytes.extend(&snapshot.species);
    bytes
}

fn encode_in<const D: usize>(flock: &Flock<D>, head: &FrameHead<'_>) -> Vec<u8> {
    let frame = flock.frame();
    let n = frame.len();
    let mut bytes = head.bytes(D, n);
    // Scenes with larger ids are refused when their flock is built.
    frame.living().iter().for_each(|id| bytes.extend((id.get() as u32).to_le_bytes()));
    let first = bytes.len();
    bytes.resize(first + 8 * n * D, 0);
    let (positions, velocities) = bytes[first..].split_at_mut(4 * n * D);
    for axis in 0..D {
        for (bytes, column) in
            [(&mut *positions, frame.positions(axis)), (&mut *velocities, frame.velocities(axis))]
        {
            for (&rank, &x) in frame.ranks().iter().zip(column) {
                let at = 4 * (rank as usize * D + axis);
                bytes[at..at + 4].copy_from_slice(&x.to_le_bytes());
            }
        }
    }
    let first = bytes.len();
    // A scene has at most 64 species.
    let mut species = flock.species().peekable();
    if species.peek().is_some() {
        bytes.resize(first + n, 0);
        frame
            .ranks()
            .iter()
            .zip(species)
            .for_each(|(&rank, species)| bytes[first + rank as usize] = species.get() as u8);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use wingbeat_scene::{Machine, Override, Scene};

    #[test]
    fn bytes_are_the_boids_by_id() {
        for (preset, dimensions) in [("shoal", 2), ("murmuration", 3)] {
            let scene = Scene::load(preset, &[Override::flag("few", "flock.boids", "70")])
                .expect("a preset");
            let mut flock = scene.build(&Machine::default()).expect("a flock").flock;
            (0..5).for_each(|_| flock.step(scene.dt()));
            let bytes = encode(
                &flock,
                &FrameHead {
                    run: 3,
                    step: 5,
                    time: 0.25,
                    rate: 20.0,
                    observed: observe(&flock),
                    left: &[],
                },
            );
            assert_eq!(bytes.len(), HEAD_BYTES + 70 * (4 + 8 * dimensions));
            assert_eq!(&bytes[..4], b"WBV2");
            let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            let f32_at = |at: usize| f32::from_bits(u32_at(at));
            let f64_at = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
            assert_eq!([u32_at(4), u32_at(8), u32_at(12)], [dimensions as u32, 70, 3]);
            assert_eq!([f64_at(16), f64_at(24)], [5.0, 0.25]);
            assert_eq!(
                [f32_at(32), f32_at(36), f32_at(44)],
                [20.0, flock.polarization() as f32, flock.mean_speed() as f32]
            );
            assert_eq!(f32_at(40), flock.milling() as f32);
            for (place, row) in flock.rows().iter().enumerate() {
                assert_eq!(u64::from(u32_at(HEAD_BYTES + 4 * place)), row.id);
                for axis in 0..dimensions {
                    let at = HEAD_BYTES + 4 * 70 + 4 * (place * dimensions + axis);
                    assert_eq!(f32_at(at), row.position[axis]);
                    assert_eq!(f32_at(at + 4 * 70 * dimensions), row.velocity[axis]);
                }
            }
        }
    }

    /// Species stand at the end, by id; and a recorded frame has the bytes of the flock that it is
    /// of.
    #[test]
    fn species_follow_and_recorded_frames_are_alike() {
        let scene = Scene::load("hunter_prey", &[Override::flag("few", "flock.boids", "90")])
            .expect("a preset");
        let mut flock = scene.build(&Machine::default()).expect("a flock").flock;
        (0..40).for_each(|_| flock.step(scene.dt()));
        let head = FrameHead {
            run: 0,
            step: flock.steps(),
            time: flock.time(),
            rate: 0.0,
            observed: [0.0; 3],
            left: &[],
        };
        let bytes = encode(&flock, &head);
        let AnyFlock::Two(plane) = &flock else { unreachable!("it is of the plane") };
        let snapshot =
            Snapshot { step: 40, time: flock.time(), ..Snapshot::of(&plane.frame(), 0.0) };
        let n = flock.len();
        assert_eq!(bytes.len(), HEAD_BYTES + n * (4 + 16 + 1));
        assert_eq!(&bytes[bytes.len() - n..], &snapshot.species[..]);
        assert!(snapshot.species.contains(&0) && snapshot.species.contains(&1));
        assert_eq!(frame_of(&snapshot), bytes);
    }
}
