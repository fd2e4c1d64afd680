//! Flocks: a point is a dimension, a field of view and a number of boids.

use wingbeat::Level;
use wingbeat::steer::FieldOfView;
use wingbeat_benches::finding::{Finding, finding};
use wingbeat_benches::outside::{Outside, Refusal};
use wingbeat_benches::peers::{engines, ours, wingbeat};
use wingbeat_benches::points::{State, mirrored, rules_with};
use wingbeat_benches::race::{Clock, Contender, Race, Wanted};
use wingbeat_benches::steps::{About, Stepper};

use crate::Effort;
use crate::options::Only;
use crate::programs::Programs;
use crate::table::{Key, Table};

/// Mean neighbors.
const K: f64 = 20.0;

/// Timed steps of a turn, after a restart and one step that is not timed, which finds other boids
/// in the caches. Restarts keep fast engines from measuring a flock that has evolved further than
/// slow ones'.
fn steps_a_turn(boids: usize) -> usize {
    (100_000 / boids).clamp(1, 7)
}

/// A contender that may step at this point, on so many threads.
struct Entrant<const D: usize> {
    about: About,
    threads: usize,
    stepper: Box<dyn Stepper<D>>,
}

/// The contenders of one point.
struct Point<'a, const D: usize> {
    table: &'a mut Table,
    state: State<D>,
    world: String,
    effort: Effort,
    expected: Option<Finding>,
    entrants: Vec<Entrant<D>>,
}

/// Checks all contenders at a point, and measures them.
pub fn point<const D: usize>(
    table: &mut Table,
    programs: &Programs,
    boids: usize,
    degrees: u32,
    effort: Effort,
    only: &Only,
) {
    let id = format!("{D}d/{degrees}/n{boids}");
    if !only.fits(&id) {
        return;
    }
    let params = rules_with(FieldOfView::degrees(f64::from(degrees)));
    let state = State { params, ..mirrored::<D>(boids, K) };
    let sight = if degrees == 360 { "no cone".into() } else { format!("cone of {degrees}°") };
    let world = format!("{D}-D, {sight}");
    eprintln!("{id}");
    let mut point = Point { table, state, world, effort, expected: None, entrants: Vec::new() };
    for (about, make) in engines::<D>() {
        point.enter(about, 1, |state| Ok(make(state)));
    }
    point.programs(programs, 1);
    point.race(Clock::Cpu);
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    if all == 1 {
        return;
    }
    let doubled = std::iter::successors(Some(1), |threads| Some(threads * 2));
    for threads in doubled.take_while(|&threads| threads < all).chain([all]) {
        let (about, make) = wingbeat::<D>(Level::detect(), threads);
        point.enter(about, threads, |state| Ok(make(state)));
    }
    point.programs(programs, all);
    point.race(Clock::Wall);
}

impl<const D: usize> Point<'_, D> {
    fn key(&self, name: &str, threads: usize) -> Key {
        Key { world: self.world.clone(), name: name.into(), threads }
    }

    fn programs(&mut self, programs: &Programs, threads: usize) {
        for (name, command) in &programs.0 {
            let about = About { name: name.clone(), ..About::default() };
            self.enter(about, threads, |state| {
                Ok(Box::new(Outside::flock(command, state, threads)?) as Box<dyn Stepper<D>>)
            });
        }
    }

    /// Has a contender count its pairs and make a step; if they are those of the first, it steps
    /// in the race.
    fn enter(
        &mut self,
        about: About,
        threads: usize,
        make: impl FnOnce(&State<D>) -> Result<Box<dyn Stepper<D>>, Refusal>,
    ) {
        let boids = self.state.boids.len();
        let key = self.key(&about.name, threads);
        // The first is what all others are compared with.
        if self.expected.is_some()
            && about.name != ours(Level::detect())
            && let Some(seconds) = self.table.seconds_expected(&key, boids)
            && seconds > self.effort.longest_step
        {
            return self.table.leave_out(&key, boids, seconds);
        }
        let checked = make(&self.state).and_then(|mut stepper| {
            let found = finding(&mut *stepper, &self.state).map_err(Refusal::Fault)?;
            found.agrees(self.expected.as_ref().unwrap_or(&found)).map_err(Refusal::Fault)?;
            Ok((stepper, found))
        });
        match checked {
            Ok((stepper, found)) => {
                let about = about.stated(stepper.about());
                self.table.describe(about.clone());
                self.expected.get_or_insert(found);
                self.entrants.push(Entrant { about, threads, stepper });
            }
            Err(Refusal::Declined(reason)) => self.table.decline(&key, &reason),
            Err(Refusal::Fault(reason)) => self.table.refuse(&key, boids, &reason),
        }
    }

    /// Lets those that have entered step in turns.
    fn race(&mut self, clock: Clock) {
        let entrants = std::mem::take(&mut self.entrants);
        let (boids, steps) = (self.state.boids.len(), steps_a_turn(self.state.boids.len()));
        let keys: Vec<Key> = entrants.iter().map(|e| self.key(&e.about.name, e.threads)).collect();
        let contenders = entrants.into_iter().map(|mut entrant| {
            let state = self.state.clone();
            let turn = move || {
                entrant.stepper.restart(&state);
                entrant.stepper.step();
                entrant.stepper.timed(steps, clock)
            };
            Contender {
                name: entrant.about.name,
                wanted: Wanted::Nothing,
                boids: boids * steps,
                turn: Box::new(turn),
            }
        });
        let mut race = Race { contenders: contenders.collect() };
        let costs = race.measure(self.effort.rounds);
        self.table.enter_costs(&keys, boids, &costs, clock);
    }
}
