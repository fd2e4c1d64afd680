//! The level every target has, on `wide`: SSE2, NEON, simd128 or plain scalars, chosen when the crate is compiled.
//!
//! Four lanes: measured faster than eight in two registers, which spill the kernel's sums (docs/decisions).
#![forbid(unsafe_code)]

use std::ops::{BitAnd, BitOr, Neg, Not};

use wide::f32x4;

use super::{Float, Mask, Sealed, Simd, lane_operators};

/// Token of the portable level; needs no proof.
#[derive(Clone, Copy, Debug)]
pub struct Portable(());

/// Four lanes of `f32`.
#[derive(Clone, Copy, Debug)]
pub struct F4(f32x4);

/// Four lanes of all ones or all zeros.
#[derive(Clone, Copy, Debug)]
pub struct M4(f32x4);

impl Portable {
    pub(super) fn new() -> Self {
        Self(())
    }
}

impl Sealed for Portable {}

/// Masks by bits, so that a mask is one load.
const MASKS: [[f32; 4]; 16] = {
    let mut table = [[0.0; 4]; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut lane = 0;
        while lane < 4 {
            if bits >> lane & 1 == 1 {
                table[bits][lane] = f32::from_bits(u32::MAX);
            }
            lane += 1;
        }
        bits += 1;
    }
    table
};

impl Simd for Portable {
    const LANES: usize = 4;
    type F = F4;
    type M = M4;

    #[inline(always)]
    fn splat(self, value: f32) -> F4 {
        F4(f32x4::splat(value))
    }

    #[inline(always)]
    fn load(self, column: &[f32], at: usize) -> F4 {
        let lanes: [f32; 4] = column[at..at + 4].try_into().expect("four lanes");
        F4(f32x4::new(lanes))
    }

    #[inline(always)]
    fn first(self, count: usize) -> M4 {
        self.mask(if count >= 4 { 15 } else { (1 << count) - 1 })
    }

    #[inline(always)]
    fn mask(self, bits: u32) -> M4 {
        M4(f32x4::new(MASKS[(bits & 15) as usize]))
    }

    #[inline(always)]
    fn push_slots(self, list: &mut [u32], len: usize, slot: u32, keep: M4) -> usize {
        let bits = keep.bits();
        let out: &mut [u32; 4] = (&mut list[len..len + 4]).try_into().expect("four entries");
        // Each entry is written where the next kept one belongs and overwritten if it is not kept.
        let n1 = (bits & 1) as usize;
        let n2 = n1 + (bits >> 1 & 1) as usize;
        let n3 = n2 + (bits >> 2 & 1) as usize;
        out[0] = slot;
        out[n1] = slot + 1;
        out[n2 & 3] = slot + 2;
        out[n3 & 3] = slot + 3;
        len + n3 + (bits >> 3 & 1) as usize
    }
}

lane_operators! { Portable, F4;
    Add add a b => a + b;
    Sub sub a b => a - b;
    Mul mul a b => a * b;
    Div div a b => a / b;
}

impl Neg for F4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Float for F4 {
    type M = M4;

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs())
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.fast_max(other.0))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.0.fast_min(other.0))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> M4 {
        M4(self.0.simd_lt(other.0))
    }
    #[inline(always)]
    fn le(self, other: Self) -> M4 {
        M4(self.0.simd_le(other.0))
    }
    #[inline(always)]
    fn add_where(self, mask: M4, term: Self) -> Self {
        Self(self.0 + (mask.0 & term.0))
    }
    #[inline(always)]
    fn reduce_min(self) -> f32 {
        let [a, b, c, d] = self.0.to_array();
        let (low, high) = (if a < b { a } else { b }, if c < d { c } else { d });
        if low < high { low } else { high }
    }
    #[inline(always)]
    fn reduce_max(self) -> f32 {
        -(-self).reduce_min()
    }
    #[inline(always)]
    fn store(self, column: &mut [f32]) {
        column[..4].copy_from_slice(&self.0.to_array());
    }
}

impl BitAnd for M4 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for M4 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for M4 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Mask for M4 {
    type F = F4;

    #[inline(always)]
    fn select(self, yes: F4, no: F4) -> F4 {
        F4((self.0 & yes.0) | (!self.0 & no.0))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.to_bitmask()
    }
}
