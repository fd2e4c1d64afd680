//! VTK's PolyData in XML, appended raw: points with velocity, id and, where there are any, species.
//!
//! <https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html>

use std::fmt::Write as _;

use crate::Snapshot;

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

/// Writes a file of one frame; `names` is the array of the species' names.
#[inline(never)]
pub fn write_points(now: &Snapshot, names: &str, has_species: bool, content: &mut Vec<u8>) {
    let count = now.len();
    let mut parts = Appended { xml: String::new(), data: Vec::new() };
    parts.xml += "<?xml version=\"1.0\"?>\n";
    parts.xml += "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" \
            header_type=\"UInt64\">\n<PolyData>\n";
    parts.xml += "<FieldData>\n";
    parts.xml += "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" \
        format=\"ascii\">";
    // Writing to a String cannot fail.
    let _ = writeln!(parts.xml, "{}</DataArray>\n{}</FieldData>", now.time, names);
    let _ = writeln!(parts.xml, "<Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"{count}\">");
    parts.xml += "<PointData Vectors=\"velocity\">\n";
    parts.array(
        "Float32",
        "velocity",
        3,
        (0..count).flat_map(|i| now.velocity(i)).flat_map(f32::to_le_bytes),
    );
    parts.array("UInt64", "id", 1, now.ids.iter().flat_map(|id| id.to_le_bytes()));
    if has_species {
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
    content.clear();
    content.extend_from_slice(parts.xml.as_bytes());
    content.extend_from_slice(&parts.data);
    content.extend_from_slice(b"\n</AppendedData>\n</VTKFile>\n");
}
