//! Questions about places equal double loops over all boids and obstacles, and change nothing.

use crate::common::courses::course;
use crate::common::*;
use wingbeat::query::*;
use wingbeat::snapshot::*;
use wingbeat::steer::*;
use wingbeat::steer::{ObstacleId, ObstacleSet, SpeciesId, Vector, math};
use wingbeat::*;
use wingbeat_test_support::tier;

/// What the double loop finds: distance and id of all boids, in the order that queries promise.
fn by_distance<const D: usize>(flock: &Flock<D>, point: [f32; D]) -> Vec<(f32, u64, [f32; D])> {
    let domain = flock.domain();
    let point = std::array::from_fn::<f32, D, _>(|a| {
        if domain.is_periodic() { domain.settle(a, point[a], 0.0).0 } else { point[a] }
    });
    let mut all: Vec<(f32, u64, [f32; D])> = flock
        .frame()
        .by_id()
        .map(|boid| {
            let offset: [f32; D] =
                std::array::from_fn(|a| domain.image(a, boid.position[a] - point[a]));
            (offset.norm_sq(), boid.id.get(), offset)
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all
}

fn within<const D: usize>(flock: &Flock<D>, point: [f32; D], radius: f32) -> Vec<(f32, u64)> {
    let all = by_distance(flock, point);
    let near = all.into_iter().filter(|&(distance_sq, ..)| distance_sq <= radius * radius);
    in_order(near.map(|(distance_sq, id, _)| (math::sqrt(distance_sq), id)).collect())
}

/// Roots of squares that differ may be equal.
fn in_order(mut all: Vec<(f32, u64)>) -> Vec<(f32, u64)> {
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all
}

/// What a query found, in the same form and order; every field is the boid's own.
fn found<const D: usize>(
    flock: &Flock<D>,
    point: [f32; D],
    neighbors: Neighbors<'_, D>,
) -> Vec<(f32, u64)> {
    let truth = by_distance(flock, point);
    let (count, frame) = (neighbors.len(), flock.frame());
    let all: Vec<(f32, u64)> = neighbors
        .map(|near| {
            let boid = frame.find(near.id).expect("a living boid");
            assert_eq!((near.position, near.velocity), (boid.position, boid.velocity));
            let species = flock.traits(near.id).expect("a living boid").species;
            assert_eq!(near.species, species);
            let (.., offset) = truth.iter().find(|(_, id, _)| *id == near.id.get()).expect("one");
            assert_eq!(near.offset.map(f32::to_bits), offset.map(f32::to_bits));
            (near.distance, near.id.get())
        })
        .collect();
    assert_eq!(all.len(), count);
    in_order(all)
}

/// A point that is nasty to ask for.
fn point<const D: usize>(flock: &Flock<D>, radius: f32, random: &mut Random) -> [f32; D] {
    let (frame, domain) = (flock.frame(), flock.domain());
    let near = |random: &mut Random| {
        let at = if frame.is_empty() {
            [0.5; D]
        } else {
            frame.boid(random.below(frame.len())).position
        };
        at.plus(<[f32; D]>::from_fn(|_| radius * random.one_of(&[0.0, 0.0, 1.0, -1.0, 0.3])))
    };
    match random.below(6) {
        0 if !frame.is_empty() => frame.boid(random.below(frame.len())).position,
        1 if domain.is_periodic() => {
            let at = near(random);
            <[f32; D]>::from_fn(|a| at[a] + domain.side(a) * random.one_of(&[-1.0, 1.0, 3.0]))
        }
        1 => near(random).map(|x| x + random.one_of(&[-1e3, 1e6, 0.0]) * radius),
        2 => <[f32; D]>::from_fn(|a| random.one_of(&[domain.min[a], domain.max[a], 0.0])),
        _ => near(random),
    }
}

fn ask<const D: usize>(flock: &Flock<D>, radius: f32, random: &mut Random, case: &str) {
    for _ in 0..12 {
        let at = point(flock, radius, random);
        let far = random.one_of(&[radius, radius, 0.0, radius * 0.2, radius * 3.0, 1e-20, 1e12]);
        let wanted = within(flock, at, far);
        assert_eq!(found(flock, at, flock.within(at, far)), wanted, "{case} {at:?} {far}");

        let count = random.one_of(&[1, 1, 2, 7, 1000]);
        let all: Vec<(f32, u64)> =
            by_distance(flock, at).iter().map(|&(sq, id, _)| (math::sqrt(sq), id)).collect();
        let told = |near: Neighbors<'_, D>| {
            near.map(|boid| (boid.distance, boid.id.get())).collect::<Vec<_>>()
        };
        let count_there = count.min(all.len());
        assert_eq!(told(flock.nearest_n(at, count)), all[..count_there], "{case} {at:?} {count}");
        let first = all.first().copied();
        let nearest = flock.nearest(at).map(|boid| (boid.distance, boid.id.get()));
        assert_eq!(nearest, first, "{case} {at:?}");

        let odd: Vec<(f32, u64)> = all.iter().copied().filter(|(_, id)| id % 2 == 1).collect();
        let is_odd = |boid: &Neighbor<D>| boid.id.get() % 2 == 1;
        let few = count.min(odd.len());
        assert_eq!(told(flock.nearest_n_where(at, count, is_odd)), odd[..few], "{case} {at:?}");
        let nearest = flock.nearest_where(at, is_odd).map(|boid| (boid.distance, boid.id.get()));
        assert_eq!(nearest, odd.first().copied(), "{case} {at:?}");
        assert_eq!(flock.nearest_where(at, |_| false), None);
    }
    let largest = flock.params().largest_radius();
    for boid in flock.frame().by_slot().take(8) {
        let mut wanted = within(flock, boid.position, largest);
        wanted.retain(|&(_, id)| id != boid.id.get() && largest > 0.0);
        let near = flock.neighbors(boid.id).expect("a living boid");
        assert_eq!(found(flock, boid.position, near), wanted, "{case} {}", boid.id);
    }
}

fn world<const D: usize>(seed: u64, kind: &str, state: &str) {
    let mut random = Random::new(seed);
    let mut params = Params { rules: Separation::default().into(), ..Params::default() };
    let radius = random.one_of(&[1.0, 1.0, 0.3, 60.0]);
    perceive(&mut params, radius, &mut random);
    if random.below(4) == 0 {
        params.rules = Rules::default();
    }
    let domain = domain::<D>(kind, radius, &mut random);
    let boids = boids(state, &domain, radius, &mut random);
    let case = Case { seed, name: format!("{kind} {state}"), params, domain, boids, dt: 0.3 };
    let storage = random.one_of(&[Storage::Automatic, Storage::Sparse]);
    let mut flock = engine(&case, Level::available()[0], random.one_of(&[1, 1, 3]), storage);
    let about = format!("seed {seed} {} {storage:?}", case.name);
    ask(&flock, radius, &mut random, &about);
    for _ in 0..3 {
        flock.step(TimeStep::new(case.dt).expect("a time step"));
        ask(&flock, radius, &mut random, &about);
    }
    // What a host changes between steps is seen at once.
    if let Some(&id) = flock.frame().living().first() {
        let there = flock.frame().by_slot().last().expect("a boid").position;
        flock.set_position(id, there).expect("a place in the domain");
        ask(&flock, radius, &mut random, &about);
        flock.set_velocity(id, [0.25; D]).expect("a velocity");
        flock.add(there, [0.5; D]).expect("a place in the domain");
        ask(&flock, radius, &mut random, &about);
        flock.remove(&[id]).expect("it lives");
        ask(&flock, radius, &mut random, &about);
    }
}

#[test]
fn boids_near_a_point_are_those_of_a_double_loop() {
    let mut seed = 4300;
    for kind in KINDS {
        for state in STATES {
            for _ in 0..if tier::full() { 40 } else { 3 } {
                seed += 1;
                world::<2>(seed, kind, state);
                world::<3>(seed, kind, state);
            }
        }
    }
}

#[test]
fn what_is_no_place_finds_no_boid() {
    let flock = Flock2::builder().boids(&[[0.0, 0.0]], &[[0.0; 2]]).build().expect("a flock");
    for (at, radius) in [
        ([f32::NAN, 0.0], 1.0),
        ([0.0, f32::INFINITY], 1.0),
        ([0.0, 0.0], f32::NAN),
        ([0.0, 0.0], f32::INFINITY),
        ([0.0, 0.0], -1.0),
    ] {
        assert_eq!(flock.within(at, radius).len(), 0, "{at:?} {radius}");
        assert!(!flock.is_free(at, radius));
    }
    assert_eq!(flock.nearest([f32::NAN, 0.0]), None);
    assert_eq!(flock.nearest_n([0.0, 0.0], 0).len(), 0);
    assert_eq!(flock.first_hit([f32::NAN, 0.0], [0.0, 0.0]), None);
    assert!(flock.neighbors(BoidId::new(7)).is_err());
    let none = Flock3::builder().build().expect("a flock");
    assert_eq!((none.nearest([0.0; 3]), none.within([0.0; 3], 9.0).len()), (None, 0));
    assert!(none.is_free([0.0; 3], 1e20) && none.first_hit([0.0; 3], [1.0; 3]).is_none());
}

/// A flock of bodies of several sizes among obstacles of all kinds, some of which move.
fn crowd<const D: usize>(seed: u64) -> Flock<D> {
    let mut random = Random::new(seed);
    let side = 12.0;
    let domain = match seed % 5 {
        0 => Domain::open(),
        1 => Domain::periodic([0.0; D], [side; D]),
        2 => Domain::walled([0.0; D], [side; D], 1.0, 10.0),
        3 => Domain::absorbing([0.0; D], [side; D]),
        _ => Domain::reflecting([0.0; D], [side; D]),
    };
    let body = SolidBody { radius: random.within(0.05, 0.3), settle: true, ..Default::default() };
    let large = SpeciesBody { radius: Some(0.4), ..SpeciesBody::default() };
    let species = vec![
        Species { name: "small".into(), rules: Separation::default().into(), ..Species::default() },
        Species { name: "large".into(), body: large, ..Species::default() },
    ];
    let params = Params { body: Some(body), species, ..Params::default() };
    let list = course(&mut random, ([0.0; D], [side; D]), 8, (None, None));
    let set = ObstacleSet::new(list.clone().into(), &domain).expect("obstacles");
    let mut positions = Vec::new();
    while positions.len() < 60 {
        let position = <[f32; D]>::from_fn(|_| random.within(0.6, side - 0.6));
        if !set.blocked(position, 0.5) {
            positions.push(position);
        }
    }
    let velocities = vec![[0.3; D]; 60];
    let builder = Flock::<D>::builder().params(params).domain(domain).seed(seed).threads(1);
    let species: Vec<usize> = (0..60).map(|i| i % 2).collect();
    let built = builder
        .obstacles(list)
        .boids(&positions, &velocities)
        .species(species.into_iter().map(SpeciesId::new))
        .build();
    let mut flock = built.unwrap_or_else(|refused| panic!("seed {seed}: {refused}"));
    let id = flock.frame().living()[3];
    let own = Traits { radius: Some(0.02), ..flock.traits(id).expect("it lives") };
    flock.set_traits(id, own).expect("a radius");
    for _ in 0..seed % 3 {
        flock.step(TimeStep::new(0.05).expect("a time step"));
    }
    flock
}

/// The radius of a boid's body by what the host has set.
fn radius_of<const D: usize>(flock: &Flock<D>, id: BoidId) -> f64 {
    let traits = flock.traits(id).expect("it lives");
    let of_species = flock.params().body_of(traits.species).and_then(|body| body.radius);
    let common = flock.params().body.map_or(0.0, |body| body.radius);
    f64::from(traits.radius.or(of_species).unwrap_or(common))
}

/// From a place to another through the nearest image, in f64.
fn way<const D: usize>(flock: &Flock<D>, from: [f64; D], to: [f64; D]) -> [f64; D] {
    std::array::from_fn(|a| {
        let way = to[a] - from[a];
        let side = f64::from(flock.domain().side(a));
        if flock.domain().is_periodic() { way - side * (way / side + 0.5).floor() } else { way }
    })
}

fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|axis| a[axis] * b[axis]).sum()
}

