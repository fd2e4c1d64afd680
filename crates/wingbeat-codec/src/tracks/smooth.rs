//! Positions smoothed by local polynomials: Savitzky & Golay 1964.
//!
//! In a window of 2m + 1 positions in a row, at i = −m … m, the polynomial of order n that is
//! nearest to all of them in the sense of least squares gives the position in the middle, and its
//! derivative the velocity. At the ends of a stretch the first and the last whole window's
//! polynomial gives those outside of its middle (SciPy's `mode="interp"`).
//!
//! The polynomial is a sum over Gram's polynomials Pₖ, which are orthogonal over the window (Gorry
//! 1990):
//!
//! ```text
//! cₖ = Σᵢ Pₖ(i) yᵢ / Σᵢ Pₖ(i)²      y(t) = Σₖ cₖ Pₖ(t)
//! k (2m − k + 1) Pₖ(t) = (4k − 2) t Pₖ₋₁(t) − (k − 1)(2m + k) Pₖ₋₂(t),   P₀ = 1,  P₋₁ = 0
//! ```

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::str::FromStr;

use super::{Mended, Mending};
use crate::RecordError;
use crate::row::Row;

/// Positions in the longest window.
const LONGEST: usize = 9999;
/// The highest order: higher ones follow the noise.
const HIGHEST: usize = 9;
/// The order where nothing is said.
const USUAL: usize = 3;

/// A Savitzky-Golay filter: how many positions in a row a polynomial goes through, and of which
/// order it is.
///
/// A larger window smooths more, and flattens turns that are shorter than it; a higher order keeps
/// them, and noise with them.
///
/// ```
/// use wingbeat_record::Smooth;
/// let smooth: Smooth = "11,2".parse()?;
/// assert_eq!((smooth.window(), smooth.order()), (11, 2));
/// assert_eq!("11".parse::<Smooth>()?.order(), 3);
/// assert!(Smooth::new(10, 3).is_err());
/// # Ok::<(), wingbeat_record::RecordError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Smooth {
    window: usize,
    order: usize,
}

impl Smooth {
    /// A window of so many positions, odd, 3 to 9999, and an order, 1 to 9 and below the window.
    ///
    /// # Errors
    /// For others.
    pub fn new(window: usize, order: usize) -> Result<Self, RecordError> {
        let smooth = Self { window, order };
        let is_fine = window % 2 == 1
            && (3..=LONGEST).contains(&window)
            && (1..=HIGHEST).contains(&order)
            && order < window;
        if is_fine { Ok(smooth) } else { Err(refusal(smooth.to_string())) }
    }

    /// Positions in the window.
    pub fn window(self) -> usize {
        self.window
    }

    /// Order of the polynomial.
    pub fn order(self) -> usize {
        self.order
    }
}

impl fmt::Display for Smooth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.window, self.order)
    }
}

impl FromStr for Smooth {
    type Err = RecordError;

    /// `WINDOW` or `WINDOW,ORDER`; the order is 3 where it is not said.
    fn from_str(text: &str) -> Result<Self, RecordError> {
        let (window, order) =
            text.split_once(',').map_or((text, None), |(window, order)| (window, Some(order)));
        let number = |text: &str| text.trim().parse().map_err(|_| refusal(text.into()));
        let order = order.map_or(Ok(USUAL), number).map_err(|_| refusal(text.into()))?;
        let window = number(window).map_err(|_| refusal(text.into()))?;
        Self::new(window, order).map_err(|_| refusal(text.into()))
    }
}

fn refusal(value: String) -> RecordError {
    let allowed = format!(
        "WINDOW[,ORDER]: an odd window of 3 to {LONGEST} positions, and an order of 1 to {HIGHEST} \
            ({USUAL} if not said) below the window"
    );
    RecordError::Option { name: "smooth", value, allowed }
}

/// Takes rows by id and frame, and hands them on smoothed.
pub(super) struct Smoother {
    basis: Basis,
    frame_step: i64,
    /// Velocities are per second, and neighbors in a window a frame step apart.
    per_second: f64,
    /// The last rows of a stretch, fewer than a window.
    rows: VecDeque<Row>,
    /// The polynomials of the last whole window of the stretch, axis by axis.
    last: Option<[Vec<f64>; 3]>,
}

impl Smoother {
    pub fn new(smooth: Smooth, mending: &Mending) -> Self {
        let per_second = mending.fps / mending.frame_step as f64;
        let basis = Basis::new(smooth);
        Self {
            basis,
            frame_step: mending.frame_step,
            per_second,
            rows: VecDeque::new(),
            last: None,
        }
    }

