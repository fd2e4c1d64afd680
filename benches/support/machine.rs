//! Where results come from: printed by every benchmark, kept beside them, and copied into records.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;
use std::{fs, io};

use sysinfo::{CpuRefreshKind, RefreshKind, System};
use wingbeat::Level;

/// The machine, the compiler, the flags and the source, one `name: value` a line.
pub fn describe() -> String {
    let system =
        System::new_with_specifics(RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing()));
    let cpu = system.cpus().first().map_or("unknown", |cpu| cpu.brand().trim());
    let cores = System::physical_core_count().map_or("unknown".into(), |cores| cores.to_string());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let os = System::long_os_version().unwrap_or_else(|| std::env::consts::OS.into());
    let levels: Vec<_> = Level::available().iter().map(|level| level.name()).collect();
    let lines = [
        ("cpu", cpu),
        ("cores", &cores),
        ("threads available", &threads.to_string()),
        ("os", &format!("{os}, {}", env!("BUILT_TARGET"))),
        ("compiler", env!("BUILT_RUSTC")),
        ("profile", env!("BUILT_PROFILE")),
        ("RUSTFLAGS", flags()),
        ("levels", &levels.join(" ")),
        ("commit", &commit()),
    ];
    lines.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = writeln!(text, "{name}: {value}");
        text
    })
}

/// What changes from run to run: the time, the machine's load and this program's priority, one
/// `name: value` a line.
pub fn conditions() -> String {
    #[expect(clippy::disallowed_methods, reason = "when it was measured is no result")]
    let now = humantime::format_rfc3339_seconds(SystemTime::now());
    let load = System::load_average();
    let load = format!("load of 1 and 5 minutes: {:.2}, {:.2}", load.one, load.five);
    let nice = niceness().map_or(String::new(), |nice| format!("nice: {nice}\n"));
    format!("date: {now}\n{load}\n{nice}")
}

/// This program's niceness, where Linux tells it: the 19th field of its state. The second field,
/// its name in brackets, may have spaces.
fn niceness() -> Option<String> {
    let state = fs::read_to_string("/proc/self/stat").ok()?;
    let after_name = state.rsplit_once(')')?.1;
    after_name.split_whitespace().nth(16).map(str::to_owned)
}

/// The machine's load of the last five minutes and the threads it has, where it has more to do than
/// that.
pub fn busy() -> Option<(f64, usize)> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let load = System::load_average().five;
    (load > threads as f64 + 0.5).then_some((load, threads))
}

/// The compiler's flags, from the environment or a configuration file.
fn flags() -> &'static str {
    match env!("BUILT_RUSTFLAGS") {
        "" => "none",
        flags => flags,
    }
}

/// The source's commit, and whether files differ from it.
fn commit() -> String {
    let git = Command::new("git")
        .args(["describe", "--always", "--dirty=, with changes", "--abbrev=12", "--exclude=*"])
        .output();
    let found = git
        .ok()
        .filter(|out| out.status.success())
        .map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    found.unwrap_or_else(|| "unknown".into())
}

/// Prints [`describe`], and keeps it in criterion's folder with the time from which on results are
/// this machine's, flags' and source's: a record takes no others. Every benchmark calls it first.
///
/// # Panics
/// When the folder cannot be written to, which criterion could not do without either.
pub fn announce() {
    let description = describe();
    print!("{description}");
    if flags() != "none" {
        println!("(not what users receive: RUSTFLAGS are set)");
    }
    let path = criterion_folder().join(KEPT);
    let same = |kept: &Kept| kept.description == description;
    if read_kept().is_ok_and(|kept| same(&kept)) {
        return;
    }
    #[expect(clippy::disallowed_methods, reason = "when a machine was measured first is no result")]
    let since = humantime::format_rfc3339_seconds(SystemTime::now());
    let write = || {
        fs::create_dir_all(criterion_folder())?;
        fs::write(&path, format!("{SINCE}{since}\n{description}"))
    };
    write().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// What [`announce`] has kept.
#[derive(Debug)]
pub struct Kept {
    /// When this description was first printed.
    pub since: SystemTime,
    /// As [`describe`] gave it then.
    pub description: String,
}

const KEPT: &str = "wingbeat-machine.txt";
const SINCE: &str = "since: ";

/// The description that the last benchmark kept.
///
/// # Errors
/// When there is none, or it is not as it was written.
pub fn read_kept() -> io::Result<Kept> {
    let text = fs::read_to_string(criterion_folder().join(KEPT))?;
    let broken = || {
        io::Error::new(io::ErrorKind::InvalidData, format!("{KEPT} is not as a benchmark wrote it"))
    };
    let (first, description) = text.split_once('\n').ok_or_else(broken)?;
    let since = first
        .strip_prefix(SINCE)
        .and_then(|since| humantime::parse_rfc3339(since).ok())
        .ok_or_else(broken)?;
    Ok(Kept { since, description: description.into() })
}

/// Criterion's folder, found as criterion does: `CRITERION_HOME`, or in cargo's target directory.
pub fn criterion_folder() -> PathBuf {
    if let Some(home) = std::env::var_os("CRITERION_HOME") {
        return home.into();
    }
    // Every program cargo has built lies somewhere in the target directory, and that has cargo's
    // mark in it.
    let program = std::env::current_exe().unwrap_or_default();
    let marked = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    marked.unwrap_or_else(|| Path::new("target")).join("criterion")
}
