//! `--final`: the last state as CSV, in world coordinates, fit to be read again by `--initial`.

use std::io::Write;

use wingbeat_record::{exact, exact_f64};
use wingbeat_scene::Built;

use crate::still;

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
            // A sum with the origin has more digits than an f32.
            let shown = if origin == 0.0 { exact(x) } else { exact_f64(f64::from(x) + origin) };
            write!(out, ",{shown}")?;
        }
        for &v in &now.velocity(i)[..dimensions] {
            write!(out, ",{}", exact(v))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
