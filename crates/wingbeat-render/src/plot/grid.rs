//! A quantity over two axes, as colours of cells with a scale beside them.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::{Axis, TICKS};
use super::draw::{
    Drawn, GREY, INK, LABEL, MARGIN, SMALL, at, em, headed, headed_height, letters, px,
};
use super::plan::{FloorPlan, UNVISITED};
use super::{PlotError, SCALE, SIZE, pixels, refused, scalable};
use crate::Background;
use crate::color::Ramp;
use crate::text::Font;

/// Room for the scale of colours beside the cells, in CSS pixels.
const SCALE_ROOM: u32 = 120;
/// Room above the plane, and for its horizontal axis.
const ABOVE: u32 = 4;
const BELOW: u32 = 54;
/// Titles need this much, however narrow the picture is.
const LEAST_WIDTH: u32 = 480;
/// An axis has room for these, however short it is.
const LEAST_TICKS: f64 = 2.0;
/// Width of the bar of colours.
const BAR: i32 = 20;
/// Shades along it.
const SHADES: i32 = 256;

/// A quantity over two axes: a rectangle of one colour for each pair of values, the darker the
/// higher.
///
/// ```
/// use wingbeat_render::plot::HeatGrid;
/// let grid = HeatGrid {
///     title: "order".into(),
///     x_edges: HeatGrid::edges_around(&[0.0, 1.0, 2.0]),
///     y_edges: HeatGrid::edges_around(&[100.0, 200.0]),
///     values: vec![Some(0.1), Some(0.5), Some(0.9), Some(0.2), None, Some(0.8)],
///     scale: [0.0, 1.0],
///     ..HeatGrid::default()
/// };
/// assert_eq!(grid.x_edges, [-0.5, 0.5, 1.5, 2.5]);
/// assert!(grid.svg()?.starts_with("<svg"));
/// # Ok::<(), wingbeat_render::plot::PlotError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatGrid {
    /// What it shows, above it.
    pub title: String,
    /// A second line in small type: settings, source. May be empty.
    pub subtitle: String,
    /// What the horizontal axis counts, with its unit.
    pub x_label: String,
    /// What the vertical axis counts, with its unit.
    pub y_label: String,
    /// What the colours count, with its unit.
    pub value_label: String,
    /// Where cells begin and end along the horizontal axis, ascending: one number more than there
    /// are cells in a row.
    pub x_edges: Vec<f64>,
    /// The same along the vertical axis.
    pub y_edges: Vec<f64>,
    /// A value for each cell, row by row from the lowest y, and from the lowest x in each. `None`
    /// leaves a cell white, with a line across.
    pub values: Vec<Option<f64>>,
    /// The values at the two ends of the scale of colours, the lower first: there the colour is
    /// lightest and darkest.
    pub scale: [f64; 2],
    /// Whether a unit is as long on both axes. Default false: the cells fill the picture.
    pub equal_axes: bool,
    /// Whether cells without a value are white and nothing else. Default false.
    pub plain_gaps: bool,
    /// What is drawn over the cells. Default none.
    pub plan: Option<FloorPlan>,
}

impl HeatGrid {
    /// Edges of cells around these ascending values: halfway between them, and as far beyond the
    /// first and the last. A single value has one cell around it.
    pub fn edges_around(values: &[f64]) -> Vec<f64> {
        let (Some(&first), Some(&last)) = (values.first(), values.last()) else {
            return Vec::new();
        };
        let [mut low, mut high] = [first - 0.5, last + 0.5];
        if let ([.., before, _], [_, after, ..]) = (values, values) {
            (low, high) = (first - 0.5 * (after - first), last + 0.5 * (last - before));
        }
        let between = values.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
        [low].into_iter().chain(between).chain([high]).collect()
    }

    /// The ends of a scale of colours for these values: from 0 where that is not far below them.
    pub fn scale_of(values: &[Option<f64>]) -> [f64; 2] {
        let axis = Axis::from_zero(values.iter().flatten().copied(), 0.0);
        [axis.low, axis.high]
    }

    /// The grid as an SVG file's text.
    ///
    /// # Errors
    /// When there is no value, a number is not finite, or edges do not ascend, or they or the plan
    /// do not go with the number of values.
    pub fn svg(&self) -> Result<String, PlotError> {
        let grid = self.checked()?;
        let font = Font::new().map_err(refused)?;
        let layout = Layout::of(&grid, &font);
        let size = (layout.width, px(SIZE.1));
        scalable(size, |root| grid.draw(root, &font, &layout))
    }

