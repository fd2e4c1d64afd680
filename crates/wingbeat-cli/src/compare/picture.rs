//! `--plot`: the distributions of both sides, one observable below the other.

use wingbeat_render::plot::{Chart, MOST_PANELS, Panels, Point, Series};

use super::report::Comparison;
use crate::failure::Failure;
use crate::labels::{title, with_unit};
use crate::output::Output;
use crate::sample::Sample;

/// Points of a line: more would not be seen.
const POINTS: usize = 400;

/// The picture's bytes, and which observables found no room in it.
pub fn draw(
    comparison: &Comparison,
    output: &Output,
) -> Result<(Vec<u8>, Option<String>), Failure> {
    let names = comparison.names();
    let mut charts = Vec::new();
    let mut left_out = Vec::new();
    for row in comparison.rows.iter().filter(|row| row.unit.is_some()) {
        let [Some(a), Some(b)] = &row.samples else { continue };
        if charts.len() == MOST_PANELS {
            left_out.push(row.name);
            continue;
        }
        let of = |side: &str, name: &str, sample: &Sample| Series {
            label: format!("{side}: {}", title(name)),
            points: quantiles(sample),
            scattered: false,
        };
        charts.push(Chart {
            y_label: with_unit(
                &row.name.replace('_', " "),
                row.unit.as_deref().unwrap_or_default(),
            ),
            series: vec![of("A", names[0], a), of("B", names[1], b)],
            ..Chart::default()
        });
    }
    let Some(first) = charts.first_mut() else {
        let allowed = "nothing here: no observable has values on both sides in the same unit";
        return Err(Failure::value(output.flag(), &output.path().display().to_string(), allowed));
    };
    first.title = format!("{} and {}", title(names[0]), title(names[1]));
    first.subtitle = "values in ascending order: how far the lines are apart is how far one \
        distribution is moved"
        .into();
    charts
        .iter_mut()
        .next_back()
        .into_iter()
        .for_each(|last| last.x_label = "part of the moments below".into());
    let panels = Panels(charts);
    let drawn = if output.extension() == "png" {
        panels.png()
    } else {
        panels.svg().map(String::into_bytes)
    };
    let bytes = drawn.map_err(|error| {
        Failure::Other(format!("{} {}: {error}", output.flag(), output.path().display()))
    })?;
    let most = format!("the picture has room for {MOST_PANELS}, and is without");
    let note = (!left_out.is_empty())
        .then(|| format!("{most} {}: --columns chooses", left_out.join(", ")));
    Ok((bytes, note))
}

/// Values by the part of all that are below.
fn quantiles(sample: &Sample) -> Vec<Point> {
    let values = &sample.values;
    let at = |i: usize| Point::new((i as f64 + 0.5) / values.len() as f64, values[i]);
    if values.len() <= POINTS {
        return (0..values.len()).map(at).collect();
    }
    (0..POINTS).map(|k| at(k * (values.len() - 1) / (POINTS - 1))).collect()
}
