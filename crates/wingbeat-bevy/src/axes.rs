//! From the scene's coordinates to Bevy's, and from headings to rotations.

use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;

/// How the scene's axes lie in Bevy's world.
///
/// | | scenes in the plane | scenes in space |
/// |---|---|---|
/// | `YUp` | (x, y) on Bevy's x-y plane, for sprites; z is left as it is | (x, y, z) as they are |
/// | `ZUp` | (x, 0, −y), on the floor; the height is left as it is | (x, z, −y): z is the height |
///
/// Nothing is mirrored: what turns anticlockwise in the scene does so on the screen, seen from the
/// front or from above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axes {
    /// The scene's y is Bevy's y. The default.
    #[default]
    YUp,
    /// The scene's z, or what is above its plane, is Bevy's y.
    ZUp,
}

impl Axes {
    /// The scene's coordinates of a place or direction of Bevy's; the third of a scene in the plane
    /// means nothing.
    pub fn to_scene(self, v: Vec3) -> [f32; 3] {
        match self {
            Self::YUp => [v.x, v.y, v.z],
            Self::ZUp => [v.x, -v.z, v.y],
        }
    }

    /// A place or direction of the scene in Bevy's world.
    pub fn to_bevy(self, [x, y, z]: [f32; 3]) -> Vec3 {
        match self {
            Self::YUp => Vec3::new(x, y, z),
            Self::ZUp => Vec3::new(x, z, -y),
        }
    }

    /// Degrees that a rotation turns the scene's plane by, anticlockwise.
    pub(crate) fn degrees(self, rotation: Quat) -> f32 {
        let sine = match self {
            Self::YUp => rotation.z,
            Self::ZUp => rotation.y,
        };
        let degrees = (2.0 * libm::atan2f(sine, rotation.w)).to_degrees();
        // q and -q are one rotation.
        if degrees > 180.0 {
            degrees - 360.0
        } else if degrees < -180.0 {
            degrees + 360.0
        } else {
            degrees
        }
    }

    /// Puts a boid where it is; a scene in the plane leaves alone what is not in its plane.
    #[inline(always)]
    pub(crate) fn place(self, transform: &mut Transform, position: [f32; 3], space: bool) {
        let kept = transform.translation;
        let mut place = self.to_bevy(position);
        if !space {
            match self {
                Self::YUp => place.z = kept.z,
                Self::ZUp => place.y = kept.y,
            }
        }
        transform.translation = place;
    }

    /// The rotation of a boid that moves like this; `None` for one that stands.
    pub(crate) fn rotation(self, velocity: [f32; 3], space: bool) -> Option<Quat> {
        let (rotation, moves) = self.facing(velocity, space);
        moves.then(|| Quat::from_array(rotation))
    }

    /// The rotation of a boid that moves like this, as a quaternion, and whether it moves at all:
    /// otherwise the rotation means nothing. All selects and no branches, so that a loop over many
    /// is one over registers.
    #[inline(always)]
    pub(crate) fn facing(self, velocity: [f32; 3], space: bool) -> ([f32; 4], bool) {
        if self == Self::YUp && !space {
            in_plane(velocity[0], velocity[1])
        } else {
            along(self.to_bevy(velocity).to_array())
        }
    }
}

/// About z, so that the local x axis points along the velocity.
#[inline(always)]
fn in_plane(x: f32, y: f32) -> ([f32; 4], bool) {
    let length = (x * x + y * y).sqrt();
    let share = 1.0 / length;
    let (sine, cosine) = towards_half(y * share, x * share, 1.0);
    let share = 1.0 / (sine * sine + cosine * cosine).sqrt();
    ([0.0, 0.0, sine * share, cosine * share], length > 0.0 && length < f32::INFINITY)
}

/// So that forward, the local −z axis, points along the velocity, and no boid rolls: about Bevy's y
/// first, then up or down. Straight up and straight down it faces −z first.
///
/// ```text
/// d = v / |v|                 level = |(dₓ, d_z)|
/// about y  ~ half of the angle with sine −dₓ and cosine −d_z, both by level
/// up       ~ half of the angle with sine d_y and cosine level
/// q = about y · up, made as long as 1 at the end
/// ```
#[inline(always)]
fn along([x, y, z]: [f32; 3]) -> ([f32; 4], bool) {
    let length = (x * x + y * y + z * z).sqrt();
    let share = 1.0 / length;
    let (x, y, z) = (x * share, y * share, z * share);
    let level = (x * x + z * z).sqrt();
    // A boid that goes neither forward nor aside faces −z: a cosine so small that it changes no
    // other heading, and large enough to be squared.
    let (yaw_sine, yaw_cosine) = towards_half(-x, 1e-18 - z, level);
    let (pitch_sine, pitch_cosine) = towards_half(y, level, 1.0);
    let (yaw_sq, pitch_sq) = (
        yaw_sine * yaw_sine + yaw_cosine * yaw_cosine,
        pitch_sine * pitch_sine + pitch_cosine * pitch_cosine,
    );
    let (yaw_share, pitch_share) = (1.0 / yaw_sq.sqrt(), 1.0 / pitch_sq.sqrt());
    let (yaw_sine, yaw_cosine) = (yaw_sine * yaw_share, yaw_cosine * yaw_share);
    let (pitch_sine, pitch_cosine) = (pitch_sine * pitch_share, pitch_cosine * pitch_share);
    let rotation = [
        yaw_cosine * pitch_sine,
        yaw_sine * pitch_cosine,
        -yaw_sine * pitch_sine,
        yaw_cosine * pitch_cosine,
    ];
    (rotation, length > 0.0 && length < f32::INFINITY)
}

