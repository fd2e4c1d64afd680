//! Each behavior does in the world what its name says.

use wingbeat_steer::behavior::{
    AxisBox, Capsule, Path, Shape, Sphere, falloff, free_distance, look_rotation,
};
use wingbeat_steer::glam::{Mat3, Quat, Vec2, Vec3, vec2};
use wingbeat_steer::math::{max, min};
use wingbeat_steer::{Agent, Body, Steering, Vector};

const DT: f32 = 1.0 / 30.0;

/// A body of maximum speed 4 and mass 1.
fn body<V: Vector>(position: V, velocity: V) -> Body<V> {
    Body::new(position, velocity, 4.0, 1.0).unwrap()
}

/// Steers by `wish` (maximum force 8) for `seconds`, showing the body after each step.
fn live<V: Vector>(
    mut body: Body<V>,
    seconds: f32,
    mut wish: impl FnMut(&mut Steering<V>, f32),
    mut seen: impl FnMut(&Body<V>, f32),
) -> Body<V> {
    let mut steering = Steering::new(&body, 8.0).unwrap();
    for step in 0..(seconds / DT) as usize {
        let time = step as f32 * DT;
        wish(&mut steering, time);
        body.follow(steering.update(DT));
        seen(&body, time + DT);
    }
    body
}

#[test]
fn obstacles_are_passed_without_touching() {
    let sphere = Sphere::new(vec2(15.0, 0.0), 3.0).unwrap();
    let cuboid = AxisBox::new(vec2(12.0, -3.0), vec2(18.0, 2.0)).unwrap();
    let wall = Capsule::new(vec2(14.0, -4.0), vec2(16.0, 3.0), 1.0).unwrap();
    let shapes: [&dyn Shape<Vec2>; 3] = [&sphere, &cuboid, &wall];
    for (kind, shape) in shapes.into_iter().enumerate() {
        for y in -8..=8 {
            let goal = vec2(40.0, y as f32 * 0.5);
            let start = body(vec2(0.0, goal.y), vec2(4.0, 0.0));
            let mut nearest = f32::INFINITY;
            let wish = |s: &mut Steering<Vec2>, _: f32| {
                s.avoid_obstacles([shape], 1.0, 8.0, 8.0).weighted(0.3).seek(goal);
            };
            let end =
                live(start, 20.0, wish, |b, _| nearest = min(nearest, shape.nearest(b.position).1));
            assert!(
                nearest > 0.7,
                "shape {kind} from y = {y}: a body of radius 1 came within {nearest}"
            );
            assert!(
                end.position.x > 25.0,
                "shape {kind} from y = {y}: never got past, {}",
                end.position
            );
        }
    }
}

#[test]
fn the_free_distance_is_never_too_long() {
    let capsule = Capsule::new(Vec3::new(5.0, -2.0, 1.0), Vec3::new(9.0, 3.0, -1.0), 0.5).unwrap();
    for i in 0..500 {
        let (a, b) = (i as f32 * 0.37, i as f32 * 0.11);
        let forward = (Quat::from_rotation_z(a) * Quat::from_rotation_y(b)) * Vec3::X;
        let free = free_distance(Vec3::ZERO, forward, 0.3, 20.0, &capsule).unwrap_or(20.0);
        for part in 0..100 {
            let (_, gap) = capsule.nearest(forward * (free * part as f32 / 100.0));
            assert!(
                gap >= 0.3 - 20.0 / 1024.0 - 1e-4,
                "ray {i}: {gap} from the surface before {free}"
            );
        }
    }
}

#[test]
fn containment_keeps_an_eager_agent_in() {
    let yard = AxisBox::new(vec2(-10.0, -6.0), vec2(10.0, 6.0)).unwrap();
    for i in 0..12 {
        let along = Vec2::from_angle(i as f32);
        let wish = |s: &mut Steering<Vec2>, _: f32| {
            drop_ref(s.weighted(2.0).contain(&yard, 0.8).match_speed(4.0, along))
        };
        live(body(Vec2::ZERO, along * 4.0), 60.0, wish, |b, t| {
            let (_, outside) = yard.nearest(b.position);
            assert!(outside < 0.5, "start {i}, {t} s: {outside} outside at {}", b.position);
        });
    }
}

