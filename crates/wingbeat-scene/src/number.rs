//! Numbers as people read them.

use wingbeat::steer::parameters::Decimal;

/// A number without needless zeros: plain in the middle of the scale, as a power of ten at its
/// ends.
pub(crate) fn plain(x: f64) -> String {
    Decimal(x).to_string()
}

/// The decimal a bound was written as. Bounds that went through `f32` (1e12 is stored
/// as 999999995904) come back whole.
pub(crate) fn as_written(bound: f64) -> f64 {
    (bound as f32).to_string().parse().unwrap_or(bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_read_as_they_were_written() {
        assert_eq!(as_written(f64::from(1e12f32)), 1e12);
        assert_eq!(as_written(1e-9), 1e-9);
        assert_eq!([0.0, -1e9, 1e-9, 360.0, 0.5].map(plain), ["0", "-1e9", "1e-9", "360", "0.5"]);
    }
}
