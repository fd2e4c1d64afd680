//! Crowds that avoid each other by ORCA.
//!
//! Programs solve the same problem by sums in other orders and treat jams differently, so their
//! people part after some steps; what is held against each other is what the crowds are like.

use std::cell::RefCell;
use std::rc::Rc;

use wingbeat::Level;
use wingbeat_benches::crowds::{Crowd, Dodgy, Likeness, Scene, Wingbeat, likeness};
use wingbeat_benches::outside::{Outside, Refusal};
use wingbeat_benches::peers::ours;
use wingbeat_benches::race::{Clock, Contender, Race, Wanted};
use wingbeat_benches::steps::About;

use crate::Effort;
use crate::options::Only;
use crate::programs::Programs;
use crate::table::{Key, Table};

/// Steps before anything is measured: every person has set off by then.
const WARM: usize = 30;

/// Mean speed and mean distance of the nearest differ by at most this part between contenders.
/// RVO2's crowd of 10,000 was 15 % faster than Wingbeat's, whose bodies are kept apart, and
/// dodgy_2d's 20 %; people who do not avoid each other are 40 % faster.
const LIKE: f64 = 0.25;

type Shared = Rc<RefCell<Box<dyn Crowd>>>;

/// Checks all crowds, and measures them.
pub fn point(table: &mut Table, programs: &Programs, side: usize, effort: Effort, only: &Only) {
    let people = side * side;
    let id = format!("crowd/2d/n{people}");
    if !only.fits(&id) {
        return;
    }
    eprintln!("{id}");
    let scene = Scene::square(side);
    let key = |name: &str| Key { world: "crowd, ORCA".into(), name: name.into(), threads: 1 };
    let mut entrants: Vec<(Key, Shared)> = Vec::new();
    let mut expected: Option<Likeness> = None;
    for (about, make) in contenders(programs) {
        let key = key(&about.name);
        if let Some(seconds) = table.seconds_expected(&key, people)
            && seconds > effort.longest_step
        {
            table.leave_out(&key, people, seconds);
            continue;
        }
        let checked = make(&scene).and_then(|mut crowd| {
            (0..WARM).for_each(|_| crowd.step());
            let like = likeness(&mut *crowd);
            crowd.failure().map_or(Ok(()), |reason| Err(Refusal::Fault(reason)))?;
            let first = *expected.get_or_insert(like);
            like.resembles(&first, LIKE).map_err(Refusal::Fault)?;
            Ok((crowd, like))
        });
        match checked {
            Ok((crowd, like)) => {
                table.note(format!(
                    "{} after {WARM} steps of {people} people: {:.2} m/s on average; nearest other \
                    {:.2} m on average, {:.2} at least",
                    about.name, like.speed, like.mean_nearest, like.nearest
                ));
                table.describe(about.stated(crowd.about()));
                entrants.push((key, Rc::new(RefCell::new(crowd))));
            }
            Err(Refusal::Declined(reason)) => table.decline(&key, &reason),
            Err(Refusal::Fault(reason)) => table.refuse(&key, people, &reason),
        }
    }
    let steps = (50_000 / people).max(1);
    let contenders = entrants.iter().map(|(key, crowd)| {
        let crowd = Rc::clone(crowd);
        Contender {
            name: key.name.clone(),
            wanted: Wanted::Nothing,
            boids: people * steps,
            turn: Box::new(move || crowd.borrow_mut().timed(steps, Clock::Cpu)),
        }
    });
    let mut race = Race { contenders: contenders.collect() };
    let costs = race.measure(effort.rounds);
    let keys: Vec<Key> = entrants.into_iter().map(|(key, _)| key).collect();
    table.enter_costs(&keys, people, &costs, Clock::Cpu);
}

type Make<'a> = Box<dyn Fn(&Scene) -> Result<Box<dyn Crowd>, Refusal> + 'a>;

fn contenders(programs: &Programs) -> Vec<(About, Make<'_>)> {
    let mut all: Vec<(About, Make<'_>)> = Vec::new();
    for level in Level::available().into_iter().rev() {
        let about = About::of_ours(
            format!("{}, ORCA", ours(level)),
            "goals, sorting, the nearest, ORCA, moving, and bodies kept apart",
        );
        all.push((about, Box::new(move |scene| Ok(Box::new(Wingbeat::new(scene, level))))));
    }
    let about = About::of_crate(
        "dodgy_2d",
        "`compute_avoiding_velocity` on the nearest from a counting grid made for this crowd, \
        goals and moving; bodies may overlap",
    );
    all.push((about, Box::new(|scene| Ok(Box::new(Dodgy::new(scene))))));
    for (name, command) in &programs.0 {
        let about = About { name: name.clone(), ..About::default() };
        let start =
            move |scene: &Scene| Ok(Box::new(Outside::crowd(command, scene, 1)?) as Box<dyn Crowd>);
        all.push((about, Box::new(start)));
    }
    all
}
