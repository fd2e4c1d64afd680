//! CSV as it is written: a header, then a line for each individual and frame. The tables of others
//! are read by wingbeat-codec.
//!
//! <https://www.rfc-editor.org/rfc/rfc4180>, with line feeds alone.

use std::io::{self, Write};
use std::path::Path;

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
        wingbeat_codec::write_csv(&self.about, now, &mut self.file)
    }

    fn finish(self: Box<Self>) -> io::Result<u64> {
        self.file.finish()
    }
}
