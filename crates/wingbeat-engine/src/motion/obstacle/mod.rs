//! Obstacles in lanes: which are near, steering ahead of them, and keeping boids outside.
//!
//! Definitions are `wingbeat_steer`'s: steering ahead has a twin in lanes here (avoid.rs), bit for
//! bit; the projection at the end of a step concerns few boids, so a conservative test in lanes
//! finds those, and the definition itself treats them (outside.rs).

use wingbeat_steer::obstacle::{ObstacleHit, ObstacleSet, ObstacleState, Obstacles, Pose};
use wingbeat_steer::{Domain, ObstacleId, ParamError};

use crate::parallel::Workers;
use crate::{Boid, BoidId, FlockError};

mod avoid;
mod outside;
mod stretch;
mod tree;

use crate::motion::obstacle::avoid::{Forces, PairToJudge};
use crate::motion::obstacle::outside::ObstaclesNear;
use crate::motion::obstacle::stretch::Stretch;
use crate::motion::obstacle::tree::{ObstacleTree, TreeHits};
pub(crate) use avoid::Avoid;
pub(crate) use outside::KeepOutside;

/// What one worker thread needs for obstacles.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    /// Pieces about a stretch of boids.
    pieces: Stretch,
    /// Who may be concerned by which piece, in the order of boids' registers, and for each boid in
    /// that of the pieces.
    pairs: Vec<PairToJudge>,
    /// How boids of a batch steer ahead.
    pub forces: Forces,
    /// Obstacles about a stretch of boids that move.
    ways: ObstaclesNear,
    /// Those about one register of them.
    solids: Vec<u64>,
    /// The same near one boid.
    near: TreeHits,
    /// Obstacles near one boid.
    list: Vec<u32>,
}

/// Obstacles and where to find them.
#[derive(Clone, Debug)]
pub(crate) struct ObstacleIndex<const D: usize> {
    pub course: ObstacleSet<[f32; D]>,
    /// Pieces as they are now.
    pieces: ObstacleTree<D>,
    /// Obstacles, and where they go in the step under way.
    solids: ObstacleTree<D>,
}

impl<const D: usize> ObstacleIndex<D> {
    /// None if there are no obstacles.
    pub fn new(
        obstacles: &Obstacles<[f32; D]>,
        domain: &Domain<[f32; D]>,
        t: f64,
    ) -> Result<Option<Self>, ParamError> {
        let mut course = ObstacleSet::new(obstacles.clone(), domain)?;
        if course.is_empty() {
            return Ok(None);
        }
        course.move_to(t);
        // Steering ahead looks at the images around the box; a way may lead out of it, and further
        // to an image.
        let mut made = Self {
            course,
            pieces: ObstacleTree::new(domain, 1),
            solids: ObstacleTree::new(domain, 2),
        };
        let workers = Workers::<()>::caller();
        made.sort_pieces(&workers);
        made.sort_solids(&workers);
        Ok(Some(made))
    }

    fn sort_pieces<T: Default + Send>(&mut self, workers: &Workers<T>) {
        let pieces = self.course.pieces();
        self.pieces.fill(pieces.len(), |i| (pieces[i].low, pieces[i].high), workers);
    }

    fn sort_solids<T: Default + Send>(&mut self, workers: &Workers<T>) {
        let course = &self.course;
        let ends = |i| {
            let (low, high) = course.bounds(i);
            tree::outwards(low, high)
        };
        self.solids.fill(course.obstacles().list.len(), ends, workers);
        self.solids.round(|i| course.ball(i), workers);
    }

    /// The step from time `t` on.
    pub fn begin_step<T: Default + Send>(&mut self, t: f64, dt: f32, workers: &Workers<T>) {
        if self.course.moves() {
            self.course.begin_step(t, dt);
            self.sort_solids(workers);
        }
    }

    /// Its end.
    pub fn end_step<T: Default + Send>(&mut self, t: f64, dt: f32, workers: &Workers<T>) {
        if self.course.moves() {
            self.course.end_step(t, dt);
            self.sort_pieces(workers);
        }
    }

    /// Everything as it was at time `t`, when those that the host moves had these memories; nothing
    /// is changed if they are refused.
    pub fn remember<T: Default + Send>(
        &mut self,
        memory: &[ObstacleState],
        t: f64,
        workers: &Workers<T>,
    ) -> Result<(), ParamError> {
        self.course.remember(memory, t)?;
        self.sort_pieces(workers);
        self.sort_solids(workers);
        Ok(())
    }

    /// Whether any obstacle ever moves.
    pub fn moves(&self) -> bool {
        self.course.moves()
    }

    /// Whether boids steer ahead.
    pub fn steers(&self) -> bool {
        self.course.obstacles().steers()
    }

    /// [`admit`](Self::admit) of each of them.
    #[inline(never)]
    pub fn admit_all(&self, boids: &[Boid<D>]) -> Result<(), FlockError> {
        boids.iter().try_for_each(|boid| self.admit(boid.id, boid.position))
    }

    /// Refuses a boid inside an obstacle that stands still; what moves pushes it out.
    pub fn admit(&self, id: BoidId, position: [f32; D]) -> Result<(), FlockError> {
        let (mut near, at) = (TreeHits::default(), position.map(f64::from));
        self.solids.list_plainly(at, at, &mut near);
        for &found in &near.list {
            let i = tree::index(found);
            let obstacle = &self.course.obstacles().list[i];
            if !obstacle.motion.moves() && self.course.holds(i, position) {
                let allowed = format!("outside of obstacle.{}", obstacle.name);
                return Err(FlockError::Boid {
                    id,
                    refusal: ParamError::new("position", format!("{position:?}"), allowed),
                });
            }
        }
        Ok(())
    }

    /// Whether a place is outside of all obstacles as they are now, by a radius.
    pub fn has_room(&self, position: [f32; D], radius: f32, lists: &mut Lists) -> bool {
        let around = |by: f32| position.map(|x| f64::from(x) + f64::from(by));
        self.solids.list_plainly(around(-radius), around(radius), &mut lists.near);
        lists.near.list.iter().all(|&found| {
            let i = tree::index(found);
            !self.course.holds(i, position)
                && self.course.distance(i, position) >= f64::from(radius)
        })
    }

    /// The first obstacle on a segment:
    /// [`ObstacleSet::first_hit`](wingbeat_steer::ObstacleSet::first_hit).
    pub fn first_hit(
        &self,
        from: [f32; D],
        to: [f32; D],
        is_wanted: &mut dyn FnMut(ObstacleId) -> bool,
        lists: &mut Lists,
    ) -> Option<ObstacleHit<[f32; D]>> {
        let mut list = std::mem::take(&mut lists.list);
        let hit = self.course.first_hit(from, to, is_wanted, &mut self.near(lists), &mut list);
        lists.list = list;
        hit
    }

    pub fn set_pose(
        &mut self,
        obstacle: ObstacleId,
        pose: Pose<[f32; D]>,
    ) -> Result<(), ParamError> {
        self.course.set_pose(obstacle, pose)
    }
}
