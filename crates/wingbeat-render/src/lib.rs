//! Pictures of flocks, without a GPU, a display or an engine: boids in, RGBA out; then PNG, GIF,
//! MP4 or SVG.
//!
//! ```
//! use wingbeat_render::{Boids, Bounds, Camera, Painter, Style, png};
//! let (x, y) = ([1.0, 4.0, 7.0], [2.0, 2.5, 6.0]);
//! let (vx, vy) = ([1.0, 0.0, -1.0], [0.0, 1.0, 1.0]);
//! let (positions, velocities) = ([x, y], [vx, vy]);
//! let boids = Boids::new(0.0, &[0, 1, 2], &positions, &velocities)?;
//! let pond = Bounds { min: [0.0; 3], max: [8.0, 8.0, 0.0], periodic: true };
//! let mut painter = Painter::new([320, 240], Style::default(), Camera::default(), Some(pond))?;
//! let image = painter.draw(&boids);
//! assert_eq!((image.width(), image.height(), image.pixels().len()), (320, 240, 4 * 320 * 240));
//! let mut file = Vec::new();
//! png::write(image, png::Effort::Fast, &mut file)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same boids, style and camera give the same bytes on any number of threads: bands of rows are
//! drawn each by one thread, in one order, and positions are projected with pinned arithmetic.
//!
//! # Floor plan
//!
//! ```text
//! boids.rs    what is drawn             style.rs   how        camera.rs  from where
//! extent.rs   what part of the world    color.rs   which colours
//!                      │
//! painter.rs  frame by frame: framing, trails, scales that stay the same from picture to picture
//!                      │
//! compose.rs  boids ──► Picture: darts and streaks in pixels, far to near
//!             trails.rs  where they were
//!                      │
//! raster.rs   Picture ──► Image, smooth edges        svg.rs  Picture ──► text
//! backdrop.rs a picture of the world behind all
//! overlay.rs  scale bar, legend, time                text.rs the font
//!                      │
//! png.rs  gif.rs  mp4.rs   Image ──► files
//! ```
//!
//! With the feature `plot` there are line charts and maps too, in `plot`: chart.rs is what charts
//! show, axis.rs chooses ticks, draw.rs draws the chart on either canvas, pixels.rs is the one for
//! PNG, map.rs a quantity over the plane, plan.rs the walls and exits over it.
#![forbid(unsafe_code)]

mod error;
mod boids;
mod extent;
mod num;
mod camera;
mod style;
mod color;
mod image;
mod backdrop;
mod trails;
pub mod mp4;
pub mod png;
pub mod text;
mod overlay;
mod compose;
mod raster;
mod painter;
pub mod gif;
#[cfg(feature = "plot")]
pub mod plot;
pub mod svg;

pub use backdrop::Backdrop;
pub use boids::{Boids, Bounds};
pub use camera::{Camera, Fit};
pub use color::Rgb;
pub use compose::Picture;
pub use error::RenderError;
pub use extent::Extent;
pub use image::Image;
pub use painter::{Painter, size_for};
pub use style::{Background, Color, Style};
