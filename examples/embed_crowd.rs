//! A host with entities of its own lets Wingbeat steer them. Run it: `cargo run --release --example
//! embed_crowd` (`-- 50000 300` for 50,000 agents and 300 frames).
//!
//! Two hundred thousand walkers in a town square, each with a goal of its own. The host owns its
//! entities: who they are, what they carry, which of them are shown. Wingbeat owns where they are.
//! In every frame the host
//!
//! * gives new goals to those that have arrived (events), some of which leave for good while others
//!   come in;
//! * changes parameters live, as a designer at a slider would;
//! * steps, and reads positions from the flock's own columns, without a copy;
//!
//! and at the end it says how long frames took.

use std::time::{Duration, Instant};

use wingbeat::drive::Goal;
use wingbeat::{
    AgentLimits, Boid, BoidId, Domain, Event, Flock2, FlockError, Params, Perception, Separation,
    Shape, Spawn, TimeStep,
    steer::{Drive, Traits},
};
use wingbeat_steer::{math, noise};

/// Mean distance of walkers, meters.
const SPACING: f32 = 2.0;

/// How far off an errand may be, meters.
const ERRAND: f32 = 20.0;

/// What the host knows of a walker; where it walks is the flock's to know.
struct Walker {
    id: BoidId,
    goal: [f32; 2],
    /// Errands still to run.
    errands: u32,
    hurried: bool,
}

/// The host: entities in its own order, found by the flock's ids.
struct Town {
    side: f32,
    flock: Flock2,
    /// By id: ids are counted from 0 and never used again.
    walkers: Vec<Option<Walker>>,
    run_out: usize,
    come: usize,
}

impl Town {
    fn new(count: usize) -> Result<Self, FlockError> {
        let side = (count as f32).sqrt() * SPACING;
        let (min, max) = ([0.0; 2], [side; 2]);
        let spawn = Spawn { shape: Shape::Box { min, max }, speed: 1.0, ..Spawn::default() };
        let goal = Goal { arrival_radius: 1.5, slowing_radius: 2.0, ..Goal::default() };
        let flock = Flock2::builder()
            .params(params(1.0))
            .domain(Domain::walled(min, max, 1.0, 10.0))
            .seed(7)
            .drives(vec![Drive::new("errand", goal)])
            .spawn(count, spawn)
            .build()?;
        let walker = |boid: Boid<2>| {
            let (id, goal) = (boid.id, boid.position);
            Some(Walker { id, goal, errands: 1 + id.get() as u32 % 4, hurried: id.get() % 10 == 0 })
        };
        let walkers = flock.frame().by_id().map(walker).collect();
        let mut town = Self { side, flock, walkers, run_out: 0, come: 0 };
        let everyone: Vec<BoidId> = town.walkers.iter().flatten().map(|walker| walker.id).collect();
        town.send_on(&everyone, 0)?;
        for walker in town.walkers.iter().flatten().filter(|walker| walker.hurried).take(1000) {
            // Limits of an agent's own, for the few that differ.
            town.flock
                .set_traits(walker.id, Traits { max_speed: Some(2.2), ..Traits::default() })?;
        }
        Ok(town)
    }

    /// New errands for some, not far from where they are: at their last goals.
    fn send_on(&mut self, ids: &[BoidId], frame: u64) -> Result<(), FlockError> {
        let mut goals = Vec::with_capacity(ids.len());
        for &id in ids {
            let Some(walker) = &mut self.walkers[id.get() as usize] else { continue };
            for axis in 0..2 {
                let way = ERRAND * (2.0 * noise::uniform(99, id.get(), frame, axis as u32) - 1.0);
                walker.goal[axis] = math::clamp(walker.goal[axis] + way, 2.0, self.side - 2.0);
            }
            goals.push((id, Some(walker.goal)));
        }
        self.flock.set_goals(&goals)
    }

    /// What the flock reports: who is done with an errand has another, or leaves; for everyone who
    /// leaves a newcomer enters.
    fn heed(&mut self, frame: u64) -> Result<(), FlockError> {
        let (mut on, mut done) = (Vec::new(), Vec::new());
        for event in self.flock.events() {
            let Event::Arrived { boid, .. } = *event else { continue };
            let Some(walker) = &mut self.walkers[boid.get() as usize] else { continue };
            walker.errands -= 1;
            if walker.errands == 0 { done.push(boid) } else { on.push(boid) }
        }
        self.flock.remove(&done)?;
        for id in &done {
            self.walkers[id.get() as usize] = None;
            let gate = [
                0.5 + 0.1 * (id.get() % 7) as f32,
                self.side * noise::uniform(5, id.get(), frame, 0),
            ];
            let id = self.flock.add(gate, [1.0, 0.0])?;
            self.walkers.push(Some(Walker { id, goal: gate, errands: 2, hurried: false }));
            on.push(id);
        }
        (self.run_out, self.come) = (self.run_out + done.len(), self.come + done.len());
        self.send_on(&on, frame)
    }

    /// Whatever the host draws with: here, how full the busiest of 64 × 64 squares is. It reads the
    /// flock's own columns.
    fn busiest(&self) -> u32 {
        let frame = self.flock.frame();
        let mut squares = [0u32; 64 * 64];
        // The domain's walls keep all in; on the last of them stands the one in the last
        // square.
        let square = |x: f32| ((x / self.side * 64.0) as usize).min(63);
        for (x, y) in frame.positions(0).iter().zip(frame.positions(1)) {
            squares[64 * square(*y) + square(*x)] += 1;
        }
        squares.into_iter().max().unwrap_or(0)
    }
}

/// People who keep their distance. `room` is what a designer turns.
fn params(room: f32) -> Params {
    Params {
        agent: AgentLimits { max_speed: 1.5, max_force: 6.0, ..AgentLimits::default() },
        rules: Separation {
            weight: 12.0,
            perception: Perception { radius: 1.0 * room, ..Perception::default() },
            ..Separation::default()
        }
        .into(),
        ..Params::default()
    }
}

/// The frame time that this part of all frames stays below.
fn percentile(sorted: &[Duration], part: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * part).round() as usize].as_secs_f64() * 1e3
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<usize>());
    let count = arguments.next().transpose()?.unwrap_or(200_000);
    let frames = arguments.next().transpose()?.unwrap_or(120).max(1);
    let mut town = Town::new(count)?;
    println!("{count} walkers on {} threads at level {}", town.flock.threads(), town.flock.level());
    let dt = TimeStep::new(1.0 / 20.0)?;
    let mut took = Vec::with_capacity(frames);
    for frame in 0..frames as u64 {
        let start = Instant::now();
        if frame % 40 == 20 {
            // The slider: more room, then less.
            town.flock.set_params(params(if frame % 80 == 20 { 1.2 } else { 1.0 }))?;
        }
        town.flock.step(dt);
        town.heed(frame + 1)?;
        let busiest = town.busiest();
        took.push(start.elapsed());
        if frame % 40 == 39 {
            println!(
                "frame {:3}: {} walkers, {busiest} in the busiest square, {} done and gone",
                frame + 1,
                town.flock.len(),
                town.run_out
            );
        }
    }
    assert_eq!(
        town.walkers.iter().flatten().count(),
        town.flock.len(),
        "the host and the flock know the same walkers"
    );
    took.sort_unstable();
    let [median, slow, worst] = [0.5, 0.95, 0.99].map(|part| percentile(&took, part));
    println!(
        "frame times: median {median:.1} ms, 95 % below {slow:.1} ms, 99 % below {worst:.1} ms"
    );
    println!("{} errands run out, {} walkers came", town.run_out, town.come);
    Ok(())
}
