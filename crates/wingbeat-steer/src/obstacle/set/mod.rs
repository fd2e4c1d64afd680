//! The set of a flock's obstacles: where each is at a time.

use alloc::vec::Vec;
use alloc::{format, vec};

use crate::obstacle::avoid::Piece;
use crate::obstacle::motion::{AtEnds, kept};
use crate::obstacle::shape::{sin_cos_degrees, wide};
use crate::obstacle::solid::{Point, Solid, add, scale, sub};
use crate::obstacle::{Obstacle, ObstacleMotion, Obstacles, Pose, Range};
use crate::{Domain, ObstacleId, ParamError, Vector};

mod bound;
mod first_hit;
mod keep_outside;
mod state;
mod pieces;
mod threat;

pub use bound::BodyReach;
pub use first_hit::ObstacleHit;
pub use keep_outside::{Everyone, Kept, Near};
pub use state::ObstacleState;

/// Where a shape is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    position: Point,
    sin: f64,
    cos: f64,
}

impl Place {
    fn turned(&self, [x, y, z]: Point) -> Point {
        [self.cos * x - self.sin * y, self.sin * x + self.cos * y, z]
    }

    fn out(&self, point: Point) -> Point {
        add(self.turned(point), self.position)
    }
}

/// Obstacles on their way: what a flock keeps of them from step to step.
///
/// ```
/// use wingbeat_steer::{Domain, Obstacle, ObstacleSet, ObstacleMotion, ObstacleShape, Obstacles};
/// let shape = ObstacleShape::Wall { from: [0.0, -1.0], to: [0.0, 1.0] };
/// let wall = Obstacle { name: "wall".into(), shape, motion: ObstacleMotion::Static };
/// let domain = Domain::open();
/// let mut obstacles = ObstacleSet::new(vec![wall].into(), &domain)?;
/// obstacles.begin_step(0.0, 1.0);
/// // At any speed, no boid comes through; what is left of the velocity goes along the wall.
/// let all = &mut obstacles.all();
/// let met = obstacles.keep_outside([-1.0, 0.0], [1e6, 0.5], [1e6, 0.5], 1.0, all);
/// assert!(met.position[0] < 0.0 && (met.velocity[1] - 0.5).abs() < 1e-4);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ObstacleSet<V> {
    obstacles: Obstacles<V>,
    domain: Domain<V>,
    solids: Vec<Solid>,
    middles: Vec<Point>,
    now: Vec<Place>,
    /// Where each comes from and goes to in the step under way.
    from: Vec<Place>,
    to: Vec<Place>,
    poses: Vec<Pose<V>>,
    velocity: Vec<Point>,
    bounds: Vec<(Point, Point)>,
    pieces: Vec<Piece<V>>,
    moves: bool,
}

impl<V: Vector> Default for ObstacleSet<V> {
    fn default() -> Self {
        Self {
            obstacles: Obstacles::default(),
            domain: Domain::open(),
            solids: Vec::new(),
            middles: Vec::new(),
            now: Vec::new(),
            from: Vec::new(),
            to: Vec::new(),
            poses: Vec::new(),
            velocity: Vec::new(),
            bounds: Vec::new(),
            pieces: Vec::new(),
            moves: false,
        }
    }
}

impl<V: Vector> ObstacleSet<V> {
    /// Obstacles at time 0.
    ///
    /// # Errors
    /// As [`Obstacles::check`].
    #[inline(never)]
    pub fn new(obstacles: Obstacles<V>, domain: &Domain<V>) -> Result<Self, ParamError> {
        obstacles.check(domain)?;
        let solids: Vec<Solid> =
            obstacles.list.iter().map(|obstacle| Solid::new(&obstacle.shape)).collect();
        let n = solids.len();
        let here = Place { position: [0.0; 3], sin: 0.0, cos: 1.0 };
        let mut obstacles = Self {
            middles: obstacles.list.iter().map(|obstacle| wide(obstacle.shape.middle())).collect(),
            moves: obstacles.list.iter().any(|obstacle| obstacle.motion.moves()),
            domain: *domain,
            solids,
            now: vec![here; n],
            from: vec![here; n],
            to: vec![here; n],
            poses: vec![Pose::default(); n],
            velocity: vec![[0.0; 3]; n],
            bounds: vec![([0.0; 3], [0.0; 3]); n],
            pieces: Vec::new(),
            obstacles,
        };
        obstacles.move_to(0.0);
        Ok(obstacles)
    }

