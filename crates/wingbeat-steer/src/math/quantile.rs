//! Quantiles of the standard normal distribution, in `f64` with the pinned `libm`.

/// Numerator and denominator of the middle, |p − ½| ≤ 0.425, by powers of 0.425² − (p − ½)², highest first.
const MIDDLE: [[f64; 8]; 2] = [
    [
        2509.0809287301226727,
        33430.575583588128105,
        67265.770927008700853,
        45921.953931549871457,
        13731.693765509461125,
        1971.5909503065514427,
        133.14166789178437745,
        3.3871328727963666080,
    ],
    [
        5226.4952788528545610,
        28729.085735721942674,
        39307.895800092710610,
        21213.794301586595867,
        5394.1960214247511077,
        687.18700749205790830,
        42.313330701600911252,
        1.0,
    ],
];

/// The same beyond, by powers of √(−ln p) − 1.6, p being the smaller side; down to p = e⁻²⁵.
const TAIL: [[f64; 8]; 2] = [
    [
        7.74545014278341407640e-4,
        2.27238449892691845833e-2,
        2.41780725177450611770e-1,
        1.27045825245236838258,
        3.64784832476320460504,
        5.76949722146069140550,
        4.63033784615654529590,
        1.42343711074968357734,
    ],
    [
        1.05075007164441684324e-9,
        5.47593808499534494600e-4,
        1.51986665636164571966e-2,
        1.48103976427480074590e-1,
        6.89767334985100004550e-1,
        1.67638483018380384940,
        2.05319162663775882187,
        1.0,
    ],
];

/// Numerator over denominator (Horner).
fn ratio([above, below]: &[[f64; 8]; 2], x: f64) -> f64 {
    let polynomial = |coefficients: &[f64; 8]| coefficients.iter().fold(0.0, |sum, c| sum * x + c);
    polynomial(above) / polynomial(below)
}

/// The number below which a draw from the standard normal distribution lies with probability `p`, for p from 10⁻¹⁰ to 1 − 10⁻¹⁰: a
/// relative error of about 10⁻¹⁵ (Wichura 1988, algorithm AS 241).
///
/// ```
/// use wingbeat_steer::math::normal_quantile;
/// assert_eq!(normal_quantile(0.5), 0.0);
/// assert!((normal_quantile(0.975) - 1.959963984540054).abs() < 1e-14);
/// ```
pub fn normal_quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        return ratio(&MIDDLE, 0.180625 - q * q) * q;
    }
    let side = if q < 0.0 { p } else { 1.0 - p };
    let x = ratio(&TAIL, libm::sqrt(-libm::log(side)) - 1.6);
    if q < 0.0 { -x } else { x }
}
