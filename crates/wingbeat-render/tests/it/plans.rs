//! Maps with floor plans: walls, exits, and what was never visited.

use wingbeat_render::plot::{FloorPlan, HeatGrid, HeatMap, PlanExit};

use crate::charts::texts;

/// A map of 6 by 4 squares with a plan: floor is everywhere but in the first and the last column, a
/// wall stands between the second and the third, an obstacle fills a square.
fn planned() -> HeatMap {
    let square = |x: f64, y: f64| vec![[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]];
    let corners = [[4.0, 2.0], [5.0, 2.0], [5.0, 3.0], [4.0, 3.0], [4.0, 2.0]];
    let exit = PlanExit {
        name: "<door>".into(),
        lines: corners.windows(2).map(|pair| [pair[0], pair[1]]).collect(),
    };
    let plan = FloorPlan {
        walls: vec![[[2.0, -50.0], [2.0, 50.0]]],
        obstacles: vec![square(3.0, 0.0)],
        exits: vec![exit],
        walkable: (0..24).map(|i| (1..5).contains(&(i % 6))).collect(),
        walkable_label: "unvisited".into(),
    };
    let mut values = vec![0.0; 24];
    (values[7], values[2]) = (1.0, 2.0);
    HeatMap {
        title: "a hall".into(),
        side: 1.0,
        columns: 6,
        values,
        plan: Some(plan),
        ..HeatMap::default()
    }
}

/// The color of a PNG at a place of [`planned`], whose axes begin at 0 and have the same scale: the
/// squares' corner and side are those of the plain map's two colored squares.
fn color_at(png: &[u8], place: [f64; 2]) -> [u8; 3] {
    let picture = tiny_skia::Pixmap::decode_png(png).expect("a PNG");
    let plain = HeatMap { plan: None, ..planned() }.png().expect("drawn");
    let plain = tiny_skia::Pixmap::decode_png(&plain).expect("a PNG");
    let width = plain.width() as usize;
    // Square 7, of the value in the middle of the scale, as large as no other patch of its color.
    let color = {
        let mut counts = std::collections::HashMap::new();
        plain.pixels().iter().for_each(|pixel| {
            let [r, g, b] = [pixel.red(), pixel.green(), pixel.blue()];
            let is_gray = r == g && g == b;
            *counts.entry([r, g, b]).or_insert(0_u32) += u32::from(!is_gray);
        });
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        // Of the two, the lower value is the lighter.
        let light = |color: &[u8; 3]| color.iter().map(|&x| u32::from(x)).sum::<u32>();
        [counts[0].0, counts[1].0].into_iter().max_by_key(light).expect("two")
    };
    let of = |i: usize| {
        let pixel = plain.pixels()[i];
        [pixel.red(), pixel.green(), pixel.blue()] == color
    };
    let inside: Vec<[usize; 2]> = (0..plain.pixels().len())
        .filter(|&i| of(i) && i % width < width * 3 / 4)
        .map(|i| [i % width, i / width])
        .collect();
    let end = |a: usize, most: bool| {
        let all = inside.iter().map(|place| place[a]);
        if most { all.max() } else { all.min() }.expect("a square") as f64
    };
    let side = end(0, true) - end(0, false) + 1.0;
    let x = end(0, false) + (place[0] - 1.0) * side;
    let y = end(1, true) + 1.0 - (place[1] - 1.0) * side;
    let pixel = picture.pixel(x as u32, y as u32).expect("inside");
    [pixel.red(), pixel.green(), pixel.blue()]
}

#[test]
fn a_plan_lies_over_the_map_and_tints_what_was_not_visited() {
    let map = planned();
    let png = map.png().expect("drawn");
    let plain = HeatMap { plan: None, ..map.clone() }.png().expect("drawn");
    let at = |x: f64, y: f64| color_at(&png, [x, y]);
    let dark = |color: [u8; 3]| color.iter().all(|&x| x < 80);
    // Over values and over nothing, as far as the plane reaches.
    for y in [0.3, 1.5, 2.5, 3.7] {
        assert!(dark(at(2.0, y)), "the wall at {y}: {:?}", at(2.0, y));
    }
    let tint = at(1.5, 2.5);
    assert!(tint != [255; 3] && tint.iter().all(|&x| x > 200), "{tint:?}");
    assert_eq!([at(2.5, 3.5), at(4.5, 0.5)], [tint; 2]);
    for y in [0.5, 2.5] {
        assert_eq!([at(0.5, y), at(5.5, y)], [[255; 3]; 2], "outside of the floor");
    }
    let [r, g, b] = at(3.5, 0.5);
    assert!((140..200).contains(&r) && r.abs_diff(g) < 8 && g.abs_diff(b) < 8, "{r} {g} {b}");
    let [r, g, b] = at(4.5, 2.0);
    assert!(g > r + 60 && g > b + 20, "the exit: {r} {g} {b}");
    // Values have the colors they have without a plan.
    for place in [[1.5, 1.5], [2.5, 0.5]] {
        assert_eq!(color_at(&png, place), color_at(&plain, place));
    }
    let plan = map.plan.clone().expect("a plan");
    let nan = FloorPlan { walls: vec![[[0.0, 0.0], [f64::NAN, 1.0]]], ..plan.clone() };
    for wrong in [nan, FloorPlan { walkable: vec![true; 3], ..plan }] {
        let error = HeatMap { plan: Some(wrong), ..map.clone() }.png().expect_err("refused");
        assert!(error.to_string().contains("the plan cannot be drawn"), "{error}");
    }
}

#[test]
fn a_plan_is_drawn_as_lines_of_an_svg_too() {
    let HeatMap { plan, values, .. } = planned();
    let grid = HeatGrid {
        x_edges: (0..=6).map(f64::from).collect(),
        y_edges: (0..=4).map(f64::from).collect(),
        values: values.into_iter().map(|value| (value > 0.0).then_some(value)).collect(),
        scale: [0.0, 2.0],
        plain_gaps: true,
        plan,
        ..HeatGrid::default()
    };
    let svg = grid.svg().expect("drawn");
    let found = texts(&svg);
    assert!(["<door>", "unvisited"].iter().all(|text| found.iter().any(|known| known == text)));
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    let with = |tag: &str, attribute: &str, value: &str| {
        let found = document
            .descendants()
            .filter(|node| node.has_tag_name(tag) && node.attribute(attribute) == Some(value));
        found.count()
    };
    // Squares of the floor without a value, and the legend's; the exit is one stroke.
    assert_eq!(with("rect", "fill", "#DEE7F2"), 16 - 2 + 1);
    assert_eq!(
        (with("polyline", "stroke", "#007855"), with("polyline", "stroke", "#22262B")),
        (1, 1)
    );
    assert_eq!(with("polygon", "fill", "#A8ABB0"), 1);
    // Without any such square the legend has none.
    let full = HeatGrid { values: vec![Some(1.0); 24], ..grid.clone() };
    assert!(!full.svg().expect("drawn").contains("unvisited"));
}
