//! What is true of every picture.

use wingbeat_render::{
    Background, Boids, Bounds, Camera, Color, Fit, Image, Painter, RenderError, Rgb, Style, gif,
    png, size_for, svg,
};

/// A flock of random places and headings in a box of side 10.
struct Flock {
    ids: Vec<u64>,
    positions: Vec<Vec<f32>>,
    velocities: Vec<Vec<f32>>,
}

impl Flock {
    fn new(count: u64, dimensions: usize) -> Self {
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1u32 << 24) as f32
        };
        let mut columns = |scale: f32, low: f32| -> Vec<Vec<f32>> {
            (0..dimensions).map(|_| (0..count).map(|_| next() * scale + low).collect()).collect()
        };
        Self {
            ids: (0..count).collect(),
            positions: columns(10.0, 0.0),
            velocities: columns(2.0, -1.0),
        }
    }

    fn one(position: &[f32], velocity: &[f32]) -> Self {
        let column = |values: &[f32]| values.iter().map(|&x| vec![x]).collect();
        Self { ids: vec![0], positions: column(position), velocities: column(velocity) }
    }

    fn boids(&self) -> Boids<'_> {
        Boids::new(1.5, &self.ids, &self.positions, &self.velocities).expect("boids")
    }

    /// Every boid a step on.
    fn step(&mut self) {
        for (x, v) in self.positions.iter_mut().zip(&self.velocities) {
            x.iter_mut().zip(v).for_each(|(x, v)| *x += v * 0.3);
        }
    }
}

const BOX: Bounds = Bounds { min: [0.0; 3], max: [10.0; 3], periodic: false };

fn plain() -> Style {
    Style { labels: false, flat: true, ..Style::default() }
}

fn painter(style: Style) -> Painter {
    Painter::new([200, 200], style, Camera::default(), Some(BOX)).expect("a painter")
}

/// The colour of empty sky.
fn sky(style: &Style) -> Rgb {
    let no_boids = Flock { ids: vec![], positions: vec![vec![]; 2], velocities: vec![vec![]; 2] };
    painter(style.clone()).draw(&no_boids.boids()).at(100, 100)
}

#[test]
fn same_bytes_on_any_number_of_threads() {
    for dimensions in [2, 3] {
        let draw = |threads| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let style = Style { trails: 5, color: Color::Speed, ..Style::default() };
            let mut painter =
                Painter::new([640, 360], style, Camera::default(), Some(BOX)).expect("a painter");
            let mut flock = Flock::new(20_000, dimensions);
            pool.install(|| {
                for _ in 0..4 {
                    painter.draw(&flock.boids());
                    flock.step();
                }
            });
            painter.image().clone()
        };
        let one = draw(1);
        assert!([2, 3, 7].into_iter().all(|threads| draw(threads) == one));
    }
}

/// Where the middle of what is drawn on the sky lies, and how many pixels it covers; colours count
/// by how far they are from it.
fn middle(image: &Image, empty: Rgb) -> ([f64; 2], usize) {
    let (mut sum, mut weight, mut count) = ([0.0; 2], 0.0, 0);
    for (x, y) in (20..180).flat_map(|x| (20..180).map(move |y| (x, y))) {
        let off: u32 =
            image.at(x, y).iter().zip(empty).map(|(&a, b)| u32::from(a.abs_diff(b))).sum();
        let off = f64::from(off);
        (sum[0], sum[1], weight) =
            (sum[0] + off * (x as f64 + 0.5), sum[1] + off * (y as f64 + 0.5), weight + off);
        count += usize::from(off > 0.0);
    }
    (sum.map(|sum| sum / weight), count)
}

