//! The chart on a canvas of either kind.

use std::error::Error;

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::Axis;
use super::chart::{Chart, Point, SCALE, Series};
use super::pixels::SIZE_TO_EM;
use crate::text::Font;

pub type Drawn = Result<(), Box<dyn Error>>;
type Plane = Cartesian2d<Axis, Axis>;

/// Okabe and Ito's colours without yellow, which white swallows: apart for every kind of colour
/// vision.
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(34, 38, 43),
];
pub const GREY: RGBColor = RGBColor(110, 110, 110);
pub const INK: RGBColor = RGBColor(34, 38, 43);
const FONT: &str = "Helvetica, Arial, DejaVu Sans, sans-serif";

/// Sizes of letters, in CSS pixels as plotters counts them.
const TITLE: u32 = 25;
const SUBTITLE: u32 = 16;
pub const LABEL: u32 = 18;
pub const SMALL: u32 = 17;

/// Beyond this many points to a line marks would hide it.
const MOST_MARKS: usize = 60;
/// How much of its color a scattered point has.
const SCATTERED: f64 = 0.35;
/// Room around everything.
pub const MARGIN: u32 = 20;
/// Length of a line's specimen in the legend.
const SPECIMEN: i32 = 34;
/// The legend takes at most this part of the width.
const WIDEST_LEGEND: u32 = 320;

/// CSS pixels in those of the canvas.
pub const fn px(size: u32) -> u32 {
    size * SCALE
}

pub fn at(size: i32) -> i32 {
    size * SCALE as i32
}

/// What charts below one another share.
struct Shared {
    x: Axis,
    /// Room for the numbers of the vertical axes.
    left: u32,
    /// Room for the legends.
    legend: u32,
}

/// Draws everything. The background is white whatever it is shown on, so that it is read as well on
/// a dark page.
pub fn draw<B: DrawingBackend>(root: &DrawingArea<B, Shift>, charts: &[Chart]) -> Drawn
where
    B::ErrorType: 'static,
{
    let font = Font::new()?;
    let rest = headed(root, &charts[0].title, &charts[0].subtitle, &font)?;
    let shared = Shared {
        x: Axis::over(charts.iter().flat_map(points).map(|point| point.x), 0.03),
        left: charts
            .iter()
            .map(|chart| vertical(chart).widest_label(&font, em(SMALL)) as u32)
            .max()
            .unwrap_or(0)
            + px(44),
        legend: charts.iter().map(|chart| legend_width(&font, chart)).max().unwrap_or(0),
    };
    for (area, chart) in rest.split_evenly((charts.len(), 1)).iter().zip(charts) {
        let (plot, side) = area.split_horizontally(area.dim_in_pixel().0 - shared.legend);
        lines(&plot, chart, &shared)?;
        // Charts whose lines have no names have no legend beside those that have.
        if legend_width(&font, chart) > 0 {
            key(&side, chart, &font)?;
        }
    }
    root.present()?;
    Ok(())
}

fn points(chart: &Chart) -> impl Iterator<Item = &Point> + Clone {
    chart.series.iter().flat_map(|series| &series.points)
}

/// The vertical axis of a chart.
fn vertical(chart: &Chart) -> Axis {
    let reached = points(chart)
        .flat_map(|point| [-1.0, 1.0].map(|side| point.y + side * point.error.unwrap_or(0.0)));
    Axis::from_zero(reached, 0.05)
}

/// Height of the titles, in the canvas's pixels.
pub fn headed_height(subtitle: &str) -> u32 {
    px(if subtitle.is_empty() { 50 } else { 72 })
}

/// Whitens the canvas and writes what is above the picture; returns what is below that.
pub fn headed<B: DrawingBackend>(
    root: &DrawingArea<B, Shift>,
    title: &str,
    subtitle: &str,
    font: &Font,
) -> Result<DrawingArea<B, Shift>, Box<dyn Error>>
where
    B::ErrorType: 'static,
{
    root.fill(&WHITE)?;
    let room = f64::from(root.dim_in_pixel().0 - 2 * px(MARGIN));
    let title = font.fitted(title, em(TITLE), room);
    let subtitle = font.fitted(subtitle, em(SUBTITLE), room);
    let (head, rest) = root.split_vertically(headed_height(&subtitle));
    head.draw_text(&title, &letters(TITLE, INK), (at(MARGIN as i32), at(16)))?;
    head.draw_text(&subtitle, &letters(SUBTITLE, GREY), (at(MARGIN as i32), at(48)))?;
    Ok(rest)
}

pub fn letters<'a>(size: u32, color: RGBColor) -> TextStyle<'a> {
    (FONT, px(size)).into_font().color(&color)
}

/// Height of an em in the canvas's pixels.
pub fn em(size: u32) -> f64 {
    f64::from(px(size)) / SIZE_TO_EM
}

fn lines<B: DrawingBackend>(area: &DrawingArea<B, Shift>, chart: &Chart, shared: &Shared) -> Drawn
where
    B::ErrorType: 'static,
{
    let mut plane = ChartBuilder::on(area)
        .margin(px(MARGIN))
        .margin_top(px(4))
        .x_label_area_size(px(54))
        .y_label_area_size(shared.left)
        .build_cartesian_2d(shared.x.clone(), vertical(chart))?;
    plane
        .configure_mesh()
        .bold_line_style(GREY.mix(0.25).stroke_width(SCALE))
        .light_line_style(TRANSPARENT)
        .axis_style(GREY.stroke_width(SCALE))
        .set_all_tick_mark_size(px(5))
        .label_style(letters(SMALL, INK))
        .axis_desc_style(letters(LABEL, INK))
        .x_desc(&chart.x_label)
        .y_desc(&chart.y_label)
        .draw()?;
    let all = || chart.series.iter().enumerate();
    all().try_for_each(|(i, series)| bars(&mut plane, i, series))?;
    all().try_for_each(|(i, series)| line(&mut plane, i, series))
}

