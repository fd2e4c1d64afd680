//! Quantiles of the standard normal distribution, in `f64` with the pinned `libm`.

/// The algorithm's coefficients, of which an `f64` holds 17 digits. Numerator and denominator of
/// the middle,
/// |p − ½| ≤ 0.425, by powers of 0.425² − (p − ½)², highest first.
const MIDDLE: [[f64; 8]; 2] = [
    [
        2509.0809287301227,
        33430.57558358813,
        67265.7709270087,
        45921.95393154987,
        13731.69376550946,
        1971.5909503065513,
        133.14166789178438,
        3.3871328727963665,
    ],
    [
        5226.495278852854,
        28729.085735721943,
        39307.89580009271,
        21213.794301586597,
        5394.196021424751,
        687.1870074920579,
        42.31333070160091,
        1.0,
    ],
];

/// The same beyond, by powers of √(−ln p) − 1.6, p being the smaller side; down to p = e⁻²⁵.
const TAIL: [[f64; 8]; 2] = [
    [
        0.0007745450142783414,
        0.022723844989269184,
        0.2417807251774506,
        1.2704582524523684,
        3.6478483247632045,
        5.769497221460691,
        4.630337846156546,
        1.4234371107496835,
    ],
    [
        1.0507500716444169e-9,
        0.0005475938084995345,
        0.015198666563616457,
        0.14810397642748008,
        0.6897673349851,
        1.6763848301838038,
        2.053191626637759,
        1.0,
    ],
];

/// Numerator over denominator (Horner).
fn ratio([above, below]: &[[f64; 8]; 2], x: f64) -> f64 {
    let polynomial = |coefficients: &[f64; 8]| coefficients.iter().fold(0.0, |sum, c| sum * x + c);
    polynomial(above) / polynomial(below)
}

/// The number below which a draw from the standard normal distribution lies with probability `p`,
/// for p from 10⁻¹⁰ to 1 − 10⁻¹⁰: a relative error of about 10⁻¹⁵ (Wichura 1988, algorithm AS 241).
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
