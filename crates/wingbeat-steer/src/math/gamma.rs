//! Quantiles of the gamma distribution, in `f64` with the pinned `libm`.

/// The number below which a draw from the gamma distribution of this shape and scale 1 lies with
/// probability `p`: for shapes of 0.1 to 100 and p from 10⁻¹⁰ to 1 − 10⁻¹⁰ a relative error below
/// 10⁻¹².
///
/// With x = eᵘ the logarithms of the distribution P(x) and of what is left of it, Q(x) = 1 − P(x),
/// are concave in u. So Newton's method comes to the root of ln P = ln p from any u below it
/// without passing it, and to that of ln Q = ln(1 − p) from any u above it. It begins, for p ≤ ½,
/// where x^shape/Γ(shape + 1), which is never below P, is p; beyond at x = shape + √(2·shape·t) + t
/// with t = −ln(1 − p), above which at most 1 − p lies (Boucheron, Lugosi and Massart 2013, section
/// 2.4).
///
/// ```
/// use wingbeat_steer::math::gamma_quantile;
/// // Of shape 1 it is the exponential distribution.
/// assert!((gamma_quantile(1.0, 0.5) - std::f64::consts::LN_2).abs() < 1e-14);
/// assert!((gamma_quantile(1.0, 0.99) - 100f64.ln()).abs() < 1e-13);
/// ```
pub fn gamma_quantile(shape: f64, p: f64) -> f64 {
    let of_gamma = libm::lgamma(shape);
    let lower = p <= 0.5;
    let wanted = libm::log(if lower { p } else { 1.0 - p });
    let mut u = if lower {
        (wanted + of_gamma + libm::log(shape)) / shape
    } else {
        libm::log(shape + libm::sqrt(-2.0 * shape * wanted) - wanted)
    };
    // A few steps do; the bound is there for the reader.
    for _ in 0..100 {
        let x = libm::exp(u);
        // x times the density.
        let slope = libm::exp(shape * u - x - of_gamma);
        let part = if lower { below(shape, x, slope) } else { above(shape, x, slope) };
        let step = (wanted - libm::log(part)) * (part / slope);
        u += if lower { step } else { -step };
        if step.abs() < 1e-9 {
            break;
        }
    }
    libm::exp(u)
}

/// P(x), by its power series; `slope` is x times the density.
fn below(shape: f64, x: f64, slope: f64) -> f64 {
    let (mut term, mut sum, mut n) = (1.0 / shape, 1.0 / shape, shape);
    while term > sum * 1e-17 {
        n += 1.0;
        term *= x / n;
        sum += term;
    }
    slope * sum
}

/// Q(x): what the series leaves, or beyond shape + 1, where that may be little, its continued
/// fraction (Lentz's method).
fn above(shape: f64, x: f64, slope: f64) -> f64 {
    if x < shape + 1.0 {
        return 1.0 - below(shape, x, slope);
    }
    let mut b = x + 1.0 - shape;
    let (mut c, mut d) = (f64::INFINITY, 1.0 / b);
    let (mut fraction, mut i) = (d, 0.0);
    loop {
        i += 1.0;
        let a = i * (shape - i);
        b += 2.0;
        d = 1.0 / (a * d + b);
        c = b + a / c;
        let factor = c * d;
        fraction *= factor;
        if (factor - 1.0).abs() < 1e-16 || i > 1000.0 {
            return slope * fraction;
        }
    }
}
