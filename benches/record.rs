//! Writes the medians of the last benchmarks as benches/record/NAME.csv:
//!
//! ```sh
//! cargo bench --bench record -- NAME
//! ```
//!
//! Reads what criterion has left in the target directory. Results from before the machine, the
//! compiler, its flags or the source last changed are left out, and how many is said. The file
//! appears whole or not at all.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use serde_json::Value;
use wingbeat_benches::machine::{self, Kept};

/// One benchmark's result.
struct Median {
    id: String,
    ns: f64,
    /// Boids (or agents) served by one iteration, if the benchmark says.
    elements: Option<u64>,
    measured: SystemTime,
}

fn main() -> ExitCode {
    let arguments = wingbeat_benches::arguments();
    let name = match arguments.as_slice() {
        [name] if is_plain(name) => name,
        _ => {
            eprintln!(
                "record: give one NAME of letters, digits, - and _; the file will be \
                benches/record/NAME.csv"
            );
            return ExitCode::from(2);
        }
    };
    match record(name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("record: {error}");
            ExitCode::from(2)
        }
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

fn record(name: &str) -> Result<(), Box<dyn Error>> {
    let folder = machine::criterion_folder();
    let kept = machine::read_kept()
        .map_err(|error| format!("no benchmark has run here ({}: {error})", folder.display()))?;
    let mut medians = Vec::new();
    collect(&folder, &mut medians)?;
    let all = medians.len();
    // The file that says since when is itself accurate to a second.
    medians.retain(|median| median.measured >= kept.since);
    if medians.is_empty() {
        return Err(format!(
            "no result of this machine, compiler and source in {}: run cargo bench",
            folder.display()
        )
        .into());
    }
    medians.sort_by(|a, b| a.id.cmp(&b.id));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("record").join(format!("{name}.csv"));
    write(&path, &kept, &medians)?;
    println!("{} medians in {}", medians.len(), path.display());
    if all > medians.len() {
        println!(
            "{} left out: from before the machine, compiler, flags or source last changed",
            all - medians.len()
        );
    }
    Ok(())
}

/// Looks for `new/estimates.json` in a folder and those below it.
fn collect(folder: &Path, medians: &mut Vec<Median>) -> Result<(), Box<dyn Error>> {
    let new = folder.join("new");
    if new.join("estimates.json").is_file() {
        medians.push(read(&new).map_err(|error| format!("{}: {error}", new.display()))?);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && path != new {
            collect(&path, medians)?;
        }
    }
    Ok(())
}

fn read(new: &Path) -> Result<Median, Box<dyn Error>> {
    let parse = |file: &str| -> Result<Value, Box<dyn Error>> {
        Ok(serde_json::from_str(&fs::read_to_string(new.join(file))?)?)
    };
    let (benchmark, estimates) = (parse("benchmark.json")?, parse("estimates.json")?);
    Ok(Median {
        id: benchmark["full_id"].as_str().ok_or("no full_id")?.to_owned(),
        ns: estimates["median"]["point_estimate"].as_f64().ok_or("no median")?,
        elements: benchmark["throughput"]["Elements"].as_u64(),
        measured: fs::metadata(new.join("estimates.json"))?.modified()?,
    })
}

fn write(path: &PathBuf, kept: &Kept, medians: &[Median]) -> Result<(), Box<dyn Error>> {
    let folder = path.parent().ok_or("no folder")?;
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    for line in kept.description.lines() {
        writeln!(file, "# {line}")?;
    }
    let ends = [medians.iter().map(|m| m.measured).min(), medians.iter().map(|m| m.measured).max()];
    let [first, last] =
        ends.map(|end| humantime::format_rfc3339_seconds(end.unwrap_or(SystemTime::UNIX_EPOCH)));
    writeln!(file, "# measured: {first} to {last}")?;
    let mut csv = csv::Writer::from_writer(&mut file);
    csv.write_record(["id", "median_ns", "ns_per_boid"])?;
    for median in medians {
        let per_boid = median.ns / median.elements.unwrap_or(1) as f64;
        csv.write_record([
            median.id.clone(),
            format!("{:.1}", median.ns),
            format!("{per_boid:.2}"),
        ])?;
    }
    csv.flush()?;
    drop(csv);
    file.as_file().sync_all()?;
    // A temporary file is its owner's alone; a record is for all to read.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path)?;
    Ok(())
}
