//! Means over all individuals; rotation about the mean position takes a second sweep.

use wingbeat_steer::{Domain, Vector};

use super::individuals::Individuals;
use super::vectors::{cross, dot, nearest_image, norm, sides, sine_cosine, unit};
use crate::parallel::Pool;
use crate::simd::{Level, Simd, Work, dispatch};

/// Individuals whose terms are computed together before they are added: enough to be shared among
/// threads, each a task of so many, or what fits the first cache.
const SHARED: usize = 1 << 15;
const TASK: usize = 1 << 12;
const ALONE: usize = 512;
/// Rounding of a mean position, relative to its largest coordinate; far more than there is.
const MIDDLE_ERROR: f64 = 1e-12;

/// Order and motion of all individuals as one: what [`order`](super::order) finds. `None` where no
/// individual has a known velocity, or what was not asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct OrderParameters {
    /// ‖Σ h‖ / N, h = v/‖v‖, 0 at rest (‖v‖ < 10⁻¹⁵): 0 to 1, 1 when all head the same way.
    pub polarization: Option<f64>,
    /// ‖Σ r̂ × h‖ / N, r̂ the direction from the mean position: 0 to 1, 1 when all circle one way
    /// round the middle.
    pub milling: Option<f64>,
    /// ‖Σ r × v‖ / N, length²/time: angular momentum about the mean position per unit of mass.
    pub angular_momentum: Option<f64>,
    /// Σ‖v‖ / N, length/time.
    pub mean_speed: Option<f64>,
}

/// Computes `headings`, polarization and mean speed, and `rotation`, milling and angular momentum.
///
/// ```text
/// for each by id:   heading, speed
/// for each by id:   position into the mean position, if an individual turns about it
/// for each by id:   arm = way from the mean position;  r̂ × h,  r × v
/// ```
///
/// What each adds is computed on all threads; the additions are made by one, in the order of ids.
pub fn measure<const D: usize>(
    individuals: &Individuals<D>,
    domain: &Domain<[f32; D]>,
    (pool, level): (&Pool, Level),
    [headings, rotation]: [bool; 2],
) -> OrderParameters {
    let mut found = OrderParameters::default();
    if headings {
        let [count, speed, headings @ ..] =
            sums(individuals.len(), pool, level, &HeadingTerms { individuals });
        found.polarization = mean(norm::<3>(headings), count);
        found.mean_speed = mean(speed, count);
    }
    if rotation {
        let around = RotationTerms::new(
            individuals,
            mean_position(individuals, domain, pool, level),
            sides(domain),
        );
        let [count, turns @ .., x, y, z] = sums(individuals.len(), pool, level, &around);
        found.milling = mean(norm::<3>(turns), count);
        found.angular_momentum = mean(norm([x, y, z]), count);
    }
    found
}

/// Mean position; on a periodic axis the circular mean. The origin for no individual.
pub fn mean_position<const D: usize>(
    individuals: &Individuals<D>,
    domain: &Domain<[f32; D]>,
    pool: &Pool,
    level: Level,
) -> [f64; D] {
    let count = individuals.len();
    crate::arrays::from_fn(|a| {
        let column = individuals.positions[a].as_slice();
        if !domain.is_periodic() {
            return column.iter().fold(0.0, |sum, x| sum + x) / count.max(1) as f64;
        }
        let (min, side) = (f64::from(domain.min.axis(a)), f64::from(domain.side(a)));
        let [sines, cosines] = sums(count, pool, level, &AxisAngles { column, min, side });
        // Of the images of the mean, the one in the box.
        let turns = libm::atan2(sines, cosines) / std::f64::consts::TAU;
        min + side * if turns < 0.0 { turns + 1.0 } else { turns }
    })
}

/// What each adds to some sums.
trait SumTerms<const K: usize>: Sync {
    /// The terms of those from one place on, as many as the columns are long.
    fn fill(&self, first: usize, columns: &mut [&mut [f64]; K]);
}

/// The sums of all terms, in the order of places.
fn sums<const K: usize>(
    count: usize,
    pool: &Pool,
    level: Level,
    of: &impl SumTerms<K>,
) -> [f64; K] {
    let together = if pool.is_caller() { ALONE } else { SHARED };
    let mut columns: [Vec<f64>; K] = std::array::from_fn(|_| vec![0.0; together.min(count)]);
    let mut sums = [0.0; K];
    for first in (0..count).step_by(together) {
        let length = together.min(count - first);
        let parts = columns.each_mut().map(|column| &mut column[..length]);
        pool.rows(TASK, parts, &|at, columns| {
            dispatch(level, Fill { of, first: first + at, columns })
        });
        for i in 0..length {
            for (sum, column) in sums.iter_mut().zip(&columns) {
                *sum += column[i];
            }
        }
    }
    sums
}

struct Fill<'a, T, const K: usize> {
    of: &'a T,
    first: usize,
    columns: [&'a mut [f64]; K],
}

