//! The figures as a picture: four panels in one SVG file, all axes logarithmic.

use std::error::Error;

use plotters::coord::Shift;
use plotters::coord::combinators::{BindKeyPoints, IntoLogRange};
use plotters::prelude::*;

use crate::machine::Machine;
use crate::measure::Measured;
use crate::plan::{Plan, Point, counted_threads};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const SIZE: (u32, u32) = (1280, 960);
/// Blue and vermilion of Okabe and Ito: apart for every kind of colour vision. Dashes and marks
/// tell lines apart without them.
const COLORS: [RGBColor; 2] = [RGBColor(0, 114, 178), RGBColor(213, 94, 0)];
const GREY: RGBColor = RGBColor(110, 110, 110);
const INK: RGBColor = RGBColor(34, 38, 43);
const FONT: &str = "Helvetica, Arial, DejaVu Sans, sans-serif";

/// A line of a panel: its dimensions choose the colour, `second` dashes and triangles instead of a
/// whole line and dots.
struct Series {
    label: String,
    dimensions: usize,
    second: bool,
    points: Vec<(f64, f64)>,
}

struct Panel {
    title: String,
    x_label: &'static str,
    y_label: &'static str,
    x_ticks: Vec<f64>,
    series: Vec<Series>,
    /// Also draws y = x.
    ideal: bool,
}

/// The SVG file's text.
pub fn draw(
    machine: &Machine,
    plan: &Plan,
    results: &[Measured],
) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (top, rest) = root.split_vertically(72);
        top.draw_text(
            "How the cost of a Wingbeat step grows",
            &(FONT, 25).into_font().color(&INK),
            (24, 14),
        )?;
        let about = format!(
            "{}, {}; {}; {}",
            machine.cpu,
            counted_threads(machine.threads),
            machine.level,
            machine.build
        );
        top.draw_text(&about, &(FONT, 15).into_font().color(&GREY), (24, 46))?;
        let figures = Figures { plan, results };
        let panels =
            [figures.by_boids(), figures.by_threads(), figures.by_neighbors(), figures.bytes()];
        for (area, panel) in rest.split_evenly((2, 2)).iter().zip(&panels) {
            panel.draw(area)?;
        }
        root.present()?;
    }
    Ok(svg)
}

/// From results to the lines of panels.
struct Figures<'a> {
    plan: &'a Plan,
    results: &'a [Measured],
}

