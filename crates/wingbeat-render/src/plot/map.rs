//! A quantity over the plane, as colours of squares with a scale beside them.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::{Axis, TICKS};
use super::draw::{Drawn, GREY, INK, LABEL, MARGIN, SMALL, at, em, headed, headed_height, letters, px};
use super::{PlotError, SCALE, SIZE, pixels, refused};
use crate::Background;
use crate::color::Ramp;
use crate::text::Font;

/// Room for the scale of colours beside the map, in CSS pixels.
const SCALE_ROOM: u32 = 120;
/// Room above the plane, and for its horizontal axis.
const ABOVE: u32 = 4;
const BELOW: u32 = 54;
/// Titles need this much, however narrow the map is.
const LEAST_WIDTH: u32 = 480;
/// An axis has room for these, however short it is.
const LEAST_TICKS: f64 = 2.0;
/// Width of the bar of colours.
const BAR: i32 = 20;
/// Shades along it.
const SHADES: i32 = 256;

/// A quantity on a grid of squares; axes have the same scale. Squares at 0 stay white, the highest are darkest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
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
    /// The lowest corner.
    pub low: [f64; 2],
    /// Side of a square.
    pub side: f64,
    /// How many squares lie beside each other.
    pub columns: usize,
    /// A value for each square, 0 or more, row by row from the lowest y, and from the lowest x in each.
    pub values: Vec<f64>,
}

impl HeatMap {
    /// The map as a PNG file's bytes: as high as a [`Chart`](super::Chart), and at most as wide.
    ///
    /// # Errors
    /// When no value is above 0, a number is not finite, or rows are not whole.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        let numbers = self.low.iter().chain([&self.side]).chain(&self.values);
        if !numbers.clone().all(|x| x.is_finite()) || self.side <= 0.0 || !self.values.len().is_multiple_of(self.columns) {
            return Err(PlotError("the map cannot be drawn: allowed are finite numbers in whole rows of squares".into()));
        }
        if self.highest() <= 0.0 {
            return Err(PlotError("nothing to draw: the map is 0 everywhere".into()));
        }
        let font = Font::new().map_err(refused)?;
        let plan = Plan::of(self, &font);
        let mut pixels = pixels::Pixels::new(plan.width, px(SIZE.1)).map_err(refused)?;
        {
            let root = (&mut pixels).into_drawing_area();
            self.draw(&root, &font, plan).map_err(refused)?;
        }
        pixels.png().map_err(refused)
    }

    fn highest(&self) -> f64 {
        self.values.iter().copied().fold(0.0, |a, b| if b > a { b } else { a })
    }

    fn draw<B: DrawingBackend>(&self, root: &DrawingArea<B, Shift>, font: &Font, plan: Plan) -> Drawn
    where
        B::ErrorType: 'static,
    {
        let area = headed(root, &self.title, &self.subtitle, font)?;
        let mut plane = ChartBuilder::on(&area)
            .margin(px(MARGIN))
            .margin_top(px(ABOVE))
            .margin_right(px(MARGIN + SCALE_ROOM) + plan.spare[0])
            .margin_bottom(px(MARGIN) + plan.spare[1])
            .x_label_area_size(px(BELOW))
            .y_label_area_size(plan.left)
            .build_cartesian_2d(plan.axes[0].clone(), plan.axes[1].clone())?;
        let highest = self.highest();
        let ramp = Ramp::new(crate::Color::Speed, Background::Light, [0.0, 1.0]);
        let color = |value: f64| {
            let [r, g, b] = ramp.of([(value / highest) as f32, 0.0, 0.0], 0);
            RGBColor(r, g, b)
        };
        let corner = |i: usize, more: f64| {
            let (column, row) = ((i % self.columns) as f64, (i / self.columns) as f64);
            (self.low[0] + self.side * (column + more), self.low[1] + self.side * (row + more))
        };
        let held = self.values.iter().enumerate().filter(|(_, value)| **value > 0.0);
        plane.draw_series(held.map(|(i, &value)| Rectangle::new([corner(i, 0.0), corner(i, 1.0)], color(value).filled())))?;
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
        self.key(root, font, [columns.end + at(MARGIN as i32), lines.start, lines.end], highest, color)?;
        root.present()?;
        Ok(())
    }

    /// The scale of colours: a bar from 0 at the bottom to the highest value, with ticks, and what they count along it.
    fn key<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, Shift>,
        font: &Font,
        [left, top, bottom]: [i32; 3],
        highest: f64,
        color: impl Fn(f64) -> RGBColor,
    ) -> Drawn
    where
        B::ErrorType: 'static,
    {
        let right = left + at(BAR);
        for shade in 0..SHADES {
            let y = |part: i32| bottom - (bottom - top) * part / SHADES;
            let value = highest * (f64::from(shade) + 0.5) / f64::from(SHADES);
            root.draw(&Rectangle::new([(left, y(shade + 1)), (right, y(shade))], color(value).filled()))?;
        }
        let axis = Axis::between(0.0, highest);
        let numbers = letters(SMALL, INK).pos(Pos::new(HPos::Left, VPos::Center));
        for &tick in &axis.ticks {
            let y = bottom - (f64::from(bottom - top) * tick / highest).round() as i32;
            root.draw(&PathElement::new([(right, y), (right + at(5), y)], GREY.stroke_width(SCALE)))?;
            root.draw_text(&axis.label(tick), &numbers, (right + at(9), y))?;
        }
        let widest = axis.widest_label(font, em(SMALL)) as i32;
        let text = font.fitted(&self.value_label, em(LABEL), f64::from(bottom - top));
        let turned = letters(LABEL, INK).pos(Pos::new(HPos::Center, VPos::Center)).transform(FontTransform::Rotate270);
        root.draw_text(&text, &turned, (right + at(9 + 16) + widest, (top + bottom) / 2))?;
        Ok(())
    }
}

/// Where things are, in the canvas's pixels.
struct Plan {
    axes: [Axis; 2],
    /// Width of the canvas.
    width: u32,
    /// Room for the vertical axis.
    left: u32,
    /// What a map of this shape leaves to the right and below.
    spare: [u32; 2],
}

impl Plan {
    fn of(map: &HeatMap, font: &Font) -> Self {
        let squares = [map.columns, map.values.len() / map.columns].map(|count| count as f64);
        let longest = if squares[0] > squares[1] { squares[0] } else { squares[1] };
        let axis = |a: usize| {
            // The shorter one has room for fewer.
            let ticks = TICKS * squares[a] / longest;
            let ticks = if ticks > LEAST_TICKS { ticks } else { LEAST_TICKS };
            Axis::with_ticks(map.low[a], map.low[a] + map.side * squares[a], ticks)
        };
        let axes = [axis(0), axis(1)];
        let left = axes[1].widest_label(font, em(SMALL)) as u32 + px(44);
        let head = headed_height(&map.subtitle);
        let around = [left + px(2 * MARGIN + SCALE_ROOM), head + px(BELOW + MARGIN + ABOVE)];
        let room = [0, 1].map(|a| f64::from([px(SIZE.0), px(SIZE.1)][a] - around[a]));
        let across = [0, 1].map(|a| room[a] / squares[a]);
        let pixels = if across[0] < across[1] { across[0] } else { across[1] };
        let [beside, below] = [0, 1].map(|a| (room[a] - pixels * squares[a]) as u32);
        let cut = beside.min(px(SIZE.0 - LEAST_WIDTH));
        Self { axes, width: px(SIZE.0) - cut, left, spare: [beside - cut, below] }
    }
}
