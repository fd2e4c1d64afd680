//! A whole game but for the screen: 5,000 fish, a shark that a player steers, an island, births and
//! deaths, a rule of one's own, a golden fish with a tag, and rollback for a hand whose moves
//! arrive late. Run it: `cargo run --release --example game`. docs/GAMES.md explains it step by
//! step.

use wingbeat::prelude::*;
use wingbeat_examples::Picture;
use wingbeat_steer::glam::Vec2;

const SIZE: Vec2 = Vec2::new(120.0, 80.0);
const ISLAND: Vec2 = Vec2::new(75.0, 45.0);
/// Half a minute.
const TICKS: u64 = 900;
/// By how many ticks the player's moves arrive late.
const LATE: u64 = 6;

struct Game {
    flock: Flock2,
    past: SnapshotRing<2>,
    fish: SpeciesId,
    shark: BoidId,
    golden: BoidId,
}

impl Game {
    fn new() -> Result<Self, FlockError> {
        let mut params = Params::default();
        let mut fish = Species::new("fish", Rules::boids(1.5));
        (fish.agent.min_speed, fish.agent.max_speed, fish.agent.max_force) = (1.0, 4.0, 8.0);
        let mut shark = Species::new("shark", Rules::default());
        shark.agent.max_speed = 9.0;
        let (fish, shark) = (params.add_species(fish), params.add_species(shark));
        let flee = Interaction::new(fish, shark, InteractionKind::Flee, 7.0);
        params.interactions.push(Interaction { weight: 3.0, ..flee });
        let island = ObstacleShape::Sphere { center: ISLAND.into(), radius: 9.0 };
        let mut flock = Flock2::builder()
            .params(params)
            .domain(Domain::reflecting([0.0; 2], SIZE.into()))
            .obstacles([Obstacle::new("island", island)])
            // Fright: who sees a neighbor that darts does as it does.
            .own_rule(1.5, |fish, near| {
                let (own, mut force) = (Vec2::from(fish.velocity).length(), [0.0; 2]);
                let darts = |other: &&Neighbor<2>| Vec2::from(other.velocity).length() > own + 1.0;
                if let Some(other) = near.iter().find(darts) {
                    force = [0, 1].map(|a| 2.0 * (other.velocity[a] - fish.velocity[a]));
                }
                force
            })
            .spawn(5_000, Shape::Box { min: [5.0, 5.0], max: [60.0, 75.0] })
            .seed(2)
            .build()?;
        let golden = flock.nearest(SIZE / 2.0).map_or(BoidId::new(0), |boid| boid.id);
        let shark = flock.add_as(shark, [110.0, 10.0], Vec2::ZERO)?;
        Ok(Self { flock, past: SnapshotRing::new(60), fish, shark, golden })
    }

    /// One tick with the player's hand at a place.
    fn tick(&mut self, hand: Vec2, dt: TimeStep) -> Result<(), FlockError> {
        self.past.save(&self.flock);
        let mouth = Vec2::from(self.flock.boid(self.shark)?.position);
        self.flock.set_velocity(self.shark, (hand - mouth).clamp_length_max(0.3) / 0.3 * 9.0)?;
        self.flock.step(dt);
        // Deaths: what is in reach, and not behind the island.
        let mouth = self.flock.boid(self.shark)?.position;
        let reached = self.flock.within(mouth, 0.8).filter(|boid| boid.species == self.fish);
        let prey: Vec<BoidId> = reached
            .filter(|boid| self.flock.first_hit(mouth, boid.position).is_none())
            .map(|boid| boid.id)
            .collect();
        self.flock.remove(&prey)?;
        // Births: at the reef, one in ten ticks, where there is room.
        let reef = Vec2::new(20.0, 40.0) + Vec2::from_angle(self.flock.time() as f32) * 8.0;
        if self.flock.steps().is_multiple_of(10) && self.flock.is_free(reef, 0.2) {
            self.flock.add_as(self.fish, reef, Vec2::X)?;
        }
        Ok(())
    }
}

/// Where the player points at a tick.
fn hand(tick: u64) -> Vec2 {
    let angle = tick as f32 * 0.011;
    SIZE / 2.0 + Vec2::new(Vec2::from_angle(angle).x * 50.0, Vec2::from_angle(angle * 1.7).y * 33.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut game, dt, mut track) = (Game::new()?, TimeStep::new(1.0 / 30.0)?, Vec::new());
    for now in 0..TICKS {
        // Only now is known where the hand was some ticks ago: back to there, and all again, as if
        // it had been there since.
        let known = now.saturating_sub(LATE);
        if now > 0 {
            game.past.load(known, &mut game.flock)?;
        }
        (known..=now).try_for_each(|_| game.tick(hand(known), dt))?;
        track.push(Vec2::from(game.flock.boid(game.shark)?.position));
    }
    let alive = game.flock.species().filter(|&species| species == game.fish).count();
    let fate = if game.flock.boid(game.golden).is_ok() { "lives" } else { "was caught" };
    let state = observe::state_hash(&game.flock.frame());
    println!("{alive} fish live; the golden one {fate}; state {state:016x}");
    // A game in which nothing is late has the same bits.
    let mut direct = Game::new()?;
    (0..=TICKS - LATE).try_for_each(|tick| direct.tick(hand(tick), dt))?;
    assert_eq!(game.past.hash(TICKS - LATE)?, direct.past.hash(TICKS - LATE)?);

    let mut picture = Picture::new("Fish and a shark", "30 seconds of play; line: the shark", 1);
    picture.panel_size(760.0);
    let panel = picture.panel("the sea");
    panel.track(&track, "#d1495b", 1.5, 0.6);
    let shore = |i: i32| ISLAND + Vec2::from_angle(i as f32 * 0.1) * 9.0;
    panel.track(&(0..=63).map(shore).collect::<Vec<_>>(), "#5c6770", 2.0, 1.0);
    for boid in game.flock.frame().by_id() {
        let color = if boid.id == game.shark { "#d1495b" } else { "#1d6fb8" };
        let color = if boid.id == game.golden { "#e08e1b" } else { color };
        panel.dot(boid.position.into(), color, if color == "#1d6fb8" { 1.1 } else { 5.0 });
    }
    picture.save("game")?;
    Ok(())
}
