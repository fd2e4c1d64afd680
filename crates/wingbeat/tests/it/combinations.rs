//! Everything with everything: flocks whose features are drawn such that every two options that go
//! together meet in some flock. Each equals the textbook bit for bit, and explains itself as it
//! goes: the parts add up.
//!
//! The fuzz target `world` draws its flocks here too, and compares them in the same way
//! (fuzz/targets/world.rs).
//!
//! A failure names its case. `WINGBEAT_CASE=CASE cargo test -p wingbeat --test it combinations::`
//! runs that one alone, and `WINGBEAT_FULL=1` some thousands of random ones besides.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::explain::adds_up;
use super::side_by_side::{bits, same, side_by_side};
use crate::common::*;
use wingbeat::snapshot::*;
use wingbeat::steer::*;
use wingbeat::steer::{HeldForces, TextbookFlock};
use wingbeat::*;
use wingbeat_test_support::tier;

#[path = "combinations/features.rs"]
mod features;
#[path = "combinations/flocks.rs"]
mod flocks;
#[path = "combinations/host_rules.rs"]
mod host_rules;

pub use features::*;
pub use flocks::*;

const STEPS: usize = 6;

/// Captures, arrivals, who left, was squeezed, went by an exit, came from a source, waited there,
/// waited at a turnstile, waited to set off.
pub type Counts = [usize; 9];

/// Boids that are inside an exit when a step has ended, and did not leave yet.
fn queued<const D: usize>(book: &TextbookFlock<[f32; D]>) -> usize {
    let species =
        |id: u64| book.traits.get(&id).map_or(SpeciesId::default(), |traits| traits.species);
    // Who has just entered was not there.
    let old = |id: u64| book.entered.iter().all(|&(new, _)| new != id);
    book.boids
        .iter()
        .filter(|b| old(b.id) && book.exits.of(b.position, species(b.id), book.time).is_some())
        .count()
}

/// Drives that are on, and boids that wait until they set off, in the step that begins.
fn who_waits<const D: usize>(book: &TextbookFlock<[f32; D]>) -> usize {
    let on = book.drives.iter().filter(|drive| drive.is_on(book.time));
    on.map(|drive| {
        book.boids.iter().filter(|boid| drive.waits(book.seed, boid.id, book.time)).count()
    })
    .sum()
}

/// Steps a flock and its textbook side by side; counts what happened.
pub fn compare<const D: usize>(setup: &Setup<D>, counts: &mut Counts) -> Result<(), String> {
    let mut book = setup.textbook();
    book.check().map_err(|refusal| format!("the textbook refuses {refusal}"))?;
    let mut flock = setup.engine().map_err(|refusal| format!("the engine refuses {refusal}"))?;
    let mut forces = HeldForces::new(setup.every()).expect("turns");
    let dt = TimeStep::new(setup.case.dt).expect("a step");
    let mut saved = Snapshot::default();
    for step in 0..STEPS {
        flock = setup
            .broken(step, flock, &mut saved)
            .map_err(|refusal| format!("step {step}: going on is refused: {refusal}"))?;
        let asked = book.boids.get(step * 7).map(|boid| BoidId::new(boid.id));
        let why = asked
            .map(|id| flock.explain(id, dt).map(|why| (id, why)))
            .transpose()
            .map_err(|e| e.to_string())?;
        let mut before = flock.clone();
        let undecided = who_waits(&book);
        book.step_holding(setup.case.dt, &mut forces);
        flock.step(dt);
        let at = |told: String| format!("step {step}: {told}");
        side_by_side(&flock, &book, &forces).map_err(|(told, boid)| {
            let why = boid.and_then(|id| before.explain(id, dt).ok());
            at(told) + &why.map_or_else(String::new, |why| format!("\n  {:?}", why.advance))
        })?;
        let waiting =
            flock.checkpoint().state.sources.iter().filter(|source| source.tries > 0).count();
        let gates = [book.exited.len(), book.entered.len(), waiting, queued(&book), undecided];
        let others =
            [book.captured.len(), book.arrived.len(), book.left.len(), book.squeezed.len()];
        let happened = others.into_iter().chain(gates);
        counts.iter_mut().zip(happened).for_each(|(all, now)| *all += now);
        if let Some((id, why)) = why {
            let wanted = forces.of(id.get()).expect("a boid that has steered");
            same("steering as explained", bits(why.steering), bits(wanted)).map_err(at)?;
            adds_up(&why, before.params(), &before.traits(id).map_err(|e| e.to_string())?);
            if let Some(after) = book.boids.iter().find(|boid| boid.id == id.get()) {
                same("way as explained", bits(why.advance.position), bits(after.position))
                    .map_err(at)?;
            }
        }
    }
    Ok(())
}

