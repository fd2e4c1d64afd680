//! `[measure.NAME]`: numbers of a run that sweeps have no column for, put together from a quantity,
//! a place, a time and a statistic.

use wingbeat_measure::Line;

use super::distribution::Distribution;
use super::reader::ProofTable;
use crate::failure::Failure;
use crate::statistics::quantile;

/// What is sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// Of each boid at each moment: length of its velocity.
    Speed,
    /// Of each boid at each moment: one component of its velocity.
    Velocity(usize),
    /// Of each boid at each moment: the distance from its position to the nearest wall.
    WallDistance,
    /// Of each boid at each moment: the distance from its position to that of the nearest other.
    NeighborDistance,
    /// Of each boid at each moment: how far it is from where it started.
    Displacement,
    /// At each moment: boids in the area, or in each of its cells.
    Count,
    /// At each moment: boids in the area by its size.
    Density,
    /// At each moment: boids in the area, as a part of all.
    Share,
    /// Of each boid once: when it is further than `threshold` from where it started.
    Departure,
    /// Of each boid once: when it crosses the line.
    Passage,
}

const QUANTITIES: [(&str, Quantity); 11] = [
    ("speed", Quantity::Speed),
    ("vx", Quantity::Velocity(0)),
    ("vy", Quantity::Velocity(1)),
    ("wall_distance", Quantity::WallDistance),
    ("neighbor_distance", Quantity::NeighborDistance),
    ("displacement", Quantity::Displacement),
    ("count", Quantity::Count),
    ("density", Quantity::Density),
    ("share", Quantity::Share),
    ("departure", Quantity::Departure),
    ("passage", Quantity::Passage),
];

/// What becomes of the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Statistic {
    Mean,
    Min,
    Max,
    /// The value that this part of the samples lies below, linear between order statistics.
    Quantile(f64),
    /// The square root of the mean squared distance from the mean.
    Deviation,
    /// Samples as times: how many a unit of time, between two parts of them.
    Flow([f64; 2]),
    /// How likely the samples, if they come from this distribution, are as far from it (Kolmogorov
    /// and Smirnov).
    Likelihood(Distribution),
    /// How many samples there are.
    Number,
}

/// What is measured of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    pub name: String,
    pub quantity: Quantity,
    pub statistic: Statistic,
    /// Only boids in this rectangle: xmin, ymin, xmax, ymax.
    pub area: Option<[f64; 4]>,
    /// The area in so many cells along each axis.
    pub cells: usize,
    pub line: Option<Line>,
    /// Moments after this time.
    pub from: f64,
    /// Moments up to this time.
    pub to: f64,
    /// Time between two moments.
    pub every: f64,
    /// One sample a boid, the mean of its own.
    pub per_boid: bool,
    /// Only while a boid's own delay is not over.
    pub before_delay: bool,
    /// How far a boid is from its start when it has departed.
    pub threshold: f64,
}

/// Time between two moments, unless a measure says otherwise.
const EVERY: f64 = 0.5;

/// How far a boid is from its start when it has departed, unless a measure says otherwise.
const THRESHOLD: f64 = 0.1;

impl Measure {
    pub fn read(table: &ProofTable<'_>) -> Result<Self, Failure> {
        let quantity = table.word("quantity", &QUANTITIES)?;
        let Some(quantity) = quantity else { return Err(table.refuse("quantity", &names())) };
        let by_time = matches!(quantity, Quantity::Departure | Quantity::Passage);
        let measure = Self {
            name: table.name().to_string(),
            quantity,
            statistic: statistic(table)?,
            area: table.numbers("area")?,
            cells: cells(table)?,
            line: line(table)?,
            from: table.number("from")?.unwrap_or(f64::NEG_INFINITY),
            to: table.number("to")?.unwrap_or(f64::INFINITY),
            every: table.number("every")?.unwrap_or(if by_time { 0.0 } else { EVERY }),
            per_boid: table.word("per", &[("moment", false), ("boid", true)])?.unwrap_or(false),
            before_delay: table.flag("before_delay")?.unwrap_or(false),
            threshold: table.number("threshold")?.unwrap_or(THRESHOLD),
        };
        measure.check(table)?;
        table.finish()?;
        Ok(measure)
    }

    fn check(&self, table: &ProofTable<'_>) -> Result<(), Failure> {
        if self.area.is_some_and(|[x0, y0, x1, y1]| !(x0 < x1 && y0 < y1)) {
            return Err(
                table.refuse("area", "[xmin, ymin, xmax, ymax] with xmin < xmax and ymin < ymax")
            );
        }
        let is_of_area =
            matches!(self.quantity, Quantity::Count | Quantity::Density | Quantity::Share);
        if is_of_area && self.area.is_none() {
            return Err(table
                .refuse("area", "[xmin, ymin, xmax, ymax], which count, density and share take"));
        }
        if self.quantity == Quantity::Passage && self.line.is_none() {
            return Err(table.refuse("line", "[x0, y0, x1, y1], which passage takes"));
        }
        if self.per_boid && is_of_area {
            return Err(table.refuse("per", "\"moment\" for what is not of one boid"));
        }
        if self.from >= self.to {
            return Err(table.refuse("to", "a time after `from`"));
        }
        Ok(())
    }

