//! Models of anticipation by hand, by gradients, and by what holds for any input.

use wingbeat_steer::anticipation::{
    Answer, Anticipation, CollisionFreeSpeed, Decided, GettingThrough, Mover, Nearby, Orca,
    PowerLaw, Program, SocialForce, Wall, Wish, anticipations, turned_right,
};
use wingbeat_steer::drive::{Drive, DriveKind, Speed};
use wingbeat_steer::{
    AgentLimits, Params, SolidBody, TextbookBoid, TextbookFlock, Vector, math, noise,
};
use wingbeat_test_support::{Random, tier};

/// A boid at rest in nothing but its velocity, which it prefers too.
pub fn mover<V: Vector>(velocity: V, radius: f32) -> Mover<V> {
    Mover {
        id: 7,
        seed: 1,
        step: 3,
        velocity,
        preferred: velocity,
        radius,
        max_speed: 2.0,
        dt: 0.25,
    }
}

/// A boid near, an equal.
pub fn nearby<V: Vector>(offset: V, velocity: V, radius: f32) -> Nearby<V> {
    Nearby { offset, distance_sq: offset.norm_sq(), velocity, radius, share: 0.5 }
}

/// Both sides of a meeting, the second as seen in a mirror through the middle: it should answer
/// with the opposite.
pub fn mirrored<V: Vector>(walker: &Mover<V>, other: &Nearby<V>) -> [(Mover<V>, Nearby<V>); 2] {
    let back = |v: V| v.times(-1.0);
    let opposite =
        Mover { velocity: back(walker.velocity), preferred: back(walker.preferred), ..*walker };
    let seen = Nearby { offset: back(other.offset), velocity: back(other.velocity), ..*other };
    [(*walker, *other), (opposite, seen)]
}

/// Nasty numbers; set WINGBEAT_SEED to try others.
pub struct Draws(Random);

impl Draws {
    pub fn new() -> Self {
        let seed = tier::seed().unwrap_or(1999);
        println!("seed {seed} (set WINGBEAT_SEED to change it)");
        Self(Random::new(seed))
    }
    pub fn below(&mut self, count: usize) -> usize {
        self.0.below(count)
    }
    pub fn within(&mut self, limit: f32) -> f32 {
        self.0.within(-limit, limit)
    }
    /// Often zero, tiny or large; one of the first `kinds`.
    fn nasty(&mut self, kinds: usize) -> f32 {
        let usual = self.within(3.0);
        [usual, usual, 0.0, -0.0, 1e-38, -1e-42, 1e-20, 1e9, -1e12, 1e19, -1e30, f32::MAX]
            [self.below(kinds)]
    }
}

#[track_caller]
fn near<V: Vector>(found: V, wanted: V) {
    assert!(found.minus(wanted).norm() < 2e-6 * (1.0 + wanted.norm()), "{found:?}, not {wanted:?}");
}

#[test]
fn models_are_found_by_name_and_refuse_what_is_out_of_range() {
    let names: Vec<_> = anticipations().map(|model| model.name()).collect();
    assert_eq!(names, ["orca", "social_force", "collision_free_speed", "power_law"]);
    for model in anticipations() {
        assert_eq!(Anticipation::named(model.name()), Some(model));
        assert!(model.check().is_ok() && !model.about().is_empty());
        for parameter in model.parameters() {
            let mut changed = model;
            assert!(
                changed.set(parameter.name(), -1.0) && changed.get(parameter.name()) == Some(-1.0),
                "{}",
                parameter.key
            );
            assert!(
                changed
                    .check()
                    .unwrap_err()
                    .to_string()
                    .starts_with(&format!("{} = -1: allowed is", parameter.key))
            );
        }
        assert!(model.reach(0.5) == model.get("distance").unwrap() && model.reach(100.0) == 200.0);
    }
    let half = Anticipation::from(Orca { neighbors: 2.5, ..Default::default() });
    assert_eq!(
        half.check().unwrap_err().to_string(),
        "anticipation.neighbors = 2.5: allowed is a whole number, 1 to 32"
    );
    assert_eq!(Anticipation::named("orca").unwrap().nearest(), Some(10));
    assert_eq!(Anticipation::named("no such model"), None);
}

