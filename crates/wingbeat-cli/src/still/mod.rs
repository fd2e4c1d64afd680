//! `--still`: one picture of the flock, as triangles along the headings, coloured by them.

mod color;
mod compose;
mod raster;
mod svg;
pub mod view;

use wingbeat_scene::AnyFlock;

use crate::failure::Failure;
use crate::output::Output;

/// Draws the flock into a file that ends in .svg or .png.
pub fn write(flock: &AnyFlock, output: &Output) -> Result<(), Failure> {
    let picture = compose::compose(&flock.rows(), flock.bounds(), flock.dimensions());
    if output.extension() == "svg" {
        return output.write(|out| svg::write(&picture, out));
    }
    let bytes = raster::png(&picture).map_err(Failure::Other)?;
    output.write(|out| out.write_all(&bytes))
}
