//! The font that comes with the program: how wide a text is, and its outline as a path of
//! tiny-skia.

use std::fmt;

use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, FaceParsingError, GlyphId, OutlineBuilder};

/// DejaVu Sans, free under the licence of Bitstream Vera.
pub struct Font {
    face: Face<'static>,
}

/// The font that came with the program cannot be read.
#[derive(Debug)]
pub struct Unreadable(FaceParsingError);

impl fmt::Debug for Font {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DejaVu Sans")
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the font cannot be read: {}", self.0)
    }
}

impl std::error::Error for Unreadable {}

impl Font {
    /// The font.
    ///
    /// # Errors
    /// Never, unless the program was built with another font.
    pub fn new() -> Result<Self, Unreadable> {
        Face::parse(dejavu::sans::regular(), 0).map(|face| Self { face }).map_err(Unreadable)
    }

    /// Width of a text whose letters are `em` pixels high, line spacing included.
    pub fn width(&self, text: &str, em: f64) -> f64 {
        text.chars().fold(0.0, |width, c| width + self.advance(self.glyph(c))) * em
    }

    /// As much of a text as fits, with an ellipsis for the rest.
    pub fn fitted(&self, text: &str, em: f64, width: f64) -> String {
        if self.width(text, em) <= width {
            return text.to_string();
        }
        let mut kept = text.to_string();
        while kept.pop().is_some() {
            let short = format!("{}…", kept.trim_end());
            if self.width(&short, em) <= width {
                return short;
            }
        }
        String::new()
    }

    /// Outline of a text on the baseline y = 0 from x = 0, in pixels, y downwards. `None` where
    /// nothing is to be seen.
    pub fn outline(&self, text: &str, em: f64) -> Option<Path> {
        let scale = em / f64::from(self.face.units_per_em());
        let mut pen = Pen { path: PathBuilder::new(), scale: scale as f32, x: 0.0 };
        let mut x = 0.0;
        for c in text.chars() {
            let glyph = self.glyph(c);
            pen.x = x as f32;
            self.face.outline_glyph(glyph, &mut pen);
            x += self.advance(glyph) * em;
        }
        pen.path.finish()
    }

    /// Letters the font lacks become its empty box.
    fn glyph(&self, c: char) -> GlyphId {
        self.face.glyph_index(c).unwrap_or_default()
    }

    /// In parts of an em.
    fn advance(&self, glyph: GlyphId) -> f64 {
        f64::from(self.face.glyph_hor_advance(glyph).unwrap_or(0))
            / f64::from(self.face.units_per_em())
    }
}

/// Carries a glyph's outline over into a path.
struct Pen {
    path: PathBuilder,
    scale: f32,
    x: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, -y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

/// A count with its thousands apart: 100,000.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_a_width_and_are_cut_to_it() {
        let font = Font::new().expect("the font");
        let (narrow, wide) = (font.width("ii", 10.0), font.width("MM", 10.0));
        assert!(narrow < 7.0 && wide > 16.0, "{narrow} {wide}");
        assert_eq!(font.fitted("polarization", 10.0, 1000.0), "polarization");
        let short = font.fitted("polarization", 10.0, 30.0);
        assert!(short.ends_with('…') && font.width(&short, 10.0) <= 30.0, "{short}");
        assert!(font.outline("π", 10.0).is_some() && font.outline(" ", 10.0).is_none());
    }
}
