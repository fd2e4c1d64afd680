//! A sweep line over the edges of a plan: where rings meet that must not, and which ring lies in
//! which.
//!
//! ```text
//! active: the edges across the sweep line, from the lowest up (Shamos and Hoey 1976)
//! for each corner p, from left to right:
//!     left  = the run of active edges that hold p; some end here
//!     right = those of them that go on, and the edges that start at p, sorted by direction
//!     refuse two of one direction, a ring that comes to p twice, rings that change sides at p
//!     put right in the place of left; refuse if its lowest or highest crosses the next edge
//!     a ring that starts at p lies in what the edge below is a bound of
//! ```
//!
//! Signs of [`turn`] are exact, so `active` stays sorted up to the first meeting, and edges that
//! cross are neighbors before they do. n corners take n log n comparisons. Entries move in a deque,
//! which is quadratic but four bytes each: 100,000 edges side by side take a tenth of a second.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::Range;

use super::Point;
use super::rings::{Edge, edges, turn};

/// An edge from its lesser end to its greater one, by x and then by y.
struct SweepEdge {
    ends: [Point; 2],
    ring: usize,
    edge: usize,
    /// Whether that is the direction of its ring.
    goes_right: bool,
}

/// What is known of a ring.
#[derive(Clone, Default)]
struct Ring {
    corners: usize,
    /// Whether it goes round anticlockwise; `None` before its first corner.
    is_anticlockwise: Option<bool>,
    parent: Option<usize>,
    /// The event that it came to last, and its edges there.
    event: usize,
    edges: Vec<u32>,
}

struct Sweep {
    segments: Vec<SweepEdge>,
    rings: Vec<Ring>,
    active: VecDeque<u32>,
}

/// Of each ring the innermost one that it lies in, where rings may touch others in single points.
///
/// # Errors
/// Two edges that cross or run along each other, or by which a ring touches itself.
pub(super) fn nesting(rings: &[&[Point]]) -> Result<Vec<Option<usize>>, [Edge; 2]> {
    let of_ring = |(ring, points): (usize, &&[Point])| -> Vec<SweepEdge> {
        let segment = |(edge, [from, to]): (usize, [Point; 2])| {
            let goes_right = from < to;
            let ends = if goes_right { [from, to] } else { [to, from] };
            SweepEdge { ends, ring, edge, goes_right }
        };
        edges(points).enumerate().map(segment).collect()
    };
    let mut segments: Vec<SweepEdge> = rings.iter().enumerate().flat_map(of_ring).collect();
    segments.sort_by(|one, other| by_place(&one.ends[0], &other.ends[0]));
    let mut corners: Vec<Point> = rings.concat();
    corners.sort_by(by_place);
    corners.dedup();
    let rings = rings.iter().map(|ring| Ring { corners: ring.len(), ..Ring::default() }).collect();
    let mut sweep = Sweep { segments, rings, active: VecDeque::new() };
    sweep.run(&corners).map_err(|pair| sweep.named(pair))?;
    Ok(sweep.rings.into_iter().map(|ring| ring.parent).collect())
}

/// Coordinates are finite.
fn by_place(one: &Point, other: &Point) -> Ordering {
    one.partial_cmp(other).unwrap_or(Ordering::Equal)
}

