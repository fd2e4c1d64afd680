//! One search: points spread over all ranges, then COBYLA from the best of them.

use std::cell::RefCell;

use cobyla::{RhoBeg, StopTols, minimize};

use crate::failure::Failure;

/// Part of the points that are spread before COBYLA begins.
const SPREAD: f64 = 0.4;
/// How far COBYLA looks at first, as part of each range: about what lies between two of the points
/// that are spread.
const FIRST_STEP: f64 = 0.15;
/// Where it ends: closer, one point is as good as the other as far as some runs can tell.
const LAST_STEP: f64 = 0.02;
/// How many of the best points are looked at a second time: the very best of many is partly luck.
pub const SECOND_LOOK: usize = 8;

/// A further condition on points, of which there are none here.
type Constraint = fn(&[f64], &mut ()) -> f64;

/// Points of the unit box in which every stretch of the order is spread evenly: xᵢ = frac(shift +
/// i·α) with αⱼ = g^−(j+1) and g^(d+1) = g + 1 (Roberts 2018), shifted by a number of the search.
pub fn spread(keys: usize, count: usize, shift: u64) -> Vec<Vec<f64>> {
    let mut root: f64 = 2.0;
    for _ in 0..64 {
        root = libm::pow(1.0 + root, 1.0 / (keys as f64 + 1.0));
    }
    // Of the golden ratio: shifts of neighboring numbers are far apart.
    let begin = |key: usize| {
        (shift as f64 * 0.618_033_988_749_894_9 + key as f64 * 0.414_213_562_373_095_1).fract()
    };
    let mut alpha = 1.0;
    let alphas: Vec<f64> = (0..keys)
        .map(|_| {
            alpha /= root;
            alpha
        })
        .collect();
    let place = |i: usize, key: usize| (begin(key) + (i as f64 + 1.0) * alphas[key]).fract();
    (0..count).map(|i| (0..keys).map(|key| place(i, key)).collect()).collect()
}

/// What is looked for, and with how much patience.
pub struct Search<Many, Again> {
    pub keys: usize,
    /// How many points are looked at.
    pub points: usize,
    /// Shifts the points that are spread.
    pub shift: u64,
    /// The user's guess.
    pub own: Option<Vec<f64>>,
    /// Values of several points.
    pub many: Many,
    /// The same with other seeds.
    pub again: Again,
}

impl<Many, Again> Search<Many, Again>
where
    Many: Fn(&[Vec<f64>]) -> Result<Vec<f64>, Failure>,
    Again: Fn(&[Vec<f64>]) -> Result<Vec<f64>, Failure>,
{
    /// The best point by the second look.
    pub fn best(&self) -> Result<Vec<f64>, Failure> {
        let Self { keys, points, .. } = *self;
        let count = ((points as f64 * SPREAD) as usize).clamp(1, points);
        let mut start = spread(keys, count, self.shift);
        start.splice(..0, self.own.clone());
        start.truncate(count);
        let values = (self.many)(&start)?;
        let seen: RefCell<Vec<(Vec<f64>, f64)>> =
            RefCell::new(start.into_iter().zip(values).collect());
        let failure = RefCell::new(None);
        let objective = |point: &[f64], _: &mut ()| {
            if failure.borrow().is_some() {
                return f64::MAX;
            }
            match (self.many)(&[point.to_vec()]) {
                Ok(values) => {
                    seen.borrow_mut().push((point.to_vec(), values[0]));
                    values[0]
                }
                Err(refusal) => {
                    // COBYLA cannot be told to stop: it is soon at the end of its points.
                    failure.borrow_mut().get_or_insert(refusal);
                    f64::MAX
                }
            }
        };
        let (bounds, none) = (vec![(0.0, 1.0); keys], [] as [Constraint; 0]);
        // Where runs are noise, COBYLA may end on a slope: it begins again from the best point
        // until there are no points left.
        while points.saturating_sub(seen.borrow().len()) >= keys + 2 && failure.borrow().is_none() {
            let before = seen.borrow().len();
            let from = ranked(&seen.borrow())[0].clone();
            let stop = StopTols { xtol_abs: vec![LAST_STEP; keys], ..StopTols::default() };
            // However it ends, all points are noted.
            let _ = minimize(
                objective,
                &from,
                &bounds,
                &none,
                (),
                points - before,
                RhoBeg::All(FIRST_STEP),
                Some(stop),
            );
            if seen.borrow().len() == before {
                break;
            }
        }
        if let Some(refusal) = failure.take() {
            return Err(refusal);
        }
        let mut finalists = ranked(&seen.borrow());
        finalists.truncate(SECOND_LOOK);
        let values = (self.again)(&finalists)?;
        Ok(finalists.swap_remove(least(&values)))
    }
}

