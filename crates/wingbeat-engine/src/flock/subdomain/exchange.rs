//! The beginning of a step in subdomains: boids migrate, and ghosts are sent.

use std::time::{Duration, Instant};

use wingbeat_steer::math;

use crate::columns::boids::GhostBoid;
use crate::flock::subdomain::partition::Sight;
use crate::flock::subdomain::{Subdomain, SubdomainError, Transport};
use crate::grid::Gap;

/// What all parts tell each other before each step: how many boids they have, and the largest
/// radius that any boid has of its own.
struct Summary {
    boids: u64,
    radius: f32,
}

impl Summary {
    const WORDS: usize = 3;

    fn words(&self) -> [u32; Self::WORDS] {
        [self.boids as u32, (self.boids >> 32) as u32, self.radius.to_bits()]
    }

    /// Of all parts together.
    fn of_all(all: &[Vec<u32>]) -> Self {
        let mut sum = Self { boids: 0, radius: 0.0 };
        for words in all {
            let Some(&[low, high, radius]) = words.first_chunk() else { continue };
            sum.boids += u64::from(low) | u64::from(high) << 32;
            sum.radius = math::max(sum.radius, f32::from_bits(radius));
        }
        sum
    }
}

/// Who is to be told what.
#[derive(Clone, Default)]
struct Message {
    moving: Vec<u32>,
    seen: Vec<u32>,
}

/// Does something, and adds how long it took.
fn timed<R>(took: &mut Duration, work: impl FnOnce() -> R) -> R {
    let begun = Instant::now();
    let result = work();
    *took += begun.elapsed();
    result
}

impl<const D: usize> Subdomain<D> {
    /// Own boids are those in this part's rows, and all that they may see are here, when this is
    /// done.
    pub(super) fn exchange(&mut self, peers: &mut dyn Transport) -> Result<(), SubdomainError> {
        let begun = Instant::now();
        let mut waited = Duration::ZERO;
        // All subdomains get the leaders as ghosts.
        let followed = self.flock.derived.drives.followed(&self.flock.state.boids);
        let mut words = self.summary().words().to_vec();
        if !followed.is_empty() {
            let leaders: Vec<u32> =
                self.slots_of(&followed).into_iter().map(|(_, slot)| slot).collect();
            self.flock.state.boids.tell(&leaders, GhostBoid::Seen, &mut words);
        }
        let all = timed(&mut waited, || peers.all(&words))?;
        let summary = Summary::of_all(&all);
        if let Some(part) = &mut self.flock.state.boids.part {
            part.all = summary.boids as usize;
        }
        if let Some(bodies) = &mut self.flock.derived.bodies {
            bodies.elsewhere = summary.radius;
            bodies.largest = math::max(self.flock.settings.params.largest_body(), summary.radius);
        }
        let sight = Sight::new(
            *self.flock.workspace.grid.cells(),
            &self.flock.settings.domain,
            self.reach(),
        );
        // Leaders may be anywhere.
        let gaps = if followed.is_empty() { sight.gaps(&self.rows) } else { [Gap::default(); 3] };
        self.flock.workspace.grid.be_of_part(gaps);
        let (letters, leaving) = self.letters(&sight, &followed, (peers.rank(), peers.size()));
        let messages = self.write(&letters);
        self.drop_slots(&leaving);
        for message in timed(&mut waited, || peers.exchange(messages))? {
            self.read(&message);
        }
        let others = all.iter().enumerate().filter(|(rank, _)| *rank != peers.rank());
        others.for_each(|(_, words)| self.hear_of_leaders(&words[Summary::WORDS..]));
        self.traffic.waiting += waited;
        self.traffic.writing += begun.elapsed().saturating_sub(waited);
        Ok(())
    }

    /// Leaders of another part; those that have just come from there are here already.
    fn hear_of_leaders(&mut self, words: &[u32]) {
        let first = self.flock.len();
        self.flock.state.boids.hear(words, GhostBoid::Seen);
        let come: Vec<u32> = (first..self.flock.len())
            .map(|slot| slot as u32)
            .filter(|&slot| {
                let (z, y) = self.row_of(slot as usize);
                self.rows.hold(z, y)
            })
            .collect();
        self.flock.state.boids.drop_slots(&come);
    }

    fn summary(&self) -> Summary {
        let slots = self.flock.len();
        let radii =
            self.flock.state.boids.extra.radius.get().map_or(&[][..], |radii| &radii[..slots]);
        let radius =
            radii.iter().fold(0.0, |most, &radius| if radius > most { radius } else { most });
        Summary { boids: slots as u64, radius }
    }

    /// The boids to send, by subdomain; and the slots of those that are gone when that is told,
    /// ascending.
    fn letters(
        &mut self,
        sight: &Sight<D>,
        followed: &[u32],
        (me, parts): (usize, usize),
    ) -> (Vec<Message>, Vec<u32>) {
        let (mut letters, mut leaving, mut seen_from) =
            (vec![Message::default(); parts], Vec::new(), Vec::new());
        if parts == 1 {
            return (letters, leaving);
        }
        let mut happened = std::mem::take(&mut self.flock.workspace.happened);
        let (inside, position) =
            (sight.inside(&self.rows), self.flock.state.boids.front.position.each_ref());
        let near_others = happened.find(
            self.flock.len(),
            |slot| !inside.holds(&position, slot),
            &self.flock.machine.workers,
        );
        self.flock.workspace.happened = happened;
        for &slot in &near_others {
            let position = self.flock.state.boids.front.position(slot as usize);
            let (z, y) = sight.row(&position);
            let owner = self.cuts.owner(z, y);
            sight.seen_from(&self.cuts, &position, &mut seen_from);
            let is_followed =
                followed.binary_search(&self.flock.state.boids.front.rank[slot as usize]).is_ok();
            for &part in seen_from.iter().filter(|&&part| part != me) {
                if part == owner {
                    letters[part].moving.push(slot);
                } else if !is_followed {
                    letters[part].seen.push(slot);
                }
            }
            if owner != me && !is_followed && !seen_from.contains(&me) {
                leaving.push(slot);
            }
        }
        self.flock.workspace.happened.put_back(near_others);
        (letters, leaving)
    }

    fn write(&mut self, letters: &[Message]) -> Vec<Vec<u32>> {
        let mut messages = Vec::with_capacity(letters.len());
        for Message { moving, seen } in letters {
            let mut words = Vec::new();
            if !(moving.is_empty() && seen.is_empty()) {
                self.flock.state.boids.tell(moving, GhostBoid::All, &mut words);
                self.flock.state.boids.tell(seen, GhostBoid::Seen, &mut words);
                self.traffic.messages += 1;
            }
            self.traffic.moved += moving.len() as u64;
            self.traffic.told += seen.len() as u64;
            self.traffic.words += words.len() as u64;
            messages.push(words);
        }
        messages
    }

    fn read(&mut self, message: &[u32]) {
        let before = self.flock.len();
        let rest = self.flock.state.boids.hear(message, GhostBoid::All);
        if let (Some(slices), Some(phases)) =
            (&mut self.flock.derived.slices, self.flock.state.boids.extra.phase.get())
        {
            slices.join(&phases[before..self.flock.state.boids.len()]);
        }
        self.flock.state.boids.hear(rest, GhostBoid::Seen);
    }
}
