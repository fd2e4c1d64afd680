//! AVX-512, sixteen lanes. One of the two files with unsafe code: each block is one intrinsic.

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, Neg, Not};

use super::{Float, Mask, Outlined, Sealed, Simd, Work, lane_operators, whole_operations};

/// Proof of AVX-512 F, VL, BW and DQ: only [`Avx512::detect`] fills the private field.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

/// Sixteen lanes of `f32`. Made by the token, so a value proves AVX-512 as well.
#[derive(Clone, Copy, Debug)]
pub struct F16(__m512);

/// Sixteen lanes of `u32`. Made by the token or from an [`F16`], so a value proves AVX-512 as well.
#[derive(Clone, Copy, Debug)]
pub struct U16(__m512i);

/// Sixteen bits.
#[derive(Clone, Copy, Debug)]
pub struct M16(u16);

/// One intrinsic, allowed because the token (or a value made with it) is in hand.
macro_rules! proven {
    ($intrinsic:expr) => {{
        // SAFETY: an `Avx512` token exists (here, or behind the `F16`/`U16` at hand), so the CPU
        // has AVX-512 F, VL, BW and DQ; arguments are values or references valid for the whole
        // vector.
        unsafe { $intrinsic }
    }};
}

impl Avx512 {
    /// The token, if this CPU has AVX-512 F, VL, BW and DQ.
    #[inline]
    pub fn detect() -> Option<Self> {
        super::Level::Avx512.is_available().then_some(Self(()))
    }

    /// Runs `work` compiled for AVX-512.
    #[inline]
    pub(super) fn vectorize<W: Work>(self, work: W) {
        #[target_feature(enable = "avx2,avx512f,avx512vl,avx512bw,avx512dq,bmi1,bmi2,lzcnt,popcnt")]
        fn featured<W: Work>(token: Avx512, work: W) {
            work.run(token);
        }
        proven!(featured(self, work))
    }
}

impl Avx512 {
    /// Four rows of a table side by side: of a lane, and of those four, eight and twelve further.
    #[inline(always)]
    fn quarters(self, table: &[[f32; 4]], of: &[u32; 16], lane: usize) -> __m512 {
        let [a, b, c, d] = [of[lane], of[lane + 4], of[lane + 8], of[lane + 12]];
        let (a, b, c, d) =
            (&table[a as usize], &table[b as usize], &table[c as usize], &table[d as usize]);
        let (a, b) = (proven!(_mm_loadu_ps(a.as_ptr())), proven!(_mm_loadu_ps(b.as_ptr())));
        let (c, d) = (proven!(_mm_loadu_ps(c.as_ptr())), proven!(_mm_loadu_ps(d.as_ptr())));
        let rows = proven!(_mm512_castps128_ps512(a));
        let rows = proven!(_mm512_insertf32x4::<1>(rows, b));
        let rows = proven!(_mm512_insertf32x4::<2>(rows, c));
        proven!(_mm512_insertf32x4::<3>(rows, d))
    }
}

impl Sealed for Avx512 {
    #[inline(always)]
    fn outline<P: Outlined<Self>>(self, piece: P) {
        #[target_feature(enable = "avx2,avx512f,avx512vl,avx512bw,avx512dq,bmi1,bmi2,lzcnt,popcnt")]
        #[inline(never)]
        fn featured<P: Outlined<Avx512>>(token: Avx512, piece: P) {
            piece.run(token);
        }
        proven!(featured(self, piece))
    }
}

impl Simd for Avx512 {
    const LANES: usize = 16;
    const ADDS_UNDER_MASKS: bool = true;
    type F = F16;
    type U = U16;
    type M = M16;

    #[inline(always)]
    fn splat(self, value: f32) -> F16 {
        F16(proven!(_mm512_set1_ps(value)))
    }

    #[inline(always)]
    fn load(self, column: &[f32], at: usize) -> F16 {
        let lanes = &column[at..at + 16];
        F16(proven!(_mm512_loadu_ps(lanes.as_ptr())))
    }

    #[inline(always)]
    fn splat_whole(self, value: u32) -> U16 {
        U16(proven!(_mm512_set1_epi32(value as i32)))
    }

    #[inline(always)]
    fn load_whole(self, numbers: &[u32]) -> U16 {
        let lanes = &numbers[..16];
        U16(proven!(_mm512_loadu_si512(lanes.as_ptr().cast())))
    }

