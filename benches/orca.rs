//! ORCA beside another library: `cargo bench --features peers --bench orca -- [ROUNDS]`, ROUNDS
//! being 15 unless given.
//!
//! Contenders step in turns, as in `ratios`; what is printed is the median over rounds of the ratio
//! within a round. All in one thread. What is in a step:
//!
//! * `wingbeat_…`: goals, sorting, the 10 nearest, ORCA, the turn where progress is poor, moving,
//!   and bodies that cannot overlap (the clamp);
//! * `dodgy_2d`: goals, the counting sort and the search of support/crowds/near.rs, its
//!   `compute_avoiding_velocity` for each, moving. Bodies may overlap.
//!
//! Afterwards it prints what the crowds are like, so that no candidate is quick by doing something
//! else.

use std::cell::RefCell;
use std::process::ExitCode;
use std::rc::Rc;

use wingbeat::Level;
use wingbeat_benches::crowds::{Crowd, Dodgy, Scene, Wingbeat, likeness};
use wingbeat_benches::machine;

// Other races want other things.
#[allow(dead_code)]
#[path = "ratios/race.rs"]
mod race;

use race::{Contender, Race, Wanted, cpu_seconds};

/// Steps before anything is measured: every boid has set off by then.
const WARM: usize = 30;

/// Wanted: so many times as fast as the crate.
const WANTED: f64 = 5.0;

type Named = (String, Rc<RefCell<dyn Crowd>>);

fn crowds(side: usize) -> Vec<Named> {
    let scene = Scene::square(side);
    let mut crowds: Vec<Named> =
        vec![("dodgy_2d".into(), Rc::new(RefCell::new(Dodgy::new(&scene))))];
    for level in Level::available() {
        crowds.push((
            format!("wingbeat_{}", level.name()),
            Rc::new(RefCell::new(Wingbeat::new(&scene, level))),
        ));
    }
    crowds
}

fn point(side: usize, rounds: usize) {
    let boids = side * side;
    let steps = (50_000 / boids).max(1);
    let crowds = crowds(side);
    for (_, crowd) in &crowds {
        (0..WARM).for_each(|_| crowd.borrow_mut().step());
    }
    let contender = |(name, crowd): &Named| {
        let crowd = Rc::clone(crowd);
        let turn = move || cpu_seconds(|| (0..steps).for_each(|_| crowd.borrow_mut().step()));
        let best = *name == format!("wingbeat_{}", Level::detect().name());
        let wanted = if best { Wanted::Faster(WANTED) } else { Wanted::Nothing };
        Contender { name: name.clone(), wanted, boids: boids * steps, turn: Box::new(turn) }
    };
    Race { contenders: crowds.iter().map(contender).collect() }
        .run(&format!("orca/2d/n{boids}"), rounds);
    for (name, crowd) in &crowds {
        let like = likeness(&*crowd.borrow());
        println!(
            "  {name}: mean speed {:.3} m/s; nearest other {:.3} m on average, {:.3} at least",
            like.speed, like.mean_nearest, like.nearest
        );
    }
    println!();
}

fn main() -> ExitCode {
    let arguments = wingbeat_benches::arguments();
    let rounds = match arguments.as_slice() {
        [] => 15,
        [rounds] => rounds.parse().unwrap_or(0),
        _ => 0,
    };
    if rounds == 0 {
        eprintln!("orca: give at most ROUNDS, a whole number above 0");
        return ExitCode::from(2);
    }
    print!("{}", machine::describe());
    println!(
        "median over {rounds} rounds of the ratio within a round (quartiles); ns a person and \
        step of CPU time\n"
    );
    for side in [100, 316] {
        point(side, rounds);
    }
    ExitCode::SUCCESS
}