/// A pair by the paper's formula in f64, one that overlaps and one that does not; sight at 60° from
/// the way.
#[test]
fn social_force_of_a_pair_and_of_a_wall() {
    let model = SocialForce { anisotropy: 0.25, range: 0.5, ..Default::default() };
    let force = |distance: f64, contact: f64, sight: f64, across: f64| {
        let overlap = contact - distance;
        let (push, g) =
            (25.0 * libm::exp(overlap / 0.5) * sight, if overlap > 0.0 { overlap } else { 0.0 });
        [-(push + 1500.0 * g) as f32, (3000.0 * g * across) as f32]
    };
    let sight = 0.25 + 0.75 * (1.0 + 0.5) / 2.0;
    for distance in [0.5f32, 0.75, 1.0] {
        // The other to the east; the way to it 60° to the left of where the walker wants to go.
        let walker = Mover { preferred: [0.5, -0.866_025_4], ..mover([0.5, 0.25], 0.25) };
        let other = nearby([distance, 0.0], [3.0, 1.0], 0.375);
        let found = Anticipation::from(model).force(&walker, &[other], &[]);
        near(found, force(f64::from(distance), 0.625, sight, 0.75));
        let wall = Wall { offset: [distance, 0.0], distance, velocity: [0.0; 2] };
        near(
            Anticipation::from(model).force(&walker, &[], &[wall]),
            force(f64::from(distance), 0.25, 1.0, -0.25),
        );
    }
    // Rubbing at a wall brakes, and two make twice as much of it.
    let touched = Wall { offset: [0.0, 0.125], distance: 0.125, velocity: [0.0; 2] };
    let walker = mover([1.0, 0.0], 0.25);
    let [once, twice] =
        [1, 2].map(|n| Anticipation::from(model).force(&walker, &[], &vec![touched; n]));
    near(once, [-375.0, -(25.0 * libm::exp(0.25) + 187.5) as f32]);
    near(twice, once.times(2.0));
    let double = SocialForce { weight: 2.0, ..model };
    near(Anticipation::from(double).force(&walker, &[], &[touched]), once.times(2.0));
}

/// k·τ⁻²·exp(−τ/τ₀), τ by solving the quadratic for where the two touch.
fn energy(o: [f64; 3], v: [f64; 3], contact: f64) -> f64 {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (a, b, c) = (dot(v, v), -2.0 * dot(o, v), dot(o, o) - contact * contact);
    let discriminant = b * b - 4.0 * a * c;
    let time = (-b - libm::sqrt(discriminant)) / (2.0 * a);
    if discriminant > 0.0 && time > 0.0 {
        1.5 / (time * time) * libm::exp(-time / 3.0)
    } else {
        0.0
    }
}

#[test]
fn power_law_is_the_gradient_of_its_energy() {
    let model = Anticipation::from(PowerLaw { max_force: 1e9, ..Default::default() });
    let (mut draws, mut pushed) = (Draws::new(), 0);
    for _ in 0..6000 {
        let walker = mover([draws.within(2.0), draws.within(2.0), draws.within(2.0)], 0.5);
        let offset = [draws.within(4.0), draws.within(4.0), draws.within(1.0)];
        let other =
            nearby(offset, [draws.within(2.0), draws.within(2.0), 0.0], 0.25 + draws.within(0.2));
        let contact = f64::from(walker.radius + other.radius);
        if other.distance_sq < 1.5 {
            continue;
        }
        let (o, v) = (offset.map(f64::from), walker.velocity.minus(other.velocity).map(f64::from));
        let found = model.force(&walker, &[other], &[]);
        // Moving the walker ahead shortens the way to the other.
        let gradient: [f64; 3] = std::array::from_fn(|a| {
            let at = |by: f64| {
                energy(std::array::from_fn(|b| if a == b { o[b] - by } else { o[b] }), v, contact)
            };
            -(at(1e-6) - at(-1e-6)) / 2e-6
        });
        let size = gradient.iter().map(|x| x.abs()).sum::<f64>();
        if size > 1e3 {
            continue; // a graze: differences say nothing there
        }
        let apart: f64 = gradient
            .iter()
            .zip(found)
            .map(|(wanted, found)| (wanted - f64::from(found)).abs())
            .sum();
        assert!(apart < 2e-3 * (size + 1e-3), "{found:?}, not {gradient:?}: {walker:?} {other:?}");
        pushed += i32::from(size > 0.0);
    }
    assert!(pushed > 50, "{pushed}");
    // A wall is a body of radius 0: head on at 2 with radius ½ and speed 1, τ = 1.5; the cap holds.
    let wall = Wall { offset: [2.0, 0.0], distance: 2.0, velocity: [0.0; 2] };
    let wanted = -1.5 / (1.5 * 1.5) * libm::exp(-0.5) * (2.0 / 1.5 + 1.0 / 3.0);
    near(model.force(&mover([1.0, 0.0], 0.5), &[], &[wall]), [wanted as f32, 0.0]);
    let capped =
        Anticipation::from(PowerLaw { max_force: 0.25, weight: 2.0, ..Default::default() });
    near(capped.force(&mover([1.0, 0.0], 0.5), &[], &[wall, wall]), [-0.5, 0.0]);
    // Who overlaps by 0.1 is taken for 0.1 wide together; nothing to come, nothing to fear.
    let met = |velocity: [f32; 2]| {
        model.force(&mover(velocity, 0.5), &[nearby([0.9, 0.0], [0.0; 2], 0.5)], &[])
    };
    assert!(
        met([1.0, 0.0])[0] < -1.0
            && met([-1.0, 0.0]) == [0.0; 2]
            && met([0.0, 1.0]) == [0.0; 2]
            && met([0.0; 2]) == [0.0; 2]
    );
}

