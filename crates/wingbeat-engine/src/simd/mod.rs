//! SIMD behind one small trait, chosen at run time.
//!
//! # How it fits together
//! * [`Simd`] is a **token**: a zero-sized value whose existence proves that the CPU has the
//!   instructions. Only `detect()` makes one. Only a token can make lane values ([`Simd::F`]) and
//!   masks ([`Simd::M`]), so code that holds one has the instructions, and everything done with
//!   them (`a * b + c`, `a.le(b)`, `mask.select(a, b)`) is safe code.
//! * One file per level. `portable` is `wide` (SSE2, NEON, simd128, plain scalars) and has no
//!   unsafe; `avx2` and `avx512` are `core::arch` and hold **all the unsafe there is in this
//!   crate**: one intrinsic a block.
//! * `dispatch` runs a `Work` at a level. Inside, every function down to the last operation must be
//!   `#[inline(always)]`, since only the outermost carries `#[target_feature]`. One that is not
//!   still gives the same bits, up to thirty times slower.
//!
//! Operations round as IEEE says: no fused multiply-add, no estimates, no horizontal float sums.
//! That is why every level gives the same bits, whatever its number of lanes.

// How to add a SIMD level. A file here with a token, a value and a mask type that implement `Simd`,
// `Float`, `Mask`; a variant of `Level` with its detection; an arm in `dispatch`. LANES at most
// `MAX_LANES` (16). All tests run over `Level::available()` and need no change.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
mod level;
mod part;
mod portable;
pub(crate) mod series;
mod sum;
mod vectors;

pub use level::Level;
pub(crate) use part::{load_part, store_cells, store_part};
pub(crate) use portable::Portable;
pub use sum::Sum;
pub use vectors::Vectors;

/// Where counting by adding 1.0 ends: 2²⁴.
pub(crate) const COUNTED: f32 = 16_777_216.0;

/// Widest lane count of any level.
pub(crate) const MAX_LANES: usize = 16;

mod sealed {
    /// Keeps `Simd` to the levels of this crate: a token made elsewhere would prove nothing.
    pub trait Sealed: Sized {
        /// Runs part of a work, compiled for this level as a function of its own, which has all
        /// registers to itself.
        ///
        /// Inlined into a large function, a hot loop keeps its sums in memory: values that live
        /// around it win the registers.
        fn outline<P: Outlined<Self>>(self, piece: P);
    }

    /// Part of a work, worth a call. `run` and all it calls must be `#[inline(always)]`.
    pub trait Outlined<S> {
        /// Does it.
        fn run(self, s: S);
    }
}
pub(crate) use sealed::{Outlined, Sealed};

/// Proof that the CPU has a level's instructions, and maker of its lane values.
///
/// Sealed: rules are generic over it, only Wingbeat implements it.
pub trait Simd: Copy + Send + Sync + Sealed + 'static {
    /// Boids worked on at once.
    const LANES: usize;
    /// Whether a mask costs an addition nothing.
    const ADDS_UNDER_MASKS: bool = false;
    /// One `f32` per lane.
    type F: Float<M = Self::M, U = Self::U> + Sum<Self>;
    /// One 32-bit whole number per lane.
    type U: Whole<F = Self::F>;
    /// One yes or no per lane.
    type M: Mask<F = Self::F>;

    /// The same value in every lane.
    fn splat(self, value: f32) -> Self::F;

    /// Counts one more in the lanes of `mask`; a count begins as 0.0, and is for
    /// [`counted`](Self::counted) alone to read.
    fn count_where(self, count: Self::F, mask: Self::M) -> Self::F;

    /// The number counted, at most 2²⁴.
    fn counted(self, count: Self::F) -> Self::F;

    /// Lanes from `column[at..at + LANES]`.
    ///
    /// # Panics
    /// If the column ends before.
    fn load(self, column: &[f32], at: usize) -> Self::F;

    /// The same whole number in every lane.
    fn splat_whole(self, value: u32) -> Self::U;

    /// Lanes from the front of `numbers`.
    ///
    /// # Panics
    /// If they are fewer than the lanes.
    fn load_whole(self, numbers: &[u32]) -> Self::U;

    /// One row of a table for each lane: its four numbers, each for all lanes.
    ///
    /// # Panics
    /// If there are fewer numbers in `of` than lanes, or one of them is not the number of a row.
    fn rows(self, table: &[[f32; 4]], of: &[u32]) -> [Self::F; 4];

    /// Yes in the lowest `count` lanes.
    fn first(self, count: usize) -> Self::M;

    /// Lane by lane from bits, lowest first.
    fn mask(self, bits: u32) -> Self::M;

    /// Writes `slot + lane` of every lane in `keep` to `list` from index `len` on, in ascending
    /// order and without a branch; returns the new length. Up to LANES entries from `len` on may be
    /// overwritten with anything.
    ///
    /// # Panics
    /// If fewer than LANES entries follow `len`.
    fn push_slots(self, list: &mut [u32], len: usize, slot: u32, keep: Self::M) -> usize;
}

