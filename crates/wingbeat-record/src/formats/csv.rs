//! CSV as it is written: a header, then a line for each individual and frame. The tables of others
//! are read in table/.
//!
//! <https://www.rfc-editor.org/rfc/rfc4180>, with line feeds alone.

use std::io::{self, Write};
use std::path::Path;

use crate::digits::exact;
use crate::sink::Sink;
use crate::whole_file::WholeFile;
use crate::{About, Snapshot};

const POSITION: [&str; 3] = ["x", "y", "z"];
const VELOCITY: [&str; 3] = ["vx", "vy", "vz"];

/// A row for each boid and frame, numbers as short as they are exact; an unknown velocity is an
/// empty cell.
pub(super) struct CsvWriter {
    file: WholeFile,
    about: About,
}

impl CsvWriter {
    pub fn create(path: &Path, about: &About) -> io::Result<Self> {
        if let Some(name) = about.species.iter().find(|name| name.contains([',', '"', '\n', '\r']))
        {
            let message = format!(
                "species {name:?}: allowed in .csv are names without commas, quotes and line breaks"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let mut file = WholeFile::create(path)?;
        let names = |names: &[&str]| names[..about.dimensions].join(",");
        let species = if about.species.is_empty() { "" } else { "species," };
        writeln!(file, "frame,time,id,{species}{},{}", names(&POSITION), names(&VELOCITY))?;
        Ok(Self { file, about: about.clone() })
    }
}

impl Sink for CsvWriter {
    fn frame(&mut self, now: &Snapshot) -> io::Result<()> {
        let number = self.about.number(now.step);
        for (i, id) in now.ids.iter().enumerate() {
            write!(self.file, "{number},{},{id}", now.time)?;
            if let Some(name) = self.about.species_name(now, i) {
                write!(self.file, ",{name}")?;
            }
            for column in now.columns() {
                write!(self.file, ",{}", exact(column[i]))?;
            }
            writeln!(self.file)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<u64> {
        self.file.finish()
    }
}
