//! Comparisons written out: which zero or NaN `f32::min` and its kin give back is left open.

pub fn least(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

pub fn most(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// `x` within `low..=high`; NaN becomes `low`.
pub fn within(x: f32, low: f32, high: f32) -> f32 {
    if x > high {
        high
    } else if x > low {
        x
    } else {
        low
    }
}

pub fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
