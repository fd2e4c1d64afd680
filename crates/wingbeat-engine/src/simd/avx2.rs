//! AVX2, eight lanes. One of the two files with unsafe code: each block is one intrinsic.

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, Neg, Not};

use super::{
    COUNTED, Float, Mask, Outlined, Sealed, Simd, Whole, Work, lane_operators, whole_operations,
};

/// Proof of AVX2: only [`Avx2::detect`] fills the private field.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// Eight lanes of `f32`. Made by the token, so a value proves AVX2 as well.
#[derive(Clone, Copy, Debug)]
pub struct F8(__m256);

/// Eight lanes of `u32`. Made by the token or from an [`F8`], so a value proves AVX2 as well.
#[derive(Clone, Copy, Debug)]
pub struct U8(__m256i);

/// Eight lanes of all ones or all zeros. Made by the token or from an [`F8`], so a mask proves AVX2
/// as well.
#[derive(Clone, Copy, Debug)]
pub struct M8(__m256);

/// One intrinsic, allowed because the token (or a value or mask made with it) is in hand.
macro_rules! proven {
    ($intrinsic:expr) => {{
        // SAFETY: an `Avx2` token exists (here, or behind the `F8`/`U8`/`M8` at hand), so the CPU
        // has AVX2; arguments are values or references valid for the whole vector.
        unsafe { $intrinsic }
    }};
}

impl Avx2 {
    /// The token, if this CPU has AVX2.
    #[inline]
    pub fn detect() -> Option<Self> {
        super::Level::Avx2.is_available().then_some(Self(()))
    }

    /// Runs `work` compiled for AVX2.
    #[inline]
    pub(super) fn vectorize<W: Work>(self, work: W) {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn featured<W: Work>(token: Avx2, work: W) {
            work.run(token);
        }
        proven!(featured(self, work))
    }
}

impl Avx2 {
    /// Two rows of a table side by side: of a lane, and of that four further.
    #[inline(always)]
    fn halves(self, table: &[[f32; 4]], of: &[u32; 8], lane: usize) -> __m256 {
        let (lower, upper) = (&table[of[lane] as usize], &table[of[lane + 4] as usize]);
        let (lower, upper) =
            (proven!(_mm_loadu_ps(lower.as_ptr())), proven!(_mm_loadu_ps(upper.as_ptr())));
        let rows = proven!(_mm256_castps128_ps256(lower));
        proven!(_mm256_insertf128_ps::<1>(rows, upper))
    }
}

impl Sealed for Avx2 {
    #[inline(always)]
    fn outline<P: Outlined<Self>>(self, piece: P) {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[inline(never)]
        fn featured<P: Outlined<Avx2>>(token: Avx2, piece: P) {
            piece.run(token);
        }
        proven!(featured(self, piece))
    }
}

