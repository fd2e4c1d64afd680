//! Colors of species, and a CSV with the species of each individual.

use std::path::Path;

use wingbeat_record::{ShortRecords, Snapshot, SpeciesById, open_regular};
use wingbeat_render::Color;

use crate::failure::Failure;

/// As many as have a color of their own.
const MOST: usize = 8;

/// What colors say where it was not chosen: species, where there are several and each has a color
/// of its own.
pub fn usual_color(names: &[String]) -> Color {
    if (2..=MOST).contains(&names.len()) { Color::Species } else { Color::Heading }
}

/// Refuses `--color species` of a flock whose species cannot be told apart by color.
pub fn check(names: &[String]) -> Result<(), Failure> {
    match names.len() {
        0 => {
            let allowed = "heading or speed where no boid has a species, or --species FILE.csv \
                (columns id,species)";
            Err(Failure::value("--color", "species", allowed))
        }
        1..=MOST => Ok(()),
        count => Err(Failure::value(
            "--color",
            "species",
            &format!("at most {MOST} species, and these are {count}"),
        )),
    }
}

/// Names as the legend shows them; those of which nothing is said have none.
pub fn legend(names: &[String]) -> Vec<String> {
    names.iter().map(|name| if name.is_empty() { "others".into() } else { name.clone() }).collect()
}

/// Species as a CSV tells them.
pub struct Told {
    species: SpeciesById,
    file: String,
}

impl Told {
    /// Reads columns `id` and `species`; others are left alone.
    pub fn read(file: &str) -> Result<Self, Failure> {
        let refuse = |message: String| Failure::BadInput(format!("{file}: {message}"));
        let malformed = |error: csv::Error| {
            refuse(format!("cannot be read as CSV: {}", error.to_string().replace('\n', " ")))
        };
        let (content, _) =
            open_regular(Path::new(file)).map_err(|error| malformed(error.into()))?;
        let (content, record_is_read) = ShortRecords::new(content);
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(content);
        let header = reader.headers().map_err(malformed)?.clone();
        let column = |name: &str| {
            let found = header.iter().position(|cell| cell.eq_ignore_ascii_case(name));
            found.ok_or_else(|| {
                refuse(format!("column {name} is missing from the header: allowed is id,species"))
            })
        };
        let (id, species) = (column("id")?, column("species")?);
        let mut species_by_id = SpeciesById::default();
        for (row, record) in reader.records().enumerate() {
            let record = record.map_err(malformed)?;
            record_is_read();
            let place = row + 2;
            let parsed = record[id].parse().map_err(|_| {
                refuse(format!(
                    "line {place}: id = \"{}\": allowed is a whole number, 0 to {}",
                    record[id].escape_debug(),
                    u64::MAX
                ))
            })?;
            species_by_id.tell(parsed, &record[species]);
            if species_by_id.names().len() > MOST {
                let name = record[species].escape_debug();
                return Err(refuse(format!(
                    "line {place}: species \"{name}\" is the ninth: allowed are {MOST}"
                )));
            }
        }
        Ok(Self { species: species_by_id, file: file.to_string() })
    }

    /// Names, in the order of the file.
    pub fn names(&self) -> &[String] {
        self.species.names()
    }

    /// Gives every boid the species that the file tells.
    pub fn give(&self, now: &mut Snapshot) -> Result<(), Failure> {
        now.species.clear();
        for &id in &now.ids {
            let missing = || {
                Failure::BadInput(format!(
                    "{}: boid {id} is missing: allowed is a row for every id",
                    self.file
                ))
            };
            now.species.push(self.species.of(id).ok_or_else(missing)?);
        }
        Ok(())
    }
}
