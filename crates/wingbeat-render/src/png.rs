//! Pictures as PNG files.

use std::io::{self, Write};

use png::{BitDepth, ColorType, Compression, Encoder};

use crate::Image;

/// How well a picture is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effort {
    /// As fast as pictures are drawn.
    #[default]
    Fast,
    /// About half the size, in ten times the time.
    Small,
}

/// Writes a picture as PNG, three bytes a pixel.
///
/// # Errors
/// When `out` takes no more.
pub fn write(image: &Image, effort: Effort, out: impl Write) -> io::Result<()> {
    let mut encoder = Encoder::new(out, image.width() as u32, image.height() as u32);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(if effort == Effort::Fast { Compression::Fast } else { Compression::High });
    let colors: Vec<u8> = image.pixels().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&colors)?;
    writer.finish()?;
    Ok(())
}