#[test]
fn a_boid_is_where_it_is_and_points_where_it_flies() {
    let style = Style { length: Some(7.0), ..plain() };
    let empty = sky(&style);
    // The box of side 10 has 190 pixels, 5 are left around it.
    let pixel = |x: f32| 5.0 + 19.0 * f64::from(x);
    // From the boid's place forwards to the middle of the arrowhead of length 7, which is a
    // triangle less the one of its notch.
    let (triangle, bay) = (1.0, 0.42 - 0.2);
    let forward =
        7.0 * (triangle * (0.58 - 2.0 / 3.0) - bay * (-0.42 + bay / 3.0)) / (triangle - bay);
    for (x, y) in [(5.0, 5.0), (2.5, 7.25), (8.0, 3.125)] {
        for (vx, vy) in [(1.0, 0.0), (0.0, 2.0), (-3.0, 0.0), (0.0, -1.0), (0.6, 0.8)] {
            let image =
                painter(style.clone()).draw(&Flock::one(&[x, y], &[vx, vy]).boids()).clone();
            let (found, count) = middle(&image, empty);
            let speed = f64::from((vx * vx + vy * vy).sqrt());
            let wanted = [
                pixel(x) + forward * f64::from(vx) / speed,
                200.0 - pixel(y) - forward * f64::from(vy) / speed,
            ];
            let near = found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 0.2);
            assert!(
                near && (8..40).contains(&count),
                "{x}, {y} by {vx}, {vy}: {found:?}, wanted {wanted:?}; {count} pixels"
            );
        }
    }
    // A longer one, seen whole: the tip is 0.58 of its length before the boid, the tail 0.42
    // behind.
    let long = Style { length: Some(30.0), ..plain() };
    let image = painter(long).draw(&Flock::one(&[5.0, 5.0], &[1.0, 0.0]).boids()).clone();
    let lit: Vec<usize> =
        (20..180).filter(|&x| (20..180).any(|y| image.at(x, y) != empty)).collect();
    assert!((85..=88).contains(&lit[0]) && (115..=118).contains(&lit[lit.len() - 1]), "{lit:?}");
    let height = |x: usize| (20..180).filter(|&y| image.at(x, y) != empty).count();
    assert!(height(114) < height(lit[0] + 3), "{} {}", height(114), height(lit[0] + 3));
}

#[test]
fn the_near_hide_the_far() {
    // Two of different headings on one line of sight, either first.
    let camera = Camera { azimuth: 0.0, elevation: 0.0, ..Camera::default() };
    let seen = |x: [f32; 2]| {
        let flock = Flock {
            ids: vec![0, 1],
            positions: vec![x.to_vec(), vec![5.0; 2], vec![5.0; 2]],
            velocities: vec![vec![0.0; 2], vec![1.0, -1.0], vec![0.0; 2]],
        };
        let style = Style { length: Some(40.0), ..plain() };
        let mut painter = Painter::new([200, 200], style, camera, Some(BOX)).expect("a painter");
        painter.draw(&flock.boids()).at(100, 100)
    };
    let (first, second) = (seen([9.0, 1.0]), seen([1.0, 9.0]));
    // Headings along +y are yellow-green, along -y blue-violet.
    assert!(first[1] > first[2] && second[2] > second[1], "{first:?} {second:?}");
}

#[test]
fn trails_follow_and_do_not_cross_a_periodic_box() {
    let lit = |periodic: bool, trails: usize| {
        let bounds = Bounds { periodic, ..BOX };
        let style = Style { trails, length: Some(6.0), ..plain() };
        let mut painter =
            Painter::new([200, 200], style, Camera::default(), Some(bounds)).expect("a painter");
        painter.remember(&Flock::one(&[1.0, 5.0], &[1.0, 0.0]).boids());
        let image = painter.draw(&Flock::one(&[9.0, 5.0], &[1.0, 0.0]).boids()).clone();
        let empty = image.at(100, 60);
        (60..140).filter(|&x| image.at(x, 99) != empty || image.at(x, 100) != empty).count()
    };
    assert_eq!((lit(false, 0), lit(false, 3), lit(true, 3)), (0, 80, 0));
}

