//! Makes rows of recordings from rows of a table.

use std::collections::HashSet;

use super::dialect::Decimals;
use super::ids::Ids;
use super::record::Record;
use super::times::Even;
use super::{Layout, Table, wide};
use crate::RecordError;
use crate::clock::Clock;
use crate::row::Row;
use crate::rows::Rows;
use crate::text;

/// Makes rows of recordings from rows of a table.
pub(super) struct Reader<'a> {
    layout: &'a Layout,
    even: Option<&'a Even>,
    decimals: Decimals,
    pub clock: Clock,
    ids: Ids,
    /// Frames so far, where no column tells individuals apart: the same one twice would be another.
    seen: HashSet<i64>,
    /// Rows so far, which are the frames of a wide table that has none.
    count: i64,
    /// Rows of a wide table that may hold boxes: those that could be one, and others.
    boxes: [u64; 2],
}

impl<'a> Reader<'a> {
    pub fn new(layout: &'a Layout, even: Option<&'a Even>) -> Self {
        let (decimals, clock, ids) = (Decimals::default(), Clock::default(), Ids::default());
        Self { layout, even, decimals, clock, ids, seen: HashSet::new(), count: 0, boxes: [0; 2] }
    }

    pub fn take(
        &mut self,
        record: &Record,
        table: &Table<'_>,
        rows: &mut Rows,
    ) -> Result<(), RecordError> {
        let Some(frame) = self.frame(record, table)? else {
            rows.missing += self.layout.sighted.len() as u64;
            return Ok(());
        };
        self.count += 1;
        let told = match self.layout.id {
            None if self.layout.is_one_frame => Some(self.count as u64 - 1),
            Some(column) => match self.ids.read(record.cell(column), column, table)? {
                Some(id) => Some(id),
                None => return Ok(()),
            },
            None => None,
        };
        if told.is_none() && !self.seen.insert(frame) {
            return Err(RecordError::data(table.lines.place(), self.twice(frame, table)));
        }
        if let (Some(column), Some(id)) = (self.layout.species, told) {
            rows.species.tell(id, record.cell(column));
        }
        let mut corners = Vec::new();
        for sighted in &self.layout.sighted {
            let id = sighted.id.or(told).unwrap_or(0);
            let mut row = Row { frame, id, position: [0.0; 3], velocity: [f64::NAN; 3] };
            for (x, &column) in row.position.iter_mut().zip(&sighted.position) {
                *x = self.position(record.cell(column), column, table)?;
            }
            if rows.has_velocities {
                row.velocity = [0.0; 3];
            }
            for (v, &column) in row.velocity.iter_mut().zip(&sighted.velocity) {
                *v = self.position(record.cell(column), column, table)?;
            }
            if self.layout.may_be_a_box {
                corners.push(row.position);
            }
            rows.push(row)?;
        }
        if let (true, [[x1, y1, _], [x2, y2, _]]) = (self.layout.may_be_a_box, &corners[..])
            && ![x1, y1, x2, y2].into_iter().any(|x| x.is_nan())
        {
            self.boxes[usize::from(x1 >= x2 || y1 >= y2)] += 1;
        }
        Ok(())
    }

    /// The refusal of a frame that stands twice where no column tells individuals apart.
    fn twice(&self, frame: i64, table: &Table<'_>) -> String {
        if !self.layout.is_wide {
            return format!(
                "frame {frame} stands twice, and no column says who: allowed is one, or \
                --map-columns id=NAME"
            );
        }
        let [x, y] = [0, 1].map(|axis| &table.names[self.layout.sighted[0].position[axis]].raw);
        format!(
            "frame {frame} stands twice, where columns {x},{y} and so on take one row for each \
             frame: allowed is that, or \
             --map-columns id=NAME,x={x},y={y}"
        )
    }

    /// The frame of a row; none where its time is missing.
    fn frame(&mut self, record: &Record, table: &Table<'_>) -> Result<Option<i64>, RecordError> {
        let time = match self.layout.time {
            Some((column, factor)) => {
                Some(table.number(record.cell(column), column, &mut self.decimals)? * factor)
            }
            None => None,
        };
        let frame = match (self.layout.frame, self.even, time) {
            (Some(column), ..) => {
                text::frame(&record.cell(column).replace(',', "."), &table.lines.place())?
            }
            (None, Some(_), Some(time)) if time.is_nan() => return Ok(None),
            (None, Some(even), Some(time)) => even.frame(time),
            _ if self.layout.is_one_frame => 0,
            _ => self.count,
        };
        if let (Some(time), None) = (time, self.even) {
            self.clock.tick(frame, time);
        }
        Ok(Some(frame))
    }

    /// A coordinate; NaN also where the tracker writes infinity for none.
    fn position(
        &mut self,
        cell: &str,
        column: usize,
        table: &Table<'_>,
    ) -> Result<f64, RecordError> {
        let is_infinite = || {
            cell.trim_start_matches(['-', '+'])
                .get(..3)
                .is_some_and(|start| start.eq_ignore_ascii_case("inf"))
        };
        if self.layout.infinite_is_missing && is_infinite() {
            return Ok(f64::NAN);
        }
        table.number(cell, column, &mut self.decimals)
    }

    /// Adds what is worth knowing of all rows; refused where they are boxes.
    pub fn finish(&self, table: &Table<'_>, rows: &mut Rows) -> Result<(), RecordError> {
        if self.boxes[0] > 0 && self.boxes[1] == 0 {
            // Times alone are what idtracker.ai writes of two individuals; frames, or more, are a
            // detector's.
            let [x, y] =
                [0, 1].map(|axis| table.names[self.layout.sighted[0].position[axis]].raw.as_str());
            let why = format!("in all rows {}", wide::corners_of_a_box(x, y));
            if self.layout.frame.is_some() || !self.layout.unused(&table.names).is_empty() {
                return Err(RecordError::data(&table.header_place, why));
            }
            rows.notes.push(format!("taken for two individuals: {why}"));
        }
        if self.decimals.has_commas {
            rows.notes.push("decimal commas".into());
        }
        rows.notes.extend(self.ids.notes());
        rows.left_out.extend(self.ids.left_out());
        Ok(())
    }
}