impl<T: SumTerms<K>, const K: usize> Work for Fill<'_, T, K> {
    const WIDE: bool = false;

    #[inline(always)]
    fn run<S: Simd>(mut self, _: S) {
        self.of.fill(self.first, &mut self.columns);
    }
}

/// One, speed and heading of whose velocity is known; zeros for others.
struct HeadingTerms<'a, const D: usize> {
    individuals: &'a Individuals<D>,
}

impl<const D: usize> SumTerms<5> for HeadingTerms<'_, D> {
    #[inline(always)]
    fn fill(&self, first: usize, [known, speeds, x, y, z]: &mut [&mut [f64]; 5]) {
        let count = known.len();
        let velocities =
            self.individuals.velocities.each_ref().map(|column| &column[first..first + count]);
        let (speeds, x, y, z) =
            (&mut speeds[..count], &mut x[..count], &mut y[..count], &mut z[..count]);
        for i in 0..count {
            let velocity: [f64; D] = crate::arrays::from_fn(|a| velocities[a][i]);
            let (speed, heading) = (norm(velocity), in_space(unit(velocity)));
            let is_known = !speed.is_nan();
            let or_zero = |x: f64| if is_known { x } else { 0.0 };
            known[i] = or_zero(1.0);
            speeds[i] = or_zero(speed);
            x[i] = or_zero(heading[0]);
            y[i] = or_zero(heading[1]);
            z[i] = or_zero(heading[2]);
        }
    }
}

/// One, and how much those turn about the middle whose velocity is known: r̂ × h, and r × v.
struct RotationTerms<'a, const D: usize> {
    individuals: &'a Individuals<D>,
    middle: [f64; D],
    sides: Option<[f64; D]>,
    /// The square of what is rounding of the middle: an individual no farther from it than that
    /// turns about nothing.
    least_sq: f64,
}

impl<'a, const D: usize> RotationTerms<'a, D> {
    fn new(individuals: &'a Individuals<D>, middle: [f64; D], sides: Option<[f64; D]>) -> Self {
        let lengths = middle.into_iter().chain(sides.into_iter().flatten());
        let largest =
            lengths.fold(0.0, |largest, x: f64| if x.abs() > largest { x.abs() } else { largest });
        let least = MIDDLE_ERROR * largest;
        Self { individuals, middle, sides, least_sq: least * least }
    }
}

impl<const D: usize> SumTerms<7> for RotationTerms<'_, D> {
    #[inline(always)]
    fn fill(&self, first: usize, [known, columns @ ..]: &mut [&mut [f64]; 7]) {
        let count = known.len();
        let [positions, velocities] = [&self.individuals.positions, &self.individuals.velocities]
            .map(|of| of.each_ref().map(|c| &c[first..first + count]));
        let [tx, ty, tz, mx, my, mz] = columns.each_mut().map(|column| &mut column[..count]);
        for i in 0..count {
            let mut arm = [0.0; D];
            for a in 0..D {
                let way = positions[a][i] - self.middle[a];
                arm[a] = match self.sides {
                    Some(sides) => nearest_image(way, sides[a]),
                    None => way,
                };
            }
            let velocity: [f64; D] = crate::arrays::from_fn(|a| velocities[a][i]);
            let is_known = velocity.iter().all(|c| !c.is_nan());
            let or_zero = |x: f64| if is_known { x } else { 0.0 };
            let turns = dot(&arm, &arm) > self.least_sq;
            let toward = unit(arm);
            let toward: [f64; D] = crate::arrays::from_fn(|a| if turns { toward[a] } else { 0.0 });
            let (turn, moment) = (cross(toward, unit(velocity)), cross(arm, velocity));
            known[i] = or_zero(1.0);
            (tx[i], ty[i], tz[i]) = (or_zero(turn[0]), or_zero(turn[1]), or_zero(turn[2]));
            (mx[i], my[i], mz[i]) = (or_zero(moment[0]), or_zero(moment[1]), or_zero(moment[2]));
        }
    }
}

/// Sines and cosines of coordinates round a periodic axis.
struct AxisAngles<'a> {
    column: &'a [f64],
    min: f64,
    side: f64,
}

impl SumTerms<2> for AxisAngles<'_> {
    #[inline(always)]
    fn fill(&self, first: usize, [sines, cosines]: &mut [&mut [f64]; 2]) {
        let count = sines.len();
        let (column, cosines) = (&self.column[first..first + count], &mut cosines[..count]);
        for i in 0..count {
            let turns = (column[i] - self.min) / self.side;
            // A recording may have an individual out of the box: whole turns less.
            (sines[i], cosines[i]) = sine_cosine(turns - turns.floor());
        }
    }
}

/// A vector of the plane lies in space with a third component of 0.
#[inline(always)]
fn in_space<const D: usize>(v: [f64; D]) -> [f64; 3] {
    crate::arrays::from_fn(|a| if a < D { v[a] } else { 0.0 })
}

fn mean(sum: f64, count: f64) -> Option<f64> {
    (count > 0.0).then(|| sum / count)
}
