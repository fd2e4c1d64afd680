//! Initial states: where boids start and how they move, from a seed.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use wingbeat_steer::{ParamError, Vector, parameters::limit};

/// Where and how fast boids start. Each boid is drawn from xoshiro256++ in turn: position, then
/// heading, then speed.
///
/// ```
/// use wingbeat::{Shape, Spawn};
/// let spawn = Spawn {
///     shape: Shape::Box { min: [0.0; 2], max: [10.0; 2] },
///     speed: 1.0,
///     ..Spawn::default()
/// };
/// let (positions, velocities) = spawn.place(100, 7);
/// assert_eq!((positions.len(), velocities.len()), (100, 100));
/// assert!(positions.iter().all(|p| p[0] >= 0.0 && p[0] < 10.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "[f32; D]: serde::Serialize",
        deserialize = "[f32; D]: serde::Deserialize<'de>"
    ))
)]
pub struct Spawn<const D: usize> {
    /// Where they start.
    pub shape: Shape<D>,
    /// Mean speed, length/time. Default 1.
    pub speed: f32,
    /// Speeds are uniform within speed ± this (never below 0). Default 0.
    pub speed_spread: f32,
    /// Common heading; `None` = every direction alike. Default `None`.
    pub heading: Option<[f32; D]>,
    /// How far headings may lie from the common one, degrees. Default 0.
    pub heading_spread: f32,
}

/// A region to start in.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "[f32; D]: serde::Serialize",
        deserialize = "[f32; D]: serde::Deserialize<'de>"
    ))
)]
pub enum Shape<const D: usize> {
    /// Uniform in a box.
    Box {
        /// Lowest corner.
        min: [f32; D],
        /// Highest corner (excluded).
        max: [f32; D],
    },
    /// Uniform in a disc or ball.
    Ball {
        /// Its middle.
        center: [f32; D],
        /// Its radius.
        radius: f32,
    },
    /// Uniform on a circle in the x-y plane.
    Ring {
        /// Its middle.
        center: [f32; D],
        /// Its radius.
        radius: f32,
    },
    /// At equal distances on a circle in the x-y plane, anticlockwise from its easternmost point.
    Circle {
        /// Its middle.
        center: [f32; D],
        /// Its radius.
        radius: f32,
    },
    /// A regular lattice that fills a box, row by row from the lowest corner.
    Lattice {
        /// Lowest corner.
        min: [f32; D],
        /// Highest corner.
        max: [f32; D],
    },
}

impl<const D: usize> Default for Spawn<D> {
    fn default() -> Self {
        Self {
            shape: Shape::Box { min: [0.0; D], max: [1.0; D] },
            speed: 1.0,
            speed_spread: 0.0,
            heading: None,
            heading_spread: 0.0,
        }
    }
}

/// All over a region, else by default.
impl<const D: usize> From<Shape<D>> for Spawn<D> {
    fn from(shape: Shape<D>) -> Self {
        Self { shape, ..Self::default() }
    }
}

impl<const D: usize> From<&Self> for Spawn<D> {
    fn from(spawn: &Self) -> Self {
        *spawn
    }
}

