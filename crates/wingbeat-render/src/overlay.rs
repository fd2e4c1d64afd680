//! What is written below the flock: a scale bar, what colours mean, how many there are, and the
//! time.

use tiny_skia::{Color as Ink, FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Transform};

use crate::camera::View;
use crate::color::{Ramp, Rgb};
use crate::image::Image;
use crate::num::within;
use crate::text::{Font, grouped};
use crate::{Boids, Color, Style};

/// Labels with their places on the canvas.
#[derive(Clone, Debug)]
pub struct Labels {
    /// Height of an em, pixels.
    pub em: f32,
    /// The middle of the letters, from the top of the canvas.
    pub line: f32,
    /// From where to where the scale bar goes.
    pub bar: [f32; 2],
    pub texts: Vec<Text>,
    pub dots: Vec<Dot>,
}

/// A text, its left end and its width.
#[derive(Clone, Debug)]
pub struct Text {
    pub text: String,
    pub left: f32,
    pub width: f32,
}

/// A spot of a legend.
#[derive(Clone, Copy, Debug)]
pub struct Dot {
    pub x: f32,
    pub y: f32,
    pub radius: f32,
    pub color: Rgb,
}

fn em(width: f64, height: f64) -> f64 {
    within(((width + height) / 130.0) as f32, 9.0, 60.0).into()
}

/// Room below the world, pixels.
pub fn foot(width: f64, height: f64) -> f64 {
    em(width, height) * 2.4
}

impl Labels {
    /// The labels of a picture.
    pub fn of(
        style: &Style,
        ramp: &Ramp,
        speeds: [f32; 2],
        view: &View,
        boids: &Boids<'_>,
        size: [u32; 2],
    ) -> Self {
        let [width, height] = size.map(|side| side as f32);
        let em = em(width.into(), height.into()) as f32;
        let mut labels = Self {
            em,
            line: height - em * 1.75,
            bar: [em * 1.5; 2],
            texts: Vec::new(),
            dots: Vec::new(),
        };
        let Ok(font) = Font::new() else { return labels };
        let (length, shown) = round_length(f64::from(width * 0.16 / view.per_unit()));
        labels.bar[1] += (length * f64::from(view.per_unit())) as f32;
        let after_bar =
            labels.text(&font, &bar_text(&shown, &style.unit), labels.bar[1] + em * 0.6);
        let decimals = if boids.time.abs() < 1000.0 { 2 } else { 0 };
        let time = format!("t = {:.decimals$} {}", boids.time, style.time_unit);
        let time = time.trim_end();
        let right = width - em * 1.5;
        // The time is as wide as its longest, so that it does not tremble.
        let time_width =
            font.width(&time.replace(|c: char| c.is_ascii_digit(), "0"), em.into()) as f32;
        labels.text(&font, time, right - time_width);
        let count = counted(boids.len() as u64, &style.noun);
        let count_left = right - time_width - em * 1.6 - font.width(&count, em.into()) as f32;
        let room = [after_bar + em * 2.0, count_left - em];
        // A narrow picture has no room for everything.
        if count_left > after_bar + em {
            labels.text(&font, &count, count_left);
        }
        labels.legend(&font, style, ramp, speeds, view, room);
        labels
    }

    /// Adds a text; tells where it ends.
    fn text(&mut self, font: &Font, text: &str, left: f32) -> f32 {
        let width = font.width(text, self.em.into()) as f32;
        self.texts.push(Text { text: text.to_string(), left, width });
        left + width
    }

    fn legend(
        &mut self,
        font: &Font,
        style: &Style,
        ramp: &Ramp,
        speeds: [f32; 2],
        view: &View,
        [left, right]: [f32; 2],
    ) {
        let (em, line) = (self.em, self.line);
        let wide = |text: &str| font.width(text, em.into()) as f32;
        match style.color {
            Color::Heading => {
                let radius = em * 0.85;
                if right - left < 2.6 * radius + wide("heading") + em {
                    return;
                }
                // The compass as the camera sees it: a heading has the colour of the rim in its
                // direction.
                for i in 0..72 {
                    let turn = f64::from(i) / 72.0 * std::f64::consts::TAU;
                    let heading = [libm::cos(turn) as f32, libm::sin(turn) as f32, 0.0];
                    let [x, y] =
                        [crate::num::dot(heading, view.right), crate::num::dot(heading, view.up)];
                    let (x, y) = (left + radius + x * radius, line - y * radius);
                    self.dots.push(Dot {
                        x,
                        y,
                        radius: em * 0.17,
                        color: ramp.of_heading(heading),
                    });
                }
                self.text(font, "heading", left + 2.0 * radius + em * 0.6);
            }
            Color::Speed => {
                let [slow, mut fast] = speeds.map(|speed| format!("{speed:.3}"));
                if !style.time_unit.is_empty() {
                    fast += &format!(" {}/{}", style.unit, style.time_unit);
                }
                let length = em * 7.0;
                if right - left < length + wide(&slow) + wide(&fast) + wide("speed ") + 2.0 * em {
                    return;
                }
                let from = self.text(font, &format!("speed {slow}"), left) + em * 0.6;
                for (i, color) in ramp.samples(64).into_iter().enumerate() {
                    let x = from + length * (i as f32 / 63.0);
                    self.dots.push(Dot { x, y: line, radius: em * 0.26, color });
                }
                self.text(font, &fast, from + length + em * 0.6);
            }
            Color::Species => {
                let mut at = left;
                for (i, name) in style.species.iter().enumerate() {
                    if at + wide(name) + em * 2.0 > right {
                        break;
                    }
                    let color = ramp.of([0.0; 3], i as u8);
                    self.dots.push(Dot { x: at + em * 0.4, y: line, radius: em * 0.36, color });
                    at = self.text(font, name, at + em * 1.0) + em * 1.2;
                }
            }
        }
    }

