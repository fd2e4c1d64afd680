//! The drives' definitions on states that can be computed by hand.

use wingbeat_steer::drive::*;
use wingbeat_steer::{
    AgentLimits, Domain, Jitter, Params, SpeciesId, TextbookBoid, TextbookFlock, Vector, Wander,
    behavior, noise,
};

fn flock<V: Vector>(drive: Drive<V>, domain: Domain<V>, boids: &[(V, V)]) -> TextbookFlock<V> {
    let boid = |(i, &(position, velocity)): (usize, &(V, V))| TextbookBoid {
        id: i as u64,
        position,
        velocity,
    };
    let mut params = Params::default();
    params.agent.max_force = 1e9;
    TextbookFlock {
        params,
        domain,
        seed: 1,
        drives: vec![drive],
        boids: boids.iter().enumerate().map(boid).collect(),
        ..Default::default()
    }
}

fn force<V: Vector>(
    kind: impl Into<DriveKind<V>>,
    domain: Domain<V>,
    position: V,
    velocity: V,
) -> V {
    let flock = flock(Drive::new("it", kind), domain, &[(position, velocity)]);
    flock.steering(&[0])[0]
}

#[track_caller]
fn near<V: Vector>(found: V, wanted: V) {
    assert!(found.minus(wanted).norm() < 2e-6, "{found:?}, not {wanted:?}");
}

#[test]
fn a_goal_is_made_for_at_full_speed_and_slowly_at_the_end() {
    let goal = Goal { target: Some([5.0, 0.0]), slowing_radius: 2.0, ..Default::default() };
    // max_speed is 2.
    near(force(goal, Domain::open(), [0.0, 0.0], [0.5, 1.0]), [1.5, -1.0]);
    near(force(goal, Domain::open(), [4.0, 0.0], [0.0, 0.0]), [1.0, 0.0]);
    near(force(goal, Domain::open(), [5.0, 0.0], [0.0, 1.0]), [0.0, -1.0]);
    // Across the edge of a periodic box it is nearer.
    near(force(goal, Domain::periodic([0.0; 2], [8.0; 2]), [0.5, 0.0], [0.0, 0.0]), [-2.0, 0.0]);
    let pointer = Goal { range: 3.0, ..goal };
    near(force(pointer, Domain::open(), [1.9, 0.0], [1.0, 0.0]), [0.0, 0.0]);
    near(force(pointer, Domain::open(), [2.1, 0.0], [1.0, 0.0]), [1.0, 0.0]);
    near(force(Goal { target: None, ..goal }, Domain::open(), [0.0, 0.0], [1.0, 0.0]), [0.0, 0.0]);
}

#[test]
fn weights_and_states_of_a_boid_decide_what_counts() {
    let wind = Drive::new("wind", Wind { vector: [1.0, 2.0], drag: false }).weighted(-0.5);
    let of = |drive: &Drive<[f32; 2]>| {
        flock(drive.clone(), Domain::open(), &[([0.0; 2], [0.0; 2])]).steering(&[0])[0]
    };
    assert_eq!(of(&wind), [-0.5, -1.0]);
    assert_eq!(of(&Drive { when: When::Idle, ..wind.clone() }), [-0.5, -1.0]);
    for when in [When::Busy, When::Resting] {
        assert_eq!(of(&Drive { when, ..wind.clone() }), [0.0, 0.0]);
    }
    // Every boid is of the first species.
    assert_eq!(of(&Drive { species: Some(SpeciesId::new(0)), ..wind.clone() }), [-0.5, -1.0]);
    assert_eq!(of(&Drive { species: Some(SpeciesId::new(1)), ..wind }), [0.0, 0.0]);
}

#[test]
fn own_goals_come_before_a_common_one_and_arrivals_are_told_once() {
    let goal = Goal {
        target: Some([3.0, 0.0]),
        arrival_radius: 0.5,
        slowing_radius: 0.0,
        ..Default::default()
    };
    let mut flock = flock(
        Drive::new("goal", goal),
        Domain::open(),
        &[([0.0, 0.0], [2.0, 0.0]), ([0.0, 9.0], [2.0, 0.0])],
    );
    flock.set_goal(1, Some([1.0, 9.0]));
    let mut told = Vec::new();
    for step in 0..6 {
        flock.step_by(0.25);
        told.extend(flock.arrived.iter().map(|&(id, drive)| (step, id, drive)));
    }
    // At speed 2, half a length a step: within half a length of 1 after the first step, of 3 after
    // the fifth.
    assert_eq!(told, [(0, 1, 0), (4, 0, 0)]);
    // A new goal is arrived at anew.
    let here = flock.boids[0].position;
    flock.set_goal(0, Some(here));
    flock.step_by(1e-3);
    assert_eq!(flock.arrived, [(0, 0)]);
}

