//! `--final`: the last state as CSV, in world coordinates, fit to be read again by `--initial`.

use std::io::Write;

use wingbeat_record::significant;
use wingbeat_scene::Built;

/// Digits that bring an f32 back bit for bit.
const DIGITS_F32: usize = 9;
/// Digits that bring an f64 back bit for bit; needed where an origin was added.
const DIGITS_F64: usize = 17;

/// Writes id,x,y[,z],vx,vy[,vz], sorted by id.
pub fn write(built: &Built, out: &mut dyn Write) -> std::io::Result<()> {
    let dimensions = built.flock.dimensions();
    let (position, velocity) = (&["x", "y", "z"][..dimensions], &["vx", "vy", "vz"][..dimensions]);
    writeln!(out, "id,{},{}", position.join(","), velocity.join(","))?;
    for row in built.flock.rows() {
        write!(out, "{}", row.id)?;
        for (a, &x) in row.position[..dimensions].iter().enumerate() {
            let origin = built.origin[a];
            let digits = if origin == 0.0 { DIGITS_F32 } else { DIGITS_F64 };
            write!(out, ",{}", significant(f64::from(x) + origin, digits))?;
        }
        for &v in &row.velocity[..dimensions] {
            write!(out, ",{}", significant(f64::from(v), DIGITS_F32))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
