//! Pictures as PNG files.

use std::io::{self, BufRead, Seek, Write};

use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Limits, Transformations};

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

/// Sides of a picture that is read, at most, pixels.
const LONGEST: u32 = 16384;

/// Reads a PNG of any kind, with its transparency; 16 bits become 8.
///
/// # Errors
/// In one line, when it is none, is damaged, or has sides above 16384 pixels.
pub fn read(mut from: impl BufRead + Seek) -> Result<Image, String> {
    decode(&mut from)
}

trait Source: BufRead + Seek {}
impl<R: BufRead + Seek> Source for R {}

/// Not generic, as [`encode`].
fn decode(from: &mut dyn Source) -> Result<Image, String> {
    let failed = |error: png::DecodingError| {
        format!("not a whole PNG ({error}): allowed is one of at most {LONGEST}x{LONGEST} pixels")
    };
    let mut decoder = Decoder::new_with_limits(from, Limits { bytes: 1 << 30 });
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(failed)?;
    let (wide, high) = (reader.info().width, reader.info().height);
    if wide.max(high) > LONGEST {
        return Err(format!("{wide}x{high} pixels: allowed is at most {LONGEST}x{LONGEST}"));
    }
    let size = reader
        .output_buffer_size()
        .ok_or_else(|| format!("{wide}x{high} pixels: allowed is what memory holds"))?;
    let mut bytes = vec![0; size];
    let info = reader.next_frame(&mut bytes).map_err(failed)?;
    bytes.truncate(info.buffer_size());
    let gray = |value: u8, opaque: u8| [value, value, value, opaque];
    let pixels: Vec<u8> = match info.color_type {
        ColorType::Rgba => bytes,
        ColorType::Rgb => {
            bytes.chunks_exact(3).flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect()
        }
        ColorType::GrayscaleAlpha => {
            bytes.chunks_exact(2).flat_map(|pixel| gray(pixel[0], pixel[1])).collect()
        }
        // A palette has been expanded.
        ColorType::Grayscale | ColorType::Indexed => {
            bytes.iter().flat_map(|&value| gray(value, 255)).collect()
        }
    };
    Ok(Image::of(wide as usize, pixels))
}

/// Writes a picture as PNG, three bytes a pixel.
///
/// # Errors
/// When `out` takes no more.
pub fn write(image: &Image, effort: Effort, mut out: impl Write) -> io::Result<()> {
    encode(image, effort, &mut out)
}

/// Not generic: compiled here, optimized, and not by each caller.
fn encode(image: &Image, effort: Effort, out: &mut dyn Write) -> io::Result<()> {
    let mut encoder = Encoder::new(out, image.width() as u32, image.height() as u32);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(if effort == Effort::Fast {
        Compression::Fast
    } else {
        Compression::High
    });
    let colors: Vec<u8> =
        image.pixels().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&colors)?;
    writer.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let image = Image::of(5, (0..5 * 3).flat_map(|i: u8| [i, 2 * i, 255 - i, 255]).collect());
        let mut file = Vec::new();
        write(&image, Effort::Fast, &mut file).expect("a picture");
        assert_eq!(read(Cursor::new(&file)).expect("the picture"), image);
        for length in 0..file.len() - 12 {
            let refusal = read(Cursor::new(&file[..length])).expect_err("a refusal");
            assert!(
                refusal.contains("allowed is") && !refusal.contains('\n'),
                "{length}: {refusal}"
            );
        }
    }

    #[test]
    fn every_kind_is_read() {
        for (color, depth, data, wanted) in [
            (
                ColorType::Grayscale,
                BitDepth::Eight,
                vec![7, 200],
                vec![7, 7, 7, 255, 200, 200, 200, 255],
            ),
            (
                ColorType::GrayscaleAlpha,
                BitDepth::Eight,
                vec![7, 0, 200, 9],
                vec![7, 7, 7, 0, 200, 200, 200, 9],
            ),
            (ColorType::Rgba, BitDepth::Eight, (0..8).collect(), (0..8).collect()),
            (
                ColorType::Grayscale,
                BitDepth::Sixteen,
                vec![7, 1, 200, 9],
                vec![7, 7, 7, 255, 200, 200, 200, 255],
            ),
            (
                ColorType::Grayscale,
                BitDepth::One,
                vec![0b0100_0000],
                vec![0, 0, 0, 255, 255, 255, 255, 255],
            ),
        ] {
            let mut file = Vec::new();
            let mut encoder = Encoder::new(&mut file, 2, 1);
            encoder.set_color(color);
            encoder.set_depth(depth);
            encoder
                .write_header()
                .and_then(|mut writer| writer.write_image_data(&data))
                .expect("a picture");
            assert_eq!(
                read(Cursor::new(&file)).expect("the picture").pixels(),
                wanted,
                "{color:?} {depth:?}"
            );
        }
    }

    #[test]
    fn a_picture_of_far_too_many_pixels_is_refused_by_its_head() {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, 20_000, 2);
        encoder.set_color(ColorType::Grayscale);
        drop(encoder.write_header().expect("a head"));
        let refusal = read(Cursor::new(&file)).expect_err("a refusal");
        assert!(refusal.contains("allowed is"), "{refusal}");
    }
}