#[test]
fn who_is_to_leave_where_it_arrives_does() {
    let door = Goal {
        target: Some([1.0, 0.0]),
        arrival_radius: 0.4,
        on_arrival: OnArrival::Leave,
        ..Default::default()
    };
    let mut flock = flock(
        Drive::new("door", door),
        Domain::open(),
        &[([0.0, 0.0], [2.0, 0.0]), ([-1.0, 0.0], [2.0, 0.0])],
    );
    flock.step_by(0.5);
    assert_eq!(
        (flock.arrived.as_slice(), flock.boids.len(), flock.boids[0].id),
        (&[(0, 0)][..], 1, 1)
    );
}

/// The batch's wander and the single agent's are one: the same seed and id, the same point at any
/// time, bit for bit. And it is where the turns drawn so far, added up in f64, say it is.
fn wanders_alike<V: Vector>(parameters: WanderParameters, lengths: &[f32]) {
    for id in 0..20 {
        let mut single = Wander::<V>::new(parameters, Jitter::keyed(7, id)).unwrap();
        let boid =
            TextbookBoid { id, position: V::origin(), velocity: V::from_fn(|a| 0.3 - a as f32) };
        let drives = vec![Drive::new("wander", parameters)];
        let mut params = Params::default();
        params.agent.max_force = 1e9;
        let mut flock =
            TextbookFlock { params, seed: 7, drives, boids: vec![boid], ..Default::default() };
        let mut strolled = Strolled { draw: 0, angle: 0.0, start: None };
        for step in 0..200 {
            let dt = lengths[step % lengths.len()];
            let velocity = flock.boids[0].velocity;
            let wanted = single.steer(velocity, dt);
            let found = flock.steering(&[0])[0];
            assert_eq!(found, wanted, "step {step} of boid {id}, {parameters:?}");
            strolled.check(&parameters, id, flock.time, velocity, found);
            flock.step_by(dt);
        }
    }
}

/// Where a wander's point must be: in the plane the sum of all turns; in space a turn's length from
/// where its interval found it.
struct Strolled<V> {
    draw: u64,
    /// In the plane, radians at the beginning of the interval.
    angle: f64,
    /// In space, the first point seen in this interval, and how far into it that was.
    start: Option<(V, f64)>,
}

impl<V: Vector> Strolled<V> {
    fn check(&mut self, parameters: &WanderParameters, id: u64, time: f64, velocity: V, force: V) {
        let turn =
            |draw| (f64::from(noise::uniform(7, id, draw, 16)) - 0.5) * f64::from(parameters.range);
        let interval = f64::from(parameters.interval);
        let passed = time / interval;
        while self.draw < passed as u64 {
            self.angle += turn(self.draw);
            (self.draw, self.start) = (self.draw + 1, None);
        }
        let part = passed - self.draw as f64;
        let heading = velocity.unit();
        let point = force.minus(heading.times(parameters.distance)).times(1.0 / parameters.radius);
        assert!((point.norm() - 1.0).abs() < 1e-5, "{point:?} is not on the circle or sphere");
        if V::DIMENSIONS == 2 {
            let angle = self.angle + turn(self.draw) * part;
            let (sin, cos) = libm::sincos(angle);
            let along = [f64::from(heading.axis(0)), f64::from(heading.axis(1))];
            let wanted = match parameters.frame {
                WanderFrame::World => [cos, sin],
                _ => [along[0] * cos - along[1] * sin, along[1] * cos + along[0] * sin],
            };
            let off = libm::hypot(
                f64::from(point.axis(0)) - wanted[0],
                f64::from(point.axis(1)) - wanted[1],
            );
            assert!(off < 1e-3, "{point:?}, not {wanted:?}, of boid {id} at {time}");
        } else if parameters.frame == WanderFrame::World {
            let (start, from) = *self.start.get_or_insert((point, part));
            let turned = (turn(self.draw) * (part - from)).abs();
            let chord = 2.0 * libm::sin(turned * 0.5).abs();
            assert!(
                (f64::from(point.minus(start).norm()) - chord).abs() < 1e-4,
                "{point:?} from {start:?} by {turned}"
            );
        }
    }
}

#[test]
fn the_wander_of_a_flock_is_that_of_its_agents() {
    for frame in [WanderFrame::World, WanderFrame::Heading] {
        for (interval, range) in [(1.0, 1.0), (0.1, 6.0), (0.01, 0.3)] {
            let parameters = WanderParameters { interval, range, frame, ..Default::default() };
            for lengths in [&[1.0][..], &[1.0 / 60.0], &[0.02, 0.3, 0.001]] {
                wanders_alike::<[f32; 2]>(parameters, lengths);
                wanders_alike::<[f32; 3]>(parameters, lengths);
            }
        }
    }
}

#[test]
fn a_wanders_clock_is_a_function_of_time() {
    assert_eq!(WanderClock::at(0.0, 0.3), WanderClock::default());
    let mut last = WanderClock::default();
    for i in 1..100_000 {
        let now = WanderClock::at(f64::from(i) * 0.01, 0.07);
        assert!(
            now.draw >= last.draw && now.draw <= last.draw + 1 && (0.0..=1.0).contains(&now.part),
            "{now:?}"
        );
        assert!(now.draw > last.draw || now.part > last.part, "{last:?} {now:?}");
        last = now;
    }
    assert_eq!(last.draw, 14_285); // 999.99 of 0.07 in f32
}