/// Lane numbers.
const LANES: [i32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// For each mask, the numbers of its set lanes, lowest first.
const SET_LANES: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut lane, mut n) = (0, 0);
        while lane < 8 {
            if bits >> lane & 1 == 1 {
                table[bits][n] = lane as u8;
                n += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    table
};

impl Simd for Avx2 {
    const LANES: usize = 8;
    type F = F8;
    type U = U8;
    type M = M8;

    #[inline(always)]
    fn splat(self, value: f32) -> F8 {
        F8(proven!(_mm256_set1_ps(value)))
    }

    #[inline(always)]
    fn load(self, column: &[f32], at: usize) -> F8 {
        let lanes = &column[at..at + 8];
        F8(proven!(_mm256_loadu_ps(lanes.as_ptr())))
    }

    #[inline(always)]
    fn splat_whole(self, value: u32) -> U8 {
        U8(proven!(_mm256_set1_epi32(value as i32)))
    }

    #[inline(always)]
    fn load_whole(self, numbers: &[u32]) -> U8 {
        let lanes = &numbers[..8];
        U8(proven!(_mm256_loadu_si256(lanes.as_ptr().cast())))
    }

    #[inline(always)]
    fn rows(self, table: &[[f32; 4]], of: &[u32]) -> [F8; 4] {
        let of: &[u32; 8] = of[..8].try_into().expect("eight lanes");
        let (a, b) = (self.halves(table, of, 0), self.halves(table, of, 1));
        let (c, d) = (self.halves(table, of, 2), self.halves(table, of, 3));
        // Rows to columns, within each half.
        let (ab, cd) = (proven!(_mm256_unpacklo_ps(a, b)), proven!(_mm256_unpacklo_ps(c, d)));
        let (ab_high, cd_high) =
            (proven!(_mm256_unpackhi_ps(a, b)), proven!(_mm256_unpackhi_ps(c, d)));
        [
            F8(proven!(_mm256_shuffle_ps::<0b01_00_01_00>(ab, cd))),
            F8(proven!(_mm256_shuffle_ps::<0b11_10_11_10>(ab, cd))),
            F8(proven!(_mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high))),
            F8(proven!(_mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high))),
        ]
    }

    #[inline(always)]
    fn first(self, count: usize) -> M8 {
        let lanes = proven!(_mm256_loadu_si256(LANES.as_ptr().cast()));
        let count = proven!(_mm256_set1_epi32(count as i32));
        let below = proven!(_mm256_cmpgt_epi32(count, lanes));
        M8(proven!(_mm256_castsi256_ps(below)))
    }

    #[inline(always)]
    fn mask(self, bits: u32) -> M8 {
        // Lane i keeps bit i: shift it up to the sign, then spread the sign.
        let lanes = proven!(_mm256_loadu_si256(LANES.as_ptr().cast()));
        let last = proven!(_mm256_set1_epi32(31));
        let up = proven!(_mm256_sub_epi32(last, lanes));
        let bits = proven!(_mm256_set1_epi32(bits as i32));
        let at_sign = proven!(_mm256_sllv_epi32(bits, up));
        let spread = proven!(_mm256_srai_epi32::<31>(at_sign));
        M8(proven!(_mm256_castsi256_ps(spread)))
    }

    #[inline(always)]
    fn count_where(self, count: F8, mask: M8) -> F8 {
        // Whole numbers: all ones are −1.
        let ones = proven!(_mm256_castps_si256(mask.0));
        let count = proven!(_mm256_sub_epi32(count.as_whole().0, ones));
        U8(count).as_float()
    }
    #[inline(always)]
    fn counted(self, count: F8) -> F8 {
        // More than that a float does not count.
        count.as_whole().to_float().min(self.splat(COUNTED))
    }

    #[inline(always)]
    fn push_slots(self, list: &mut [u32], len: usize, slot: u32, keep: M8) -> usize {
        let out = &mut list[len..len + 8];
        let bits = keep.bits();
        let lanes = &SET_LANES[(bits & 255) as usize];
        let packed = proven!(_mm_loadl_epi64(lanes.as_ptr().cast()));
        let lanes = proven!(_mm256_cvtepu8_epi32(packed));
        let slot = proven!(_mm256_set1_epi32(slot as i32));
        let slots = proven!(_mm256_add_epi32(slot, lanes));
        proven!(_mm256_storeu_si256(out.as_mut_ptr().cast(), slots));
        len + bits.count_ones() as usize
    }
}

lane_operators! { Avx2, F8;
    Add add a b => proven!(_mm256_add_ps(a, b));
    Sub sub a b => proven!(_mm256_sub_ps(a, b));
    Mul mul a b => proven!(_mm256_mul_ps(a, b));
    Div div a b => proven!(_mm256_div_ps(a, b));
}

impl Neg for F8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let sign = proven!(_mm256_set1_ps(-0.0));
        Self(proven!(_mm256_xor_ps(self.0, sign)))
    }
}

whole_operations! { U8, F8;
    pairs {
        plus a b => proven!(_mm256_add_epi32(a, b));
        times a b => proven!(_mm256_mullo_epi32(a, b));
        xor a b => proven!(_mm256_xor_si256(a, b));
        and a b => proven!(_mm256_and_si256(a, b));
        or a b => proven!(_mm256_or_si256(a, b));
    }
    shifts {
        shift_left a bits => {
            let by = proven!(_mm256_set1_epi32(bits as i32));
            proven!(_mm256_sllv_epi32(a, by))
        };
        shift_right a bits => {
            let by = proven!(_mm256_set1_epi32(bits as i32));
            proven!(_mm256_srlv_epi32(a, by))
        };
    }
    floats a => proven!(_mm256_cvtepi32_ps(a)), proven!(_mm256_castsi256_ps(a))
}

impl Float for F8 {
    type M = M8;
    type U = U8;