#[test]
fn colors_say_what_they_are_asked_to() {
    let color = |style: Style, velocity: [f32; 2], species: u8| {
        let flock = Flock::one(&[5.0, 5.0], &velocity);
        let kinds = [species];
        let boids = flock.boids().with_species(&kinds).expect("a species");
        painter(Style { length: Some(60.0), ..style }).draw(&boids).at(100, 102)
    };
    // Around the wheel: red, yellow, green, blue.
    let [east, north, west, south] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
        .map(|v| color(plain(), v, 0).map(i32::from));
    assert!(east[0] > east[1] + 40 && east[0] > east[2] + 10, "{east:?}");
    assert!(north[0] > north[2] + 40 && north[1] > north[2] + 40, "{north:?}");
    assert!(west[1] > west[0] + 40 && west[1] > west[2], "{west:?}");
    assert!(south[2] > south[0] + 40 && south[2] > south[1] + 20, "{south:?}");
    // On the night sky the fast are light.
    let light = |speed: f32| {
        let style = Style { color: Color::Speed, speeds: Some([0.0, 4.0]), ..plain() };
        color(style, [speed, 0.0], 0).iter().map(|&c| u32::from(c)).sum::<u32>()
    };
    assert!(
        light(3.0) > light(2.0) + 20 && light(2.0) > light(1.0) + 20,
        "{} {} {}",
        light(1.0),
        light(2.0),
        light(3.0)
    );
    // A species has its colour whatever it does.
    let species = |v, k| color(Style { color: Color::Species, ..plain() }, v, k);
    let kinds: std::collections::BTreeSet<Rgb> = (0..8).map(|k| species([1.0, 0.0], k)).collect();
    assert_eq!((kinds.len(), species([2.0, 0.0], 3)), (8, species([1.0, 0.0], 3)));
    let [dark, light] = [Background::Dark, Background::Light]
        .map(|background| sky(&Style { background, ..plain() }));
    assert!(dark.iter().all(|&c| c < 80) && light.iter().all(|&c| c > 180));
}

/// Boids that are nowhere leave the picture as it is without them; a boid that is somewhere is
/// seen, whatever its velocity.
#[test]
fn odd_boids_make_pictures_too() {
    for dimensions in [2, 3] {
        let draw = |flock: &Flock, bounds| {
            let style = Style { trails: 2, ..plain() };
            let mut painter =
                Painter::new([64, 64], style, Camera::default(), bounds).expect("a painter");
            painter.draw(&flock.boids());
            painter.draw(&flock.boids()).clone()
        };
        let no_boids = Flock {
            ids: vec![],
            positions: vec![vec![]; dimensions],
            velocities: vec![vec![]; dimensions],
        };
        for bounds in [None, Some(BOX)] {
            let empty = draw(&no_boids, bounds);
            for x in [f32::NAN, f32::INFINITY, 1e30, -1e30, 0.0, 5.0] {
                for v in [f32::NAN, f32::INFINITY, 1e30, -1e30, 0.0, 5.0] {
                    let image =
                        draw(&Flock::one(&vec![x; dimensions], &vec![v; dimensions]), bounds);
                    // In open space the picture follows who is there.
                    let seen =
                        if bounds.is_some() { (0.0..=10.0).contains(&x) } else { x.is_finite() };
                    assert_eq!(
                        image != empty,
                        seen,
                        "{dimensions}-D, at {x} by {v}, in {bounds:?}"
                    );
                    assert!(image.pixels().chunks_exact(4).all(|pixel| pixel[3] == 255));
                }
            }
        }
    }
}

