//! Extended XYZ as it is written, for OVITO and ASE: for each frame a count, a line of `key=value`,
//! then a line for each individual.
//!
//! <https://github.com/libAtoms/extxyz>,
//! <https://www.ovito.org/manual/reference/file_formats/input/xyz.html>

use std::io::{self, Write};
use std::path::Path;

use wingbeat_codec::{UNSPECIFIED, exact_f64};

use crate::sink::Sink;
use crate::whole_file::WholeFile;
use crate::{About, Snapshot};

/// Nine digits a number; in the plane z is 0. Names of species stand in a column `type`, particle
/// types to OVITO: in a column `species` ASE takes chemical elements alone, and refuses a file with
/// other names.
pub(super) struct XyzWriter {
    file: WholeFile,
    about: About,
    /// The box, as every comment line states it.
    lattice: String,
}

impl XyzWriter {
    pub fn create(path: &Path, about: &About) -> io::Result<Self> {
        let (lattice, mut about) = (lattice(about), about.clone());
        about.species.iter_mut().for_each(|name| *name = cell(name));
        Ok(Self { file: WholeFile::create(path)?, about, lattice })
    }
}

/// A name as one cell, in which there is no white space.
fn cell(name: &str) -> String {
    if name.is_empty() { UNSPECIFIED.into() } else { name.replace(char::is_whitespace, "_") }
}

fn lattice(about: &About) -> String {
    let Some((min, max)) = about.edges.bounds() else { return String::new() };
    let flat = about.dimensions == 2;
    // A layer of thickness 1 around the plane.
    let (low, side) = (
        |a: usize| if flat && a == 2 { -0.5 } else { f64::from(min[a]) },
        |a: usize| {
            if flat && a == 2 { 1.0 } else { f64::from(max[a]) - f64::from(min[a]) }
        },
    );
    let number = exact_f64;
    let [x, y, z] = [0, 1, 2].map(|a| number(side(a)));
    let origin = [0, 1, 2].map(|a| number(low(a))).join(" ");
    let periodic =
        |a: usize| if about.edges.is_periodic() && !(flat && a == 2) { "T" } else { "F" };
    let pbc = [0, 1, 2].map(periodic).join(" ");
    format!("Lattice=\"{x} 0 0 0 {y} 0 0 0 {z}\" Origin=\"{origin}\" pbc=\"{pbc}\" ")
}

impl Sink for XyzWriter {
    fn frame(&mut self, now: &Snapshot) -> io::Result<()> {
        let (dimensions, number) = (self.about.dimensions, self.about.number(now.step));
        writeln!(self.file, "{}", now.len())?;
        let kind = if self.about.species.is_empty() { "species" } else { "type" };
        write!(self.file, "{}Properties={kind}:S:1:pos:R:3:velo:R:3:id:I:1 ", self.lattice)?;
        writeln!(self.file, "Time={} frame={number} dimensions={dimensions}", now.time)?;
        wingbeat_codec::write_xyz(&self.about, now, &mut self.file)
    }

    fn finish(self: Box<Self>) -> io::Result<u64> {
        self.file.finish()
    }
}