#[test]
fn leaders_are_followed_by_everyone_but_themselves() {
    let boids = [([3.0, 4.0], [0.0, 2.0]), ([0.0, 0.0], [1.0, 0.0]), ([3.0, 4.0], [0.0, 0.0])];
    let after = |leader: Leader| {
        flock(Drive::new("leader", leader), Domain::open(), &boids).steering(&[0, 1, 2])
    };
    let simple = after(Leader::common(0));
    assert_eq!(simple[0], [0.0, 0.0]);
    near(simple[1], [0.6, 0.8]);
    assert_eq!(simple[2], [0.0, 0.0], "it stands on its leader");
    // One behind: the place is (3, 3), and it is far away; a boid that is on the leader is one
    // away: full speed.
    let behind = after(Leader { distance: Some(1.0), ..Leader::common(0) });
    let root = 0.5f32.sqrt();
    near(behind[1], [2.0 * root - 1.0, 2.0 * root]);
    near(behind[2], [0.0, -2.0]);
    let each = after(Leader::each([(0, 1)]));
    near(each[0], [-0.6, -0.8]);
    assert_eq!(each[1..], [[0.0, 0.0]; 2]);
}

#[test]
fn eyes_follow_a_leader_where_they_are_told_to() {
    let cohesion = wingbeat_steer::Cohesion {
        perception: wingbeat_steer::Perception {
            radius: 2.0,
            view: wingbeat_steer::FieldOfView::degrees(90.0),
            ..Default::default()
        },
        ..Default::default()
    };
    let seen = |looks: bool, velocity: [f32; 2]| {
        // 0 follows 1, which is to its right; 2 is above.
        let boids = [([0.0, 0.0], velocity), ([1.0, 0.0], [0.0, 0.0]), ([0.0, 1.0], [0.0, 0.0])];
        let leader = Leader { looks, ..Leader::each([(0, 1)]) };
        let mut flock = flock(Drive::new("leader", leader), Domain::open(), &boids);
        flock.params.rules.cohesion = Some(cohesion);
        flock.response(0, &[0, 1, 2], &cohesion)
    };
    assert_eq!(seen(false, [0.0, 1.0]), [0.0, 1.0], "ahead");
    assert_eq!(seen(true, [0.0, 1.0]), [1.0, 0.0], "at the leader");
    assert_eq!(seen(false, [0.0, 0.0]), [0.5, 0.5], "at rest all round");
    assert_eq!(seen(true, [0.0, 0.0]), [1.0, 0.0], "at the leader, at rest too");
}

