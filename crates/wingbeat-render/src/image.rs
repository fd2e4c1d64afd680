//! Pixels.

use crate::Rgb;

/// A picture: rows from the top, four bytes a pixel: red, green, blue, and 255.
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

    pub(crate) fn pixels_mut(&mut self) -> &mut [u8] {
        &mut self.pixels
    }
}
