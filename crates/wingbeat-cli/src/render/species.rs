//! Who is of which species, from a CSV.

use std::collections::HashMap;

use crate::failure::Failure;

/// As many as have a colour of their own.
const MOST: usize = 8;

/// Species by id, numbered as they appear.
pub struct Species {
    pub names: Vec<String>,
    by_id: HashMap<u64, u16>,
    file: String,
}

impl Species {
    /// Reads columns `id` and `species`; others are left alone.
    pub fn read(file: &str) -> Result<Self, Failure> {
        let refuse = |message: String| Failure::BadInput(format!("{file}: {message}"));
        let malformed = |error: csv::Error| refuse(format!("cannot be read as CSV: {}", error.to_string().replace('\n', " ")));
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(file).map_err(malformed)?;
        let header = reader.headers().map_err(malformed)?.clone();
        let column = |name: &str| {
            let found = header.iter().position(|cell| cell.eq_ignore_ascii_case(name));
            found.ok_or_else(|| refuse(format!("column {name} is missing from the header: allowed is id,species")))
        };
        let (id, species) = (column("id")?, column("species")?);
        let mut all = Self { names: Vec::new(), by_id: HashMap::new(), file: file.to_string() };
        for (row, record) in reader.records().enumerate() {
            let record = record.map_err(malformed)?;
            let place = row + 2;
            let parsed = record[id].parse().map_err(|_| {
                refuse(format!(
                    "line {place}: id = \"{}\": allowed is a whole number, 0 to {}",
                    record[id].escape_debug(),
                    u64::MAX
                ))
            })?;
            let name = &record[species];
            let number = all.names.iter().position(|known| known == name).unwrap_or(all.names.len());
            if number == MOST {
                return Err(refuse(format!(
                    "line {place}: species \"{}\" is the ninth: allowed are {MOST}",
                    name.escape_debug()
                )));
            }
            if number == all.names.len() {
                all.names.push(name.to_string());
            }
            all.by_id.insert(parsed, number as u16);
        }
        Ok(all)
    }

    /// The species of everybody.
    pub fn of(&self, ids: &[u64], out: &mut Vec<u16>) -> Result<(), Failure> {
        out.clear();
        for id in ids {
            let species = self.by_id.get(id);
            let missing = || Failure::BadInput(format!("{}: boid {id} is missing: allowed is a row for every id", self.file));
            out.push(*species.ok_or_else(missing)?);
        }
        Ok(())
    }
}
