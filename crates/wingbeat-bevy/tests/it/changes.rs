//! Species, goals, obstacles and teleports.

use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use wingbeat_bevy::{Axes, FlockSettings, Goal, Obstacle, Refused, Species, SpeciesId, Teleport};

use super::*;

/// A yard with walls, a ball that the host moves, and a drive to goals.
const YARD: &str = "[flock]\nboids = 30\ndimensions = 2\ndt = 0.25\nseed = 9\n[spawn]\n\
    speed = 1.0\n\
    [domain]\nkind = \"reflecting\"\nmin = [-10.0, -10.0]\nmax = [10.0, 10.0]\n[agent]\n\
    max_speed = 2.0\n[separation]\n\
    [drive.home]\nkind = \"goal\"\narrival_radius = 0.5\n\
    [obstacle.ball]\nkind = \"sphere\"\ncenter = [0.0, 0.0]\nradius = 1.0\nmotion = \"host\"\n";

fn entity(app: &App, id: u64) -> Entity {
    flock(app).entity(BoidId::new(id)).expect("an entity")
}

#[test]
fn goals_come_change_and_go() {
    let mut alone = engine(YARD, &[], 1);
    let mut app = app(YARD, &[]);
    let goal = |live: &LiveFlock, id| live.flock().goal(id).expect("a boid");
    for id in [3, 7, 8] {
        let entity = entity(&app, id);
        app.world_mut().entity_mut(entity).insert(Goal(Vec3::new(id as f32, -2.0, 77.0)));
    }
    steps(&mut app, 1);
    alone
        .flock_mut()
        .set_goals(&[3, 7, 8], Some(&[3.0, -2.0, 7.0, -2.0, 8.0, -2.0]))
        .expect("goals");
    alone.step();
    assert_eq!(flock(&app).state_hash(), alone.flock().state_hash());
    assert_eq!(goal(flock(&app).live(), 7), Some(vec![7.0, -2.0]));

    // Changed in place, taken off, taken off and put on again, out of bounds; and a boid comes
    // with one.
    let [three, seven, eight, nine] = [3, 7, 8, 9].map(|id| entity(&app, id));
    app.world_mut().get_mut::<Goal>(three).expect("a goal").0 = Vec3::new(-4.0, 4.0, 0.0);
    app.world_mut().entity_mut(seven).remove::<Goal>();
    app.world_mut().entity_mut(eight).remove::<Goal>().insert(Goal(Vec3::new(1.0, 5.0, 0.0)));
    app.world_mut().entity_mut(nine).insert(Goal(Vec3::new(1e9, 0.0, 0.0)));
    app.world_mut().spawn((
        Boid::default(),
        Transform::from_xyz(-5.0, -5.0, 0.0),
        Goal(Vec3::new(2.0, 2.0, 0.0)),
    ));
    steps(&mut app, 1);
    alone.flock_mut().add_all(&[-5.0, -5.0], &[0.0, 0.0]).expect("a place");
    alone.flock_mut().set_goals(&[7], None).expect("a boid");
    alone
        .flock_mut()
        .set_goals(&[3, 8, 30], Some(&[-4.0, 4.0, 1.0, 5.0, 2.0, 2.0]))
        .expect("goals");
    alone.step();
    assert_eq!(flock(&app).state_hash(), alone.flock().state_hash());
    let refused = messages::<Refused>(&app);
    assert!(
        matches!(refused.as_slice(), [Refused { entity, .. }] if *entity == nine),
        "{refused:?}"
    );
    // An entity has a goal first and is a boid later.
    let late = app
        .world_mut()
        .spawn((Goal(Vec3::new(3.0, 3.0, 0.0)), Transform::from_xyz(5.0, 5.0, 0.0)))
        .id();
    steps(&mut app, 2);
    app.world_mut().entity_mut(late).insert(Boid::default());
    steps(&mut app, 1);
    let id = flock(&app).id(late).expect("a boid").get();
    assert_eq!(goal(flock(&app).live(), id), Some(vec![3.0, 3.0]));
}

#[test]
fn species_are_shown_and_set() {
    let mut app = app("hunter_prey", &["flock.boids=102"]);
    let mut all = app.world_mut().query::<&Species>();
    let mut count = [0; 2];
    all.iter(app.world()).for_each(|species| count[species.0.get()] += 1);
    assert_eq!(count, [100, 2]);
    let turncoat = entity(&app, 4);
    app.world_mut().get_mut::<Species>(turncoat).expect("a species").0 = SpeciesId::new(1);
    let newcomer = app
        .world_mut()
        .spawn((Boid::default(), Transform::default(), Species(SpeciesId::new(1))))
        .id();
    let unknown = entity(&app, 5);
    app.world_mut().get_mut::<Species>(unknown).expect("a species").0 = SpeciesId::new(9);
    steps(&mut app, 1);
    let refused = messages::<Refused>(&app);
    assert!(
        matches!(refused.as_slice(), [Refused { entity, .. }] if *entity == unknown),
        "{refused:?}"
    );
    for (entity, wanted) in [(turncoat, 1), (newcomer, 1), (unknown, 0)] {
        let id = flock(&app).id(entity).expect("a boid");
        assert_eq!(
            flock(&app).live().flock().traits(id.get()).expect("a boid").species.get(),
            wanted
        );
    }
}

