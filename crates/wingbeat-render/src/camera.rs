//! From where a flock is seen, and what that makes of places and directions.

use crate::num::dot;
use crate::{Extent, RenderError};

/// Perspective: the whole angle a picture's height covers, degrees. As a moderate lens, so that
/// near boids do not balloon.
const LENS: f64 = 32.0;
/// Nearer than this share of the camera's distance nothing is drawn.
const NEAR: f32 = 0.05;

/// What a picture is fitted to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fit {
    /// The domain's box; where space is open, the flock.
    #[default]
    Domain,
    /// The flock, which the camera then follows.
    Flock,
}

/// From where a flock is seen. The plane is seen from above; space by a camera that goes around
/// what it looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// From which side, degrees around z: at 0 the camera stands in the direction of x, at 90 in
    /// that of y. Default -60.
    pub azimuth: f64,
    /// From how high, degrees, -90 (from below) to 90 (from above). Default 18.
    pub elevation: f64,
    /// How much nearer than what shows everything, 0.01 to 1000. Default 1; larger shows less of
    /// the world.
    pub zoom: f64,
    /// Degrees the camera goes around from picture to picture. Default 0.
    pub turn: f64,
    /// What a picture is fitted to. Default: the domain.
    pub fit: Fit,
}

impl Default for Camera {
    fn default() -> Self {
        Self { azimuth: -60.0, elevation: 18.0, zoom: 1.0, turn: 0.0, fit: Fit::default() }
    }
}

impl Camera {
    pub(crate) fn check(&self) -> Result<(), RenderError> {
        let check = |name, value: f64, range: std::ops::RangeInclusive<f64>, allowed| {
            if range.contains(&value) {
                Ok(())
            } else {
                Err(RenderError::value(name, value, allowed))
            }
        };
        check("azimuth", self.azimuth, -1e6..=1e6, "a finite angle in degrees")?;
        check("elevation", self.elevation, -90.0..=90.0, "-90 to 90 degrees")?;
        check("zoom", self.zoom, 0.01..=1000.0, "0.01 to 1000")?;
        check("turn", self.turn, -360.0..=360.0, "-360 to 360 degrees")
    }

    /// The view of an extent by picture number `k`.
    ///
    /// A box is fitted to its corners, a flock to the ellipsoid it fills.
    pub(crate) fn view(
        &self,
        dimensions: usize,
        extent: &Extent,
        is_box: bool,
        window: &Frame,
        k: u64,
    ) -> View {
        if dimensions == 2 {
            return self.plane(extent, window);
        }
        let points = if is_box { extent.corners().to_vec() } else { extent.rim() };
        self.space(extent, &points, window, k)
    }

    fn plane(&self, extent: &Extent, window: &Frame) -> View {
        let size = extent.size();
        let [x, y] = [0, 1].map(|a| window.inner[a] / size[a]);
        let per_unit = if x < y { x } else { y } * self.zoom;
        View {
            focus: extent.center(),
            right: [1.0, 0.0, 0.0],
            up: [0.0, 1.0, 0.0],
            // Down, towards what is seen.
            forward: [0.0, 0.0, -1.0],
            distance: 0.0,
            lens: per_unit as f32,
            middle: window.middle.map(|x| x as f32),
            depth: 0.0,
        }
    }

