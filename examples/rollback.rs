//! Two players in lockstep, each on a machine of its own. Run it: `cargo run --release --example
//! rollback` (`-- 10000 600` for 10,000 units and 600 frames).
//!
//! Only orders travel between the machines, some frames late. Neither waits: each plays on as if
//! the other had ordered nothing, and when an order comes for a frame that is past, it goes back to
//! that frame, plays it again with the order, and catches up (rollback, as in GGPO and GGRS). That
//! needs an engine
//!
//! * whose steps are the same bits on both machines: here the peers even differ in SIMD level;
//! * that goes back at once: `SnapshotRing` holds the last frames, in buffers that are used again;
//! * that tells when two peers have drifted apart: `SnapshotRing::hash`, frame by frame.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use wingbeat::drive::Goal;
use wingbeat::{
    AgentLimits, BoidId, Domain, Flock2, FlockError, Level, Params, Perception, Separation, Shape,
    Spawn, TimeStep,
    snapshot::SnapshotRing,
    steer::{Drive, SolidBody},
};
use wingbeat_steer::noise;

/// Most frames that an order is late.
const LATEST: u64 = 8;

/// Mean distance of units, meters.
const SPACING: f32 = 2.0;

/// "All my units, go there."
#[derive(Clone, Copy)]
struct Order {
    player: u64,
    frame: u64,
    place: [f32; 2],
}

/// One machine.
struct Peer {
    flock: Flock2,
    history: SnapshotRing<2>,
    /// Orders by the frame at whose start they are given, and by player: both peers apply them
    /// alike.
    orders: BTreeMap<(u64, u64), Order>,
    /// The first frame for which an order has come since it was played.
    stale: Option<u64>,
    rollbacks: Vec<(u64, Duration)>,
}

impl Peer {
    fn new(units: usize, side: f32, level: Level) -> Result<Self, FlockError> {
        let (min, max) = ([0.0; 2], [side; 2]);
        let goal = Goal { slowing_radius: 5.0, ..Goal::default() };
        let perception = Perception { radius: 2.5, ..Perception::default() };
        let params = Params {
            agent: AgentLimits { max_speed: 4.0, max_force: 12.0, ..AgentLimits::default() },
            rules: Separation { weight: 2.0, perception, ..Separation::default() }.into(),
            body: Some(SolidBody { radius: 0.4, settle: true, ..SolidBody::default() }),
            ..Params::default()
        };
        let flock = Flock2::builder()
            .params(params)
            .domain(Domain::reflecting(min, max))
            .drives(vec![Drive::new("order", goal)])
            .seed(11)
            .threads(1)
            .level(level)
            .spawn(units, Spawn { shape: Shape::Box { min, max }, ..Spawn::default() })
            .build()?;
        // Of the frame under way too.
        let history = SnapshotRing::new(LATEST as usize + 1);
        Ok(Self { flock, history, orders: BTreeMap::new(), stale: None, rollbacks: Vec::new() })
    }

    fn hear(&mut self, order: Order) {
        self.orders.insert((order.frame, order.player), order);
        if order.frame < self.flock.steps() {
            self.stale = Some(self.stale.map_or(order.frame, |first| first.min(order.frame)));
        }
    }

    /// One frame: it is kept, orders are given, and time goes on.
    fn play(&mut self, dt: TimeStep) -> Result<(), FlockError> {
        let frame = self.flock.steps();
        self.history.save(&self.flock);
        for order in self.orders.range((frame, 0)..(frame + 1, 0)).map(|(_, order)| order) {
            let units =
                self.flock.frame().living().iter().filter(|id| id.get() % 2 == order.player);
            let goals: Vec<(BoidId, _)> = units.map(|&id| (id, Some(order.place))).collect();
            self.flock.set_goals(&goals)?;
        }
        self.flock.step(dt);
        Ok(())
    }

    /// Goes back to where the first late order belongs, and catches up.
    fn catch_up(&mut self, dt: TimeStep) -> Result<(), FlockError> {
        let Some(first) = self.stale.take() else { return Ok(()) };
        let (now, began) = (self.flock.steps(), Instant::now());
        self.history.load(first, &mut self.flock)?;
        while self.flock.steps() < now {
            self.play(dt)?;
        }
        self.rollbacks.push((now - first, began.elapsed()));
        Ok(())
    }
}

/// Milliseconds: the middle of all, and the longest.
fn middle_and_longest(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort_unstable();
    let ms = |time: Option<&Duration>| time.map_or(0.0, |time| time.as_secs_f64() * 1e3);
    (ms(times.get(times.len() / 2)), ms(times.last()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<usize>());
    let units = arguments.next().transpose()?.unwrap_or(10_000);
    let frames = arguments.next().transpose()?.unwrap_or(300) as u64;
    let side = (units as f32).sqrt() * SPACING;
    let levels = [Level::Portable, Level::detect()];
    let mut peers = [Peer::new(units, side, levels[1])?, Peer::new(units, side, levels[0])?];
    println!("{units} units, {frames} frames; peers at levels {} and {}", levels[1], levels[0]);
    let dt = TimeStep::new(1.0 / 60.0)?;
    let draw = |frame: u64, player: u64, what: u32| noise::uniform(1, frame, player, what);
    // On the wire: when an order arrives, and whose machine it reaches.
    let mut wire: VecDeque<(u64, usize, Order)> = VecDeque::new();
    let (mut given, mut frame_times, mut compared) = (0, Vec::new(), 0);
    for frame in 0..frames + LATEST {
        for player in [0, 1] {
            // Each player orders something about twice a second, until the last frames.
            if frame < frames && draw(frame, player, 0) < 1.0 / 30.0 {
                let place = [1, 2].map(|axis| side * (0.1 + 0.8 * draw(frame, player, axis)));
                let (order, late) = (
                    Order { player, frame, place },
                    1 + (draw(frame, player, 3) * LATEST as f32) as u64,
                );
                peers[player as usize].hear(order);
                wire.push_back((frame + late, 1 - player as usize, order));
                given += 1;
            }
        }
        let arrived: Vec<_> = wire.iter().filter(|(when, ..)| *when == frame).copied().collect();
        wire.retain(|(when, ..)| *when > frame);
        for (_, other, order) in arrived {
            peers[other].hear(order);
        }
        for peer in &mut peers {
            peer.catch_up(dt)?;
            let began = Instant::now();
            peer.play(dt)?;
            frame_times.push(began.elapsed());
        }
        // Nothing can come any more for a frame that long ago: there both must agree.
        if let Some(settled) = frame.checked_sub(LATEST) {
            let [one, other] = [&peers[0], &peers[1]].map(|peer| peer.history.hash(settled));
            let (one, other) = (one?, other?);
            assert_eq!(one, other, "frame {settled}: the peers have drifted apart");
            compared += 1;
        }
    }
    for (peer, level) in peers.iter().zip([levels[1], levels[0]]) {
        let again: u64 = peer.rollbacks.iter().map(|(frames, _)| frames).sum();
        let (middle, longest) =
            middle_and_longest(peer.rollbacks.iter().map(|(_, took)| *took).collect());
        println!(
            "{level}: {} rollbacks, {again} frames played again; {middle:.1} ms in the middle, \
                {longest:.1} ms at most",
            peer.rollbacks.len()
        );
    }
    println!("a frame takes {:.2} ms in the middle", middle_and_longest(frame_times).0);
    println!(
        "{given} orders, up to {LATEST} frames late; {compared} frames compared, all the same bits"
    );
    Ok(())
}