#[test]
fn obstacles_go_where_their_transforms_go() {
    for axes in [Axes::YUp, Axes::ZUp] {
        let mut alone = engine(YARD, &[], 1);
        let mut app =
            app_of(engine(YARD, &[], 1), FlockSettings { axes, ..FlockSettings::default() });
        let ball = app.world_mut().spawn(Obstacle { name: "ball".into() }).id();
        for (x, y, angle) in [(0.0, 0.0, 0.0), (1.0, 0.5, 30.0), (-2.0, 3.0, -120.0)] {
            let axis = axes.to_bevy([0.0, 0.0, 1.0]);
            let rotation = Quat::from_axis_angle(axis, f32::to_radians(angle));
            let place =
                Transform::from_translation(axes.to_bevy([x, y, 4.0])).with_rotation(rotation);
            *app.world_mut().get_mut::<Transform>(ball).expect("a transform") = place;
            let sine = if axes == Axes::YUp { rotation.z } else { rotation.y };
            let turned = (2.0 * libm::atan2f(sine, rotation.w)).to_degrees();
            assert!((turned - angle).abs() < 1e-3);
            alone.flock_mut().set_obstacle_pose("ball", &[x, y], turned).expect("a pose");
            (0..3).for_each(|_| alone.step());
            steps(&mut app, 3);
            assert_eq!(
                flock(&app).state_hash(),
                alone.flock().state_hash(),
                "{axes:?}, {angle} degrees"
            );
        }
        // They move those of the next flock, too.
        let (mut alone, place) = (
            engine(YARD, &["flock.seed=4"], 1),
            *app.world().get::<Transform>(ball).expect("a transform"),
        );
        app.insert_resource(Flock::new(engine(YARD, &["flock.seed=4"], 1)));
        steps(&mut app, 20);
        let [x, y, _] = axes.to_scene(place.translation);
        let sine = if axes == Axes::YUp { place.rotation.z } else { place.rotation.y };
        let turned = (2.0 * libm::atan2f(sine, place.rotation.w)).to_degrees();
        alone.flock_mut().set_obstacle_pose("ball", &[x, y], turned).expect("a pose");
        (0..20).for_each(|_| alone.step());
        assert_eq!(flock(&app).state_hash(), alone.flock().state_hash(), "{axes:?}");
        let stranger = app.world_mut().spawn(Obstacle { name: "bowl".into() }).id();
        steps(&mut app, 1);
        let refused = messages::<Refused>(&app);
        assert!(
            matches!(
                refused.as_slice(),
                [Refused { entity, reason }] if *entity == stranger && reason.contains("bowl")
            ),
            "{refused:?}"
        );
    }
}

#[test]
fn teleports_move_at_once_and_writes_of_transforms_do_not() {
    let mut alone = engine(YARD, &[], 1);
    let mut app = app(YARD, &[]);
    let [two, four, six, plain] = [2, 4, 6, 8].map(|id| entity(&app, id));
    let to = |entity, position: Option<Vec3>, velocity: Option<Vec3>| Teleport {
        entity,
        position,
        velocity,
    };
    let stranger = app.world_mut().spawn_empty().id();
    for teleport in [
        to(two, Some(Vec3::new(6.0, 6.0, 3.0)), None),
        to(four, None, Some(Vec3::new(0.5, -0.5, 0.0))),
        to(six, Some(Vec3::new(99.0, 0.0, 0.0)), Some(Vec3::Y)),
        to(stranger, Some(Vec3::ZERO), None),
        to(two, Some(Vec3::new(-6.0, 6.0, 3.0)), None),
    ] {
        app.world_mut().write_message(teleport);
    }
    app.world_mut().get_mut::<Transform>(plain).expect("a transform").translation =
        Vec3::new(1.0, 1.0, 0.0);
    steps(&mut app, 1);
    alone.flock_mut().set_positions(&[2], &[-6.0, 6.0]).expect("a place");
    alone.flock_mut().set_velocities(&[4], &[0.5, -0.5]).expect("a velocity");
    alone.step();
    assert_eq!(flock(&app).state_hash(), alone.flock().state_hash());
    let refused: Vec<Entity> =
        messages::<Refused>(&app).iter().map(|refusal| refusal.entity).collect();
    assert_eq!(refused, [stranger, six]);
    // Shown half a step later, it never was on the way.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(0.125)));
    app.update();
    let place = app.world().get::<Transform>(two).expect("a transform").translation;
    assert!(place.distance(Vec3::new(-6.0, 6.0, 0.0)) < 0.6, "{place}");
}
