//! Vector algebra in lanes: the definitions of `wingbeat_steer::Vector`, four, eight or sixteen
//! boids at once.
//!
//! Each function rounds exactly like its scalar twin, so that the kernel equals the textbook. Loops
//! are written out: `array::map` and `array::from_fn` are calls, and instructions do not follow a
//! call (measured: ten times slower).

use std::ops::{Add, Index, IndexMut, Mul, Sub};

use wingbeat_steer::{BEHIND, LargestTurn};

use super::{Float, Mask, Simd, Sum};

/// One 2-D or 3-D vector per lane, with the operators of a vector: `a + b`, `a - b`, `a * k`,
/// `a[axis]`.
#[derive(Clone, Copy, Debug)]
pub struct Vectors<S: Simd, const D: usize>(pub [S::F; D]);

impl<S: Simd, const D: usize> Vectors<S, D> {
    /// Zero in every lane.
    #[inline(always)]
    pub fn zero(s: S) -> Self {
        Self([s.splat(0.0); D])
    }

    /// The same vector in every lane.
    #[inline(always)]
    pub fn splat(s: S, vector: [f32; D]) -> Self {
        let mut lanes = Self::zero(s);
        for a in 0..D {
            lanes[a] = s.splat(vector[a]);
        }
        lanes
    }

    /// Lanes from row `at` on of one column per axis.
    ///
    /// # Panics
    /// If a column ends before the last lane.
    #[inline(always)]
    pub fn load(s: S, columns: &[impl AsRef<[f32]>; D], at: usize) -> Self {
        let mut lanes = Self::zero(s);
        for a in 0..D {
            lanes[a] = s.load(columns[a].as_ref(), at);
        }
        lanes
    }

    /// (x·x + y·y) + z·z.
    #[inline(always)]
    #[must_use]
    pub fn dot(self, other: Self) -> S::F {
        let mut sum = self[0] * other[0];
        for a in 1..D {
            sum = sum + self[a] * other[a];
        }
        sum
    }

    /// Largest absolute component.
    #[inline(always)]
    #[must_use]
    pub fn largest(self) -> S::F {
        let mut largest = self[0].abs();
        for a in 1..D {
            largest = largest.max(self[a].abs());
        }
        largest
    }

    /// Components over a common divisor.
    #[inline(always)]
    fn over(self, divisor: S::F) -> Self {
        let mut quotient = self;
        for a in 0..D {
            quotient[a] = self[a] / divisor;
        }
        quotient
    }

    /// Length m·√Σ(a/m)² with m the largest absolute component, 0 for 0: no overflow, no underflow.
    #[inline(always)]
    #[must_use]
    pub fn norm(self, s: S) -> S::F {
        let m = self.largest();
        let scaled = self.over(m);
        let norm = m * scaled.dot(scaled).sqrt();
        m.gt(s.splat(0.0)).select(norm, s.splat(0.0))
    }

    /// Direction (a/m)·(1/√Σ(a/m)²), 0 for 0: never NaN.
    #[inline(always)]
    #[must_use]
    pub fn unit(self, s: S) -> Self {
        let m = self.largest();
        let scaled = self.over(m);
        let unit = scaled * (s.splat(1.0) / scaled.dot(scaled).sqrt());
        unit.or_zero(s, m.gt(s.splat(0.0)))
    }

    /// Where [`norm`](Self::norm) cannot exceed `limit`, found without a root or a division: √3 of
    /// the largest component, and more than any rounding adds.
    #[inline(always)]
    pub(crate) fn surely_within(self, s: S, limit: S::F) -> S::M {
        (self.largest() * s.splat(1.75)).le(limit)
    }

    /// The vector, or its direction at length `limit` where it is longer.
    #[inline(always)]
    #[must_use]
    pub fn truncate(self, s: S, limit: S::F) -> Self {
        if !(!self.surely_within(s, limit)).any() {
            return self;
        }
        let norm = self.norm(s);
        Self::select(norm.gt(limit), self * (limit / norm), self)
    }

    /// Length and direction, as behaviors find them: plain where no square can over- or underflow,
    /// scaled elsewhere.
    #[inline(always)]
    pub(crate) fn length_and_direction(self, s: S) -> (S::F, Self) {
        let length_sq = self.dot(self);
        let moderate = length_sq.ge(s.splat(1e-30)) & length_sq.le(s.splat(1e30));
        let length = length_sq.sqrt();
        let direction = self * (s.splat(1.0) / length);
        if !(!moderate).any() {
            return (length, direction);
        }
        (moderate.select(length, self.norm(s)), Self::select(moderate, direction, self.unit(s)))
    }

    /// `yes` or `no`, lane by lane.
    #[inline(always)]
    #[must_use]
    pub fn select(mask: S::M, yes: Self, no: Self) -> Self {
        let mut chosen = no;
        for a in 0..D {
            chosen[a] = mask.select(yes[a], no[a]);
        }
        chosen
    }

    /// The vector in the lanes of `mask`, zero elsewhere, whatever it is there.
    #[inline(always)]
    #[must_use]
    pub fn or_zero(self, s: S, mask: S::M) -> Self {
        Self::select(mask, self, Self::zero(s))
    }

