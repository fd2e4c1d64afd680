//! The domain: its edges, images and faces.

// How to add a domain. A variant of `Boundary`; `check`, `contains`, `image`, `settle`,
// `wall_force` here. The engine calls `settle` for the lanes that its own domain.rs finds outside
// (that test must agree), and grid/ changes only if the domain has images. Add its name to `KINDS`
// in the engine's tests/common.

use crate::schema::parameter_info;
use alloc::format;

use crate::{ParamError, Vector, check_range, schema::limit};

/// What happens at the edges of the box.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Boundary {
    /// No edges; the box is ignored.
    #[default]
    Open,
    /// Opposite faces are one: boids leave on one side and enter on the other, and see across.
    Periodic,
    /// Faces push inwards within `margin`, and stop a boid that reaches them.
    Walled {
        /// How far from a face its push begins, length.
        margin: f32,
        /// Push at the face, falling linearly to 0 at the margin.
        strength: f32,
    },
    /// Faces reflect position and velocity, as a ball off a cushion.
    Reflecting,
    /// Faces let boids out, and none comes back: a boid that is outside when a step ends has left
    /// the flock.
    Absorbing,
}

impl Boundary {
    /// What scene files call them.
    pub const NAMES: &'static [&'static str] =
        &["open", "periodic", "walled", "reflecting", "absorbing"];

    /// What a scene file calls it.
    pub fn name(&self) -> &'static str {
        let place = match self {
            Self::Open => 0,
            Self::Periodic => 1,
            Self::Walled { .. } => 2,
            Self::Reflecting => 3,
            Self::Absorbing => 4,
        };
        Self::NAMES[place]
    }

    /// Whether there are faces that keep boids in: walls and mirrors.
    pub fn has_faces(&self) -> bool {
        matches!(self, Self::Walled { .. } | Self::Reflecting)
    }
}

/// A box and what its faces do. `open` domains ignore the box.
///
/// ```
/// use wingbeat_steer::{Boundary, Domain};
/// let tank = Domain { boundary: Boundary::Periodic, min: [0.0, 0.0], max: [10.0, 10.0] };
/// assert_eq!(tank.image(0, 9.0), -1.0);           // nine to the right is one to the left
/// assert_eq!(tank.settle(0, 10.5, 1.0), (0.5, 1.0)); // out on the right, in on the left
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Domain<V> {
    /// What happens at the edges.
    pub boundary: Boundary,
    /// Lowest corner, length.
    pub min: V,
    /// Highest corner, length.
    pub max: V,
}

impl<V: Vector> Default for Domain<V> {
    fn default() -> Self {
        Self::open()
    }
}

impl<V: Vector> Domain<V> {
    /// Unbounded space.
    pub fn open() -> Self {
        Self { boundary: Boundary::Open, min: V::origin(), max: V::origin() }
    }

    /// A box whose opposite faces are one.
    pub fn periodic(min: V, max: V) -> Self {
        Self { boundary: Boundary::Periodic, min, max }
    }

    /// A box with soft walls that push within `margin`.
    pub fn walled(min: V, max: V, margin: f32, strength: f32) -> Self {
        Self { boundary: Boundary::Walled { margin, strength }, min, max }
    }

    /// A box with mirror walls.
    pub fn reflecting(min: V, max: V) -> Self {
        Self { boundary: Boundary::Reflecting, min, max }
    }

    /// A box that boids leave for good; see [`Boundary::Absorbing`].
    pub fn absorbing(min: V, max: V) -> Self {
        Self { boundary: Boundary::Absorbing, min, max }
    }

    /// Whether opposite faces are one.
    pub fn is_periodic(&self) -> bool {
        self.boundary == Boundary::Periodic
    }

    /// Length of the box along `axis`: max − min, rounded once.
    #[inline]
    pub fn side(&self, axis: usize) -> f32 {
        self.max.axis(axis) - self.min.axis(axis)
    }