/// One `f32` per lane. Arithmetic is IEEE single precision, each operation rounded once.
pub trait Float:
    Copy
    + std::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The matching mask.
    type M: Mask<F = Self>;
    /// The matching whole numbers.
    type U: Whole<F = Self>;

    /// The bits, as they are.
    fn as_whole(self) -> Self::U;

    /// Correctly rounded square root.
    fn sqrt(self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// The larger; which of two equal zeros is not specified.
    fn max(self, other: Self) -> Self;
    /// The smaller; which of two equal zeros is not specified.
    fn min(self, other: Self) -> Self;
    /// `self < other`, no for NaN.
    fn lt(self, other: Self) -> Self::M;
    /// `self ≤ other`, no for NaN.
    fn le(self, other: Self) -> Self::M;
    /// `self = other`, no for NaN.
    fn equals(self, other: Self) -> Self::M;
    /// `mask`, and `self ≤ other` in its lanes.
    #[inline(always)]
    fn le_within(self, other: Self, mask: Self::M) -> Self::M {
        mask & self.le(other)
    }
    /// `self + term` where `mask` says yes, `self` elsewhere (adds +0.0 there: the same for any sum
    /// begun at +0.0).
    fn add_where(self, mask: Self::M, term: Self) -> Self;
    /// `self` where `mask` says yes, +0.0 elsewhere.
    fn or_zero(self, mask: Self::M) -> Self;
    /// Smallest lane.
    fn reduce_min(self) -> f32;
    /// Largest lane.
    fn reduce_max(self) -> f32;
    /// Writes the lanes to the front of `column`.
    ///
    /// # Panics
    /// If it is shorter than the lanes.
    fn store(self, column: &mut [f32]);
    /// Writes the lanes, rounded down, to the front of `column`; every lane must be within ±2³⁰.
    ///
    /// # Panics
    /// If it is shorter than the lanes.
    fn store_floor(self, column: &mut [i32]);

    /// `self ≥ other`, no for NaN.
    #[inline(always)]
    fn ge(self, other: Self) -> Self::M {
        other.le(self)
    }
    /// `self > other`, no for NaN.
    #[inline(always)]
    fn gt(self, other: Self) -> Self::M {
        other.lt(self)
    }
}

/// One 32-bit whole number per lane, as hashes and exponents want it. Arithmetic wraps around.
pub trait Whole: Copy + std::fmt::Debug {
    /// The matching values.
    type F: Float<U = Self>;

    /// `self + other`.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// The lower 32 bits of `self · other`.
    #[must_use]
    fn times(self, other: Self) -> Self;
    /// Exclusive or.
    #[must_use]
    fn xor(self, other: Self) -> Self;
    /// Bits that both have.
    #[must_use]
    fn and(self, other: Self) -> Self;
    /// Bits that either has.
    #[must_use]
    fn or(self, other: Self) -> Self;
    /// Up by so many bits, below 32.
    #[must_use]
    fn shift_left(self, bits: u32) -> Self;
    /// Down by so many bits, below 32, zeros following.
    #[must_use]
    fn shift_right(self, bits: u32) -> Self;
    /// The number; below 2²⁴, so that it is exact.
    fn to_float(self) -> Self::F;
    /// The bits, as they are.
    fn as_float(self) -> Self::F;
}