    /// Heading v·(1/‖v‖) of these velocities, and lanes at rest (heading zero).
    #[inline(always)]
    pub(crate) fn heading(self, s: S) -> (Self, S::M) {
        let speed = self.dot(self).sqrt();
        let at_rest = speed.lt(s.splat(wingbeat_steer::REST_SPEED));
        let heading = self * (s.splat(1.0) / speed);
        (Self::select(at_rest, Self::zero(s), heading), at_rest)
    }
}

/// The geometry of turning, as in `wingbeat_steer`.
impl<S: Simd, const D: usize> Vectors<S, D> {
    /// Vectors at right angles: the left in the plane; in space the cross product with the axis of
    /// the smallest component.
    #[inline(always)]
    #[must_use]
    pub(crate) fn perpendicular(self, s: S) -> Self {
        let mut crossed = Self::zero(s);
        let (x, y) = (self[0], self[1]);
        if D == 2 {
            (crossed[0], crossed[1]) = (-y, x);
            return crossed;
        }
        let z = self[2];
        let (size_x, size_y, size_z) = (x.abs(), y.abs(), z.abs());
        let along_x = size_x.le(size_y) & size_x.le(size_z);
        let along_y = size_y.le(size_z);
        let zero = s.splat(0.0);
        crossed[0] = along_x.select(zero, along_y.select(-z, y));
        crossed[1] = along_x.select(z, along_y.select(zero, -x));
        crossed[2] = along_x.select(-y, along_y.select(x, zero));
        crossed
    }

    /// Directions across these unit vectors, first cross direction and second by the cosine and
    /// sine of a roll: `wingbeat_steer`'s frame of Duff et al. 2017.
    #[inline(always)]
    #[must_use]
    pub(crate) fn tangent(self, s: S, cos_roll: S::F, sin_roll: S::F) -> Self {
        let mut across = Self::zero(s);
        let (x, y) = (self[0], self[1]);
        if D == 2 {
            (across[0], across[1]) = (cos_roll * -y, cos_roll * x);
            return across;
        }
        let (z, one) = (self[2], s.splat(1.0));
        let sign = z.lt(s.splat(0.0)).select(s.splat(-1.0), one);
        let a = s.splat(-1.0) / (sign + z);
        let b = x * y * a;
        let first = [b, sign + y * y * a, -y];
        let second = [-(one + sign * x * x * a), -sign * b, sign * x];
        for i in 0..D {
            across[i] = cos_roll * first[i] + sin_roll * second[i];
        }
        across
    }

    /// Cross product in space.
    #[inline(always)]
    #[must_use]
    pub(crate) fn cross(self, other: Self) -> Self {
        let mut product = self;
        for a in 0..D {
            let (i, j) = ((a + 1) % D, (a + 2) % D);
            product[a] = self[i] * other[j] - self[j] * other[i];
        }
        product
    }

    /// The target, or the heading turned towards it by the largest turn: `wingbeat_steer::veer`.
    #[inline(always)]
    #[must_use]
    pub(crate) fn veer(self, s: S, target: Self, most: &LargestTurn) -> Self {
        let along = target.dot(self);
        let across = target - self * along;
        let size = across.dot(across).sqrt();
        let ahead = along.gt(s.splat(0.0));
        let within = if most.wide {
            ahead | size.ge(s.splat(most.sin))
        } else {
            ahead & size.le(s.splat(most.sin))
        };
        let within = within | !self.largest().gt(s.splat(0.0));
        let behind = !ahead & size.lt(s.splat(BEHIND));
        let side = Self::select(behind, self.perpendicular(s), across).unit(s);
        let turned = (self * s.splat(most.cos) + side * s.splat(most.sin)).unit(s);
        Self::select(within, target.unit(s), turned)
    }
}

impl<S: Simd, const D: usize> Index<usize> for Vectors<S, D> {
    type Output = S::F;
    #[inline(always)]
    fn index(&self, axis: usize) -> &S::F {
        &self.0[axis]
    }
}

impl<S: Simd, const D: usize> IndexMut<usize> for Vectors<S, D> {
    #[inline(always)]
    fn index_mut(&mut self, axis: usize) -> &mut S::F {
        &mut self.0[axis]
    }
}

impl<S: Simd, const D: usize> Add for Vectors<S, D> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let mut sum = self;
        for a in 0..D {
            sum[a] = self[a] + other[a];
        }
        sum
    }
}

impl<S: Simd, const D: usize> Sub for Vectors<S, D> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let mut difference = self;
        for a in 0..D {
            difference[a] = self[a] - other[a];
        }
        difference
    }
}

impl<S: Simd, const D: usize> Mul<S::F> for Vectors<S, D> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: S::F) -> Self {
        let mut product = self;
        for a in 0..D {
            product[a] = self[a] * factor;
        }
        product
    }
}

impl<S: Simd, const D: usize> Sum<S> for Vectors<S, D> {
    #[inline(always)]
    fn zero(s: S) -> Self {
        Self::zero(s)
    }
    #[inline(always)]
    fn add_where(self, mask: S::M, term: Self) -> Self {
        let mut sum = self;
        for a in 0..D {
            sum[a] = Float::add_where(self[a], mask, term[a]);
        }
        sum
    }
}