    /// The obstacles at time 0, and how boids steer ahead of them.
    pub fn obstacles(&self) -> &Obstacles<V> {
        &self.obstacles
    }

    /// The box whose images count.
    pub fn domain(&self) -> &Domain<V> {
        &self.domain
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.solids.is_empty()
    }

    /// Whether any ever moves.
    pub fn moves(&self) -> bool {
        self.moves
    }

    /// What is avoided, as it is now.
    pub fn pieces(&self) -> &[Piece<V>] {
        &self.pieces
    }

    /// The box an obstacle passes through in the step under way.
    pub fn bounds(&self, obstacle: usize) -> ([f64; 3], [f64; 3]) {
        self.bounds[obstacle]
    }

    /// Radius of the ball about the middle of its [`bounds`](Self::bounds) that obstacle `i` stays
    /// in during the step under way; infinite of what is no ball.
    pub fn ball(&self, obstacle: usize) -> f32 {
        let solid = &self.solids[obstacle];
        if solid.corners.len() > 1 {
            return f32::INFINITY;
        }
        let run = sub(self.to[obstacle].position, self.from[obstacle].position);
        (solid.radius() + crate::obstacle::shape::length(run)) as f32
    }

    /// Where an obstacle is now.
    pub fn pose(&self, obstacle: ObstacleId) -> Pose<V> {
        let obstacle = obstacle.get();
        match self.obstacles.list[obstacle].motion {
            ObstacleMotion::Host => self.poses[obstacle],
            _ => {
                Pose { position: V::from_fn(|a| self.now[obstacle].position[a] as f32), angle: 0.0 }
            }
        }
    }

    /// Where an obstacle goes in the next step; boids in the way of it are pushed along.
    ///
    /// # Errors
    /// When there is no such obstacle, the host does not move it, or the pose is out of range.
    #[inline(never)]
    pub fn set_pose(&mut self, obstacle: ObstacleId, pose: Pose<V>) -> Result<(), ParamError> {
        let Some(Obstacle { name, motion, .. }) = self.obstacles.list.get(obstacle.get()) else {
            let allowed = format!("a place in the list of {}", self.solids.len());
            return Err(ParamError::new("obstacle", obstacle, allowed));
        };
        let name = format!("obstacle.{name}");
        if *motion != ObstacleMotion::Host {
            return Err(ParamError::new(
                format!("{name}.motion"),
                "scripted",
                "the host's own, to set its pose",
            ));
        }
        pose.check(&name)?;
        self.poses[obstacle.get()] = pose;
        Ok(())
    }

    /// Everything as it is at time `t`, at rest where the host moves it.
    #[inline(never)]
    pub fn move_to(&mut self, t: f64) {
        for i in 0..self.solids.len() {
            self.now[i] = self.place(i, t);
            self.velocity[i] = self.moved(i, t).1;
        }
        self.from.clone_from(&self.now);
        self.to.clone_from(&self.now);
        self.find_bounds();
        self.cut_up();
    }

    fn moved(&self, i: usize, t: f64) -> (Point, Point) {
        self.obstacles.list[i].motion.at(self.middles[i], t)
    }