/// In a file everyone walks V(s) of the gap ahead, in the direction of the file; the last's gap is
/// the same as all others'.
#[test]
fn people_in_a_file_walk_as_the_gap_allows() {
    let model = CollisionFreeSpeed::default();
    let speed = |spacing: f32| {
        let walker = mover([1.25, 0.0], 0.25);
        let file: Vec<_> =
            [-1.0, 1.0, 2.0].map(|n| nearby([n * spacing, 0.0], [1.0, 0.0], 0.25)).into();
        Anticipation::from(model).velocity(&walker, &file, &[])
    };
    for (spacing, wanted) in
        [(0.4, 0.0), (0.5, 0.0), (1.0, 0.5), (1.5, 1.0), (1.75, 1.25), (3.0, 1.25)]
    {
        near(speed(spacing), [wanted, 0.0]);
    }
    // Beside the corridor no boid slows down, but both turn away: exp((½ − 0.6)/0.1)·8 to the
    // right.
    let found = Anticipation::from(model).velocity(
        &mover([1.25, 0.0], 0.25),
        &[nearby([0.0, 0.6], [0.0; 2], 0.25)],
        &[],
    );
    let aside = 8.0 * libm::exp(-1.0) as f32;
    near(found, [1.0, -aside].unit().times(1.25));
    // A wall turns too (5, 0.02) and does not slow down.
    let wall = Wall { offset: [0.0, 0.27], distance: 0.27, velocity: [0.0; 2] };
    let found = Anticipation::from(model).velocity(&mover([1.25, 0.0], 0.25), &[], &[wall]);
    near(found, [1.0, -5.0 * libm::exp(-1.0) as f32].unit().times(1.25));
    // In space the corridor is round; who wants to stay stays.
    let straight = Anticipation::from(CollisionFreeSpeed { strength: 0.0, ..model });
    let ahead = |offset: [f32; 3]| {
        straight.velocity(&mover([0.0, 0.0, 1.0], 0.25), &[nearby(offset, [0.0; 3], 0.25)], &[])
    };
    assert!(ahead([0.3, 0.3, 0.7]).norm() < 0.4 && ahead([0.45, 0.45, 1.25]).norm() > 0.99);
    let still = Mover { preferred: [0.0; 2], ..mover([1.0, 0.0], 0.25) };
    assert_eq!(
        Anticipation::from(model).velocity(&still, &[nearby([0.6, 0.0], [-1.0, 0.0], 0.25)], &[]),
        [0.0; 2]
    );
}

