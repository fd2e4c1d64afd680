//! What engineers ask of a crowd, by cells: lattices whose cells are known, and numbers of another
//! program.

use wingbeat_measure::{Area, DensityMap, Voronoi};
use wingbeat_record::Recording;

use crate::recorded;

fn area(corners: [f64; 4]) -> Area {
    Area::new(corners).expect("an area")
}

fn voronoi(radius: f64) -> Voronoi {
    Voronoi::new(radius, None).expect("a radius")
}

/// People at these places who move along x at these speeds, per second, in two frames.
fn people(people: &[([f64; 2], f64)]) -> Recording {
    let row = |frame: usize, id: usize| {
        let ([x, y], speed) = people[id];
        format!("{id} {frame} {} {y}\n", x + speed * frame as f64 / 10.0)
    };
    let rows: String =
        (0..2).flat_map(|frame| (0..people.len()).map(move |id| row(frame, id))).collect();
    recorded("people.txt", rows, 10.0)
}

#[track_caller]
fn near(value: f64, wanted: f64) {
    assert!((value - wanted).abs() <= 1e-12 * wanted.abs(), "{value}, wanted {wanted}");
}

#[test]
fn cells_of_a_square_lattice_are_squares() {
    let a = 0.45;
    // A row by y moves at a speed of its own.
    let lattice: Vec<_> = (0..144)
        .map(|k| ([f64::from(k % 12) * a, f64::from(k / 12) * a], 0.25 * f64::from(k / 12)))
        .collect();
    let recording = people(&lattice);
    let frame = recording.frame(0).expect("a frame");
    // Anywhere inside, however it lies to the lattice, where counting heads gives 4 or 6 or 9 of
    // them.
    for corners in [[1.0, 1.0, 2.0, 2.0], [1.3, 1.21, 2.0, 2.2], [2.0, 2.0, 2.01, 2.01]] {
        near(area(corners).voronoi(&frame, &voronoi(2.0)).density, 1.0 / (a * a));
    }
    let around = area([4.0 * a, 4.0 * a, 5.0 * a, 5.0 * a]);
    let measured = around.voronoi(&frame, &voronoi(2.0));
    near(measured.speed.expect("a speed"), 0.5 * (0.25 * 4.0 + 0.25 * 5.0));
    let cells = voronoi(2.0).cells(&frame, Some(&around));
    let inner = cells.iter().filter(|cell| (cell.size - a * a).abs() < 1e-12).count();
    assert!(inner > 50 && cells.len() > inner, "{inner} of {}", cells.len());
    // Cut before they touch, cells are polygons of twelve corners with a size of 3 r².
    let apart = around.voronoi(&frame, &voronoi(0.2));
    near(apart.density, 4.0 * 0.25 / (a * a));
    near(voronoi(0.2).cells(&frame, Some(&around))[0].size, 3.0 * 0.2 * 0.2);
}

#[test]
fn crowds_of_one_and_of_two_on_a_spot() {
    let recording = people(&[([1.0, 1.0], 0.0)]);
    let (frame, all) = (recording.frame(0).expect("a frame"), area([-5.0, -5.0, 5.0, 5.0]));
    near(all.voronoi(&frame, &voronoi(2.0)).density, 0.01);
    near(area([0.9, 0.9, 1.1, 1.3]).voronoi(&frame, &voronoi(2.0)).density, 1.0 / 12.0);
    let far = area([3.5, 3.5, 4.0, 4.0]).voronoi(&frame, &voronoi(2.0));
    assert_eq!((far.density, far.speed), (0.0, None));
    // Walls: a cell ends there, and who is outside has none.
    let room = Voronoi::new(2.0, Some(area([0.0, 0.0, 4.0, 1.5]))).expect("a room");
    near(
        area([0.9, 0.9, 1.1, 1.3]).voronoi(&frame, &room).density,
        1.0 / room.cells(&frame, Some(&all))[0].size,
    );
    let corners = &room.cells(&frame, Some(&all))[0].corners;
    assert!(
        corners.iter().all(|[x, y]| (0.0..=3.0).contains(x) && (0.0..=1.5).contains(y)),
        "{corners:?}"
    );
    assert!(
        Voronoi::new(2.0, Some(area([2.0, 0.0, 4.0, 0.5])))
            .expect("a room")
            .cells(&frame, Some(&all))
            .is_empty()
    );
    let recording = people(&[([1.0, 1.0], 0.0), ([1.0, 1.0], 0.0)]);
    near(
        area([0.9, 0.9, 1.1, 1.3])
            .voronoi(&recording.frame(0).expect("a frame"), &voronoi(2.0))
            .density,
        2.0 / 12.0,
    );
    assert!(
        [0.0, -1.0, f64::NAN, f64::INFINITY]
            .iter()
            .all(|&radius| Voronoi::new(radius, None).is_err())
    );
}

