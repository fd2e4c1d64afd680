//! `wingbeat prove`: what was published beside what is measured, with a verdict.
//!
//! [`args`] says what can be typed. [`library`] has the proofs and [`reader`] reads their files
//! strictly; [`proof`] is one of them, with its [`measure`]s and [`check`]s. [`runs`] makes the
//! runs and [`samples`] takes what measures ask for; [`distribution`] has the distributions of
//! times. [`verdict`] judges, [`report`] prints the table, [`page`] writes it as a web page.

mod args;
mod check;
mod distribution;
mod library;
mod measure;
mod page;
mod proof;
mod reader;
mod report;
mod runs;
mod samples;
mod verdict;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use wingbeat_scene::Machine;

use crate::failure::Failure;
use crate::files::Files;
use crate::output::Output;
use crate::replay::check_may_write;
use crate::{interrupt, jobs, progress, terminal};

pub use args::ProveArgs;
use proof::{Expected, Proof};
use runs::{Job, ProofRuns};
use verdict::{JudgedProof, Runs, Verdict};

/// Above this line of a page that is there, `--out` changes nothing.
const MARK: &str = "<!-- wingbeat prove -->\n";

/// Where recordings are, seen from a checkout.
const BESIDE: &str = "../shared/data";

/// Runs proofs and prints the table.
pub fn prove(args: &ProveArgs) -> Result<(), Failure> {
    let started = Instant::now();
    let proofs = library::chosen(&args.names)?;
    if args.list {
        let text = if args.print.json {
            format!("{:#}\n", report::list_json(&proofs))
        } else {
            report::list(&proofs)
        };
        return terminal::print(&text);
    }
    let machine = args.machine.machine();
    let data = data(args)?;
    let mut files = Files::default();
    let html = args.html.as_ref().map(|name| files.write("--html", name, &["html"])).transpose()?;
    html.as_ref()
        .zip(args.html.as_ref())
        .map_or(Ok(()), |(html, name)| check_may_write(html, name))?;
    let out = args.out.as_ref().map(|name| files.write("--out", name, &["md"])).transpose()?;
    let skipped = |proof: &&Proof| {
        proof.expected != Expected::NotBuilt && lacks_recording(proof, data.as_deref())
    };
    for proof in proofs.iter().filter(skipped) {
        terminal::note(&format!(
            "{} is skipped: its recording is not there (--data FOLDER)",
            proof.name
        ));
    }
    let jobs = planned(&proofs, args.quick, data.as_deref())?;
    interrupt::listen()?;
    let all = make(&jobs, proofs.len(), &machine, args.quick, data.as_deref())?;
    let judged: Vec<JudgedProof<'_>> =
        proofs.iter().zip(all).map(|(proof, runs)| judge(proof, runs, args.quick)).collect();
    let seconds = started.elapsed().as_secs_f64();
    if let Some(html) = &html {
        let page = page::html(&judged, args.quick, seconds);
        html.write(|out| out.write_all(page.as_bytes()))?;
    }
    if let Some(out) = &out {
        write_markdown(out, &report::markdown(&judged, args.quick))?;
    }
    let text = if args.print.json {
        format!("{:#}\n", report::json(&judged, args.quick, seconds))
    } else {
        report::text(&judged, args.quick, seconds)
    };
    terminal::print(&text)?;
    let differ: Vec<String> = judged
        .iter()
        .filter(|one| !one.is_as_expected())
        .map(|one| format!("{} ({})", one.proof.name, one.words()))
        .collect();
    if differ.is_empty() {
        Ok(())
    } else {
        Err(Failure::Other(format!("verdicts are not as expected: {}", differ.join(", "))))
    }
}

/// The folder of recordings, if there is one.
fn data(args: &ProveArgs) -> Result<Option<PathBuf>, Failure> {
    if let Some(folder) = &args.data {
        let path = PathBuf::from(folder);
        return if path.is_dir() {
            Ok(Some(path))
        } else {
            Err(Failure::value("--data", folder, "a folder that exists"))
        };
    }
    if let Some(folder) = std::env::var_os("WINGBEAT_DATA").filter(|folder| !folder.is_empty()) {
        let path = PathBuf::from(&folder);
        let refusal =
            || Failure::value("WINGBEAT_DATA", &folder.to_string_lossy(), "a folder that exists");
        return if path.is_dir() { Ok(Some(path)) } else { Err(refusal()) };
    }
    Ok(Some(PathBuf::from(BESIDE)).filter(|path| path.is_dir()))
}