impl Sweep {
    fn run(&mut self, corners: &[Point]) -> Result<(), [u32; 2]> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let mut started = 0;
        for (event, &corner) in (1..).zip(corners) {
            let run = self.run_at(corner);
            left.clear();
            left.extend(self.active.range(run.clone()));
            right.clear();
            right.extend(left.iter().filter(|&&s| self.segment(s).ends[1] != corner));
            while self.segments.get(started).is_some_and(|next| next.ends[0] == corner) {
                right.push(started as u32);
                started += 1;
            }
            let turned = |one: &u32, other: &u32| {
                turn(corner, self.segment(*one).ends[1], self.segment(*other).ends[1])
            };
            right.sort_by(|one, other| 0.0f64.total_cmp(&turned(one, other)));
            if let Some(pair) = right.windows(2).find(|pair| turned(&pair[0], &pair[1]) == 0.0) {
                return Err([pair[0], pair[1]]);
            }
            self.check_around(event, left.iter().rev().chain(&right))?;
            self.replace(run.clone(), &right);
            self.check_neighbors(run.start)?;
            self.check_neighbors(run.start + right.len())?;
            self.start_rings(run.start, &right);
        }
        Ok(())
    }

    fn segment(&self, number: u32) -> &SweepEdge {
        &self.segments[number as usize]
    }

    /// The run of active edges that hold a corner.
    fn run_at(&self, corner: Point) -> Range<usize> {
        let side = |number: u32| {
            let [from, to] = self.segment(number).ends;
            turn(from, to, corner)
        };
        let low = self.active.partition_point(|&number| side(number) > 0.0);
        low..self.active.partition_point(|&number| side(number) >= 0.0)
    }

    /// Refuses rings that change sides where they touch, and a ring that touches itself: of edges
    /// in their order around a corner, those of each ring are a pair, and pairs lie beside or in
    /// each other.
    fn check_around<'a>(
        &mut self,
        event: usize,
        around: impl Iterator<Item = &'a u32>,
    ) -> Result<(), [u32; 2]> {
        let mut open: Vec<u32> = Vec::new();
        for &number in around {
            let SweepEdge { ring, edge, .. } = self.segments[number as usize];
            let last = open.last().copied();
            let seen = &mut self.rings[ring];
            if seen.event != event {
                seen.event = event;
                seen.edges.clear();
            }
            seen.edges.push(number);
            match seen.edges[..] {
                [first, _] if last == Some(first) => drop(open.pop()),
                [first, _] => return Err([number, last.unwrap_or(first)]),
                [first, second, ..] => {
                    // One of the two may be next to it in the ring.
                    let apart = |other: u32| {
                        let edges = self.segments[other as usize].edge.abs_diff(edge);
                        edges.min(seen.corners - edges)
                    };
                    return Err([
                        number,
                        if apart(first) > apart(second) { first } else { second },
                    ]);
                }
                _ => open.push(number),
            }
        }
        Ok(())
    }

    /// Puts edges in the place of a run of active ones.
    fn replace(&mut self, run: Range<usize>, by: &[u32]) {
        let both = run.len().min(by.len());
        for (place, &number) in run.clone().zip(by) {
            self.active[place] = number;
        }
        for place in (run.start + both..run.end).rev() {
            self.active.remove(place);
        }
        for (place, &number) in (run.start + both..).zip(&by[both..]) {
            self.active.insert(place, number);
        }
    }

    /// Refuses an active edge that crosses the one below it.
    fn check_neighbors(&self, place: usize) -> Result<(), [u32; 2]> {
        let number = |place: usize| self.active.get(place).copied();
        let (Some(below), Some(above)) = (place.checked_sub(1).and_then(number), number(place))
        else {
            return Ok(());
        };
        let ([a, b], [c, d]) = (self.segment(below).ends, self.segment(above).ends);
        let apart = |one: f64, other: f64| one > 0.0 && other < 0.0 || one < 0.0 && other > 0.0;
        if apart(turn(a, b, c), turn(a, b, d)) && apart(turn(c, d, a), turn(c, d, b)) {
            return Err([below, above]);
        }
        Ok(())
    }

    /// Notes of rings whose first corner this is what they lie in.
    fn start_rings(&mut self, place: usize, right: &[u32]) {
        let mut below = place.checked_sub(1).map(|place| self.active[place]);
        for &number in right {
            let SweepEdge { ring, goes_right, .. } = *self.segment(number);
            if self.rings[ring].is_anticlockwise.is_none() {
                let parent = below.and_then(|below| {
                    let SweepEdge { ring: other, goes_right, .. } = *self.segment(below);
                    let is_bottom = self.rings[other].is_anticlockwise == Some(goes_right);
                    if is_bottom { Some(other) } else { self.rings[other].parent }
                });
                // The lower of its edges: its inside is above.
                (self.rings[ring].is_anticlockwise, self.rings[ring].parent) =
                    (Some(goes_right), parent);
            }
            below = Some(number);
        }
    }

    /// Two edges in the order of the plan.
    fn named(&self, pair: [u32; 2]) -> [Edge; 2] {
        let mut pair = pair.map(|number| {
            let &SweepEdge { ends: [from, to], ring, edge, goes_right } = self.segment(number);
            Edge { ring, edge, ends: if goes_right { [from, to] } else { [to, from] } }
        });
        pair.sort_by_key(|edge| (edge.ring, edge.edge));
        pair
    }
}

#[cfg(test)]
mod tests;
