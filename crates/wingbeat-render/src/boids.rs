//! What is drawn: borrowed columns, and the box they are in.

use crate::RenderError;

/// Every boid at one moment, in columns.
#[derive(Clone, Copy, Debug)]
pub struct Boids<'a> {
    pub(crate) dimensions: usize,
    pub(crate) time: f64,
    pub(crate) ids: &'a [u64],
    pub(crate) positions: [&'a [f32]; 3],
    pub(crate) velocities: [&'a [f32]; 3],
    pub(crate) species: &'a [u8],
}

impl<'a> Boids<'a> {
    /// Boids at a time: ids in ascending order, then a column for each axis, two or three.
    ///
    /// Velocities that are not numbers make a boid without a heading; positions that are not
    /// numbers are not drawn.
    ///
    /// # Errors
    /// When there are not two or three axes, or columns are not of one length.
    pub fn new<C: AsRef<[f32]>>(
        time: f64,
        ids: &'a [u64],
        positions: &'a [C],
        velocities: &'a [C],
    ) -> Result<Self, RenderError> {
        let dimensions = positions.len();
        if !(2..=3).contains(&dimensions) || velocities.len() != dimensions {
            let value =
                format!("{dimensions} columns of positions, {} of velocities", velocities.len());
            return Err(RenderError::value("axes", value, "2 or 3 of each"));
        }
        let unequal =
            positions.iter().chain(velocities).find(|column| column.as_ref().len() != ids.len());
        if let Some(column) = unequal {
            let value = format!("{} for {} ids", column.as_ref().len(), ids.len());
            return Err(RenderError::value("length of a column", value, "one value for each id"));
        }
        let wide = |columns: &'a [C]| -> [&'a [f32]; 3] {
            std::array::from_fn(|a| columns.get(a).map_or(&[][..], |column| column.as_ref()))
        };
        let (positions, velocities) = (wide(positions), wide(velocities));
        Ok(Self { dimensions, time, ids, positions, velocities, species: &[] })
    }

    /// The same, with a species for each: its place among
    /// [`Style::species`](crate::Style::species), which chooses the colour. Eight have colours of
    /// their own.
    ///
    /// # Errors
    /// When there is not one for each id.
    pub fn with_species(mut self, species: &'a [u8]) -> Result<Self, RenderError> {
        if species.len() != self.ids.len() {
            let value = format!("{} for {} ids", species.len(), self.ids.len());
            return Err(RenderError::value("species", value, "one for each id"));
        }
        self.species = species;
        Ok(self)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub(crate) fn position(&self, i: usize) -> [f32; 3] {
        let [x, y, z] = self.positions;
        [x[i], y[i], if self.dimensions == 3 { z[i] } else { 0.0 }]
    }

    pub(crate) fn velocity(&self, i: usize) -> [f32; 3] {
        let [x, y, z] = self.velocities;
        [x[i], y[i], if self.dimensions == 3 { z[i] } else { 0.0 }]
    }
}

/// The box boids live in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lowest corner; in the plane the third is not looked at.
    pub min: [f32; 3],
    /// Highest corner.
    pub max: [f32; 3],
    /// Whether opposite faces are one: trails then do not cross the box.
    pub periodic: bool,
}
