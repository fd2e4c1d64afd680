//! Right and left of a vector, in the plane and about the vertical axis in space.

use crate::{Vector, math};

/// A vector to the right of another and at right angles to it, as by [`turned_right`]; in the plane
/// of the same length, in space as long as what it has across the axis of the turn.
pub fn to_the_right<V: Vector>(v: V) -> V {
    let [x, y] = [v.axis(0), v.axis(1)];
    if V::DIMENSIONS == 3 && x == 0.0 && y == 0.0 {
        return V::from_fn(|a| if a == 1 { v.axis(2) } else { 0.0 });
    }
    V::from_fn(|a| [y, -x, 0.0][a])
}

/// A vector turned right by an angle in radians (at most 10⁶): clockwise seen from +z, in space
/// about z, and where it is along z about x.
///
/// ```
/// use wingbeat_steer::{Vector, anticipation::turned_right};
/// let quarter = std::f32::consts::FRAC_PI_2;
/// assert!(turned_right([1.0, 0.0], quarter).minus([0.0, -1.0]).norm() < 1e-6);
/// assert!(turned_right([0.0, 0.0, 1.0], quarter).minus([0.0, 1.0, 0.0]).norm() < 1e-6);
/// ```
pub fn turned_right<V: Vector>(v: V, angle: f32) -> V {
    let (sin, cos) = math::sin_cos_turns(angle * math::RADIANS_TO_TURNS);
    let [x, y] = [v.axis(0), v.axis(1)];
    if V::DIMENSIONS == 3 && x == 0.0 && y == 0.0 {
        let z = v.axis(2);
        return V::from_fn(|a| [0.0, z * sin, z * cos][a]);
    }
    let turned = [x * cos + y * sin, y * cos - x * sin];
    V::from_fn(|a| if a == 2 { v.axis(2) } else { turned[a] })
}

/// Cross product in space.
pub(crate) fn cross<V: Vector>(a: V, b: V) -> V {
    let term = |i: usize, j: usize| a.axis(i) * b.axis(j) - a.axis(j) * b.axis(i);
    V::from_fn(|axis| term((axis + 1) % 3, (axis + 2) % 3))
}
