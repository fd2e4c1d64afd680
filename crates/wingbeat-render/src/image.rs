//! Pixels.

use crate::Rgb;

/// A picture: rows from the top, four bytes a pixel: red, green, blue, and 255; of one that was
/// read how opaque it is, 0 to 255.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Image {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![255; width * height * 4] }
    }

    /// In pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// In pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Four bytes a pixel, row after row from the top.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The colour at a place.
    ///
    /// # Panics
    /// Outside the picture.
    pub fn at(&self, x: usize, y: usize) -> Rgb {
        let at = (y * self.width + x) * 4;
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]]
    }

    /// Of rows of four bytes a pixel.
    pub(crate) fn of(width: usize, pixels: Vec<u8>) -> Self {
        Self { width, height: pixels.len() / 4 / width, pixels }
    }

    /// The picture at half its size: means of two by two pixels, without an odd row and column at
    /// the end.
    pub(crate) fn halved(&self) -> Self {
        let (wide, high) = (self.width / 2, self.height / 2);
        let mut pixels = Vec::with_capacity(wide * high * 4);
        for y in 0..high {
            for x in 0..wide {
                let at = |dx: usize, dy: usize, a: usize| {
                    u32::from(self.pixels[((2 * y + dy) * self.width + 2 * x + dx) * 4 + a])
                };
                pixels.extend((0..4).map(|a| {
                    ((at(0, 0, a) + at(1, 0, a) + at(0, 1, a) + at(1, 1, a) + 2) / 4) as u8
                }));
            }
        }
        Self { width: wide, height: high, pixels }
    }

    /// How light it is on average, 0 to 1.
    pub fn lightness(&self) -> f64 {
        let sum: u64 = self
            .pixels
            .chunks_exact(4)
            .flat_map(|pixel| &pixel[..3])
            .map(|&part| u64::from(part))
            .sum();
        sum as f64 / (255.0 * 3.0 * (self.pixels.len() / 4).max(1) as f64)
    }

    pub(crate) fn pixels_mut(&mut self) -> &mut [u8] {
        &mut self.pixels
    }
}
