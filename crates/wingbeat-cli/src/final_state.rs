//! `--final`: the last state as CSV, in world coordinates, fit to be read again by `--initial`.

use std::io::Write;

use wingbeat_record::significant;
use wingbeat_scene::Built;

use crate::still;

/// Digits that bring an f32 back bit for bit.
const DIGITS_F32: usize = 9;
/// Digits that bring an f64 back bit for bit; needed where an origin was added.
const DIGITS_F64: usize = 17;

/// Writes id[,species],x,y[,z],vx,vy[,vz], sorted by id.
pub fn write(built: &Built, out: &mut dyn Write) -> std::io::Result<()> {
    let (dimensions, names) = (built.flock.dimensions(), built.flock.params().species_names());
    let (position, velocity) = (&["x", "y", "z"][..dimensions], &["vx", "vy", "vz"][..dimensions]);
    let species = if names.is_empty() { "" } else { "species," };
    writeln!(out, "id,{species}{},{}", position.join(","), velocity.join(","))?;
    let now = still::now(&built.flock, 0.0);
    for (i, id) in now.ids.iter().enumerate() {
        write!(out, "{id}")?;
        if let Some(&species) = now.species.get(i) {
            write!(out, ",{}", names[usize::from(species)])?;
        }
        for (a, &x) in now.position(i)[..dimensions].iter().enumerate() {
            let origin = built.origin[a];
            let digits = if origin == 0.0 { DIGITS_F32 } else { DIGITS_F64 };
            write!(out, ",{}", significant(f64::from(x) + origin, digits))?;
        }
        for &v in &now.velocity(i)[..dimensions] {
            write!(out, ",{}", significant(f64::from(v), DIGITS_F32))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
