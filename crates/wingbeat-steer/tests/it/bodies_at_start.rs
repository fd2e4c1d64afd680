//! Bodies at the start: bodies that overlap are refused by name, or moved apart, and none through a
//! wall.

use wingbeat_steer::body::{OtherBody, Start, check_newcomer};
use wingbeat_steer::{Domain, Obstacle, ObstacleMotion, ObstacleSet, ObstacleShape, Vector, noise};

fn body<V: Vector>(id: u64, position: V, radius: f32) -> OtherBody<V> {
    OtherBody { id, position, velocity: V::origin(), radius, priority: 0.0 }
}

fn obstacles<V: Vector>(shapes: Vec<ObstacleShape<V>>, domain: &Domain<V>) -> ObstacleSet<V> {
    let obstacle =
        |(i, shape)| Obstacle { name: format!("o{i}"), shape, motion: ObstacleMotion::Static };
    let list: Vec<Obstacle<V>> = shapes.into_iter().enumerate().map(obstacle).collect();
    ObstacleSet::new(list.into(), domain).unwrap()
}

/// What is said of a start, and the bodies that it is left with.
fn settled<V: Vector>(
    mut bodies: Vec<OtherBody<V>>,
    domain: &Domain<V>,
    obstacles: &ObstacleSet<V>,
) -> Result<Vec<OtherBody<V>>, String> {
    let mut start = Start { domain, obstacles, near: Box::new(obstacles.all()) };
    start.settle(&mut bodies).map(|()| bodies).map_err(|refusal| refusal.to_string())
}

fn refusal<V: Vector>(
    bodies: &[OtherBody<V>],
    domain: &Domain<V>,
    obstacles: &ObstacleSet<V>,
) -> Option<String> {
    let mut start = Start { domain, obstacles, near: Box::new(obstacles.all()) };
    start.check(bodies).err().map(|(id, refusal)| format!("boid {id}: {refusal}"))
}

/// The least gap there is, pair by pair.
fn worst_gap<V: Vector>(bodies: &[OtherBody<V>], domain: &Domain<V>) -> f64 {
    let mut worst = f64::INFINITY;
    for (i, a) in bodies.iter().enumerate() {
        for b in &bodies[..i] {
            let mut sum = 0.0;
            for axis in 0..V::DIMENSIONS {
                let mut way = f64::from(a.position.axis(axis)) - f64::from(b.position.axis(axis));
                if domain.is_periodic() {
                    let side = f64::from(domain.side(axis));
                    way -= side * (way / side).round();
                }
                sum += way * way;
            }
            worst = worst.min(sum.sqrt() - (f64::from(a.radius) + f64::from(b.radius)));
        }
    }
    worst
}

/// Bodies at random in a box, of radii up to a quarter smaller than the largest.
fn crowd<V: Vector>(
    seed: u64,
    count: u64,
    (low, high): (V, V),
    radius: f32,
    spread: f32,
) -> Vec<OtherBody<V>> {
    let drawn = |id: u64, n: u32| noise::uniform(seed, id, 0, n);
    let place = |id: u64| {
        V::from_fn(|a| low.axis(a) + (high.axis(a) - low.axis(a)) * drawn(id, 100 + a as u32))
    };
    (0..count).map(|id| body(id, place(id), radius * (1.0 - spread * drawn(id, 99)))).collect()
}

#[test]
fn the_first_pair_that_overlaps_is_named_with_both_radii() {
    let (open, none) = (Domain::open(), ObstacleSet::default());
    let mut bodies = vec![
        body(1, [9.0, 9.0], 0.25),
        body(3, [1.0, 2.0], 0.25),
        body(4, [3.0, 2.0], 0.25),
        body(7, [1.0, 2.25], 0.5),
        body(8, [3.0, 2.25], 0.25),
    ];
    let wanted = "boid 7: position = [1.0, 2.25]: allowed is at least 0.75 from boid 3, the radii \
        of both";
    assert!(refusal(&bodies, &open, &none).unwrap().starts_with(wanted));
    bodies[3].position = [1.0, 2.75];
    assert!(
        refusal(&bodies, &open, &none)
            .unwrap()
            .starts_with("boid 8: position = [3.0, 2.25]: allowed is at least 0.5 from boid 4")
    );
    bodies[4].position = [3.0, 2.5];
    assert_eq!(refusal(&bodies, &open, &none), None, "they may touch");
    bodies[4].position = [3.0, 2.5f32.next_down()];
    assert!(refusal(&bodies, &open, &none).is_some(), "by exact arithmetic");
    // Through the faces of a periodic box, along every axis.
    let tank = Domain::periodic([-1.0; 3], [4.0, 5.0, 6.0]);
    for a in 0..3 {
        let at = |x: f32| <[f32; 3]>::from_fn(|axis| if axis == a { x } else { 0.5 });
        let images = vec![body(0, at(-0.75), 0.25), body(5, at(tank.max[a] - 0.125), 0.25)];
        assert!(
            refusal(&images, &tank, &ObstacleSet::default()).unwrap().starts_with("boid 5:"),
            "axis {a}"
        );
        assert_eq!(refusal(&images, &Domain::open(), &ObstacleSet::default()), None);
    }
    let among = check_newcomer(&body(9, [3.0, 2.25], 0.25), bodies.iter().rev().copied(), &open);
    assert!(among.unwrap_err().to_string().contains("at least 0.5 from boid 4"));
    assert!(check_newcomer(&body(9, [5.0, 2.5], 0.25), bodies.into_iter(), &open).is_ok());
}

