//! A picture as SVG: one path a boid, fit to be opened in any browser or drawing program.

use std::io::Write;

use super::color::{EDGE, Rgb, SKY};
use super::compose::Picture;

/// Writes the picture.
pub fn write(picture: &Picture, out: &mut dyn Write) -> std::io::Result<()> {
    let Picture { width, height, edge, triangles } = picture;
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">"#
    )?;
    let [top, bottom] = SKY.map(hex);
    writeln!(
        out,
        r#"<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="{top}"/><stop offset="1" stop-color="{bottom}"/></linearGradient></defs>"#
    )?;
    writeln!(out, r#"<rect width="{width}" height="{height}" fill="url(#sky)"/>"#)?;
    if let Some([left, top, width, height]) = edge {
        let stroke = hex(EDGE);
        writeln!(
            out,
            r#"<rect x="{left:.2}" y="{top:.2}" width="{width:.2}" height="{height:.2}" fill="none" stroke="{stroke}"/>"#
        )?;
    }
    for triangle in triangles {
        let [[ax, ay], [bx, by], [cx, cy]] = triangle.points;
        let fill = hex(triangle.color);
        writeln!(out, r#"<path d="M{ax:.2} {ay:.2}L{bx:.2} {by:.2}L{cx:.2} {cy:.2}z" fill="{fill}"/>"#)?;
    }
    writeln!(out, "</svg>")
}

fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