#[test]
fn files_hold_the_picture() {
    let flock = Flock::new(300, 2);
    let mut painter = Painter::new(
        [320, 200],
        Style { flat: true, ..Style::default() },
        Camera::default(),
        Some(BOX),
    )
    .expect("a painter");
    painter.draw(&flock.boids());
    for effort in [png::Effort::Fast, png::Effort::Small] {
        let mut file = Vec::new();
        png::write(painter.image(), effort, &mut file).expect("a PNG");
        let decoded = tiny_skia::Pixmap::decode_png(&file).expect("a PNG");
        assert_eq!(
            (decoded.width(), decoded.height(), decoded.data()),
            (320, 200, painter.image().pixels())
        );
    }

    let mut film = gif::GifWriter::new(Vec::new(), &painter, 4).expect("a GIF");
    let mut other = flock;
    let mut images = Vec::new();
    for _ in 0..3 {
        film.frame(painter.draw(&other.boids())).expect("a frame");
        images.push(painter.image().clone());
        other.step();
    }
    let file = film.finish().expect("a GIF");
    let mut decoder = ::gif::DecodeOptions::new();
    decoder.set_color_output(::gif::ColorOutput::RGBA);
    let mut decoder = decoder.read_info(&file[..]).expect("a GIF");
    let mut canvas = vec![0; 320 * 200 * 4];
    for image in &images {
        let frame = decoder.read_next_frame().expect("a frame").expect("one more");
        assert_eq!((frame.width, frame.height, frame.delay), (320, 200, 4));
        let pixels = canvas.chunks_exact_mut(4).zip(frame.buffer.chunks_exact(4));
        pixels.filter(|(_, new)| new[3] > 0).for_each(|(old, new)| old.copy_from_slice(new));
        // A palette is near, not exact.
        let off: u64 =
            canvas.iter().zip(image.pixels()).map(|(&a, &b)| u64::from(a.abs_diff(b))).sum();
        assert!(off < 320 * 200 * 4 * 4, "{off}");
    }
    assert!(decoder.read_next_frame().expect("the end").is_none());

    let mut text = Vec::new();
    svg::write(&painter.compose(&other.boids()), &mut text).expect("an SVG");
    let text = String::from_utf8(text).expect("UTF-8");
    let document = roxmltree::Document::parse(&text).expect("XML");
    let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
    assert!(count("path") > 150 && count("text") >= 3 && count("line") == 4, "{}", count("path"));
}

#[test]
fn in_the_plane_the_canvas_has_the_shape_of_the_world() {
    let flock = Flock::new(10, 2);
    let wide = Bounds { max: [40.0, 10.0, 0.0], ..BOX };
    assert_eq!(size_for(&flock.boids(), Some(&wide), Fit::Domain, [1920, 1080]), [1920, 480]);
    assert_eq!(size_for(&flock.boids(), Some(&BOX), Fit::Domain, [1920, 1080]), [1080, 1080]);
    assert_eq!(
        size_for(&Flock::new(10, 3).boids(), Some(&BOX), Fit::Domain, [1920, 1080]),
        [1920, 1080]
    );
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let refused = |size, style: Style, camera| {
        Painter::new(size, style, camera, None).expect_err("a refusal").to_string()
    };
    let (size, camera) = ([64, 64], Camera::default());
    assert!(refused([0, 64], plain(), camera).contains("size = 0x64: allowed is 16x16"));
    assert!(
        refused(size, Style { trails: 1001, ..plain() }, camera)
            .contains("trails = 1001: allowed is 0 to 1000")
    );
    assert!(
        refused(size, Style { length: Some(f32::NAN), ..plain() }, camera).contains("length = NaN")
    );
    assert!(
        refused(size, Style { speeds: Some([2.0, 1.0]), ..plain() }, camera)
            .contains("the lower first")
    );
    assert!(
        refused(size, plain(), Camera { elevation: 91.0, ..camera })
            .contains("elevation = 91: allowed is -90 to 90")
    );
    assert!(refused(size, plain(), Camera { zoom: 0.0, ..camera }).contains("zoom = 0"));
    let columns = [vec![0.0; 2], vec![0.0; 3]];
    assert!(matches!(Boids::new(0.0, &[1, 2], &columns, &columns), Err(RenderError::Value { .. })));
    assert!(Boids::new(0.0, &[1], &columns[..1], &columns[..1]).is_err());
    let flock = Flock::new(3, 2);
    assert!(flock.boids().with_species(&[0; 2]).is_err());
}
