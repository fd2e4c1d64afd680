//! A picture of the world, as a camera took it, behind the boids.

use std::sync::Arc;

use crate::Image;
use crate::camera::View;
use crate::color;

/// A picture and where its corners are in the world.
#[derive(Clone, Debug)]
pub struct Backdrop {
    image: Arc<Image>,
    /// Where the outer corner of its first pixel is, at the upper left, and that of its last.
    corners: [[f32; 2]; 2],
}

impl Backdrop {
    /// A picture whose upper left corner is at one place of the plane and whose lower right one at
    /// another, in the world's lengths. Where the first is the lower one, the picture is shown
    /// upside down.
    pub fn new(image: Image, upper_left: [f32; 2], lower_right: [f32; 2]) -> Self {
        Self { image: Arc::new(image), corners: [upper_left, lower_right] }
    }

    /// The same on the canvas; `None` where it has no size there.
    pub(crate) fn shown(&self, view: &View) -> Option<Shown> {
        let [from, to] = self.corners.map(|[x, y]| view.place([x, y, 0.0]));
        let (from, to) = (from?, to?);
        let size = [to.x - from.x, to.y - from.y];
        let is_there = size.iter().all(|side| side.is_finite() && side.abs() > 0.5);
        // Of pixels that lie closer together than those of the canvas, means are shown: single ones
        // would flicker.
        let mut image = Arc::clone(&self.image);
        while is_there
            && image.width() as f32 > 2.0 * size[0].abs()
            && image.height() as f32 > 2.0 * size[1].abs()
        {
            image = Arc::new(image.halved());
        }
        is_there.then_some(Shown { image, from: [from.x, from.y], size })
    }
}

/// A picture on the canvas.
#[derive(Debug)]
pub(crate) struct Shown {
    image: Arc<Image>,
    /// Where its upper left corner is, pixels.
    from: [f32; 2],
    /// How far it goes to the right and down.
    size: [f32; 2],
}

impl Shown {
    /// Draws it over a row of the canvas, linear between the picture's pixels.
    pub fn row(&self, row: usize, pixels: &mut [u8]) {
        let [wide, high] = [self.image.width(), self.image.height()];
        let down = (row as f32 + 0.5 - self.from[1]) / self.size[1];
        if !(0.0..1.0).contains(&down) {
            return;
        }
        let (y0, y1, below) = between(down * high as f32, high);
        for (column, pixel) in pixels.chunks_exact_mut(4).enumerate() {
            let along = (column as f32 + 0.5 - self.from[0]) / self.size[0];
            if !(0.0..1.0).contains(&along) {
                continue;
            }
            let (x0, x1, right) = between(along * wide as f32, wide);
            let at = |x: usize, y: usize| &self.image.pixels()[(y * wide + x) * 4..][..4];
            let corners = [at(x0, y0), at(x1, y0), at(x0, y1), at(x1, y1)];
            let mixed: [f32; 4] = std::array::from_fn(|a| {
                let [a00, a10, a01, a11] = corners.map(|corner| f32::from(corner[a]));
                let (upper, lower) = (a00 + (a10 - a00) * right, a01 + (a11 - a01) * right);
                upper + (lower - upper) * below
            });
            let [r, g, b, opaque] = mixed.map(|value| (value + 0.5) as u8);
            let under = [pixel[0], pixel[1], pixel[2]];
            pixel[..3].copy_from_slice(&color::blend(under, [r, g, b], f32::from(opaque) / 255.0));
        }
    }
}

/// The two pixels between whose middles a place lies, and how far from the first to the second.
fn between(place: f32, count: usize) -> (usize, usize, f32) {
    let from_middle = place - 0.5;
    // A cast cuts what is before the first middle.
    let first = (from_middle as usize).min(count - 1);
    let part = from_middle - first as f32;
    (first, (first + 1).min(count - 1), if part < 0.0 { 0.0 } else { part })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lie_between_the_middles_of_pixels() {
        assert_eq!(between(0.0, 4), (0, 1, 0.0));
        assert_eq!(between(0.75, 4), (0, 1, 0.25));
        assert_eq!(between(3.5, 4), (3, 3, 0.0));
        assert_eq!(between(0.3, 1), (0, 0, 0.0));
    }

    /// Red above, blue below, and the right half seen through.
    fn two_colors(high: usize) -> Image {
        let pixel = |i: usize| {
            let (x, y) = (i % 8, i / 8);
            let opaque = if x < 4 { 255 } else { 0 };
            if y < high / 2 { [255, 0, 0, opaque] } else { [0, 0, 255, opaque] }
        };
        Image::of(8, (0..8 * high).flat_map(pixel).collect())
    }

    /// The color in the canvas where a place of the world is: the pond is 8 by 8, and all of it is
    /// shown.
    fn seen(
        upper_left: [f32; 2],
        lower_right: [f32; 2],
        high: usize,
        [x, y]: [f32; 2],
    ) -> crate::Rgb {
        let pond = crate::Bounds { min: [0.0; 3], max: [8.0, 8.0, 0.0], periodic: false };
        let style = crate::Style { labels: false, ..crate::Style::default() };
        let mut painter =
            crate::Painter::new([160, 160], style, crate::Camera::default(), Some(pond))
                .expect("a painter");
        painter.set_backdrop(Some(Backdrop::new(two_colors(high), upper_left, lower_right)));
        let none: [[f32; 0]; 2] = [[], []];
        let image = painter.draw(&crate::Boids::new(0.0, &[], &none, &none).expect("no boid"));
        // A margin of a fortieth around.
        let place = |share: f32| (4.0 + share * 152.0) as usize;
        image.at(place(x / 8.0), place(1.0 - y / 8.0))
    }

    #[test]
    fn pictures_lie_where_they_are_said_to() {
        for high in [8, 800] {
            let usual = |at| seen([0.0, 8.0], [8.0, 0.0], high, at);
            assert_eq!(
                (usual([1.0, 7.0]), usual([1.0, 1.0])),
                ([255, 0, 0], [0, 0, 255]),
                "{high}"
            );
            let turned = |at| seen([0.0, 0.0], [8.0, 8.0], high, at);
            assert_eq!(
                (turned([1.0, 7.0]), turned([1.0, 1.0])),
                ([0, 0, 255], [255, 0, 0]),
                "{high}"
            );
            // The sky shows beside it and through it.
            let small = |at| seen([0.0, 4.0], [4.0, 0.0], high, at);
            assert_eq!(
                (small([1.0, 3.0]), small([1.0, 1.0])),
                ([255, 0, 0], [0, 0, 255]),
                "{high}"
            );
            for sky in [small([1.0, 6.0]), small([6.0, 1.0]), usual([7.0, 7.0]), usual([7.0, 1.0])]
            {
                assert!(sky[0] < 100 && sky[2] < 100, "{high}: {sky:?}");
            }
        }
    }

    #[test]
    fn large_pictures_are_halved_by_means() {
        let image = Image::of(
            3,
            [
                [0u8, 10, 20, 255],
                [2, 10, 20, 255],
                [9; 4],
                [4, 10, 21, 255],
                [6, 10, 21, 255],
                [9; 4],
            ]
            .concat(),
        );
        let half = image.halved();
        assert_eq!((half.width(), half.height(), half.pixels()), (1, 1, &[3, 10, 21, 255][..]));
    }
}
