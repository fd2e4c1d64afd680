//! How far two samples of numbers lie apart. All take both in ascending order; docs/COMPARING.md
//! has formulas and sources.

/// Cliff's delta of `b` over `a`: the share of pairs in which `b` is the larger less that in which
/// `a` is; −1 to 1.
pub fn cliffs_delta(a: &[f64], b: &[f64]) -> f64 {
    let (mut below, mut equal_or_below) = (0, 0);
    let (mut larger, mut smaller) = (0_u64, 0_u64);
    for y in b {
        while below < a.len() && a[below] < *y {
            below += 1;
        }
        while equal_or_below < a.len() && a[equal_or_below] <= *y {
            equal_or_below += 1;
        }
        larger += below as u64;
        smaller += (a.len() - equal_or_below) as u64;
    }
    (larger as f64 - smaller as f64) / (a.len() as f64 * b.len() as f64)
}

/// The largest gap between the two cumulative distributions (Kolmogorov and Smirnov); 0 to 1.
pub fn kolmogorov_smirnov(a: &[f64], b: &[f64]) -> f64 {
    steps(a, b).fold(0.0, |largest: f64, (_, gap)| if gap > largest { gap } else { largest })
}

/// The area between the two cumulative distributions, which is how far values have to be moved on
/// average to make one sample of the other (Wasserstein's first distance); in the unit of the
/// values.
pub fn wasserstein(a: &[f64], b: &[f64]) -> f64 {
    steps(a, b).fold(0.0, |area, (width, gap)| area + width * gap)
}

/// For each stretch between one value of either sample and the next: how long it is, and the gap
/// there.
fn steps<'a>(a: &'a [f64], b: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
    let (mut i, mut j) = (0, 0);
    std::iter::from_fn(move || {
        let at = match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) => x.min(*y),
            (Some(x), None) | (None, Some(x)) => *x,
            (None, None) => return None,
        };
        i += a[i..].iter().take_while(|x| **x <= at).count();
        j += b[j..].iter().take_while(|x| **x <= at).count();
        let next = match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) => x.min(*y),
            (Some(x), None) | (None, Some(x)) => *x,
            (None, None) => at,
        };
        Some((next - at, (i as f64 / a.len() as f64 - j as f64 / b.len() as f64).abs()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definitions, pair by pair and place by place.
    fn plainly(a: &[f64], b: &[f64]) -> [f64; 3] {
        let pairs = a
            .iter()
            .flat_map(|x| b.iter().map(move |y| (y > x) as i32 - (y < x) as i32))
            .sum::<i32>();
        let part = |sample: &[f64], at: f64| {
            sample.iter().filter(|x| **x <= at).count() as f64 / sample.len() as f64
        };
        let mut places: Vec<f64> = a.iter().chain(b).copied().collect();
        places.sort_by(f64::total_cmp);
        let gap = |at: f64| (part(a, at) - part(b, at)).abs();
        let area: f64 = places.windows(2).map(|pair| (pair[1] - pair[0]) * gap(pair[0])).sum();
        let largest = places.iter().map(|at| gap(*at)).fold(0.0, f64::max);
        [f64::from(pairs) / (a.len() * b.len()) as f64, largest, area]
    }

    #[test]
    fn distances_are_those_of_the_definitions() {
        let mut random = wingbeat_test_support::Random::new(7);
        let mut draw = |n: u64| random.below(n);
        for case in 0..300 {
            // Few values, so that many are equal.
            let mut sample = |n: u64, shift: f64| {
                let mut values: Vec<f64> =
                    (0..=draw(n)).map(|_| draw(6) as f64 / 2.0 + shift).collect();
                values.sort_by(f64::total_cmp);
                values
            };
            let (a, b) = (sample(12, 0.0), sample(9, f64::from(case % 5) / 2.0));
            let found = [cliffs_delta(&a, &b), kolmogorov_smirnov(&a, &b), wasserstein(&a, &b)];
            for (found, expected) in found.into_iter().zip(plainly(&a, &b)) {
                assert!((found - expected).abs() < 1e-12, "{a:?} {b:?}: {found} {expected}");
            }
        }
    }

    #[test]
    fn a_shift_is_its_own_distance() {
        let a = [0.0, 1.0, 5.0];
        let b = a.map(|x| x + 10.0);
        assert_eq!(
            (cliffs_delta(&a, &b), kolmogorov_smirnov(&a, &b), wasserstein(&a, &b)),
            (1.0, 1.0, 10.0)
        );
        assert_eq!(
            (cliffs_delta(&b, &a), kolmogorov_smirnov(&a, &a), wasserstein(&a, &a)),
            (-1.0, 0.0, 0.0)
        );
        // A tenth of all moved by 2.
        let tenth: Vec<f64> = (0..10).map(|i| if i == 9 { 2.0 } else { 0.0 }).collect();
        assert!((wasserstein(&[0.0; 3], &tenth) - 0.2).abs() < 1e-12);
    }
}