#[test]
fn waypoints_are_taken_one_by_one_and_a_loop_begins_again() {
    let visits = |road: behavior::Path<[f32; 2]>| {
        let path = Path { slowing_radius: 0.0, ..Path::new(road) };
        let mut flock =
            flock(Drive::new("path", path), Domain::open(), &[([0.0, 0.0], [0.0, 0.0])]);
        let mut order = vec![0];
        for _ in 0..600 {
            flock.step_by(0.05);
            if let Some(Memory::Next(next)) = flock.memories.get(&(0, 0)).copied()
                && order.last() != Some(&next)
            {
                order.push(next);
            }
        }
        order
    };
    let points = [[2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
    assert_eq!(visits(behavior::Path::open(points, 0.3).unwrap()), [0, 1, 2]);
    let rounds = visits(behavior::Path::looped(points, 0.3).unwrap());
    assert_eq!(rounds[..7], [0, 1, 2, 0, 1, 2, 0]);
}

#[test]
fn the_end_of_a_path_is_arrived_at() {
    let road = behavior::Path::open([[2.0, 0.0]], 0.3).unwrap();
    let path = Path { slowing_radius: 4.0, ..Path::new(road.clone()) };
    near(force(path, Domain::open(), [0.0, 0.0], [0.0, 0.0]), [1.0, 0.0]);
}

#[test]
fn a_road_is_kept_to() {
    let road = behavior::Path::open([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]], 0.5).unwrap();
    let path = Path { follow: Follow::Road, prediction_time: 0.5, ..Path::new(road.clone()) };
    let steers = |position, velocity| {
        let found = force(path.clone(), Domain::open(), position, velocity);
        assert_eq!(
            found,
            behavior::follow_path(position, velocity, &road, 0.5, 2.0),
            "as single agents do"
        );
        found
    };
    // max_speed is 2. On the road and the right way: only the speed is made up.
    near(steers([2.0, 0.1], [1.0, 0.0]), [1.0, 0.0]);
    // Beside it: to the point one length (max_speed·prediction_time) further on, (3, 0), along
    // (1, -3)/√10.
    near(steers([2.0, 3.0], [0.0, 0.0]), [0.632_455_5, -1.897_366_6]);
    // The wrong way: in half a unit of time at 4.5; to 5.5.
    near(steers([5.0, 0.0], [-1.0, 0.0]), [3.0, 0.0]);
    // Round the corner it will be at (10.1, 1.2), on the road: (1, 2) at full speed.
    near(steers([9.6, 0.2], [1.0, 2.0]), [-0.105_572_8, -0.211_145_6]);
    // Half a length before the end it arrives, at half the speed.
    near(steers([10.0, 9.5], [0.0, 0.0]), [0.0, 1.0]);
}

/// The places of a boid that walks a road from (0, 0) for so long, and how long the road is. Its
/// maximum speed is 2, its largest force 5.
fn walk(points: Vec<[f32; 2]>, prediction_time: f32, time: f32) -> (Vec<[f32; 2]>, f32) {
    let road = behavior::Path::open(points.clone(), 0.2).unwrap();
    let length = road.length();
    let path = Path { follow: Follow::Road, prediction_time, ..Path::new(road) };
    let agent = AgentLimits { max_speed: 2.0, max_force: 5.0, ..Default::default() };
    let mut flock = TextbookFlock {
        params: Params { agent, ..Default::default() },
        drives: vec![Drive::new("road", path)],
        boids: vec![TextbookBoid { id: 0, position: points[0], velocity: [1.0, 0.0] }],
        ..Default::default()
    };
    let place = |flock: &mut TextbookFlock<[f32; 2]>| {
        flock.step_by(0.02);
        flock.boids[0].position
    };
    ((0..(time / 0.02) as usize).map(|_| place(&mut flock)).collect(), length)
}

#[test]
fn a_road_that_touches_or_crosses_itself_is_walked_once_to_its_end() {
    let p_shape = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.5, 0.3]];
    let closed = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 0.0]];
    let crossing = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 6.0], [5.0, 6.0], [5.0, -6.0]];
    let hairpin = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 0.1], [0.0, 0.1]];
    for (points, name) in
        [(p_shape, "P"), (closed, "closed"), (crossing, "crossing"), (hairpin, "hairpin")]
    {
        // One that looks ahead less than it takes to turn (mass 1) weaves, but comes along.
        for prediction_time in [1.0, 0.5, 0.1, 0.01, 0.001] {
            let (places, length) = walk(points.clone(), prediction_time, 100.0);
            let near =
                |place: [f32; 2], point: [f32; 2], radius: f32| place.minus(point).norm() < radius;
            // It comes by every corner in turn, and rests at the end.
            let mut after = 0;
            for &point in &points {
                let found = places[after..].iter().position(|&place| near(place, point, 1.0));
                after += found.unwrap_or_else(|| {
                    panic!("{name}, {prediction_time}: never at {point:?} after step {after}")
                });
            }
            let (end, last) = (points[points.len() - 1], places[places.len() - 1]);
            let time = after as f32 * 0.02;
            println!("{name}, {prediction_time}: {length} in {time}, ends at {last:?}");
            let farthest = places[after..]
                .iter()
                .map(|place| place.minus(end).norm())
                .fold(0.0, wingbeat_steer::math::max);
            assert!(farthest < 2.5, "{name}, {prediction_time}: goes {farthest} away from the end");
            if prediction_time >= 0.1 {
                assert!(
                    time < 0.75 * length,
                    "{name}, {prediction_time}: {length} in {time}, at a \
                    speed of 2 and with corners"
                );
                assert!(near(last, end, 1e-3), "{name}, {prediction_time}: rests at {last:?}");
            }
        }
    }
}

#[test]
fn a_road_is_joined_where_it_is_and_a_loop_walked_round_and_round() {
    let road =
        behavior::Path::open([[0.0, 0.0], [10.0, 0.0], [10.0, 1.0], [0.0, 1.0]], 0.4).unwrap();
    assert_eq!(road.progress(-1.0, [4.0, 0.3]), 4.0, "the first stretch within the radius");
    assert_eq!(road.progress(-1.0, [4.0, 0.7]), 17.0);
    assert_eq!(road.progress(-1.0, [4.0, 9.0]), 17.0, "the nearest where none is");
    assert_eq!(road.progress(4.0, [3.0, 0.0]), 4.0, "never backwards");
    assert_eq!(road.progress(9.8, [10.0, 0.3]), 10.3);
    assert_eq!(road.progress(21.0, [-5.0, 1.0]), 21.0, "the end is the end");
    let ring =
        behavior::Path::looped([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]], 0.2).unwrap();
    let mut along = ring.progress(-1.0, [1.0, 0.0]);
    let mut rounds = 0;
    for step in 0..480 {
        let next = ring.progress(along, ring.at(1.0 + 0.1 * step as f32));
        rounds += usize::from(next < along);
        along = next;
    }
    assert_eq!(rounds, 3, "48 units of length, 16 a round");
    assert!((along - 0.9).abs() < 1e-3, "{along}");
}