/// Eight people as PedPy 1.5.1 measures them: `compute_individual_voronoi_polygons` with
/// `Cutoff(radius, quad_segments=3)` in a large walkable area and in the room 0…5 × 0…3, then
/// `compute_voronoi_density` and `compute_voronoi_speed` (`SpeedCalculation.BORDER_SINGLE_SIDED`,
/// one frame) in 0.5…2 × 0.5…2.
#[test]
fn eight_people_measure_as_in_pedpy() {
    let eight = [
        ([0.2, 0.3], 0.5),
        ([1.1, 0.4], 1.0),
        ([0.7, 1.2], 0.25),
        ([1.9, 1.3], 1.5),
        ([0.3, 2.1], 0.75),
        ([2.4, 0.2], 1.25),
        ([1.4, 2.3], 2.0),
        ([4.5, 2.5], 0.1),
    ];
    let recording = people(&eight);
    let room = Some(area([0.0, 0.0, 5.0, 3.0]));
    let measured_in = area([0.5, 0.5, 2.0, 2.0]);
    let cases = [
        (1.0, None, 0.6809728702047937),
        (1.0, room, 0.8129113990284087),
        (2.0, None, 0.5332814993440658),
        (2.0, room, 0.7433396084255866),
    ];
    for (radius, walkable, density) in cases {
        let cells = Voronoi::new(radius, walkable).expect("a radius");
        let measured = measured_in.voronoi(&recording.frame(0).expect("a frame"), &cells);
        near(measured.density, density);
        near(measured.speed.expect("a speed"), 1.016983725877397);
    }
    let mut sizes: Vec<f64> = voronoi(2.0)
        .cells(&recording.frame(0).expect("a frame"), Some(&measured_in))
        .iter()
        .map(|cell| cell.size)
        .collect();
    sizes.sort_by(f64::total_cmp);
    let wanted = [
        1.1633798725352669,
        2.1750881749084985,
        2.318773531892412,
        4.693658257306643,
        5.484972929706354,
        5.959952999208324,
        6.46046736018796,
    ];
    assert_eq!(sizes.len(), wanted.len(), "the eighth is too far away to reach in: {sizes:?}");
    sizes.iter().zip(wanted).for_each(|(&size, wanted)| near(size, wanted));
}

#[test]
fn maps_have_the_mean_and_the_peak_of_each_square() {
    // One stands, one walks a square of 0.5 a frame, two are in the same square in the last frame.
    let text = "1 0 0.1 0.1\n1 1 0.1 0.1\n1 2 0.1 0.1\n1 3 0.1 0.1\n2 0 0.2 0.7\n2 1 0.7 0.7\n\
        2 2 1.2 0.7\n2 3 0.3 0.3\n";
    let recording = recorded("a.txt", text, 1.0);
    let mut map = DensityMap::new(&recording, 0.5, None).expect("a map");
    recording
        .frames()
        .map(|frame| frame.expect("a frame"))
        .for_each(|frame| map.count(&frame, None));
    assert_eq!((map.columns(), map.rows(), map.area().corners()), (3, 2, [[0.0, 0.0], [1.5, 1.0]]));
    assert_eq!(map.mean(), [5.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    assert_eq!(map.peak(), [8.0, 0.0, 0.0, 4.0, 4.0, 4.0]);
    // On a part of it, with edges that are no binary fractions; who is elsewhere does not count.
    let mut part =
        DensityMap::new(&recording, 0.1, Some(&area([0.0, 0.0, 0.3, 0.2]))).expect("a map");
    assert_eq!((part.columns(), part.rows()), (3, 2));
    recording
        .frames()
        .map(|frame| frame.expect("a frame"))
        .for_each(|frame| part.count(&frame, None));
    assert_eq!(part.mean().iter().filter(|density| **density > 0.0).count(), 1);
    for side in [0.0, -1.0, f64::NAN, 1e-4] {
        assert!(DensityMap::new(&recording, side, None).is_err(), "{side}");
    }
}

#[test]
fn maps_by_cells_are_flat_where_the_lattice_is() {
    let a = 0.5;
    let lattice: Vec<_> =
        (0..100).map(|k| ([f64::from(k % 10) * a, f64::from(k / 10) * a], 0.0)).collect();
    let recording = people(&lattice);
    let inner = area([1.0, 1.0, 3.5, 3.5]);
    // Middles of the squares of 0.5 lie on the edges of the cells: each has one of the two.
    for side in [0.5, 0.125, 0.3] {
        let mut map = DensityMap::new(&recording, side, Some(&inner)).expect("a map");
        recording
            .frames()
            .map(|frame| frame.expect("a frame"))
            .for_each(|frame| map.count(&frame, Some(&voronoi(2.0))));
        map.mean().iter().chain(map.peak()).for_each(|&density| near(density, 4.0));
    }
    // All squares together hold as many as there are.
    let mut map =
        DensityMap::new(&recording, 0.01, Some(&area([-2.0, -2.0, 7.0, 7.0]))).expect("a map");
    map.count(&recording.frame(0).expect("a frame"), Some(&voronoi(1.0)));
    let persons = map.mean().iter().fold(0.0, |sum, density| sum + density) * 0.01 * 0.01;
    assert!((persons - 100.0).abs() < 0.1, "{persons}");
    // And lie where they are: a cell around 0.3, 0.2 has its middle there.
    let mut map =
        DensityMap::new(&recording, 0.02, Some(&area([-2.0, -2.0, 2.0, 2.0]))).expect("a map");
    map.count(&people(&[([0.3, 0.2], 0.0)]).frame(0).expect("a frame"), Some(&voronoi(1.0)));
    let mean = map.mean();
    let total = mean.iter().fold(0.0, |sum, density| sum + density);
    let along = |place: fn(usize, usize) -> usize| {
        let sum = mean
            .iter()
            .enumerate()
            .fold(0.0, |sum, (i, density)| sum + density * place(i, map.columns()) as f64);
        -2.0 + 0.02 * (sum / total + 0.5)
    };
    let middle = [along(|i, columns| i % columns), along(|i, columns| i / columns)];
    assert!((middle[0] - 0.3).abs() < 0.003 && (middle[1] - 0.2).abs() < 0.003, "{middle:?}");
}
