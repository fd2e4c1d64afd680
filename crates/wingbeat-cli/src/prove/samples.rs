//! Takes the samples of measures, moment by moment.

use std::collections::BTreeMap;

use super::measure::{Measure, Quantity};

/// A boid at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub id: u64,
    pub position: [f64; 2],
    pub velocity: [f64; 3],
}

/// All boids at a moment; what no measure asks for is empty.
pub struct Moment<'a> {
    pub time: f64,
    /// By ascending id.
    pub bodies: &'a [Body],
    /// Lines that no boid may cross.
    pub walls: &'a [[[f64; 2]; 2]],
    /// Distance to the nearest other, boid by boid.
    pub neighbor_distances: &'a [f64],
}

/// The samples of one measure.
pub struct Samples<'a> {
    measure: &'a Measure,
    /// Steps between two moments.
    stride: u64,
    /// In the order of time.
    values: Vec<f64>,
    /// Sum and number of each boid's.
    by_boid: BTreeMap<u64, (f64, u64)>,
    /// Where each boid was first seen.
    starts: BTreeMap<u64, [f64; 2]>,
    /// Where each boid was at the moment before, and when.
    before: BTreeMap<u64, ([f64; 2], f64)>,
    /// When each departed or passed.
    times: BTreeMap<u64, f64>,
}

impl<'a> Samples<'a> {
    pub fn new(measure: &'a Measure, dt: f64) -> Self {
        Self {
            measure,
            stride: measure.stride(dt),
            values: Vec::new(),
            by_boid: BTreeMap::new(),
            starts: BTreeMap::new(),
            before: BTreeMap::new(),
            times: BTreeMap::new(),
        }
    }

    /// Whether the state after this step is a moment of it.
    pub fn is_due(&self, step: u64) -> bool {
        step.is_multiple_of(self.stride)
    }

    /// Takes the samples of a moment. `delay_over` tells when a boid sets off.
    pub fn add(&mut self, moment: &Moment<'_>, delay_over: &dyn Fn(u64) -> f64) {
        let measure = self.measure;
        self.note_places(moment);
        if !(moment.time > measure.from && moment.time <= measure.to) {
            return;
        }
        let waits = |body: &Body| !measure.before_delay || moment.time <= delay_over(body.id);
        let inside = |body: &Body| {
            measure.area.is_none_or(|area| contains(area, body.position)) && waits(body)
        };
        match measure.quantity {
            Quantity::Count | Quantity::Density | Quantity::Share => self.count(moment, &inside),
            Quantity::Departure | Quantity::Passage => {}
            _ => {
                for (i, body) in moment.bodies.iter().enumerate().filter(|(_, body)| inside(body)) {
                    let value = self.value(moment, i);
                    if measure.per_boid {
                        let (sum, count) = self.by_boid.entry(body.id).or_default();
                        *sum += value;
                        *count += 1;
                    } else {
                        self.values.push(value);
                    }
                }
            }
        }
    }

    /// What depends on where boids were before.
    fn note_places(&mut self, moment: &Moment<'_>) {
        let measure = self.measure;
        if matches!(measure.quantity, Quantity::Departure | Quantity::Displacement) {
            moment.bodies.iter().for_each(|body| {
                self.starts.entry(body.id).or_insert(body.position);
            });
        }
        if measure.quantity == Quantity::Departure {
            for body in moment.bodies {
                if length(difference(body.position, self.starts[&body.id])) > measure.threshold {
                    self.times.entry(body.id).or_insert(moment.time);
                }
            }
        }
        if let (Quantity::Passage, Some(line)) = (measure.quantity, measure.line) {
            for body in moment.bodies {
                let before = self.before.insert(body.id, (body.position, moment.time));
                let Some((position, time)) = before else { continue };
                if let Some(part) = line.crossing(flat(position), flat(body.position)) {
                    self.times.entry(body.id).or_insert(time + (moment.time - time) * part);
                }
            }
        }
    }

    fn count(&mut self, moment: &Moment<'_>, inside: &dyn Fn(&Body) -> bool) {
        let Some([x0, y0, x1, y1]) = self.measure.area else { return };
        let cells = self.measure.cells;
        let mut counts = vec![0_u64; cells * cells];
        for body in moment.bodies.iter().filter(|body| inside(body)) {
            let place = |at: f64, low: f64, high: f64| {
                (((at - low) / (high - low) * cells as f64) as usize).min(cells - 1)
            };
            counts[place(body.position[1], y0, y1) * cells + place(body.position[0], x0, x1)] += 1;
        }
        let over = match self.measure.quantity {
            Quantity::Density => (x1 - x0) * (y1 - y0) / (cells * cells) as f64,
            Quantity::Share if moment.bodies.is_empty() => return,
            Quantity::Share => moment.bodies.len() as f64,
            _ => 1.0,
        };
        self.values.extend(counts.into_iter().map(|count| count as f64 / over));
    }