/// Lets a chain of calls end a closure.
fn drop_ref<V: Vector>(_: &mut Steering<V>) {}

#[test]
fn a_path_is_followed_to_its_end_and_a_loop_round_and_round() {
    let points = [vec2(0.0, 0.0), vec2(20.0, 0.0), vec2(20.0, 20.0), vec2(0.0, 20.0)];
    let open = Path::open(points, 1.5).unwrap();
    let wish = |s: &mut Steering<Vec2>, _: f32| drop_ref(s.follow_path(&open, 0.5));
    let end = live(body(vec2(-3.0, 4.0), Vec2::ZERO), 40.0, wish, |b, t| {
        let (_, nearest) = open.nearest(b.position);
        assert!(
            t < 5.0 || nearest.distance(b.position) < 2.0,
            "{t} s: off the road at {}",
            b.position
        );
    });
    assert!(end.position.distance(points[3]) < 0.2, "ended at {}", end.position);

    let ring = Path::looped(points, 1.5).unwrap();
    let (mut before, mut travelled) = (0.0, 0.0);
    let wish = |s: &mut Steering<Vec2>, _: f32| drop_ref(s.follow_path(&ring, 0.5));
    live(body(vec2(1.0, 0.5), Vec2::ZERO), 60.0, wish, |b, _| {
        let (along, _) = ring.nearest(b.position);
        let step = along - before;
        travelled += if step < -40.0 {
            step + 80.0
        } else if step > 40.0 {
            step - 80.0
        } else {
            step
        };
        before = along;
    });
    assert!(travelled > 2.0 * ring.length(), "only {travelled} of {} a round", ring.length());
}

#[test]
fn a_wall_is_followed_at_its_distance() {
    let wall = Sphere::new(Vec2::ZERO, 10.0).unwrap();
    let (mut nearest, mut farthest) = (f32::INFINITY, 0.0);
    let wish = |s: &mut Steering<Vec2>, _: f32| {
        drop_ref(s.follow_wall(&wall, 3.0, 0.5).match_speed(4.0, Vec2::X))
    };
    live(body(vec2(0.0, -16.0), vec2(4.0, 0.0)), 40.0, wish, |b, t| {
        if t > 8.0 {
            let (_, gap) = wall.nearest(b.position);
            (nearest, farthest) = (min(nearest, gap), max(farthest, gap));
        }
    });
    assert!(nearest > 2.0 && farthest < 4.0, "between {nearest} and {farthest} off the wall");
}

#[test]
fn a_flow_carries_along() {
    let end = live(
        body(Vec3::ZERO, Vec3::ZERO),
        20.0,
        |s, _| drop_ref(s.follow_flow(|_| Vec3::new(1.0, 2.0, -1.0), 0.5)),
        |_, _| {},
    );
    assert!(end.velocity.distance(Vec3::new(1.0, 2.0, -1.0)) < 1e-3);
}

#[test]
fn agents_from_any_side_pass_each_other() {
    for degrees in [0.0_f32, 45.0, 90.0, 135.0, 180.0] {
        let along = Vec2::from_angle(degrees.to_radians());
        let mut pair = [body(vec2(-20.0, 0.0), vec2(3.0, 0.0)), body(along * 20.0, along * -3.0)];
        let goals = [vec2(40.0, 0.0), along * -40.0];
        let mut nearest = f32::INFINITY;
        if degrees == 180.0 {
            pair[1].position = vec2(-26.0, 0.0); // behind, and faster below
            pair[1].velocity = vec2(4.0, 0.0);
        }
        for _ in 0..(14.0 / DT) as usize {
            let before = pair;
            for (i, me) in pair.iter_mut().enumerate() {
                let other = &before[1 - i];
                let mut steering = Steering::new(me, 8.0).unwrap();
                steering.avoid_collisions([(other.position, other.velocity)], 3.0, 4.0, 4.0);
                steering.weighted(0.3).seek(goals[i]);
                me.follow(steering.update(DT));
            }
            nearest = min(nearest, pair[0].position.distance(pair[1].position));
        }
        assert!(nearest > 1.5, "from {degrees}°: {nearest}");
    }
}

/// What a member of a crowd wants, given the others.
type CrowdWish<'a> = &'a dyn Fn(&mut Steering<Vec2>, &[Body<Vec2>]);

