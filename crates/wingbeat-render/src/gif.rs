//! Films as GIF: one palette for all pictures, made from the colours that can occur, so that
//! nothing flickers.

use std::io::{self, Write};

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::color::blend;
use crate::{Image, Painter, Rgb};

/// Colours of the palette; the last of 256 is "as before".
const COLORS: usize = 255;
const AS_BEFORE: u8 = 255;
/// NeuQuant looks at every `SAMPLING`-th pixel.
const SAMPLING: i32 = 3;

/// Writes pictures one after the other; they go round for ever.
pub struct GifWriter<W: Write> {
    encoder: Encoder<W>,
    /// The palette's nearest colour to each of 32 by 32 by 32.
    nearest: Vec<u8>,
    before: Option<Vec<u8>>,
    /// Hundredths of a second a picture stays.
    delay: u16,
}

impl<W: Write> GifWriter<W> {
    /// Begins a film of the pictures a painter draws, of which it has drawn the first; `delay`
    /// hundredths of a second each. Browsers show at most 50 pictures a second: a delay of 2.
    ///
    /// # Errors
    /// When `out` takes nothing.
    pub fn new(out: W, painter: &Painter, delay: u16) -> io::Result<Self> {
        let image = painter.image();
        let size = |side: usize| {
            u16::try_from(side)
                .map_err(|_| io::Error::other("a GIF has at most 65535 pixels a side"))
        };
        let (palette, nearest) = colors(painter);
        let mut encoder = Encoder::new(out, size(image.width())?, size(image.height())?, &palette)
            .map_err(io::Error::other)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
        Ok(Self { encoder, nearest, before: None, delay })
    }

    /// Adds a picture, of the first one's size.
    ///
    /// # Errors
    /// When `out` takes no more.
    pub fn frame(&mut self, image: &Image) -> io::Result<()> {
        let transparent = self.before.is_some().then_some(AS_BEFORE);
        let indices = indexed(image, &self.nearest, &mut self.before);
        let mut frame = Frame::from_indexed_pixels(
            image.width() as u16,
            image.height() as u16,
            indices,
            transparent,
        );
        frame.delay = self.delay;
        frame.dispose = DisposalMethod::Keep;
        self.encoder.write_frame(&frame).map_err(io::Error::other)
    }
}

impl<W: Write> GifWriter<W> {
    /// Makes the film whole, and gives back what it was written to.
    ///
    /// # Errors
    /// When `out` takes no more.
    pub fn finish(self) -> io::Result<W> {
        self.encoder.into_inner().map_err(io::Error::other)
    }
}

impl<W: Write> std::fmt::Debug for GifWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GifWriter").field("delay", &self.delay).finish_non_exhaustive()
    }
}

// What follows is compiled here; what has a type of the caller's, where it is called.

/// The palette, and its nearest colour to each of 32 by 32 by 32.
#[inline(never)]
fn colors(painter: &Painter) -> (Vec<u8>, Vec<u8>) {
    let palette = NeuQuant::new(SAMPLING, COLORS, &samples(painter)).color_map_rgb();
    let middle = |part: usize| (part << 3 | 4) as u8;
    let nearest = (0..1 << 15)
        .map(|i| nearest(&palette, [middle(i >> 10), middle(i >> 5 & 31), middle(i & 31)]))
        .collect();
    (palette, nearest)
}

/// A picture as indices of the palette, where there was one before only those that are others.
#[inline(never)]
fn indexed(image: &Image, nearest: &[u8], before: &mut Option<Vec<u8>>) -> Vec<u8> {
    let place = |pixel: &[u8]| {
        usize::from(pixel[0] >> 3) << 10
            | usize::from(pixel[1] >> 3) << 5
            | usize::from(pixel[2] >> 3)
    };
    let mut indices: Vec<u8> =
        image.pixels().chunks_exact(4).map(|pixel| nearest[place(pixel)]).collect();
    let shown = indices.clone();
    if let Some(before) = before {
        // What stays as it was takes next to no room.
        indices
            .iter_mut()
            .zip(before)
            .filter(|(index, before)| index == before)
            .for_each(|(index, _)| *index = AS_BEFORE);
    }
    *before = Some(shown);
    indices
}

/// Pixels that stand for those of all pictures: the first one's, and as many of the colours boids
/// can have, alone and mixed with what is behind, as smooth edges and distance mix them.
fn samples(painter: &Painter) -> Vec<u8> {
    let pixels = painter.image().pixels();
    let Some(ramp) = painter.ramp() else { return pixels.to_vec() };
    let mut mixed: Vec<Rgb> = Vec::new();
    for color in ramp.samples(72) {
        for share in [0.0, 0.0, 0.25, 0.5, 0.75] {
            for behind in ramp.theme.sky {
                mixed.push(blend(color, behind, share));
            }
        }
    }
    mixed.extend([ramp.theme.ink; 40]);
    mixed.extend([ramp.theme.edge; 40]);
    let repeats = pixels.len() / 4 / mixed.len() + 1;
    // As much as there will be: of a large picture half of it again is a lot.
    let mut samples = Vec::with_capacity(pixels.len() + repeats * mixed.len() * 4);
    samples.extend_from_slice(pixels);
    // In turns, since the network looks at every so many pixels.
    for _ in 0..repeats {
        samples.extend(mixed.iter().flat_map(|&[r, g, b]| [r, g, b, 255]));
    }
    samples
}

fn nearest(palette: &[u8], color: Rgb) -> u8 {
    let distance = |entry: &[u8]| -> i32 {
        entry
            .iter()
            .zip(color)
            .map(|(&a, b)| (i32::from(a) - i32::from(b)) * (i32::from(a) - i32::from(b)))
            .sum()
    };
    let entries = palette.chunks_exact(3).take(COLORS).enumerate();
    entries.min_by_key(|(_, entry)| distance(entry)).map_or(0, |(i, _)| i as u8)
}
