//! Questions about places from hosts in other languages: many points in one call, answers as
//! columns.

use wingbeat::steer::ParamError;
use wingbeat::{FlockError, query::Neighbors};

use crate::AnyFlock;
use crate::flock::either;
use crate::host::rows;

/// Boids near points, in columns: a row for each boid that was found, those of the first point
/// first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NearColumns {
    /// Which of the points, by its place among them.
    pub point: Vec<u32>,
    /// The boid near it.
    pub id: Vec<u64>,
    /// How far it is from the point, through the nearest image in a periodic box.
    pub distance: Vec<f32>,
}

impl NearColumns {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    fn clear(&mut self) {
        self.point.clear();
        self.id.clear();
        self.distance.clear();
    }

    fn extend<const D: usize>(&mut self, point: usize, found: Neighbors<'_, D>) {
        for boid in found {
            self.point.push(point as u32);
            self.id.push(boid.id.get());
            self.distance.push(boid.distance);
        }
    }
}

impl AnyFlock {
    /// All boids within a radius of each of many points, in place of what `found` held; of one
    /// point in slot order. See [`Flock::within`](wingbeat::Flock::within).
    ///
    /// ```
    /// # use wingbeat_scene::{Machine, NearColumns, Override, Scene};
    /// # let text = "[flock]\nboids = 0\ndimensions = 2\n";
    /// # let mut built = Scene::parse("empty", text, &[])?.build(&Machine::default())?;
    /// # let flock = &mut built.flock;
    /// flock.add_all(&[0.0, 0.0, 3.0, 0.0], &[0.0; 4])?;
    /// let mut found = NearColumns::default();
    /// flock.within(&[1.0, 0.0, 3.0, 4.0], 2.0, &mut found)?;
    /// assert_eq!((found.point, found.id), (vec![0, 0], vec![0, 1]));
    /// assert_eq!(found.distance, [1.0, 2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When points are not whole rows or not finite, or the radius is below 0 or not finite.
    pub fn within(
        &self,
        points: &[f32],
        radius: f32,
        found: &mut NearColumns,
    ) -> Result<(), FlockError> {
        check_radius(radius)?;
        found.clear();
        either!(self, flock => {
            let points = finite("points", points)?;
            for (place, &point) in points.iter().enumerate() {
                found.extend(place, flock.within(point, radius));
            }
        });
        Ok(())
    }

    /// The `count` boids nearest to each of many points, the nearest first, in place of what
    /// `found` held. See [`Flock::nearest_n`](wingbeat::Flock::nearest_n).
    ///
    /// # Errors
    /// When points are not whole rows or not finite.
    pub fn nearest_n(
        &self,
        points: &[f32],
        count: usize,
        found: &mut NearColumns,
    ) -> Result<(), FlockError> {
        found.clear();
        either!(self, flock => {
            let points = finite("points", points)?;
            for (place, &point) in points.iter().enumerate() {
                found.extend(place, flock.nearest_n(point, count));
            }
        });
        Ok(())
    }

    /// Whether a body of a radius has room at each of many points. See
    /// [`Flock::is_free`](wingbeat::Flock::is_free).
    ///
    /// # Errors
    /// As [`within`](Self::within).
    pub fn are_free(&self, points: &[f32], radius: f32) -> Result<Vec<bool>, FlockError> {
        check_radius(radius)?;
        either!(self, flock => {
            let points = finite("points", points)?;
            Ok(points.iter().map(|&point| flock.is_free(point, radius)).collect())
        })
    }
}

/// Refuses what is no radius.
fn check_radius(radius: f32) -> Result<(), ParamError> {
    if radius >= 0.0 && radius.is_finite() {
        return Ok(());
    }
    Err(ParamError::new("radius", radius, "a length, 0 or more"))
}

/// Rows of finite numbers.
fn finite<const D: usize>(what: &str, numbers: &[f32]) -> Result<Vec<[f32; D]>, FlockError> {
    match numbers.iter().position(|x| !x.is_finite()) {
        Some(place) => {
            let field = format!("{what}[{}][{}]", place / D, place % D);
            Err(ParamError::new(field, numbers[place], "a finite number").into())
        }
        None => rows(what, numbers),
    }
}
