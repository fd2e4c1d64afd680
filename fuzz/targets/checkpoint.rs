//! Checkpoints: bytes as they are, MessagePack under a right checksum, and a sound checkpoint with
//! some of its values replaced. One that is accepted goes on alike at two SIMD levels and on two
//! numbers of threads.
#![no_main]
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use wingbeat::steer::Vector;
use wingbeat::{
    Flock, Level, TimeStep,
    snapshot::{Checkpoint, Snapshot},
};
use wingbeat_fuzz::{first, message_pack::edited};
use wingbeat_record::checkpoint::open;
use wingbeat_scene::{AnyFlock, Machine, Override, Scene};

const PRESETS: [&str; 8] = [
    "opensteer",
    "hunter_prey",
    "murmuration",
    "leader",
    "evacuation",
    "counterflow",
    "couzin2002",
    "fish_bodies",
];
const MOST_BOIDS: usize = 500;

fuzz_target!(|bytes: &[u8]| {
    let (form, rest) = first(bytes);
    match form {
        0 => {
            go_on(opened::<2>(rest));
            go_on(opened::<3>(rest));
        }
        1 => both(rest),
        preset => both(&edited(sound(usize::from(preset) % PRESETS.len()), rest)),
    }
});

fn opened<const D: usize>(bytes: &[u8]) -> Option<Checkpoint<D>>
where
    Checkpoint<D>: serde::de::DeserializeOwned,
{
    open(&format!("flock of {D} dimensions"), bytes).ok().map(|(checkpoint, _)| checkpoint)
}

fn both(message: &[u8]) {
    // No flock beside it: nil.
    let message = &[message, b"\xc0"].concat();
    let sealed = |kind: &str| {
        let inside = [
            &(message.len() as u64).to_le_bytes()[..],
            &(kind.len() as u32).to_le_bytes(),
            kind.as_bytes(),
        ]
        .concat();
        let inside = [inside, lz4_flex::block::compress(message)].concat();
        [&b"WBCKPT\r\n\x03\0\0\0"[..], &crc32fast::hash(&inside).to_le_bytes(), &inside].concat()
    };
    go_on(opened::<2>(&sealed("flock of 2 dimensions")));
    go_on(opened::<3>(&sealed("flock of 3 dimensions")));
}

fn go_on<const D: usize>(checkpoint: Option<Checkpoint<D>>) {
    let Some(checkpoint) = checkpoint.filter(|checkpoint| checkpoint.boids.len() <= MOST_BOIDS)
    else {
        return;
    };
    let levels = Level::available();
    let hashes = [(levels[0], 1), (levels[levels.len() - 1], 2)].map(|(level, threads)| {
        let mut flock =
            Flock::<D>::builder().level(level).threads(threads).build().expect("an empty flock");
        flock.restore(&checkpoint).ok()?;
        // A boid that was outside a periodic box is inside now, and stays there.
        let settled = flock.checkpoint();
        flock.restore(&settled).expect("a flock's own checkpoint");
        assert_eq!(flock.checkpoint().boids, settled.boids);
        let mut saved = Snapshot::default();
        Some([0.02, 0.3, 1.0].map(|dt| {
            flock.step(TimeStep::new(dt).expect("a step"));
            assert!(
                flock
                    .frame()
                    .by_id()
                    .all(|boid| boid.position.all_finite() && boid.velocity.all_finite()),
                "NaN or infinity"
            );
            flock.save(&mut saved);
            saved.hash()
        }))
    });
    assert_eq!(hashes[0], hashes[1]);
}

/// The message of a sound checkpoint of a preset, made once.
fn sound(preset: usize) -> &'static [u8] {
    static SOUND: [OnceLock<Vec<u8>>; PRESETS.len()] = [const { OnceLock::new() }; PRESETS.len()];
    SOUND[preset].get_or_init(|| {
        let few = Override::set("flock.boids=12").expect("an assignment");
        let scene = Scene::load(PRESETS[preset], &[few]).expect("a preset");
        let mut flock = scene.build(&Machine::default()).expect("a flock").flock;
        (0..3).for_each(|_| flock.step(scene.dt()));
        let message = match flock {
            AnyFlock::Two(flock) => rmp_serde::to_vec_named(&flock.checkpoint()),
            AnyFlock::Three(flock) => rmp_serde::to_vec_named(&flock.checkpoint()),
        };
        message.expect("a checkpoint is written")
    })
}
