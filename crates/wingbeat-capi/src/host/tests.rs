use super::*;
use crate::status::WingbeatStatus::{self, *};

const SCENE: &str = "[flock]\nboids = 30\ndimensions = 2\n[species.a]\ncount = 20\n[species.b]\n\
                     count = 10\n[species.a.cohesion]\nradius = 2.0\n\
                     [obstacle.gate]\nkind = \"sphere\"\ncenter = [90, 90]\nradius = 1.0\n\
                     motion = \"host\"\n";

fn open_with(opening: &Opening<'_>) -> Result<Host, Failure> {
    Host::open(&Source::Text("scene", SCENE), opening)
}

fn host() -> Host {
    open_with(&Opening { threads: 1, ..Opening::default() }).expect("a scene")
}

fn preset(name: &str, boids: &str) -> Host {
    let overrides = vec![boids];
    Host::open(&Source::Place(name), &Opening { threads: 1, overrides, ..Opening::default() })
        .expect("a preset")
}

fn status<R>(done: Result<R, Failure>) -> WingbeatStatus {
    done.map_or_else(|failure| failure.status, |_| WingbeatOk)
}

#[test]
fn what_is_not_accepted_says_of_which_kind_it_is() {
    let opened = |opening: Opening<'_>| status(open_with(&opening));
    assert_eq!(opened(Opening::default()), WingbeatOk);
    assert_eq!(
        status(Host::open(&Source::Place("no/such.toml"), &Opening::default())),
        WingbeatErrorInvalid
    );
    assert_eq!(
        status(Host::open(&Source::Place("mumuration"), &Opening::default())),
        WingbeatErrorInvalid
    );
    assert_eq!(
        status(Host::open(&Source::Text("s", "[flock"), &Opening::default())),
        WingbeatErrorInvalid
    );
    assert_eq!(
        opened(Opening { overrides: vec!["flock.boids"], ..Opening::default() }),
        WingbeatErrorInvalid
    );
    assert_eq!(
        opened(Opening { overrides: vec!["flock.boids=-1"], ..Opening::default() }),
        WingbeatErrorInvalid
    );
    assert_eq!(
        opened(Opening { level: Some("avx1024"), ..Opening::default() }),
        WingbeatErrorInvalid
    );
    assert_eq!(opened(Opening { threads: 1025, ..Opening::default() }), WingbeatErrorInvalid);
    assert_eq!(opened(Opening { threads: u32::MAX, ..Opening::default() }), WingbeatErrorInvalid);
}

#[test]
fn refusals_name_what_c_gave() {
    for (text, said) in [
        ("flock.boids", "overrides: flock.boids: allowed is KEY=VALUE"),
        ("flock.boids=-1", "overrides: flock.boids = -1: allowed is"),
        ("flock.bird=1", "overrides: unknown key flock.bird"),
    ] {
        let refusal = open_with(&Opening { overrides: vec![text], ..Opening::default() })
            .err()
            .expect("a refusal");
        assert!(refusal.text.starts_with(said), "{}", refusal.text);
    }
}

#[test]
fn every_level_has_its_name() {
    assert!(Level::ALL.iter().all(|&level| !level_name(level).is_null()));
    assert_eq!(level_name(Level::Portable), level_name(Level::Portable));
}

#[test]
fn boids_start_where_the_host_says() {
    let positions = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    fn open(
        positions: &[f32],
        velocities: Option<&[f32]>,
        species: Option<&[u32]>,
    ) -> Result<Host, Failure> {
        open_with(&Opening {
            threads: 1,
            start: Some(Rows { positions, velocities, species }),
            ..Opening::default()
        })
    }
    let mut host =
        open(&positions, Some(&[0.5, 0.0, 0.0, 0.5, 0.0, 0.0]), Some(&[1, 0, 1])).expect("a start");
    let rows = host.flock.flock().rows();
    assert_eq!(
        rows.iter().map(|row| (row.id, row.position[0], row.position[1])).collect::<Vec<_>>(),
        [(0, 1.0, 2.0), (1, 3.0, 4.0), (2, 5.0, 6.0)]
    );
    assert_eq!(rows[1].velocity, [0.0, 0.5, 0.0]);
    host.ids();
    host.species();
    let told: Vec<_> = host.shown.ids.iter().map(|&id| [1, 0, 1][id as usize]).collect();
    assert_eq!(host.shown.species, told);

    assert_eq!(status(open(&positions, None, None)), WingbeatOk);
    assert_eq!(status(open(&positions[..5], None, None)), WingbeatErrorSize);
    assert_eq!(status(open(&positions, Some(&positions[..4]), None)), WingbeatErrorSize);
    assert_eq!(status(open(&positions, None, Some(&[1, 0]))), WingbeatErrorSize);
    for species in [2, 255, 256, u32::MAX] {
        assert_eq!(
            status(open(&positions, None, Some(&[0, 0, species]))),
            WingbeatErrorInvalid,
            "{species}"
        );
    }
    assert_eq!(status(open(&[f32::NAN, 0.0], None, None)), WingbeatErrorInvalid);
}

