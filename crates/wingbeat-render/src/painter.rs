//! Frame by frame: what stays the same from picture to picture, and what follows the flock.

use crate::backdrop::Backdrop;
use crate::camera::{Camera, Fit, Frame, View};
use crate::color::Ramp;
use crate::compose::{Picture, Stage};
use crate::image::Image;
use crate::num::{dot, within};
use crate::overlay::{self, Labels};
use crate::trails::Trails;
use crate::{Boids, Bounds, Extent, RenderError, Style, raster};

/// Lengths of boids that are chosen when none is given, pixels: below, a heading cannot be seen;
/// above, few look like a logo.
const LENGTHS: [f32; 2] = [5.0, 26.0];
/// Sides of a picture that are taken, pixels.
const SIDES: std::ops::RangeInclusive<u32> = 16..=16384;

/// Draws one frame after the other. Scales, colours and framing are chosen at the first and kept,
/// or follow the flock smoothly.
pub struct Painter {
    style: Style,
    camera: Camera,
    bounds: Option<Bounds>,
    image: Image,
    trails: Trails,
    /// Lines in the world, drawn behind the boids.
    lines: Vec<[[f32; 3]; 2]>,
    /// Likewise, of exits.
    exits: Vec<[[f32; 3]; 2]>,
    backdrop: Option<Backdrop>,
    /// What is shown where space is open.
    area: Option<Extent>,
    settled: Option<Settled>,
    drawn: u64,
}

/// What is chosen at the first frame.
struct Settled {
    extent: Extent,
    ramp: Ramp,
    speeds: [f32; 2],
    /// Length of a boid in the world.
    length: f32,
}

impl Painter {
    /// A painter of pictures of a size, width and height in pixels, 16 to 16384. Without bounds
    /// space is open: pictures then follow the flock.
    ///
    /// # Errors
    /// When the size, the style or the camera is not accepted.
    pub fn new(
        size: [u32; 2],
        style: Style,
        camera: Camera,
        bounds: Option<Bounds>,
    ) -> Result<Self, RenderError> {
        Self::check(size, &style, &camera)?;
        let image = Image::new(size[0] as usize, size[1] as usize);
        let (trails, lines, exits) = (Trails::default(), Vec::new(), Vec::new());
        Ok(Self {
            style,
            camera,
            bounds,
            image,
            trails,
            lines,
            exits,
            backdrop: None,
            area: None,
            settled: None,
            drawn: 0,
        })
    }

    /// Refuses what [`new`](Self::new) does, without making room for a picture.
    ///
    /// # Errors
    /// When the size, the style or the camera is not accepted.
    pub fn check(size: [u32; 2], style: &Style, camera: &Camera) -> Result<(), RenderError> {
        if !size.iter().all(|side| SIDES.contains(side)) {
            return Err(RenderError::value(
                "size",
                format!("{}x{}", size[0], size[1]),
                "16x16 to 16384x16384 pixels",
            ));
        }
        style.check()?;
        camera.check()
    }

    /// A picture of the plane that the next pictures show behind everything; of flocks in space it
    /// shows nothing.
    pub fn set_backdrop(&mut self, backdrop: Option<Backdrop>) {
        self.backdrop = backdrop;
    }

    /// What pictures are fitted to where space is open, in place of the flock; no edges are drawn
    /// around it.
    pub fn set_area(&mut self, area: Option<Extent>) {
        self.area = area;
    }

    /// Lines in the world's coordinates, obstacles for one, that the next pictures show behind the
    /// boids.
    pub fn set_lines(&mut self, lines: Vec<[[f32; 3]; 2]>) {
        self.lines = lines;
    }

    /// The outlines of exits, in a color of their own.
    pub fn set_exits(&mut self, lines: Vec<[[f32; 3]; 2]>) {
        self.exits = lines;
    }

    /// Takes a frame that is not drawn, so that the trails of later ones pass through it.
    pub fn remember(&mut self, boids: &Boids<'_>) {
        self.trails.push(boids, self.style.trails);
    }

    /// Draws a frame. Takes time in proportion to boids, the length of trails, and pixels.
    pub fn draw(&mut self, boids: &Boids<'_>) -> &Image {
        let picture = self.compose(boids);
        raster::draw(&picture, &mut self.image);
        if let Some(labels) = &picture.labels {
            overlay::draw(labels, picture.theme.ink, &mut self.image);
        }
        &self.image
    }