    fn space(&self, extent: &Extent, points: &[[f64; 3]], window: &Frame, k: u64) -> View {
        let azimuth = self.azimuth + self.turn * k as f64;
        let lens = window.inner[1] / 2.0 / libm::tan(LENS.to_radians() / 2.0);
        let focus = extent.center();
        let [x, y, z] = extent.size();
        let half = (x * x + y * y + z * z).sqrt() / 2.0;
        // A camera that goes around keeps the distance that shows everything from all sides, or the
        // picture would breathe.
        let sides = if self.turn == 0.0 { 1 } else { 36 };
        let seen: Vec<[f64; 3]> = (0..sides)
            .flat_map(|side| {
                let axes = axes(azimuth + f64::from(side) * 10.0, self.elevation);
                points.iter().map(move |point| {
                    let from: [f64; 3] = std::array::from_fn(|a| point[a] - focus[a]);
                    axes.map(|axis| from[0] * axis[0] + from[1] * axis[1] + from[2] * axis[2])
                })
            })
            .collect();
        // What is seen from a distance, in units of the lens: lowest and highest, across and up.
        let shadow = |distance: f64| {
            [0, 1].map(|a| {
                let over = seen.iter().map(|point| point[a] / (distance + point[2]));
                over.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
                    [if x < low { x } else { low }, if x > high { x } else { high }]
                })
            })
        };
        let fits = |distance: f64| {
            let shadow = shadow(distance);
            (0..2).all(|a| (shadow[a][1] - shadow[a][0]) * lens <= window.inner[a])
        };
        let (mut near, mut distance) = (half * 1.02, half * 40.0);
        for _ in 0..40 {
            let between = (near + distance) / 2.0;
            if fits(between) { distance = between } else { near = between }
        }
        let middle = shadow(distance).map(|[low, high]| (low + high) / 2.0 * lens * self.zoom);
        let [right, up, forward] = axes(azimuth, self.elevation).map(|axis| axis.map(|x| x as f32));
        View {
            focus,
            right,
            up,
            forward,
            distance: distance as f32,
            lens: (lens * self.zoom) as f32,
            middle: [(window.middle[0] - middle[0]) as f32, (window.middle[1] + middle[1]) as f32],
            // The corners of a box are mostly empty.
            depth: (half * 0.8) as f32,
        }
    }
}

/// Right, up and forward of a camera.
fn axes(azimuth: f64, elevation: f64) -> [[f64; 3]; 3] {
    let (a, e) = (azimuth.to_radians(), elevation.to_radians());
    let (sin_a, cos_a, sin_e, cos_e) = (libm::sin(a), libm::cos(a), libm::sin(e), libm::cos(e));
    [
        [-sin_a, cos_a, 0.0],
        [-sin_e * cos_a, -sin_e * sin_a, cos_e],
        [-cos_e * cos_a, -cos_e * sin_a, -sin_e],
    ]
}

/// The canvas, and what of it is for the world.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Width and height of what is for the world, pixels.
    pub inner: [f64; 2],
    /// Its middle.
    pub middle: [f64; 2],
}

/// A camera in place.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// What it looks at.
    pub focus: [f64; 3],
    pub right: [f32; 3],
    pub up: [f32; 3],
    pub forward: [f32; 3],
    /// From the camera to the focus; 0 in the plane, which has no perspective.
    pub distance: f32,
    /// Pixels to a length at distance 1; in the plane, at any.
    pub lens: f32,
    pub middle: [f32; 2],
    /// How far before and behind the focus boids are.
    pub depth: f32,
}

/// A place on the canvas.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub x: f32,
    pub y: f32,
    /// How far away; 0 in the plane.
    pub far: f32,
    /// Pixels to a length there.
    pub per_unit: f32,
}

impl View {
    /// Where a point of the world is seen; `None` behind the camera, and of what is no number.
    #[inline]
    pub fn place(&self, position: [f32; 3]) -> Option<Place> {
        let from: [f32; 3] =
            std::array::from_fn(|a| (f64::from(position[a]) - self.focus[a]) as f32);
        let (x, y) = (dot(from, self.right), dot(from, self.up));
        if self.distance == 0.0 {
            return Some(Place {
                x: self.middle[0] + x * self.lens,
                y: self.middle[1] - y * self.lens,
                far: 0.0,
                per_unit: self.lens,
            })
            .filter(|place| place.x.is_finite() && place.y.is_finite());
        }
        let far = self.distance + dot(from, self.forward);
        if far.is_nan() || far <= self.distance * NEAR {
            return None;
        }
        let per_unit = self.lens / far;
        Some(Place {
            x: self.middle[0] + x * per_unit,
            y: self.middle[1] - y * per_unit,
            far,
            per_unit,
        })
        .filter(|place| place.x.is_finite() && place.y.is_finite())
    }

    /// A unit direction at a place, on the canvas, y downwards: its length is what perspective
    /// leaves of it, 0 to about 1.
    #[inline]
    pub fn direction(&self, at: &Place, direction: [f32; 3]) -> [f32; 2] {
        let (x, y) = (dot(direction, self.right), dot(direction, self.up));
        if self.distance == 0.0 {
            return [x, -y];
        }
        // What goes away from the camera nears the middle of the canvas.
        let away = dot(direction, self.forward) / self.lens;
        [x - (at.x - self.middle[0]) * away, -y - (at.y - self.middle[1]) * away]
    }

