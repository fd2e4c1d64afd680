//! A race: contenders that step in turns.
//!
//! On a shared machine the load changes within seconds. Here a turn takes a fraction of a second,
//! and results are medians over rounds of the ratio *within* a round: whatever slows the machine
//! slows all contenders of a round.

use std::time::Instant;

use cpu_time::ThreadTime;

/// What is wanted of a contender, against the first one of its race.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// Only shown.
    Nothing,
    /// At least this many times as fast.
    Faster(f64),
    /// At most this many times its cost.
    Costs(f64),
    /// At most so many nanoseconds a boid more.
    Adds(f64),
}

/// Seconds that a turn took, or why there is no result.
pub type Spent = Result<f64, String>;

/// A competitor that does some work for a number of boids in each of its turns.
pub struct Contender {
    /// As it is printed.
    pub name: String,
    /// Against the first of the race.
    pub wanted: Wanted,
    /// Boids served by one turn: costs are compared per boid.
    pub boids: usize,
    /// One turn, and the seconds of what counts in it.
    pub turn: Box<dyn FnMut() -> Spent>,
}

impl Contender {
    /// A contender whose turns cannot fail.
    pub fn new(
        name: impl Into<String>,
        wanted: Wanted,
        boids: usize,
        mut turn: impl FnMut() -> f64 + 'static,
    ) -> Self {
        Self { name: name.into(), wanted, boids, turn: Box::new(move || Ok(turn())) }
    }
}

/// Nanoseconds a boid of one contender, round by round.
pub type Costs = Vec<f64>;

/// Contenders; all are compared with the first.
pub struct Race {
    /// In the order of their turns.
    pub contenders: Vec<Contender>,
}

impl Race {
    /// Runs all rounds and gives each contender's costs, or why it dropped out.
    pub fn measure(&mut self, rounds: usize) -> Vec<Result<Costs, String>> {
        let mut costs: Vec<Result<Costs, String>> =
            self.contenders.iter().map(|_| Ok(Vec::new())).collect();
        // The first round allocates and warms caches.
        for round in 0..=rounds {
            for (contender, costs) in self.contenders.iter_mut().zip(&mut costs) {
                let Ok(so_far) = costs else { continue };
                match (contender.turn)() {
                    Ok(seconds) if round > 0 => so_far.push(seconds * 1e9 / contender.boids as f64),
                    Ok(_) => {}
                    Err(reason) => *costs = Err(reason),
                }
            }
        }
        costs
    }

    /// Runs all rounds and prints a line for each contender.
    ///
    /// # Panics
    /// When a turn fails.
    pub fn run(mut self, name: &str, rounds: usize) {
        println!("{name}");
        let costs: Vec<Costs> = self
            .measure(rounds)
            .into_iter()
            .map(|costs| costs.unwrap_or_else(|reason| panic!("{name}: {reason}")))
            .collect();
        let (first, others) = costs.split_first().expect("a race has contenders");
        println!("  {:<12} {:8.1} ns", self.contenders[0].name, quantile(first, 0.5));
        for (contender, costs) in self.contenders[1..].iter().zip(others) {
            let ratio = |(a, b): (&f64, &f64)| match contender.wanted {
                Wanted::Adds(_) => b - a,
                Wanted::Costs(_) => b / a,
                Wanted::Nothing | Wanted::Faster(_) => a / b,
            };
            let ratios: Vec<f64> = first.iter().zip(costs).map(ratio).collect();
            let [low, middle, high] = quartiles(&ratios);
            let (how, verdict) = match contender.wanted {
                Wanted::Nothing => ("times as fast", String::new()),
                Wanted::Faster(by) => ("times as fast", verdict(middle >= by, "at least", by)),
                Wanted::Costs(by) => ("times the cost", verdict(middle <= by, "at most", by)),
                Wanted::Adds(by) => ("ns more", verdict(middle <= by, "at most", by)),
            };
            let ns = quantile(costs, 0.5);
            println!(
                "  {:<12} {ns:8.1} ns  {middle:5.2} {how} ({low:.2} to {high:.2}){verdict}",
                contender.name
            );
        }
        println!();
    }
}

fn verdict(reached: bool, bound: &str, by: f64) -> String {
    format!("  {} {bound} {by}", if reached { "reached:" } else { "MISSED: wanted" })
}

/// Lower quartile, median and upper quartile.
pub fn quartiles(values: &[f64]) -> [f64; 3] {
    [0.25, 0.5, 0.75].map(|at| quantile(values, at))
}

/// Value below which this part of all lies, the nearest one.
pub fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * part).round() as usize]
}

/// What is counted: the time that the calling thread computes, or the time that passes. CPU time
/// leaves out what other programs take from a busy machine, but says nothing of several threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// CPU time of one thread.
    Cpu,
    /// Wall time.
    Wall,
}

impl Clock {
    /// That of a contender with so many threads.
    pub fn of(threads: usize) -> Self {
        if threads == 1 { Self::Cpu } else { Self::Wall }
    }

    /// Seconds that some work takes.
    pub fn seconds(self, work: impl FnOnce()) -> f64 {
        match self {
            Self::Cpu => cpu_seconds(work),
            Self::Wall => {
                let start = Instant::now();
                work();
                start.elapsed().as_secs_f64()
            }
        }
    }
}

/// CPU seconds of this thread that some work takes.
pub fn cpu_seconds(work: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    work();
    start.elapsed().as_secs_f64()
}