/// Something along sine and cosine of half an angle, from something along those of the angle, which
/// is as long as `length`: no call to either, no root, no division, and no cancellation.
#[inline(always)]
fn towards_half(sine: f32, cosine: f32, length: f32) -> (f32, f32) {
    let (larger, smaller) = ((length + cosine.abs()).to_bits(), sine.abs().to_bits());
    // Exchanged where the cosine is negative, by bits: headings are unpredictable, and as branches
    // these cost more than all the rest.
    let exchanged = (larger ^ smaller) & (cosine.to_bits().cast_signed() >> 31).cast_unsigned();
    let (half_sine, half_cosine) =
        (f32::from_bits(smaller ^ exchanged), f32::from_bits(larger ^ exchanged));
    (half_sine.copysign(sine), half_cosine)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directions() -> Vec<Vec3> {
        let steps = [-1.0, -0.5, -1e-3, 0.0, 0.25, 1.0];
        let mut all = Vec::new();
        for x in steps {
            for y in steps {
                all.extend(steps.map(|z| Vec3::new(x, y, z)));
            }
        }
        all.retain(|v| v.length() > 0.0);
        all
    }

    #[test]
    fn forward_is_along_the_velocity_and_no_boid_rolls() {
        for v in directions() {
            for axes in [Axes::YUp, Axes::ZUp] {
                let rotation = axes.rotation(v.to_array(), true).expect("it moves");
                let wanted = axes.to_bevy(v.to_array()).normalize();
                assert!((rotation * Vec3::NEG_Z - wanted).length() < 2e-6, "{v} {axes:?}");
                assert!((rotation.length() - 1.0).abs() < 1e-6);
                assert!((rotation * Vec3::X).y.abs() < 1e-6, "{v} rolls");
                if wanted.x * wanted.x + wanted.z * wanted.z > 1e-4 {
                    let bevy = Transform::default().looking_to(wanted, Vec3::Y).rotation;
                    assert!(bevy.dot(rotation).abs() > 1.0 - 1e-5, "{v} {bevy} {rotation}");
                }
            }
        }
    }

    #[test]
    fn in_the_plane_local_x_is_along_the_velocity() {
        for v in directions().into_iter().filter(|v| v.x != 0.0 || v.y != 0.0) {
            let flat = Vec3::new(v.x, v.y, 0.0).normalize();
            let rotation = Axes::YUp.rotation(v.to_array(), false).expect("it moves");
            assert!((rotation * Vec3::X - flat).length() < 2e-6, "{v}");
            assert!((rotation * Vec3::Z - Vec3::Z).length() < 1e-6);
        }
        assert_eq!(Axes::YUp.rotation([0.0; 3], false), None);
        assert_eq!(Axes::ZUp.rotation([0.0; 3], true), None);
        assert_eq!(Axes::ZUp.rotation([f32::NAN, 0.0, 0.0], true), None);
    }

    #[test]
    fn nothing_is_mirrored() {
        for axes in [Axes::YUp, Axes::ZUp] {
            let [x, y, z] =
                [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|v| axes.to_bevy(v));
            assert_eq!(x.cross(y), z);
            assert_eq!(axes.to_scene(axes.to_bevy([1.0, 2.0, 3.0])), [1.0, 2.0, 3.0]);
        }
        for degrees in [-170.0f32, -90.0, 0.0, 30.0, 179.0] {
            let about_z = Axes::YUp.degrees(Quat::from_rotation_z(degrees.to_radians()));
            let about_y = Axes::ZUp.degrees(-Quat::from_rotation_y(degrees.to_radians()));
            assert!(
                (about_z - degrees).abs() < 1e-3 && (about_y - degrees).abs() < 1e-3,
                "{degrees}: {about_z} {about_y}"
            );
        }
    }

    #[test]
    fn what_is_not_in_the_plane_stays() {
        let mut transform = Transform::from_xyz(9.0, 8.0, 7.0);
        Axes::YUp.place(&mut transform, [1.0, 2.0, 0.0], false);
        assert_eq!(transform.translation, Vec3::new(1.0, 2.0, 7.0));
        Axes::ZUp.place(&mut transform, [1.0, 3.0, 0.0], false);
        assert_eq!(transform.translation, Vec3::new(1.0, 2.0, -3.0));
    }
}