#[test]
fn sizes_ids_and_numbers_are_looked_at_and_refusals_change_nothing() {
    let mut host = host();
    let hash = host.state_hash();
    for what in [Change::Positions, Change::Velocities, Change::Goals] {
        assert_eq!(status(host.set_rows(what, &[1, 2], &[0.0; 3])), WingbeatErrorSize);
        assert_eq!(status(host.set_rows(what, &[1, 2], &[0.0; 6])), WingbeatErrorSize);
        assert_eq!(status(host.set_rows(what, &[1, 99], &[0.0; 4])), WingbeatErrorId);
        assert_eq!(
            status(host.set_rows(what, &[1, 2], &[0.0, 0.0, f32::NAN, 0.0])),
            WingbeatErrorInvalid
        );
    }
    assert_eq!(status(host.forget_goals(&[99])), WingbeatErrorId);
    assert_eq!(status(host.set_state(&[0.0; 60], &[0.0; 58])), WingbeatErrorSize);
    assert_eq!(status(host.add(&[0.0; 3], &[0.0; 3])), WingbeatErrorSize);
    assert_eq!(status(host.add(&[f32::INFINITY; 2], &[0.0; 2])), WingbeatErrorInvalid);
    assert_eq!(status(host.remove(&[3, 3])), WingbeatErrorId);
    assert_eq!(status(host.remove(&[3, 99])), WingbeatErrorId);
    assert_eq!(
        status(host.set_trait(WingbeatTrait::Mass, &[1, 2], Some(&[1.0, -1.0]))),
        WingbeatErrorInvalid
    );
    assert_eq!(
        status(host.set_trait(WingbeatTrait::MaxSpeed, &[99], Some(&[1.0]))),
        WingbeatErrorId
    );
    assert_eq!(status(host.set_species(&[1, 2], &[0, 2])), WingbeatErrorInvalid);
    assert_eq!(status(host.set_obstacle_pose("gate", &[0.0; 3], 0.0)), WingbeatErrorSize);
    assert_eq!(status(host.set_obstacle_pose("door", &[0.0; 2], 0.0)), WingbeatErrorInvalid);
    assert_eq!(status(host.set("flock.boids", "9")), WingbeatErrorInvalid);
    assert_eq!(status(host.explain(99)), WingbeatErrorId);
    assert_eq!(status(host.restore(b"no checkpoint")), WingbeatErrorInvalid);
    assert_eq!(host.state_hash(), hash);
}

#[test]
fn what_is_accepted_is_done() {
    let mut host = host();
    host.set_rows(Change::Positions, &[4, 7], &[1.0, 2.0, 3.0, 4.0]).expect("positions");
    host.set_rows(Change::Velocities, &[7, 7], &[9.0, 9.0, 0.25, -0.25]).expect("velocities");
    let rows = host.flock.flock().rows();
    assert_eq!(
        (rows[4].position, rows[7].position, rows[7].velocity),
        ([1.0, 2.0, 0.0], [3.0, 4.0, 0.0], [0.25, -0.25, 0.0])
    );
    host.set_trait(WingbeatTrait::MaxSpeed, &[3, 5], Some(&[0.5, 0.75])).expect("speeds");
    host.set_trait(WingbeatTrait::Mass, &[5], Some(&[2.0])).expect("a mass");
    host.set_species(&[3], &[1]).expect("a species");
    let traits = |host: &Host, id| host.flock.flock().traits(id).expect("it lives");
    assert_eq!(
        (traits(&host, 3).max_speed, traits(&host, 5).max_speed, traits(&host, 5).mass),
        (Some(0.5), Some(0.75), Some(2.0))
    );
    assert_eq!(traits(&host, 3).species, SpeciesId::new(1));
    host.set_trait(WingbeatTrait::MaxSpeed, &[3], None).expect("no speed");
    assert_eq!((traits(&host, 3).max_speed, traits(&host, 5).max_speed), (None, Some(0.75)));
    host.set_obstacle_pose("gate", &[1.0, 0.0], 0.0).expect("a pose");
    assert_eq!(host.add(&[0.0; 4], &[0.0; 4]), Ok(30));
    host.remove(&[0, 31]).expect("they live");
    assert_eq!(status(host.remove(&[31])), WingbeatErrorId);
    assert_eq!(host.state().count, 30);
    host.set("flock.dt", "0.125").expect("a key that takes effect in the next step");
    host.step(2);
    assert_eq!((host.state().steps, host.state().dt, host.state().time), (2, 0.125, 0.25));
    assert!(
        host.toml().contains("0.125") && host.explain(7).expect("it lives").contains("\"boid\": 7")
    );
}