#[test]
fn bodies_that_reach_into_a_face_or_an_obstacle_is_named() {
    let room = Domain::reflecting([0.0; 2], [10.0; 2]);
    let none = ObstacleSet::default();
    let refused = refusal(&[body(2, [9.9, 5.0], 0.25)], &room, &none).unwrap();
    assert_eq!(
        refused,
        "boid 2: position[0] = 9.9: allowed is 0.25 to 9.75, its radius 0.25 away \
        from the faces of the domain"
    );
    assert!(
        refusal(&[body(2, [9.9, 5.0], 0.25)], &Domain::absorbing([0.0; 2], [10.0; 2]), &none)
            .is_none()
    );
    assert!(refusal(&[body(2, [9.75, 0.25], 0.25)], &room, &none).is_none(), "it may touch");
    let shapes = vec![
        ObstacleShape::Sphere { center: [2.0, 2.0], radius: 0.5 },
        ObstacleShape::Wall { from: [5.0, 0.0], to: [5.0, 5.0] },
        ObstacleShape::Polygon { points: vec![[7.0, 7.0], [9.0, 7.0], [8.0, 9.0]] },
    ];
    let obstacles = obstacles(shapes, &room);
    for (place, name) in
        [([2.5, 2.5], "o0"), ([5.125, 1.0], "o1"), ([8.0, 6.875], "o2"), ([8.0, 8.0], "o2")]
    {
        let refused = refusal(&[body(4, place, 0.25)], &room, &obstacles).unwrap();
        assert_eq!(
            refused,
            format!(
                "boid 4: position = {place:?}: allowed is at least 0.25 from \
            obstacle.{name}, its radius"
            )
        );
    }
    assert!(refusal(&[body(4, [5.25, 1.0], 0.25)], &room, &obstacles).is_none(), "it may touch");
}

#[test]
fn a_start_that_overlaps_nowhere_is_left_as_it_is() {
    let bodies = vec![body(1, [0.0, 0.0], 0.5), body(2, [1.0, 0.0], 0.5), body(3, [0.0, 1.0], 0.5)];
    assert_eq!(settled(bodies.clone(), &Domain::open(), &ObstacleSet::default()).unwrap(), bodies);
}

/// Settles a crowd and looks at what came of it.
fn settles<V: Vector>(
    name: &str,
    bodies: Vec<OtherBody<V>>,
    domain: &Domain<V>,
    obstacles: &ObstacleSet<V>,
) -> Vec<OtherBody<V>> {
    assert!(worst_gap(&bodies, domain) < 0.0, "{name}: nothing to do");
    let begun = std::time::Instant::now();
    let bodies =
        settled(bodies, domain, obstacles).unwrap_or_else(|refused| panic!("{name}: {refused}"));
    println!("{name}: {} bodies in {:?}", bodies.len(), begun.elapsed());
    assert!(worst_gap(&bodies, domain) >= 0.0, "{name}: {}", worst_gap(&bodies, domain));
    assert_eq!(refusal(&bodies, domain, obstacles), None, "{name}");
    assert!(bodies.iter().all(|body| domain.contains(body.position)), "{name}");
    bodies
}