#[test]
fn separation_parts_and_cohesion_gathers_and_alignment_agrees() {
    let start: Vec<Body<Vec2>> = (0..12)
        .map(|i| {
            body(
                Vec2::from_angle(i as f32 * 2.4) * (i as f32).sqrt(),
                Vec2::from_angle(i as f32) * 2.0,
            )
        })
        .collect();
    let run = |wish: CrowdWish| {
        let mut flock = start.clone();
        for _ in 0..300 {
            let before = flock.clone();
            for i in 0..flock.len() {
                let others: Vec<_> =
                    (0..before.len()).filter(|j| *j != i).map(|j| before[j]).collect();
                let mut steering = Steering::new(&before[i], 8.0).unwrap();
                wish(&mut steering, &others);
                flock[i].follow(steering.update(DT));
            }
        }
        flock
    };
    let positions = |others: &[Body<Vec2>]| others.iter().map(|o| o.position).collect::<Vec<_>>();
    let drag = |s: &mut Steering<Vec2>| {
        let brake = -s.velocity();
        s.add("drag", brake);
    };
    let closest = |flock: &[Body<Vec2>]| {
        let pairs = flock
            .iter()
            .enumerate()
            .flat_map(|(i, a)| flock[..i].iter().map(move |b| a.position.distance(b.position)));
        pairs.fold(f32::INFINITY, min)
    };
    let parted = run(&|s, others| {
        s.separate(positions(others), 4.0, falloff::linear(4.0));
        drag(s);
    });
    assert!(closest(&parted) > 2.5, "{}", closest(&parted));
    let gathered = run(&|s, others| {
        s.cohere(positions(others));
        drag(s);
    });
    let middle = gathered.iter().map(|b| b.position).sum::<Vec2>() / 12.0;
    assert!(gathered.iter().all(|b| b.position.distance(middle) < 0.1));
    let aligned = run(&|s, others| drop_ref(s.align(others.iter().map(|o| o.velocity))));
    assert!(aligned.iter().all(|b| b.velocity.distance(aligned[0].velocity) < 1e-3));
}

#[test]
fn followers_end_up_behind_and_get_out_of_the_way() {
    for start in [vec2(-8.0, 5.0), vec2(6.0, 0.0), vec2(3.0, -0.2)] {
        let leader = |time: f32| body(vec2(1.5 * time, 0.0), vec2(1.5, 0.0));
        let wish = |s: &mut Steering<Vec2>, t: f32| drop_ref(s.follow_leader(&leader(t), 2.0, 4.0));
        let mut nearest = f32::INFINITY;
        let end = live(body(start, Vec2::ZERO), 40.0, wish, |b, t| {
            nearest = min(nearest, b.position.distance(leader(t).position));
        });
        let offset = end.position - leader(40.0).position;
        // Arrival trails a moving place by slowing_radius·speed/max_speed = 4·1.5/4.
        assert!(offset.distance(vec2(-3.5, 0.0)) < 0.3, "from {start}: {offset}");
        assert!(nearest > 0.5, "from {start}: run over at {nearest}");
    }
}

#[test]
fn a_formation_is_held_in_a_curve() {
    let leader = |time: f32| {
        let phase = Vec2::from_angle(time * 0.1);
        body(phase * 20.0, phase.perp() * 2.0)
    };
    let place = vec2(-1.0, 2.0);
    let wish = |s: &mut Steering<Vec2>, t: f32| drop_ref(s.offset_pursuit(&leader(t), place, 3.0));
    let end = live(body(vec2(10.0, 0.0), Vec2::ZERO), 60.0, wish, |_, _| {});
    let captain = leader(60.0);
    let forward = captain.velocity.normalize();
    let wanted = captain.position + forward * place.x + forward.perp() * place.y;
    assert!(end.position.distance(wanted) < 0.5, "{} is not {wanted}", end.position);
}

