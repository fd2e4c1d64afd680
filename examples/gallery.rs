//! Twenty behaviours in one picture: that of crates/wingbeat-steer/README.md.
//!
//! `cargo run --release --example gallery -- docs/pictures` writes it anew; without a folder,
//! target/pictures.

use std::path::Path as FilePath;

use wingbeat_examples::{PALETTE, Panel, Picture};
use wingbeat_steer::behavior::{AxisBox, Path, Shape, Sphere, falloff};
use wingbeat_steer::glam::{Vec2, vec2};
use wingbeat_steer::{Agent, Body, Jitter, Steering, Wander, WanderParameters};

const DT: f32 = 0.1;
const AGENT: &str = PALETTE[0];
const OTHER: &str = PALETTE[1];
const THING: &str = PALETTE[5];

/// A picture has to show one thing, so bodies are all alike: maximum speed 4, mass 1, maximum
/// force 4.
fn body(at: Vec2, velocity: Vec2) -> Body<Vec2> {
    Body::new(at, velocity, 4.0, 1.0).expect("in range")
}

/// What one body wants: its number, its manager, and all others as they were before this step.
type Wish<'a> = dyn FnMut(usize, &mut Steering<Vec2>, &[Body<Vec2>]) + 'a;

/// Lets all bodies follow `wish` for some steps of 0.1 and draws their tracks in `colors` (the last
/// one for all further).
fn scene(
    panel: &mut Panel,
    bodies: &[Body<Vec2>],
    steps: usize,
    colors: &[&'static str],
    wish: &mut Wish,
) {
    let mut bodies = bodies.to_vec();
    let mut tracks: Vec<Vec<Vec2>> = bodies.iter().map(|body| vec![body.position]).collect();
    for step in 0..steps {
        let before = bodies.clone();
        for (i, body) in bodies.iter_mut().enumerate() {
            let mut steering = Steering::new(body, 4.0)
                .expect("in range")
                .with_slowing_radius(0.0)
                .expect("in range");
            wish(i, &mut steering, &before);
            body.follow(steering.update(DT));
            if step % 3 == 2 {
                tracks[i].push(body.position);
            }
        }
    }
    for (i, (body, track)) in bodies.iter().zip(&tracks).enumerate() {
        let color = colors[i.min(colors.len() - 1)];
        panel.track(track, color, 1.5, 0.8);
        panel.dot(track[0], color, 2.0);
        panel.agent(body.position, body.velocity, color);
    }
}

fn ring(center: Vec2, radius: f32) -> Vec<Vec2> {
    (0..=32)
        .map(|i| center + Vec2::from_angle(i as f32 * std::f32::consts::TAU / 32.0) * radius)
        .collect()
}

fn crowd(count: u64, spread: f32) -> Vec<Body<Vec2>> {
    let place = |id| {
        let mut draw = Jitter::owned(2, id);
        let at = vec2(draw.uniform(0, 0), draw.uniform(1, 0)) - 0.5;
        body(at * spread, Vec2::from_angle(draw.uniform(2, 0) * std::f32::consts::TAU) * 2.0)
    };
    (0..count).map(place).collect()
}

fn others(i: usize, all: &[Body<Vec2>]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    all.iter()
        .enumerate()
        .filter(move |(j, _)| *j != i)
        .map(|(_, other)| (other.position, other.velocity))
}

fn places(picture: &mut Picture) {
    let starts = [body(vec2(-20.0, -10.0), vec2(0.0, 4.0)), body(vec2(-20.0, 8.0), vec2(4.0, 4.0))];
    let target = vec2(5.0, 0.0);
    let panel = picture.panel("seek");
    scene(panel, &starts, 110, &[AGENT], &mut |_, s, _| {
        s.seek(target);
    });
    panel.dot(target, THING, 4.0);
    let panel = picture.panel("arrive");
    scene(panel, &starts, 160, &[AGENT], &mut |_, s, _| {
        s.arrive(target, 16.0);
    });
    panel.dot(target, THING, 4.0);
    let panel = picture.panel("flee");
    let near = [body(vec2(-6.0, -1.0), vec2(4.0, 0.0)), body(vec2(9.0, 9.0), vec2(-2.0, -4.0))];
    scene(panel, &near, 60, &[AGENT], &mut |_, s, _| {
        s.flee(target);
    });
    panel.dot(target, THING, 4.0);
    let panel = picture.panel("wander");
    let style = WanderParameters { interval: 0.2, ..Default::default() };
    let mut wanders: Vec<_> =
        (0..3).map(|i| Wander::new(style, Jitter::owned(3, i)).expect("in range")).collect();
    scene(panel, &[body(Vec2::ZERO, Vec2::X); 3], 400, &[AGENT], &mut |i, s, _| {
        s.wander(&mut wanders[i], DT);
    });
    let panel = picture.panel("follow_flow");
    let whirl = |at: Vec2| (at.perp() - at * 0.2).normalize_or_zero() * 4.0;
    scene(panel, &crowd(6, 40.0), 120, &[AGENT], &mut |_, s, _| {
        s.follow_flow(whirl, 0.5);
    });
}

fn agents(picture: &mut Picture) {
    let straight = |s: &mut Steering<Vec2>, v: Vec2| {
        s.add("straight", v - s.velocity());
    };
    let pair = [body(vec2(-10.0, 12.0), vec2(3.0, 0.0)), body(vec2(-14.0, -10.0), Vec2::ZERO)];
    scene(picture.panel("pursue"), &pair, 75, &[OTHER, AGENT], &mut |i, s, all| match i {
        0 => straight(s, vec2(3.0, 0.0)),
        _ => {
            s.pursue(&all[0]);
        }
    });
    let pair = [body(vec2(-14.0, 2.0), vec2(3.0, 0.0)), body(vec2(2.0, 0.0), vec2(-2.0, 0.0))];
    scene(picture.panel("evade"), &pair, 60, &[OTHER, AGENT], &mut |i, s, all| match i {
        0 => straight(s, vec2(3.0, 0.0)),
        _ => {
            s.evade(&all[0]);
        }
    });
    let three = [
        body(Vec2::ZERO, vec2(2.5, 0.0)),
        body(vec2(-9.0, 9.0), Vec2::ZERO),
        body(vec2(-6.0, -9.0), Vec2::ZERO),
    ];
    scene(
        picture.panel("offset_pursuit"),
        &three,
        160,
        &[OTHER, AGENT],
        &mut |i, s, all| match i {
            0 => {
                s.add("curve", s.velocity().perp() * 0.12);
            }
            _ => {
                s.offset_pursuit(&all[0], vec2(-3.0, if i == 1 { 3.0 } else { -3.0 }), 6.0);
            }
        },
    );
    let three = [
        body(vec2(-15.0, 10.0), vec2(2.0, 0.0)),
        body(vec2(-15.0, -10.0), vec2(2.0, 0.6)),
        body(Vec2::ZERO, Vec2::ZERO),
    ];
    scene(
        picture.panel("interpose"),
        &three,
        110,
        &[OTHER, OTHER, AGENT],
        &mut |i, s, all| match i {
            2 => {
                s.interpose(&all[0], &all[1], 8.0);
            }
            _ => straight(s, vec2(2.0, 0.6 * i as f32)),
        },
    );
    let mut troop = vec![body(vec2(0.0, 0.0), vec2(2.5, 0.0))];
    troop.extend(crowd(5, 14.0));
    scene(picture.panel("follow_leader"), &troop, 170, &[OTHER, AGENT], &mut |i, s, all| match i {
        0 => {
            s.add("curve", s.velocity().perp() * 0.1);
        }
        _ => {
            s.follow_leader(&all[0], 2.5, 6.0).weighted(3.0).separate(
                others(i, all).map(|o| o.0),
                2.5,
                falloff::inverse,
            );
        }
    });
}

fn surroundings(picture: &mut Picture) {
    let trees: Vec<Sphere<Vec2>> = [(0.0, 0.5, 3.0), (11.0, -3.0, 3.0), (10.0, 6.0, 2.5)]
        .map(|(x, y, radius)| Sphere::new(vec2(x, y), radius).expect("in range"))
        .to_vec();
    let draw = |panel: &mut Panel| {
        trees
            .iter()
            .for_each(|tree| panel.track(&ring(tree.middle(), tree.size()), THING, 1.5, 1.0))
    };
    let panel = picture.panel("avoid_obstacles");
    draw(panel);
    let starts = [-2.0, 0.0, 3.0].map(|y| body(vec2(-15.0, y), vec2(4.0, 0.0)));
    scene(panel, &starts, 90, &[AGENT], &mut |i, s, _| {
        s.avoid_obstacles(&trees, 0.8, 7.0, 6.0)
            .weighted(0.5)
            .seek(vec2(24.0, starts[i].position.y));
    });
    let panel = picture.panel("hide");
    draw(panel);
    let pair = [body(vec2(-12.0, 12.0), vec2(1.5, -0.6)), body(vec2(4.0, 10.0), Vec2::ZERO)];
    scene(panel, &pair, 130, &[OTHER, AGENT], &mut |i, s, all| match i {
        0 => {
            s.add("straight", vec2(1.5, -0.6) - s.velocity());
        }
        _ => {
            s.hide(&all[0], &trees, 1.5, 3.0);
        }
    });
    let (low, high) = (vec2(-12.0, -6.0), vec2(12.0, 6.0));
    let outline = [low, vec2(high.x, low.y), high, vec2(low.x, high.y), low];
    let block = AxisBox::new(low, high).expect("in range");
    let panel = picture.panel("follow_wall");
    panel.track(&outline, THING, 1.5, 1.0);
    scene(panel, &[body(vec2(-16.0, -14.0), vec2(3.0, 1.0))], 190, &[AGENT], &mut |_, s, _| {
        s.follow_wall(&block, 3.0, 0.8).weighted(0.5).match_speed(4.0, Vec2::X);
    });
    let panel = picture.panel("contain");
    panel.track(&outline, THING, 1.5, 1.0);
    let starts = [body(Vec2::ZERO, vec2(3.0, 1.0)), body(vec2(-4.0, 2.0), vec2(-1.0, 3.0))];
    scene(panel, &starts, 200, &[AGENT], &mut |_, s, _| {
        s.contain(&block, 1.0);
    });
    let road = [vec2(-16.0, -8.0), vec2(-4.0, 8.0), vec2(6.0, -6.0), vec2(18.0, 6.0)];
    let path = Path::open(road, 1.0).expect("in range");
    let panel = picture.panel("follow_path");
    panel.track(&road, THING, 9.0, 0.25);
    scene(panel, &[body(vec2(-18.0, 0.0), Vec2::X)], 190, &[AGENT], &mut |_, s, _| {
        s.follow_path(&path, 0.8);
    });
}

fn crowds(picture: &mut Picture) {
    scene(picture.panel("separate"), &crowd(14, 6.0), 60, &[AGENT], &mut |i, s, all| {
        s.separate(others(i, all).map(|o| o.0), 6.0, falloff::linear(6.0))
            .add("drag", -all[i].velocity);
    });
    scene(picture.panel("align"), &crowd(14, 30.0), 60, &[AGENT], &mut |i, s, all| {
        s.align(others(i, all).filter(|o| o.0.distance(all[i].position) < 12.0).map(|o| o.1));
    });
    scene(picture.panel("cohere"), &crowd(14, 40.0), 60, &[AGENT], &mut |i, s, all| {
        s.weighted(0.3).cohere(others(i, all).map(|o| o.0)).add("drag", -all[i].velocity);
    });
    let round: Vec<Body<Vec2>> =
        ring(Vec2::ZERO, 15.0)[..32].iter().step_by(4).map(|at| body(*at, *at * -0.2)).collect();
    scene(
        picture.panel("avoid_collisions"),
        &round,
        95,
        &[AGENT, OTHER, PALETTE[2], PALETTE[3], PALETTE[4], THING, AGENT, OTHER],
        &mut |i, s, all| {
            s.avoid_collisions(others(i, all), 2.5, 4.0, 4.0)
                .weighted(0.5)
                .seek(-round[i].position * 1.3);
        },
    );
    let door = vec2(14.0, 0.0);
    let panel = picture.panel("queue");
    scene(panel, &crowd(9, 22.0), 120, &[AGENT], &mut |i, s, all| {
        s.arrive(door, 3.0).weighted(2.0).queue(others(i, all), 1.2, 1.5, 5.0);
        s.weighted(2.0).separate(others(i, all).map(|o| o.0), 2.0, falloff::inverse);
    });
    panel.dot(door, THING, 5.0);
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "target/pictures".into());
    let mut picture = Picture::new(
        "Twenty behaviours",
        "Named as the manager's methods. Dots: starts. Arrow heads: ends.",
        5,
    );
    picture.panel_size(200.0);
    places(&mut picture);
    agents(&mut picture);
    surroundings(&mut picture);
    crowds(&mut picture);
    picture.legend("the agents that show it", AGENT);
    picture.legend("others", OTHER);
    picture.legend("targets, obstacles, roads", THING);
    picture.save_in(FilePath::new(&folder), "behaviors")?;
    Ok(())
}
