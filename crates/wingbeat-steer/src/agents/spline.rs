//! A smooth curve through waypoints.

use alloc::vec::Vec;

use crate::agents::behavior::length_and_direction;
use crate::schema::error::check_places;
use crate::{ParamError, Vector, math};

/// A centripetal Catmull-Rom spline: a smooth curve through every one of its points.
///
/// Between points b and c, with neighbors a and d, each piece is the pyramid of linear
/// interpolations of Barry and Goldman over the knots 0, t₁ = √‖b − a‖, t₂ = t₁ + √‖c − b‖, t₃ =
/// t₂ + √‖d − c‖. The square roots (the "centripetal" knots) keep it free of loops and cusps where
/// long legs follow short ones, as a walker's do. At the ends the missing neighbor is the end
/// mirrored in itself. Points that coincide are one point.
///
/// ```
/// use wingbeat_steer::Spline;
/// let curve = Spline::new([[0.0, 0.0], [4.0, 2.0], [6.0, 6.0]])?;
/// assert_eq!(curve.at(1.0), [4.0, 2.0]); // through its points
/// assert_eq!(curve.samples(8).count(), 2 * 8 + 1);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: Catmull and Rom 1974; Barry and Goldman 1988; Yuksel et al. 2011 for the knots.
#[derive(Debug, Clone, PartialEq)]
pub struct Spline<V> {
    points: Vec<V>,
}

impl<V: Vector> Spline<V> {
    /// The curve through `points`.
    ///
    /// # Errors
    /// No point, or a coordinate outside ±1e30.
    ///
    /// ```
    /// # use wingbeat_steer::Spline;
    /// assert_eq!(Spline::<[f32; 2]>::new([]).unwrap_err().field, "spline.points");
    /// ```
    pub fn new(points: impl IntoIterator<Item = V>) -> Result<Self, ParamError> {
        let points: Vec<V> = points.into_iter().collect();
        check_places("spline.points", &points)?;
        Ok(Self { points })
    }

    /// The points it goes through.
    ///
    /// ```
    /// # use wingbeat_steer::Spline;
    /// assert_eq!(Spline::new([[1.0, 2.0]])?.points(), [[1.0, 2.0]]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn points(&self) -> &[V] {
        &self.points
    }

    /// The point at parameter `u`: 0 is the first point, 1 the second, 1.5 on the way to the third.
    /// Outside 0…n − 1 the ends.
    ///
    /// ```
    /// # use wingbeat_steer::Spline;
    /// let line = Spline::new([[0.0, 0.0], [4.0, 0.0]])?;
    /// assert_eq!(line.at(0.5), [2.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn at(&self, u: f32) -> V {
        let last = self.points.len() - 1;
        let u = if u > 0.0 { math::min(u, last as f32) } else { 0.0 };
        let piece = u as usize;
        if piece >= last || u == piece as f32 {
            return self.points[piece]; // exactly through the waypoints, not just nearly
        }
        let (b, c) = (self.points[piece], self.points[piece + 1]);
        let a = if piece == 0 { mirrored(c, b) } else { self.points[piece - 1] };
        let d = if piece + 2 > last { mirrored(b, c) } else { self.points[piece + 2] };
        between([a, b, c, d], u - piece as f32)
    }

    /// `per_piece` points for every piece, then the last one: ready to draw.
    ///
    /// ```
    /// # use wingbeat_steer::Spline;
    /// let curve = Spline::new([[0.0, 0.0], [4.0, 0.0]])?;
    /// assert!(curve.samples(2).eq([[0.0, 0.0], [2.0, 0.0], [4.0, 0.0]]));
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn samples(&self, per_piece: usize) -> impl Iterator<Item = V> + '_ {
        let per_piece = if per_piece == 0 { 1 } else { per_piece };
        let count = (self.points.len() - 1) * per_piece;
        (0..=count).map(move |i| {
            self.at((i / per_piece) as f32 + (i % per_piece) as f32 / per_piece as f32)
        })
    }
}

/// `point` seen from the other side of `mirror`.
fn mirrored<V: Vector>(point: V, mirror: V) -> V {
    mirror.plus(mirror.minus(point))
}

/// A fraction of the way from the second of four points to the third.
fn between<V: Vector>([a, b, c, d]: [V; 4], part: f32) -> V {
    let knot = |from: V, to: V| math::sqrt(length_and_direction(to.minus(from)).0);
    let t1 = knot(a, b);
    let t2 = t1 + knot(b, c);
    let t3 = t2 + knot(c, d);
    let t = t1 + (t2 - t1) * part;
    let mix = |from: V, to: V, start: f32, end: f32| {
        let along = if end > start { (t - start) / (end - start) } else { 0.0 };
        from.plus(to.minus(from).times(along))
    };
    let (ab, bc, cd) = (mix(a, b, 0.0, t1), mix(b, c, t1, t2), mix(c, d, t2, t3));
    let (abc, bcd) = (mix(ab, bc, 0.0, t2), mix(bc, cd, t1, t3));
    mix(abc, bcd, t1, t2)
}