    /// The place at time t, in a periodic box with the middle in it, rounded once.
    fn place(&self, i: usize, t: f64) -> Place {
        let motion = &self.obstacles.list[i].motion;
        let (mut position, mut middle) = (self.moved(i, t).0, self.middles[i]);
        let (mut sin, mut cos) = (0.0, 1.0);
        if *motion == ObstacleMotion::Host {
            let pose = self.poses[i];
            (sin, cos) = sin_cos_degrees(pose.angle);
            position = wide(pose.position);
            middle = Place { position: [0.0; 3], sin, cos }.out(middle);
        }
        if self.domain.is_periodic() {
            for a in 0..V::DIMENSIONS {
                let (low, side) =
                    (f64::from(self.domain.min.axis(a)), f64::from(self.domain.side(a)));
                position[a] -= side * libm::floor((middle[a] + position[a] - low) / side);
            }
        }
        Place { position: position.map(|x| f64::from(kept(x))), sin, cos }
    }

    /// The step from time `t` on: where every obstacle comes from and goes to.
    #[inline(never)]
    pub fn begin_step(&mut self, t: f64, dt: f32) {
        if !self.moves {
            return;
        }
        let dt = f64::from(dt);
        for i in 0..self.solids.len() {
            let (from, to) = (self.now[i], self.place(i, t + dt));
            (self.from[i], self.to[i]) = (from, to);
            let ahead = self.moved(i, t).1;
            let wraps = match &self.obstacles.list[i].motion {
                ObstacleMotion::Line {
                    range: Some(Range { ends: AtEnds::Wrap, min, max }),
                    ..
                } => Some((wide(*min), wide(*max))),
                _ => None,
            };
            for a in 0..V::DIMENSIONS {
                let side = f64::from(self.domain.side(a));
                if let Some((low, high)) = wraps
                    && (to.position[a] - from.position[a] - ahead[a] * dt).abs()
                        > 0.5 * (high[a] - low[a])
                {
                    self.from[i].position[a] = to.position[a] - ahead[a] * dt;
                } else if self.domain.is_periodic() {
                    let jump = to.position[a] - from.position[a];
                    self.from[i].position[a] += side * libm::floor(jump / side + 0.5);
                }
            }
        }
        self.find_bounds();
    }

    /// The end of that step, `dt` after time `t`.
    #[inline(never)]
    pub fn end_step(&mut self, t: f64, dt: f32) {
        if !self.moves {
            return;
        }
        for i in 0..self.solids.len() {
            self.now[i] = self.to[i];
            self.velocity[i] = match self.obstacles.list[i].motion {
                ObstacleMotion::Host => {
                    scale(sub(self.to[i].position, self.from[i].position), 1.0 / f64::from(dt))
                }
                _ => self.moved(i, t + f64::from(dt)).1,
            };
            self.from[i] = self.now[i];
        }
        self.cut_up();
    }

    fn find_bounds(&mut self) {
        for i in 0..self.solids.len() {
            let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
            let r = self.solids[i].radius();
            for &corner in &self.solids[i].corners {
                let turned = self.to[i].turned(corner);
                for place in [&self.from[i], &self.to[i]] {
                    let at = add(turned, place.position);
                    for a in 0..3 {
                        low[a] = if at[a] - r < low[a] { at[a] - r } else { low[a] };
                        high[a] = if at[a] + r > high[a] { at[a] + r } else { high[a] };
                    }
                }
            }
            self.bounds[i] = (low, high);
        }
    }

    /// Whether a point is inside a solid or within `clearance` of one, images included, as they are
    /// now.
    ///
    /// ```
    /// # use wingbeat_steer::{Domain, Obstacle, ObstacleSet, ObstacleMotion, ObstacleShape};
    /// let shape = ObstacleShape::Sphere { center: [0.0, 0.0], radius: 1.0 };
    /// let tree = Obstacle { name: "tree".into(), shape, motion: ObstacleMotion::Static };
    /// let obstacles = ObstacleSet::new(vec![tree].into(), &Domain::open())?;
    /// assert!(obstacles.blocked([1.25, 0.0], 0.5) && !obstacles.blocked([1.75, 0.0], 0.5));
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn blocked(&self, point: V, clearance: f32) -> bool {
        (0..self.solids.len())
            .any(|i| self.depth_at(i, point) < f64::from(clearance) || self.holds(i, point))
    }