    /// The same as shapes, for [`svg::write`](crate::svg::write).
    pub fn compose(&mut self, boids: &Boids<'_>) -> Picture {
        self.trails.push(boids, self.style.trails);
        let dimensions = boids.dimensions;
        let (width, height) = (self.image.width() as u32, self.image.height() as u32);
        let frame = frame(width, height, self.style.labels);
        let whole = self.bounds.map(|bounds| Extent::of(&bounds, dimensions)).or(self.area);
        let shown = whole.filter(|_| self.camera.fit == Fit::Domain);
        let wanted = shown.unwrap_or_else(|| Extent::around(boids));
        let extent = self.settled.as_ref().map_or(wanted, |settled| settled.extent.toward(&wanted));
        let view = self.camera.view(dimensions, &extent, shown.is_some(), &frame, self.drawn);
        self.drawn += 1;
        if let Some(settled) = &mut self.settled {
            settled.extent = extent;
        }
        let settled = self.settled.get_or_insert_with(|| {
            let speeds = self.style.speeds.unwrap_or_else(|| speeds(boids));
            let mut ramp = Ramp::new(self.style.color, self.style.background, speeds);
            if self.style.flat {
                ramp.theme.sky = [ramp.theme.fog; 2];
            }
            let length = self.style.length.unwrap_or_else(|| length(boids, &extent, &view))
                / view.per_unit();
            Settled { extent, ramp, speeds, length }
        });
        let stage = Stage {
            view: &view,
            ramp: &settled.ramp,
            color: self.style.color,
            width,
            height,
            length: settled.length,
            radii: &self.style.radii,
            bounds: self.bounds.as_ref(),
            trails: &self.trails,
        };
        let (darts, trails) = stage.boids(boids);
        let [mut behind, before] = stage.edges(dimensions);
        behind.extend(stage.lines(&self.lines, settled.ramp.theme.ink));
        behind.extend(stage.lines(&self.exits, settled.ramp.theme.exit));
        let labels = self.style.labels.then(|| {
            Labels::of(&self.style, &settled.ramp, settled.speeds, &view, boids, [width, height])
        });
        let backdrop = self
            .backdrop
            .as_ref()
            .filter(|_| dimensions == 2)
            .and_then(|backdrop| backdrop.shown(&view));
        Picture {
            width,
            height,
            theme: settled.ramp.theme,
            backdrop,
            behind,
            trails,
            darts,
            before,
            labels,
        }
    }

    /// The colours that pictures are made of, as samples for a palette.
    pub(crate) fn ramp(&self) -> Option<&Ramp> {
        self.settled.as_ref().map(|settled| &settled.ramp)
    }

    /// The picture drawn last.
    pub fn image(&self) -> &Image {
        &self.image
    }
}

impl std::fmt::Debug for Painter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Painter")
            .field("style", &self.style)
            .field("camera", &self.camera)
            .finish_non_exhaustive()
    }
}

/// Width and height for a picture of this, at most `most`: in the plane of the world's own shape,
/// so that none of the canvas is empty; in space all of it. Both are even, as films want them.
pub fn size_for(boids: &Boids<'_>, bounds: Option<&Bounds>, fit: Fit, most: [u32; 2]) -> [u32; 2] {
    if boids.dimensions == 3 {
        return most;
    }
    let extent = bounds
        .filter(|_| fit == Fit::Domain)
        .map_or_else(|| Extent::around(boids), |bounds| Extent::of(bounds, 2));
    let ([width, height, _], [wide, high]) = (extent.size(), most.map(f64::from));
    let scale = if wide / width < high / height { wide / width } else { high / height };
    let even = |length: f64, most: u32| {
        (((length * scale / 2.0).round() as u32) * 2).clamp(most.min(240), most)
    };
    [even(width, most[0]), even(height, most[1])]
}

/// What of the canvas is for the world: all but a margin, which in the plane is also for the
/// labels.
fn frame(width: u32, height: u32, labels: bool) -> Frame {
    let (width, height) = (f64::from(width), f64::from(height));
    let small = if width < height { width } else { height };
    let margin = small * 0.025;
    let foot = if labels { overlay::foot(width, height) } else { 0.0 };
    Frame {
        inner: [width - 2.0 * margin, height - 2.0 * margin - foot],
        middle: [width / 2.0, (height - foot) / 2.0],
    }
}

/// Long enough to show a heading, short enough to leave neighbors apart.
fn length(boids: &Boids<'_>, extent: &Extent, view: &View) -> f32 {
    let [x, y, z] = extent.size();
    let per_unit = f64::from(view.per_unit());
    // In space, what a box shows on average of its faces, of which the flock fills a part.
    let area = if boids.dimensions == 2 { x * y } else { (x * y + y * z + z * x) / 3.0 * 0.6 };
    let between = (area * per_unit * per_unit / boids.len().max(1) as f64).sqrt();
    within((between * 1.15) as f32, LENGTHS[0], LENGTHS[1])
}

/// Between which 98 % of the speeds lie.
fn speeds(boids: &Boids<'_>) -> [f32; 2] {
    let speed = |i: usize| dot(boids.velocity(i), boids.velocity(i)).sqrt();
    let mut speeds: Vec<f32> =
        (0..boids.len()).map(speed).filter(|speed| speed.is_finite()).collect();
    if speeds.is_empty() {
        return [0.0, 1.0];
    }
    let (last, stray) = (speeds.len() - 1, speeds.len() / 100);
    let slow = *speeds.select_nth_unstable_by(stray, f32::total_cmp).1;
    let fast = *speeds.select_nth_unstable_by(last - stray, f32::total_cmp).1;
    // All as fast: in the middle of the colours.
    if fast > slow * 1.0001 { [slow, fast] } else { [slow * 0.5, fast * 1.5] }
}