/// Of ten thousand, the logarithms of their time gaps: mean and standard deviation (cut off at
/// three: 0.9866), and who walks how fast.
#[test]
fn time_gaps_differ_from_person_to_person() {
    let model = CollisionFreeSpeed { time_gap: 0.8, time_gap_spread: 0.3, ..Default::default() };
    let logs: Vec<f64> =
        (0..10_000).map(|id| libm::log(f64::from(model.of(3, id).time_gap) / 0.8)).collect();
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let deviation = (logs.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n).sqrt();
    assert!(mean.abs() < 0.009 && (deviation - 0.3 * 0.9866).abs() < 0.007, "{mean} {deviation}");
    assert!(logs.iter().all(|x| x.abs() < 0.9 + 1e-6));
    for id in 0..20 {
        let walker = Mover { id, ..mover([1.25, 0.0], 0.25) };
        let found =
            Anticipation::from(model).velocity(&walker, &[nearby([0.9, 0.0], [0.0; 2], 0.25)], &[]);
        let gap = CollisionFreeSpeed { time_gap_spread: 0.0, ..model.of(walker.seed, id) };
        near(found, [math::min(0.4 / gap.time_gap, 1.25), 0.0]);
    }
}

/// A boid that makes no progress, at the origin, wanting to go along x at 2.
fn blocked_mover(id: u64, velocity: [f32; 2]) -> Mover<[f32; 2]> {
    Mover { id, preferred: [2.0, 0.0], ..mover(velocity, 0.5) }
}

#[test]
fn with_a_handedness_the_turn_goes_to_that_side() {
    let right = GettingThrough {
        side_step: 1.5,
        side_step_time: 2.0,
        handedness: 1.0,
        ..Default::default()
    };
    let left = GettingThrough { handedness: -1.0, ..right };
    let part = right.part(0.5);
    assert!((f64::from(part) - (1.0 - libm::exp(-0.25))).abs() < 1e-7);
    // Half as fast as it likes, across, backwards, faster.
    let turn = |through: &GettingThrough, velocity| {
        through.turn(&blocked_mover(7, velocity), &[], 0.25, 1.0)
    };
    let velocities = [[1.0, 0.0], [0.0, 9.0], [-2.0, 0.0], [3.0, 0.0]];
    assert_eq!(velocities.map(|velocity| turn(&right, velocity)), [0.75, 1.5, 1.5, 0.0]);
    assert_eq!(velocities.map(|velocity| turn(&left, velocity)), [-0.75, -1.5, -1.5, 0.0]);
    let waits = Mover { preferred: [0.0; 2], ..blocked_mover(7, [1.0, 0.0]) };
    assert_eq!(right.turn(&waits, &[], 0.25, 0.5), 0.125);
    let mover = Mover { preferred: [0.0, 2.0], ..blocked_mover(7, [0.0; 2]) };
    let (asked, beta) = right.asks_with(&mover, &[], 0.0, part, 0);
    assert_eq!(beta, 1.5 * part);
    near(asked, [2.0 * libm::sin(f64::from(beta)) as f32, 2.0 * libm::cos(f64::from(beta)) as f32]);
    // In space the height is kept.
    near(turned_right([3.0, 4.0, 5.0], std::f32::consts::FRAC_PI_2), [4.0, -3.0, 5.0]);
    let between = GettingThrough { handedness: 0.5, ..right }.check().unwrap_err().to_string();
    assert!(between.contains("anticipation.handedness = 0.5: allowed is -1, 0 or 1"), "{between}");
}

/// Without one the angle wanders: with no mean, with the spread that `side_step` and the progress
/// say, whatever dt is. A boid with none ahead has nothing to get around.
#[test]
fn blocked_boids_turn_to_either_side_alike() {
    let through = GettingThrough { side_step: 1.2, ..Default::default() };
    let ahead = [nearby([1.0, 0.2], [0.0; 2], 0.25)];
    for (velocity, spread) in
        [([0.0, 0.0], 1.2), ([0.5, 0.0], 0.6), ([1.0, 3.0], 0.0), ([2.5, 0.0], 0.0)]
    {
        for dt in [0.4, 0.05, 0.0125] {
            let part = through.part(dt);
            let steps = (20.0 / dt) as u64;
            let betas = (0..4000).map(|id| {
                (0..steps).fold(0.0, |beta, step| {
                    through.turn(
                        &Mover { step, dt, ..blocked_mover(id, velocity) },
                        &ahead,
                        beta,
                        part,
                    )
                })
            });
            let betas: Vec<f64> = betas.map(f64::from).collect();
            let mean = betas.iter().sum::<f64>() / 4000.0;
            let deviation = (betas.iter().map(|beta| beta * beta).sum::<f64>() / 4000.0).sqrt();
            assert!(
                mean.abs() < 0.06 && (deviation - spread).abs() < 0.05,
                "{velocity:?} at {dt}: {mean} ± {deviation}"
            );
        }
    }
    let waits = Mover { preferred: [0.0; 2], ..blocked_mover(7, [1.0, 0.0]) };
    assert_eq!(
        through.turn(&waits, &ahead, 0.7, 0.5),
        0.0,
        "a boid that wants to stay has nothing to turn"
    );
    for others in [vec![], vec![nearby([-1.0, 0.2], [0.0; 2], 0.25)]] {
        assert_eq!(
            through.turn(&blocked_mover(7, [0.0; 2]), &others, 0.5, 0.5),
            0.25,
            "it goes back to its way: {others:?}"
        );
    }
}

