//! Obstacles in lanes: who is near which, steering ahead of them, and nobody inside.
//!
//! Definitions are `wingbeat_steer`'s: steering ahead has a twin in lanes here (avoid.rs), bit for bit; the projection at the end of a
//! step concerns few boids, so a conservative test in lanes finds those, and the definition itself treats them (outside.rs).
#![forbid(unsafe_code)]

use wingbeat_steer::obstacle::{ObstacleCourse, Obstacles, Pose};
use wingbeat_steer::{Domain, ParamError, Vector};

use crate::{BoidId, FlockError};

mod avoid;
mod buckets;
mod outside;

pub(crate) use avoid::Avoid;
use buckets::{Buckets, Region};
pub(crate) use outside::KeepOutside;

/// What one worker thread needs for obstacles.
#[derive(Debug)]
pub(crate) struct Lists<const D: usize> {
    /// Pieces about the blocks of a batch.
    pieces: Region<D>,
    /// Obstacles about them.
    solids: Region<D>,
    /// The same near one boid.
    near: Vec<u64>,
    /// Obstacles near one boid.
    list: Vec<u32>,
}

impl<const D: usize> Default for Lists<D> {
    fn default() -> Self {
        Self { pieces: Region::default(), solids: Region::default(), near: Vec::new(), list: Vec::new() }
    }
}

impl<const D: usize> Lists<D> {
    /// Forgets what was near: a batch begins.
    pub fn begin(&mut self) {
        (self.pieces.known, self.solids.known) = (false, false);
    }
}

/// Obstacles and where to find them.
#[derive(Clone, Debug)]
pub(crate) struct Course<const D: usize>
where
    [f32; D]: Vector,
{
    pub course: ObstacleCourse<[f32; D]>,
    /// Pieces as they are now.
    pieces: Buckets<D>,
    /// Obstacles, and where they go in the step under way.
    solids: Buckets<D>,
    /// How far boids usually look; finding them costs least if buckets are about as large.
    usual: f32,
}

impl<const D: usize> Course<D>
where
    [f32; D]: Vector,
{
    /// None if there are no obstacles.
    pub fn new(
        obstacles: &Obstacles<[f32; D]>,
        domain: &Domain<[f32; D]>,
        t: f64,
        usual: f32,
    ) -> Result<Option<Self>, ParamError> {
        let mut course = ObstacleCourse::new(obstacles.clone(), domain)?;
        if course.is_empty() {
            return Ok(None);
        }
        course.set_out(t);
        let mut made = Self { course, pieces: Buckets::new(domain), solids: Buckets::new(domain), usual };
        made.sort_pieces();
        made.sort_solids();
        Ok(Some(made))
    }

    fn sort_pieces(&mut self) {
        let pieces = self.course.pieces();
        self.pieces.fill(pieces.len(), self.usual, |i| (pieces[i].low, pieces[i].high));
    }

    fn sort_solids(&mut self) {
        let course = &self.course;
        self.solids.fill(course.obstacles().list.len(), self.usual, |i| {
            let (low, high) = course.bounds(i);
            buckets::outwards(low, high)
        });
    }

    /// The step from time `t` on.
    pub fn go(&mut self, t: f64, dt: f32) {
        if self.course.moves() {
            self.course.go(t, dt);
            self.sort_solids();
        }
    }

    /// Its end.
    pub fn arrive(&mut self, t: f64, dt: f32) {
        if self.course.moves() {
            self.course.arrive(t, dt);
            self.sort_pieces();
        }
    }

    /// Whether boids steer ahead.
    pub fn steers(&self) -> bool {
        self.course.obstacles().steers()
    }

    /// Refuses a boid inside an obstacle that stands still; what moves pushes it out.
    pub fn admit(&self, id: BoidId, position: [f32; D]) -> Result<(), FlockError> {
        let (mut near, at) = (Vec::new(), position.map(f64::from));
        self.solids.list(at, at, &mut near);
        for &found in &near {
            let i = buckets::index(found);
            let obstacle = &self.course.obstacles().list[i];
            if !obstacle.motion.moves() && self.course.holds(i, position) {
                let allowed = format!("outside of obstacle.{}", obstacle.name);
                return Err(FlockError::Boid { id, refusal: ParamError::new("position", format!("{position:?}"), allowed) });
            }
        }
        Ok(())
    }

    pub fn set_pose(&mut self, obstacle: usize, pose: Pose<[f32; D]>) -> Result<(), ParamError> {
        self.course.set_pose(obstacle, pose)
    }
}