/// Points by their values, the least first, each once.
fn ranked(seen: &[(Vec<f64>, f64)]) -> Vec<Vec<f64>> {
    let mut order: Vec<&(Vec<f64>, f64)> = seen.iter().collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut points: Vec<Vec<f64>> = order.into_iter().map(|(point, _)| point.clone()).collect();
    points.dedup();
    points
}

/// Where the least of some values is, the first of equals.
pub fn least(values: &[f64]) -> usize {
    (0..values.len()).fold(0, |best, i| if values[i] < values[best] { i } else { best })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn points_are_spread_evenly() {
        for (keys, shift) in [(1, 0), (2, 5), (3, 1), (3, 2), (6, 40)] {
            let points = spread(keys, 64, shift);
            for key in 0..keys {
                for eighth in 0..8 {
                    let inside =
                        points.iter().filter(|point| (point[key] * 8.0) as usize == eighth).count();
                    assert!(
                        (5..=11).contains(&inside),
                        "{keys} keys, shift {shift}: {inside} of 64 in an eighth of key {key}"
                    );
                }
            }
        }
        assert_ne!(spread(2, 3, 1), spread(2, 3, 2));
    }

    #[test]
    fn a_rough_bowl_has_its_bottom_found() {
        let bowl = |point: &[f64]| {
            let way = |i: usize, middle: f64| (point[i] - middle) * (point[i] - middle);
            let rough = 0.002 * libm::sin(900.0 * point[0]) * libm::cos(700.0 * point[1]);
            (way(0, 0.3) + 4.0 * way(1, 0.81) + way(2, 0.05)).sqrt() + rough
        };
        let many = |points: &[Vec<f64>]| Ok(points.iter().map(|point| bowl(point)).collect());
        let looked = Cell::new(0);
        let counted = |points: &[Vec<f64>]| {
            looked.set(looked.get() + points.len());
            many(points)
        };
        let search =
            Search { keys: 3, points: 75, shift: 1, own: None, many: counted, again: many };
        let point = search.best().expect("no failure");
        assert!(
            bowl(&point) < 0.04 && looked.get() <= 75,
            "{} after {} points",
            bowl(&point),
            looked.get()
        );
        for (found, bottom) in point.iter().zip([0.3, 0.81, 0.05]) {
            assert!((found - bottom).abs() < 0.03, "{point:?}");
        }
    }

    #[test]
    fn luck_does_not_win_twice() {
        // One point that is far off looks best at first.
        let own = vec![0.9, 0.9];
        let value = |point: &Vec<f64>| (point[0] - 0.2).abs() + (point[1] - 0.3).abs();
        let first = |points: &[Vec<f64>]| {
            Ok(points.iter().map(|point| if *point == own { -1.0 } else { value(point) }).collect())
        };
        let again = |points: &[Vec<f64>]| Ok(points.iter().map(value).collect());
        let search =
            Search { keys: 2, points: 60, shift: 3, own: Some(own.clone()), many: first, again };
        assert_ne!(search.best().expect("no failure"), own);
    }

    #[test]
    fn a_refusal_ends_the_search() {
        let many = |points: &[Vec<f64>]| {
            if points.len() > 1 {
                Ok(vec![1.0; points.len()])
            } else {
                Err(Failure::Other("no".into()))
            }
        };
        let refused = Search { keys: 2, points: 40, shift: 1, own: None, many, again: many }.best();
        assert!(matches!(refused, Err(Failure::Other(_))));
    }
}