/// Where many come they are evaded, towards those that do not; the mirror image is evaded to the
/// other side.
#[test]
fn boids_that_come_are_evaded() {
    let through = GettingThrough { side_step: 1.5, ..Default::default() };
    let comes = |y: f32| nearby([1.0, y], [-1.0, 0.0], 0.25);
    let goes = |y: f32| nearby([1.0, y], [1.0, 0.0], 0.25);
    // One stands, or steps back slowly: nothing comes.
    let stands = |y: f32| nearby([1.0, y], [-0.09, 0.0], 0.25);
    let turn =
        |others: &[Nearby<[f32; 2]>]| through.turn(&blocked_mover(7, [1.0, 0.0]), others, 0.0, 1.0);
    // Half of the progress is lacking: half of the largest turn.
    for (others, wanted) in [
        (vec![comes(0.3)], 0.75),
        (vec![comes(0.3), goes(0.2)], 0.75),
        (vec![comes(0.1), goes(0.6)], -0.75),
        // Three of ten are not enough, four are; what comes from behind does not count.
        ((0..10).map(|i| if i < 3 { comes(0.3) } else { goes(0.2) }).collect(), 0.0),
        ((0..10).map(|i| if i < 4 { comes(0.5) } else { goes(-0.1) }).collect(), 0.75),
        (vec![nearby([-1.0, 0.2], [3.0, 0.0], 0.25), nearby([-1.0, 0.2], [-3.0, 0.0], 0.25)], 0.0),
        (vec![stands(0.3), stands(0.4)], 0.0),
    ] {
        let mirrored: Vec<_> = others
            .iter()
            .map(|other| Nearby { offset: [other.offset[0], -other.offset[1]], ..*other })
            .collect();
        // Nothing to evade: nothing at half of the progress.
        assert_eq!((turn(&others), turn(&mirrored)), (wanted, -wanted), "{others:?}");
    }
    // On the line itself a side is drawn, by each boid for itself.
    let sides =
        (0..1000).map(|id| through.turn(&blocked_mover(id, [0.0; 2]), &[comes(0.0)], 0.0, 1.0));
    let right = sides.filter(|&beta| beta == 1.5).count();
    assert!((450..550).contains(&right), "{right}");
    // In space turns are about z, and about x along z.
    let up = Mover { preferred: [0.0, 0.0, 2.0], ..mover([0.0; 3], 0.5) };
    let above = |y: f32| Nearby {
        offset: [0.0, y, 1.0],
        velocity: [0.0, 0.0, -1.0],
        ..nearby([0.0, 0.0, 1.0], [0.0; 3], 0.25)
    };
    let [one, other] = [0.3, -0.3].map(|y| through.asks_with(&up, &[above(y)], 0.0, 1.0, 0).0);
    assert!(one[1] < -1.0 && other == [one[0], -one[1], one[2]], "{one:?} {other:?}");
}

