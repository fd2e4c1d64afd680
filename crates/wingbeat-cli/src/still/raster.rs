//! A picture as PNG, drawn with smooth edges.

use tiny_skia::{
    Color, FillRule, GradientStop, LinearGradient, Paint, PathBuilder, Pixmap, Point, Rect, SpreadMode, Stroke, Transform,
};

use super::color::{EDGE, Rgb, SKY};
use super::compose::Picture;

/// The picture's PNG bytes.
pub fn png(picture: &Picture) -> Result<Vec<u8>, String> {
    let mut canvas = Pixmap::new(picture.width, picture.height).ok_or("the picture has no size")?;
    sky(&mut canvas);
    if let Some([left, top, width, height]) = picture.edge
        && let Some(edge) = Rect::from_xywh(left, top, width, height)
    {
        let mut paint = Paint::default();
        paint.set_color(color(EDGE));
        let path = PathBuilder::from_rect(edge);
        canvas.stroke_path(&path, &paint, &Stroke::default(), Transform::identity(), None);
    }
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    let mut builder = PathBuilder::new();
    for triangle in &picture.triangles {
        let [[ax, ay], [bx, by], [cx, cy]] = triangle.points;
        builder.move_to(ax, ay);
        builder.line_to(bx, by);
        builder.line_to(cx, cy);
        builder.close();
        // A triangle without area has no path; there is nothing to draw then.
        let Some(path) = builder.finish() else {
            builder = PathBuilder::new();
            continue;
        };
        paint.set_color(color(triangle.color));
        canvas.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
        builder = path.clear();
    }
    canvas.encode_png().map_err(|error| format!("the picture cannot be encoded: {error}"))
}

fn sky(canvas: &mut Pixmap) {
    let (width, height) = (canvas.width() as f32, canvas.height() as f32);
    let stops = vec![GradientStop::new(0.0, color(SKY[0])), GradientStop::new(1.0, color(SKY[1]))];
    let (top, bottom) = (Point::from_xy(0.0, 0.0), Point::from_xy(0.0, height));
    let gradient = LinearGradient::new(top, bottom, stops, SpreadMode::Pad, Transform::identity());
    let everything = Rect::from_xywh(0.0, 0.0, width, height);
    if let (Some(shader), Some(everything)) = (gradient, everything) {
        let paint = Paint { shader, ..Paint::default() };
        canvas.fill_rect(everything, &paint, Transform::identity(), None);
    }
}

fn color([r, g, b]: Rgb) -> Color {
    Color::from_rgba8(r, g, b, 255)
}