fn room<const D: usize>(seed: u64) -> [usize; 2] {
    let mut flock = crowd::<D>(seed);
    let mut random = Random::new(seed ^ 77);
    let mut counted = [0; 2];
    let domain = *flock.domain();
    for _ in 0..200 {
        let at = <[f32; D]>::from_fn(|_| random.within(-0.5, 12.5));
        let radius = random.one_of(&[0.0, 0.1, 0.4, 1.0]);
        let place = <[f32; D]>::from_fn(|a| domain.settle(a, at[a], 0.0).0);
        let place = if domain.is_periodic() { place } else { at };
        let set = flock.obstacles().expect("obstacles");
        let free_of_obstacles = (0..set.obstacles().list.len())
            .all(|i| set.distance(i, place) >= f64::from(radius) && !set.holds(i, place));
        let free_of_bodies = flock.frame().by_id().all(|boid| {
            let apart = way(&flock, place.map(f64::from), boid.position.map(f64::from));
            let radii = f64::from(radius) + radius_of(&flock, boid.id);
            dot(apart, apart) >= radii * radii
        });
        let inside = (0..D).all(|a| {
            let edge = if domain.boundary.has_faces() { radius } else { 0.0 };
            domain.boundary == Boundary::Open
                || domain.is_periodic()
                || place[a] >= domain.min[a] + edge && place[a] <= domain.max[a] - edge
        });
        let wanted = inside && free_of_obstacles && free_of_bodies;
        assert_eq!(flock.is_free(at, radius), wanted, "seed {seed} {at:?} {radius}");
        counted[usize::from(wanted)] += 1;
    }
    // Where there is room, a boid can be added.
    let radius = flock.params().body.expect("bodies").radius;
    for _ in 0..40 {
        let at = <[f32; D]>::from_fn(|_| random.within(0.0, 12.0));
        if flock.is_free(at, radius) {
            flock.add(at, [0.0; D]).unwrap_or_else(|refused| panic!("seed {seed}: {refused}"));
            assert!(!flock.is_free(at, radius));
        }
    }
    counted
}