/// Noise bends the wish and leaves its length: a mean step ahead of 1 − noise²/12 or so, the same
/// part for slow and fast.
#[test]
fn noise_bends_the_wish() {
    let through = GettingThrough { side_step: 0.0, noise: 0.3, ..Default::default() };
    for speed in [2.0, 0.25] {
        let walkers =
            (0..4000).map(|id| Mover { id, preferred: [speed, 0.0], ..mover([speed, 0.0], 0.5) });
        let bent: Vec<[f32; 2]> = walkers.map(|walker| through.bent(&walker, 3)).collect();
        let ahead = bent.iter().map(|v| v[0]).sum::<f32>() / 4000.0 / speed;
        let aside = bent.iter().map(|v| v[1]).sum::<f32>() / 4000.0 / speed;
        assert!(
            (ahead - (1.0 - 0.3 * 0.3 / 12.0)).abs() < 1e-3 && aside.abs() < 5e-3,
            "{ahead} {aside}"
        );
        assert!(bent.iter().all(|v| (v.norm() / speed - 1.0).abs() < 1e-6));
    }
    let waits = Mover { preferred: [0.0; 2], ..mover([0.0; 2], 0.5) };
    assert_eq!(through.bent(&waits, 3), [0.0; 2], "a boid that waits is not pushed");
    let walkers = (0..4000).map(|id| Mover { id, ..mover([0.0; 3], 0.5) });
    let through = GettingThrough { noise: 0.5, ..through };
    let drawn: Vec<[f32; 3]> = walkers.map(|walker| through.drawn(&walker, 3)).collect();
    let mean = drawn.iter().fold([0.0; 3], |sum, v| sum.plus(v.times(1.0 / 4000.0)));
    let length = drawn.iter().map(|v| v.norm()).sum::<f32>() / 4000.0;
    assert!(
        mean.norm() < 0.02
            && (length - 0.25).abs() < 0.01
            && drawn.iter().all(|v| v.norm() < 0.500_01),
        "{mean:?} {length}"
    );
    let (angle, size) = (noise::uniform(1, 7, 3, 96), noise::uniform(1, 7, 3, 98) * 0.5);
    near(
        through.drawn(&mover([0.0; 2], 0.5), 3),
        turned_right([size, 0.0], -angle * std::f32::consts::TAU),
    );
}

/// A model of forces gets the turn as a force: what makes of the preferred velocity the one turned,
/// within the time that steering thinks ahead.
#[test]
fn forces_get_the_turn_too() {
    let through =
        GettingThrough { side_step: 1.5, response: 0.5, handedness: 1.0, ..Default::default() };
    let wish =
        Wish { mover: blocked_mover(7, [0.0; 2]), blocked: 0.0, mass: 3.0, part: 1.0, draw: 0 };
    for model in anticipations() {
        let Decided { asked, blocked, answer } =
            model.decide(&through, &mut Program::default(), &wish, &[], &[]);
        assert_eq!(blocked, 1.5);
        match answer {
            Answer::Velocity(velocity) => near(velocity, asked),
            Answer::Force(force) => near(force, asked.minus([2.0, 0.0]).times(6.0)),
        }
    }
}

/// Nothing is ever infinite or no number, and no velocity is longer than max_speed.
fn stays_finite<V: Vector>(draws: &mut Draws) {
    for case in 0..30_000 {
        let kinds = [2, 9, 9, 12][case as usize % 4];
        let vector = |draws: &mut Draws| V::from_fn(|_| draws.nasty(kinds));
        let size = |draws: &mut Draws| draws.nasty(kinds).abs();
        let (velocity, preferred) = (vector(draws), vector(draws));
        let dt = [0.001, 0.25, 1e-9, 1e3][draws.below(4)];
        let walker = Mover {
            id: case,
            preferred,
            radius: size(draws),
            max_speed: size(draws),
            dt,
            ..mover(velocity, 0.0)
        };
        let others: Vec<_> = (0..draws.below(8))
            .map(|n| {
                let offset = if n == 3 { V::origin() } else { vector(draws) };
                let velocity = if n == 4 { velocity } else { vector(draws) };
                Nearby { share: [0.0, 0.5, 1.0][n % 3], ..nearby(offset, velocity, size(draws)) }
            })
            .collect();
        let wall = |draws: &mut Draws| {
            let offset = vector(draws);
            Wall { offset, distance: offset.norm(), velocity: vector(draws) }
        };
        let walls: Vec<_> = (0..draws.below(4))
            .map(|_| wall(draws))
            .filter(|wall| wall.distance.is_finite())
            .collect();
        for model in anticipations() {
            let (velocity, force) =
                (model.velocity(&walker, &others, &walls), model.force(&walker, &others, &walls));
            let good = velocity.all_finite() && force.all_finite();
            let slow = !model.is_velocity()
                || kinds > 9
                || walker.max_speed > 1e9
                || velocity.norm() <= walker.max_speed * 1.000_01 + 1e-30;
            assert!(
                good && slow,
                "{}: {velocity:?} {force:?}: {walker:?} {others:?} {walls:?}",
                model.name()
            );
        }
    }
}