/// One yes or no per lane.
pub trait Mask:
    Copy + std::fmt::Debug + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// The matching values.
    type F: Float<M = Self>;

    /// `yes` where the mask says yes, `no` elsewhere. Chosen bit by bit, never by arithmetic, so
    /// NaN in the other is harmless.
    fn select(self, yes: Self::F, no: Self::F) -> Self::F;
    /// One bit per lane, lowest first; bits beyond the lanes are 0.
    fn bits(self) -> u32;
    /// Whether any lane says yes.
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }
}

/// Something to do at a level. `run` and all it calls must be `#[inline(always)]`.
#[doc(hidden)]
pub trait Work {
    /// Whether it is hot often enough to be compiled for AVX-512 too; AVX2 runs it there otherwise.
    const WIDE: bool = true;

    /// Does it.
    fn run<S: Simd>(self, s: S);
}

/// Whether AVX-512 runs a work of this [`Work::WIDE`], and not AVX2 in its place.
pub(crate) const fn runs_wide(wide: bool) -> bool {
    wide || !Level::Avx2.is_compiled()
}

/// Runs `work` at `level`, or portably, should the CPU or the program lack it.
///
/// Called inside each batch: features do not follow a closure onto another thread.
#[doc(hidden)]
pub fn dispatch<W: Work>(level: Level, work: W) {
    #[cfg(target_arch = "x86_64")]
    match level {
        Level::Portable => {}
        Level::Avx512 if runs_wide(W::WIDE) => {
            if Level::Avx512.is_compiled()
                && let Some(token) = avx512::Avx512::detect()
            {
                return token.vectorize(work);
            }
        }
        Level::Avx2 | Level::Avx512 => {
            if Level::Avx2.is_compiled()
                && let Some(token) = avx2::Avx2::detect()
            {
                return token.vectorize(work);
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    // In one place, so that the portable form of every kernel is compiled once and not once for
    // each arm above.
    work.run(Portable::new());
}

/// Runs `work` under default rounding and without flush-to-zero, whatever the host's thread is set
/// to; its setting is put back afterwards. Every thread needs it for itself:
/// [`Workers`](crate::parallel::Workers) calls it for each batch.
///
/// On other targets than x86-64 the host must leave the floating-point mode alone.
pub(crate) fn with_default_rounding<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    return avx2::with_default_rounding(work);
    #[cfg(not(target_arch = "x86_64"))]
    work()
}

/// The operations of a type of whole numbers, each one expression on the inner values, and how its
/// lanes become floats.
macro_rules! whole_operations {
    ($u:ident, $f:ident; pairs { $($name:ident $a:ident $b:ident => $value:expr;)* }
     shifts { $($shift:ident $c:ident $bits:ident => $shifted:expr;)* }
     floats $d:ident => $float:expr, $cast:expr) => {
        impl super::Whole for $u {
            type F = $f;
            $(#[inline(always)]
            fn $name(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($value)
            })*
            $(#[inline(always)]
            fn $shift(self, $bits: u32) -> Self {
                let $c = self.0;
                Self($shifted)
            })*
            #[inline(always)]
            fn to_float(self) -> $f {
                let $d = self.0;
                $f($float)
            }
            #[inline(always)]
            fn as_float(self) -> $f {
                let $d = self.0;
                $f($cast)
            }
        }
    };
}
use whole_operations;

/// The operators of a lane type, each one expression on the inner values, and the type as a sum.
macro_rules! lane_operators {
    ($s:ident, $f:ident; $($trait:ident $name:ident $a:ident $b:ident => $value:expr;)*) => {$(
        impl std::ops::$trait for $f {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($value)
            }
        }
    )*
        impl super::Sum<$s> for $f {
            #[inline(always)]
            fn zero(s: $s) -> Self {
                s.splat(0.0)
            }
            #[inline(always)]
            fn add_where(self, mask: <$s as Simd>::M, term: Self) -> Self {
                Float::add_where(self, mask, term)
            }
        }
    };
}
use lane_operators;
