//! `run --still`: one picture of the flock, as `render` draws it.

use wingbeat_record::{Edges, LengthUnit, Snapshot, TimeUnit};
use wingbeat_render::{Boids, Bounds, Camera, Painter, Style, png, size_for, svg};
use wingbeat_scene::{AnyFlock, Scene};
use wingbeat_session::surroundings::radii;

use crate::failure::Failure;
use crate::output::Output;
use crate::species;

/// The longest sides, pixels.
const SIZE: [u32; 2] = [1600, 1200];

/// Draws a flock of this scene into a file that ends in .svg or .png.
pub fn write(flock: &AnyFlock, time: f64, scene: &Scene, output: &Output) -> Result<(), Failure> {
    write_in(flock, time, scene, output, SIZE)
}

/// The same with other longest sides.
pub fn write_in(
    flock: &AnyFlock,
    time: f64,
    scene: &Scene,
    output: &Output,
    longest: [u32; 2],
) -> Result<(), Failure> {
    let now = now(flock, time);
    let boids = boids(&now)?;
    let names = flock.params().species_names();
    let style = Style {
        color: species::usual_color(&names),
        species: species::legend(&names),
        radii: radii(flock.params()),
        ..worded_of(scene)
    };
    let (bounds, camera) = (bounds(flock), Camera::default());
    let size = size_for(&boids, bounds.as_ref(), camera.fit, longest);
    let mut painter = Painter::new(size, style, camera, bounds)?;
    painter.set_lines(flock.outlines());
    painter.set_exits(flock.exit_outlines());
    if output.extension() == "svg" {
        let picture = painter.compose(&boids);
        return output.write(|out| svg::write(&picture, out));
    }
    let image = painter.draw(&boids);
    output.write(|out| png::write(image, png::Effort::Small, out))
}

/// The usual style with the units of a scene, and its word for boids.
pub fn worded_of(scene: &Scene) -> Style {
    worded(scene.unit(), scene.unit().map(|_| TimeUnit::Second), scene.noun())
}

/// The usual style with these units, as far as they are known, and this word for boids.
pub fn worded(length: Option<LengthUnit>, time: Option<TimeUnit>, noun: &str) -> Style {
    let mut style = Style { noun: noun.to_string(), ..Style::default() };
    if let Some(unit) = length {
        style.unit = unit.to_string();
        style.time_unit = time.map_or_else(String::new, |unit| unit.to_string());
    }
    style
}

/// Every boid in a frame, with their species where there are some.
pub fn boids(now: &Snapshot) -> Result<Boids<'_>, Failure> {
    let boids = Boids::new(now.time, &now.ids, &now.positions, &now.velocities)?;
    Ok(if now.species.is_empty() { boids } else { boids.with_species(&now.species)? })
}

/// The flock as it is now.
pub fn now(flock: &AnyFlock, time: f64) -> Snapshot {
    let mut now = match flock {
        AnyFlock::Two(flock) => Snapshot::of(&flock.frame(), 0.0),
        AnyFlock::Three(flock) => Snapshot::of(&flock.frame(), 0.0),
    };
    now.time = time;
    now
}

/// The box of the flock's domain, unless it is open.
pub fn bounds(flock: &AnyFlock) -> Option<Bounds> {
    box_of(&flock.edges())
}

/// The same of a recording.
pub fn box_of(edges: &Edges) -> Option<Bounds> {
    edges.bounds().map(|(min, max)| Bounds { min, max, periodic: edges.is_periodic() })
}
