//! VTK's PolyData in XML, appended raw, one file a frame, with a `.pvd` that gives ParaView the
//! times: points with velocity, id and, where there are any, species.
//!
//! <https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html>,
//! <https://www.paraview.org/Wiki/ParaView/Data_formats#PVD_File_Format>

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::series::Series;
use crate::sink::Sink;
use crate::whole_file::WholeFile;
use crate::{About, Snapshot};

pub(super) struct VtpWriter {
    series: Series,
    index: PathBuf,
    times: Vec<f64>,
    /// The array of the species' names; empty where there are none.
    names: String,
    has_species: bool,
    content: Vec<u8>,
}

impl VtpWriter {
    pub fn create(path: &Path, about: &About) -> io::Result<Self> {
        let (series, index) = (Series::create(path)?, path.with_extension("pvd"));
        let (names, has_species) = (names(&about.species), !about.species.is_empty());
        Ok(Self { series, index, times: Vec::new(), names, has_species, content: Vec::new() })
    }
}

/// Texts as VTK writes them: the number of every byte, and a 0 after each text.
fn names(species: &[String]) -> String {
    if species.is_empty() {
        return String::new();
    }
    let bytes: String = species
        .iter()
        .flat_map(|name| name.bytes().chain([0]))
        .map(|byte| format!("{byte} "))
        .collect();
    let count = species.len();
    format!(
        "<Array type=\"String\" Name=\"species_names\" NumberOfTuples=\"{count}\" \
            format=\"ascii\">{}</Array>\n",
        bytes.trim_end()
    )
}

impl Sink for VtpWriter {
    fn frame(&mut self, now: &Snapshot) -> io::Result<()> {
        let Self { names, has_species, content, .. } = &mut *self;
        wingbeat_codec::write_vtp(now, names, *has_species, content);
        self.series.write(&self.content)?;
        self.times.push(now.time);
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<u64> {
        let mut index = WholeFile::create(&self.index)?;
        writeln!(
            index,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" \
                byte_order=\"LittleEndian\">\n<Collection>"
        )?;
        for (frame, time) in self.times.iter().enumerate() {
            let name = self
                .series
                .name(frame as u64)
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('"', "&quot;");
            writeln!(index, "<DataSet timestep=\"{time}\" part=\"0\" file=\"{name}\"/>")?;
        }
        writeln!(index, "</Collection>\n</VTKFile>")?;
        Ok(self.series.bytes + index.finish()?)
    }
}
