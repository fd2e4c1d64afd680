//! A race: contenders that step in turns.

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

/// A competitor that does some work for a number of boids when it is their turn.
pub struct Contender {
    pub name: String,
    pub wanted: Wanted,
    /// Boids served by one turn: costs are compared per boid.
    pub boids: usize,
    /// One turn; what it returns is CPU seconds of what counts.
    pub turn: Box<dyn FnMut() -> f64>,
}

/// Contenders; all are compared with the first.
pub struct Race {
    pub contenders: Vec<Contender>,
}

impl Race {
    /// Runs all rounds and prints a line for each contender.
    pub fn run(mut self, name: &str, rounds: usize) {
        println!("{name}");
        let mut costs: Vec<Vec<f64>> = self.contenders.iter().map(|_| Vec::new()).collect();
        // The first round allocates and warms caches.
        for round in 0..=rounds {
            for (contender, costs) in self.contenders.iter_mut().zip(&mut costs) {
                let ns = (contender.turn)() * 1e9 / contender.boids as f64;
                if round > 0 {
                    costs.push(ns);
                }
            }
        }
        let (first, others) = costs.split_first().expect("a race has contenders");
        println!("  {:<12} {:8.1} ns", self.contenders[0].name, quantile(first, 0.5));
        for (contender, costs) in self.contenders[1..].iter().zip(others) {
            let ratio = |(a, b): (&f64, &f64)| match contender.wanted {
                Wanted::Adds(_) => b - a,
                Wanted::Costs(_) => b / a,
                Wanted::Nothing | Wanted::Faster(_) => a / b,
            };
            let ratios: Vec<f64> = first.iter().zip(costs).map(ratio).collect();
            let [low, middle, high] = [0.25, 0.5, 0.75].map(|at| quantile(&ratios, at));
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

/// Value below which this part of all lies, the nearest one.
fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * part).round() as usize]
}

/// CPU seconds of this thread that some work takes.
pub fn cpu_seconds(work: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    work();
    start.elapsed().as_secs_f64()
}
