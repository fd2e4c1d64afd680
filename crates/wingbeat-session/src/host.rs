//! What hosts in other languages ask of a live flock beside requests: many steps in one call, what
//! happened in them, changes between steps, checkpoints as bytes.

use wingbeat::Event;
#[cfg(not(target_family = "wasm"))]
use wingbeat_record::checkpoint;
use wingbeat_scene::{Effect, known_key};

use crate::changes::Change;
use crate::flock::LiveFlock;

/// What a checkpoint of a flock in a host says that it is.
#[cfg(not(target_family = "wasm"))]
const KIND: &str = "flock of a scene";

/// Kinds of events, by the numbers that hosts know them by.
///
/// ```
/// use wingbeat_session::EVENT_KINDS;
/// assert_eq!(EVENT_KINDS, ["captured", "arrived", "exited", "squeezed", "left", "entered"]);
/// ```
pub const EVENT_KINDS: [&str; 6] = ["captured", "arrived", "exited", "squeezed", "left", "entered"];

/// In [`EventColumns::other`]: there is nothing else to tell.
pub const NOTHING_ELSE: u64 = u64::MAX;

/// What happened in many steps, in columns: a row for each [`Event`], in the order of steps, and in
/// each step as [`Flock::events`](wingbeat::Flock::events) has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventColumns {
    /// The step in which it happened: the first is 1.
    pub step: Vec<u64>,
    /// Places in [`EVENT_KINDS`].
    pub kind: Vec<u8>,
    /// To which it happened; of a capture, the captor.
    pub boid: Vec<u64>,
    /// The boid it captured, or the place of the drive, exit or source among the scene's;
    /// [`NOTHING_ELSE`] where there is none.
    pub other: Vec<u64>,
}

impl EventColumns {
    /// Number of events.
    pub fn len(&self) -> usize {
        self.step.len()
    }

    /// Whether nothing happened.
    pub fn is_empty(&self) -> bool {
        self.step.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.step.clear();
        self.kind.clear();
        self.boid.clear();
        self.other.clear();
    }

    /// Takes down what happened in the step that came to be the `step`-th.
    pub fn extend(&mut self, step: u64, events: &[Event]) {
        for event in events {
            let (kind, boid, other) = match *event {
                Event::Captured { captor, prey } => (0, captor, prey.get()),
                Event::Arrived { boid, drive } => (1, boid, drive.get() as u64),
                Event::Exited { boid, exit } => (2, boid, exit.get() as u64),
                Event::Squeezed { boid } => (3, boid, NOTHING_ELSE),
                Event::Left { boid } => (4, boid, NOTHING_ELSE),
                Event::Entered { boid, source } => (5, boid, source.get() as u64),
                // A kind that is new to hosts has no number yet; `every_kind_has_a_number` fails
                // until it has one.
                _ => continue,
            };
            self.step.push(step);
            self.kind.push(kind);
            self.boid.push(boid.get());
            self.other.push(other);
        }
    }
}

impl LiveFlock {
    /// Makes so many steps, and adds what happens in them.
    pub fn advance(&mut self, steps: u64, events: &mut EventColumns) {
        for _ in 0..steps {
            self.step();
            let flock = self.flock();
            events.extend(flock.steps(), flock.events());
        }
    }