#[test]
fn room_is_what_a_double_loop_finds_and_what_a_boid_is_let_into() {
    let mut counted = [0; 2];
    for seed in 0..if tier::full() { 400 } else { 40 } {
        for [taken, free] in [room::<2>(seed), room::<3>(seed)] {
            (counted[0], counted[1]) = (counted[0] + taken, counted[1] + free);
        }
    }
    assert!(counted.iter().all(|&count| count > 2000), "{counted:?}");
}

/// The first body on a segment, boid by boid: samples of the way, and then halves.
fn first_body<const D: usize>(
    flock: &Flock<D>,
    from: [f64; D],
    along: [f64; D],
    unwanted: Option<u64>,
) -> Option<(f64, u64)> {
    let mut first: Option<(f64, u64)> = None;
    for boid in flock.frame().by_id().filter(|boid| Some(boid.id.get()) != unwanted) {
        let radius = radius_of(flock, boid.id);
        for image in 0..3_usize.pow(D as u32) {
            let center: [f64; D] = std::array::from_fn(|a| {
                let sides = (image / 3_usize.pow(a as u32) % 3) as f64 - 1.0;
                let side = f64::from(flock.domain().side(a));
                let shift = if flock.domain().is_periodic() { sides * side } else { 0.0 };
                f64::from(boid.position[a]) + shift
            });
            let apart: [f64; D] = std::array::from_fn(|a| from[a] - center[a]);
            let reach = dot(along, along).sqrt() + radius + 1e-3;
            if dot(apart, apart) > reach * reach {
                continue;
            }
            let gap = |part: f64| {
                let apart: [f64; D] =
                    std::array::from_fn(|a| from[a] + along[a] * part - center[a]);
                dot(apart, apart).sqrt() - radius
            };
            // The gap is convex along the way: its least, by thirds, and then where it falls to 0.
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..100 {
                let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
                if gap(a) < gap(b) { high = b } else { low = a }
            }
            if gap(low) > 0.0 {
                continue;
            }
            let (mut outside, mut inside) = (0.0, low);
            if gap(0.0) <= 0.0 {
                inside = 0.0;
            }
            for _ in 0..60 {
                let middle = 0.5 * (outside + inside);
                if gap(middle) > 0.0 { outside = middle } else { inside = middle }
            }
            if first.is_none_or(|(part, _)| inside < part) {
                first = Some((inside, boid.id.get()));
            }
        }
    }
    first
}

