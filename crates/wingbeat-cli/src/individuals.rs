//! `--individuals`: a row for every boid at every measured moment.

use std::io::Write;

use wingbeat_measure::{Each, Wanted, turn};
use wingbeat_record::exact_f64;

use crate::failure::Failure;
use crate::output::{Output, PendingFile};

/// A table that is written while moments pass.
pub struct IndividualsFile {
    output: Output,
    file: PendingFile,
    wanted: Wanted,
    radius: bool,
    cells: bool,
    /// Ids and velocities of the last moment, and when it was.
    last: (f64, Vec<u64>, Vec<[f64; 3]>),
}

/// Every boid at one moment, by ascending id.
pub struct People {
    pub number: i64,
    pub time: f64,
    pub ids: Vec<u64>,
    pub velocities: Vec<[f64; 3]>,
    pub dimensions: usize,
    pub each: Each,
    /// Sizes of Voronoi cells, where they were asked for; NaN for an individual without one.
    pub cells: Vec<f64>,
}

impl IndividualsFile {
    /// Begins the file with its head: `counts` is "step" or "frame". Groups and local order need a
    /// radius.
    pub fn begin(
        output: &Output,
        counts: &str,
        wanted: Wanted,
        radius: bool,
        cells: bool,
    ) -> Result<Self, Failure> {
        let file = output.begin()?;
        let mut table = Self {
            output: output.clone(),
            file,
            wanted,
            radius,
            cells,
            last: (0.0, Vec::new(), Vec::new()),
        };
        let names: Vec<&str> = table.columns().into_iter().map(|(name, _)| name).collect();
        let head = format!(
            "{counts},time,id{}\n",
            names.iter().map(|name| format!(",{name}")).collect::<String>()
        );
        table.write(head.as_bytes())?;
        Ok(table)
    }

    /// Names of the columns that are asked for, with which they are.
    fn columns(&self) -> Vec<(&'static str, Column)> {
        let (speed, nearest) = (Wanted::MEAN_SPEED, Wanted::NEAREST_NEIGHBOR_DISTANCE);
        let group = Wanted::GROUPS | Wanted::LARGEST_GROUP;
        let all = [
            ("speed", Column::Speed, self.wanted.contains(speed)),
            ("turning_rate", Column::TurningRate, self.wanted.contains(speed)),
            ("nearest_neighbor_distance", Column::Nearest, self.wanted.contains(nearest)),
            ("group_size", Column::GroupSize, self.radius && self.wanted.intersects(group)),
            (
                "local_order",
                Column::LocalOrder,
                self.radius && self.wanted.contains(Wanted::LOCAL_ORDER),
            ),
            ("voronoi_area", Column::Cell, self.cells),
        ];
        all.into_iter()
            .filter(|(.., asked)| *asked)
            .map(|(name, column, _)| (name, column))
            .collect()
    }

    /// Adds a moment.
    pub fn push(&mut self, now: People) -> Result<(), Failure> {
        let columns = self.columns();
        let (then, ids, velocities) = &self.last;
        let mut text = String::new();
        for (place, id) in now.ids.iter().enumerate() {
            text += &format!("{},{},{id}", now.number, now.time);
            for (_, column) in &columns {
                let value = match column {
                    Column::Speed => now.each.speeds.get(place).copied(),
                    Column::TurningRate => {
                        let before = ids
                            .binary_search(id)
                            .ok()
                            .filter(|_| now.time > *then)
                            .map(|place| velocities[place]);
                        let angle = before
                            .and_then(|before| turn(before, now.velocities[place], now.dimensions));
                        angle.map(|angle| angle / (now.time - then))
                    }
                    Column::Nearest => now.each.nearest_neighbor_distances.get(place).copied(),
                    Column::GroupSize => now.each.group_sizes.get(place).map(|&size| size as f64),
                    Column::LocalOrder => now.each.local_orders.get(place).copied(),
                    Column::Cell => now.cells.get(place).copied(),
                };
                let cell = value.filter(|value| value.is_finite()).map(exact_f64);
                text += &format!(",{}", cell.unwrap_or_default());
            }
            text.push('\n');
        }
        self.write(text.as_bytes())?;
        self.last = (now.time, now.ids, now.velocities);
        Ok(())
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), Failure> {
        self.file.finish().map(|_| ())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.file.write_all(bytes).map_err(|error| self.output.failed(&error))
    }
}

#[derive(Clone, Copy, Debug)]
enum Column {
    Speed,
    TurningRate,
    Nearest,
    GroupSize,
    LocalOrder,
    Cell,
}
