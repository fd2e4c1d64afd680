//! The server that is besieged: the real program in an empty folder, and what the system says of
//! it.

use std::io::Read;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Lab, address_of};

/// Steps a second that the flock is paced at: `shoal` steps by a twentieth of a second.
pub const PACE: f64 = 40.0;

/// What the system says of a process at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vitals {
    /// Memory it has, in KiB: VmRSS of /proc/PID/status.
    pub resident: u64,
    /// Open file handles, of which connections are most.
    pub files: u64,
    pub threads: u64,
}

impl Vitals {
    /// The larger of each.
    pub fn or_more(self, other: Self) -> Self {
        Self {
            resident: self.resident.max(other.resident),
            files: self.files.max(other.files),
            threads: self.threads.max(other.threads),
        }
    }
}

/// A running `wingbeat view`, killed with its test.
pub struct Besieged {
    lab: Lab,
    child: Child,
    pub local: SocketAddr,
}

impl Besieged {
    /// With these arguments more.
    pub fn start(more: &[&str]) -> Self {
        Self::by(Command::new(env!("CARGO_BIN_EXE_wingbeat")), more)
    }

    /// One that may have so many files and connections open.
    pub fn with_handles(handles: u64) -> Self {
        let mut shell = Command::new("sh");
        shell.args([
            "-c",
            &format!("ulimit -n {handles}; exec \"$0\" \"$@\""),
            env!("CARGO_BIN_EXE_wingbeat"),
        ]);
        Self::by(shell, &[])
    }

    fn by(mut command: Command, more: &[&str]) -> Self {
        let lab = Lab::new();
        lab.write("secret.txt", "No client of the server may read this.");
        // Where the server works, and where programs put what they do not want to be seen.
        let folders = ["empty", "home", "temporary"].map(|name| lab.path(name));
        folders.iter().for_each(|folder| std::fs::create_dir(folder).expect("a folder"));
        let mut child = command
            .args(["view", "shoal", "--boids=2000", "--threads=2", "--speed=2", "--port=0"])
            .args(more)
            .env("HOME", &folders[1])
            .env("TMPDIR", &folders[2])
            .current_dir(&folders[0])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        Self { lab, local: address_of(&mut child).parse().expect("an address"), child }
    }

    /// A file beside the server's folder that no client may get to read.
    pub fn secret(&self) -> PathBuf {
        self.lab.path("secret.txt")
    }

    fn system(&self, file: &str) -> PathBuf {
        Path::new("/proc").join(self.child.id().to_string()).join(file)
    }

    pub fn vitals(&self) -> Vitals {
        let status = std::fs::read_to_string(self.system("status")).expect("the server runs");
        let number = |name: &str| {
            let line = status
                .lines()
                .find_map(|line| line.strip_prefix(name))
                .unwrap_or_else(|| panic!("no {name} in {status}"));
            line.trim_start_matches(':').trim().trim_end_matches(" kB").parse().expect("a number")
        };
        let files = std::fs::read_dir(self.system("fd")).expect("the server runs").count() as u64;
        Vitals { resident: number("VmRSS"), files, threads: number("Threads") }
    }

    /// Open handles of files: the server needs none.
    pub fn open_files(&self) -> Vec<PathBuf> {
        let handles =
            std::fs::read_dir(self.system("fd")).expect("the server runs").filter_map(Result::ok);
        // A handle may be closed before it is looked at.
        let links = handles.filter_map(|handle| std::fs::read_link(handle.path()).ok());
        links.filter(|link| link.is_absolute() && !link.starts_with("/dev")).collect()
    }

    /// Everything that lies in the folders that the server could write into.
    pub fn left(&self) -> Vec<PathBuf> {
        let inside = |folder: &str| {
            std::fs::read_dir(self.lab.path(folder)).expect("a folder").filter_map(Result::ok)
        };
        let mut left: Vec<PathBuf> = ["empty", "home", "temporary"]
            .into_iter()
            .flat_map(inside)
            .map(|entry| entry.path())
            .collect();
        left.extend(
            self.lab
                .files()
                .into_iter()
                .filter(|name| {
                    !["empty", "home", "secret.txt", "temporary"].contains(&name.as_str())
                })
                .map(PathBuf::from),
        );
        left
    }

    pub fn signal(&self, signal: &str) {
        let status = Command::new("kill")
            .args([signal, &self.child.id().to_string()])
            .status()
            .expect("kill runs");
        assert!(status.success());
    }

    /// Ends it by a signal: how long it took, its exit code, and what it has said on standard
    /// error.
    pub fn end(&mut self, signal: &str) -> (Duration, Option<i32>, String) {
        let begun = Instant::now();
        self.signal(signal);
        let status = self.child.wait().expect("an end");
        let mut said = String::new();
        self.child.stderr.take().expect("its errors").read_to_string(&mut said).expect("text");
        (begun.elapsed(), status.code(), said)
    }
}

impl Drop for Besieged {
    fn drop(&mut self) {
        // It has ended already where all went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