    /// The first obstacle a point is in, or on where it is thin.
    pub fn solid_at(&self, point: V) -> Option<usize> {
        (0..self.solids.len()).find(|&i| self.holds(i, point))
    }

    /// How far the surface of obstacle `i` is from a point, negative inside, now.
    pub fn distance(&self, i: usize, point: V) -> f64 {
        self.depth_at(i, point)
    }

    /// How deep a point is inside any obstacle, now; 0 outside all.
    pub fn penetration(&self, point: V) -> f64 {
        (0..self.solids.len()).fold(0.0, |most, i| {
            if -self.depth_at(i, point) > most { -self.depth_at(i, point) } else { most }
        })
    }

    /// Whether a point is inside obstacle `i` as it is now, or on it where that is thin.
    pub fn holds(&self, i: usize, point: V) -> bool {
        let distance = self.depth_at(i, point);
        distance < 0.0 || self.solids[i].thin && distance == 0.0
    }

    fn depth_at(&self, i: usize, point: V) -> f64 {
        let (low, high) = self.box_of(i, &self.now[i]);
        let mut least = f64::INFINITY;
        let at = wide(point);
        self.for_images(at, at, low, high, f64::INFINITY, &mut |shift| {
            let distance =
                self.solids[i].distance(self.inward(&self.now[i], &self.now[i], sub(at, shift))).0;
            least = if distance < least { distance } else { least };
        });
        least
    }

    fn box_of(&self, i: usize, place: &Place) -> (Point, Point) {
        let at = place.position;
        let reach = self.solids[i].extent;
        (at.map(|x| x - reach), at.map(|x| x + reach))
    }

    /// A point in the coordinates of the shape at `place`, turned as it is at `turned`.
    fn inward(&self, place: &Place, turned: &Place, point: Point) -> Point {
        let [x, y, z] = sub(point, place.position);
        [turned.cos * x + turned.sin * y, -turned.sin * x + turned.cos * y, z]
    }

    /// The shifts under which a box meets another with `slack`, the lowest first; of an unending
    /// slack those next to the box.
    fn for_images(
        &self,
        from: Point,
        to: Point,
        low: Point,
        high: Point,
        slack: f64,
        visit: &mut dyn FnMut(Point),
    ) {
        let (mut first, mut last) = ([0; 3], [0; 3]);
        for a in 0..V::DIMENSIONS {
            let (start, end) = if from[a] < to[a] { (from[a], to[a]) } else { (to[a], from[a]) };
            if self.domain.is_periodic() {
                let side = f64::from(self.domain.side(a));
                // As many as a path of one side and a solid of two can need.
                let whole = |x: f64, out: f64| {
                    if (-3.0..=3.0).contains(&x) {
                        libm::floor(x + out) as i32
                    } else {
                        (3.0 * x.signum()) as i32
                    }
                };
                if slack == f64::INFINITY {
                    (first[a], last[a]) = (-2, 2);
                } else if end + slack >= low[a] + side || start - slack <= high[a] - side {
                    (first[a], last[a]) = (
                        whole((start - slack - high[a]) / side, 1.0 - 1e-9),
                        whole((end + slack - low[a]) / side, 1e-9),
                    );
                }
            } else if slack < f64::INFINITY && (start - slack > high[a] || end + slack < low[a]) {
                return;
            }
        }
        let side = |a: usize| f64::from(self.domain.side(a));
        for z in first[2]..=last[2] {
            for y in first[1]..=last[1] {
                for x in first[0]..=last[0] {
                    let steps = [x, y, z];
                    let shift = |a: usize| {
                        if a < V::DIMENSIONS && steps[a] != 0 {
                            f64::from(steps[a]) * side(a)
                        } else {
                            0.0
                        }
                    };
                    visit([shift(0), shift(1), shift(2)]);
                }
            }
        }
    }
}