#[test]
fn simple_drives_are_their_formulas() {
    let (open, still) = (Domain::open(), [0.0, 0.0]);
    assert_eq!(force(Wind { vector: [1.0, 2.0], drag: true }, open, still, [0.5, 0.0]), [0.5, 2.0]);
    assert_eq!(force(Speed { speed: 3.0, rate: 0.5 }, open, still, [0.0, -1.0]), [0.0, -1.0]);
    assert_eq!(force(Speed { speed: 3.0, rate: 0.5 }, open, still, still), still);
    let tether = Tether { anchor: [1.0, 0.0], radius: 2.0, strength: 3.0 };
    assert_eq!(force(tether, open, [2.9, 0.0], still), still);
    near(force(tether, open, [-2.0, 0.0], still), [3.0, 0.0]);
    // Through the edge: 9.5 is 1.5 away from 1.
    assert_eq!(force(tether, Domain::periodic([0.0; 2], [10.0; 2]), [9.5, 0.0], still), still);
    let far = force(Tether { radius: 0.0, strength: 1e9, ..tether }, open, [1e30, 0.0], still);
    assert_eq!(far, [-1e9, 0.0], "the force limit, and no infinity");
}

#[test]
fn noise_has_its_size_and_no_direction_of_its_own() {
    fn check<V: Vector>() {
        let mut sum = V::origin();
        for id in 0..20_000 {
            let boid = TextbookBoid { id, position: V::origin(), velocity: V::origin() };
            let drives = vec![Drive::new("noise", Noise { size: 3.0, ..Default::default() })];
            let flock =
                TextbookFlock { drives, seed: 5, step: 9, boids: vec![boid], ..Default::default() };
            let force = flock.steering(&[0])[0];
            assert!((force.norm() - 3.0).abs() < 1e-5);
            sum = sum.plus(force);
        }
        // The mean of 20,000 is within four of its standard errors, 3/√(D·20000).
        assert!(
            sum.times(1.0 / 20_000.0).largest()
                < 4.0 * 3.0 / (V::DIMENSIONS as f32 * 20_000.0).sqrt(),
            "{sum:?}"
        );
    }
    check::<[f32; 2]>();
    check::<[f32; 3]>();
    assert_ne!(Noise::stream(0) + 1, Noise::stream(1), "two draws each");
    assert!(noise::uniform(5, 0, 9, Noise::stream(0)) < 1.0);
}

#[test]
fn fields_are_linear_between_their_nodes() {
    // A linear function is met everywhere.
    let linear = |[x, y, z]: [f32; 3]| [x + 2.0 * y, z - x, 0.5 * y];
    let field = FlowField::from_function([-1.0; 3], [3.0, 2.0, 4.0], [5, 4, 3], linear).unwrap();
    for i in 0..500 {
        let draw = |a| noise::uniform(3, i, 0, a);
        let place = [-1.0 + 4.0 * draw(0), -1.0 + 3.0 * draw(1), -1.0 + 5.0 * draw(2)];
        assert!(field.at(place).minus(linear(place)).norm() < 1e-5, "{place:?}");
    }
    assert_eq!(field.at([9.0, 2.0, 4.0]), field.at([3.0, 2.0, 4.0]));
    let zero = field.clone().outside(Outside::Zero);
    assert_eq!(
        (zero.at([3.1, 0.0, 0.0]), zero.at([3.0, 2.0, 4.0])),
        ([0.0; 3], field.at([3.0, 2.0, 4.0]))
    );
    // The first axis runs fastest.
    let numbers: Vec<[f32; 2]> = (0..6).map(|i| [i as f32, 0.0]).collect();
    let field = FlowField::new([0.0; 2], [2.0, 1.0], [3, 2], numbers).unwrap();
    assert_eq!(
        (field.at([2.0, 0.0])[0], field.at([0.0, 1.0])[0], field.at([0.5, 0.5])[0]),
        (2.0, 3.0, 2.0)
    );
}

#[test]
fn a_flow_is_followed_at_full_speed_and_nowhere_braked_for() {
    let (min, max) = ([0.0; 2], [1.0; 2]);
    let half = FlowField::from_function(min, max, [2, 2], |_| [0.5, 0.0]).unwrap();
    assert_eq!(force(Flow::new(half.clone()), Domain::open(), [0.5; 2], [0.0, 1.0]), [1.0, -1.0]);
    assert_eq!(
        force(Flow { raw: true, ..Flow::new(half.clone()) }, Domain::open(), [0.5; 2], [0.0, 1.0]),
        [0.5, 0.0]
    );
    let nothing = half.outside(Outside::Zero);
    assert_eq!(force(Flow::new(nothing), Domain::open(), [1.5; 2], [0.0, 1.0]), [0.0, 0.0]);
}

/// In the open, ways lead straight to the goal.
#[test]
fn fast_marching_finds_straight_ways() {
    let goal = [5.0, 5.0];
    let field = FlowField::toward([0.0; 2], [10.0; 2], [81, 81], &[goal], |_| false).unwrap();
    let mut worst = 1.0f32;
    for i in 0..2000 {
        let place = [10.0 * noise::uniform(1, i, 0, 0), 10.0 * noise::uniform(1, i, 0, 1)];
        let way = [goal[0] - place[0], goal[1] - place[1]];
        if Vector::norm(way) > 0.5 {
            let cosine = field.at(place).unit().inner(way.unit());
            worst = if cosine < worst { cosine } else { worst };
        }
    }
    // First order is worst near the goal: within 13 degrees.
    assert!(worst > 0.974, "{worst}");
    let solid =
        FlowField::toward([0.0; 3], [4.0; 3], [17; 3], &[[1.0, 1.0, 1.0]], |_| false).unwrap();
    assert!(solid.at([3.5, 3.5, 3.5]).inner([-1.0f32; 3].unit()) > 0.99);
}

