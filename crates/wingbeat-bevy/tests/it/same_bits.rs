//! The flock in an app is the flock.

use wingbeat_bevy::{Axes, FlockSettings};

use super::*;

const SCENES: [(&str, &[&str]); 6] = [
    ("shoal", &["flock.boids=1500"]),
    ("murmuration", &["flock.boids=800"]),
    ("hunter_prey", &["flock.boids=600"]),
    ("evacuation", &["flock.boids=150"]),
    ("couzin2002", &[]),
    ("netlogo", &["flock.boids=200"]),
];

#[test]
fn an_app_and_the_engine_alone_agree() {
    for (name, overrides) in SCENES {
        let mut alone = engine(name, overrides, 1);
        let mut app = app(name, overrides);
        for _ in 0..6 {
            for _ in 0..10 {
                alone.step();
            }
            steps(&mut app, 10);
            assert_eq!(
                flock(&app).state_hash(),
                alone.flock().state_hash(),
                "{name} at step {}",
                flock(&app).steps()
            );
            assert_one_entity_each(&mut app);
        }
    }
}

#[test]
fn threads_and_settings_change_no_bit() {
    for (name, overrides) in
        [("shoal", &["flock.boids=6000"][..]), ("murmuration", &["flock.boids=5000"][..])]
    {
        let hash = |threads, settings| {
            let mut app = app_of(engine(name, overrides, threads), settings);
            steps(&mut app, 12);
            flock(&app).state_hash()
        };
        let usual = FlockSettings::default();
        let one = hash(1, usual);
        assert_eq!(one, hash(2, usual), "{name}");
        let other = FlockSettings { axes: Axes::ZUp, interpolate: false, rotate: false, ..usual };
        assert_eq!(one, hash(2, other), "{name}");
    }
}

#[test]
fn several_steps_in_a_frame_are_the_same_steps() {
    let (mut one, mut many) = (app(SEA, &[]), app(SEA, &[]));
    // At most a quarter of a second passes in a frame, unless the app says otherwise.
    many.world_mut()
        .resource_mut::<Time<bevy_time::Virtual>>()
        .set_max_delta(Duration::from_secs(100));
    many.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(5.0)));
    many.update();
    steps(&mut one, 10);
    assert_eq!((flock(&many).steps(), flock(&many).state_hash()), (10, flock(&one).state_hash()));
}

#[test]
fn time_is_the_scene_s_at_any_speed() {
    for (speed, wanted) in [
        (Some(1.0), 0.5),
        (Some(4.0), 0.125),
        (None, 1.0 / 64.0),
        (Some(0.0), 1.0 / 64.0),
        (Some(-1.0), 1.0 / 64.0),
    ] {
        let app = app_of(engine(SEA, &[], 1), FlockSettings { speed, ..FlockSettings::default() });
        assert_eq!(
            app.world().resource::<Time<Fixed>>().timestep().as_secs_f64(),
            wanted,
            "{speed:?}"
        );
    }
    let mut app = app(SEA, &[]);
    app.world_mut().resource_mut::<Flock>().set("flock.dt", "0.25").expect("a length");
    app.update();
    assert_eq!(app.world().resource::<Time<Fixed>>().timestep().as_secs_f64(), 0.25);
}

#[test]
fn keys_change_as_it_flies() {
    let mut alone = engine(SEA, &[], 1);
    let mut app = app(SEA, &[]);
    for weight in ["0.5", "3.0"] {
        alone.set("cohesion.weight", weight).expect("a weight");
        app.world_mut().resource_mut::<Flock>().set("cohesion.weight", weight).expect("a weight");
        (0..5).for_each(|_| alone.step());
        steps(&mut app, 5);
        assert_eq!(flock(&app).state_hash(), alone.flock().state_hash());
        assert_eq!(
            flock(&app).params().rules.cohesion.map(|rule| rule.weight),
            weight.parse().ok()
        );
    }
    assert!(app.world_mut().resource_mut::<Flock>().set("flock.boids", "7").is_err());
}

#[test]
fn checkpoints_go_back_and_entities_with_them() {
    let mut app =
        app("hunter_prey", &["flock.boids=400", "interaction.hunter.prey.capture_radius=20"]);
    steps(&mut app, 5);
    let bytes = flock(&app).checkpoint().expect("bytes");
    let (then, len) = (flock(&app).state_hash(), flock(&app).len());
    let survivor = {
        let flock = flock(&app);
        flock.entity(flock.live().flock().living()[0]).expect("an entity")
    };
    steps(&mut app, 60);
    let later = flock(&app).state_hash();
    assert!(flock(&app).len() < len, "no boid was captured");
    // What is asked for before going back means nothing after it.
    app.world_mut().despawn(survivor);
    app.world_mut().resource_mut::<Flock>().restore(&bytes).expect("the same scene");
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.update();
    assert_eq!((flock(&app).state_hash(), flock(&app).len()), (then, len));
    assert_one_entity_each(&mut app);
    let timestep = app.world().resource::<Time<Fixed>>().timestep();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(timestep));
    steps(&mut app, 60);
    assert_eq!(flock(&app).state_hash(), later);
    assert_one_entity_each(&mut app);
}
