//! Facing: turning the body toward where it looks or goes, smoothly and at any frame rate.

use core::f32::consts::PI;

use glam::{Quat, Vec3};

use crate::{ParamError, Vector, check_range, math};

/// How quickly a body turns, for [`Facing::turn`] (2-D) and [`Facing::turn_3d`].
///
/// Formula: each call covers the fraction `1 − exp(−rate·dt)` of the remaining angle. Two calls of
/// dt/2 equal one of dt, so the motion is the same at every frame rate (to rounding: 1e-4 rad over
/// a second at 30, 60 and 144 calls).
///
/// Rate in 1 / unit of time, 0…1e9, default 5: the angle left falls to a third every 0.22. Larger
/// turns more sharply; 0 never.
///
/// ```
/// use wingbeat_steer::behavior::Facing;
/// let facing = Facing::new(5.0)?;
/// let mut angle = 0.0;
/// for _ in 0..60 {
///     angle = facing.turn(angle, [0.0, 1.0], 1.0 / 60.0);
/// }
/// assert!((angle - core::f32::consts::FRAC_PI_2).abs() < 0.02); // now faces up
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: exponential smoothing; the "look where you are going" of Millington and Funge 2009.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facing {
    rate: f32,
}

impl Default for Facing {
    fn default() -> Self {
        Self { rate: 5.0 }
    }
}

impl Facing {
    /// Turning at `rate` per unit of time.
    ///
    /// # Errors
    /// A rate outside 0…1e9.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Facing;
    /// assert_eq!(Facing::new(-1.0).unwrap_err().field, "facing.rate");
    /// ```
    pub fn new(rate: f32) -> Result<Self, ParamError> {
        check_range("facing.rate", rate, 0.0, 1e9)?;
        Ok(Self { rate })
    }

    /// 2-D: the new angle (radians, in [−π, π], 0 = +x, counter-clockwise) of a body at `angle`
    /// that turns the shorter way toward `direction`. Face something: pass `target − position`;
    /// look where you go: pass the velocity. Direction zero, or an angle that is not finite, leaves
    /// the angle alone.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Facing;
    /// let angle = Facing::default().turn(3.0, [-1.0, -0.1], 0.1);
    /// assert!(angle > 3.0 || angle < -3.0); // through π, not through 0
    /// ```
    pub fn turn<V: Vector>(&self, angle: f32, direction: V, dt: f32) -> f32 {
        let direction = direction.unit();
        if direction == V::origin() || !angle.is_finite() {
            return angle;
        }
        let wanted = libm::atan2f(direction.axis(1), direction.axis(0));
        let part = math::approach(self.rate, crate::terms::behavior::geometry::time_step(dt));
        wrap(angle + wrap(wanted - angle) * part)
    }

    /// 3-D: the new orientation of a body that turns along the shortest arc from `orientation`
    /// toward [`look_rotation`] of `direction` and `up`. Direction zero leaves it alone.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Facing;
    /// use wingbeat_steer::glam::{Quat, Vec3};
    /// let facing = Facing::new(1e9)?; // at once
    /// let turned = facing.turn_3d(Quat::IDENTITY, Vec3::Y, Vec3::Z, 1.0);
    /// assert!((turned * Vec3::X - Vec3::Y).length() < 1e-6);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn turn_3d(&self, orientation: Quat, direction: Vec3, up: Vec3, dt: f32) -> Quat {
        match look_rotation(direction, up) {
            Some(wanted) => slerp(
                orientation,
                wanted,
                math::approach(self.rate, crate::terms::behavior::geometry::time_step(dt)),
            ),
            None => orientation,
        }
    }
}

/// An angle brought into [−π, π].
fn wrap(angle: f32) -> f32 {
    let turns = libm::roundf(angle / (2.0 * PI));
    math::clamp(angle - turns * (2.0 * PI), -PI, PI)
}

/// The rotation that takes +X to `direction` and +Z as near to `up` as it can; `None` for direction
/// zero.
///
/// In the plane z = 0 with up = +Z it is the 2-D angle's rotation. If `up` is zero or along the
/// direction, another one is chosen. Hosts with another forward axis multiply a fixed rotation on
/// the right; for a body whose nose is −Z and roof +Y: `look_rotation(d, up)? *
/// Quat::from_mat3(&Mat3::from_cols(-Vec3::Y, Vec3::Z, -Vec3::X))`.
///
/// ```
/// use wingbeat_steer::{behavior::look_rotation, glam::Vec3};
/// let rotation = look_rotation(Vec3::new(0.0, 3.0, 0.0), Vec3::Z).unwrap();
/// assert!((rotation * Vec3::X - Vec3::Y).length() < 1e-6);
/// assert!((rotation * Vec3::Z - Vec3::Z).length() < 1e-6);
/// ```
/// Source: the orthonormal frame of the direction and up; Shepperd's matrix-to-quaternion form (as
/// glam has it).
pub fn look_rotation(direction: Vec3, up: Vec3) -> Option<Quat> {
    let forward = Vector::unit(direction);
    if forward == Vec3::ZERO {
        return None;
    }
    let up = Vector::unit(up);
    let mut roof = up.minus(forward.times(up.inner(forward)));
    if roof.norm() < 1e-4 {
        roof = crate::terms::behavior::geometry::tangent(forward, 1.0, 0.0);
    }
    let roof = Vector::unit(roof);
    let left = roof.cross(forward);
    Some(Quat::from_mat3(&glam::Mat3::from_cols(forward, left, roof)))
}

/// Spherical interpolation along the shorter arc, with the pinned `libm` (glam's own uses the
/// platform's).
fn slerp(from: Quat, to: Quat, part: f32) -> Quat {
    let (from, to) = (from.to_array(), to.to_array());
    let dot = |a: [f32; 4], b: [f32; 4]| ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3];
    let mut cos = dot(from, to);
    // q and −q are the same rotation: take the nearer.
    let sign = if cos < 0.0 { -1.0 } else { 1.0 };
    cos *= sign;
    let (a, b) = if cos > 0.9995 {
        (1.0 - part, part)
    } else {
        let angle = libm::acosf(cos);
        let scale = 1.0 / libm::sinf(angle);
        (libm::sinf((1.0 - part) * angle) * scale, libm::sinf(part * angle) * scale)
    };
    let mixed: [f32; 4] = core::array::from_fn(|i| a * from[i] + b * sign * to[i]);
    let length = math::sqrt(dot(mixed, mixed));
    if length > 0.0 { Quat::from_array(mixed.map(|q| q / length)) } else { Quat::from_array(to) }
}
