//! The one trait every behavior is written against.

use core::fmt::Debug;

use crate::math;

/// A 2-D or 3-D vector of `f32`: glam's [`Vec2`](glam::Vec2), [`Vec3`](glam::Vec3),
/// [`Vec3A`](glam::Vec3A), or a plain `[f32; 2]` / `[f32; 3]` for hosts that use another vector
/// library.
///
/// Implement [`from_fn`](Vector::from_fn) and [`axis`](Vector::axis); everything else is written
/// once here, component by component, so that **every** implementation gives the same bits: sums
/// run `(x + y) + z`, products are never fused, square roots are IEEE. (glam's own `dot` and
/// `normalize` may associate differently, which is why behaviors never call them.) The names
/// differ from glam's on purpose, so that both can be in scope.
///
/// ```
/// use wingbeat_steer::{Vector, glam::Vec3};
/// let a = [3.0, 4.0, 0.0];
/// let b = Vec3::new(3.0, 4.0, 0.0);
/// assert_eq!(a.norm(), 5.0);
/// assert_eq!(b.norm(), 5.0);
/// assert_eq!(Vector::unit([0.0, 0.0]), [0.0, 0.0]); // unit(0) = 0, never NaN
/// ```
pub trait Vector: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// Number of components, 2 or 3.
    const DIMENSIONS: usize;

    /// Builds a vector by asking for each component in turn.
    fn from_fn(component: impl FnMut(usize) -> f32) -> Self;

    /// Component `axis`, counted from 0; it panics from [`DIMENSIONS`](Vector::DIMENSIONS) on.
    fn axis(self, axis: usize) -> f32;

    /// All components equal to `value`.
    #[inline]
    fn uniform(value: f32) -> Self {
        Self::from_fn(|_| value)
    }

    /// The origin.
    #[inline]
    fn origin() -> Self {
        Self::uniform(0.0)
    }

    /// Sum, component by component.
    #[inline]
    fn plus(self, other: Self) -> Self {
        Self::from_fn(|a| self.axis(a) + other.axis(a))
    }

    /// Difference `self − other`, component by component.
    #[inline]
    fn minus(self, other: Self) -> Self {
        Self::from_fn(|a| self.axis(a) - other.axis(a))
    }

    /// Every component times `factor`.
    #[inline]
    fn times(self, factor: f32) -> Self {
        Self::from_fn(|a| self.axis(a) * factor)
    }

    /// Dot product, summed `(x·x + y·y) + z·z`, never fused.
    #[inline]
    fn inner(self, other: Self) -> f32 {
        let mut sum = self.axis(0) * other.axis(0);
        for a in 1..Self::DIMENSIONS {
            sum += self.axis(a) * other.axis(a);
        }
        sum
    }

    /// Squared length, in the order of [`inner`](Vector::inner).
    #[inline]
    fn norm_sq(self) -> f32 {
        self.inner(self)
    }

    /// Length as √(inner product): cheaper than [`norm`](Vector::norm), good between 1e-19 and
    /// 1e19.
    #[inline]
    fn norm_plain(self) -> f32 {
        math::sqrt(self.norm_sq())
    }

    /// Largest absolute component.
    #[inline]
    fn largest(self) -> f32 {
        let mut largest = 0.0;
        for a in 0..Self::DIMENSIONS {
            largest = math::max(largest, self.axis(a).abs());
        }
        largest
    }

    /// Length that neither overflows nor underflows: `m·√Σ(a/m)²` with `m` the largest absolute
    /// component, 0 for 0.
    #[inline]
    fn norm(self) -> f32 {
        let m = self.largest();
        if m == 0.0 {
            return 0.0;
        }
        let scaled = Self::from_fn(|a| self.axis(a) / m);
        m * math::sqrt(scaled.norm_sq())
    }

    /// Direction: `(a/m)·(1/√Σ(a/m)²)`, and zero for zero.
    #[inline]
    fn unit(self) -> Self {
        let m = self.largest();
        if m == 0.0 {
            return Self::origin();
        }
        let scaled = Self::from_fn(|a| self.axis(a) / m);
        scaled.times(1.0 / math::sqrt(scaled.norm_sq()))
    }

    /// The vector, or the same direction at length `limit` if it is longer. Never lengthens.
    ///
    /// ```
    /// use wingbeat_steer::Vector;
    /// assert_eq!([3.0, 4.0].truncate_to(10.0), [3.0, 4.0]);
    /// assert_eq!([3.0, 4.0].truncate_to(2.5), [1.5, 2.0]);
    /// ```
    #[inline]
    fn truncate_to(self, limit: f32) -> Self {
        let norm = self.norm();
        if norm > limit { self.times(limit / norm) } else { self }
    }

    /// Whether every component is finite.
    #[inline]
    fn all_finite(self) -> bool {
        (0..Self::DIMENSIONS).all(|a| self.axis(a).is_finite())
    }
}

/// Arrays of any length are vectors as far as the compiler is concerned, so that generic code needs
/// no `where` clause; a length other than 2 or 3 fails to compile where its first vector operation
/// is used.
impl<const D: usize> Vector for [f32; D] {
    const DIMENSIONS: usize = {
        assert!(D == 2 || D == 3, "a vector has two or three components");
        D
    };

    #[inline]
    fn from_fn(component: impl FnMut(usize) -> f32) -> Self {
        const { assert!(D == 2 || D == 3, "a vector has two or three components") };
        core::array::from_fn(component)
    }

    #[inline]
    fn axis(self, axis: usize) -> f32 {
        self[axis]
    }
}

macro_rules! vector_for_glam {
    ($($name:ident: $d:literal),*) => {$(
        impl Vector for glam::$name {
            const DIMENSIONS: usize = $d;

            #[inline]
            fn from_fn(component: impl FnMut(usize) -> f32) -> Self {
                Self::from_array(core::array::from_fn(component))
            }

            #[inline]
            fn axis(self, axis: usize) -> f32 {
                self.to_array()[axis]
            }
        }
    )*};
}
vector_for_glam!(Vec2: 2, Vec3: 3, Vec3A: 3);
