//! A step in subdomains: as in one piece, but that they exchange boids, and decide together what
//! concerns several of them.

use crate::flock::Flock;
use crate::flock::step::Steps;
use crate::flock::subdomain::{Subdomain, SubdomainError, Transport};
use crate::memory::MAX_BOIDS;
use crate::simd::with_default_rounding;
use crate::{BoidId, Event};

impl<'p, const D: usize> Steps<D, dyn Transport + 'p> for Subdomain<D> {
    type Lost = SubdomainError;

    fn flock(&mut self) -> &mut Flock<D> {
        &mut self.flock
    }

    fn exchange(&mut self, peers: &mut (dyn Transport + 'p)) -> Result<(), SubdomainError> {
        self.exchange(peers)
    }

    fn find_own(&mut self) {
        self.find_own();
    }

    fn weigh(&mut self) {
        self.costs = self.is_weighed().then(|| self.costs_of_rows());
    }

    fn look_further(&mut self, peers: &mut (dyn Transport + 'p)) -> Result<(), SubdomainError> {
        self.look_further(peers)
    }

    fn forget_others(&mut self) {
        self.forget_others();
    }

    fn even_out(&mut self, peers: &mut (dyn Transport + 'p)) -> Result<(), SubdomainError> {
        self.costs.take().map_or(Ok(()), |costs| self.even_out(&costs, peers))
    }

    /// Captures of all parts are settled by all alike; each tells of its own boids.
    fn capture(&mut self, peers: &mut (dyn Transport + 'p)) -> Result<(), SubdomainError> {
        if !self
            .flock
            .settings
            .params
            .interactions
            .iter()
            .any(|interaction| interaction.capture_radius > 0.0)
        {
            return Ok(());
        }
        let mine: Vec<u32> = self
            .flock
            .workspace
            .captures
            .caught()
            .iter()
            .flat_map(|&(captor, prey)| [captor, prey])
            .collect();
        let all = peers.all(&mine)?;
        let caught = self.flock.workspace.captures.caught();
        caught.clear();
        caught.extend(
            all.iter().flat_map(|words| words.chunks_exact(2).map(|pair| (pair[0], pair[1]))),
        );
        let captured = self.flock.workspace.captures.captured().to_vec();
        let mut prey: Vec<u32> = captured.iter().map(|&(_, prey)| prey).collect();
        prey.sort_unstable();
        let mut here = self.slots_of(&prey);
        here.sort_unstable();
        let ids = self.flock.state.boids.ids();
        for (captor, prey) in captured {
            if here.binary_search_by_key(&prey, |&(rank, _)| rank).is_ok() {
                self.flock.workspace.happened.captured(ids.of(captor), ids.of(prey));
            }
        }
        Ok(())
    }

    /// A turnstile lets out by the ids of all boids in it.
    fn leave_by_exits(
        &mut self,
        step: (f64, f64),
        peers: &mut (dyn Transport + 'p),
    ) -> Result<(), SubdomainError> {
        if !self.flock.state.gates.exits.any_open_at(step.1) {
            return Ok(());
        }
        let begun = self.flock.enter_exits(step);
        let boids = &self.flock.state.boids;
        let exited = |event: &Event| match *event {
            Event::Exited { boid, exit } => {
                Some((boids.rank_of(boid).ok()? as u32, exit.get() as u32))
            }
            _ => None,
        };
        let mine: Vec<(u32, u32)> =
            self.flock.workspace.happened.told_from(begun).iter().filter_map(exited).collect();
        let words: Vec<u32> = mine.iter().flat_map(|&(boid, exit)| [boid, exit]).collect();
        let mut all: Vec<(u32, u32)> = peers
            .all(&words)?
            .iter()
            .flat_map(|words| words.chunks_exact(2).map(|pair| (pair[0], pair[1])))
            .collect();
        all.sort_unstable();
        let exits = &mut self.flock.state.gates.exits;
        with_default_rounding(|| all.retain(|&(_, exit)| exits.lets_out(exit as usize, step)));
        let mut out = mine.iter().map(|one| all.binary_search(one).is_ok());
        self.flock.workspace.happened.exited(begun, |_| out.next().unwrap_or(false));
        Ok(())
    }

    /// Removes the boids that are gone from the columns.
    fn remove_gone(&mut self) {
        let boids = &self.flock.state.boids;
        let gone: Vec<u32> = self
            .flock
            .workspace
            .happened
            .gone()
            .iter()
            .filter_map(|&id| boids.rank_of(id).ok())
            .map(|rank| rank as u32)
            .collect();
        if gone.is_empty() {
            return;
        }
        let slots: Vec<u32> = self.slots_of(&gone).into_iter().map(|(_, slot)| slot).collect();
        self.drop_slots(&slots);
        self.flock.boids_changed();
    }

    /// Sources let in as if there were one flock; a newcomer begins in the part where it is.
    fn enter(&mut self, end: f64, peers: &mut (dyn Transport + 'p)) -> Result<(), SubdomainError> {
        let flock = &mut self.flock;
        if !flock.state.gates.sources.any_due(end) {
            return Ok(());
        }
        flock.find_bodies_near_sources(end);
        let mut words = vec![flock.state.boids.len() as u32];
        for &(place, radius) in &flock.state.gates.near {
            words.extend(place.iter().chain([&radius]).map(|x| x.to_bits()));
        }
        let all = peers.all(&words)?;
        let boids: usize =
            all.iter().filter_map(|words| words.first()).map(|&boids| boids as usize).sum();
        flock.state.gates.near.clear();
        for words in &all {
            for row in words.get(1..).unwrap_or_default().chunks_exact(D + 1) {
                flock.state.gates.near.push((
                    crate::arrays::from_fn(|a| f32::from_bits(row[a])),
                    f32::from_bits(row[D]),
                ));
            }
        }
        let next = flock.state.boids.next_id();
        let most = u64::from(self.ranks_left(next)).min(MAX_BOIDS.saturating_sub(boids) as u64);
        let flock = &mut self.flock;
        with_default_rounding(|| flock.release(end, most));
        let newcomers = std::mem::take(&mut flock.state.gates.newcomers);
        for &(source, position) in &newcomers {
            let [_, y, z] = self.flock.workspace.grid.cells().of(position);
            if self.rows.hold(z, y) {
                self.flock.let_in(source, position);
            } else {
                self.pass_over_id();
            }
        }
        self.flock.state.gates.newcomers = newcomers;
        Ok(())
    }
}

impl<const D: usize> Subdomain<D> {
    /// Who of these, ascending, is here: ranks and slots, by slots.
    pub(super) fn slots_of(&mut self, ranks: &[u32]) -> Vec<(u32, u32)> {
        if ranks.is_empty() {
            return Vec::new();
        }
        let slots = self.slots_where(|part, slot| {
            ranks.binary_search(&part.flock.state.boids.front.rank[slot]).is_ok()
        });
        let found = slots
            .iter()
            .map(|&slot| (self.flock.state.boids.front.rank[slot as usize], slot))
            .collect();
        self.flock.workspace.happened.put_back(slots);
        found
    }

    /// Ranks for new boids: the last one belongs to none.
    pub(super) fn ranks_left(&self, next_id: u64) -> u32 {
        let rank = self
            .flock
            .state
            .boids
            .rank_of(BoidId::new(next_id))
            .map_or(u32::MAX, |rank| rank as u32);
        (u32::MAX - 1).saturating_sub(rank)
    }
}
