//! Which part of the world a picture shows.

/// A rectangle of the world, seen along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Lowest x and y.
    pub low: [f64; 2],
    /// Highest x and y.
    pub high: [f64; 2],
}

impl Window {
    /// The domain's box; in an open domain the flock with a little air, strays left out.
    pub fn around(points: &[[f64; 2]], bounds: Option<([f32; 3], [f32; 3])>) -> Self {
        if let Some((min, max)) = bounds {
            return Self { low: [f64::from(min[0]), f64::from(min[1])], high: [f64::from(max[0]), f64::from(max[1])] };
        }
        let [x, y] = [0, 1].map(|a| span(points, a));
        // Never flatter than 1 : 4, so that a flock in a row still makes a picture.
        let widest = if x[1] - x[0] > y[1] - y[0] { x[1] - x[0] } else { y[1] - y[0] };
        let [x, y] = [x, y]
            .map(|[low, high]| if high - low < widest / 4.0 { about((low + high) / 2.0, widest / 4.0) } else { [low, high] });
        Self { low: [x[0], y[0]], high: [x[1], y[1]] }
    }

    /// Width and height.
    pub fn size(&self) -> [f64; 2] {
        [self.high[0] - self.low[0], self.high[1] - self.low[1]]
    }
}

/// Where nearly all points lie along an axis, with air around.
fn span(points: &[[f64; 2]], axis: usize) -> [f64; 2] {
    let mut along: Vec<f64> = points.iter().map(|point| point[axis]).collect();
    along.sort_unstable_by(f64::total_cmp);
    let (Some(&lowest), Some(&highest)) = (along.first(), along.last()) else { return [-1.0, 1.0] };
    // The middle 99 %, with a tenth of it around, or everyone if that is less.
    let stray = along.len() / 200;
    let (low, high) = (along[stray], along[along.len() - 1 - stray]);
    let air = (high - low) * 0.1;
    let (low, high) =
        (if low - air < lowest { lowest } else { low - air }, if high + air > highest { highest } else { high + air });
    let air = (high - low) * 0.04;
    if high > low { [low - air, high + air] } else { about(low, 2.0) }
}

/// An interval of this length about a middle.
fn about(middle: f64, length: f64) -> [f64; 2] {
    // A far middle may swallow the length; half a part in a thousand is always visible.
    let half = length / 2.0;
    let least = middle.abs() * 5e-4;
    let half = if half > least { half } else { least };
    [middle - half, middle + half]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_shown_whole() {
        let window = Window::around(&[[1.0, 1.0]], Some(([0.0; 3], [10.0, 20.0, 30.0])));
        assert_eq!(window, Window { low: [0.0, 0.0], high: [10.0, 20.0] });
    }

    #[test]
    fn strays_do_not_shrink_the_flock() {
        let mut points: Vec<[f64; 2]> = (0..1000).map(|i| [f64::from(i % 32), f64::from(i / 32)]).collect();
        points.push([1e6, 1e6]);
        assert!(Window::around(&points, None).size()[0] < 60.0);
    }

    #[test]
    fn any_flock_has_a_window() {
        for points in [vec![], vec![[0.0, 0.0]], vec![[1e30, -1e30]], vec![[0.0, 0.0], [100.0, 0.0]]] {
            let [width, height] = Window::around(&points, None).size();
            assert!(width > 0.0 && height > 0.0 && width.is_finite() && height.is_finite(), "{points:?}");
        }
    }
}