fn sight<const D: usize>(seed: u64) -> [usize; 3] {
    let flock = crowd::<D>(seed);
    let mut random = Random::new(seed ^ 99);
    let (domain, frame) = (*flock.domain(), flock.frame());
    let mut counted = [0; 3];
    for i in 0..60 {
        let mut place = || <[f32; D]>::from_fn(|_| random.within(0.0, 12.0));
        let (mut from, to) = (place(), place());
        let mut own = None;
        if i % 4 == 0 {
            let boid = frame.boid(i % frame.len());
            (from, own) = (boid.position, Some(boid.id.get()));
        }
        let start = from.map(f64::from);
        let along = way(&flock, start, to.map(f64::from));
        let end = <[f32; D]>::from_fn(|a| (start[a] + along[a]) as f32);
        let set = flock.obstacles().expect("obstacles");
        let obstacle = set.first_hit(from, end, &mut |_| true, &mut set.all(), &mut Vec::new());
        let body = first_body(&flock, start, along, own);
        let wanted = match (obstacle, body) {
            (Some(hit), Some((part, id))) if part < hit.part => Some((part, Err(id))),
            (Some(hit), _) => Some((hit.part, Ok(hit.obstacle))),
            (None, Some((part, id))) => Some((part, Err(id))),
            (None, None) => None,
        };
        let hit = flock.first_hit_where(
            from,
            to,
            |target| !matches!(target, HitTarget::Boid(id) if Some(id.get()) == own),
        );
        let about = format!("seed {seed} {from:?} {to:?} {hit:?} {wanted:?}");
        let (Some(hit), Some((part, target))) = (hit, wanted) else {
            assert!(hit.is_none() && wanted.is_none(), "{about}");
            counted[0] += 1;
            continue;
        };
        let long = dot(along, along).sqrt();
        assert!((f64::from(hit.distance) - part * long).abs() < 1e-5 * (1.0 + long), "{about}");
        let reached = way(
            &flock,
            hit.position.map(f64::from),
            std::array::from_fn(|a| start[a] + along[a] * part),
        );
        assert!(dot(reached, reached).sqrt() < 1e-4, "{about}");
        assert!((f64::from(hit.normal.norm()) - 1.0).abs() < 1e-5, "{about}");
        assert!(domain.contains(hit.position) || !domain.is_periodic(), "{about}");
        let same = match target {
            Ok(obstacle) => HitTarget::Obstacle(obstacle),
            Err(id) => HitTarget::Boid(BoidId::new(id)),
        };
        // Two that are met at almost the same place may come either way.
        if hit.target != same {
            let near = (f64::from(hit.distance) - part * long).abs();
            assert!(near < 1e-6 * (1.0 + long), "{about}");
        }
        counted[1 + usize::from(target.is_err())] += 1;
    }
    counted
}

