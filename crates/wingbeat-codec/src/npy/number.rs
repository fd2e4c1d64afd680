//! A number of an array: its kind, its bytes, their order.

/// How a number lies in a file.
pub(super) struct Number {
    pub kind: NumberKind,
    /// 1, 2, 4 or 8.
    pub bytes: usize,
    is_big_endian: bool,
}

pub(super) enum NumberKind {
    Float,
    Signed,
    Unsigned,
}

impl Number {
    /// The number a `descr` names; `None` of kinds that are not read here.
    pub fn of(descr: &str) -> Option<Self> {
        let (order, kind) = descr.split_at_checked(1)?;
        let (kind, bytes) = match kind {
            "f4" => (NumberKind::Float, 4),
            "f8" => (NumberKind::Float, 8),
            "i1" => (NumberKind::Signed, 1),
            "i2" => (NumberKind::Signed, 2),
            "i4" => (NumberKind::Signed, 4),
            "i8" => (NumberKind::Signed, 8),
            "u1" => (NumberKind::Unsigned, 1),
            "u2" => (NumberKind::Unsigned, 2),
            "u4" => (NumberKind::Unsigned, 4),
            "u8" => (NumberKind::Unsigned, 8),
            _ => return None,
        };
        // A single byte has no order, which NumPy writes as |.
        let is_big_endian = match order {
            "<" => false,
            ">" => true,
            "|" if bytes == 1 => false,
            _ => return None,
        };
        Some(Self { kind, bytes, is_big_endian })
    }

    /// A number's bits, the lowest first.
    pub fn bits(&self, bytes: &[u8]) -> u64 {
        let append = |bits, &byte| bits << 8 | u64::from(byte);
        if self.is_big_endian {
            bytes.iter().fold(0, append)
        } else {
            bytes.iter().rev().fold(0, append)
        }
    }

    /// The whole number of these bits, where it is one.
    pub fn whole(&self, bits: u64) -> Option<i128> {
        match self.kind {
            NumberKind::Float => None,
            NumberKind::Unsigned => Some(i128::from(bits)),
            NumberKind::Signed => {
                let unused = 64 - 8 * self.bytes as u32;
                Some(i128::from(((bits << unused) as i64) >> unused))
            }
        }
    }

    /// The float of these bits, where it is one of 4 or 8 bytes.
    pub fn float(&self, bits: u64) -> Option<f64> {
        match self {
            Self { kind: NumberKind::Float, bytes: 4, .. } => {
                Some(f64::from(f32::from_bits(bits as u32)))
            }
            Self { kind: NumberKind::Float, .. } => Some(f64::from_bits(bits)),
            _ => None,
        }
    }
}
