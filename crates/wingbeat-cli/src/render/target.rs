//! Where pictures go: files of a sequence, or a film.

use wingbeat_render::{Painter, gif::GifWriter, mp4, png};

use crate::failure::Failure;
use crate::output::{Output, PendingFile};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    Png,
    Sequence,
    Gif,
    Mp4,
}

impl OutputKind {
    /// Bytes of memory for a pixel, at most: the picture has four. A PNG's colors have three more,
    /// and what they are packed into as many; the colors that a GIF's palette is chosen from eight.
    pub fn bytes_a_pixel(self) -> u128 {
        match self {
            Self::Png | Self::Sequence => 10,
            Self::Gif => 12,
            Self::Mp4 => 4,
        }
    }
}

/// Takes one picture after the other.
pub struct PictureTarget {
    output: Output,
    kind: OutputKind,
    rate: f64,
    state: State,
    pub pictures: usize,
    bytes: u64,
}

enum State {
    Nothing,
    Gif(Box<GifWriter<PendingFile>>),
    Mp4(mp4::Mp4Writer, PendingFile),
}

impl PictureTarget {
    pub fn new(output: Output, kind: OutputKind, rate: f64) -> Self {
        Self { output, kind, rate, state: State::Nothing, pictures: 0, bytes: 0 }
    }

    /// Takes the picture the painter drew last.
    pub fn take(&mut self, painter: &Painter) -> Result<(), Failure> {
        let image = painter.image();
        match self.kind {
            OutputKind::Png => self.png(&self.output.clone(), painter)?,
            OutputKind::Sequence => self.png(&self.output.numbered(self.pictures), painter)?,
            OutputKind::Gif => {
                let output = &self.output;
                if let State::Nothing = self.state {
                    let delay = (100.0 / self.rate).round() as u16;
                    let writer = GifWriter::new(output.begin()?, painter, delay)
                        .map_err(|error| output.failed(&error))?;
                    self.state = State::Gif(Box::new(writer));
                }
                if let State::Gif(writer) = &mut self.state {
                    writer.frame(image).map_err(|error| output.failed(&error))?;
                }
            }
            OutputKind::Mp4 => {
                if let State::Nothing = self.state {
                    let begun = self.output.begin()?;
                    let size = [image.width() as u32, image.height() as u32];
                    self.state =
                        State::Mp4(mp4::Mp4Writer::start(begun.path(), size, self.rate)?, begun);
                }
                if let State::Mp4(writer, _) = &mut self.state {
                    writer.frame(image)?;
                }
            }
        }
        self.pictures += 1;
        Ok(())
    }

    fn png(&mut self, output: &Output, painter: &Painter) -> Result<(), Failure> {
        let mut begun = output.begin()?;
        png::write(painter.image(), png::Effort::Fast, &mut begun)
            .map_err(|error| output.failed(&error))?;
        self.bytes += begun.finish()?;
        Ok(())
    }

    /// Makes a film whole; tells how many bytes there are.
    pub fn finish(self) -> Result<u64, Failure> {
        match self.state {
            State::Nothing => Ok(self.bytes),
            State::Gif(writer) => {
                writer.finish().map_err(|error| self.output.failed(&error))?.finish()
            }
            State::Mp4(writer, begun) => {
                writer.finish()?;
                begun.finish()
            }
        }
    }
}