    /// 0 for the farthest to 1 for the nearest; the plane is near.
    #[inline]
    pub fn nearness(&self, far: f32) -> f32 {
        if self.distance == 0.0 {
            return 1.0;
        }
        crate::num::within(0.5 + (self.distance - far) / (2.0 * self.depth), 0.0, 1.0)
    }

    /// Pixels to a length at the focus.
    pub fn per_unit(&self) -> f32 {
        if self.distance == 0.0 { self.lens } else { self.lens / self.distance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame { inner: [800.0, 600.0], middle: [400.0, 300.0] };
    const CUBE: Extent = Extent { low: [-5.0; 3], high: [5.0; 3] };

    #[test]
    fn the_whole_box_is_seen_from_everywhere() {
        for azimuth in [-180.0, -60.0, 0.0, 45.0, 100.0] {
            for elevation in [-90.0, 0.0, 30.0, 90.0] {
                let view = Camera { azimuth, elevation, ..Camera::default() }
                    .view(3, &CUBE, true, &FRAME, 0);
                let places = CUBE
                    .corners()
                    .map(|corner| view.place(corner.map(|x| x as f32)).expect("before the camera"));
                let span = |along: fn(&Place) -> f32| {
                    let mut all = places.each_ref().map(along);
                    all.sort_unstable_by(f32::total_cmp);
                    [all[0], all[7]]
                };
                let ([left, right], [top, bottom]) = (span(|place| place.x), span(|place| place.y));
                assert!(
                    left > -0.1 && right < 800.1 && top > -0.1 && bottom < 600.1,
                    "{azimuth} {elevation}"
                );
                // Nothing is left over where it is tight, and what is left over is on both sides.
                assert!(right - left > 799.0 || bottom - top > 599.0, "{azimuth} {elevation}");
                assert!(
                    (left + right - 800.0).abs() < 0.5 && (top + bottom - 600.0).abs() < 0.5,
                    "{azimuth} {elevation}"
                );
            }
        }
    }

    #[test]
    fn up_is_up_and_the_near_is_large() {
        let view = Camera { azimuth: 0.0, elevation: 0.0, ..Camera::default() }
            .view(3, &CUBE, true, &FRAME, 0);
        let [middle, above, near] =
            [[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]].map(|p| view.place(p).expect("a place"));
        assert!(above.y < middle.y && near.far < middle.far && near.per_unit > middle.per_unit);
        // The camera stands at x: y is to the right.
        assert!(view.place([0.0, 1.0, 0.0]).expect("a place").x > middle.x);
        assert!(view.place([1e9, 0.0, 0.0]).is_none() && view.place([f32::NAN; 3]).is_none());
        assert!(view.nearness(near.far) > view.nearness(middle.far));
    }

    #[test]
    fn directions_are_what_steps_are() {
        let view = Camera::default().view(3, &CUBE, true, &FRAME, 0);
        let (from, step, small) = ([1.0_f32, -2.0, 3.0], [0.6_f32, 0.0, 0.8], 1e-2_f32);
        let place = view.place(from).expect("a place");
        let next = view.place(std::array::from_fn(|a| from[a] + step[a] * small)).expect("a place");
        let [x, y] = view.direction(&place, step);
        let scale = place.per_unit * small;
        assert!(
            (next.x - place.x - x * scale).abs() < 0.02
                && (next.y - place.y - y * scale).abs() < 0.02
        );
    }

    #[test]
    fn a_turning_camera_keeps_its_distance() {
        let camera = Camera { turn: 7.0, ..Camera::default() };
        let slab = Extent { low: [-9.0, -1.0, -2.0], high: [9.0, 1.0, 2.0] };
        let distances = [0, 1, 5, 20].map(|k| camera.view(3, &slab, true, &FRAME, k).distance);
        let spread = distances
            .iter()
            .fold(0.0_f32, |most, d| crate::num::most(most, (d - distances[0]).abs()));
        assert!(spread < 0.02 * distances[0], "{distances:?}");
    }
}