/// Of the flow between two circles, 1/r from the middle, and of the flow in a wedge even ways are
/// the known ones.
#[test]
fn even_ways_are_those_of_a_potential_flow() {
    // A strip that ends in a goal all across, of length 10: straight, whatever is next to it.
    let across: Vec<[f32; 2]> = (0..=8).map(|i| [10.0, 0.25 * i as f32]).collect();
    let strip = FlowField::even([0.0; 2], [10.0, 2.0], [41, 9], &across, |_| false).unwrap();
    assert!(strip.values().iter().filter(|way| **way != [0.0; 2]).all(|way| way[0] > 1.0 - 1e-6));
    // A disc with a goal in the middle is left along its radii, whatever the grid's axes.
    let disc = |[x, y]: [f32; 2]| x * x + y * y > 25.0;
    let field = FlowField::even([-5.0; 2], [5.0; 2], [81, 81], &[[0.0, 0.0]], disc).unwrap();
    let mut worst = 1.0f32;
    for i in 0..2000 {
        let (r, turn) = (0.6 + 3.9 * noise::uniform(1, i, 0, 0), noise::uniform(1, i, 0, 1));
        let (sin, cos) = wingbeat_steer::math::sin_cos_turns(turn);
        let cosine = -field.at([r * cos, r * sin]).unit().inner([cos, sin]);
        worst = if cosine < worst { cosine } else { worst };
    }
    assert!(worst > 0.995, "{worst}");
    // Round a corner of 90 degrees the flow follows both walls, and its mirror image is the mirror
    // image.
    let [left, right] = [1.0f32, -1.0].map(|side| {
        let inner = move |[x, y]: [f32; 2]| x < 5.0 && side * y > 0.0;
        let goals: Vec<[f32; 2]> = (0..=20).map(|i| [5.0 + 0.25 * i as f32, side * 5.0]).collect();
        FlowField::even([-5.0, -5.0], [10.0, 5.0], [61, 41], &goals, inner).unwrap()
    });
    for (node, way) in left.values().iter().enumerate() {
        let [x, y] = [node % 61, node / 61];
        let mirror = right.values()[x + 61 * (40 - y)];
        assert!(
            (way[0] - mirror[0]).abs() < 1e-4 && (way[1] + mirror[1]).abs() < 1e-4,
            "{x} {y}: {way:?} {mirror:?}"
        );
    }
    assert!(left.at([-4.0, -4.9])[0] > 0.999 && left.at([9.9, 0.0])[1] > 0.999);
    // In the middle of the turn they turn, where shortest ways would make for the inner corner.
    let middle = left.at([7.5, -2.5]).unit();
    assert!(middle[0] > 0.45 && middle[1] > 0.45, "{middle:?}");
    let solid =
        FlowField::even([0.0; 3], [4.0; 3], [17; 3], &[[0.0, 0.0, 0.0]], |_| false).unwrap();
    assert!(solid.at([3.5, 3.5, 3.5]).inner([-1.0f32; 3].unit()) > 0.999);
}

/// On a grid of walls at random every way leads to a goal: a walker that follows them gets there.
#[test]
fn even_ways_lead_to_a_goal_from_everywhere() {
    for seed in 0..6 {
        let blocked = move |[x, y]: [f32; 2]| {
            let cell = (x * 1.25) as u64 + 100 * (y * 1.25) as u64;
            cell != 0 && noise::uniform(seed, cell, 0, 0) < 0.3
        };
        let goal = [0.5, 0.5];
        let field = FlowField::even([0.0; 2], [16.0; 2], [161, 161], &[goal], blocked).unwrap();
        let reached =
            FlowField::reached([0.0; 2], [16.0; 2], [161, 161], &[goal], blocked).unwrap();
        let leads = |field: &FlowField<[f32; 2]>| {
            field.values().iter().map(|way| *way != [0.0; 2]).collect::<Vec<_>>()
        };
        assert_eq!(leads(&field), leads(&reached), "seed {seed}");
        for node in (0..161 * 161).filter(|&node| reached.values()[node] != [0.0; 2]).step_by(37) {
            let start = [0.1 * (node % 161) as f32, 0.1 * (node / 161) as f32];
            let (mut place, mut steps) = (start, 0);
            while place.minus(goal).norm() > 0.15 && steps < 20_000 {
                place = place.plus(field.at(place).unit().times(0.02));
                steps += 1;
            }
            assert!(steps < 20_000, "seed {seed}: from {start:?} to {place:?}");
        }
    }
}

