//! What happens is told, with entities.

use std::collections::BTreeMap;

use bevy_app::FixedUpdate;
use wingbeat::Event;
use wingbeat_bevy::{
    Arrived, Captured, Departed, Entered, Exited, FlockSettings, Left, Member, WingbeatSystems,
};

use super::*;

/// People who come, walk to an exit and leave; some fall off the edge.
const HALL: &str = "[flock]\nboids = 30\ndimensions = 2\ndt = 0.25\nseed = 2\n[spawn]\n\
    speed = 1.5\n\
    [domain]\nkind = \"absorbing\"\nmin = [-6.0, -6.0]\nmax = [6.0, 6.0]\n[agent]\n\
    max_speed = 2.0\nmin_speed = 1.0\n[separation]\n\
    [drive.home]\nkind = \"goal\"\ntarget = [5.0, -5.0]\narrival_radius = 0.8\n\
    [exit.door]\nkind = \"box\"\nmin = [0.0, -2.0]\nmax = [1.0, 0.0]\n\
    [source.train]\nmin = [-5.0, -5.0]\nmax = [-4.0, 5.0]\nrate = 4.0\nvelocity = [1.5, 0.0]\n";

/// Everything told so far, in the order of kinds; entities that were there when it was told.
#[derive(Resource, Default)]
struct Heard {
    events: Vec<(u64, Event)>,
    entities: BTreeMap<BoidId, Entity>,
}

fn hear(
    mut heard: ResMut<Heard>,
    living: Query<&Boid>,
    (mut captured, mut arrived, mut exited): (
        MessageReader<Captured>,
        MessageReader<Arrived>,
        MessageReader<Exited>,
    ),
    (mut left, mut entered): (MessageReader<Left>, MessageReader<Entered>),
) {
    let see = |heard: &mut Heard, who: Member| {
        // Also who is gone has an entity yet.
        assert_eq!(living.get(who.entity).expect("an entity").id(), Some(who.id));
        assert_eq!(*heard.entities.entry(who.id).or_insert(who.entity), who.entity);
    };
    for &Captured { captor, prey, step } in captured.read() {
        [captor, prey].into_iter().for_each(|who| see(&mut heard, who));
        heard.events.push((step, Event::Captured { captor: captor.id, prey: prey.id }));
    }
    for &Arrived { boid, drive, step } in arrived.read() {
        see(&mut heard, boid);
        heard.events.push((step, Event::Arrived { boid: boid.id, drive }));
    }
    for &Exited { boid, exit, step } in exited.read() {
        see(&mut heard, boid);
        heard.events.push((step, Event::Exited { boid: boid.id, exit }));
    }
    for &Left { boid, step } in left.read() {
        see(&mut heard, boid);
        heard.events.push((step, Event::Left { boid: boid.id }));
    }
    for &Entered { boid, source, step } in entered.read() {
        see(&mut heard, boid);
        heard.events.push((step, Event::Entered { boid: boid.id, source }));
    }
}

/// Whatever the engine tells, for so many steps.
fn told(mut alone: LiveFlock, steps: u64) -> Vec<(u64, Event)> {
    let mut all = Vec::new();
    for step in 1..=steps {
        alone.step();
        all.extend(alone.flock().events().iter().map(|&event| (step, event)));
    }
    all
}

fn kinds(events: &[(u64, Event)]) -> usize {
    let mut kinds: Vec<_> = events.iter().map(|(_, event)| std::mem::discriminant(event)).collect();
    kinds.dedup();
    let mut seen = Vec::new();
    kinds.into_iter().for_each(|kind| {
        if !seen.contains(&kind) {
            seen.push(kind)
        }
    });
    seen.len()
}

/// With one step a frame, with seven, and with a frame between steps.
#[test]
fn all_is_told_once_however_steps_fall_into_frames() {
    for (text, overrides, wanted) in [
        (HALL, &[][..], 4),
        ("hunter_prey", &["flock.boids=400", "interaction.hunter.prey.capture_radius=20"], 1),
    ] {
        let events = told(engine(text, overrides, 1), 140);
        assert_eq!(kinds(&events), wanted, "kinds among {} events", events.len());
        for frames_a_step in [1.0, 7.0, 0.4] {
            let mut app = app(text, overrides);
            let timestep = app.world().resource::<Time<Fixed>>().timestep();
            app.world_mut()
                .resource_mut::<Time<bevy_time::Virtual>>()
                .set_max_delta(Duration::from_secs(100));
            app.insert_resource(TimeUpdateStrategy::ManualDuration(
                timestep.mul_f64(frames_a_step),
            ));
            app.init_resource::<Heard>();
            app.add_systems(
                FixedUpdate,
                hear.after(WingbeatSystems::Events).before(WingbeatSystems::Departures),
            );
            while flock(&app).steps() < 140 {
                app.update();
            }
            assert_eq!(flock(&app).steps(), 140);
            assert_eq!(
                app.world().resource::<Heard>().events,
                events,
                "{frames_a_step} steps a frame"
            );
            assert_one_entity_each(&mut app);
        }
    }
}

/// A reader in `Update` misses nothing either.
#[test]
fn readers_once_a_frame_miss_nothing() {
    #[derive(Resource, Default)]
    struct Count(usize);
    let events = told(engine(HALL, &[], 1), 140);
    let wanted = events.iter().filter(|(_, event)| matches!(event, Event::Entered { .. })).count();
    let mut app = app(HALL, &[]);
    app.world_mut()
        .resource_mut::<Time<bevy_time::Virtual>>()
        .set_max_delta(Duration::from_secs(100));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(0.25 * 7.0)));
    app.init_resource::<Count>().add_systems(
        bevy_app::Update,
        |mut count: ResMut<Count>, mut entered: MessageReader<Entered>| {
            count.0 += entered.read().count();
        },
    );
    while flock(&app).steps() < 140 {
        app.update();
    }
    assert_eq!(app.world().resource::<Count>().0, wanted);
    assert!(wanted > 50);
}

#[test]
fn entities_of_who_left_go_or_stay_as_the_app_says() {
    for departed in [Departed::Despawn, Departed::Keep] {
        let mut app =
            app_of(engine(HALL, &[], 1), FlockSettings { departed, ..FlockSettings::default() });
        let first: Vec<Entity> = flock(&app)
            .live()
            .flock()
            .living()
            .iter()
            .filter_map(|&id| flock(&app).entity(id))
            .collect();
        steps(&mut app, 140);
        assert_one_entity_each(&mut app);
        let gone: Vec<Entity> =
            first.into_iter().filter(|&entity| flock(&app).id(entity).is_none()).collect();
        assert!(gone.len() > 5);
        for entity in gone {
            assert_eq!(app.world().get_entity(entity).is_ok(), departed == Departed::Keep);
            assert!(app.world().get::<Boid>(entity).is_none());
        }
    }
}