#[test]
fn everything_is_finite_whatever_comes() {
    let mut draws = Draws::new();
    stays_finite::<[f32; 2]>(&mut draws);
    stays_finite::<[f32; 3]>(&mut draws);
}

#[test]
fn forces_and_speeds_of_pairs_mirror_each_other() {
    let mut draws = Draws::new();
    for _ in 0..500 {
        let walker = mover([draws.within(2.0), draws.within(2.0), draws.within(2.0)], 0.5);
        let other = nearby(
            [draws.within(2.0), draws.within(2.0), draws.within(2.0)],
            [draws.within(2.0), 0.0, 1.0],
            0.5,
        );
        for model in anticipations() {
            let [one, opposite] = mirrored(&walker, &other).map(|(me, you)| {
                model.velocity(&me, &[you], &[]).plus(model.force(&me, &[you], &[]))
            });
            assert_eq!(one, opposite.times(-1.0), "{} {walker:?} {other:?}", model.name());
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn kinds_come_back_from_json() {
    for model in anticipations() {
        let text = serde_json::to_string(&model).unwrap();
        assert_eq!(serde_json::from_str::<Anticipation>(&text).unwrap(), model, "{text}");
    }
    let read = |text: &str| serde_json::from_str::<Anticipation>(text);
    let given = read(r#"{"kind": "orca", "neighbors": 5}"#).unwrap();
    assert_eq!(given, Orca { neighbors: 5.0, ..Default::default() }.into());
    let refused = read(r#"{"kind": "orca", "mass": 5}"#).unwrap_err().to_string();
    assert!(
        refused
            .contains("anticipation.mass = 5: allowed is left out: keys are neighbors, distance"),
        "{refused}"
    );
    assert!(
        read(r#"{"kind": "rvo"}"#)
            .unwrap_err()
            .to_string()
            .contains("anticipation.kind = rvo: allowed is orca, social_force")
    );
}

/// The largest speed of nine people who stood too near to each other, after 20 units of time.
fn speed_after_standing(
    model: impl Into<Anticipation>,
    drives: Vec<Drive<[f32; 2]>>,
    walks: bool,
) -> f32 {
    let place = |i: u64| [0.65 * (i % 3) as f32, 0.65 * (i / 3) as f32];
    let velocity = |i: u64| if walks && i == 0 { [0.5, 0.45] } else { [0.0; 2] };
    let mut flock = TextbookFlock {
        params: Params {
            agent: AgentLimits { max_speed: 1.4, max_force: 100.0, ..Default::default() },
            body: Some(SolidBody { radius: 0.3, ..Default::default() }),
            anticipation: Some(model.into()),
            ..Default::default()
        },
        drives,
        boids: (0..9)
            .map(|id| TextbookBoid { id, position: place(id), velocity: velocity(id) })
            .collect(),
        ..Default::default()
    };
    (0..1000).for_each(|_| flock.step_by(0.02));
    flock.boids.iter().map(|boid| boid.velocity.norm()).fold(0.0, wingbeat_steer::math::max)
}

#[test]
fn people_who_stand_come_to_rest_by_a_drive_and_drift_on_without_one() {
    let stand = || vec![Drive::new("stand", DriveKind::from(Speed { speed: 0.0, rate: 2.0 }))];
    let social = SocialForce::default();
    assert!(
        speed_after_standing(social, Vec::new(), false) > 0.05,
        "pushed apart, and nothing brakes them"
    );
    let still = speed_after_standing(social, stand(), false);
    assert!(still < 4e-3, "they part for ever more slowly: {still}");
    let power = PowerLaw::default();
    assert_eq!(
        speed_after_standing(power, Vec::new(), false),
        0.0,
        "no collision to come, no force"
    );
    assert!(
        speed_after_standing(power, Vec::new(), true) > 0.05,
        "one that walks pushes the others"
    );
    assert!(speed_after_standing(power, stand(), true) < 1e-3);
}