impl Figures<'_> {
    fn ns(&self, point: Point) -> Option<f64> {
        self.results
            .iter()
            .find(|measured| measured.point == point)
            .map(|measured| measured.ns_per_boid)
    }

    /// A series for each of the dimensions and for one thread and all; `points` makes its line.
    fn lines(&self, mut points: impl FnMut(usize, usize) -> Vec<(f64, f64)>) -> Vec<Series> {
        let mut series = Vec::new();
        let all = self.plan.most_threads();
        for &dimensions in &self.plan.dimensions {
            for (threads, second) in [(1, false), (all, true)] {
                if second && all == 1 {
                    continue;
                }
                let label = format!("{dimensions}-D, {}", counted_threads(threads));
                series.push(Series {
                    label,
                    dimensions,
                    second,
                    points: points(dimensions, threads),
                });
            }
        }
        series
    }

    fn by_boids(&self) -> Panel {
        let neighbors = self.plan.usual_neighbors;
        let series = self.lines(|dimensions, threads| {
            let ns = |&boids: &usize| {
                Some((boids as f64, self.ns(Point { dimensions, boids, neighbors, threads })?))
            };
            self.plan.boids.iter().filter_map(ns).collect()
        });
        let title = format!("Time by boids, k = {neighbors}");
        Panel {
            title,
            x_label: "boids",
            y_label: "ns per boid and step",
            x_ticks: self.boid_ticks(),
            series,
            ideal: false,
        }
    }

    fn by_neighbors(&self) -> Panel {
        let boids = self.plan.middle_boids();
        let series = self.lines(|dimensions, threads| {
            let ns = |&k: &usize| {
                Some((k as f64, self.ns(Point { dimensions, boids, neighbors: k, threads })?))
            };
            self.plan.neighbors.iter().filter_map(ns).collect()
        });
        Panel {
            title: format!("Time by neighbors, {} boids", short(boids as f64)),
            x_label: "mean neighbors in range, k",
            y_label: "ns per boid and step",
            x_ticks: self.plan.neighbors.iter().map(|&k| k as f64).collect(),
            series,
            ideal: false,
        }
    }

    fn by_threads(&self) -> Panel {
        let neighbors = self.plan.usual_neighbors;
        let mut series = Vec::new();
        for &dimensions in &self.plan.dimensions {
            for (i, boids) in self.plan.threaded_boids().into_iter().enumerate() {
                let ns = |threads| self.ns(Point { dimensions, boids, neighbors, threads });
                let gain = |&threads: &usize| Some((threads as f64, ns(1)? / ns(threads)?));
                let points = self.plan.threads.iter().filter_map(gain).collect();
                let label = format!("{dimensions}-D, {} boids", short(boids as f64));
                series.push(Series { label, dimensions, second: i > 0, points });
            }
        }
        Panel {
            title: format!("Speed-up by threads, k = {neighbors}"),
            x_label: "threads",
            y_label: "times as fast as one thread",
            x_ticks: self.plan.threads.iter().map(|&threads| threads as f64).collect(),
            series,
            ideal: true,
        }
    }

    fn bytes(&self) -> Panel {
        let neighbors = self.plan.usual_neighbors;
        let series = self.lines(|dimensions, threads| {
            let at = |&boids: &usize| {
                let point = Point { dimensions, boids, neighbors, threads };
                let measured = self.results.iter().find(|measured| measured.point == point)?;
                Some((boids as f64, measured.bytes_per_boid))
            };
            self.plan.boids.iter().filter_map(at).collect()
        });
        let title = format!("Memory by boids, k = {neighbors}");
        Panel {
            title,
            x_label: "boids",
            y_label: "bytes per boid",
            x_ticks: self.boid_ticks(),
            series,
            ideal: false,
        }
    }

    /// Whole decades, and where the largest flock is.
    fn boid_ticks(&self) -> Vec<f64> {
        let most = self.plan.boids.last().map_or(1000.0, |&boids| boids as f64);
        let mut ticks: Vec<_> = std::iter::successors(Some(1000.0), |n| Some(n * 10.0))
            .take_while(|&n| n < most / 1.5)
            .collect();
        ticks.push(most);
        ticks
    }
}

