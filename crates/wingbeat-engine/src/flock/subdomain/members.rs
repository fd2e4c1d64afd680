//! Adding and removing boids of a flock in subdomains, by a call that all subdomains make alike.

use crate::flock::subdomain::{Subdomain, SubdomainError, Transport};
use crate::{Boid, BoidId, FlockError, SpeciesId, flock::checks, motion::body};

impl<const D: usize> Subdomain<D> {
    /// Adds a boid and tells its id, as [`Flock::add`](crate::Flock::add). All parts are told the
    /// same.
    ///
    /// # Errors
    /// When a part is gone; or when the boid's state is not accepted or there is no room, and then
    /// nothing is changed in any part.
    #[inline(never)]
    pub fn add(
        &mut self,
        position: [f32; D],
        velocity: [f32; D],
        peers: &mut dyn Transport,
    ) -> Result<BoidId, SubdomainError> {
        let flock = &self.flock;
        let id = BoidId::new(flock.state.boids.next_id());
        let boid = checks::admit(&Boid { id, position, velocity }, &flock.settings.domain)?;
        if let Some(course) = &flock.state.course {
            course.admit(boid.id, boid.position)?;
        }
        // Each part knows of its own boids alone whether they are in the way.
        let room = match &flock.derived.bodies {
            Some(bodies) => body::admit_newcomer(
                bodies,
                &flock.state.boids,
                (&boid, SpeciesId::default()),
                &flock.settings.domain,
                flock.state.course.as_deref(),
            ),
            None => Ok(()),
        };
        let (left, here) = (self.ranks_left(id.get()), self.flock.len());
        let all = peers.all(&[u32::from(room.is_err()), here as u32])?;
        let boids: usize =
            all.iter().filter_map(|words| words.get(1)).map(|&boids| boids as usize).sum();
        if left == 0 || boids >= crate::memory::MAX_BOIDS {
            return Err(FlockError::TooManyBoids {
                boids: boids + 1,
                bytes: crate::memory::bytes_for::<D>(boids + 1),
            }
            .into());
        }
        room?;
        if all.iter().any(|words| words.first() != Some(&0)) {
            let allowed = "where it overlaps no boid: one of another part is there";
            let refusal = wingbeat_steer::ParamError::new(
                "position",
                format!("{:?}", boid.position),
                allowed,
            );
            return Err(FlockError::Boid { id, refusal }.into());
        }
        let [_, y, z] = self.flock.workspace.grid.cells().of(boid.position);
        if self.rows.hold(z, y) {
            self.flock.welcome(SpeciesId::default(), boid.position, boid.velocity)?;
            self.all_are_own();
        } else {
            self.pass_over_id();
        }
        Ok(id)
    }

    /// An id is given to a boid of another part.
    pub(super) fn pass_over_id(&mut self) {
        let next = self.flock.state.boids.next_id() + 1;
        self.flock.state.boids.expect_id(next);
        self.flock.derived.drives.forget_leaders();
    }

    /// Removes boids, all or none, wherever they are. All parts are told the same.
    ///
    /// # Errors When a part is gone; or when an id is of no boid, or named twice, and then nothing
    /// is changed in any part.
    #[inline(never)]
    pub fn remove(
        &mut self,
        ids: &[BoidId],
        peers: &mut dyn Transport,
    ) -> Result<(), SubdomainError> {
        let boids = &self.flock.state.boids;
        let mut ranks = ids
            .iter()
            .map(|&id| boids.rank_of(id).map(|rank| rank as u32))
            .collect::<Result<Vec<_>, _>>()?;
        ranks.sort_unstable();
        let names = self.flock.state.boids.ids();
        if let Some(twice) = ranks.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(FlockError::UnknownBoid(names.of(twice[0])).into());
        }
        let here = self.slots_of(&ranks);
        let found: Vec<u32> = here.iter().map(|&(rank, _)| rank).collect();
        let mut everywhere = peers.all(&found)?.concat();
        everywhere.sort_unstable();
        if let Some(&nowhere) = ranks.iter().find(|rank| everywhere.binary_search(rank).is_err()) {
            return Err(FlockError::UnknownBoid(self.flock.state.boids.ids().of(nowhere)).into());
        }
        let slots: Vec<u32> = here.iter().map(|&(_, slot)| slot).collect();
        self.drop_slots(&slots);
        self.flock.boids_changed();
        Ok(())
    }
}