    #[inline(always)]
    fn rows(self, table: &[[f32; 4]], of: &[u32]) -> [F16; 4] {
        let of: &[u32; 16] = of[..16].try_into().expect("sixteen lanes");
        let (a, b) = (self.quarters(table, of, 0), self.quarters(table, of, 1));
        let (c, d) = (self.quarters(table, of, 2), self.quarters(table, of, 3));
        // Rows to columns, within each quarter.
        let (ab, cd) = (proven!(_mm512_unpacklo_ps(a, b)), proven!(_mm512_unpacklo_ps(c, d)));
        let (ab_high, cd_high) =
            (proven!(_mm512_unpackhi_ps(a, b)), proven!(_mm512_unpackhi_ps(c, d)));
        [
            F16(proven!(_mm512_shuffle_ps::<0b01_00_01_00>(ab, cd))),
            F16(proven!(_mm512_shuffle_ps::<0b11_10_11_10>(ab, cd))),
            F16(proven!(_mm512_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high))),
            F16(proven!(_mm512_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high))),
        ]
    }

    #[inline(always)]
    fn first(self, count: usize) -> M16 {
        M16(if count >= 16 { u16::MAX } else { (1 << count) - 1 })
    }

    #[inline(always)]
    fn mask(self, bits: u32) -> M16 {
        M16(bits as u16)
    }

    #[inline(always)]
    fn count_where(self, count: F16, mask: M16) -> F16 {
        count.add_where(mask, self.splat(1.0))
    }
    #[inline(always)]
    fn counted(self, count: F16) -> F16 {
        count
    }

    #[inline(always)]
    fn push_slots(self, list: &mut [u32], len: usize, slot: u32, keep: M16) -> usize {
        let out = &mut list[len..len + 16];
        let lanes = proven!(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
        let slot = proven!(_mm512_set1_epi32(slot as i32));
        let slots = proven!(_mm512_add_epi32(lanes, slot));
        // Compressed in the register and stored whole: compressing into memory is slow on some
        // CPUs.
        let kept = proven!(_mm512_maskz_compress_epi32(keep.0, slots));
        proven!(_mm512_storeu_si512(out.as_mut_ptr().cast(), kept));
        len + keep.0.count_ones() as usize
    }
}

lane_operators! { Avx512, F16;
    Add add a b => proven!(_mm512_add_ps(a, b));
    Sub sub a b => proven!(_mm512_sub_ps(a, b));
    Mul mul a b => proven!(_mm512_mul_ps(a, b));
    Div div a b => proven!(_mm512_div_ps(a, b));
}

impl Neg for F16 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let sign = proven!(_mm512_set1_ps(-0.0));
        Self(proven!(_mm512_xor_ps(self.0, sign)))
    }
}

whole_operations! { U16, F16;
    pairs {
        plus a b => proven!(_mm512_add_epi32(a, b));
        times a b => proven!(_mm512_mullo_epi32(a, b));
        xor a b => proven!(_mm512_xor_epi32(a, b));
        and a b => proven!(_mm512_and_epi32(a, b));
        or a b => proven!(_mm512_or_epi32(a, b));
    }
    shifts {
        shift_left a bits => {
            let by = proven!(_mm512_set1_epi32(bits as i32));
            proven!(_mm512_sllv_epi32(a, by))
        };
        shift_right a bits => {
            let by = proven!(_mm512_set1_epi32(bits as i32));
            proven!(_mm512_srlv_epi32(a, by))
        };
    }
    floats a => proven!(_mm512_cvtepi32_ps(a)), proven!(_mm512_castsi512_ps(a))
}

impl Float for F16 {
    type M = M16;
    type U = U16;

    #[inline(always)]
    fn as_whole(self) -> U16 {
        U16(proven!(_mm512_castps_si512(self.0)))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(proven!(_mm512_sqrt_ps(self.0)))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(proven!(_mm512_abs_ps(self.0)))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(proven!(_mm512_max_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(proven!(_mm512_min_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> M16 {
        M16(proven!(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn le(self, other: Self) -> M16 {
        M16(proven!(_mm512_cmp_ps_mask::<_CMP_LE_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn equals(self, other: Self) -> M16 {
        M16(proven!(_mm512_cmp_ps_mask::<_CMP_EQ_OQ>(self.0, other.0)))
    }
    // One instruction; the compiler makes two of the comparison and the conjunction.
    #[inline(always)]
    fn le_within(self, other: Self, mask: M16) -> M16 {
        M16(proven!(_mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(mask.0, self.0, other.0)))
    }
    #[inline(always)]
    fn add_where(self, mask: M16, term: Self) -> Self {
        Self(proven!(_mm512_mask_add_ps(self.0, mask.0, self.0, term.0)))
    }
    #[inline(always)]
    fn or_zero(self, mask: M16) -> Self {
        Self(proven!(_mm512_maskz_mov_ps(mask.0, self.0)))
    }
    #[inline(always)]
    fn reduce_min(self) -> f32 {
        proven!(_mm512_reduce_min_ps(self.0))
    }
    #[inline(always)]
    fn reduce_max(self) -> f32 {
        proven!(_mm512_reduce_max_ps(self.0))
    }
    #[inline(always)]
    fn store(self, column: &mut [f32]) {
        let out = &mut column[..16];
        proven!(_mm512_storeu_ps(out.as_mut_ptr(), self.0));
    }
    #[inline(always)]
    fn store_floor(self, column: &mut [i32]) {
        let out = &mut column[..16];
        let floor =
            proven!(_mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(self.0));
        let whole = proven!(_mm512_cvttps_epi32(floor));
        proven!(_mm512_storeu_si512(out.as_mut_ptr().cast(), whole));
    }
}

impl BitAnd for M16 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for M16 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for M16 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Mask for M16 {
    type F = F16;

    #[inline(always)]
    fn select(self, yes: F16, no: F16) -> F16 {
        F16(proven!(_mm512_mask_blend_ps(self.0, no.0, yes.0)))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self.0)
    }
}
