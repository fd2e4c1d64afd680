//! What the figures were measured on and with.

use wingbeat::Level;

/// The machine, and how this program was built.
#[derive(Debug)]
pub struct Machine {
    pub cpu: String,
    pub threads: usize,
    /// Other work, which makes figures larger.
    pub load: String,
    pub level: Level,
    pub build: String,
}

impl Machine {
    /// The machine this runs on.
    pub fn here() -> Self {
        let cpu = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown CPU".into());
        Self {
            cpu: format!("{cpu}, {} {}", std::env::consts::ARCH, std::env::consts::OS),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            load: load(),
            level: Level::detect(),
            build: build(),
        }
    }
}

/// Bytes that can be taken without swapping, where the system tells.
pub fn available_bytes() -> Option<u128> {
    bytes("/proc/meminfo", "MemAvailable")
}

/// Most bytes this process has had in memory so far, where the system tells.
pub fn most_resident() -> Option<u128> {
    bytes("/proc/self/status", "VmHWM")
}

fn bytes(file: &str, name: &str) -> Option<u128> {
    let kibibytes: u128 = field(file, name)?.strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The value behind the first `name :` of a Linux text file.
fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim_start().strip_prefix(':')?.trim().to_string())
}

/// How many threads have wanted to run in the last minute, where the system tells.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ')
        .next()
        .filter(|load| !load.is_empty())
        .map_or("load unknown".into(), |load| format!("load before {load}"))
}

/// The profile, and the instructions the compiler was allowed beyond every CPU's: flags such as
/// `target-cpu` show here.
fn build() -> String {
    let profile = if cfg!(debug_assertions) {
        "debug build, whose figures mean nothing"
    } else {
        "release build"
    };
    let beyond = [
        ("sse4.2", cfg!(target_feature = "sse4.2")),
        ("avx", cfg!(target_feature = "avx")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("fma", cfg!(target_feature = "fma")),
        ("avx512f", cfg!(target_feature = "avx512f")),
    ];
    let beyond: Vec<_> =
        beyond.into_iter().filter_map(|(name, compiled_in)| compiled_in.then_some(name)).collect();
    let flags = if beyond.is_empty() {
        "no target features added".into()
    } else {
        format!("with {}", beyond.join(", "))
    };
    format!("{profile}, {flags}")
}
