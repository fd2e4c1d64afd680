//! The level every target has, on `wide`: SSE2, NEON, simd128 or plain scalars, chosen when the
//! crate is compiled.
//!
//! Four lanes, one register on SSE2 and NEON: 7 to 13 % faster in 3-D than eight, whose sums do not
//! fit into the registers (docs/decisions/0004-portable-lanes.md).

use std::ops::{BitAnd, BitOr, Neg, Not};

use wide::{bytemuck::cast, f32x4, i32x4, u32x4};

use super::{
    COUNTED, Float, Mask, Outlined, Sealed, Simd, Whole, lane_operators, whole_operations,
};

/// Token of the portable level; needs no proof.
#[derive(Clone, Copy, Debug)]
pub struct Portable(());

/// Four lanes of `f32`.
#[derive(Clone, Copy, Debug)]
pub struct PortableF(f32x4);

/// Four lanes of `u32`.
#[derive(Clone, Copy, Debug)]
pub struct PortableU(u32x4);

/// Four lanes of all ones or all zeros.
#[derive(Clone, Copy, Debug)]
pub struct PortableM(f32x4);

impl Portable {
    pub(crate) fn new() -> Self {
        Self(())
    }
}

impl Sealed for Portable {
    #[inline(never)]
    fn outline<P: Outlined<Self>>(self, piece: P) {
        piece.run(self);
    }
}

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

/// For each mask, the numbers of the set lanes, lowest first, and how many they are.
const SET_LANES: [([u32; 4], usize); 16] = {
    let mut table = [([0; 4], 0); 16];
    let mut bits = 0;
    while bits < 16 {
        let mut lane = 0;
        while lane < 4 {
            if bits >> lane & 1 == 1 {
                table[bits].0[table[bits].1] = lane as u32;
                table[bits].1 += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    table
};

impl Simd for Portable {
    const LANES: usize = 4;
    type F = PortableF;
    type U = PortableU;
    type M = PortableM;

    #[inline(always)]
    fn splat(self, value: f32) -> PortableF {
        PortableF(f32x4::splat(value))
    }

    #[inline(always)]
    fn load(self, column: &[f32], at: usize) -> PortableF {
        let lanes: [f32; 4] = column[at..at + 4].try_into().expect("four lanes");
        PortableF(f32x4::new(lanes))
    }

    #[inline(always)]
    fn splat_whole(self, value: u32) -> PortableU {
        PortableU(u32x4::splat(value))
    }

    #[inline(always)]
    fn load_whole(self, numbers: &[u32]) -> PortableU {
        let lanes: [u32; 4] = numbers[..4].try_into().expect("four lanes");
        PortableU(u32x4::new(lanes))
    }

    #[inline(always)]
    fn rows(self, table: &[[f32; 4]], of: &[u32]) -> [PortableF; 4] {
        let of: [u32; 4] = of[..4].try_into().expect("four lanes");
        let rows = of.map(|row| table[row as usize]);
        std::array::from_fn(|number| PortableF(f32x4::new(rows.map(|row| row[number]))))
    }

    #[inline(always)]
    fn first(self, count: usize) -> PortableM {
        self.mask(if count >= 4 { 15 } else { (1 << count) - 1 })
    }

    #[inline(always)]
    fn mask(self, bits: u32) -> PortableM {
        PortableM(f32x4::new(MASKS[(bits & 15) as usize]))
    }

    #[inline(always)]
    fn count_where(self, count: PortableF, mask: PortableM) -> PortableF {
        // Whole numbers: all ones are −1.
        PortableF(cast(cast::<f32x4, u32x4>(count.0) - cast::<f32x4, u32x4>(mask.0)))
    }
    #[inline(always)]
    fn counted(self, count: PortableF) -> PortableF {
        // More than that a float does not count.
        count.as_whole().to_float().min(self.splat(COUNTED))
    }

    #[inline(always)]
    fn push_slots(self, list: &mut [u32], len: usize, slot: u32, keep: PortableM) -> usize {
        // By table: a lane at a time, each would wait for the one before.
        let (lanes, count) = SET_LANES[(keep.bits() & 15) as usize];
        let out: &mut [u32; 4] = (&mut list[len..len + 4]).try_into().expect("four entries");
        *out = (u32x4::splat(slot) + u32x4::new(lanes)).to_array();
        len + count
    }
}

lane_operators! { Portable, PortableF;
    Add add a b => a + b;
    Sub sub a b => a - b;
    Mul mul a b => a * b;
    Div div a b => a / b;
}

impl Neg for PortableF {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

whole_operations! { PortableU, PortableF;
    pairs {
        plus a b => a + b;
        times a b => a * b;
        xor a b => a ^ b;
        and a b => a & b;
        or a b => a | b;
    }
    shifts {
        shift_left a bits => a << bits;
        shift_right a bits => a >> bits;
    }
    floats a => f32x4::from_i32x4(cast::<u32x4, i32x4>(a)), cast::<u32x4, f32x4>(a)
}

impl Float for PortableF {
    type M = PortableM;
    type U = PortableU;

    #[inline(always)]
    fn as_whole(self) -> PortableU {
        PortableU(cast(self.0))
    }

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
    fn lt(self, other: Self) -> PortableM {
        PortableM(self.0.simd_lt(other.0))
    }
    #[inline(always)]
    fn le(self, other: Self) -> PortableM {
        PortableM(self.0.simd_le(other.0))
    }
    #[inline(always)]
    fn equals(self, other: Self) -> PortableM {
        PortableM(self.0.simd_eq(other.0))
    }
    #[inline(always)]
    fn add_where(self, mask: PortableM, term: Self) -> Self {
        Self(self.0 + (mask.0 & term.0))
    }
    #[inline(always)]
    fn or_zero(self, mask: PortableM) -> Self {
        Self(mask.0 & self.0)
    }
    #[inline(always)]
    fn reduce_min(self) -> f32 {
        self.0.to_array().into_iter().fold(f32::INFINITY, |m, x| if x < m { x } else { m })
    }
    #[inline(always)]
    fn reduce_max(self) -> f32 {
        -(-self).reduce_min()
    }
    #[inline(always)]
    fn store(self, column: &mut [f32]) {
        column[..4].copy_from_slice(&self.0.to_array());
    }
    #[inline(always)]
    fn store_floor(self, column: &mut [i32]) {
        column[..4].copy_from_slice(&self.0.floor().fast_trunc_int().to_array());
    }
}

impl BitAnd for PortableM {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for PortableM {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for PortableM {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Mask for PortableM {
    type F = PortableF;

    #[inline(always)]
    fn select(self, yes: PortableF, no: PortableF) -> PortableF {
        PortableF((self.0 & yes.0) | (!self.0 & no.0))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.to_bitmask()
    }
}