    /// Changes a key of the scene from the next step on; the value is written as in TOML, a bare
    /// word is a text. The numbers of steps made before do not change.
    ///
    /// ```
    /// use wingbeat_session::{LiveFlock, EditableScene};
    /// use wingbeat_scene::{Machine, Override};
    /// let scene = EditableScene::load("shoal", &[Override::set("flock.boids=50")?])?;
    /// let mut flock = LiveFlock::new(scene, Machine::default(), None, false)?;
    /// flock.set("cohesion.weight", "0.5")?;
    /// assert_eq!(flock.flock().params().rules.cohesion.map(|rule| rule.weight), Some(0.5));
    /// assert!(flock.set("flock.boids", "60").is_err_and(|line| line.contains("flock.boids")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// One line, when the key or the value is not accepted, or takes effect only when a flock is
    /// built; nothing is changed then.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        if let Some(known) = known_key(key)
            && self.scene().scene().effect_of(known) != Effect::NextStep
        {
            return Err(format!(
                "{key} = {value}: allowed before a flock is built, not while it flies"
            ));
        }
        let change = Change::Set { key: key.into(), value: value.into() };
        change.make(&self.basis()).and_then(|changed| self.adopt(changed)).map(|_| ())
    }

    /// Everything that a later step depends on, the scene with all changes too, as bytes with a
    /// checksum.
    ///
    /// # Errors
    /// One line, when it cannot be written.
    #[cfg(not(target_family = "wasm"))]
    pub fn checkpoint(&self) -> Result<Vec<u8>, String> {
        checkpoint::seal(KIND, &self.toml(), Some(&self.flock().checkpoint()))
    }

    /// Goes on from a [checkpoint](Self::checkpoint), in the bits of the flock that wrote it: from
    /// here on this is a flock of that scene.
    ///
    /// # Errors
    /// One line, when the bytes are no whole checkpoint, or one of a flock of other dimensions, or
    /// a file that its scene names cannot be read; nothing is changed then.
    #[cfg(not(target_family = "wasm"))]
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        let (scene, flock): (String, _) = checkpoint::open(KIND, bytes)?;
        let flock = flock.ok_or("without a flock: allowed is with one")?;
        let is_other = scene != self.scene().toml();
        let scene = is_other
            .then(|| self.scene().with_text(scene))
            .transpose()
            .map_err(|refusal| refusal.to_string())?;
        self.flock_mut().restore(&flock).map_err(|refusal| refusal.to_string())?;
        scene.into_iter().for_each(|scene| self.take_scene(scene));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use wingbeat::{
        BoidId,
        steer::{DriveId, ExitId, SourceId},
    };
    use wingbeat_scene::{Machine, Override};

    use super::*;
    use crate::EditableScene;

    fn flock(scene: &str, boids: &str) -> LiveFlock {
        let scene = EditableScene::load(scene, &[Override::flag("--boids", "flock.boids", boids)])
            .expect("a preset");
        LiveFlock::new(scene, Machine::default(), None, false).expect("a flock")
    }

    #[test]
    fn every_kind_has_a_number() {
        let boid = BoidId::new(7);
        let all = [
            Event::Captured { captor: boid, prey: BoidId::new(9) },
            Event::Arrived { boid, drive: DriveId::new(1) },
            Event::Exited { boid, exit: ExitId::new(2) },
            Event::Squeezed { boid },
            Event::Left { boid },
            Event::Entered { boid, source: SourceId::new(3) },
        ];
        let mut columns = EventColumns::default();
        columns.extend(5, &all);
        assert_eq!(columns.step, [5; 6]);
        assert_eq!(columns.other, [9, 1, 2, NOTHING_ELSE, NOTHING_ELSE, 3]);
        for (event, &kind) in all.iter().zip(&columns.kind) {
            let name = format!("{event:?}").to_lowercase();
            assert!(name.starts_with(EVENT_KINDS[usize::from(kind)]), "{name}");
        }
    }

    #[test]
    fn many_steps_in_one_call_miss_no_event() {
        let (mut one, mut many) = (flock("evacuation", "200"), flock("evacuation", "200"));
        let (mut one_by_one, mut at_once) = (EventColumns::default(), EventColumns::default());
        for _ in 0..1500 {
            one.advance(1, &mut one_by_one);
        }
        many.advance(1500, &mut at_once);
        assert!(!at_once.is_empty());
        assert_eq!(one_by_one, at_once);
        assert_eq!(one.flock().state_hash(), many.flock().state_hash());
    }

    #[test]
    fn checkpoints_go_on_in_the_same_bits() {
        let (mut first, mut second) = (flock("hunter_prey", "400"), flock("hunter_prey", "400"));
        let mut events = EventColumns::default();
        first.advance(40, &mut events);
        let bytes = first.checkpoint().expect("bytes");
        second.restore(&bytes).expect("the same scene");
        first.advance(40, &mut events);
        second.advance(40, &mut events);
        assert_eq!(first.flock().state_hash(), second.flock().state_hash());
        for broken in [&bytes[..bytes.len() - 1], &bytes[..4], &[]] {
            let hash = second.flock().state_hash();
            assert!(second.restore(broken).is_err());
            assert_eq!(second.flock().state_hash(), hash);
        }
        // The length of a step is the scene's, and comes along.
        second.set("flock.dt", "0.01").expect("a length");
        let bytes = second.checkpoint().expect("bytes");
        let mut other = flock("shoal", "300");
        other.restore(&bytes).expect("as many dimensions");
        for flock in [&mut first, &mut other] {
            flock.restore(&bytes).expect("as many dimensions");
            flock.advance(20, &mut events);
        }
        second.advance(20, &mut events);
        assert_eq!(other.scene().scene().dt().get(), 0.01);
        let hash = second.flock().state_hash();
        assert_eq!([first.flock().state_hash(), other.flock().state_hash()], [hash; 2]);
        assert!(
            flock("murmuration", "10")
                .restore(&bytes)
                .is_err_and(|line| line.contains("dimensions"))
        );
    }
}