    /// The grid as a PNG file's bytes: as high as a [`Chart`](super::Chart), and as wide or, with
    /// equal axes, narrower.
    ///
    /// # Errors
    /// As [`svg`](Self::svg).
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        let grid = self.checked()?;
        let font = Font::new().map_err(refused)?;
        let layout = Layout::of(&grid, &font);
        let mut pixels = pixels::Pixels::new(layout.width, px(SIZE.1)).map_err(refused)?;
        {
            let root = (&mut pixels).into_drawing_area();
            grid.draw(&root, &font, &layout).map_err(refused)?;
        }
        pixels.png().map_err(refused)
    }

    /// A copy that can be drawn.
    fn checked(&self) -> Result<Self, PlotError> {
        let [columns, rows] =
            [&self.x_edges, &self.y_edges].map(|edges| edges.len().saturating_sub(1));
        let ascends = |edges: &[f64]| {
            edges.iter().all(|x| x.is_finite()) && edges.windows(2).all(|pair| pair[0] < pair[1])
        };
        let fits = columns > 0 && rows > 0 && columns.checked_mul(rows) == Some(self.values.len());
        if !fits
            || ![&self.x_edges, &self.y_edges, &self.scale.to_vec()]
                .iter()
                .all(|edges| ascends(edges))
        {
            let allowed = "finite numbers in whole rows, edges and scale that ascend";
            return Err(PlotError(format!("the map cannot be drawn: allowed are {allowed}")));
        }
        if self.plan.as_ref().is_some_and(|plan| !plan.fits(self.values.len())) {
            let allowed = "finite numbers, and walkable or not for each cell or for none";
            return Err(PlotError(format!("the plan cannot be drawn: allowed are {allowed}")));
        }
        if self.values.iter().all(Option::is_none) {
            return Err(PlotError("nothing to draw: no cell has a value".into()));
        }
        let mut grid = self.clone();
        let Self { title, subtitle, x_label, y_label, value_label, .. } = &mut grid;
        for text in [title, subtitle, x_label, y_label, value_label] {
            // XML has no way to write most control characters.
            text.retain(|c| !c.is_control());
        }
        if let Some(plan) = &mut grid.plan {
            plan.walkable_label.retain(|c| !c.is_control());
            plan.exits.iter_mut().for_each(|exit| exit.name.retain(|c| !c.is_control()));
        }
        Ok(grid)
    }

    fn draw<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, Shift>,
        font: &Font,
        layout: &Layout,
    ) -> Drawn
    where
        B::ErrorType: 'static,
    {
        let area = headed(root, &self.title, &self.subtitle, font)?;
        let mut plane = ChartBuilder::on(&area)
            .margin(px(MARGIN))
            .margin_top(px(ABOVE))
            .margin_right(px(MARGIN + SCALE_ROOM) + layout.spare[0])
            .margin_bottom(px(MARGIN) + layout.spare[1])
            .x_label_area_size(px(BELOW))
            .y_label_area_size(layout.left)
            .build_cartesian_2d(layout.axes[0].clone(), layout.axes[1].clone())?;
        let ramp = Ramp::new(crate::Color::Speed, Background::Light, [0.0, 1.0]);
        let [lowest, highest] = self.scale;
        let color = |value: f64| {
            let [r, g, b] = ramp.of([((value - lowest) / (highest - lowest)) as f32, 0.0, 0.0], 0);
            RGBColor(r, g, b)
        };
        let columns = self.x_edges.len() - 1;
        let corner = |i: usize, more: usize| {
            (self.x_edges[i % columns + more], self.y_edges[i / columns + more])
        };
        let cells = self.values.iter().enumerate();
        let held = cells.clone().filter_map(|(i, value)| Some((i, (*value)?)));
        plane.draw_series(held.map(|(i, value)| {
            Rectangle::new([corner(i, 0), corner(i, 1)], color(value).filled())
        }))?;
        let tinted = (0..self.values.len()).filter(|&i| self.is_tinted(i));
        plane.draw_series(
            tinted.map(|i| Rectangle::new([corner(i, 0), corner(i, 1)], UNVISITED.filled())),
        )?;
        let gaps = cells.filter(|(_, value)| value.is_none() && !self.plain_gaps);
        plane.draw_series(gaps.map(|(i, _)| {
            PathElement::new([corner(i, 0), corner(i, 1)], GREY.mix(0.5).stroke_width(SCALE))
        }))?;
        if let Some(plan) = &self.plan {
            let area = self.area();
            plan.draw(&mut plane, area)?;
            plan.write_names(&mut plane, font, area, |rectangle| self.holds_value(rectangle))?;
        }
        plane
            .configure_mesh()
            .disable_mesh()
            .axis_style(GREY.stroke_width(SCALE))
            .set_all_tick_mark_size(px(5))
            .label_style(letters(SMALL, INK))
            .axis_desc_style(letters(LABEL, INK))
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .draw()?;
        let (columns, lines) = plane.plotting_area().get_pixel_range();
        self.key(root, font, [columns.end + at(MARGIN as i32), lines.start, lines.end], color)?;
        root.present()?;
        Ok(())
    }

    /// The scale of colours: a bar from the lowest value at the bottom to the highest, with ticks,
    /// and what they count along it.
    fn key<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, Shift>,
        font: &Font,
        [left, top, bottom]: [i32; 3],
        color: impl Fn(f64) -> RGBColor,
    ) -> Drawn
    where
        B::ErrorType: 'static,
    {
        let right = left + at(BAR);
        let [lowest, highest] = self.scale;
        for shade in 0..SHADES {
            let y = |part: i32| bottom - (bottom - top) * part / SHADES;
            let value = lowest + (highest - lowest) * (f64::from(shade) + 0.5) / f64::from(SHADES);
            root.draw(&Rectangle::new(
                [(left, y(shade + 1)), (right, y(shade))],
                color(value).filled(),
            ))?;
        }
        let axis = Axis::between(lowest, highest);
        let numbers = letters(SMALL, INK).pos(Pos::new(HPos::Left, VPos::Center));
        for &tick in &axis.ticks {
            let y = bottom
                - (f64::from(bottom - top) * ((tick - lowest) / (highest - lowest))).round() as i32;
            root.draw(&PathElement::new(
                [(right, y), (right + at(5), y)],
                GREY.stroke_width(SCALE),
            ))?;
            root.draw_text(&axis.label(tick), &numbers, (right + at(9), y))?;
        }
        let widest = axis.widest_label(font, em(SMALL)) as i32;
        let text = font.fitted(&self.value_label, em(LABEL), f64::from(bottom - top));
        let turned = letters(LABEL, INK)
            .pos(Pos::new(HPos::Center, VPos::Center))
            .transform(FontTransform::Rotate270);
        root.draw_text(&text, &turned, (right + at(9 + 16) + widest, (top + bottom) / 2))?;
        if let Some(plan) = &self.plan
            && (0..self.values.len()).any(|i| self.is_tinted(i))
        {
            let swatch = [(left, bottom + at(18)), (right, bottom + at(18 + BAR))];
            root.draw(&Rectangle::new(swatch, UNVISITED.filled()))?;
            root.draw(&Rectangle::new(swatch, GREY.mix(0.5).stroke_width(SCALE)))?;
            let room = px(SCALE_ROOM) as i32 - at(BAR + 9);
            let text = font.fitted(&plan.walkable_label, em(SMALL), f64::from(room));
            root.draw_text(&text, &numbers, (right + at(9), bottom + at(18 + BAR / 2)))?;
        }
        Ok(())
    }

    /// Lowest and highest corner of all cells.
    fn area(&self) -> [[f64; 2]; 2] {
        let [x, y] = [&self.x_edges, &self.y_edges].map(|edges| [edges[0], edges[edges.len() - 1]]);
        [[x[0], y[0]], [x[1], y[1]]]
    }

    /// Whether a cell has no value and can be stood on.
    fn is_tinted(&self, i: usize) -> bool {
        let walkable = self.plan.as_ref().and_then(|plan| plan.walkable.get(i));
        self.values[i].is_none() && walkable == Some(&true)
    }

    /// Whether any cell that a rectangle meets has a value.
    fn holds_value(&self, [low, high]: [[f64; 2]; 2]) -> bool {
        let columns = self.x_edges.len() - 1;
        let met = |edges: &[f64], a: usize| {
            let first = edges.partition_point(|&edge| edge <= low[a]).saturating_sub(1);
            first..edges.partition_point(|&edge| edge < high[a]).min(edges.len() - 1)
        };
        let across = met(&self.x_edges, 0);
        met(&self.y_edges, 1)
            .any(|row| across.clone().any(|column| self.values[row * columns + column].is_some()))
    }
}

