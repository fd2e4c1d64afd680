//! `wingbeat compare`: every observable of two recordings or scenes side by side, and how far apart
//! its distributions are.
//!
//! [`args`] says what can be typed, [`subject`] opens and measures a side, [`report`] puts both
//! beside each other, [`picture`] draws.

mod args;
mod page;
mod picture;
mod report;
mod subject;

use wingbeat_page::{PageOptions, pair};
use wingbeat_scene::Machine;

use crate::failure::Failure;
use crate::files::Files;
use crate::options::group_radius;
use crate::replay::check_may_write;
use crate::side::{SideMeasure, is_recording};
use crate::{interrupt, terminal};

pub use args::CompareArgs;
use report::Comparison;
use subject::OpenedSide;

/// Opens, measures, compares, reports.
pub fn compare(args: &CompareArgs) -> Result<(), Failure> {
    let recorded = [is_recording(&args.a)?, is_recording(&args.b)?];
    refuse_idle(args, recorded)?;
    let given = [args.side(0, recorded[0])?, args.side(1, recorded[1])?];
    let mut measure = SideMeasure {
        wanted: args.columns.wanted()?,
        radius: group_radius(&args.radius)?,
        in_hull: false,
    };
    let machine = args.machine.machine()?;
    let mut files = Files::default();
    let mut output = |flag, path: &Option<String>, extensions: &[&str]| {
        path.as_deref().map(|path| files.write(flag, path, extensions)).transpose()
    };
    let table = output("--out", &args.out, &["csv"])?;
    let plot = output("--plot", &args.plot, &["svg", "png"])?;
    let html = output("--html", &args.html, &["html"])?;
    html.as_ref()
        .zip(args.html.as_ref())
        .map_or(Ok(()), |(html, name)| check_may_write(html, name))?;
    interrupt::listen()?;
    let open = |side: usize, files: &mut Files| {
        let input = if side == 0 { &args.a } else { &args.b };
        OpenedSide::open(input, recorded[side], &given[side], args, files)
    };
    let subjects = [open(0, &mut files)?, open(1, &mut files)?];
    let mut notes: Vec<String> =
        subjects.iter().flat_map(|subject| subject.notes.clone()).collect();
    notes.extend(subject::settle(&subjects, &mut measure, args.radius.is_some())?);
    let runs = [subjects[0].measure(&measure, &machine)?, subjects[1].measure(&measure, &machine)?];
    let comparison = Comparison::new(&subjects, &runs, &measure);
    notes.extend(comparison.notes());
    // Whatever can be refused has been: now files are written.
    let drawn = plot.as_ref().map(|output| picture::draw(&comparison, output)).transpose()?;
    if let Some(output) = &html {
        let page = both(&subjects, &machine)?;
        output.write(|out| out.write_all(&page))?;
    }
    if let Some(output) = &table {
        output.write(|out| comparison.write(out))?;
    }
    if let (Some(output), Some((bytes, left_out))) = (&plot, drawn) {
        notes.extend(left_out);
        output.write(|out| out.write_all(&bytes))?;
    }
    if args.print.json {
        return terminal::print(&format!("{:#}\n", comparison.json(&notes)));
    }
    notes.iter().for_each(|note| terminal::note(note));
    terminal::print(&comparison.text())
}

/// The page of both, in step by time; each has half the room.
fn both(subjects: &[OpenedSide; 2], machine: &Machine) -> Result<Vec<u8>, Failure> {
    let limit = PageOptions::default().limit / 2;
    let [a, b] = [subjects[0].page(limit, machine)?, subjects[1].page(limit, machine)?];
    Ok(pair([(&a, subjects[0].name.as_str()), (&b, subjects[1].name.as_str())]))
}

/// Refuses options of both sides that mean nothing to either.
fn refuse_idle(args: &CompareArgs, recorded: [bool; 2]) -> Result<(), Failure> {
    if let (false, Some((flag, value))) = (recorded.contains(&true), args.read.given()) {
        return Err(Failure::value(
            flag,
            value,
            "nothing here: it is for recordings, and these are scenes",
        ));
    }
    if !recorded.contains(&false) {
        let flown = [("--average-from", &args.average_from), ("--runs", &args.runs)];
        if let Some((flag, value)) =
            flown.into_iter().find_map(|(flag, value)| Some((flag, value.as_ref()?)))
        {
            return Err(Failure::value(
                flag,
                value,
                "nothing here: it is for scenes, and these are recordings",
            ));
        }
        if args.values != crate::options::SceneValues::default() {
            let message = "two recordings: allowed with them is none of --steps, --dt, --boids, \
                --seed, --initial, --set";
            return Err(Failure::BadInput(format!("{}, {}: {message}", args.a, args.b)));
        }
    }
    Ok(())
}
