//! The sum of a rule over neighbors.

use super::Simd;

/// Something that can be summed lane by lane under a mask.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be summed lane by lane",
    label = "this is no sum of lanes",
    note = "a number in each lane is `S::F`, a vector `Vectors<S, D>`; or tuples of these"
)]
pub trait Sum<S: Simd>: Copy {
    /// Zero in every lane.
    fn zero(s: S) -> Self;
    /// Adds `term` in the lanes of `mask`.
    #[must_use]
    fn add_where(self, mask: S::M, term: Self) -> Self;
}

impl<S: Simd, T: Sum<S>, const N: usize> Sum<S> for [T; N] {
    #[inline(always)]
    fn zero(s: S) -> Self {
        [T::zero(s); N]
    }
    #[inline(always)]
    fn add_where(self, mask: S::M, term: Self) -> Self {
        let mut sum = self;
        for i in 0..N {
            sum[i] = self[i].add_where(mask, term[i]);
        }
        sum
    }
}

impl<S: Simd, A: Sum<S>, B: Sum<S>> Sum<S> for (A, B) {
    #[inline(always)]
    fn zero(s: S) -> Self {
        (A::zero(s), B::zero(s))
    }
    #[inline(always)]
    fn add_where(self, mask: S::M, term: Self) -> Self {
        (self.0.add_where(mask, term.0), self.1.add_where(mask, term.1))
    }
}

impl<S: Simd, A: Sum<S>, B: Sum<S>, C: Sum<S>> Sum<S> for (A, B, C) {
    #[inline(always)]
    fn zero(s: S) -> Self {
        (A::zero(s), B::zero(s), C::zero(s))
    }
    #[inline(always)]
    fn add_where(self, mask: S::M, term: Self) -> Self {
        (
            self.0.add_where(mask, term.0),
            self.1.add_where(mask, term.1),
            self.2.add_where(mask, term.2),
        )
    }
}