    /// How thick the bar is.
    pub fn thickness(&self) -> f32 {
        (self.em * 0.1).round() + 1.0
    }
}

/// The longest of 1, 2, 5, 10, … that is at most this, and how it is written.
fn round_length(most: f64) -> (f64, String) {
    if !(most > 0.0 && most.is_finite()) {
        return (0.0, "0".into());
    }
    let power = libm::floor(libm::log10(most));
    let decade = libm::pow(10.0, power);
    let part = [5.0, 2.0, 1.0].into_iter().find(|part| part * decade <= most).unwrap_or(1.0);
    let length = part * decade;
    let shown = if (-4.0..6.0).contains(&power) {
        format!("{length:.*}", if power < 0.0 { -power as usize } else { 0 })
    } else {
        format!("{length:e}")
    };
    (length, shown)
}

/// How many boids or people there are.
fn counted(count: u64, noun: &str) -> String {
    let one = match noun {
        "people" => "person",
        plural => plural.strip_suffix('s').unwrap_or(plural),
    };
    format!("{} {}", grouped(count), if count == 1 { one } else { noun })
}

/// A length with its unit.
fn bar_text(shown: &str, unit: &str) -> String {
    if (shown, unit) == ("1", "units") { "1 unit".into() } else { format!("{shown} {unit}") }
}

/// Draws labels over a picture.
pub fn draw(labels: &Labels, ink: Rgb, image: &mut Image) {
    let top = (labels.line - labels.em * 1.4) as usize;
    let Some(height) = image.height().checked_sub(top).filter(|&height| height > 0) else { return };
    let Some(mut canvas) = Pixmap::new(image.width() as u32, height as u32) else { return };
    let Ok(font) = Font::new() else { return };
    let shift = Transform::from_translate(0.0, -(top as f32));
    let mut fill = |path: Option<Path>, color: Rgb, transform: Transform| {
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color(Ink::from_rgba8(color[0], color[1], color[2], 255));
        if let Some(path) = path {
            canvas.fill_path(&path, &paint, FillRule::Winding, transform, None);
        }
    };
    labels
        .dots
        .iter()
        .for_each(|dot| fill(PathBuilder::from_circle(dot.x, dot.y, dot.radius), dot.color, shift));
    let ([from, to], thick, tick) = (labels.bar, labels.thickness(), labels.em * 0.42);
    let line = labels.line.round();
    for [left, top, right, bottom] in [
        [from, line, to, line + thick],
        [from, line - tick, from + thick, line + thick + tick],
        [to - thick, line - tick, to, line + thick + tick],
    ] {
        fill(
            Rect::from_ltrb(left.round(), top, right.round(), bottom).map(PathBuilder::from_rect),
            ink,
            shift,
        );
    }
    for text in &labels.texts {
        // The middle of a capital is 0.36 em above the line it stands on.
        let at =
            Transform::from_translate(text.left, labels.line + labels.em * 0.36).post_concat(shift);
        fill(font.outline(&text.text, labels.em.into()), ink, at);
    }
    let rows = image.pixels_mut().chunks_exact_mut(4).skip(top * canvas.width() as usize);
    for (below, above) in rows.zip(canvas.pixels()) {
        let alpha = u32::from(above.alpha());
        if alpha == 0 {
            continue;
        }
        for (below, above) in below.iter_mut().zip([above.red(), above.green(), above.blue()]) {
            *below = (u32::from(above) + (u32::from(*below) * (255 - alpha) + 127) / 255) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_bars_are_round() {
        for (most, length, shown) in [
            (1.0, 1.0, "1"),
            (7.3, 5.0, "5"),
            (0.31, 0.2, "0.2"),
            (0.0012, 0.001, "0.001"),
            (480.0, 200.0, "200"),
            (3e7, 2e7, "2e7"),
        ] {
            let (found, text) = round_length(most);
            assert!(
                (found - length).abs() < 1e-9 * length && text == shown,
                "{most}: {found} {text}"
            );
        }
        assert_eq!(round_length(f64::NAN).1, "0");
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