/// Who has a way, found by flooding, is who is given one by marching: in front of walls, behind
/// them, inside of them and in a cell.
#[test]
fn reached_is_where_ways_lead() {
    let rooms: [fn([f32; 2]) -> bool; 4] = [
        |_| false,
        |[x, y]| (x - 5.0).abs() < 0.8 && y < 8.0,
        |[x, y]| {
            let within = |side: f32| (x - 5.0).abs() < side && (y - 5.0).abs() < side;
            within(2.0) && !within(1.0)
        },
        |[x, _]| (x - 5.0).abs() < 0.8,
    ];
    for room in rooms {
        let grid = ([0.0; 2], [10.0; 2], [41, 31], [[1.0, 1.0], [2.0, 9.0]]);
        let marched = FlowField::toward(grid.0, grid.1, grid.2, &grid.3, room).unwrap();
        let reached = FlowField::reached(grid.0, grid.1, grid.2, &grid.3, room).unwrap();
        let leads = |field: &FlowField<[f32; 2]>| {
            field.values().iter().map(|way| *way != [0.0; 2]).collect::<Vec<_>>()
        };
        assert_eq!(leads(&reached), leads(&marched));
    }
    let refusal = |result: Result<FlowField<[f32; 2]>, wingbeat_steer::ParamError>| {
        result.unwrap_err().to_string()
    };
    let (min, max, inside) = ([0.0; 2], [10.0; 2], [[5.0, 5.0]]);
    assert_eq!(
        refusal(FlowField::reached(min, max, [9, 9], &inside, |_| true)),
        refusal(FlowField::toward(min, max, [9, 9], &inside, |_| true))
    );
}

#[test]
fn fast_marching_leads_around_walls() {
    let spiral = |[x, y]: [f32; 2]| {
        (x - 2.0).abs() < 0.3 && y < 8.0
            || (x - 5.0).abs() < 0.3 && y > 2.0
            || (x - 8.0).abs() < 0.3 && y < 8.0
    };
    let field = FlowField::toward([0.0; 2], [10.0; 2], [101, 101], &[[9.5, 0.5]], spiral).unwrap();
    for start in [[0.5, 0.5], [3.5, 1.0], [6.5, 9.5], [9.0, 9.0], [1.0, 9.9]] {
        let mut place = start;
        let mut steps = 0;
        while place.minus([9.5, 0.5]).norm() > 0.2 {
            place = place.plus(field.at(place).unit().times(0.02));
            assert!(
                !((place[0] - 2.0).abs() < 0.15 && place[1] < 7.8),
                "through the first wall at {place:?}"
            );
            assert!(
                !((place[0] - 5.0).abs() < 0.15 && place[1] > 2.2),
                "through the second wall at {place:?}"
            );
            steps += 1;
            assert!(steps < 3000, "from {start:?} it is still at {place:?}");
        }
    }
    // Inside a wall the way leads out of it; a walled-in place leads nowhere.
    assert!(field.at([2.0, 4.0]).norm() > 0.5);
    let cell = |[x, y]: [f32; 2]| {
        (x - 5.0).abs() < 1.1
            && (y - 5.0).abs() < 1.1
            && !((x - 5.0).abs() < 0.6 && (y - 5.0).abs() < 0.6)
    };
    let prison = FlowField::toward([0.0; 2], [10.0; 2], [101, 101], &[[1.0, 1.0]], cell).unwrap();
    assert_eq!(prison.at([5.0, 5.0]), [0.0, 0.0]);
    assert!(prison.at([9.0, 9.0]).norm() > 0.9);
}

