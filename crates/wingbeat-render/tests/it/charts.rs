//! Charts as files: what they say can be read from them, and whatever is drawn lies inside.

use wingbeat_render::plot::{Chart, MOST_SERIES, Point, SCALE, SIZE, Series};

fn chart() -> Chart {
    let line = |label: &str, shift: f64| Series {
        label: label.into(),
        points: (0..6).map(|i| Point::with_error(f64::from(i), shift + 0.1 * f64::from(i), 0.05)).collect(),
    };
    Chart {
        title: "a <pond> & \"more\"".into(),
        subtitle: "means of 4 seeds".into(),
        x_label: "noise (radians)".into(),
        y_label: "polarization".into(),
        legend: "boids".into(),
        series: vec![line("40", 0.1), line("100", 0.3)],
    }
}

fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("well-formed");
    document
        .descendants()
        .filter_map(|node| node.text())
        .map(|text| text.trim().to_string())
        .filter(|text| !text.is_empty())
        .collect()
}

/// Coordinates of all lines and marks.
fn coordinates(svg: &str) -> Vec<(f64, f64)> {
    let document = roxmltree::Document::parse(svg).expect("well-formed");
    let mut found = Vec::new();
    for node in document.descendants() {
        let number = |name| node.attribute(name).and_then(|text| text.parse::<f64>().ok());
        for (x, y) in [("x", "y"), ("cx", "cy"), ("x1", "y1"), ("x2", "y2")] {
            found.extend(number(x).zip(number(y)));
        }
        for pair in node.attribute("points").unwrap_or("").split_whitespace() {
            let (x, y) = pair.split_once(',').expect("x,y");
            found.push((x.parse().expect("a number"), y.parse().expect("a number")));
        }
    }
    found
}

#[test]
fn an_svg_says_what_it_shows() {
    let svg = chart().svg().expect("drawn");
    let texts = texts(&svg);
    for said in ["a <pond> & \"more\"", "means of 4 seeds", "noise (radians)", "polarization", "boids", "40", "100", "0.0", "0.2"]
    {
        assert!(texts.iter().any(|text| text == said), "{said} is missing: {texts:?}");
    }
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    let root = document.root_element();
    assert_eq!((root.attribute("width"), root.attribute("height")), (Some("960"), Some("600")));
    assert_eq!(root.attribute("viewBox"), Some("0 0 1920 1200"));
    // Two lines of six bars, each with two caps.
    let blue = document.descendants().filter(|node| node.attribute("stroke") == Some("#0072B2") && node.has_tag_name("polyline"));
    assert_eq!(blue.count(), 1 + 6 * 3 + 1, "the line, its bars with caps, its specimen");
}

#[test]
fn everything_lies_inside() {
    let long = "a name so long that it would not fit beside anything, let alone beside a chart of six points".repeat(4);
    let mut wide = chart();
    wide.title = long.clone();
    wide.legend = long.clone();
    wide.series[0].label = long;
    let far = |x: f64, y: f64| Chart {
        series: vec![Series { label: String::new(), points: vec![Point::new(x, y), Point::with_error(-x, -y, y.abs())] }],
        ..chart()
    };
    for chart in [wide, far(1e300, 1e-300), far(0.0, 0.0), far(1.0, 3e9), far(-7.0, 1e-7)] {
        let svg = chart.svg().expect("drawn");
        for (x, y) in coordinates(&svg) {
            let inside = (0.0..=f64::from(SIZE.0 * SCALE)).contains(&x) && (0.0..=f64::from(SIZE.1 * SCALE)).contains(&y);
            assert!(inside, "{x}, {y}");
        }
    }
}

#[test]
fn a_png_has_text_and_lines_on_white() {
    let decoded = tiny_skia::Pixmap::decode_png(&chart().png().expect("drawn")).expect("a PNG");
    assert_eq!((decoded.width(), decoded.height()), (SIZE.0 * SCALE, SIZE.1 * SCALE));
    let count = |rgb: [u8; 3]| decoded.pixels().iter().filter(|p| [p.red(), p.green(), p.blue()] == rgb).count();
    assert!(count([255, 255, 255]) > 2_000_000, "white: {}", count([255, 255, 255]));
    assert!(count([0, 114, 178]) > 3000, "the first line: {}", count([0, 114, 178]));
    assert!(count([213, 94, 0]) > 3000, "the second: {}", count([213, 94, 0]));
    assert!(count([34, 38, 43]) > 2000, "text: {}", count([34, 38, 43]));
    let mut silent = chart();
    silent.title.clear();
    let less = tiny_skia::Pixmap::decode_png(&silent.png().expect("drawn")).expect("a PNG");
    let title = |picture: &tiny_skia::Pixmap| picture.pixels()[..1920 * 90].iter().filter(|p| p.red() < 100).count();
    assert!(title(&decoded) > 500 && title(&less) == 0, "the title's letters: {}", title(&decoded));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let mut crowd = chart();
    crowd.series = vec![crowd.series[0].clone(); MOST_SERIES + 1];
    assert!(crowd.svg().expect_err("too many").to_string().contains("15 lines"));
    let mut empty = chart();
    empty.series.truncate(1);
    empty.series[0].points = vec![Point::new(f64::NAN, 1.0), Point::with_error(1.0, 1.0, f64::INFINITY)];
    assert!(empty.png().expect_err("nothing").to_string().contains("nothing to draw"));
    // Beside numbers they are left out.
    empty.series[0].points.push(Point::new(1.0, 2.0));
    assert!(empty.svg().is_ok());
}
