//! Initial states: rows of a CSV, numbers made lengths, and boids inside a domain.
//!
//! What a scene asks of them and what a refusal says is wingbeat-scene's; its loops over boids are
//! here, where they are compiled optimized.

use std::io::Read;

use csv::{Position, Reader, ReaderBuilder, StringRecord, Trim};
use wingbeat::{Boid, BoidId, Domain, steer::Boundary};

use crate::text::ShortRecords;

/// The records of a CSV, whose cells may stand in quotes.
pub struct StateRecords {
    reader: Reader<Box<dyn Read>>,
    record: StringRecord,
    is_read: Box<dyn Fn()>,
}

impl StateRecords {
    /// Of a file that is open.
    #[inline(never)]
    pub fn new(file: Box<dyn Read>) -> Self {
        let (file, is_read) = ShortRecords::new(file);
        let file: Box<dyn Read> = Box::new(file);
        let reader = ReaderBuilder::new().trim(Trim::All).from_reader(file);
        Self { reader, record: StringRecord::new(), is_read: Box::new(is_read) }
    }

    /// The cells of the first record.
    ///
    /// # Errors
    /// When it cannot be read.
    #[inline(never)]
    pub fn headers(&mut self) -> Result<Vec<String>, csv::Error> {
        Ok(self.reader.headers()?.iter().map(str::to_string).collect())
    }

    /// Reads the next record; false at the end.
    ///
    /// # Errors
    /// When it cannot be read, or has not as many cells as the first.
    #[inline(never)]
    pub fn read(&mut self) -> Result<bool, csv::Error> {
        let is_there = self.reader.read_record(&mut self.record)?;
        if is_there {
            (self.is_read)();
        }
        Ok(is_there)
    }

    /// The line at which the record read last begins.
    #[inline(never)]
    pub fn line(&self) -> u64 {
        self.record.position().map_or(0, Position::line)
    }

    /// A cell of it.
    ///
    /// # Panics
    /// If there are not that many.
    #[inline(never)]
    pub fn cell(&self, column: usize) -> &str {
        &self.record[column]
    }

    /// Reads some of its cells as finite numbers.
    ///
    /// # Errors
    /// With the first column that has none.
    #[inline(never)]
    pub fn numbers(&self, columns: &[usize], numbers: &mut [f64]) -> Result<(), usize> {
        for (number, &column) in numbers.iter_mut().zip(columns) {
            let read = self.record[column].parse::<f64>().ok().filter(|x| x.is_finite());
            *number = read.ok_or(column)?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for StateRecords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StateRecords").field("record", &self.record).finish_non_exhaustive()
    }
}

/// Scales positions and takes the origin off them, and scales velocities.
#[inline(never)]
pub fn scale_states<const D: usize>(
    positions: &mut [[f64; D]],
    velocities: &mut [[f64; D]],
    [scale, time_scale]: [f64; 2],
    origin: [f64; D],
) {
    for position in positions {
        *position = std::array::from_fn(|a| position[a] * scale - origin[a]);
    }
    for velocity in velocities {
        *velocity = velocity.map(|v| v * scale / time_scale);
    }
}

/// A number of a state that is not accepted, by row and axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unaccepted {
    /// A velocity beyond 10¹².
    Velocity(usize, usize),
    /// A position beyond 10³⁰.
    Position(usize, usize),
    /// A position outside of the domain's box.
    Outside(usize, usize),
}

/// Boids inside the domain, and how many had to be wrapped into it.
///
/// # Errors
/// With the first number that is not accepted.
#[inline(never)]
pub fn admit_states<const D: usize>(
    positions: &[[f64; D]],
    velocities: &[[f64; D]],
    ids: Option<&[u64]>,
    domain: &Domain<[f32; D]>,
) -> Result<(Vec<Boid<D>>, usize), Unaccepted> {
    let mut wrapped = 0;
    let mut boids = Vec::with_capacity(positions.len());
    for (row, (position, velocity)) in positions.iter().zip(velocities).enumerate() {
        let mut inside = *position;
        for a in 0..D {
            // Ranges contain no NaN, which scaling a huge value may have made.
            if !(-1e12..=1e12).contains(&velocity[a]) {
                return Err(Unaccepted::Velocity(row, a));
            }
            if !(-1e30..=1e30).contains(&position[a]) {
                return Err(Unaccepted::Position(row, a));
            }
            let (min, max) = (f64::from(domain.min[a]), f64::from(domain.max[a]));
            let narrow = f64::from(position[a] as f32);
            match domain.boundary {
                // Wrapped in f64, where a far position still has its digits.
                Boundary::Periodic if narrow < min || narrow >= max => {
                    inside[a] -= (max - min) * ((inside[a] - min) / (max - min)).floor();
                }
                Boundary::Open | Boundary::Periodic => {}
                _ if narrow < min || narrow > max => return Err(Unaccepted::Outside(row, a)),
                _ => {}
            }
        }
        wrapped += usize::from(inside != *position);
        let id = BoidId::new(ids.map_or(row as u64, |ids| ids[row]));
        let (position, velocity) = (inside.map(|x| x as f32), velocity.map(|v| v as f32));
        boids.push(Boid { id, position, velocity });
    }
    Ok((boids, wrapped))
}