    /// Steps between two moments.
    pub fn stride(&self, dt: f64) -> u64 {
        let steps = (self.every / dt).round();
        if steps > 1.0 { steps as u64 } else { 1 }
    }
}

fn names() -> String {
    QUANTITIES.map(|(name, _)| name).join(", ")
}

/// The line that passages cross.
fn line(table: &ProofTable<'_>) -> Result<Option<Line>, Failure> {
    let points = table.numbers("line")?;
    points
        .map(|points| {
            Line::new(points)
                .map_err(|_| table.refuse("line", "[x0, y0, x1, y1] of two different points"))
        })
        .transpose()
}

/// How many cells along each axis.
fn cells(table: &ProofTable<'_>) -> Result<usize, Failure> {
    let Some(cells) = table.number("cells")? else { return Ok(1) };
    if cells.fract() == 0.0 && (1.0..=1000.0).contains(&cells) {
        return Ok(cells as usize);
    }
    Err(table.refuse("cells", "a whole number, 1 to 1000"))
}

fn statistic(table: &ProofTable<'_>) -> Result<Statistic, Failure> {
    let words = [
        ("mean", Statistic::Mean),
        ("min", Statistic::Min),
        ("max", Statistic::Max),
        ("median", Statistic::Quantile(0.5)),
        ("quantile", Statistic::Quantile(f64::NAN)),
        ("deviation", Statistic::Deviation),
        ("flow", Statistic::Flow([0.0, 1.0])),
        ("likelihood", Statistic::Likelihood(Distribution::NONE)),
        ("number", Statistic::Number),
    ];
    let is_part = |part: f64| (0.0..=1.0).contains(&part);
    let given = table.word("statistic", &words)?.unwrap_or(Statistic::Mean);
    match given {
        Statistic::Quantile(part) if part.is_nan() => {
            let part = table.number("quantile")?.filter(|&part| is_part(part));
            part.map(Statistic::Quantile).ok_or_else(|| table.refuse("quantile", "a part, 0 to 1"))
        }
        Statistic::Flow(all) => {
            let parts = table.numbers("between")?.unwrap_or(all);
            let is_right = parts[0] < parts[1] && parts.into_iter().all(is_part);
            if is_right {
                Ok(Statistic::Flow(parts))
            } else {
                Err(table.refuse("between", "two parts in order, 0 to 1"))
            }
        }
        Statistic::Likelihood(_) => Distribution::read(table).map(Statistic::Likelihood),
        other => Ok(other),
    }
}

impl Statistic {
    /// Of samples in the order of time; `None` where there are too few.
    pub fn of(self, mut values: Vec<f64>) -> Option<f64> {
        if self == Self::Number {
            return Some(values.len() as f64);
        }
        // Summed before they are sorted.
        let count = values.len() as f64;
        let mean = values.iter().fold(0.0, |sum, value| sum + value) / count;
        let squares = values.iter().fold(0.0, |sum, value| sum + (value - mean) * (value - mean));
        values.sort_unstable_by(f64::total_cmp);
        let (first, last) = (*values.first()?, *values.last()?);
        match self {
            Self::Mean => Some(mean),
            Self::Deviation => Some((squares / count).sqrt()),
            Self::Min => Some(first),
            Self::Max => Some(last),
            Self::Quantile(part) => Some(quantile(&values, part)),
            Self::Flow([from, to]) => {
                let place = |part: f64| (part * (values.len() - 1) as f64).round() as usize;
                let (i, j) = (place(from), place(to));
                (values[j] > values[i]).then(|| (j - i) as f64 / (values[j] - values[i]))
            }
            Self::Likelihood(distribution) => Some(distribution.likelihood(&values)),
            Self::Number => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_those_of_the_definitions() {
        let of = |statistic: Statistic| statistic.of(vec![4.0, 1.0, 2.0, 10.0]);
        assert_eq!(
            (of(Statistic::Mean), of(Statistic::Min), of(Statistic::Max)),
            (Some(4.25), Some(1.0), Some(10.0))
        );
        assert_eq!(
            (of(Statistic::Quantile(0.5)), of(Statistic::Quantile(0.1))),
            (Some(3.0), Some(1.3))
        );
        // Squares 3.25² + 2.25² + 0.25² + 5.75².
        assert_eq!(of(Statistic::Deviation), Some((48.75_f64 / 4.0).sqrt()));
        // Three intervals in nine units of time; of the middle half, one in two.
        assert_eq!(of(Statistic::Flow([0.0, 1.0])), Some(3.0 / 9.0));
        assert_eq!(of(Statistic::Flow([0.3, 0.7])), Some(0.5));
        assert_eq!(
            (Statistic::Mean.of(Vec::new()), Statistic::Number.of(Vec::new())),
            (None, Some(0.0))
        );
    }
}
