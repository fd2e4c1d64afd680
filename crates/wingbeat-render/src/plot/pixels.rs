//! A canvas for plotters: tiny-skia's smooth edges and the program's own font.

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

use crate::text::{Font, Unreadable};

/// plotters' size of a font over the height of an em, as in its SVG backend.
pub const SIZE_TO_EM: f64 = 1.24;

pub struct Pixels {
    canvas: Pixmap,
    font: Font,
}

type Drawn = Result<(), DrawingErrorKind<Unreadable>>;

impl Pixels {
    pub fn new(width: u32, height: u32) -> Result<Self, String> {
        let canvas = Pixmap::new(width, height).ok_or("the picture has no size")?;
        Ok(Self { canvas, font: Font::new().map_err(|error| error.to_string())? })
    }

    pub fn png(&self) -> Result<Vec<u8>, String> {
        self.canvas.encode_png().map_err(|error| format!("the picture cannot be encoded: {error}"))
    }

    fn fill(&mut self, path: Option<Path>, color: BackendColor, transform: Transform) {
        // What has no area has no path, and there is nothing to draw.
        if let Some(path) = path {
            self.canvas.fill_path(&path, &paint(color), FillRule::Winding, transform, None);
        }
    }

    fn stroke(&mut self, path: Option<Path>, style: &impl BackendStyle) {
        let stroke = Stroke {
            width: style.stroke_width() as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        if let Some(path) = path {
            self.canvas.stroke_path(
                &path,
                &paint(style.color()),
                &stroke,
                Transform::identity(),
                None,
            );
        }
    }
}

fn paint(color: BackendColor) -> Paint<'static> {
    let (r, g, b) = color.rgb;
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(Color::from_rgba8(r, g, b, (color.alpha * 255.0).round() as u8));
    paint
}

/// A line through the middles of these pixels.
fn line(points: impl IntoIterator<Item = BackendCoord>) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (x, y) in points {
        let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
        if builder.is_empty() { builder.move_to(x, y) } else { builder.line_to(x, y) }
    }
    builder.finish()
}

impl DrawingBackend for &mut Pixels {
    type ErrorType = Unreadable;

    fn get_size(&self) -> (u32, u32) {
        (self.canvas.width(), self.canvas.height())
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        self.fill(
            Rect::from_xywh(x as f32, y as f32, 1.0, 1.0).map(PathBuilder::from_rect),
            color,
            Transform::identity(),
        );
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.stroke(line([from, to]), style);
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.stroke(line(path), style);
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let (left, top, right, bottom) = (from.0 as f32, from.1 as f32, to.0 as f32, to.1 as f32);
        if fill {
            let path = Rect::from_ltrb(left, top, right, bottom).map(PathBuilder::from_rect);
            self.fill(path, style.color(), Transform::identity());
        } else {
            let path = Rect::from_ltrb(left + 0.5, top + 0.5, right + 0.5, bottom + 0.5)
                .map(PathBuilder::from_rect);
            self.stroke(path, style);
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let path = PathBuilder::from_circle(x as f32 + 0.5, y as f32 + 0.5, radius as f32);
        if fill {
            self.fill(path, style.color(), Transform::identity())
        } else {
            self.stroke(path, style)
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Drawn {
        self.fill(line(points), style.color(), Transform::identity());
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &T,
        (x, y): BackendCoord,
    ) -> Drawn {
        let em = style.size() / SIZE_TO_EM;
        let left = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -0.5 * self.font.width(text, em),
            HPos::Right => -self.font.width(text, em),
        };
        // The same shifts as in plotters' SVG; half the height of a DejaVu x is 0.27 em.
        let down = match style.anchor().v_pos {
            VPos::Top => 0.76 * em,
            VPos::Center => 0.27 * em,
            VPos::Bottom => -0.27 * em,
        };
        let turned = match style.transform() {
            FontTransform::None => 0.0,
            FontTransform::Rotate90 => 90.0,
            FontTransform::Rotate180 => 180.0,
            FontTransform::Rotate270 => 270.0,
        };
        let transform = Transform::from_translate(left as f32, down as f32)
            .post_concat(Transform::from_rotate(turned))
            .post_translate(x as f32, y as f32);
        let outline = self.font.outline(text, em);
        self.fill(outline, style.color(), transform);
        Ok(())
    }

    fn estimate_text_size<T: BackendTextStyle>(
        &self,
        text: &str,
        style: &T,
    ) -> Result<(u32, u32), DrawingErrorKind<Self::ErrorType>> {
        let em = style.size() / SIZE_TO_EM;
        Ok((self.font.width(text, em).ceil() as u32, em.ceil() as u32))
    }
}