impl Panel {
    fn draw(&self, area: &Area) -> Result<(), Box<dyn Error>> {
        let (x_low, x_high) = extent(self.x_ticks.iter().copied());
        let ideal = self.x_ticks.iter().filter(|_| self.ideal);
        let values = self.series.iter().flat_map(|series| &series.points).map(|point| &point.1);
        let (y_low, y_high) = extent(values.chain(ideal).copied());
        // Room for the marks, and above the lines for the legend.
        let (x_low, x_high) = (x_low / 1.15, x_high * 1.15);
        let (y_low, y_high) = (y_low / 1.2, y_high * 1.6 * (y_high / y_low).sqrt());
        let y_ticks = ticks(y_low, y_high);
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, (FONT, 18).into_font().color(&INK))
            .margin(14)
            .x_label_area_size(46)
            .y_label_area_size(64)
            .build_cartesian_2d(
                (x_low..x_high).log_scale().with_key_points(self.x_ticks.clone()),
                (y_low..y_high).log_scale().with_key_points(y_ticks),
            )?;
        chart
            .configure_mesh()
            .bold_line_style(GREY.mix(0.25))
            .light_line_style(TRANSPARENT)
            .axis_style(GREY)
            .label_style((FONT, 14).into_font().color(&INK))
            .axis_desc_style((FONT, 15).into_font().color(&INK))
            .x_desc(self.x_label)
            .y_desc(self.y_label)
            .x_label_formatter(&|x| short(*x))
            .y_label_formatter(&|y| short(*y))
            .draw()?;
        if self.ideal {
            let diagonal = self.x_ticks.iter().map(|&x| (x, x));
            let line = GREY.stroke_width(1);
            chart
                .draw_series(LineSeries::new(diagonal, line))?
                .label("ideal")
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 34, y)], line));
        }
        for series in &self.series {
            let color = COLORS[series.dimensions.saturating_sub(2).min(1)];
            let line = color.stroke_width(2);
            let points = series.points.iter().copied();
            // The key to a line: a piece of it and its mark.
            if series.second {
                chart
                    .draw_series(DashedLineSeries::new(points.clone(), 8, 5, line))?
                    .label(&series.label)
                    .legend(move |at| {
                        let dashes = PathElement::new([(0, 0), (10, 0)], line);
                        let more = PathElement::new([(24, 0), (34, 0)], line);
                        EmptyElement::at(at)
                            + dashes
                            + more
                            + TriangleMarker::new((17, 0), 6, color.filled())
                    });
                chart.draw_series(points.map(|at| TriangleMarker::new(at, 6, color.filled())))?;
            } else {
                chart
                    .draw_series(LineSeries::new(points.clone(), line))?
                    .label(&series.label)
                    .legend(move |at| {
                        EmptyElement::at(at)
                            + PathElement::new([(0, 0), (34, 0)], line)
                            + Circle::new((17, 0), 4, color.filled())
                    });
                chart.draw_series(points.map(|at| Circle::new(at, 4, color.filled())))?;
            }
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .legend_area_size(40)
            .label_font((FONT, 14).into_font().color(&INK))
            .background_style(WHITE.mix(0.85))
            .draw()?;
        Ok(())
    }
}

/// Lowest and highest; 1 and 1 of nothing.
fn extent(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let low = values.clone().min_by(f64::total_cmp).unwrap_or(1.0);
    (low, values.max_by(f64::total_cmp).unwrap_or(1.0))
}

/// Round numbers in a range: 1, 2 and 5 times powers of ten, with halves and quarters where there
/// would be too few.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let decades = std::iter::successors(Some(1e-3), |decade| Some(decade * 10.0))
        .take_while(|&decade| decade <= high);
    let within = |steps: &[f64]| -> Vec<f64> {
        let all = decades.clone().flat_map(|decade| steps.iter().map(move |step| step * decade));
        all.filter(|tick| (low..=high).contains(tick)).collect()
    };
    let usual = within(&[1.0, 2.0, 5.0]);
    if usual.len() < 4 { within(&[1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0]) } else { usual }
}

/// 1500 as 1.5k, two million as 2M.
fn short(number: f64) -> String {
    let (scaled, unit) = match number {
        n if n >= 1e6 => (n * 1e-6, "M"),
        n if n >= 1e3 => (n * 1e-3, "k"),
        n => (n, ""),
    };
    let text = format!("{scaled:.2}");
    format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_on_axes_are_short_and_exact_to_two_decimals() {
        assert_eq!(
            [0.5, 1.0, 20.0, 1000.0, 1500.0, 3e5, 1e7].map(short),
            ["0.5", "1", "20", "1k", "1.5k", "300k", "10M"]
        );
    }

    #[test]
    fn every_axis_has_some_ticks_and_all_lie_on_it() {
        for (low, high) in
            [(0.7, 1.3), (0.9, 2.2), (40.0, 900.0), (80.0, 130.0), (1.0, 64.0), (95.0, 20_000.0)]
        {
            let ticks = ticks(low, high);
            assert!(
                ticks.len() >= 2 && ticks.iter().all(|tick| (low..=high).contains(tick)),
                "{low} to {high}: {ticks:?}"
            );
        }
    }
}