#[test]
fn what_a_segment_meets_first_is_what_a_double_loop_finds() {
    let mut counted = [0; 3];
    for seed in 0..if tier::full() { 400 } else { 10 } {
        for found in [sight::<2>(seed), sight::<3>(seed)] {
            (0..3).for_each(|i| counted[i] += found[i]);
        }
    }
    assert!(counted.iter().all(|&count| count > 100), "{counted:?}");
}

/// A flock of still discs of radius 0.5.
fn discs(positions: &[[f32; 2]]) -> Flock2 {
    let body = SolidBody { radius: 0.5, ..SolidBody::default() };
    Flock2::builder()
        .params(Params { body: Some(body), ..Params::default() })
        .boids(positions, &vec![[0.0; 2]; positions.len()])
        .build()
        .expect("a flock")
}

/// Bodies do not overlap, so that two are met at once only where they touch each other. The first
/// is behind the other in slot order.
#[test]
fn of_two_bodies_that_are_met_at_once_the_lower_id_is_hit() {
    let flock = discs(&[[3.0, 0.5], [3.0, -0.5], [9.0, 0.0]]);
    let hit = flock.first_hit([0.0, 0.0], [9.0, 0.0]).expect("a hit");
    assert_eq!((hit.target, hit.distance), (HitTarget::Boid(BoidId::new(0)), 3.0));
    let apart = discs(&[[3.0, 0.625], [3.0, -0.625], [9.0, 0.0]]);
    let hit = apart.first_hit([0.0, 0.0], [9.0, 0.0]).expect("a hit");
    assert_eq!((hit.target, hit.distance), (HitTarget::Boid(BoidId::new(2)), 8.5));
}