/// Whether a proof takes a recording that is not there.
fn lacks_recording(proof: &Proof, data: Option<&Path>) -> bool {
    let lacks = |(variant, own): (usize, &proof::Variant)| {
        let recording = Job { place: 0, proof, variant, seed: 1 }.recording(data);
        own.subject.takes_data()
            && (data.is_none() || recording.is_some_and(|file| !file.is_file()))
    };
    proof.variants.iter().enumerate().any(lacks)
}

/// The runs of all proofs, checked, those that take longest first.
fn planned<'a>(
    proofs: &'a [Proof],
    quick: bool,
    data: Option<&Path>,
) -> Result<Vec<(Job<'a>, u64)>, Failure> {
    let mut jobs = Vec::new();
    for (place, proof) in proofs.iter().enumerate() {
        if proof.expected == Expected::NotBuilt
            || quick && !proof.in_quick
            || lacks_recording(proof, data)
        {
            continue;
        }
        for (variant, _) in
            proof.variants.iter().enumerate().filter(|(_, variant)| variant.in_quick || !quick)
        {
            for seed in 1..=proof.seed_count(quick) {
                let job = Job { place, proof, variant, seed };
                let Some(scene) = job.scene(quick, data)? else {
                    // A recording is the same for all seeds.
                    if seed == 1 {
                        jobs.push((job, 1, 0));
                    }
                    continue;
                };
                proof.columns.check("value", &scene).map_err(|refusal| match refusal {
                    Failure::BadInput(message) => job.refusal(&message),
                    other => other,
                })?;
                jobs.push((job, scene.steps(), scene.steps() * scene.boids().unwrap_or(1) as u64));
            }
        }
    }
    jobs.sort_by_key(|(.., cost)| std::cmp::Reverse(*cost));
    Ok(jobs.into_iter().map(|(job, steps, _)| (job, steps)).collect())
}

/// Makes the runs, as many at a time as there are threads; those of each proof.
fn make(
    jobs: &[(Job<'_>, u64)],
    proofs: usize,
    machine: &Machine,
    quick: bool,
    data: Option<&Path>,
) -> Result<Vec<Runs>, Failure> {
    let bar = progress::runs(jobs.iter().map(|(_, steps)| steps).sum());
    let (all, done) = (jobs.len(), AtomicUsize::new(0));
    bar.set_message(format!("0/{all} runs"));
    let finished: Mutex<Vec<Runs>> = Mutex::new((0..proofs).map(|_| Runs::new()).collect());
    let made = jobs::all(all, jobs::threads(machine), |number, threads, stop| {
        let (job, _) = jobs[number];
        let machine = Machine { threads: Some(threads), ..*machine };
        let Some(run) = job.run(&machine, &ProofRuns { quick, data, bar: &bar, stop })? else {
            return Ok(());
        };
        jobs::locked(&finished)[job.place].push((job.variant, job.seed, run));
        bar.set_message(format!("{}/{all} runs", done.fetch_add(1, Ordering::Relaxed) + 1));
        Ok(())
    });
    bar.finish_and_clear();
    made?;
    if done.load(Ordering::Relaxed) < all {
        return Err(Failure::Stopped("stopped; nothing is written".into()));
    }
    Ok(finished.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn judge(proof: &Proof, runs: Runs, quick: bool) -> JudgedProof<'_> {
    if proof.expected == Expected::NotBuilt {
        return JudgedProof::without_runs(proof, Verdict::NotBuilt);
    }
    if runs.is_empty() {
        let verdict = if quick && !proof.in_quick { Verdict::LeftOut } else { Verdict::Skipped };
        return JudgedProof::without_runs(proof, verdict);
    }
    JudgedProof::of(proof, runs)
}

/// Writes the table below what stands above the mark of a page that is there.
fn write_markdown(out: &Output, table: &str) -> Result<(), Failure> {
    let before = std::fs::read_to_string(out.path()).unwrap_or_default();
    let head = before.split_once(MARK).map_or(String::new(), |(head, _)| format!("{head}{MARK}\n"));
    out.write(|out| write!(out, "{head}{table}"))
}