#[test]
fn crowds_settle_in_every_domain() {
    let none = ObstacleSet::default();
    // 1,000 discs of radius 0.25 fill 196 of 327: 60 %.
    let (low, high) = ([-3.0, 100.0], [15.0, 118.1]);
    for domain in [
        Domain::open(),
        Domain::periodic(low, high),
        Domain::walled(low, high, 1.0, 1.0),
        Domain::reflecting(low, high),
        Domain::absorbing(low, high),
    ] {
        settles("60 %", crowd(1, 1000, (low, high), 0.25, 0.0), &domain, &none);
        settles("all sizes", crowd(2, 1000, (low, high), 0.25, 0.75), &domain, &none);
    }
    // Nearly as dense as at random they can be.
    settles("80 %", crowd(3, 1330, (low, high), 0.25, 0.0), &Domain::periodic(low, high), &none);
    let hall = ([0.0; 2], [57.2; 2]);
    settles(
        "60 % of a hall",
        crowd(8, 10_000, hall, 0.25, 0.0),
        &Domain::reflecting(hall.0, hall.1),
        &none,
    );
    let (low, high) = ([0.0; 3], [5.0, 5.0, 6.5]);
    // 1,000 balls fill 65 of 162, 1,400 balls 56 %.
    for domain in [Domain::open(), Domain::periodic(low, high), Domain::reflecting(low, high)] {
        settles(
            "40 % in space",
            crowd(4, 1000, (low, high), 0.25, 0.0),
            &domain,
            &ObstacleSet::default(),
        );
    }
    settles(
        "56 % in space",
        crowd(5, 1400, (low, high), 0.25, 0.0),
        &Domain::periodic(low, high),
        &ObstacleSet::default(),
    );
    let pile = (0..500).map(|id| body(id, [1e3, -2e3], 0.25)).collect();
    settles("all on one place", pile, &Domain::open(), &none);
}

#[test]
fn no_body_is_moved_through_a_wall() {
    // Two rooms with a thin wall between them, one of them full, and obstacles of every kind in it.
    let domain = Domain::reflecting([0.0; 2], [20.0, 10.0]);
    let shapes = vec![
        ObstacleShape::Wall { from: [10.0, -1.0], to: [10.0, 11.0] },
        ObstacleShape::Sphere { center: [2.0, 2.0], radius: 1.0 },
        ObstacleShape::Capsule { from: [6.0, 2.0], to: [8.0, 3.0], radius: 0.5 },
        ObstacleShape::Box { min: [2.0, 6.0], max: [4.0, 7.0], angle: 30.0 },
        ObstacleShape::Polygon { points: vec![[6.0, 6.0], [9.0, 6.0], [7.0, 7.0], [7.5, 9.0]] },
    ];
    let obstacles = obstacles(shapes, &domain);
    let outside = |body: &OtherBody<[f32; 2]>| obstacles.solid_at(body.position).is_none();
    let bodies: Vec<_> =
        crowd(6, 300, ([0.1, 0.1], [9.9, 9.9]), 0.25, 0.0).into_iter().filter(outside).collect();
    let room = bodies.len();
    let bodies = settles("a room", bodies, &domain, &obstacles);
    assert!(room > 220 && bodies.iter().all(|body| body.position[0] < 10.0));
    // The same in a box without end, whose faces it lies across.
    let domain = Domain::periodic([0.0; 2], [12.0; 2]);
    let ring = ObstacleShape::Wall { from: [0.5, -8.0], to: [0.5, 8.0] };
    let obstacles = self::obstacles(vec![ring], &domain);
    settles(
        "across the faces",
        crowd(7, 400, ([0.0; 2], [12.0; 2]), 0.25, 0.0),
        &domain,
        &obstacles,
    );
}

#[test]
fn no_room_is_said() {
    let domain = Domain::periodic([0.0; 2], [4.0; 2]);
    let refused =
        settled(crowd(1, 90, ([0.0; 2], [4.0; 2]), 0.25, 0.0), &domain, &ObstacleSet::default())
            .unwrap_err();
    let still = refused.strip_prefix("body.settle = true, and after 1000 rounds ").unwrap();
    let (still, rest) = still.split_once(' ').unwrap();
    assert!((2..=90).contains(&still.parse::<u32>().unwrap()));
    assert_eq!(rest, "of 90 bodies overlap still: allowed is a start that has room for all bodies");
}

#[test]
fn settled_places_are_the_same_bits_everywhere() {
    let domain = Domain::periodic([0.0; 2], [10.0; 2]);
    let bodies =
        settled(crowd(9, 300, ([0.0; 2], [10.0; 2]), 0.25, 0.3), &domain, &ObstacleSet::default())
            .unwrap();
    let bits = bodies.iter().flat_map(|body| body.position).map(f32::to_bits);
    let hash = bits.fold(0xcbf2_9ce4_8422_2325u64, |hash, bits| {
        (hash ^ u64::from(bits)).wrapping_mul(0x100_0000_01b3)
    });
    assert_eq!(hash, 0xe3af_ca6e_f869_7f01, "{hash:#x}");
}