    /// Refuses a box without extent, walls out of range, and a `radius` above half a periodic side.
    ///
    /// # Errors
    /// Names the parameter, its value and what is allowed.
    pub fn check(&self, radius: f32) -> Result<(), ParamError> {
        if self.boundary == Boundary::Open {
            return Ok(());
        }
        for a in 0..V::DIMENSIONS {
            let (min, max) = (self.min.axis(a), self.max.axis(a));
            for (name, end) in [("min", min), ("max", max)] {
                check_range(
                    format_args!("domain.{name}[{a}]"),
                    end,
                    -limit::POSITION,
                    limit::POSITION,
                )?;
            }
            if self.side(a) < limit::SMALLEST || min >= max {
                return Err(ParamError::new(
                    format!("domain.max[{a}]"),
                    max,
                    format!("above domain.min[{a}] = {min}"),
                ));
            }
            if self.is_periodic() && radius > self.side(a) * 0.5 {
                let allowed = format!(
                    "at most half the periodic side {} of axis {a}: {}",
                    self.side(a),
                    self.side(a) * 0.5
                );
                return Err(ParamError::new("radius", radius, allowed));
            }
        }
        if let Boundary::Walled { margin, strength } = self.boundary {
            parameter_info::MARGIN.check("domain.margin", margin)?;
            parameter_info::STRENGTH.check("domain.strength", strength)?;
        }
        Ok(())
    }

    /// Whether a position lies in the box (periodic: [min, max), otherwise both ends included).
    /// Open: always.
    pub fn contains(&self, position: V) -> bool {
        (0..V::DIMENSIONS).all(|a| {
            let (x, min, max) = (position.axis(a), self.min.axis(a), self.max.axis(a));
            match self.boundary {
                Boundary::Open => true,
                Boundary::Periodic => x >= min && x < max,
                Boundary::Walled { .. } | Boundary::Reflecting | Boundary::Absorbing => {
                    x >= min && x <= max
                }
            }
        })
    }

    /// The nearest image of an offset along `axis`: o − L if o > L/2, o + L if o < −L/2. Exactly
    /// ±L/2 stays.
    #[inline]
    pub fn image(&self, axis: usize, offset: f32) -> f32 {
        if !self.is_periodic() {
            return offset;
        }
        let side = self.side(axis);
        let half = side * 0.5;
        if offset > half {
            offset - side
        } else if offset < -half {
            offset + side
        } else {
            offset
        }
    }

    /// What the domain makes of one coordinate after a move: the new coordinate and velocity
    /// component.
    #[inline]
    pub fn settle(&self, axis: usize, x: f32, v: f32) -> (f32, f32) {
        let (min, max) = (self.min.axis(axis), self.max.axis(axis));
        match self.boundary {
            Boundary::Open | Boundary::Absorbing => (x, v),
            Boundary::Periodic => {
                if x >= min && x < max {
                    return (x, v);
                }
                let side = max - min;
                let wrapped = x - side * floor((x - min) / side);
                // Rounding may leave it outside (far positions, or the sum landing on max itself).
                if wrapped >= min && wrapped < max { (wrapped, v) } else { (min, v) }
            }
            Boundary::Walled { .. } => {
                if x < min {
                    (min, if v < 0.0 { 0.0 } else { v })
                } else if x > max {
                    (max, if v > 0.0 { 0.0 } else { v })
                } else {
                    (x, v)
                }
            }
            Boundary::Reflecting => {
                let (x, v) = if x < min {
                    (2.0 * min - x, -v)
                } else if x > max {
                    (2.0 * max - x, -v)
                } else {
                    (x, v)
                };
                (crate::math::clamp(x, min, max), v)
            }
        }
    }

    /// Whether its walls push at all: a walled box with margin and strength above 0.
    pub fn pushes(&self) -> bool {
        matches!(
            self.boundary,
            Boundary::Walled { margin, strength } if margin > 0.0 && strength > 0.0
        )
    }

    /// Push of the walls on a boid at `position`: per face closer than the margin, strength·(1 −
    /// distance/margin) inwards.
    pub fn wall_force(&self, position: V) -> V {
        let Boundary::Walled { margin, strength } = self.boundary else {
            return V::origin();
        };
        V::from_fn(|a| {
            let x = position.axis(a);
            let (from_min, from_max) = (x - self.min.axis(a), self.max.axis(a) - x);
            let mut push = 0.0;
            if from_min < margin {
                push += strength * (1.0 - from_min / margin);
            }
            if from_max < margin {
                push -= strength * (1.0 - from_max / margin);
            }
            push
        })
    }
}

/// Largest whole number not above `x` (`core` has none; exact, so the same everywhere).
#[inline]
pub(crate) fn floor(x: f32) -> f32 {
    #[cfg(feature = "std")]
    {
        x.floor()
    }
    #[cfg(not(feature = "std"))]
    {
        libm::floorf(x)
    }
}