    /// What is sampled of the `i`-th boid of a moment.
    fn value(&self, moment: &Moment<'_>, i: usize) -> f64 {
        let body = &moment.bodies[i];
        match self.measure.quantity {
            Quantity::Velocity(axis) => body.velocity[axis],
            Quantity::WallDistance => {
                let distances = moment.walls.iter().map(|wall| from_segment(*wall, body.position));
                distances.fold(
                    f64::INFINITY,
                    |least, distance| if distance < least { distance } else { least },
                )
            }
            Quantity::NeighborDistance => {
                moment.neighbor_distances.get(i).copied().unwrap_or(f64::INFINITY)
            }
            Quantity::Displacement => length(difference(body.position, self.starts[&body.id])),
            _ => body.velocity.iter().fold(0.0, |sum, v| sum + v * v).sqrt(),
        }
    }

    /// The measure's number; `None` where there are too few samples.
    pub fn finish(self) -> Option<f64> {
        let Self { measure, mut values, by_boid, times, .. } = self;
        values.extend(by_boid.into_values().map(|(sum, count)| sum / count as f64));
        let counts = |time: &f64| *time > measure.from && *time <= measure.to;
        let mut times: Vec<f64> = times.into_values().filter(counts).collect();
        times.sort_unstable_by(f64::total_cmp);
        values.extend(times);
        // Where boids are alone there is no nearest other.
        values.retain(|value| value.is_finite());
        measure.statistic.of(values)
    }
}

fn contains([x0, y0, x1, y1]: [f64; 4], [x, y]: [f64; 2]) -> bool {
    x >= x0 && x <= x1 && y >= y0 && y <= y1
}

fn difference(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

/// A point of the plane in space.
fn flat([x, y]: [f64; 2]) -> [f64; 3] {
    [x, y, 0.0]
}

/// How far a point is from a segment.
fn from_segment([from, to]: [[f64; 2]; 2], point: [f64; 2]) -> f64 {
    let (along, out) = (difference(to, from), difference(point, from));
    let squared = along[0] * along[0] + along[1] * along[1];
    let part = if squared > 0.0 {
        ((along[0] * out[0] + along[1] * out[1]) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    length([out[0] - part * along[0], out[1] - part * along[1]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::reader::{ProofTable, SourceText};

    /// The number of a measure of boid 1, which goes from (0, 0) along x at 1 a unit of time,
    /// beside boid 2, which stands at (9, 5).
    fn measured(text: &str) -> Option<f64> {
        let source = SourceText::new("m.toml", text);
        let table = source.parse().expect("TOML");
        let measure = Measure::read(&ProofTable::new(&source, &table)).expect("a measure");
        let mut samples = Samples::new(&measure, 1.0);
        for step in 0..=10 {
            let time = f64::from(step);
            let bodies = [
                Body { id: 1, position: [time, 0.0], velocity: [1.0, 0.0, 0.0] },
                Body { id: 2, position: [9.0, 5.0], velocity: [0.0; 3] },
            ];
            let moment = Moment {
                time,
                bodies: &bodies,
                walls: &[[[0.0, 7.0], [20.0, 7.0]]],
                neighbor_distances: &[2.0, 3.0],
            };
            if samples.is_due(step as u64) {
                samples.add(&moment, &|id| 3.5 * id as f64);
            }
        }
        samples.finish()
    }

    #[test]
    fn quantities_are_what_their_names_say() {
        assert_eq!(measured("quantity = 'speed'"), Some(0.5));
        assert_eq!(measured("quantity = 'vx'\narea = [2.5, -1, 5.5, 1]"), Some(1.0));
        assert_eq!(
            measured("quantity = 'speed'\narea = [2.5, -1, 5.5, 1]\nstatistic = 'number'"),
            Some(3.0)
        );
        assert_eq!(measured("quantity = 'speed'\nper = 'boid'\nstatistic = 'number'"), Some(2.0));
        assert_eq!(measured("quantity = 'wall_distance'\nstatistic = 'min'"), Some(2.0));
        assert_eq!(measured("quantity = 'neighbor_distance'\nstatistic = 'max'"), Some(3.0));
        assert_eq!(measured("quantity = 'displacement'\nstatistic = 'max'\nto = 4"), Some(4.0));
        assert_eq!(
            measured("quantity = 'displacement'\nstatistic = 'max'\nbefore_delay = true"),
            Some(3.0)
        );
        assert_eq!(measured("quantity = 'count'\narea = [0, 0, 10, 5]\nfrom = 0"), Some(2.0));
        assert_eq!(
            measured(
                "quantity = 'count'\ncells = 2\narea = [0, 0, 10, 10]\nstatistic = 'max'\nto = 1"
            ),
            Some(1.0)
        );
        assert_eq!(measured("quantity = 'density'\narea = [8, 4, 10, 6]"), Some(0.25));
        assert_eq!(measured("quantity = 'share'\narea = [8, 4, 10, 6]"), Some(0.5));
        assert_eq!(measured("quantity = 'departure'\nthreshold = 2.5"), Some(3.0));
        assert_eq!(measured("quantity = 'passage'\nline = [2.25, -1, 2.25, 1]"), Some(2.25));
        assert_eq!(measured("quantity = 'passage'\nline = [2.25, 1, 2.25, 3]"), None);
    }
}
