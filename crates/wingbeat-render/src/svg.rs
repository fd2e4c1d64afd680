//! Pictures as SVG: one path a boid, fit to be opened in any browser or drawing program.

use std::io::{self, Write};

use crate::Rgb;
use crate::compose::{Dart, NOTCH, Picture, Streak, TAIL, TIP};
use crate::overlay::Labels;

/// Writes a picture as SVG.
///
/// # Errors
/// When `out` takes no more.
pub fn write(picture: &Picture, out: &mut dyn Write) -> io::Result<()> {
    let Picture { width, height, theme, behind, trails, darts, before, labels, .. } = picture;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">"
    )?;
    let [top, bottom] = theme.sky.map(hex);
    writeln!(
        out,
        "<defs><linearGradient id=\"sky\" x2=\"0\" y2=\"1\"><stop stop-color=\"{top}\"/>\
         <stop offset=\"1\" stop-color=\"{bottom}\"/></linearGradient></defs>"
    )?;
    writeln!(out, r#"<rect width="{width}" height="{height}" fill="url(#sky)"/>"#)?;
    behind.iter().chain(trails).try_for_each(|line| streak(line, out))?;
    darts.iter().try_for_each(|boid| dart(boid, out))?;
    before.iter().try_for_each(|line| streak(line, out))?;
    if let Some(labels) = labels {
        write_labels(labels, theme.ink, out)?;
    }
    writeln!(out, "</svg>")
}

fn streak(streak: &Streak, out: &mut dyn Write) -> io::Result<()> {
    let ([x1, y1], [x2, y2]) = (streak.from, streak.to);
    let (stroke, width, opacity) =
        (hex(streak.color), 2.0 * streak.half, f32::from(streak.alpha) / 256.0);
    writeln!(
        out,
        "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" stroke=\"{stroke}\" \
         stroke-width=\"{width:.2}\" stroke-opacity=\"{opacity:.2}\"/>"
    )
}

fn dart(dart: &Dart, out: &mut dyn Write) -> io::Result<()> {
    let (fill, Dart { x, y, along: [ux, uy], length, half, .. }) = (hex(dart.color), *dart);
    if length <= 0.0 {
        // A path, as every boid.
        return writeln!(
            out,
            r#"<path d="M{:.2} {y:.2}a{half:.2} {half:.2} 0 1 0 .01 0z" fill="{fill}"/>"#,
            x - 0.005
        );
    }
    let point = |u: f32, v: f32| [x + u * ux - v * uy, y + u * uy + v * ux];
    let [tip, left, notch, right] = [
        point(TIP * length, 0.0),
        point(-TAIL * length, half),
        point(-NOTCH * length, 0.0),
        point(-TAIL * length, -half),
    ];
    write!(out, r#"<path d="M{:.2} {:.2}"#, tip[0], tip[1])?;
    for [x, y] in [left, notch, right] {
        write!(out, "L{x:.2} {y:.2}")?;
    }
    writeln!(out, r#"z" fill="{fill}"/>"#)
}

fn write_labels(labels: &Labels, ink: Rgb, out: &mut dyn Write) -> io::Result<()> {
    for dot in &labels.dots {
        writeln!(
            out,
            r#"<circle cx="{:.2}" cy="{:.2}" r="{:.2}" fill="{}"/>"#,
            dot.x,
            dot.y,
            dot.radius,
            hex(dot.color)
        )?;
    }
    let (ink, [from, to], y) = (hex(ink), labels.bar, labels.line);
    let (thick, tick) = (labels.thickness(), labels.em * 0.42);
    writeln!(
        out,
        "<polyline points=\"{from:.2},{:.2} {from:.2},{:.2} {from:.2},{y:.2} {to:.2},{y:.2} \
         {to:.2},{:.2} {to:.2},{:.2}\" fill=\"none\" stroke=\"{ink}\" \
         stroke-width=\"{thick:.1}\"/>",
        y - tick,
        y + tick,
        y - tick,
        y + tick
    )?;
    for text in &labels.texts {
        let escaped = text.text.replace('&', "&amp;").replace('<', "&lt;");
        writeln!(
            out,
            "<text x=\"{:.2}\" y=\"{:.2}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" \
             font-size=\"{:.2}\" textLength=\"{:.2}\" fill=\"{ink}\">{escaped}</text>",
            text.left,
            y + labels.em * 0.36,
            labels.em,
            text.width
        )?;
    }
    Ok(())
}

fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