/// No step is made between.
#[test]
fn a_body_that_has_just_grown_is_met() {
    let mut flock = discs(&[[0.0, 0.0], [20.0, 0.0]]);
    assert!(flock.is_free([3.0, 0.0], 0.5));
    let large = Traits { radius: Some(4.0), ..Traits::default() };
    flock.set_traits(BoidId::new(0), large).expect("a radius");
    assert!(!flock.is_free([3.0, 0.0], 0.5) && flock.is_free([4.6, 0.0], 0.5));
    let hit = flock.first_hit([-8.0, 3.0], [8.0, 3.0]).expect("a hit");
    assert_eq!(hit.target, HitTarget::Boid(BoidId::new(0)));
    assert!((hit.distance - (8.0 - 7.0_f32.sqrt())).abs() < 1e-5, "{hit:?}");
}

#[test]
fn obstacles_that_are_not_wanted_are_seen_through() {
    let disc = |name: &str, x: f32| Obstacle {
        name: name.into(),
        shape: ObstacleShape::Sphere { center: [x, 0.0], radius: 1.0 },
        motion: ObstacleMotion::Static,
    };
    let flock = Flock2::builder().obstacles(vec![disc("near", 3.0), disc("far", 7.0)]).build();
    let flock = flock.expect("a flock");
    let near = HitTarget::Obstacle(ObstacleId::new(0));
    assert_eq!(flock.first_hit([0.0; 2], [9.0, 0.0]).map(|hit| hit.target), Some(near));
    let behind = flock.first_hit_where([0.0; 2], [9.0, 0.0], |target| target != near);
    assert_eq!(behind.map(|hit| hit.target), Some(HitTarget::Obstacle(ObstacleId::new(1))));
}

/// A flock that is asked between all steps is, bit by bit, one that is not.
#[test]
fn queries_change_nothing() {
    fn of<const D: usize>(seed: u64, every: u32, threads: usize) {
        let [mut asked, mut left_alone] = [crowd::<D>(seed), crowd::<D>(seed)];
        let (dt, mut random) = (TimeStep::new(0.05).expect("a time step"), Random::new(seed));
        for flock in [&mut asked, &mut left_alone] {
            flock.set_steer_every(every).expect("turns");
        }
        let hash = |flock: &Flock<D>| {
            let mut saved = Snapshot::default();
            flock.save(&mut saved);
            saved.hash()
        };
        for step in 0..20 {
            let at = <[f32; D]>::from_fn(|_| random.within(0.0, 12.0));
            let frame_before = asked.frame().by_slot().collect::<Vec<_>>();
            // Several at once, too.
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        assert!(asked.nearest(at).is_some() || asked.is_empty());
                        asked.within(at, 2.0).for_each(drop);
                        asked.is_free(at, 0.2);
                        asked.first_hit(at, [0.0; D]);
                    });
                }
            });
            assert_eq!(asked.frame().by_slot().collect::<Vec<_>>(), frame_before);
            for axis in 0..D {
                let columns = [&asked, &left_alone].map(|flock| flock.frame().steering(axis));
                assert_eq!(columns[0], columns[1], "seed {seed} step {step}");
            }
            if step == 10 {
                let id = asked.frame().living()[0];
                asked.set_velocity(id, [0.1; D]).expect("it lives");
                left_alone.set_velocity(id, [0.1; D]).expect("it lives");
            }
            asked.step(dt);
            left_alone.step(dt);
            assert_eq!(hash(&asked), hash(&left_alone), "seed {seed} step {step}");
            assert_eq!(asked.events(), left_alone.events());
        }
    }
    for seed in 0..if tier::full() { 60 } else { 10 } {
        of::<2>(seed, 1, 1);
        of::<3>(seed, 3, 2);
    }
}
