//! Leader: to another boid, or to a place behind it.

use alloc::vec::Vec;

use crate::terms::behavior::{arrival_velocity, heading};
use crate::terms::drive::definition::{DriveDefinition, DriveParts, Driven, Field};
use crate::{Domain, ParamError, Vector};

settings! {
    /// Drives boids to a boid they follow. Without one (none given, dead, or the boid itself) the
    /// force is 0.
    ///
    /// Formula, with o the way to the parent through the nearest image: unit(o), so that the weight
    /// is the force's size; with a `distance` to keep it is [`arrive`](crate::behavior::arrive) at
    /// the point that far behind the parent (along its heading; at rest: where it is), slowing down
    /// within `distance`.
    ///
    /// ```
    /// use wingbeat_steer::drive::Leader;
    /// let procession = Leader::each([(2, 1), (1, 0)]); // 1 follows 0, and 2 follows 1
    /// assert_eq!([0, 1, 2].map(|id| procession.parent_of(id)), [None, Some(0), Some(1)]);
    /// ```
    /// Source: the vision-cone flock (follow); Reynolds 1999 (leader following) where a distance is
    /// kept.
    #[derive(Clone, Debug, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
    pub struct Leader in "drive." {}
    settings {
        parent: Option<u64> = None, shown "none", "Id of the boid that all boids follow that are \
            not in parents.";
        /// Ascending by the first, each boid once, as [`Leader::each`] makes them.
        parents: Vec<(u64, u64)> = Vec::new(), "Pairs [boid, the boid it follows], by ids.";
        distance: Option<f32> = None, shown "none is kept", in "length" from 1e-9 => 1e12, "How \
            far behind the parent to keep. Left out, the force is a unit vector towards it. \
            Larger: further back, and gentler braking.";
        looks: bool = false, "Whether boids look at the ones they follow: the way there is the \
            axis of sight cones in place of the heading, at rest too. Of several such drives the \
            first that has a boid to look at counts.";
    }
}

impl Leader {
    /// Everyone follows one boid.
    pub fn common(parent: u64) -> Self {
        Self { parent: Some(parent), ..Self::default() }
    }

    /// Boids each with a parent of its own; the first pair counts where a boid is named twice.
    pub fn each(pairs: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut parents: Vec<(u64, u64)> = pairs.into_iter().collect();
        parents.sort_by_key(|&(boid, _)| boid);
        parents.dedup_by_key(|&mut (boid, _)| boid);
        Self { parents, ..Self::default() }
    }

    /// The leader of a boid: never itself.
    pub fn parent_of(&self, id: u64) -> Option<u64> {
        let own = self.parents.binary_search_by_key(&id, |&(boid, _)| boid);
        own.ok().map(|place| self.parents[place].1).or(self.parent).filter(|&parent| parent != id)
    }

    /// The way to the place it leads the boid to; `None` without any boid to follow.
    fn way<V: Vector>(&self, boid: &Driven<'_, V>) -> Option<V> {
        let (position, velocity) = boid.parent?;
        let way = boid.way_to(position);
        Some(self.distance.map_or(way, |distance| way.minus(heading(velocity).times(distance))))
    }
}

impl<V: Vector> DriveDefinition<V> for Leader {
    const NAME: &'static str = "leader";

    fn check(&self, at: &Field<'_>, _domain: &Domain<V>) -> Result<(), ParamError> {
        at.ranges(self)?;
        match self.parents.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            Some(pair) => Err(ParamError::new(
                at.key("parents"),
                pair[1].0,
                "boids in ascending order, each once",
            )),
            None => Ok(()),
        }
    }

    fn unknown(&self, exists: &dyn Fn(u64) -> bool) -> Option<(&'static str, u64)> {
        let common = self.parent.filter(|&id| !exists(id)).map(|id| ("parent", id));
        common.or_else(|| {
            let named = self.parents.iter().flat_map(|&(boid, parent)| [boid, parent]);
            named.into_iter().find(|&id| !exists(id)).map(|id| ("parents", id))
        })
    }

    fn looks(&self) -> bool {
        self.looks
    }

    fn parent_of(&self, id: u64) -> Option<u64> {
        self.parent_of(id)
    }

    /// `None` without any boid to follow, and where no distance is kept.
    fn desired(&self, boid: &Driven<'_, V>) -> Option<V> {
        let distance = self.distance?;
        Some(arrival_velocity(self.way(boid)?, boid.max_speed, distance))
    }

    fn force(&self, _place: usize, boid: &Driven<'_, V>) -> V {
        match (self.desired(boid), self.way(boid)) {
            (Some(desired), _) => desired.minus(boid.velocity),
            (None, way) => way.map_or(V::origin(), V::unit),
        }
    }

    fn parts(&self, boid: &Driven<'_, V>, _force: Option<V>) -> DriveParts<V> {
        let way = self.way(boid);
        DriveParts {
            parent: self.parent_of(boid.id).filter(|_| boid.parent.is_some()),
            ..way.map_or(DriveParts::default(), |way| DriveParts::along(boid, way))
        }
    }
}