    #[inline(always)]
    fn as_whole(self) -> U8 {
        U8(proven!(_mm256_castps_si256(self.0)))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(proven!(_mm256_sqrt_ps(self.0)))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        let sign = proven!(_mm256_set1_ps(-0.0));
        Self(proven!(_mm256_andnot_ps(sign, self.0)))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(proven!(_mm256_max_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(proven!(_mm256_min_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> M8 {
        M8(proven!(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn le(self, other: Self) -> M8 {
        M8(proven!(_mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn equals(self, other: Self) -> M8 {
        M8(proven!(_mm256_cmp_ps::<_CMP_EQ_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn add_where(self, mask: M8, term: Self) -> Self {
        let kept = proven!(_mm256_and_ps(mask.0, term.0));
        Self(proven!(_mm256_add_ps(self.0, kept)))
    }
    #[inline(always)]
    fn or_zero(self, mask: M8) -> Self {
        Self(proven!(_mm256_and_ps(mask.0, self.0)))
    }
    #[inline(always)]
    fn reduce_min(self) -> f32 {
        let high = proven!(_mm256_extractf128_ps::<1>(self.0));
        let four = proven!(_mm_min_ps(_mm256_castps256_ps128(self.0), high));
        let two = proven!(_mm_min_ps(four, _mm_movehl_ps(four, four)));
        let one = proven!(_mm_min_ss(two, _mm_shuffle_ps::<1>(two, two)));
        proven!(_mm_cvtss_f32(one))
    }
    #[inline(always)]
    fn reduce_max(self) -> f32 {
        -(-self).reduce_min()
    }
    #[inline(always)]
    fn store(self, column: &mut [f32]) {
        let out = &mut column[..8];
        proven!(_mm256_storeu_ps(out.as_mut_ptr(), self.0));
    }
    #[inline(always)]
    fn store_floor(self, column: &mut [i32]) {
        let out = &mut column[..8];
        let floor = proven!(_mm256_floor_ps(self.0));
        let whole = proven!(_mm256_cvttps_epi32(floor));
        proven!(_mm256_storeu_si256(out.as_mut_ptr().cast(), whole));
    }
}

impl BitAnd for M8 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(proven!(_mm256_and_ps(self.0, other.0)))
    }
}

impl BitOr for M8 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(proven!(_mm256_or_ps(self.0, other.0)))
    }
}

impl Not for M8 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        let ones = proven!(_mm256_set1_epi32(-1));
        let ones = proven!(_mm256_castsi256_ps(ones));
        Self(proven!(_mm256_xor_ps(self.0, ones)))
    }
}

impl Mask for M8 {
    type F = F8;

    #[inline(always)]
    fn select(self, yes: F8, no: F8) -> F8 {
        F8(proven!(_mm256_blendv_ps(no.0, yes.0, self.0)))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        proven!(_mm256_movemask_ps(self.0)) as u32
    }
}

/// Control bits of MXCSR: rounding (13–14), flush-to-zero (15), denormals-are-zero (6), exception
/// masks (7–12).
const CONTROL: u32 = 0xffc0;
/// Their defaults: nearest, no flushing, all exceptions masked.
const DEFAULT: u32 = 0x1f80;

/// Runs `work` with MXCSR's control bits at their defaults, which Rust (and the determinism
/// contract) assume. A host that was linked with fast-math libraries may have switched
/// flush-to-zero on for its threads; it is put back afterwards.
///
/// It lives here because this file may hold unsafe code; every x86-64 CPU has the register.
#[inline]
pub(super) fn with_default_rounding<T>(work: impl FnOnce() -> T) -> T {
    let mut found = 0u32;
    // SAFETY: stores the 32-bit control register to a valid, aligned `u32`; every x86-64 CPU has
    // the instruction.
    unsafe {
        std::arch::asm!(
            "stmxcsr dword ptr [{}]",
            in(reg) &raw mut found,
            options(nostack, preserves_flags)
        )
    };
    let is_other = found & CONTROL != DEFAULT;
    if is_other {
        load_control(&DEFAULT);
    }
    // One call: two would be two copies of a work that is inlined.
    let result = work();
    if is_other {
        load_control(&found);
    }
    result
}

/// Sets MXCSR.
#[inline]
fn load_control(control: &u32) {
    // SAFETY: loads a value that was read from the register or is its documented default; no
    // reserved bit is set.
    unsafe {
        std::arch::asm!(
            "ldmxcsr dword ptr [{}]",
            in(reg) control,
            options(nostack, preserves_flags)
        )
    };
}

#[cfg(test)]
#[path = "../../tests/inside/avx2.rs"]
mod tests;