#[test]
fn interposing_ends_in_the_middle_and_hiding_out_of_sight() {
    let (left, right) = (body(vec2(-6.0, 3.0), Vec2::ZERO), body(vec2(10.0, 5.0), Vec2::ZERO));
    let wish = |s: &mut Steering<Vec2>, _: f32| drop_ref(s.interpose(&left, &right, 20.0));
    let end = live(body(vec2(0.0, -20.0), Vec2::ZERO), 60.0, wish, |_, _| {});
    assert!(end.position.distance(vec2(2.0, 4.0)) < 0.05, "{}", end.position);

    let trees =
        [Sphere::new(vec2(10.0, 0.0), 2.0).unwrap(), Sphere::new(vec2(-30.0, 0.0), 2.0).unwrap()];
    let hunter = body(vec2(0.0, 1.0), Vec2::ZERO);
    let wish = |s: &mut Steering<Vec2>, _: f32| drop_ref(s.hide(&hunter, &trees, 1.0, 20.0));
    let end = live(body(vec2(12.0, 8.0), Vec2::ZERO), 60.0, wish, |_, _| {});
    let sight = (end.position - hunter.position).normalize();
    let distance = hunter.position.distance(end.position);
    assert!(
        free_distance(hunter.position, sight, 0.0, distance, &trees[0]).is_some(),
        "in plain sight at {}",
        end.position
    );
}

#[test]
fn a_queue_does_not_run_into_those_who_wait() {
    let waiting = [(vec2(10.0, 0.0), Vec2::ZERO), (vec2(8.0, 9.0), Vec2::ZERO)];
    let mut farthest = 0.0;
    let wish = |s: &mut Steering<Vec2>, _: f32| {
        let speed = s.velocity();
        s.weighted(4.0)
            .queue(waiting, 1.0, 2.0, 6.0)
            .separate(waiting.map(|other| other.0), 3.0, falloff::inverse)
            .add("go on", (Vec2::X * 2.0 - speed) * 0.5);
    };
    live(body(Vec2::ZERO, vec2(2.0, 0.0)), 60.0, wish, |b, _| {
        farthest = max(farthest, b.position.x)
    });
    assert!(farthest < 9.0, "stood in line up to {farthest}");
    assert!(farthest > 5.0, "but did come up: {farthest}");
}

#[test]
fn a_tether_holds_and_a_minimum_speed_drives() {
    let mut farthest = 0.0;
    let wish = |s: &mut Steering<Vec2>, _: f32| drop_ref(s.tether(Vec2::ZERO, 5.0));
    live(body(Vec2::ZERO, vec2(3.0, 1.0)), 60.0, wish, |b, _| {
        farthest = max(farthest, b.position.length())
    });
    assert!(farthest > 5.0 && farthest < 8.0, "{farthest}");

    for start in [Vec2::ZERO, vec2(0.0, 0.3), vec2(0.0, 3.0)] {
        let wish = |s: &mut Steering<Vec2>, _: f32| drop_ref(s.minimum_speed(2.0, Vec2::X));
        let end = live(body(Vec2::ZERO, start), 20.0, wish, |_, _| {});
        assert!(
            (end.velocity.length() - max(2.0, start.length())).abs() < 1e-2,
            "{}",
            end.velocity
        );
    }
}

#[test]
fn look_rotation_agrees_with_the_plane_and_its_documented_axes() {
    for i in 0..24 {
        let angle = i as f32 * 0.27;
        let (x, y) = Vec2::from_angle(angle).into();
        let rotation = look_rotation(Vec3::new(x, y, 0.0) * 7.0, Vec3::Z).unwrap();
        let flat = Quat::from_rotation_z(angle);
        assert!((rotation * Vec3::Y).distance(flat * Vec3::Y) < 1e-5, "at {angle}");
    }
    let nose = Vec3::new(1.0, 0.2, -0.5);
    let bevy = look_rotation(nose, Vec3::Y).unwrap()
        * Quat::from_mat3(&Mat3::from_cols(-Vec3::Y, Vec3::Z, -Vec3::X));
    assert!((bevy * Vec3::NEG_Z).distance(nose.normalize()) < 1e-5, "{}", bevy * Vec3::NEG_Z);
    assert!((bevy * Vec3::Y).dot(Vec3::Y) > 0.9, "the roof is up: {}", bevy * Vec3::Y);
    assert_eq!(look_rotation(Vec3::ZERO, Vec3::Z), None);
    for direction in [Vec3::Z, Vec3::NEG_Z] {
        // up along the direction: any roof will do
        let upright = look_rotation(direction, Vec3::Z).unwrap();
        assert!((upright * Vec3::X).distance(direction) < 1e-5);
    }
}
