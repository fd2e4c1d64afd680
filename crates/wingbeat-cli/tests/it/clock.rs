//! What the clock of a machine does to results: nothing. It may be set, back and ahead, at any
//! moment of a run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{Lab, text};

/// A library between a program and the system's clock: whenever the date is asked for, it is
/// another one, between 1970 and 2096. Clocks that only measure how long something takes are as
/// they were: the system does not set those.
const JUMPING_CLOCK: &str = "
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

static time_t some_date(void) {
    static unsigned long long state = SEED;
    unsigned long long now = __atomic_add_fetch(&state, 0x9e3779b97f4a7c15ULL, __ATOMIC_RELAXED);
    return (now ^ now >> 31) % 4000000000ULL;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int (*system_clock)(clockid_t, struct timespec *) = \
        (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, \"clock_gettime\");
    int failed = system_clock(clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || \
        clock == CLOCK_TAI)) now->tv_sec = some_date();
    return failed;
}

int gettimeofday(struct timeval *now, void *zone) {
    (void)zone;
    now->tv_sec = some_date();
    now->tv_usec = 0;
    return 0;
}

time_t time(time_t *now) {
    time_t date = some_date();
    if (now != NULL) *now = date;
    return date;
}
";

/// Builds that library with the C compiler, which every builder of these tests has for a linker.
fn jumping_clock(lab: &Lab, seed: u64) -> PathBuf {
    let (source, library) =
        (lab.write("clock.c", JUMPING_CLOCK), lab.path(&format!("clock{seed}.so")));
    let mut compiler = Command::new("cc");
    compiler
        .args(["-shared", "-fPIC", &format!("-DSEED={seed}ULL"), "-o"])
        .arg(&library)
        .args([&source, "-ldl"]);
    let output = compiler.output().expect("a C compiler");
    assert!(output.status.success(), "{}", text(&output.stderr));
    library
}

/// Runs a program in a folder, by this clock or by the system's.
fn by_clock(folder: &Path, clock: Option<&Path>, program: &str, args: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).envs(clock.map(|clock| ("LD_PRELOAD", clock)));
    command.output().expect("it runs")
}

/// Everything that commands write, but for what tells how long it took. A sweep notes its runs as
/// they are done: here one after the other.
const COMMANDS: [&[&str]; 7] = [
    &[
        "run",
        "hunter_prey",
        "--boids=150",
        "--steps=60",
        "--every=3",
        "--record=a.wbr",
        "--observe=a.csv",
        "--final=b.csv",
        "--still=a.png",
        "--html=a.html",
        "--checkpoint=c",
        "--checkpoint-every=7",
    ],
    &[
        "run",
        "hunter_prey",
        "--boids=150",
        "--steps=90",
        "--every=3",
        "--record=a.wbr",
        "--observe=c.csv",
        "--resume=c",
    ],
    &["convert", "a.wbr", "a.npz"],
    &["render", "a.wbr", "--gif=a.gif", "--size=120x90"],
    &["plot", "a.wbr", "-o", "a.svg"],
    &["page", "shoal", "-o", "page.html"],
    &[
        "sweep",
        "shoal",
        "--boids=50",
        "--steps=20",
        "--set",
        "seed=1..4",
        "--out=sweep.csv",
        "--threads=1",
    ],
];

/// Files of all these commands, by name.
fn written(clock: Option<&Path>) -> Vec<(String, Vec<u8>)> {
    let lab = Lab::new();
    for args in COMMANDS {
        let output = by_clock(lab.folder(), clock, env!("CARGO_BIN_EXE_wingbeat"), args);
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    }
    let content = |name: String| (name.clone(), std::fs::read(lab.path(&name)).expect("a file"));
    // A checkpoint tells how long the steps took.
    lab.files().into_iter().filter(|name| name != "c").map(content).collect()
}

#[test]
fn a_clock_that_jumps_changes_nothing_that_is_written() {
    let lab = Lab::new();
    let expected = written(None);
    assert!(
        expected.len() >= 10,
        "{:?}",
        expected.iter().map(|(name, _)| name).collect::<Vec<_>>()
    );
    for seed in [20_261_124, 20_261_125] {
        println!("seed {seed}");
        let clock = jumping_clock(&lab, seed);
        // The clock does jump: two dates, one after the other, are years apart.
        let date = |clock: Option<&Path>| {
            let output = by_clock(lab.folder(), clock, "date", &["+%s"]);
            text(&output.stdout).trim().parse::<i64>().expect("a date")
        };
        assert!(
            (date(Some(&clock)) - date(None)).abs() > 10_000_000,
            "the clock of these tests does not jump"
        );
        for ((name, content), (also, expected)) in written(Some(&clock)).iter().zip(&expected) {
            assert!(name == also && content == expected, "{name} differs under a clock that jumps");
        }
    }
}
