//! Which flocks are measured.

use std::fmt;
use std::time::Duration;

use wingbeat_benches::grouped;

use crate::args::{Args, Dimensions, Failure};

/// Boids of the headline flock.
pub const HEADLINE_BOIDS: usize = 1_000_000;
/// Neighbors wherever they are not what varies.
const USUAL_NEIGHBORS: usize = 20;
/// Boids where neighbors vary.
const MIDDLE_BOIDS: usize = 100_000;

/// One flock to be measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub dimensions: usize,
    pub boids: usize,
    /// Mean number of others within the perception radius.
    pub neighbors: usize,
    pub threads: usize,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = counted_threads(self.threads);
        write!(
            f,
            "{}-D, {} boids, k = {}, {threads}",
            self.dimensions,
            grouped(self.boids),
            self.neighbors
        )
    }
}

/// "1 thread", "2 threads".
pub fn counted_threads(threads: usize) -> String {
    format!("{threads} thread{}", if threads == 1 { "" } else { "s" })
}

/// How long a point is measured.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Steps timed in a row on one flock.
    pub steps: usize,
    /// Flocks are built and timed until this has passed; the first is timed at least five steps.
    pub budget: Duration,
}

/// What the command line comes to.
#[derive(Debug)]
pub struct Plan {
    pub dimensions: Vec<usize>,
    /// Ascending.
    pub boids: Vec<usize>,
    /// From one to all, ascending.
    pub threads: Vec<usize>,
    /// Ascending.
    pub neighbors: Vec<usize>,
    /// What [`Plan::neighbors`] are where they are not what varies.
    pub usual_neighbors: usize,
    pub pace: Pace,
    /// One million boids in 2-D, unless the command line excludes them.
    pub headline: Option<Point>,
    /// Nothing else is measured, and nothing written.
    pub headline_only: bool,
}

impl Plan {
    /// Fills in what was not asked for, on a machine with `available` threads.
    pub fn new(args: &Args, available: usize) -> Result<Self, Failure> {
        let most = args.max_boids.unwrap_or(if args.quick { 100_000 } else { 10_000_000 });
        let threads = args.threads.unwrap_or(available);
        let mut neighbors = args.neighbors.clone();
        neighbors.sort_unstable();
        neighbors.dedup();
        let usual =
            if neighbors.contains(&USUAL_NEIGHBORS) { USUAL_NEIGHBORS } else { args.neighbors[0] };
        // --quick lowers the most boids, but the headline takes only seconds: it goes where it is
        // excluded by name.
        let excluded = args.dimensions == Dimensions::Three
            || args.max_boids.is_some_and(|most| most < HEADLINE_BOIDS);
        if args.headline && excluded {
            let why = "allowed are --dimensions 2 or both and --max-boids from 1000000 on: it is \
                one million boids in 2-D";
            return Err(Failure::BadInput(format!("--headline: {why}")));
        }
        let headline =
            Point { dimensions: 2, boids: HEADLINE_BOIDS, neighbors: USUAL_NEIGHBORS, threads };
        Ok(Self {
            dimensions: match args.dimensions {
                Dimensions::Two => vec![2],
                Dimensions::Three => vec![3],
                Dimensions::Both => vec![2, 3],
            },
            boids: boid_counts(most, !args.quick),
            threads: thread_counts(threads),
            neighbors,
            usual_neighbors: usual,
            pace: Pace {
                steps: args.steps.unwrap_or(if args.quick { 10 } else { 20 }),
                budget: Duration::from_millis(if args.quick { 500 } else { 2000 }),
            },
            headline: (!excluded).then_some(headline),
            headline_only: args.headline,
        })
    }

    /// All threads.
    pub fn most_threads(&self) -> usize {
        self.threads.last().copied().unwrap_or(1)
    }

    /// Flock sizes whose threads vary: middling and large, or the largest there is.
    pub fn threaded_boids(&self) -> Vec<usize> {
        let chosen: Vec<_> = self
            .boids
            .iter()
            .copied()
            .filter(|n| [MIDDLE_BOIDS, 10 * MIDDLE_BOIDS].contains(n))
            .collect();
        if chosen.is_empty() { vec![self.middle_boids()] } else { chosen }
    }

