//! Pictures of tracks for the examples: panels side by side, a legend, one SVG file.

use std::path::{Path, PathBuf};

use svg::Document;
use svg::node::element::{Circle, Group, Line, Polygon, Polyline, Rectangle, Text};
use wingbeat_steer::glam::Vec2;
use wingbeat_steer::{Mood, math};

/// Room around a panel, in picture units.
const MARGIN: f32 = 24.0;
const TOP: f32 = 82.0;
/// Room for the titles between rows, and for the legend.
const GAP: f32 = 40.0;
const LEGEND: f32 = 46.0;
/// Room kept free inside a panel.
const INSET: f32 = 16.0;

/// Colours that stay apart for most eyes, in print and on screen.
pub const PALETTE: [&str; 6] = ["#1d6fb8", "#d1495b", "#2a9d8f", "#e08e1b", "#7b5ea7", "#5c6770"];

/// The colour of a mood, as in the hunters' legend.
pub fn mood_color(mood: Mood) -> &'static str {
    match mood {
        Mood::Wander => "#9aa5b1",
        Mood::Seek => "#2a9d8f",
        Mood::Pursue => "#d1293d",
        Mood::Evade => "#1d6fb8",
        Mood::Rest => "#f0a830",
    }
}

enum Mark {
    Track { points: Vec<Vec2>, color: &'static str, width: f32, opacity: f32 },
    Dot { at: Vec2, color: &'static str, size: f32 },
    Arrow { at: Vec2, along: Vec2, color: &'static str },
}

/// One drawing area. World coordinates; the panel fits itself to what it shows, x to the right and
/// y up.
pub struct Panel {
    title: String,
    marks: Vec<Mark>,
}

impl Panel {
    /// A line through `points`.
    pub fn track(&mut self, points: &[Vec2], color: &'static str, width: f32, opacity: f32) {
        self.marks.push(Mark::Track { points: points.to_vec(), color, width, opacity });
    }

    /// A line that changes its colour on the way.
    pub fn colored_track(&mut self, points: &[(Vec2, &'static str)], width: f32, opacity: f32) {
        let mut start = 0;
        for end in 1..=points.len() {
            if end == points.len() || points[end].1 != points[start].1 {
                // One point more, so that the runs join.
                let run: Vec<Vec2> =
                    points[start..(end + 1).min(points.len())].iter().map(|p| p.0).collect();
                self.track(&run, points[start].1, width, opacity);
                start = end;
            }
        }
    }

    /// A dot of `size` picture units.
    pub fn dot(&mut self, at: Vec2, color: &'static str, size: f32) {
        self.marks.push(Mark::Dot { at, color, size });
    }

    /// An agent: an arrow head that shows where it goes.
    pub fn agent(&mut self, at: Vec2, velocity: Vec2, color: &'static str) {
        self.marks.push(Mark::Arrow { at, along: velocity.normalize_or(Vec2::X), color });
    }

    fn bounds(&self) -> (Vec2, f32) {
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for mark in &self.marks {
            let points = match mark {
                Mark::Track { points, .. } => points.as_slice(),
                Mark::Dot { at, .. } | Mark::Arrow { at, .. } => std::slice::from_ref(at),
            };
            for point in points {
                (low, high) = (low.min(*point), high.max(*point));
            }
        }
        if low.x > high.x {
            (Vec2::ZERO, 1.0)
        } else {
            ((low + high) / 2.0, math::max((high - low).max_element(), 1e-6))
        }
    }

    fn draw(&self, corner: Vec2, size: f32, extent: f32) -> Group {
        let (middle, _) = self.bounds();
        let scale = (size - 2.0 * INSET) / extent;
        let place =
            |p: Vec2| corner + Vec2::splat(size / 2.0) + (p - middle) * Vec2::new(scale, -scale);
        let frame = Rectangle::new()
            .set("x", corner.x)
            .set("y", corner.y)
            .set("width", size)
            .set("height", size);
        let mut group = Group::new()
            .add(frame.set("fill", "white").set("stroke", "#d9d5cb"))
            .add(text(&self.title, corner + Vec2::new(0.0, -9.0), 13.0, "#3d434a"));
        for mark in &self.marks {
            group = match mark {
                Mark::Track { points, color, width, opacity } => group.add(
                    Polyline::new()
                        .set("points", coordinates(points.iter().map(|p| place(*p))))
                        .set("fill", "none")
                        .set("stroke", *color)
                        .set("stroke-width", *width)
                        .set("stroke-opacity", *opacity)
                        .set("stroke-linejoin", "round")
                        .set("stroke-linecap", "round"),
                ),
                Mark::Dot { at, color, size } => {
                    let at = place(*at);
                    group.add(
                        Circle::new()
                            .set("cx", at.x)
                            .set("cy", at.y)
                            .set("r", *size)
                            .set("fill", *color),
                    )
                }
                Mark::Arrow { at, along, color } => {
                    let (at, along) = (place(*at), *along * Vec2::new(1.0, -1.0));
                    let corners = [
                        at + along * 7.0,
                        at - along * 4.0 + along.perp() * 3.6,
                        at - along * 4.0 - along.perp() * 3.6,
                    ];
                    group.add(
                        Polygon::new()
                            .set("points", coordinates(corners.into_iter()))
                            .set("fill", *color)
                            .set("stroke", "white")
                            .set("stroke-width", 0.8),
                    )
                }
            };
        }
        group.add(scale_bar(corner, size, scale))
    }
}

/// A picture of tracks.
pub struct Picture {
    title: String,
    note: String,
    legend: Vec<(String, &'static str)>,
    columns: usize,
    same_scale: bool,
    panel_size: f32,
    panels: Vec<Panel>,
}

impl Picture {
    /// An empty picture with a title and a line of explanation; `columns` panels fit in a row.
    pub fn new(title: &str, note: &str, columns: usize) -> Self {
        Self {
            title: title.into(),
            note: note.into(),
            legend: Vec::new(),
            columns,
            same_scale: false,
            panel_size: 340.0,
            panels: Vec::new(),
        }
    }

    /// Draws panels of another size than 340 picture units.
    pub fn panel_size(&mut self, size: f32) {
        self.panel_size = size;
    }

    /// Draws all panels at one scale, so that they can be compared.
    pub fn same_scale(&mut self) {
        self.same_scale = true;
    }

    /// Adds a panel.
    pub fn panel(&mut self, title: &str) -> &mut Panel {
        self.panels.push(Panel { title: title.into(), marks: Vec::new() });
        let last = self.panels.len() - 1;
        &mut self.panels[last]
    }

    /// Explains a colour.
    pub fn legend(&mut self, meaning: &str, color: &'static str) {
        self.legend.push((meaning.into(), color));
    }

    /// Explains the colours of the moods.
    pub fn mood_legend(&mut self) {
        self.legend("wander", mood_color(Mood::Wander));
        self.legend("seek", mood_color(Mood::Seek));
        self.legend("pursue", mood_color(Mood::Pursue));
        self.legend("evade", mood_color(Mood::Evade));
        self.legend("rest", mood_color(Mood::Rest));
    }

    /// Writes `name`.svg into target/pictures and says where.
    ///
    /// # Errors
    /// What the file system says.
    pub fn save(&self, name: &str) -> std::io::Result<PathBuf> {
        self.save_in(Path::new("target/pictures"), name)
    }

    /// Writes `name`.svg into `folder` and says where.
    ///
    /// # Errors
    /// What the file system says.
    pub fn save_in(&self, folder: &Path, name: &str) -> std::io::Result<PathBuf> {
        let columns = self.columns.min(self.panels.len()).max(1);
        let rows = self.panels.len().div_ceil(columns);
        let cell = Vec2::new(self.panel_size + MARGIN, self.panel_size + GAP);
        let width = MARGIN + columns as f32 * cell.x;
        let legend = if self.legend.is_empty() { MARGIN } else { LEGEND };
        let height = TOP + rows as f32 * cell.y - GAP + legend;
        let widest =
            self.panels.iter().map(|panel| panel.bounds().1).max_by(f32::total_cmp).unwrap_or(1.0);
        let mut document = Document::new()
            .set("viewBox", (0, 0, width as u32, height as u32))
            .set("font-family", "Helvetica, Arial, DejaVu Sans, sans-serif")
            .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "#faf8f3"))
            .add(text(&self.title, Vec2::new(MARGIN, 30.0), 20.0, "#22262b"))
            .add(text(&self.note, Vec2::new(MARGIN, 49.0), 12.0, "#5c6770"));
        for (i, panel) in self.panels.iter().enumerate() {
            let place = Vec2::new((i % columns) as f32, (i / columns) as f32);
            let extent = if self.same_scale { widest } else { panel.bounds().1 };
            document = document.add(panel.draw(
                Vec2::new(MARGIN, TOP) + place * cell,
                self.panel_size,
                extent,
            ));
        }
        let mut at = Vec2::new(MARGIN, height - 18.0);
        for (meaning, color) in &self.legend {
            let bar = Line::new()
                .set("x1", at.x)
                .set("x2", at.x + 22.0)
                .set("y1", at.y - 4.0)
                .set("y2", at.y - 4.0);
            document = document
                .add(
                    bar.set("stroke", *color).set("stroke-width", 4).set("stroke-linecap", "round"),
                )
                .add(text(meaning, at + Vec2::new(30.0, 0.0), 12.0, "#3d434a"));
            at.x += 52.0 + 6.6 * meaning.len() as f32;
        }
        std::fs::create_dir_all(folder)?;
        let path = folder.join(format!("{name}.svg"));
        svg::save(&path, &document)?;
        println!("picture: {}", path.display());
        Ok(path)
    }
}

fn text(content: &str, at: Vec2, size: f32, color: &'static str) -> Text {
    Text::new(content).set("x", at.x).set("y", at.y).set("font-size", size).set("fill", color)
}

fn coordinates(points: impl Iterator<Item = Vec2>) -> String {
    points.map(|p| format!("{:.1},{:.1}", p.x, p.y)).collect::<Vec<_>>().join(" ")
}

/// A bar of a round length (1, 2 or 5 times a power of ten) above the panel's right corner.
fn scale_bar(corner: Vec2, size: f32, scale: f32) -> Group {
    let mut thousandths = 1_u64;
    for step in 0..50 {
        if thousandths as f32 / 1000.0 * scale >= 34.0 {
            break;
        }
        thousandths = if step % 3 == 1 { thousandths * 5 / 2 } else { thousandths * 2 };
    }
    let length = thousandths as f64 / 1000.0;
    let (end, y) = (corner.x + size, corner.y - 9.0);
    let start = end - length as f32 * scale;
    let bar = Line::new().set("x1", start).set("x2", end).set("y1", y - 4.0).set("y2", y - 4.0);
    Group::new().add(bar.set("stroke", "#5c6770").set("stroke-width", 1.5)).add(
        text(&length.to_string(), Vec2::new(start - 5.0, y), 11.0, "#5c6770")
            .set("text-anchor", "end"),
    )
}
