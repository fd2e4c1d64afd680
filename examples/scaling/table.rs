//! The figures as text: a table to read and a CSV file.

use wingbeat_benches::grouped;
use wingbeat_benches::points::DT;

use crate::machine::Machine;
use crate::measure::{Measured, WARM_UP_STEPS};
use crate::plan::{Plan, counted_threads};

/// Over the rows.
pub fn heading() -> String {
    columns(
        [
            "boids",
            "k",
            "threads",
            "ns/boid/step",
            "(quartiles)",
            "M boid-steps/s",
            "steps/s",
            "bytes/boid",
            "k counted",
        ],
        "   ",
    )
}

/// What a reader has to know to judge the figures.
pub fn header(machine: &Machine, plan: &Plan) -> Vec<String> {
    vec![
        format!("machine: {}, {}; {}", machine.cpu, counted_threads(machine.threads), machine.load),
        format!(
            "engine: wingbeat {}, SIMD level {}, {}",
            env!("CARGO_PKG_VERSION"),
            machine.level,
            machine.build
        ),
        "rules: separation linear at r/2, alignment and cohesion at r, one sight of 240 degrees, \
            periodic box"
            .into(),
        "k: mean number of others within r; uniform start".into(),
        format!(
            "time: median of single steps of {DT}, the {}th to the {}th of a flock, fresh flocks \
                for {:.1} s a point",
            WARM_UP_STEPS + 1,
            WARM_UP_STEPS + plan.pace.steps,
            plan.pace.budget.as_secs_f64(),
        ),
        "bytes: all that a flock has allocated after its first steps".into(),
    ]
}

/// A line of the table.
pub fn row(measured: &Measured) -> String {
    let point = &measured.point;
    let [low, high] = measured.ns_quartiles;
    let cells = [
        grouped(point.boids),
        point.neighbors.to_string(),
        point.threads.to_string(),
        format!("{:.1}", measured.ns_per_boid),
        format!("({low:.1} to {high:.1})"),
        format!("{:.2}", measured.boid_steps_per_second() * 1e-6),
        format!("{:.2}", measured.steps_per_second()),
        format!("{:.1}", measured.bytes_per_boid),
        format!("{:.1}", measured.neighbors),
    ];
    columns(cells.each_ref().map(String::as_str), &format!("{}-D", point.dimensions))
}

fn columns(cells: [&str; 9], first: &str) -> String {
    let widths = [12, 5, 9, 14, 19, 16, 11, 12, 11];
    cells
        .iter()
        .zip(widths)
        .fold(first.into(), |line, (cell, width)| format!("{line}{cell:>width$}"))
}

/// The header in lines that begin with `#`, then one line a point.
pub fn csv(header: &[String], results: &[Measured]) -> Result<String, Box<dyn std::error::Error>> {
    let mut out = Vec::new();
    for line in header {
        out.extend_from_slice(format!("# {line}\n").as_bytes());
    }
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record([
        "dimensions",
        "boids",
        "neighbors",
        "threads",
        "level",
        "ns_per_boid_step",
        "ns_lower_quartile",
        "ns_upper_quartile",
        "boid_steps_per_s",
        "steps_per_s",
        "bytes_per_boid",
        "neighbors_counted",
        "steps_timed",
    ])?;
    for measured in results {
        let point = &measured.point;
        writer.write_record([
            point.dimensions.to_string(),
            point.boids.to_string(),
            point.neighbors.to_string(),
            point.threads.to_string(),
            measured.level.to_string(),
            format!("{:.3}", measured.ns_per_boid),
            format!("{:.3}", measured.ns_quartiles[0]),
            format!("{:.3}", measured.ns_quartiles[1]),
            format!("{:.0}", measured.boid_steps_per_second()),
            format!("{:.3}", measured.steps_per_second()),
            format!("{:.2}", measured.bytes_per_boid),
            format!("{:.3}", measured.neighbors),
            measured.steps.to_string(),
        ])?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Point;
    use wingbeat::Level;

    #[test]
    fn the_csv_has_a_header_and_a_line_a_point_in_steps_and_boids_per_second() {
        let measured = Measured {
            point: Point { dimensions: 3, boids: 2000, neighbors: 20, threads: 4 },
            level: Level::Portable,
            ns_per_boid: 250.0,
            ns_quartiles: [240.0, 260.5],
            steps: 40,
            bytes_per_boid: 99.5,
            neighbors: 19.9,
        };
        // 250 ns a boid and step are four million boid-steps a second, 2,000 steps of 2,000 boids.
        let text = csv(&["machine: a, b".into()], &[measured]).expect("text");
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "# machine: a, b");
        assert_eq!(lines[1].split(',').count(), lines[2].split(',').count());
        assert_eq!(
            lines[2],
            "3,2000,20,4,portable,250.000,240.000,260.500,4000000,2000.000,99.50,19.900,40"
        );
        assert_eq!(lines.len(), 3);
    }
}
