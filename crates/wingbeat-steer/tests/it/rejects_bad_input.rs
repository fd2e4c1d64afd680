//! Bad parameters are refused where something is constructed, with field, value and allowed range.

use wingbeat_steer::behavior::{AxisBox, Capsule, Facing, Path, SeekFlee, Sphere};
use wingbeat_steer::{
    Body, HuntParameters, Hunter, Jitter, ParamError, Prey, Spline, Steering, Walker,
    WalkerParameters, Wander, WanderParameters,
};

const NAN: f32 = f32::NAN;
const INFINITY: f32 = f32::INFINITY;

fn wander(change: impl FnOnce(&mut WanderParameters)) -> Option<ParamError> {
    let mut parameters = WanderParameters::default();
    change(&mut parameters);
    Wander::<[f32; 3]>::new(parameters, Jitter::owned(1, 0)).err()
}

fn walker(change: impl FnOnce(&mut WalkerParameters)) -> Option<ParamError> {
    let mut parameters = WalkerParameters::default();
    change(&mut parameters);
    Walker::<[f32; 2]>::new(parameters, Jitter::owned(1, 0)).err()
}

fn hunt(change: impl FnOnce(&mut HuntParameters)) -> Option<ParamError> {
    let mut parameters = HuntParameters::default();
    change(&mut parameters);
    let (hunter, prey) = (Hunter::new(parameters).err(), Prey::new(parameters).err());
    assert_eq!(hunter.as_ref().map(|e| &e.field), prey.as_ref().map(|e| &e.field));
    hunter
}

fn body(position: [f32; 2], velocity: [f32; 2], max_speed: f32, mass: f32) -> Option<ParamError> {
    Body::new(position, velocity, max_speed, mass).err()
}

#[test]
fn each_refusal_names_field_value_and_range() {
    let at = [0.0, 0.0];
    let still = [0.0, 0.0];
    let good = Body::new(at, still, 1.0, 1.0).unwrap();
    let table: Vec<(&str, Option<ParamError>)> = vec![
        ("wander.distance = -1: allowed is 0 to 1e9", wander(|p| p.distance = -1.0)),
        ("wander.radius = NaN: allowed is 0 to 1e9", wander(|p| p.radius = NAN)),
        ("wander.range = 7: allowed is 0 to 6.2831855", wander(|p| p.range = 7.0)),
        ("wander.interval = 0: allowed is 0.001 to 1000000", wander(|p| p.interval = 0.0)),
        ("walker.field_of_view = 111: allowed is 0 to 110", walker(|p| p.field_of_view = 111.0)),
        ("walker.aggro_radius = 0: allowed is 1e-9 to 1e12", walker(|p| p.aggro_radius = 0.0)),
        ("walker.step_factor = 1.5: allowed is 0.001 to 1", walker(|p| p.step_factor = 1.5)),
        ("walker.min_step = 0: allowed is 1e-9 to 1e12", walker(|p| p.min_step = 0.0)),
        ("walker.max_step = 0.5: allowed is 1 to 1e12", walker(|p| p.max_step = 0.5)),
        ("hunt.range = -1: allowed is 0 to 1e12", hunt(|p| p.range = -1.0)),
        ("hunt.stamina = 0: allowed is 1e-9 to 1e9", hunt(|p| p.stamina = 0.0)),
        ("hunt.chase_cost = inf: allowed is 0 to 1e9", hunt(|p| p.chase_cost = INFINITY)),
        ("hunt.recovery = -2: allowed is 0 to 1e9", hunt(|p| p.recovery = -2.0)),
        ("hunt.pointer_range = NaN: allowed is 0 to 1e12", hunt(|p| p.pointer_range = NAN)),
        (
            "hunt.pointer_slowing_radius = -3: allowed is 0 to 1e12",
            hunt(|p| p.pointer_slowing_radius = -3.0),
        ),
        ("body.position[1] = 2e30: allowed is -1e30 to 1e30", body([0.0, 2e30], still, 1.0, 1.0)),
        ("body.velocity[0] = -inf: allowed is -1e12 to 1e12", body(at, [-INFINITY, 0.0], 1.0, 1.0)),
        ("body.max_speed = -1: allowed is 0 to 1e9", body(at, still, -1.0, 1.0)),
        ("body.mass = 0: allowed is 1e-9 to 1e9", body(at, still, 1.0, 0.0)),
        ("steering.max_force = 2e9: allowed is 0 to 1e9", Steering::new(&good, 2e9).err()),
        (
            "steering.slowing_radius = NaN: allowed is 0 to 1e12",
            Steering::new(&good, 1.0).unwrap().with_slowing_radius(NAN).err(),
        ),
        ("facing.rate = -1: allowed is 0 to 1e9", Facing::new(-1.0).err()),
        ("seek_flee.sight = 0: allowed is 1e-9 to 1e12", SeekFlee::new(0.0, 0.0, 60.0).err()),
        ("seek_flee.cos_half_view = 2: allowed is -1 to 1", SeekFlee::new(200.0, 2.0, 60.0).err()),
        (
            "seek_flee.too_close = NaN: allowed is 1e-9 to 1e12",
            SeekFlee::new(200.0, 0.0, NAN).err(),
        ),
        ("sphere.radius = -1: allowed is 0 to 1e12", Sphere::new(at, -1.0).err()),
        ("sphere.center[0] = NaN: allowed is -1e30 to 1e30", Sphere::new([NAN, 0.0], 1.0).err()),
        ("axis_box.high[1] = -1: allowed is 0 to 1e30", AxisBox::new(at, [1.0, -1.0]).err()),
        (
            "axis_box.low[0] = -inf: allowed is -1e30 to 1e30",
            AxisBox::new([-INFINITY, 0.0], at).err(),
        ),
        ("capsule.radius = NaN: allowed is 0 to 1e12", Capsule::new(at, at, NAN).err()),
        (
            "capsule.to[0] = inf: allowed is -1e30 to 1e30",
            Capsule::new(at, [INFINITY, 0.0], 1.0).err(),
        ),
        ("path.points = 0: allowed is 1 to 1.6777216e7", Path::<[f32; 2]>::looped([], 1.0).err()),
        ("path.radius = -1: allowed is 0 to 1e12", Path::open([at], -1.0).err()),
        (
            "spline.points[1][0] = NaN: allowed is -1e30 to 1e30",
            Spline::new([at, [NAN, 0.0]]).err(),
        ),
    ];
    for (message, error) in table {
        assert_eq!(error.map(|e| e.to_string()).as_deref(), Some(message));
    }
}

#[test]
fn a_hosts_bad_answers_do_not_reach_the_numbers() {
    struct Liar;
    impl wingbeat_steer::Agent<[f32; 2]> for Liar {
        fn position(&self) -> [f32; 2] {
            [1.0, 2.0]
        }
        fn velocity(&self) -> [f32; 2] {
            [1.0, 0.0]
        }
        fn max_speed(&self) -> f32 {
            NAN
        }
        fn mass(&self) -> f32 {
            0.0
        }
    }
    let mut steering = Steering::new(&Liar, 5.0).unwrap();
    for dt in [1.0, NAN, -1.0, INFINITY] {
        let motion = steering.seek([9.0, 9.0]).update(dt);
        assert!(
            motion.position.iter().chain(&motion.velocity).all(|x| x.is_finite()),
            "dt {dt}: {motion:?}"
        );
    }
}