/// What is wrong with a case, if anything is.
fn verdict(seed: u64, choice: Choice, counts: &mut Counts) -> Result<(), String> {
    let run = AssertUnwindSafe(|| {
        if choice[DIMENSIONS] == 0 {
            compare(&setup::<2>(seed, choice), counts)
        } else {
            compare(&setup::<3>(seed, choice), counts)
        }
    });
    catch_unwind(run).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(format!(
            "panic: {}",
            text.or(panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()
        ))
    })
}

/// Whether a choice is of the plane.
pub fn is_planar(choice: &Choice) -> bool {
    choice[DIMENSIONS] == 0
}

/// A case as `WINGBEAT_CASE` takes it.
pub fn written(seed: u64, choice: &Choice) -> String {
    format!("{seed}:{}", choice.map(|option| option.to_string()).join("."))
}

pub fn read(case: &str) -> (u64, Choice) {
    let (seed, choice) = case.split_once(':').expect("SEED:OPTION.OPTION…");
    let choice: Vec<usize> =
        choice.split('.').map(|option| option.parse().expect("an option")).collect();
    (seed.parse().expect("a seed"), choice.try_into().expect("an option of each feature"))
}

/// The options of a choice in words.
pub fn in_words(choice: &Choice) -> String {
    let options = options();
    (0..FEATURES).map(|f| options[f][choice[f]].as_str()).collect::<Vec<_>>().join(" · ")
}

/// Runs cases and tells of all that fail, and of which options they have.
fn run(cases: &[(u64, Choice)]) {
    let options = options();
    let (mut counts, mut failed) = (Counts::default(), Vec::new());
    for &(seed, choice) in cases {
        if let Err(told) = verdict(seed, choice, &mut counts) {
            failed.push((seed, choice, told));
        }
    }
    let [captures, arrivals, left, squeezed, exited, entered, waiting, queued, undecided] = counts;
    println!(
        "{} cases: {captures} captures, {arrivals} arrivals, {left} left, {squeezed} squeezed",
        cases.len()
    );
    println!("{exited} by exits, {entered} from sources, {waiting} times one waited");
    println!("{queued} times one waited at a turnstile, {undecided} times to set off");
    if failed.is_empty() {
        assert!(
            cases.len() == 1 || counts.iter().all(|&count| count > 0),
            "{counts:?}: the cases hold too little"
        );
        return;
    }
    let mut text = format!("{} of {} cases fail", failed.len(), cases.len());
    for (seed, choice, told) in failed.iter().take(12) {
        text += &format!(
            "\nWINGBEAT_CASE={}\n  {}\n  {told}",
            written(*seed, choice),
            in_words(choice)
        );
    }
    text += "\nfailures by option:";
    for (f, named) in options.iter().enumerate() {
        for (a, name) in named.iter().enumerate() {
            let of = |choice: &Choice| choice[f] == a;
            let (bad, all) = (
                failed.iter().filter(|one| of(&one.1)).count(),
                cases.iter().filter(|one| of(&one.1)).count(),
            );
            text += &format!("{}{name} {bad}/{all}", if a == 0 { "\n  " } else { ", " });
        }
    }
    panic!("{text}");
}

#[test]
fn whatever_goes_together_equals_the_textbook() {
    if let Ok(case) = std::env::var("WINGBEAT_CASE") {
        return run(&[read(&case)]);
    }
    // Times that every two options meet, in other flocks each time.
    let rounds = tier::either(2, 8);
    let mut random = Random::new(2026);
    let choices: Vec<Choice> = (0..rounds).flat_map(|_| covering(&mut random)).collect();
    let mut cases: Vec<(u64, Choice)> = (0..).zip(choices).collect();
    if tier::full() {
        cases.extend((10_000..16_000).map(|seed| (seed, any_choice(&mut random))));
    }
    run(&cases);
}
