//! Who is meant by a cell: a number, or a name that gets one.

use std::collections::HashMap;

use super::Table;
use crate::RecordError;
use crate::text;

/// Ids as a file has them: numbers, or names that are numbered.
#[derive(Default)]
pub(super) struct Ids {
    /// In the order in which they appear; none where ids are numbers.
    names: Option<HashMap<String, u64>>,
    is_settled: bool,
    nameless: u64,
}

/// Names that a note lists.
const MOST_LISTED: usize = 8;

impl Ids {
    /// The id in a cell; none in a row that belongs to no individual.
    pub fn read(
        &mut self,
        cell: &str,
        column: usize,
        table: &Table<'_>,
    ) -> Result<Option<u64>, RecordError> {
        if cell.is_empty()
            || ["na", "nan", "none", "null"].iter().any(|none| cell.eq_ignore_ascii_case(none))
        {
            self.nameless += 1;
            return Ok(None);
        }
        if !self.is_settled {
            // The first row tells: names have letters, numbers none.
            let is_name = cell.contains(char::is_alphabetic)
                && !cell.contains('"')
                && cell.parse::<f64>().is_err();
            (self.names, self.is_settled) = (is_name.then(HashMap::new), true);
        }
        let Some(names) = &mut self.names else {
            let named = |place: &str| text::id(&cell.replace(',', "."), place).map(Some);
            return named(&table.lines.place()).map_err(|error| {
                match table.names[column].base.as_str() {
                    "id" => error,
                    _ => text::refuse(
                        &table.lines.place(),
                        &table.names[column].raw,
                        cell,
                        "a whole number from 0, as in the rows before",
                    ),
                }
            });
        };
        if let Some(&id) = names.get(cell) {
            return Ok(Some(id));
        }
        crate::memory::room_for(names.len() as u128 * 2, &table.lines.place())?;
        let id = names.len() as u64;
        names.insert(cell.to_string(), id);
        Ok(Some(id))
    }

    pub fn notes(&self) -> Vec<String> {
        let Some(names) = &self.names else { return Vec::new() };
        let mut listed: Vec<(&str, u64)> =
            names.iter().map(|(name, id)| (name.as_str(), *id)).collect();
        listed.sort_by_key(|(_, id)| *id);
        vec![format!("ids are names, numbered as they appear: {}", numbered(&listed))]
    }

    /// What is said of rows that were not taken.
    pub fn left_out(&self) -> Option<String> {
        (self.nameless > 0).then(|| format!("{} rows without an id are left out", self.nameless))
    }
}

/// Names and their numbers, of which a note has room for some.
fn numbered(names: &[(&str, u64)]) -> String {
    let listed = names
        .iter()
        .take(MOST_LISTED)
        .map(|(name, id)| format!("{id} = {}", text::shortened(name)));
    let more = if names.len() > MOST_LISTED { ", …" } else { "" };
    listed.collect::<Vec<_>>().join(", ") + more
}
