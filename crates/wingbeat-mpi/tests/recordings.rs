//! What ranks record into a folder is what one process records, frame by frame and bit by bit; also
//! where a run is broken off in between.

mod common;

use std::path::Path;

use common::{frames, report, results, run, said, text};
use wingbeat_record::Recorder;
use wingbeat_scene::{Machine, Override, Scene};

const STEPS: u64 = 60;
const EVERY: u64 = 4;

#[test]
fn a_folder_of_ranks_is_the_recording_of_one_process() {
    for (name, boids) in
        [("shoal", "700"), ("hunter_prey", "300"), ("murmuration", "900"), ("evacuation", "200")]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, many, broken) = (
            folder.path().join("one.wbr"),
            folder.path().join("many.wbr"),
            folder.path().join("broken.wbr"),
        );
        let scene =
            Scene::load(name, &[Override::flag("--boids", "flock.boids", boids)]).expect("a scene");
        let mut built = scene.build(&Machine::default()).expect("a flock");
        let mut recorder =
            Recorder::start(&one, built.about(&scene, EVERY).expect("a description"))
                .expect("a recorder");
        for step in 0..=STEPS {
            if step % EVERY == 0 {
                built.flock.record(&mut recorder).expect("a frame");
            }
            built.step(scene.dt()).expect("a step");
        }
        recorder.finish().expect("a recording");
        let wanted = frames(&one);

        let options = |steps: &'static str, file: &str| {
            let all = [name, "--boids", boids, "--steps", steps, "--every", "4", "--record", file];
            all.map(str::to_string).to_vec()
        };
        let go = |ranks: usize, steps: &'static str, file: &Path, more: &[&str]| {
            let options = options(steps, text(file));
            report(ranks, &[&options.iter().map(String::as_str).collect::<Vec<_>>(), more].concat())
        };
        let told = go(3, "60", &many, &[]);
        assert_eq!(told["recorded"]["frames"], STEPS / EVERY + 1);
        assert_eq!(frames(&many), wanted, "{name} on three ranks");

        let night = folder.path().join("night.wbc");
        go(3, "22", &broken, &["--checkpoint", text(&night)]);
        go(3, "30", &broken, &["--checkpoint", text(&night), "--resume", text(&night)]);
        go(2, "45", &broken, &["--checkpoint", text(&night), "--resume", text(&night)]);
        go(4, "60", &broken, &["--resume", text(&night)]);
        assert_eq!(frames(&broken), wanted, "{name}, broken off");
    }
}

#[test]
fn a_recording_that_cannot_begin_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("night.wbr");
    std::fs::create_dir_all(path.join("0-2of3.wbr")).expect("a folder");
    let output = run(3, &["shoal", "--boids", "300", "--steps", "10", "--record", text(&path)]);
    let said = said(&output);
    assert!(said.len() == 1 && said[0].contains("0-2of3.wbr"), "{said:?}");
    assert_ne!(output.status.code(), Some(0));
}

/// Files of the whole flock are made by the first rank alone.
#[test]
fn what_the_first_rank_writes_does_not_depend_on_their_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["observed.csv", "final.csv", "exits.csv", "speeds.csv", "each.csv", "all.xyz"];
    let write = |ranks: usize| {
        let files = names.map(|name| folder.path().join(format!("{ranks}-{name}")));
        let curve = format!("speed={}", text(&files[3]));
        let options = [
            ["--observe", text(&files[0])],
            ["--final", text(&files[1])],
            ["--exits", text(&files[2])],
            ["--curve", &curve],
            ["--individuals", text(&files[4])],
            ["--record", text(&files[5])],
        ];
        let scene =
            ["evacuation", "--boids", "60", "--steps", "9000", "--every", "50", "--until", "empty"];
        let mut told = results(report(ranks, &[&scene[..], options.as_flattened()].concat()));
        assert_eq!(told["ended"], "empty", "{ranks} ranks");
        told["recorded"].take();
        (told, files.map(|file| std::fs::read(file).expect("a file")))
    };
    let one = write(1);
    for ranks in [2, 3] {
        assert!(write(ranks) == one, "{ranks} ranks");
    }
}