/// Error bars, below all lines and marks.
fn bars<B: DrawingBackend>(
    plane: &mut ChartContext<'_, B, Plane>,
    i: usize,
    series: &Series,
) -> Drawn
where
    B::ErrorType: 'static,
{
    let style = COLORS[i % COLORS.len()].stroke_width(px(3) / 2);
    let ends = series
        .points
        .iter()
        .filter_map(|point| point.error.map(|error| (point.x, [point.y - error, point.y + error])));
    plane
        .draw_series(ends.clone().map(|(x, ends)| PathElement::new(ends.map(|y| (x, y)), style)))?;
    let cap = [(-at(4), 0), (at(4), 0)];
    let places = ends.flat_map(|(x, ends)| ends.map(|y| (x, y)));
    plane
        .draw_series(places.map(|place| EmptyElement::at(place) + PathElement::new(cap, style)))?;
    Ok(())
}

fn line<B: DrawingBackend>(
    plane: &mut ChartContext<'_, B, Plane>,
    i: usize,
    series: &Series,
) -> Drawn
where
    B::ErrorType: 'static,
{
    let color = COLORS[i % COLORS.len()];
    let points = || series.points.iter().map(|point| (point.x, point.y));
    if series.scattered {
        plane.draw_series(points().map(|place| speck(place, color)))?;
        return Ok(());
    }
    if i < COLORS.len() {
        plane.draw_series(LineSeries::new(points(), color.stroke_width(px(2))))?;
    } else {
        plane.draw_series(DashedLineSeries::new(
            points(),
            px(8),
            px(5),
            color.stroke_width(px(2)),
        ))?;
    }
    if has_marks(series) {
        plane
            .draw_series(points().map(|point| EmptyElement::at(point) + mark((0, 0), i, color)))?;
    }
    Ok(())
}

/// Whether each point of a line has a mark, in the chart and in the legend.
fn has_marks(series: &Series) -> bool {
    !series.unmarked && series.points.len() <= MOST_MARKS
}

/// One point of a cloud: so pale that the many show where they crowd.
fn speck<C>(place: C, color: RGBColor) -> Circle<C, u32> {
    Circle::new(place, px(2), color.mix(SCATTERED).filled())
}

/// A line's mark: its shape goes round with a period other than the colours'.
fn mark<B: DrawingBackend>(
    place: (i32, i32),
    i: usize,
    color: RGBColor,
) -> DynElement<'static, B, (i32, i32)>
where
    B::ErrorType: 'static,
{
    let (x, y) = place;
    let size = at(4);
    match i % 4 {
        0 => Circle::new(place, px(4), color.filled()).into_dyn(),
        1 => Polygon::new(
            [(x, y - size - 2), (x + size + 1, y + size - 1), (x - size - 1, y + size - 1)],
            color.filled(),
        )
        .into_dyn(),
        2 => Rectangle::new(
            [(x - size + 1, y - size + 1), (x + size - 1, y + size - 1)],
            color.filled(),
        )
        .into_dyn(),
        _ => Polygon::new(
            [(x, y - size - 2), (x + size + 2, y), (x, y + size + 2), (x - size - 2, y)],
            color.filled(),
        )
        .into_dyn(),
    }
}

/// Room for the longest entry beside the chart; 0 where lines have no names.
fn legend_width(font: &Font, chart: &Chart) -> u32 {
    if chart.series.iter().all(|series| series.label.is_empty()) {
        return 0;
    }
    let entries = chart
        .series
        .iter()
        .map(|series| font.width(&series.label, em(SMALL)) + f64::from(at(SPECIMEN + 10)));
    let widest = entries
        .chain([font.width(&chart.legend, em(SMALL))])
        .fold(0.0, |a, b| if b > a { b } else { a });
    let room = widest.ceil() as u32 + px(MARGIN);
    if room < px(WIDEST_LEGEND) { room } else { px(WIDEST_LEGEND) }
}

fn key<B: DrawingBackend>(area: &DrawingArea<B, Shift>, chart: &Chart, font: &Font) -> Drawn
where
    B::ErrorType: 'static,
{
    let room = f64::from(area.dim_in_pixel().0 - px(MARGIN));
    let head = font.fitted(&chart.legend, em(SMALL), room);
    area.draw_text(&head, &letters(SMALL, GREY), (0, at(6)))?;
    let first = if head.is_empty() { 16 } else { 42 };
    for (i, series) in chart.series.iter().enumerate() {
        let y = at(first + 26 * i as i32);
        let color = COLORS[i % COLORS.len()];
        let specimen = [(0, y), (at(SPECIMEN), y)];
        let middle = (at(SPECIMEN / 2), y);
        if series.scattered {
            area.draw(&speck(middle, color))?;
        } else if i < COLORS.len() {
            area.draw(&PathElement::new(specimen, color.stroke_width(px(2))))?;
        } else {
            area.draw(&DashedPathElement::new(specimen, px(8), px(5), color.stroke_width(px(2))))?;
        }
        if !series.scattered && has_marks(series) {
            area.draw(&mark(middle, i, color))?;
        }
        let label = font.fitted(&series.label, em(SMALL), room - f64::from(at(SPECIMEN + 10)));
        let style = letters(SMALL, INK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw_text(&label, &style, (at(SPECIMEN + 10), y))?;
    }
    Ok(())
}
