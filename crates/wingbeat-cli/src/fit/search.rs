//! One search: points spread over all ranges, then COBYLA from the best of them.

use std::cell::RefCell;

use cobyla::{RhoBeg, StopTols, minimize};

use crate::failure::Failure;

/// Part of the points that are spread before COBYLA begins.
const SPREAD: f64 = 0.4;
/// How far COBYLA looks at first, as part of each range: about what lies between two of the points that are spread.
const FIRST_STEP: f64 = 0.15;
/// Where it ends: closer, one point is as good as the other as far as some runs can tell.
const LAST_STEP: f64 = 0.004;

/// Points of the unit box in which every stretch of the order is spread evenly: xᵢ = frac(shift + i·α) with αⱼ = g^−(j+1) and
/// g^(d+1) = g + 1 (Roberts 2018), shifted by a number of the search.
pub fn spread(keys: usize, count: usize, shift: u64) -> Vec<Vec<f64>> {
    let mut root: f64 = 2.0;
    for _ in 0..64 {
        root = (1.0 + root).powf(1.0 / (keys as f64 + 1.0));
    }
    // Of the golden ratio: shifts of neighbouring numbers are far apart.
    let begin = |key: usize| (shift as f64 * 0.618_033_988_749_894_9 + key as f64 * 0.414_213_562_373_095_1).fract();
    let place = |i: usize, key: usize| (begin(key) + (i as f64 + 1.0) * root.powi(-(key as i32 + 1))).fract();
    (0..count).map(|i| (0..keys).map(|key| place(i, key)).collect()).collect()
}

/// The best point found, and its value. `many` looks at several points at once, `one` at the next that is wanted.
pub fn search(
    keys: usize,
    points: usize,
    shift: u64,
    own: Option<Vec<f64>>,
    many: impl Fn(&[Vec<f64>]) -> Result<Vec<f64>, Failure>,
    one: impl Fn(&[f64]) -> Result<f64, Failure>,
) -> Result<(Vec<f64>, f64), Failure> {
    let count = ((points as f64 * SPREAD) as usize).clamp(1, points);
    let mut start = spread(keys, count, shift);
    // What the scene says is the user's guess.
    start.splice(..0, own);
    start.truncate(count);
    let values = many(&start)?;
    let best = (0..start.len()).fold(0, |best, i| if values[i] < values[best] { i } else { best });
    let best = RefCell::new((start[best].clone(), values[best]));
    let failure = RefCell::new(None);
    let objective = |point: &[f64], _: &mut ()| {
        if failure.borrow().is_some() {
            return f64::MAX;
        }
        match one(point) {
            Ok(value) => {
                if value < best.borrow().1 {
                    *best.borrow_mut() = (point.to_vec(), value);
                }
                value
            }
            Err(refusal) => {
                // COBYLA cannot be told to stop: it is soon at the end of its points.
                failure.borrow_mut().get_or_insert(refusal);
                f64::MAX
            }
        }
    };
    let from = best.borrow().0.clone();
    let left = points - start.len();
    if left > 0 {
        let bounds = vec![(0.0, 1.0); keys];
        let stop = StopTols { xtol_abs: vec![LAST_STEP; keys], ..StopTols::default() };
        let none: [fn(&[f64], &mut ()) -> f64; 0] = [];
        // However it ends, the best point is the one noted.
        let _ = minimize(objective, &from, &bounds, &none, (), left, RhoBeg::All(FIRST_STEP), Some(stop));
    }
    failure.into_inner().map_or_else(|| Ok(best.into_inner()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_spread_evenly() {
        for (keys, shift) in [(1, 0), (2, 5), (3, 1), (3, 2), (6, 40)] {
            let points = spread(keys, 64, shift);
            for key in 0..keys {
                for eighth in 0..8 {
                    let inside = points.iter().filter(|point| (point[key] * 8.0) as usize == eighth).count();
                    assert!((5..=11).contains(&inside), "{keys} keys, shift {shift}: {inside} of 64 in an eighth of key {key}");
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
        let (point, value) = search(3, 75, 1, None, many, |point| Ok(bowl(point))).expect("no failure");
        assert!(value < 0.03, "{value}");
        for (found, bottom) in point.iter().zip([0.3, 0.81, 0.05]) {
            assert!((found - bottom).abs() < 0.03, "{point:?}");
        }
    }

    #[test]
    fn a_refusal_ends_the_search() {
        let many = |points: &[Vec<f64>]| Ok(vec![1.0; points.len()]);
        let refused = search(2, 40, 1, None, many, |_| Err(Failure::Other("no".into())));
        assert!(matches!(refused, Err(Failure::Other(_))));
    }
}