#[test]
fn refusals_name_value_and_range() {
    let refused = |kind: DriveKind<[f32; 2]>, domain: &Domain<[f32; 2]>| {
        Drive::new("it", kind).check(domain).unwrap_err().to_string()
    };
    let open = Domain::open();
    let goal = Goal { slowing_radius: -1.0, ..Default::default() };
    assert_eq!(refused(goal.into(), &open), "drive.it.slowing_radius = -1: allowed is 0 to 1e12");
    let goal = Goal { range: f32::NAN, ..Default::default() };
    assert_eq!(
        refused(goal.into(), &open),
        "drive.it.range = NaN: allowed is above 0, at most 1e12, or inf"
    );
    let walled = Domain::walled([0.0; 2], [4.0; 2], 0.5, 1.0);
    let goal = Goal { target: Some([2.0, 4.5]), ..Default::default() };
    assert_eq!(
        refused(goal.into(), &walled),
        "drive.it.target[1] = 4.5: allowed is 0 to 4, the domain"
    );
    let edge = Goal { target: Some([4.0, 0.0]), ..Default::default() };
    assert!(Drive::new("it", edge).check(&walled).is_ok());
    let torus = Domain::periodic([0.0; 2], [4.0; 2]);
    assert_eq!(
        refused(edge.into(), &torus),
        "drive.it.target[0] = 4: allowed is 0 to below 4, the domain"
    );
    let wander = WanderParameters { range: 7.0, ..Default::default() };
    assert_eq!(refused(wander.into(), &open), "drive.it.range = 7: allowed is 0 to 6.2831855");
    let wind = Wind { vector: [0.0, f32::INFINITY], drag: false };
    assert_eq!(refused(wind.into(), &open), "drive.it.vector[1] = inf: allowed is -1e9 to 1e9");
    assert_eq!(
        refused(Noise { size: -1.0, ..Default::default() }.into(), &open),
        "drive.it.size = -1: allowed is 0 to 1e9"
    );
    assert_eq!(
        refused(Speed { speed: 1.0, rate: -2.0 }.into(), &open),
        "drive.it.rate = -2: allowed is 0 to 1e9"
    );
    let tether = Tether { anchor: [9.0, 0.0], ..Default::default() };
    assert_eq!(
        refused(tether.into(), &walled),
        "drive.it.anchor[0] = 9: allowed is 0 to 4, the domain"
    );
    let leader = Leader { distance: Some(0.0), ..Leader::common(0) };
    assert_eq!(refused(leader.into(), &open), "drive.it.distance = 0: allowed is 1e-9 to 1e12");
    let unsorted = Leader { parents: vec![(3, 0), (1, 0)], ..Default::default() };
    assert_eq!(
        refused(unsorted.into(), &open),
        "drive.it.parents = 1: allowed is boids in ascending order, each once"
    );
    let path = Path::new(behavior::Path::open([[1.0, 1.0], [5.0, 1.0]], 0.5).unwrap());
    assert_eq!(
        refused(path.into(), &walled),
        "drive.it.points[1][0] = 5: allowed is 0 to 4, the domain"
    );
    let weighted = Drive::<[f32; 2]>::new("it", Noise::default()).weighted(f32::NAN);
    assert_eq!(
        weighted.check(&open).unwrap_err().to_string(),
        "drive.it.weight = NaN: allowed is -1e9 to 1e9"
    );
}

#[test]
fn flocks_refuse_drives_that_do_not_go_together() {
    let noise = |name: &str| Drive::<[f32; 2]>::new(name, Noise::default());
    let refused = |drives: &[Drive<[f32; 2]>]| {
        check_drives(drives, &Domain::open(), |id| id < 3).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&[noise("a"), noise("a")]),
        "drive.a = given twice: allowed is each name once"
    );
    let many: Vec<_> = (0..17).map(|i| noise(&i.to_string())).collect();
    assert_eq!(refused(&many), "drives = 17: allowed is at most 16");
    assert!(check_drives(&many[..16], &Domain::open(), |_| true).is_ok());
    let leader = |leader: Leader| Drive::new("duck", leader);
    assert_eq!(
        refused(&[leader(Leader::common(3))]),
        "drive.duck.parent = 3: allowed is the id of a boid that exists"
    );
    assert_eq!(
        refused(&[leader(Leader::each([(0, 1), (1, 7)]))]),
        "drive.duck.parents = 7: allowed is the id of a boid that exists"
    );
}

#[test]
fn fields_of_the_wrong_shape_are_refused() {
    let new = |shape: &[usize], count| {
        FlowField::new([0.0; 2], [1.0; 2], shape, vec![[0.0; 2]; count]).unwrap_err().to_string()
    };
    assert_eq!(
        new(&[3, 2], 5),
        "flow.values = 5 vectors: allowed is 6 vectors, for a grid of 3 by 2"
    );
    assert_eq!(new(&[3, 2, 2], 12), "flow.shape = [3, 2, 2]: allowed is 2 numbers of nodes");
    assert_eq!(
        new(&[1, 5], 5),
        "flow.shape = [1, 5]: allowed is 2 nodes or more an axis, at most 16777216 in all"
    );
    assert_eq!(
        new(&[usize::MAX, 2], 5),
        format!(
            "flow.shape = [{}, 2]: allowed is 2 nodes or more an axis, at most 16777216 in all",
            usize::MAX
        )
    );
    let nan = FlowField::new([0.0; 2], [1.0; 2], [2, 2], vec![[0.0, f32::NAN]; 4])
        .unwrap_err()
        .to_string();
    assert_eq!(nan, "flow.values[0][1] = NaN: allowed is -1e9 to 1e9");
    let flat = FlowField::from_function([0.0; 2], [1.0, 0.0], [2, 2], |_| [0.0; 2])
        .unwrap_err()
        .to_string();
    assert_eq!(flat, "flow.max[1] = 0: allowed is above flow.min[1] = 0");
    let toward = |goals: &[[f32; 2]]| {
        FlowField::toward([0.0; 2], [1.0; 2], [3, 3], goals, |[x, _]| x > 0.9)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(toward(&[]), "flow.goals = 0: allowed is at least one");
    assert_eq!(
        toward(&[[2.0, 0.0]]),
        "flow.goals[0] = [2.0, 0.0]: allowed is inside the grid, its nearest node not blocked"
    );
    assert_eq!(
        toward(&[[0.0, 0.0], [1.0, 0.0]]),
        "flow.goals[1] = [1.0, 0.0]: allowed is inside the grid, its nearest node not blocked"
    );
}
