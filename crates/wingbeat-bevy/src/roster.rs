//! Who is which entity. Ids are the flock's, entities Bevy's; a seat is a row of the poses that
//! stays a boid's own for as long as it lives.

use bevy_ecs::entity::{Entity, EntityHashMap};
use wingbeat::BoidId;

/// All boids, by ascending id as the flock has them.
#[derive(Default)]
pub(crate) struct Roster {
    ids: Vec<BoidId>,
    entities: Vec<Entity>,
    seats: Vec<u32>,
    by_entity: EntityHashMap<BoidId>,
    /// Seats of those that have left.
    free: Vec<u32>,
    /// Seats given out so far.
    taken: u32,
}

/// What has changed between roster and flock.
#[derive(Default)]
pub(crate) struct Difference {
    /// Who is no longer in the flock, by ascending id.
    pub gone: Vec<(BoidId, Entity)>,
    /// Places in the roster of those that have no entity yet, ascending.
    pub come: Vec<usize>,
}

impl Roster {
    /// By rank.
    pub fn ids(&self) -> &[BoidId] {
        &self.ids
    }

    /// By rank.
    pub fn seats(&self) -> &[u32] {
        &self.seats
    }

    /// How many rows the seats need.
    pub fn rows(&self) -> usize {
        self.taken as usize
    }

    pub fn rank(&self, id: BoidId) -> Option<usize> {
        // Most flocks count their ids from 0 without a gap.
        let guess = usize::try_from(id.get()).ok().filter(|&rank| self.ids.get(rank) == Some(&id));
        guess.or_else(|| self.ids.binary_search(&id).ok())
    }

    pub fn entity(&self, id: BoidId) -> Option<Entity> {
        self.rank(id)
            .map(|rank| self.entities[rank])
            .filter(|&entity| entity != Entity::PLACEHOLDER)
    }

    pub fn id(&self, entity: Entity) -> Option<BoidId> {
        self.by_entity.get(&entity).copied()
    }

    /// A boid whose id is larger than all others'.
    pub fn push(&mut self, id: BoidId, entity: Entity) -> u32 {
        debug_assert!(self.ids.last().is_none_or(|&last| last < id));
        let seat = self.take_seat();
        self.ids.push(id);
        self.entities.push(entity);
        self.seats.push(seat);
        self.by_entity.insert(entity, id);
        seat
    }

    /// A boid's entity is no boid any more; the boid's place, if it was its entity.
    pub fn vacate(&mut self, id: BoidId, entity: Entity) -> Option<usize> {
        let rank = self.rank(id).filter(|&rank| self.entities[rank] == entity)?;
        self.by_entity.remove(&entity);
        self.entities[rank] = Entity::PLACEHOLDER;
        Some(rank)
    }

    /// The entity of a boid that had none.
    pub fn fill(&mut self, rank: usize, entity: Entity) {
        self.entities[rank] = entity;
        self.by_entity.insert(entity, self.ids[rank]);
    }

    /// Takes over the ids of the flock, ascending. The slices are compared as a whole first,
    /// as mostly nothing has changed.
    pub fn agree_with(&mut self, living: &[BoidId]) -> Difference {
        let mut difference = Difference::default();
        if self.ids == living {
            return difference;
        }
        let (ids, entities, seats) = (
            std::mem::take(&mut self.ids),
            std::mem::take(&mut self.entities),
            std::mem::take(&mut self.seats),
        );
        let mut known = ids.into_iter().zip(entities).zip(seats).peekable();
        for &id in living {
            while let Some(((gone, entity), seat)) = known.next_if(|((known, _), _)| *known < id) {
                self.forget(gone, entity, seat, &mut difference);
            }
            let (entity, seat) = match known.next_if(|((known, _), _)| *known == id) {
                Some(((_, entity), seat)) => (entity, seat),
                None => {
                    difference.come.push(self.ids.len());
                    (Entity::PLACEHOLDER, self.take_seat())
                }
            };
            self.ids.push(id);
            self.entities.push(entity);
            self.seats.push(seat);
        }
        for ((gone, entity), seat) in known {
            self.forget(gone, entity, seat, &mut difference);
        }
        difference
    }

    fn forget(&mut self, id: BoidId, entity: Entity, seat: u32, difference: &mut Difference) {
        self.by_entity.remove(&entity);
        self.free.push(seat);
        difference.gone.push((id, entity));
    }

    fn take_seat(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.taken += 1;
            self.taken - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: &[u64]) -> Vec<BoidId> {
        numbers.iter().map(|&number| BoidId::new(number)).collect()
    }

    #[test]
    fn it_agrees_with_the_boids_that_live() {
        let mut roster = Roster::default();
        let entity = |n: u32| Entity::from_raw_u32(n).expect("a number");
        let first = roster.agree_with(&ids(&[0, 1, 2, 3]));
        assert_eq!((first.come.as_slice(), first.gone.len()), (&[0, 1, 2, 3][..], 0));
        first.come.iter().for_each(|&rank| roster.fill(rank, entity(rank as u32 + 10)));
        assert_eq!(roster.seats(), [0, 1, 2, 3]);
        let second = roster.agree_with(&ids(&[0, 2, 7]));
        assert_eq!(second.gone, [(BoidId::new(1), entity(11)), (BoidId::new(3), entity(13))]);
        assert_eq!((second.come.as_slice(), roster.seats()), (&[2][..], &[0, 2, 3][..]));
        assert_eq!((roster.entity(BoidId::new(7)), roster.id(entity(11))), (None, None));
        roster.fill(2, entity(20));
        assert_eq!(
            (roster.entity(BoidId::new(7)), roster.id(entity(20))),
            (Some(entity(20)), Some(BoidId::new(7)))
        );
        // A boid of old comes back, as after going back to a checkpoint.
        let third = roster.agree_with(&ids(&[0, 1, 2, 7]));
        assert_eq!((third.come.as_slice(), third.gone.len(), roster.rows()), (&[1][..], 0, 4));
        assert_eq!(roster.push(BoidId::new(9), entity(30)), 4);
        assert_eq!(roster.rank(BoidId::new(9)), Some(4));
    }
}