impl<const D: usize> Spawn<D> {
    /// Refuses a region without finite corners, speeds out of range, and a heading that points
    /// nowhere.
    ///
    /// # Errors
    /// Names the field (as in a scene's `[spawn]`), its value and what is allowed.
    #[inline(never)]
    pub fn check(&self) -> Result<(), ParamError> {
        self.shape.check()?;
        within("spawn.speed", self.speed, 0.0, limit::VELOCITY)?;
        within("spawn.speed_spread", self.speed_spread, 0.0, limit::VELOCITY)?;
        within("spawn.heading_spread", self.heading_spread, 0.0, 180.0)?;
        match self.heading {
            Some(heading) if !heading.all_finite() || heading.largest() == 0.0 => {
                Err(ParamError::new(
                    "spawn.heading",
                    format!("{heading:?}"),
                    "a finite direction, not zero",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Positions and velocities of `count` boids.
    #[inline(never)]
    pub fn place(&self, count: usize, seed: u64) -> (Vec<[f32; D]>, Vec<[f32; D]>) {
        let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(seed));
        let nodes = self.shape.lattice_nodes(count);
        (0..count)
            .map(|i| {
                let position = self.shape.point((i, count), nodes, &mut random);
                let heading = self.direction(&mut random);
                let speed = self.speed + self.speed_spread * (2.0 * random.uniform() - 1.0);
                (position, heading.times(if speed > 0.0 { speed } else { 0.0 }))
            })
            .unzip()
    }

    fn direction(&self, random: &mut Random) -> [f32; D] {
        let Some(heading) = self.heading else { return random.direction() };
        let heading = Vector::unit(heading);
        let cos_spread = libm_cos_degrees(self.heading_spread);
        // Rejection keeps the cap uniform; a narrow cap is sampled by pulling towards the heading
        // instead.
        for _ in 0..1000 {
            let candidate: [f32; D] = random.direction();
            if candidate.inner(heading) >= cos_spread {
                return candidate;
            }
            if self.heading_spread < 20.0 {
                let pulled = heading
                    .plus(candidate.times(random.uniform() * self.heading_spread.to_radians()))
                    .unit();
                if pulled.inner(heading) >= cos_spread {
                    return pulled;
                }
            }
        }
        heading
    }
}

/// Cosine of an angle in degrees, from the pinned cosine of half a field of view.
fn libm_cos_degrees(degrees: f32) -> f32 {
    wingbeat_steer::math::cos_half_view(2.0 * f64::from(degrees))
}

/// Refuses a value outside `low..=high`, and NaN.
fn within(field: &str, value: f32, low: f32, high: f32) -> Result<(), ParamError> {
    if value >= low && value <= high {
        Ok(())
    } else {
        Err(ParamError::new(field, value, format!("{low} to {high}")))
    }
}

impl<const D: usize> Shape<D> {
    /// Lowest and highest corner of the box that boids start in. Rings and circles lie in the x-y
    /// plane and are flat along z.
    pub fn bounds(&self) -> ([f32; D], [f32; D]) {
        let around = |center: [f32; D], radius: f32, flat: bool| {
            let reach = |a: usize| if flat && a == 2 { 0.0 } else { radius };
            (
                crate::arrays::from_fn(|a| center[a] - reach(a)),
                crate::arrays::from_fn(|a| center[a] + reach(a)),
            )
        };
        match *self {
            Self::Box { min, max } | Self::Lattice { min, max } => (min, max),
            Self::Ball { center, radius } => around(center, radius, false),
            Self::Ring { center, radius } | Self::Circle { center, radius } => {
                around(center, radius, true)
            }
        }
    }

    fn check(&self) -> Result<(), ParamError> {
        for a in 0..D {
            match *self {
                Self::Box { min, max } | Self::Lattice { min, max } => {
                    within(&format!("spawn.min[{a}]"), min[a], -limit::POSITION, limit::POSITION)?;
                    within(&format!("spawn.max[{a}]"), max[a], min[a], limit::POSITION)?;
                }
                Self::Ball { center, radius }
                | Self::Ring { center, radius }
                | Self::Circle { center, radius } => {
                    within(
                        &format!("spawn.center[{a}]"),
                        center[a],
                        -limit::POSITION,
                        limit::POSITION,
                    )?;
                    within("spawn.radius", radius, 0.0, limit::POSITION)?;
                }
            }
        }
        Ok(())
    }

    fn point(
        &self,
        (i, count): (usize, usize),
        nodes: [usize; D],
        random: &mut Random,
    ) -> [f32; D] {
        match *self {
            Self::Box { min, max } => crate::arrays::from_fn(|a| {
                let x = min[a] + (max[a] - min[a]) * random.uniform();
                // Rounding may land on the excluded end.
                if x < max[a] { x } else { min[a] }
            }),
            Self::Ball { center, radius } => loop {
                let inside: [f32; D] = crate::arrays::from_fn(|_| 2.0 * random.uniform() - 1.0);
                if inside.norm_sq() <= 1.0 {
                    return center.plus(inside.times(radius));
                }
            },
            Self::Ring { center, radius } => {
                let [x, y] = random.direction::<2>();
                crate::arrays::from_fn(|a| center[a] + radius * [x, y, 0.0][a])
            }
            Self::Circle { center, radius } => {
                let (sin, cos) = libm::sincos(std::f64::consts::TAU * i as f64 / count as f64);
                crate::arrays::from_fn(|a| {
                    (f64::from(center[a]) + f64::from(radius) * [cos, sin, 0.0][a]) as f32
                })
            }
            Self::Lattice { min, max } => {
                let mut rest = i;
                crate::arrays::from_fn(|a| {
                    let k = rest % nodes[a];
                    rest /= nodes[a];
                    let side = f64::from(max[a]) - f64::from(min[a]);
                    (f64::from(min[a]) + side * (k as f64 + 0.5) / nodes[a] as f64) as f32
                })
            }
        }
    }

    /// Nodes along each axis of a lattice of at least `count`, with spacings as equal as whole
    /// numbers allow.
    fn lattice_nodes(&self, count: usize) -> [usize; D] {
        let Self::Lattice { min, max } = *self else { return [1; D] };
        let sides: [f64; D] = crate::arrays::from_fn(|a| f64::from(max[a]) - f64::from(min[a]));
        let mut spacing = sides.iter().fold(0.0f64, |m, &s| if s > m { s } else { m });
        if !(spacing > 0.0 && spacing.is_finite()) {
            // No spacing ever fits such a box: one row, so that the request is refused (or gets
            // one point) and not kept waiting.
            return crate::arrays::from_fn(|a| if a == 0 { count.max(1) } else { 1 });
        }
        loop {
            let nodes = sides.map(|s| ((s / spacing) as usize).max(1));
            if nodes.iter().product::<usize>() >= count {
                return nodes;
            }
            spacing *= 0.999;
        }
    }
}

struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Uniform in [0, 1), 24 bits.
    fn uniform(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 / 16_777_216.0
    }

    /// Every direction alike: a point in the unit ball, scaled to its surface.
    fn direction<const D: usize>(&mut self) -> [f32; D] {
        loop {
            let inside: [f32; D] = crate::arrays::from_fn(|_| 2.0 * self.uniform() - 1.0);
            let norm_sq = inside.norm_sq();
            if norm_sq <= 1.0 && norm_sq > 1e-6 {
                return inside.unit();
            }
        }
    }
}