    /// Flock size whose neighbors vary.
    pub fn middle_boids(&self) -> usize {
        self.boids.iter().copied().rfind(|&n| n <= MIDDLE_BOIDS).unwrap_or(MIDDLE_BOIDS)
    }

    /// Every point once, in the order they are measured in.
    pub fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        let mut add = |point| {
            if !points.contains(&point) {
                points.push(point);
            }
        };
        for &dimensions in if self.headline_only { &[] } else { self.dimensions.as_slice() } {
            let at = |boids, neighbors, threads| Point { dimensions, boids, neighbors, threads };
            for &boids in &self.boids {
                add(at(boids, self.usual_neighbors, 1));
                add(at(boids, self.usual_neighbors, self.most_threads()));
            }
            for boids in self.threaded_boids() {
                for &threads in &self.threads {
                    add(at(boids, self.usual_neighbors, threads));
                }
            }
            for &neighbors in &self.neighbors {
                add(at(self.middle_boids(), neighbors, 1));
                add(at(self.middle_boids(), neighbors, self.most_threads()));
            }
        }
        self.headline.into_iter().for_each(add);
        points
    }
}

/// 1,000 to `most` in whole decades, or in halves (3,000 and so on) too; `most` itself is always
/// there.
fn boid_counts(most: usize, halves: bool) -> Vec<usize> {
    let decades = std::iter::successors(Some(1000_usize), |n| n.checked_mul(10));
    let counts = decades.flat_map(|n| [Some(n), halves.then_some(3 * n)]).flatten();
    let mut counts: Vec<_> = counts.take_while(|&n| n < most).collect();
    counts.push(most);
    counts
}

/// 1, 2, 4 and so on, and `all`.
fn thread_counts(all: usize) -> Vec<usize> {
    let mut counts: Vec<_> = std::iter::successors(Some(1_usize), |n| n.checked_mul(2))
        .take_while(|&n| n < all)
        .collect();
    counts.push(all);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn plan(typed: &[&str], available: usize) -> Plan {
        let args = Args::try_parse_from([&["scaling"], typed].concat()).expect("accepted");
        Plan::new(&args, available).expect("a plan")
    }

    #[test]
    fn the_whole_run_goes_from_a_thousand_to_ten_million_boids_and_from_one_thread_to_all() {
        let plan = plan(&[], 6);
        assert_eq!(
            plan.boids,
            [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000]
        );
        assert_eq!(plan.threads, [1, 2, 4, 6]);
        for dimensions in [2, 3] {
            let at = |boids, neighbors, threads| Point { dimensions, boids, neighbors, threads };
            let wanted = [
                at(1000, 20, 1),
                at(10_000_000, 20, 6),
                at(100_000, 200, 1),
                at(100_000, 20, 2),
                at(1_000_000, 20, 4),
            ];
            let points = plan.points();
            assert!(wanted.iter().all(|point| points.contains(point)), "{points:?}");
        }
    }

    #[test]
    fn no_point_is_measured_twice() {
        for (typed, threads) in
            [(&[][..], 1), (&["--quick"], 2), (&["--neighbors", "60,60", "--max-boids", "1500"], 3)]
        {
            let points = plan(typed, threads).points();
            for (i, point) in points.iter().enumerate() {
                assert!(!points[..i].contains(point), "{point} twice with {typed:?}");
            }
        }
    }

    #[test]
    fn no_flock_is_larger_than_asked_for() {
        let plan = plan(&["--max-boids", "150000", "--dimensions", "3"], 2);
        assert_eq!(plan.boids.last(), Some(&150_000));
        assert!(plan.points().iter().all(|point| point.boids <= 150_000 && point.dimensions == 3));
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(
            [1, 999, 1000, 123_456, 10_000_000].map(grouped),
            ["1", "999", "1,000", "123,456", "10,000,000"]
        );
    }

    #[test]
    fn the_headline_is_refused_alone_and_excluded() {
        let args =
            Args::try_parse_from(["scaling", "--headline", "--dimensions", "3"]).expect("accepted");
        assert!(matches!(Plan::new(&args, 2), Err(Failure::BadInput(_))));
        assert_eq!(plan(&["--headline"], 2).points().len(), 1);
    }
}
