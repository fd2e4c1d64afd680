//! PLY, binary little endian, one file a frame, for Blender and MeshLab: vertices with x, y, z, vx,
//! vy, vz, id and, where there are any, species, whose names are comments.
//!
//! <http://paulbourke.net/dataformats/ply/>

use std::io;
use std::path::Path;

use super::series::Series;
use crate::sink::Sink;
use crate::{About, Snapshot};

pub(super) struct PlyWriter {
    series: Series,
    species: Vec<String>,
    content: Vec<u8>,
}

impl PlyWriter {
    pub fn create(path: &Path, about: &About) -> io::Result<Self> {
        Ok(Self {
            series: Series::create(path)?,
            species: about.species.clone(),
            content: Vec::new(),
        })
    }
}

impl Sink for PlyWriter {
    fn frame(&mut self, now: &Snapshot) -> io::Result<()> {
        let mut header =
            format!("ply\nformat binary_little_endian 1.0\ncomment time {}\n", now.time);
        for (place, name) in self.species.iter().enumerate() {
            // A header is lines of ASCII.
            header += &format!("comment species {place} {}\n", name.escape_default());
        }
        header += &format!("element vertex {}\n", now.len());
        for name in ["x", "y", "z", "vx", "vy", "vz"] {
            header += &format!("property float {name}\n");
        }
        header += "property uint id\n";
        if !self.species.is_empty() {
            header += "property uchar species\n";
        }
        header += "end_header\n";
        self.content.clear();
        self.content.extend_from_slice(header.as_bytes());
        let has_species = !self.species.is_empty();
        wingbeat_codec::write_ply(now, has_species, &mut self.content)?;
        self.series.write(&self.content)
    }

    fn finish(self: Box<Self>) -> io::Result<u64> {
        Ok(self.series.bytes)
    }
}