/// Where things are, in the canvas's pixels.
struct Layout {
    axes: [Axis; 2],
    /// Width of the canvas.
    width: u32,
    /// Room for the vertical axis.
    left: u32,
    /// What a map of this shape leaves to the right and below.
    spare: [u32; 2],
}

impl Layout {
    fn of(grid: &HeatGrid, font: &Font) -> Self {
        let ends = [&grid.x_edges, &grid.y_edges].map(|edges| [edges[0], edges[edges.len() - 1]]);
        let lengths = ends.map(|[low, high]| high - low);
        let longest = if lengths[0] > lengths[1] { lengths[0] } else { lengths[1] };
        let axis = |a: usize| {
            // The shorter one has room for fewer.
            let ticks = if grid.equal_axes { TICKS * lengths[a] / longest } else { TICKS };
            let ticks = if ticks > LEAST_TICKS { ticks } else { LEAST_TICKS };
            Axis::with_ticks(ends[a][0], ends[a][1], ticks)
        };
        let axes = [axis(0), axis(1)];
        let left = axes[1].widest_label(font, em(SMALL)) as u32 + px(44);
        if !grid.equal_axes {
            return Self { axes, width: px(SIZE.0), left, spare: [0, 0] };
        }
        let head = headed_height(&grid.subtitle);
        let around = [left + px(2 * MARGIN + SCALE_ROOM), head + px(BELOW + MARGIN + ABOVE)];
        let room = [0, 1].map(|a| f64::from([px(SIZE.0), px(SIZE.1)][a] - around[a]));
        let across = [0, 1].map(|a| room[a] / lengths[a]);
        let pixels = if across[0] < across[1] { across[0] } else { across[1] };
        let [beside, below] = [0, 1].map(|a| (room[a] - pixels * lengths[a]) as u32);
        let cut = beside.min(px(SIZE.0 - LEAST_WIDTH));
        Self { axes, width: px(SIZE.0) - cut, left, spare: [beside - cut, below] }
    }
}
