//! The scene of the examples beside the recording it is made after, 75 people through a door of 0.5
//! m.

use std::path::Path;

use super::{passages, scene};
use wingbeat_test_support::tier;

/// When the first, fifth, tenth, … and 75th person came through y = 0, s: run 040 of doi
/// 10.34735/ped.2018.1 (Adrian et al. 2020), measured from frame 0 of the recording.
const RECORDED: [(usize, f64); 16] = [
    (1, 0.50),
    (5, 3.67),
    (10, 7.30),
    (15, 11.64),
    (20, 14.89),
    (25, 18.75),
    (30, 23.69),
    (35, 27.07),
    (40, 31.78),
    (45, 36.85),
    (50, 41.27),
    (55, 45.51),
    (60, 50.51),
    (65, 54.87),
    (70, 59.82),
    (75, 64.97),
];

/// Root of the mean squared difference, s.
fn rms(pairs: impl ExactSizeIterator<Item = (f64, f64)>) -> f64 {
    let count = pairs.len() as f64;
    (pairs.map(|(ours, theirs)| (ours - theirs) * (ours - theirs)).sum::<f64>() / count).sqrt()
}

fn example(settings: &[&str]) -> Vec<f64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/scenes/bottleneck.toml");
    let times = passages(&scene(path.to_str().expect("a UTF-8 path"), settings), 0.0, 100.0);
    assert_eq!(times.len(), 75, "{settings:?}");
    times
}

/// Without the recording: from places drawn at about the density people stood at.
#[test]
fn the_course_is_the_recorded_one_from_drawn_places() {
    for seed in 1..=tier::either(2, 5) {
        let times = example(&[&format!("flock.seed={seed}")]);
        let off = rms(RECORDED.iter().map(|&(n, recorded)| (times[n - 1], recorded)));
        println!(
            "seed {seed}: {off:.2} s r.m.s., half out after {:.1} s, all after {:.1} s",
            times[37], times[74]
        );
        assert!(off < 3.0, "seed {seed}: {off:.2} s");
    }
}

/// With it: from where they stood. The recording is no part of the project, and is looked for
/// beside the checkout.
#[test]
fn the_course_is_the_recorded_one_from_their_own_places() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/pedestrians_bottleneck.txt");
    if !file.is_file() {
        println!("skipped: {} is not there", file.display());
        return;
    }
    let recorded = first_crossings(&std::fs::read_to_string(&file).expect("a text"));
    assert_eq!(recorded.len(), 75);
    assert!(
        RECORDED.iter().all(|&(n, time)| (recorded[n - 1] - time).abs() < 0.01),
        "{recorded:?}"
    );
    for seed in 1..=tier::either(2, 5) {
        let initial = format!("initial.file={:?}", file.to_str().expect("a UTF-8 path"));
        let times = example(&[&initial, "initial.frame=0", &format!("flock.seed={seed}")]);
        let off = rms(times.iter().copied().zip(recorded.iter().copied()));
        println!(
            "seed {seed}: {off:.2} s r.m.s., half out after {:.1} s, all after {:.1} s",
            times[37], times[74]
        );
        assert!(off < 3.0, "seed {seed}: {off:.2} s");
    }
}

/// When each first crossed y = 0 in rows of `id frame x y z`, 25 frames a second, in order of time.
fn first_crossings(text: &str) -> Vec<f64> {
    let mut tracks: std::collections::BTreeMap<u64, Vec<(f64, f64)>> = Default::default();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let row: Vec<f64> =
            line.split_whitespace().map(|cell| cell.parse().expect("a number")).collect();
        tracks.entry(row[0] as u64).or_default().push((row[1] / 25.0, row[3]));
    }
    let crossing = |track: &Vec<(f64, f64)>| {
        let pair = track.windows(2).find(|pair| pair[0].1 > 0.0 && pair[1].1 <= 0.0)?;
        let [(t0, y0), (t1, y1)] = [pair[0], pair[1]];
        Some(t0 + (t1 - t0) * y0 / (y0 - y1))
    };
    let mut times: Vec<f64> = tracks.values().filter_map(crossing).collect();
    times.sort_by(f64::total_cmp);
    times
}
