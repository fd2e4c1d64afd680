//! Charts as files: what they say can be read from them, and whatever is drawn lies inside.

use wingbeat_render::plot::{
    Chart, HeatGrid, HeatMap, MOST_PANELS, MOST_SERIES, Panels, Point, SCALE, SIZE, Series,
};

fn chart() -> Chart {
    let line = |label: &str, shift: f64| Series {
        label: label.into(),
        points: (0..6)
            .map(|i| Point::with_error(f64::from(i), shift + 0.1 * f64::from(i), 0.05))
            .collect(),
        ..Series::default()
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

pub fn texts(svg: &str) -> Vec<String> {
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
    for said in [
        "a <pond> & \"more\"",
        "means of 4 seeds",
        "noise (radians)",
        "polarization",
        "boids",
        "40",
        "100",
        "0.0",
        "0.2",
    ] {
        assert!(texts.iter().any(|text| text == said), "{said} is missing: {texts:?}");
    }
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    let root = document.root_element();
    assert_eq!((root.attribute("width"), root.attribute("height")), (Some("960"), Some("600")));
    assert_eq!(root.attribute("viewBox"), Some("0 0 1920 1200"));
    // Two lines of six bars, each with two caps.
    let blue = document.descendants().filter(|node| {
        node.attribute("stroke") == Some("#0072B2") && node.has_tag_name("polyline")
    });
    assert_eq!(blue.count(), 1 + 6 * 3 + 1, "the line, its bars with caps, its specimen");
}

#[test]
fn a_cloud_has_points_and_no_line() {
    let mut cloud = chart();
    cloud.series[0].points.iter_mut().for_each(|point| point.error = None);
    cloud.series[0].scattered = true;
    let svg = cloud.svg().expect("drawn");
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    let blue = |tag: &str| {
        let of_color =
            |name: &str, node: &roxmltree::Node<'_, '_>| node.attribute(name) == Some("#0072B2");
        document
            .descendants()
            .filter(|node| {
                node.has_tag_name(tag) && (of_color("stroke", node) || of_color("fill", node))
            })
            .count()
    };
    assert_eq!((blue("polyline"), blue("circle")), (0, 6 + 1), "and its specimen");
}

/// Circles, triangles, squares and diamonds by color, and how often each is drawn.
fn marks(svg: &str) -> std::collections::BTreeMap<(String, String), usize> {
    let document = roxmltree::Document::parse(svg).expect("well-formed");
    let mut found = std::collections::BTreeMap::new();
    for node in document.descendants() {
        let (tag, color) = (node.tag_name().name(), node.attribute("fill").unwrap_or("none"));
        // White is the background.
        if ["circle", "polygon", "rect"].contains(&tag) && !["none", "#FFFFFF"].contains(&color) {
            let corners = node.attribute("points").map_or(0, |all| all.split_whitespace().count());
            *found.entry((color.into(), format!("{tag}{corners}"))).or_insert(0) += 1;
        }
    }
    found
}

#[test]
fn a_legend_shows_the_marks_of_its_lines() {
    let line = |count: u32, unmarked| Series {
        label: format!("{count}"),
        points: (0..count).map(|i| Point::new(f64::from(i), f64::from(i))).collect(),
        unmarked,
        ..Series::default()
    };
    let of = |series: Vec<Series>| marks(&Chart { series, ..chart() }.svg().expect("drawn"));
    // Eight lines have all shapes: each is once in the legend, beside its five points.
    let all = of((0..8).map(|_| line(5, false)).collect());
    // The eighth line has the first one's color, and a diamond instead of its circle.
    assert_eq!((all.len(), all.values().sum::<usize>()), (8, 8 * 6), "{all:?}");
    assert!(all.values().all(|count| *count == 6), "{all:?}");
    // Lines without marks have none in the legend: those told so, and those of many points.
    assert_eq!(of(vec![line(5, true), line(61, false)]), std::collections::BTreeMap::new());
    assert_eq!(of(vec![line(60, false)]).values().sum::<usize>(), 61);
    // A cloud's specimen is as small and as pale as its points.
    let cloud = Series { scattered: true, ..line(5, false) };
    let svg = Chart { series: vec![cloud], ..chart() }.svg().expect("drawn");
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    let circles: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("circle"))
        .map(|node| (node.attribute("r"), node.attribute("opacity")))
        .collect();
    assert!(circles.len() == 6 && circles.iter().all(|one| *one == circles[0]), "{circles:?}");
}

#[test]
fn a_map_is_the_darker_the_higher_and_white_at_zero() {
    // Two columns, three rows: the lowest right is highest, the uppermost row empty.
    let map = HeatMap {
        title: "a room".into(),
        value_label: "density".into(),
        low: [-1.0, 2.0],
        side: 0.5,
        columns: 2,
        values: vec![1.0, 4.0, 2.0, 3.0, 0.0, 0.0],
        ..HeatMap::default()
    };
    let decoded = tiny_skia::Pixmap::decode_png(&map.png().expect("drawn")).expect("a PNG");
    // Higher than wide: the picture is cut to it.
    let width = decoded.width() as usize;
    assert!(width < 1100 && decoded.height() == SIZE.1 * SCALE, "{width}");
    let light = |i: usize| {
        let pixel = decoded.pixels()[i];
        u32::from(pixel.red()) + u32::from(pixel.green()) + u32::from(pixel.blue())
    };
    // Squares are square, and 900 or so pixels high in all: the colors of four, apart from the
    // scale's, whose shades are narrow.
    let mut large = std::collections::HashMap::new();
    decoded.pixels().iter().for_each(|pixel| {
        *large.entry([pixel.red(), pixel.green(), pixel.blue()]).or_insert(0) += 1
    });
    let squares: Vec<_> =
        large.iter().filter(|&(_, &count)| (40_000..200_000).contains(&count)).collect();
    assert_eq!(squares.len(), 4, "{squares:?}");
    let sides = squares.iter().map(|(_, count)| f64::from(**count).sqrt());
    assert!(
        sides.clone().all(|side| (side - sides.clone().next().unwrap_or(0.0)).abs() < 3.0),
        "{squares:?}"
    );
    // Up from below in the left column, then the right one: at a place in each square.
    let place = |color: [u8; 3]| {
        let all = || {
            decoded
                .pixels()
                .iter()
                .enumerate()
                .filter(move |(_, p)| [p.red(), p.green(), p.blue()] == color)
        };
        let (count, sum) =
            all().fold((0, [0, 0]), |(n, [x, y]), (i, _)| (n + 1, [x + i % width, y + i / width]));
        [sum[0] / count, sum[1] / count]
    };
    let mut places: Vec<[usize; 2]> = squares.iter().map(|(color, _)| place(**color)).collect();
    places.sort_by_key(|[x, y]| (usize::MAX - y / 20, *x));
    let lights: Vec<u32> = places.iter().map(|[x, y]| light(y * width + x)).collect();
    assert!(
        lights[0] > lights[2] && lights[2] > lights[3] && lights[3] > lights[1],
        "{lights:?} at {places:?}"
    );
    let [[x, _], [_, y]] = [places[0], places[2]];
    assert_eq!(light((y - (places[0][1] - y)) * width + x), 3 * 255, "no boid is in the upper row");
    let none = HeatMap { values: vec![0.0; 6], ..map.clone() };
    assert!(
        none.png().is_err() && HeatMap { values: vec![f64::NAN; 6], ..map.clone() }.png().is_err()
    );
    assert!(
        HeatMap { values: vec![1.0; 5], ..map.clone() }.png().is_err()
            && HeatMap { columns: 0, ..map }.png().is_err()
    );
}

#[test]
fn a_grid_has_a_cell_for_each_pair_and_a_line_across_where_there_is_no_answer() {
    let grid = HeatGrid {
        title: "order".into(),
        x_label: "noise (radians)".into(),
        y_label: "boids".into(),
        value_label: "polarization".into(),
        x_edges: HeatGrid::edges_around(&[0.0, 1.0, 3.0]),
        y_edges: HeatGrid::edges_around(&[100.0, 200.0]),
        values: vec![Some(0.1), Some(0.5), Some(0.9), Some(0.2), None, Some(0.8)],
        scale: HeatGrid::scale_of(&[Some(0.1), Some(0.9)]),
        ..HeatGrid::default()
    };
    assert_eq!((&grid.x_edges[..], grid.scale), (&[-0.5, 0.5, 2.0, 4.0][..], [0.0, 0.9]));
    assert_eq!(HeatGrid::edges_around(&[7.0]), [6.5, 7.5]);
    assert_eq!(
        HeatGrid::scale_of(&[Some(2.0), None, Some(2.0)]),
        [1.0, 3.0],
        "of equal values too, a scale has a length"
    );
    let svg = grid.svg().expect("drawn");
    let found = texts(&svg);
    for text in ["order", "noise (radians)", "boids", "polarization", "0.0", "0.8", "100", "200"] {
        assert!(found.iter().any(|known| known == text), "{text} is missing: {found:?}");
    }
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    let large = |node: &roxmltree::Node<'_, '_>| {
        let side =
            |name| node.attribute(name).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
        node.has_tag_name("rect") && side("width") > 100.0 && side("height") > 100.0
    };
    let fills: std::collections::HashSet<_> =
        document.descendants().filter(large).filter_map(|node| node.attribute("fill")).collect();
    assert_eq!(fills.len(), 5 + 1, "five values and the background: {fills:?}");
    assert_eq!(grid.png().expect("drawn")[1..4], *b"PNG");
    for wrong in [
        HeatGrid { values: vec![None; 6], ..grid.clone() },
        HeatGrid { values: vec![Some(1.0); 5], ..grid.clone() },
        HeatGrid { y_edges: vec![1.0], ..grid.clone() },
        HeatGrid { x_edges: vec![0.0, 1.0, 1.0, 2.0], ..grid.clone() },
        HeatGrid { scale: [1.0, 1.0], ..grid.clone() },
        HeatGrid { scale: [f64::NAN, 1.0], ..grid.clone() },
    ] {
        assert!(wrong.svg().is_err() && wrong.png().is_err(), "{wrong:?}");
    }
}

#[test]
fn panels_share_their_horizontal_axis() {
    let mut second =
        Chart { title: String::new(), y_label: "speed (length/time)".into(), ..chart() };
    second.series[0].points.push(Point::new(20.0, 1000.0));
    let first = Chart { x_label: String::new(), ..chart() };
    let svg = Panels(vec![first, second]).svg().expect("drawn");
    let found = texts(&svg);
    let count = |text: &str| found.iter().filter(|known| *known == text).count();
    // The ticks of one axis, though only the lower chart reaches so far.
    assert_eq!(
        (
            count("20"),
            count("noise (radians)"),
            count("polarization"),
            count("speed (length/time)")
        ),
        (4, 2, 2, 2),
        "each is found twice: {found:?}"
    );
    assert!(
        svg.contains("width=\"960\"") && !svg.contains("height=\"600\" viewBox"),
        "higher than one chart"
    );
    let mut lone = Chart { x_label: String::new(), ..chart() };
    lone.series.truncate(1);
    lone.series[0].label.clear();
    let circles =
        |charts: Vec<Chart>| Panels(charts).svg().expect("drawn").matches("<circle").count();
    // The first line of a chart has six points; with a name, it has a specimen too.
    assert_eq!(circles(vec![chart(), chart()]), 2 * (6 + 1));
    assert_eq!(circles(vec![lone, chart()]), 6 + (6 + 1));
    assert!(
        Panels(Vec::new()).svg().is_err() && Panels(vec![chart(); MOST_PANELS + 1]).png().is_err()
    );
}

#[test]
fn everything_lies_inside() {
    let long = "a name so long that it would not fit beside anything, let alone beside a chart of \
        six points"
        .repeat(4);
    let mut wide = chart();
    wide.title = long.clone();
    wide.legend = long.clone();
    wide.series[0].label = long;
    let far = |x: f64, y: f64| Chart {
        series: vec![Series {
            points: vec![Point::new(x, y), Point::with_error(-x, -y, y.abs())],
            ..Series::default()
        }],
        ..chart()
    };
    for chart in [wide, far(1e300, 1e-300), far(0.0, 0.0), far(1.0, 3e9), far(-7.0, 1e-7)] {
        let svg = chart.svg().expect("drawn");
        for (x, y) in coordinates(&svg) {
            let inside = (0.0..=f64::from(SIZE.0 * SCALE)).contains(&x)
                && (0.0..=f64::from(SIZE.1 * SCALE)).contains(&y);
            assert!(inside, "{x}, {y}");
        }
    }
}

#[test]
fn a_png_has_text_and_lines_on_white() {
    let decoded = tiny_skia::Pixmap::decode_png(&chart().png().expect("drawn")).expect("a PNG");
    assert_eq!((decoded.width(), decoded.height()), (SIZE.0 * SCALE, SIZE.1 * SCALE));
    let count = |rgb: [u8; 3]| {
        decoded.pixels().iter().filter(|p| [p.red(), p.green(), p.blue()] == rgb).count()
    };
    assert!(count([255, 255, 255]) > 2_000_000, "white: {}", count([255, 255, 255]));
    assert!(count([0, 114, 178]) > 3000, "the first line: {}", count([0, 114, 178]));
    assert!(count([213, 94, 0]) > 3000, "the second: {}", count([213, 94, 0]));
    assert!(count([34, 38, 43]) > 2000, "text: {}", count([34, 38, 43]));
    let mut silent = chart();
    silent.title.clear();
    let less = tiny_skia::Pixmap::decode_png(&silent.png().expect("drawn")).expect("a PNG");
    let title = |picture: &tiny_skia::Pixmap| {
        picture.pixels()[..1920 * 90].iter().filter(|p| p.red() < 100).count()
    };
    assert!(title(&decoded) > 500 && title(&less) == 0, "the title's letters: {}", title(&decoded));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let mut crowd = chart();
    crowd.series = vec![crowd.series[0].clone(); MOST_SERIES + 1];
    assert!(crowd.svg().expect_err("too many").to_string().contains("15 lines"));
    let mut empty = chart();
    empty.series.truncate(1);
    empty.series[0].points =
        vec![Point::new(f64::NAN, 1.0), Point::with_error(1.0, 1.0, f64::INFINITY)];
    assert!(empty.png().expect_err("nothing").to_string().contains("nothing to draw"));
    // Beside numbers they are left out.
    empty.series[0].points.push(Point::new(1.0, 2.0));
    assert!(empty.svg().is_ok());
}
