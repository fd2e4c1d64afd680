//! What was measured, as tables of Markdown.

use std::fmt::Write as _;

use wingbeat_benches::grouped;
use wingbeat_benches::race::{Clock, Costs, quantile, quartiles};
use wingbeat_benches::steps::About;

/// What a row is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub world: String,
    pub name: String,
    pub threads: usize,
}

#[derive(Clone, Debug)]
enum Cell {
    Measured {
        /// Of the cost to that of Wingbeat's best level on one thread: quartiles over rounds.
        ratio: [f64; 3],
        /// Median of nanoseconds a boid and step.
        ns: f64,
    },
    /// Left out: a step would take so many seconds.
    Slow(f64),
    Refused,
}

#[derive(Debug)]
struct Row {
    key: Key,
    cells: Vec<(usize, Cell)>,
}

/// Rows, descriptions of contenders, notes.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Row>,
    contenders: Vec<About>,
    notes: Vec<String>,
    refused: bool,
}

impl Table {
    /// Whether a contender was refused.
    pub fn refused(&self) -> bool {
        self.refused
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Keeps a line for below the table, once.
    pub fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            eprintln!("  {note}");
            self.notes.push(note);
        }
    }

    /// Keeps what is known of a contender, once.
    pub fn describe(&mut self, about: About) {
        if !self.contenders.iter().any(|other| other.name == about.name) {
            self.contenders.push(about);
        }
    }

    fn enter(&mut self, key: &Key, boids: usize, cell: Cell) {
        let at = self.rows.iter().position(|row| row.key == *key).unwrap_or_else(|| {
            self.rows.push(Row { key: key.clone(), cells: Vec::new() });
            self.rows.len() - 1
        });
        let cells = &mut self.rows[at].cells;
        cells.retain(|(other, _)| *other != boids);
        cells.push((boids, cell));
    }

    /// A contender that does not do the same work, or does not answer.
    pub fn refuse(&mut self, key: &Key, boids: usize, reason: &str) {
        self.refused = true;
        let Key { world, name, threads } = key;
        self.note(format!("{name} is refused ({world}, {boids}, threads: {threads}): {reason}"));
        self.enter(key, boids, Cell::Refused);
    }

    /// A program that takes no part in such points, as it says itself.
    pub fn decline(&mut self, key: &Key, reason: &str) {
        self.note(format!("{} declines all other points: {reason}", key.name));
    }

    /// A contender whose steps would take too long.
    pub fn leave_out(&mut self, key: &Key, boids: usize, seconds: f64) {
        self.enter(key, boids, Cell::Slow(seconds));
    }

    /// Seconds of a step of so many boids, by the costs of the largest flock measured before.
    pub fn seconds_expected(&self, key: &Key, boids: usize) -> Option<f64> {
        let row = self.rows.iter().find(|row| row.key == *key)?;
        row.cells.iter().rev().find_map(|(of, cell)| match cell {
            Cell::Measured { ns, .. } => Some(ns * boids as f64 / 1e9),
            Cell::Slow(seconds) => Some(seconds * boids as f64 / *of as f64),
            Cell::Refused => None,
        })
    }

    /// The costs of a race, whose first contender is Wingbeat's best level on one thread. By wall
    /// time it has no row: there it is only what others are compared with.
    pub fn enter_costs(
        &mut self,
        keys: &[Key],
        boids: usize,
        costs: &[Result<Costs, String>],
        clock: Clock,
    ) {
        let Some(Ok(first)) = costs.first() else { return };
        for (at, (key, costs)) in keys.iter().zip(costs).enumerate() {
            match costs {
                Ok(_) if at == 0 && clock == Clock::Wall => {}
                Ok(costs) => {
                    let ratios: Vec<f64> = costs.iter().zip(first).map(|(a, b)| a / b).collect();
                    let (ratio, ns) = (quartiles(&ratios), quantile(costs, 0.5));
                    self.enter(key, boids, Cell::Measured { ratio, ns });
                }
                Err(reason) => self.refuse(key, boids, reason),
            }
        }
    }

    /// The one table of ratios.
    pub fn results(&self) -> String {
        let mut sizes: Vec<usize> =
            self.rows.iter().flat_map(|row| row.cells.iter().map(|(n, _)| column(*n))).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let mut worlds: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !worlds.contains(&row.key.world.as_str()) {
                worlds.push(&row.key.world);
            }
        }
        let mut text = "| | contender | threads |".to_owned();
        for size in &sizes {
            let _ = write!(text, " {} boids |", grouped(*size));
        }
        text += &format!("\n|{}\n", "---|".repeat(3 + sizes.len()));
        for world in worlds {
            for row in self.rows.iter().filter(|row| row.key.world == world) {
                let threads = row.key.threads;
                let wall = if threads == 1 { "" } else { ", wall time" };
                let _ = write!(text, "| {world} | {} | {threads}{wall} |", row.key.name);
                for size in &sizes {
                    let cell = row.cells.iter().find(|(n, _)| column(*n) == *size);
                    let _ = write!(text, " {} |", cell.map_or(String::new(), |(_, c)| c.text()));
                }
                text.push('\n');
            }
        }
        text
    }

    /// Versions and settings.
    pub fn contenders(&self) -> String {
        let mut text = "| contender | version | used as |\n|---|---|---|\n".to_owned();
        for About { name, version, settings } in &self.contenders {
            let _ = writeln!(text, "| {name} | {version} | {settings} |");
        }
        text
    }

    /// Who is not in the table, and why.
    pub fn notes(&self) -> String {
        self.notes.iter().fold(String::new(), |mut text, note| {
            let _ = writeln!(text, "* {note}");
            text
        })
    }
}

impl Cell {
    fn text(&self) -> String {
        match self {
            Self::Measured { ratio: [low, middle, high], ns } if *low == 1.0 && *high == 1.0 => {
                format!("{middle:.0} = {}", nanoseconds(*ns))
            }
            Self::Measured { ratio: [low, middle, high], ns } => {
                format!("{middle:.2} ({low:.2} to {high:.2}), {}", nanoseconds(*ns))
            }
            Self::Slow(seconds) => format!("a step would take {seconds:.1} s"),
            Self::Refused => "refused".into(),
        }
    }
}

fn nanoseconds(ns: f64) -> String {
    if ns < 9.95 { format!("{ns:.1} ns") } else { format!("{ns:.0} ns") }
}

/// The power of ten in whose column a number of boids stands: crowds fill squares of whole sides.
fn column(boids: usize) -> usize {
    let mut powers = std::iter::successors(Some(1), |power: &usize| power.checked_mul(10));
    powers.find(|&power| power >= boids).unwrap_or(boids)
}
