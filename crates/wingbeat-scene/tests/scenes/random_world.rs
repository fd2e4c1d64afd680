//! Random worlds and their geometry in f64, apart from the engine's: floors, periodic boxes, bodies
//! that grow, obstacles that stand, move and grow, exits, long steps. The tests draw them from a
//! seed, the fuzz target `scene_world` from bytes.

use std::fmt::Write;

use wingbeat::{Event, Flock, TimeStep};
use wingbeat_scene::{AnyFlock, Machine, Scene};

/// Where a world's choices come from: SplitMix64, so that no stream of the engine's is met by
/// chance, or bytes, two a choice, so that a fuzzer changes one choice by changing two of them.
pub struct Random {
    state: u64,
    bytes: Vec<u8>,
}

impl Random {
    pub fn seeded(state: u64) -> Self {
        Self { state, bytes: Vec::new() }
    }

    #[allow(dead_code)]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self { state: 0, bytes: bytes.iter().rev().copied().collect() }
    }

    fn next(&mut self) -> u64 {
        if let (Some(high), Some(low)) = (self.bytes.pop(), self.bytes.pop()) {
            let choice = u64::from(u16::from_be_bytes([high, low]));
            return choice << 48 | choice;
        }
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn part(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        let x = low + (high - low) * self.part();
        (x * 100.0).round() / 100.0
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.next().is_multiple_of(n)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

const SIDE: f64 = 20.0;

/// Corners in order.
type Ring = &'static [[f64; 2]];

/// A floor: its outer ring, and a hole.
const FLOORS: [(Ring, Ring); 4] = [
    (&[[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]], &[]),
    (&[[-9.0, -9.0], [9.0, -9.0], [9.0, -2.0], [-1.0, -2.0], [-1.0, 9.0], [-9.0, 9.0]], &[]),
    (&[[-9.0, 0.0], [0.0, -9.0], [9.0, 0.0], [0.0, 9.0]], &[[-1.5, -1.5], [1.5, -1.5], [0.0, 1.5]]),
    (
        &[[-9.0, -1.5], [9.0, -1.5], [9.0, 1.5], [-9.0, 1.5]],
        &[[2.0, -0.5], [3.0, -0.5], [3.0, 0.5], [2.0, 0.5]],
    ),
];

/// What stands still, for our own eyes.
enum Rock {
    Ball([f64; 3], f64),
    Block([f64; 3], [f64; 3]),
}

/// A world: its text, and what has to hold in it.
pub struct World {
    pub text: String,
    dimensions: usize,
    periodic: bool,
    floor: Option<usize>,
    rocks: Vec<Rock>,
    /// Walls across the world at these places on the first axis.
    walls: Vec<f64>,
    /// The radius of bodies that does not grow; 0 of points and of what grows.
    radius: f64,
    sequential: bool,
}

fn point(p: &[f64], dimensions: usize) -> String {
    format!("{:?}", &p[..dimensions])
}

impl World {
    /// The world of these choices; `seed` is that of its boids.
    pub fn new(r: &mut Random, seed: u64) -> Self {
        let dimensions = if r.one_in(4) { 3 } else { 2 };
        let floor = (dimensions == 2 && r.one_in(3)).then(|| r.below(FLOORS.len()));
        let kind = if floor.is_some() {
            "open"
        } else {
            ["open", "walled", "reflecting", "periodic", "periodic"][r.below(5)]
        };
        let dt = [0.05, 0.1, 0.5, 1.0][r.below(4)];
        let speed = [1.0, 3.0, 10.0, 60.0][r.below(4)];
        let boids = 1 + r.below(30);
        let mut text = format!(
            "[flock]\nboids = {boids}\ndimensions = {dimensions}\nseed = {seed}\ndt = {dt}\n"
        );
        let half = [SIDE / 2.0; 3];
        if let Some(floor) = floor {
            let ring = |ring: &[[f64; 2]]| {
                let corners = ring.iter().chain(ring.first()).map(|[x, y]| format!("{x} {y}"));
                format!("({})", corners.collect::<Vec<_>>().join(", "))
            };
            let (outer, hole) = FLOORS[floor];
            let hole = if hole.is_empty() { String::new() } else { format!(", {}", ring(hole)) };
            let _ = write!(text, "[floor]\nwkt = \"POLYGON ({}{hole})\"\n", ring(outer));
        } else {
            let _ = write!(text, "[domain]\nkind = \"{kind}\"\n");
            if kind != "open" {
                let (min, max) = (point(&half.map(|x| -x), dimensions), point(&half, dimensions));
                let _ = write!(text, "min = {min}\nmax = {max}\n");
            }
            if kind == "walled" {
                text += "margin = 1\nstrength = 5\n";
            }
        }
        let mut world = Self {
            text,
            dimensions,
            periodic: kind == "periodic",
            floor,
            rocks: Vec::new(),
            walls: Vec::new(),
            radius: 0.0,
            sequential: false,
        };
        world.add_boids(r, speed);
        world.add_obstacles(r, kind);
        world
    }

    fn add_boids(&mut self, r: &mut Random, speed: f64) {
        let text = &mut self.text;
        let _ = write!(text, "[agent]\nmax_speed = {speed}\nmax_force = {}\n", speed * 10.0);
        let _ = write!(text, "[spawn]\nspeed = {}\n", speed * r.part());
        if self.floor.is_none() {
            let (min, max) =
                (point(&[-8.0; 3], self.dimensions), point(&[8.0; 3], self.dimensions));
            let _ = write!(text, "min = {min}\nmax = {max}\n");
        }
        if r.one_in(2) {
            let radius = [0.05, 0.2, 0.5][r.below(3)];
            let _ = write!(text, "[body]\nradius = {radius}\nsettle = {}\n", r.one_in(2));
            if r.one_in(4) {
                let to = [0.01, 0.6, 1.0][r.below(3)];
                let _ = write!(
                    text,
                    "[ramp.body]\nkey = \"body.radius\"\nfrom = {radius}\nto = {to}\nover = {}\n",
                    5.0 * r.part()
                );
            } else {
                self.radius = radius;
            }
        }
        for rule in ["separation", "alignment", "cohesion"] {
            if r.one_in(2) {
                let _ = write!(
                    text,
                    "[{rule}]\nweight = {}\nradius = {}\n",
                    r.within(0.1, 5.0),
                    r.within(0.5, 3.0)
                );
            }
        }
        if r.one_in(3) {
            let target = point(&[r.within(-9.0, 9.0), r.within(-9.0, 9.0), 0.0], self.dimensions);
            let _ = write!(
                text,
                "[drive.goal]\nkind = \"goal\"\ntarget = {target}\nweight = {speed}\n"
            );
        }
        if r.one_in(4) {
            let low = [r.within(-7.0, 5.0), r.within(-7.0, 5.0), -1.0];
            let (min, max) =
                (point(&low, self.dimensions), point(&low.map(|x| x + 1.5), self.dimensions));
            let _ = write!(text, "[exit.way]\nkind = \"box\"\nmin = {min}\nmax = {max}\n");
        }
    }

    fn add_obstacles(&mut self, r: &mut Random, kind: &str) {
        let dimensions = self.dimensions;
        if self.floor.is_none() && r.one_in(2) {
            // Two across a periodic box part it in two; one does in a box with faces.
            let places = if self.periodic { vec![-6.0, 3.0] } else { vec![1.0] };
            for (i, x) in places.iter().enumerate() {
                let end = if kind == "open" { 1e5 } else { SIDE / 2.0 };
                if dimensions == 2 {
                    let _ = write!(
                        self.text,
                        "[obstacle.across{i}]\nkind = \"wall\"\n\
                        from = [{x}, -{end}]\nto = [{x}, {end}]\n"
                    );
                    self.walls.push(*x);
                }
            }
        }
        for i in 0..r.below(4) {
            let at = [r.within(-8.0, 8.0), r.within(-8.0, 8.0), r.within(-8.0, 8.0)];
            let name = format!("rock{i}");
            let (shape, rock) = if r.one_in(2) {
                let radius = r.within(0.2, 3.0);
                (
                    format!(
                        "kind = \"sphere\"\ncenter = {}\nradius = {radius}\n",
                        point(&at, dimensions)
                    ),
                    Rock::Ball(at, radius),
                )
            } else {
                let max = at.map(|x| x + r.within(0.1, 4.0));
                let (low, high) = (point(&at, dimensions), point(&max, dimensions));
                (format!("kind = \"box\"\nmin = {low}\nmax = {high}\n"), Rock::Block(at, max))
            };
            let _ = write!(self.text, "[obstacle.{name}]\n{shape}");
            let still = r.one_in(2);
            if still {
                if matches!(rock, Rock::Ball(..)) && r.one_in(3) {
                    let (from, to) = (r.within(0.1, 1.0), r.within(0.1, 4.0));
                    let over = r.within(0.2, 3.0);
                    let _ = write!(
                        self.text,
                        "[ramp.{name}]\nkey = \"obstacle.{name}.radius\"\nfrom = {from}\n\
                            to = {to}\nover = {over}\n"
                    );
                } else {
                    self.rocks.push(rock);
                }
                continue;
            }
            let velocity = [r.within(-3.0, 3.0), r.within(-3.0, 3.0), 0.0];
            let _ = write!(
                self.text,
                "motion = \"line\"\nvelocity = {}\n",
                point(&velocity, dimensions)
            );
            if !self.periodic && r.one_in(2) {
                let _ = write!(
                    self.text,
                    "range_min = {}\nrange_max = {}\n",
                    point(&[-9.0; 3], dimensions),
                    point(&[9.0; 3], dimensions)
                );
            }
        }
        self.sequential = r.one_in(3);
    }

    /// The part of the world that is parted by its walls in which a place lies; `None` without
    /// walls.
    fn part_of(&self, x: f64) -> Option<usize> {
        match self.walls.as_slice() {
            [] => None,
            [wall] => Some(usize::from(x > *wall)),
            [first, second, ..] => Some(usize::from(x > *first && x < *second)),
        }
    }

    /// What is wrong with a place of a boid that nothing squeezes.
    fn fault(&self, place: [f64; 3]) -> Option<String> {
        // A few units in the last place of what coordinates and radii together are.
        let rounding = 1e-5;
        if let Some(floor) = self.floor {
            let (outer, hole) = FLOORS[floor];
            if !holds(outer, place) && ring_distance(outer, place) > rounding {
                return Some(format!("off the floor: {place:?}"));
            }
            if !hole.is_empty() && holds(hole, place) && ring_distance(hole, place) > rounding {
                return Some(format!("in the floor's hole: {place:?}"));
            }
            if ring_distance(outer, place) < self.radius - rounding {
                return Some(format!("{} from the floor's edge", ring_distance(outer, place)));
            }
        }
        for rock in &self.rocks {
            for shift in self.images() {
                let at: [f64; 3] = std::array::from_fn(|a| place[a] + shift[a]);
                let distance = match rock {
                    Rock::Ball(middle, radius) => {
                        let squares =
                            (0..self.dimensions).map(|a| square(at[a] - middle[a])).sum::<f64>();
                        squares.sqrt() - radius
                    }
                    Rock::Block(min, max) => {
                        let out = |a: usize| (min[a] - at[a]).max(at[a] - max[a]);
                        let most = (0..self.dimensions).map(out).fold(f64::NEG_INFINITY, f64::max);
                        let outside = (0..self.dimensions)
                            .map(|a| square(out(a).max(0.0)))
                            .sum::<f64>()
                            .sqrt();
                        if most < 0.0 { most } else { outside }
                    }
                };
                if distance < self.radius - rounding {
                    return Some(format!(
                        "{distance} from what stands still, radius {}: {place:?}",
                        self.radius
                    ));
                }
            }
        }
        None
    }

    fn images(&self) -> Vec<[f64; 3]> {
        if !self.periodic {
            return vec![[0.0; 3]];
        }
        let axes = |a: usize| if a < self.dimensions { vec![-SIDE, 0.0, SIDE] } else { vec![0.0] };
        let (xs, ys, zs) = (axes(0), axes(1), axes(2));
        let mut all = Vec::new();
        for x in &xs {
            for y in &ys {
                all.extend(zs.iter().map(|z| [*x, *y, *z]));
            }
        }
        all
    }
}

fn square(x: f64) -> f64 {
    x * x
}

/// Whether a ring holds a point: crossings of a ray.
fn holds(ring: &[[f64; 2]], [x, y, _]: [f64; 3]) -> bool {
    let mut inside = false;
    for (i, &[ax, ay]) in ring.iter().enumerate() {
        let [bx, by] = ring[(i + 1) % ring.len()];
        if (ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax) {
            inside = !inside;
        }
    }
    inside
}

/// How far a point is from a ring.
fn ring_distance(ring: &[[f64; 2]], [x, y, _]: [f64; 3]) -> f64 {
    let of_edge = |i: usize| {
        let ([ax, ay], [bx, by]) = (ring[i], ring[(i + 1) % ring.len()]);
        let (dx, dy) = (bx - ax, by - ay);
        let part = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
        (square(ax + part * dx - x) + square(ay + part * dy - y)).sqrt()
    };
    (0..ring.len()).map(of_edge).fold(f64::INFINITY, f64::min)
}

const STEPS: usize = 25;

/// What is wrong with the steps of a world's flock.
fn flown<const D: usize>(
    world: &World,
    scene: &Scene,
    mut flock: Flock<D>,
    mut step: impl FnMut(&mut Flock<D>, TimeStep),
) -> Result<(), String> {
    let place = |p: [f32; D]| std::array::from_fn(|a| if a < D { f64::from(p[a]) } else { 0.0 });
    let begun: Vec<(u64, Option<usize>)> = flock
        .frame()
        .by_id()
        .map(|boid| (boid.id.get(), world.part_of(f64::from(boid.position[0]))))
        .collect();
    // Ramps change a flock between steps, as a textbook's caller would: worlds without are
    // compared.
    let mut textbook =
        scene.ramps().is_empty().then(|| crate::textbook::textbook_of(&flock, scene.seed()));
    for number in 0..=STEPS {
        if number > 0 {
            step(&mut flock, scene.dt());
        }
        let squeezed: Vec<u64> = flock
            .events()
            .iter()
            .filter_map(
                |event| if let Event::Squeezed { boid } = event { Some(boid.get()) } else { None },
            )
            .collect();
        for boid in flock.frame().by_id() {
            let (id, at) = (boid.id.get(), place(boid.position));
            if !at.iter().all(|x: &f64| x.is_finite()) {
                return Err(format!("step {number}: boid {id} is at {at:?}"));
            }
            let side = begun.iter().find(|(begun, _)| *begun == id).and_then(|(_, part)| *part);
            if world.part_of(at[0]) != side {
                return Err(format!("step {number}: boid {id} went through a wall, to {at:?}"));
            }
            if let Some(fault) = world.fault(at).filter(|_| !squeezed.contains(&id)) {
                return Err(format!("step {number}: boid {id} is {fault}"));
            }
        }
        if let Some(textbook) = &mut textbook {
            if number > 0 {
                textbook.step_by(scene.dt().get());
            }
            let bits = |v: [f32; D]| v.map(f32::to_bits);
            let fast = flock
                .frame()
                .by_id()
                .map(|boid| (boid.id.get(), bits(boid.position), bits(boid.velocity)));
            let slow = textbook
                .boids
                .iter()
                .map(|boid| (boid.id, bits(boid.position), bits(boid.velocity)));
            if let Some((fast, slow)) = fast.zip(slow).find(|(fast, slow)| fast != slow) {
                return Err(format!("step {number}: not the textbook's: {fast:?}, {slow:?}"));
            }
            if textbook.squeezed != squeezed {
                return Err(format!(
                    "step {number}: squeezed {squeezed:?}, the textbook's are {:?}",
                    textbook.squeezed
                ));
            }
        }
    }
    Ok(())
}

/// Flies a world: false where its start is refused, and what is wrong with it otherwise.
pub fn fly(world: &World) -> Result<bool, String> {
    let scene =
        Scene::parse("world.toml", &world.text, &[]).map_err(|refusal| refusal.to_string())?;
    let machine = Machine { level: None, threads: Some(if world.sequential { 2 } else { 1 }) };
    // A start without room is refused, and by `check` in the same words.
    let Ok(built) = scene.build(&machine) else { return Ok(false) };
    let mut schedule = built.schedule;
    match built.flock {
        AnyFlock::Two(flock) => flown(world, &scene, flock, |flock, dt| {
            let mut any = AnyFlock::Two(flock.clone());
            schedule.step(&mut any, dt).expect("a step");
            let AnyFlock::Two(stepped) = any else { return };
            *flock = stepped;
        })?,
        AnyFlock::Three(flock) => flown(world, &scene, flock, |flock, dt| {
            let mut any = AnyFlock::Three(flock.clone());
            schedule.step(&mut any, dt).expect("a step");
            let AnyFlock::Three(stepped) = any else { return };
            *flock = stepped;
        })?,
    }
    Ok(true)
}
