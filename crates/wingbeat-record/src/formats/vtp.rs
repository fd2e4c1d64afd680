//! VTK's PolyData in XML, appended raw, one file a frame, with a `.pvd` that gives ParaView the
//! times: points with velocity, id and, where there are any, species.
//!
//! <https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html>,
//! <https://www.paraview.org/Wiki/ParaView/Data_formats#PVD_File_Format>

use std::fmt::Write as _;
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

/// Arrays are appended one after the other, each with its length before it.
struct Appended {
    xml: String,
    data: Vec<u8>,
}

impl Appended {
    fn array(
        &mut self,
        kind: &str,
        name: &str,
        components: usize,
        values: impl Iterator<Item = u8>,
    ) {
        let at = self.data.len();
        let components = if components == 1 {
            String::new()
        } else {
            format!(" NumberOfComponents=\"{components}\"")
        };
        let array = format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\"{components} \
            format=\"appended\" offset=\"{at}\"/>\n"
        );
        self.xml += &array;
        self.data.extend_from_slice(&[0; 8]);
        self.data.extend(values);
        let length = (self.data.len() - at - 8) as u64;
        self.data[at..at + 8].copy_from_slice(&length.to_le_bytes());
    }
}

impl Sink for VtpWriter {
    fn frame(&mut self, now: &Snapshot) -> io::Result<()> {
        let count = now.len();
        let mut parts = Appended { xml: String::new(), data: Vec::new() };
        parts.xml += "<?xml version=\"1.0\"?>\n";
        parts.xml += "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" \
                header_type=\"UInt64\">\n<PolyData>\n";
        parts.xml += "<FieldData>\n";
        parts.xml += "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" \
            format=\"ascii\">";
        // Writing to a String cannot fail.
        let _ = writeln!(parts.xml, "{}</DataArray>\n{}</FieldData>", now.time, self.names);
        let _ = writeln!(parts.xml, "<Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"{count}\">");
        parts.xml += "<PointData Vectors=\"velocity\">\n";
        parts.array(
            "Float32",
            "velocity",
            3,
            (0..count).flat_map(|i| now.velocity(i)).flat_map(f32::to_le_bytes),
        );
        parts.array("UInt64", "id", 1, now.ids.iter().flat_map(|id| id.to_le_bytes()));
        if self.has_species {
            parts.array("UInt8", "species", 1, now.species.iter().copied());
        }
        parts.xml += "</PointData>\n<Points>\n";
        parts.array(
            "Float32",
            "position",
            3,
            (0..count).flat_map(|i| now.position(i)).flat_map(f32::to_le_bytes),
        );
        parts.xml += "</Points>\n<Verts>\n";
        parts.array("Int64", "connectivity", 1, (0..count as i64).flat_map(i64::to_le_bytes));
        parts.array("Int64", "offsets", 1, (1..=count as i64).flat_map(i64::to_le_bytes));
        parts.xml += "</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
        self.content.clear();
        self.content.extend_from_slice(parts.xml.as_bytes());
        self.content.extend_from_slice(&parts.data);
        self.content.extend_from_slice(b"\n</AppendedData>\n</VTKFile>\n");
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