/// What a host still reads is not written to, however often the flock steps.
#[test]
fn what_was_handed_out_stays_until_the_next_of_its_kind() {
    let mut host = preset("shoal", "flock.boids=300");
    let shown = |host: &Host| host.shown.positions.clone().expect("columns").values().to_vec();
    let first = host.positions();
    let before = shown(&host);
    host.step(5);
    host.velocities();
    host.ids();
    assert_eq!(shown(&host), before);
    assert_eq!(first.data, host.shown.positions.as_ref().expect("columns").values().as_ptr());
    host.positions();
    assert_ne!(shown(&host), before);
}

/// Whatever only asks leaves rows where they are, but for an explanation, which sorts the flock as
/// its next step would.
#[test]
fn questions_do_not_change_rows() {
    fn rows_fit(host: &mut Host, ask: impl FnOnce(&mut Host)) -> bool {
        host.step(3);
        host.positions();
        ask(host);
        host.ids();
        let columns = host.shown.positions.as_ref().expect("columns");
        let rows = host.flock.flock().rows();
        host.shown
            .ids
            .iter()
            .zip(columns.axis(0))
            .all(|(&id, &x)| rows[id as usize].position[0] == x)
    }
    let mut host = preset("shoal", "flock.boids=300");
    assert!(rows_fit(&mut host, |host| {
        host.velocities();
        host.species();
        host.events();
        host.observed();
        host.state_hash();
        host.checkpoint().expect("bytes");
        host.toml();
        host.explain(7).expect("it lives");
    }));
}

#[test]
fn events_are_those_of_the_last_call() {
    let mut host = preset("evacuation", "flock.boids=40");
    host.step(2000);
    let (told, again) = (host.events(), host.events());
    assert!(told.count > 0);
    assert_eq!((told.step, told.count), (again.step, again.count));
    let kept = host.shown.events.clone().expect("events");
    assert!(kept.step.iter().all(|&step| step <= 2000));
    let copy = (*kept).clone();
    host.step(1);
    assert_eq!(*kept, copy);
    drop(kept);
    assert_eq!(host.shown.events.as_deref(), Some(&copy));
    assert!(host.events().count < told.count);
    // Nor do they pile up where the host does not ask.
    let mut other = preset("evacuation", "flock.boids=40");
    other.step(2000);
    other.step(1);
    assert_eq!(other.events().count, host.events().count);
}

#[test]
fn an_empty_flock_is_answered_too() {
    let scene = "[flock]\nboids = 0\ndimensions = 2\n[cohesion]\n";
    let opening = Opening { threads: 1, ..Opening::default() };
    let mut host = Host::open(&Source::Text("empty", scene), &opening).expect("a scene");
    host.step(3);
    assert!(
        host.positions().data.is_null()
            && host.ids().data.is_null()
            && host.species().data.is_null()
    );
    assert_eq!((host.positions().count, host.state().count, host.events().count), (0, 0, 0));
    host.observed();
    host.set_rows(Change::Positions, &[], &[]).expect("no boid to move");
    assert_eq!(host.add(&[1.0, 1.0], &[0.0, 0.0]), Ok(0));
}

#[test]
fn a_checkpoint_goes_on_in_the_same_bits() {
    let mut host = preset("hunter_prey", "flock.boids=200");
    host.step(20);
    let bytes = host.checkpoint().expect("bytes");
    let mut other = preset("hunter_prey", "flock.boids=200");
    other.restore(&bytes).expect("the same scene");
    host.step(20);
    other.step(20);
    assert_eq!(host.state_hash(), other.state_hash());
}