    /// Takes the next row.
    pub fn take(
        &mut self,
        row: Row,
        mended: &mut Mended,
        mut out: impl FnMut(Row) -> io::Result<()>,
    ) -> io::Result<()> {
        let follows = |last: &Row| last.id == row.id && row.frame - last.frame == self.frame_step;
        if !self.rows.back().is_some_and(follows) {
            self.end(mended, &mut out)?;
        }
        self.rows.push_back(row);
        if self.rows.len() < self.basis.window() {
            return Ok(());
        }
        let half = self.basis.half();
        let fitted = std::array::from_fn(|axis| {
            self.basis.fit(self.rows.iter().map(|row| row.position[axis]))
        });
        let from = if self.last.is_none() { 0 } else { half };
        (from..=half).try_for_each(|i| out(self.smoothed(i, i, &fitted, mended)))?;
        self.last = Some(fitted);
        self.rows.pop_front();
        Ok(())
    }

    /// Hands on what is left of a stretch: at the end of all.
    pub fn end(
        &mut self,
        mended: &mut Mended,
        mut out: impl FnMut(Row) -> io::Result<()>,
    ) -> io::Result<()> {
        if let Some(fitted) = self.last.take() {
            // The first row of the last whole window is gone.
            let (window, half) = (self.basis.window(), self.basis.half());
            (half + 1..window).try_for_each(|i| out(self.smoothed(i - 1, i, &fitted, mended)))?;
        } else if !self.rows.is_empty() {
            mended.short_stretches += 1;
            mended.positions_not_smoothed += self.rows.len() as u64;
            self.rows.iter().try_for_each(|row| out(*row))?;
        }
        self.rows.clear();
        Ok(())
    }

    /// The row at `place`, which is the `i`-th of the window.
    fn smoothed(&self, place: usize, i: usize, fitted: &[Vec<f64>; 3], mended: &mut Mended) -> Row {
        mended.positions_smoothed += 1;
        let position = std::array::from_fn(|axis| self.basis.value(&fitted[axis], i));
        let velocity =
            std::array::from_fn(|axis| self.basis.slope(&fitted[axis], i) * self.per_second);
        Row { position, velocity, ..self.rows[place] }
    }
}

/// Gram's polynomials over a window, and their slopes.
struct Basis {
    /// Row k holds Pₖ(i) for i = −m … m.
    values: Vec<Vec<f64>>,
    slopes: Vec<Vec<f64>>,
    /// Σᵢ Pₖ(i)².
    squares: Vec<f64>,
}

impl Basis {
    fn new(smooth: Smooth) -> Self {
        let half = (smooth.window / 2) as f64;
        let places: Vec<f64> = (0..smooth.window).map(|i| i as f64 - half).collect();
        let mut values = vec![vec![1.0; smooth.window]];
        let mut slopes = vec![vec![0.0; smooth.window]];
        let before =
            |all: &[Vec<f64>], k: usize, i: usize| if k >= 2 { all[k - 2][i] } else { 0.0 };
        for k in 1..=smooth.order {
            let order = k as f64;
            let down = order * (2.0 * half - order + 1.0);
            let (forward, back) =
                ((4.0 * order - 2.0) / down, (order - 1.0) * (2.0 * half + order) / down);
            let value = |(i, t): (usize, &f64)| {
                forward * t * values[k - 1][i] - back * before(&values, k, i)
            };
            let slope = |(i, t): (usize, &f64)| {
                forward * (t * slopes[k - 1][i] + values[k - 1][i]) - back * before(&slopes, k, i)
            };
            let (next_values, next_slopes) = (
                places.iter().enumerate().map(value).collect(),
                places.iter().enumerate().map(slope).collect(),
            );
            values.push(next_values);
            slopes.push(next_slopes);
        }
        let squares = values
            .iter()
            .map(|of_order| of_order.iter().map(|value| value * value).sum())
            .collect();
        Self { values, slopes, squares }
    }

    fn window(&self) -> usize {
        self.values[0].len()
    }

    fn half(&self) -> usize {
        self.window() / 2
    }

    /// The polynomial nearest to these: its coefficients, and what all were counted from.
    fn fit(&self, coordinates: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
        // Counted from the first, so that far from the origin no digits are lost, and who stands
        // still stands still to the last bit.
        let origin = coordinates.clone().next().unwrap_or(0.0);
        let of_order = |(values, square): (&Vec<f64>, &f64)| {
            let sum: f64 =
                values.iter().zip(coordinates.clone()).map(|(value, y)| value * (y - origin)).sum();
            sum / square
        };
        self.values.iter().zip(&self.squares).map(of_order).chain([origin]).collect()
    }

    /// Its value at the `i`-th place.
    fn value(&self, fitted: &[f64], i: usize) -> f64 {
        let (origin, coefficients) =
            fitted.split_last().map_or((0.0, fitted), |(origin, rest)| (*origin, rest));
        origin + coefficients.iter().zip(&self.values).map(|(c, values)| c * values[i]).sum::<f64>()
    }

    /// Its slope there, per place.
    fn slope(&self, fitted: &[f64], i: usize) -> f64 {
        fitted.iter().zip(&self.slopes).map(|(c, slopes)| c * slopes[i]).sum()
    }
}
