//! Vertices of a PLY, binary, little-endian: x, y, z, vx, vy, vz, id and, where there are any,
//! species.

use std::io;

use crate::Snapshot;

/// Appends a vertex for each individual.
///
/// # Errors
/// When an id is beyond what the format counts to.
#[inline(never)]
pub fn write_vertices(now: &Snapshot, has_species: bool, out: &mut Vec<u8>) -> io::Result<()> {
    for (i, &id) in now.ids.iter().enumerate() {
        let id = u32::try_from(id)
            .map_err(|_| io::Error::other(format!("id {id}: PLY counts to {}", u32::MAX)))?;
        for value in now.position(i).into_iter().chain(now.velocity(i)) {
            out.extend_from_slice(&value.to_le_bytes());
        }
        out.extend_from_slice(&id.to_le_bytes());
        if has_species {
            out.push(now.species[i]);
        }
    }
    Ok(())
}
