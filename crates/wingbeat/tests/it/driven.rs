//! Driven flocks: what drives do, changes between steps, events, drives of one's own, refusals.

use crate::common::*;
use crate::drives::{KINDS_OF_DRIVES, arrival, drives};
use wingbeat::drive::*;
use wingbeat::steer::*;
use wingbeat::steer::{TextbookBoid, Vector};
use wingbeat::*;

fn dt() -> TimeStep {
    TimeStep::new(0.05).unwrap()
}

/// A walled box of boids that wander and have a common goal.
fn driven(seed: u64) -> FlockBuilder<2> {
    let (min, max) = ([0.0; 2], [12.0; 2]);
    let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
    let params = Params { rules: Separation::default().into(), ..Default::default() };
    let goal = Goal { target: Some([6.0, 6.0]), arrival_radius: 1.0, ..Default::default() };
    let drives = vec![
        Drive::new("goal", goal),
        Drive::new("wander", WanderParameters::default()).weighted(0.1),
    ];
    Flock2::builder()
        .params(params)
        .domain(Domain::walled(min, max, 1.0, 3.0))
        .seed(seed)
        .spawn(600, spawn)
        .drives(drives)
}

fn hash_after(mut flock: Flock2, steps: usize) -> u64 {
    (0..steps).for_each(|_| flock.step(dt()));
    observe::state_hash(&flock.frame())
}

#[test]
fn driven_flocks_do_not_depend_on_levels_threads_batches_and_storages() {
    for every in [1, 3] {
        let wanted = hash_after(
            driven(4).steer_every(every).threads(1).level(Level::Portable).build().unwrap(),
            20,
        );
        for level in Level::available() {
            for (threads, batch, storage) in
                [(1, 7, Storage::Automatic), (3, 64, Storage::Sparse), (8, 512, Storage::Automatic)]
            {
                let builder = driven(4)
                    .steer_every(every)
                    .level(level)
                    .threads(threads)
                    .batch(batch)
                    .storage(storage);
                assert_eq!(
                    hash_after(builder.build().unwrap(), 20),
                    wanted,
                    "{every} {level} {threads} {batch} {storage:?}"
                );
            }
        }
    }
    assert_ne!(
        hash_after(driven(4).drives(Vec::new()).build().unwrap(), 20),
        hash_after(driven(4).build().unwrap(), 20)
    );
}

/// One more boid far away changes no boid's bits, whatever drives there are.
#[test]
fn a_driven_boid_out_of_range_changes_no_other_bits() {
    fn states<const D: usize>(
        case: &Case<D>,
        drives: &[Drive<[f32; D]>],
    ) -> Vec<(u64, [u32; D], [u32; D])> {
        let mut flock = builder(case, Level::detect(), 2, Storage::Automatic)
            .drives(drives.to_vec())
            .build()
            .unwrap();
        (0..6).for_each(|_| flock.step(dt()));
        bits(flock.frame().by_id().map(|b| (b.id.get(), b.position, b.velocity)))
    }
    fn check<const D: usize>(seed: u64) {
        let mut random = Random::new(seed);
        let domain = Domain::open();
        let mut boids = boids("uniform", &domain, 1.0, &mut random);
        let ids: Vec<u64> = boids.iter().map(|b| b.id).collect();
        let numbers: Vec<usize> = (0..4).map(|_| random.below(KINDS_OF_DRIVES)).collect();
        let drives = drives(&numbers, &domain, &ids, 0, &mut random);
        let params = Params { rules: Separation::default().into(), ..Default::default() };
        let case = |boids| Case {
            seed,
            name: "independence".into(),
            params: params.clone(),
            domain,
            boids,
            dt: 0.05,
        };
        let alone = states(&case(boids.clone()), &drives);
        boids.push(TextbookBoid { id: 1 << 50, position: [-1e5; D], velocity: [0.25; D] });
        let mut joined = states(&case(boids), &drives);
        joined.retain(|row| row.0 != 1 << 50);
        assert_eq!(alone, joined, "seed {seed} {D}-D {drives:?}");
    }
    for seed in 0..25 {
        check::<2>(seed);
        check::<3>(seed);
    }
}

/// A crowd that leaves through a door: who is not inside is in the events, once.
#[test]
fn no_boid_is_lost_where_boids_leave() {
    let door = Goal {
        target: Some([6.0, 6.0]),
        arrival_radius: 0.6,
        on_arrival: OnArrival::Leave,
        ..Default::default()
    };
    let mut flock = driven(9).drives(vec![Drive::new("door", door)]).build().unwrap();
    let all = flock.len();
    let mut left = Vec::new();
    for _ in 0..400 {
        flock.step(dt());
        let of_step: Vec<BoidId> = flock.events().iter().map(|event| arrival(event).0).collect();
        assert!(of_step.is_sorted());
        left.extend(of_step);
    }
    left.sort_unstable();
    assert!(left.windows(2).all(|pair| pair[0] < pair[1]), "no boid leaves twice");
    assert_eq!(flock.len() + left.len(), all);
    assert!(left.iter().all(|id| !flock.frame().living().contains(id)));
    assert!(left.len() > all / 2, "{}", left.len());
}

#[test]
fn goals_and_drives_can_be_changed_between_steps() {
    let goal = Goal { slowing_radius: 0.5, ..Default::default() };
    let drive = Drive::new("goal", goal);
    let mut flock = Flock2::builder()
        .drives(vec![drive.clone()])
        .boids(&[[0.0; 2], [1.0; 2]], &[[0.0; 2]; 2])
        .build()
        .unwrap();
    let ids = flock.frame().living().to_vec();
    flock.step(dt());
    assert_eq!(flock.frame().find(ids[0]).unwrap().position, [0.0; 2], "nowhere to go");
    flock.set_goal(ids[0], Some([5.0, 0.0])).unwrap();
    assert_eq!(
        (flock.goal(ids[0]).unwrap(), flock.goal(ids[1]).unwrap()),
        (Some([5.0, 0.0]), None)
    );
    (0..200).for_each(|_| flock.step(dt()));
    assert!(flock.frame().find(ids[0]).unwrap().position.minus([5.0, 0.0]).norm() < 0.05);
    assert_eq!(flock.frame().find(ids[1]).unwrap().position, [1.0; 2]);
    flock.set_goals(&[(ids[0], None), (ids[1], Some([1.0, 4.0]))]).unwrap();
    let common = Goal { target: Some([0.0, -3.0]), ..goal };
    flock.set_drives(vec![Drive { kind: common.into(), ..drive }]).unwrap();
    assert_eq!(flock.drives().len(), 1);
    (0..200).for_each(|_| flock.step(dt()));
    let at = |id| flock.frame().find(id).unwrap().position;
    assert!(
        at(ids[0]).minus([0.0, -3.0]).norm() < 0.05 && at(ids[1]).minus([1.0, 4.0]).norm() < 0.05,
        "{:?} {:?}",
        at(ids[0]),
        at(ids[1])
    );
    flock.set_drives(Vec::new()).unwrap();
    assert!(flock.drives().is_empty());
    assert!((flock.time() - 401.0 * f64::from(dt().get())).abs() < 1e-9);
}

/// A drive of one's own: gravity that grows with time, and drag.
struct Sinking {
    weight: f32,
}

own_drive! {
    impl<S, D> OwnDrive for Sinking {
        fn force(&self, s, own, now) {
            let mut force = own.velocity * s.splat(-0.25);
            force[1] = force[1] - s.splat(self.weight * now.time as f32);
            force
        }
    }
}

#[test]
fn a_drive_of_ones_own_equals_its_formula() {
    fn check<const D: usize>(seed: u64, level: Level) {
        let mut random = Random::new(seed);
        let domain = Domain::open();
        let mut boids = boids::<D>("uniform", &domain, 1.0, &mut random);
        let case = Case {
            seed,
            name: String::new(),
            params: Params::default(),
            domain,
            boids: boids.clone(),
            dt: 0.05,
        };
        let mut flock = builder(&case, level, 1, Storage::Automatic)
            .own_drive("sinking", Sinking { weight: 0.5 })
            .build()
            .unwrap();
        let mut time = 0.0f64;
        for step in 0..8 {
            for boid in &mut boids {
                let drag = boid.velocity.times(-0.25);
                let down = 0.5 * time as f32;
                let force = <[f32; D]>::from_fn(|a| if a == 1 { drag[1] - down } else { drag[a] })
                    .truncate_to(5.0);
                boid.velocity = boid.velocity.plus(force.times(0.05)).truncate_to(2.0);
                boid.position = boid.position.plus(boid.velocity.times(0.05));
            }
            time += f64::from(0.05f32);
            let why = flock.explain(BoidId::new(boids[0].id), dt()).unwrap();
            flock.step(dt());
            let found = bits(flock.frame().by_id().map(|b| (b.id.get(), b.position, b.velocity)));
            assert_eq!(
                found,
                bits(boids.iter().map(|b| (b.id, b.position, b.velocity))),
                "{D}-D {level} step {step}"
            );
            let explained = why.advance.position.map(f32::to_bits);
            assert_eq!(explained, boids[0].position.map(f32::to_bits), "{D}-D {level} step {step}");
        }
    }
    for level in Level::available() {
        for seed in 0..5 {
            check::<2>(seed, level);
            check::<3>(seed, level);
        }
    }
}

#[test]
fn drives_are_checked_when_a_flock_is_built_and_when_they_are_changed() {
    let noise = |name: &str| Drive::<[f32; 2]>::new(name, Noise::default());
    let refused = |builder: FlockBuilder<2>| builder.build().unwrap_err().to_string();
    let one = || Flock2::builder().boids(&[[0.0; 2]], &[[0.0; 2]]);
    let leader = Drive::new("duck", Leader::common(4));
    assert_eq!(
        refused(one().drives(vec![leader.clone()])),
        "drive.duck.parent = 4: allowed is the id of a boid that exists"
    );
    assert_eq!(
        refused(one().drives(vec![noise("a")]).own_drive("a", Sinking { weight: 1.0 })),
        "drive.a = given twice: allowed is each name once"
    );
    let many = (0..16).map(|i| noise(&i.to_string())).collect();
    assert_eq!(
        refused(one().drives(many).own_drive("a", Sinking { weight: 1.0 })),
        "drives = 17: allowed is at most 16"
    );
    let walls = Domain::walled([0.0; 2], [4.0; 2], 0.5, 1.0);
    let goal = Goal { target: Some([5.0, 1.0]), ..Default::default() };
    let outside = one().domain(walls).drives(vec![Drive::new("door", goal)]);
    assert_eq!(refused(outside), "drive.door.target[0] = 5: allowed is 0 to 4, the domain");
    let watching = Drive {
        when: When::Busy,
        ..Drive::new("duck", Leader { looks: true, ..Leader::common(0) })
    };
    assert_eq!(
        refused(one().drives(vec![watching])),
        "drive.duck.when = Busy: allowed is always or resting with looks: whether a boid is busy \
            would depend on what it finds where it looks"
    );

    let mut flock = one().domain(walls).drives(vec![noise("a")]).build().unwrap();
    let id = flock.frame().living()[0];
    assert_eq!(
        flock.set_drives(vec![leader]).unwrap_err().to_string(),
        "drive.duck.parent = 4: allowed is the id of a boid that exists"
    );
    assert_eq!(flock.drives()[0].name, "a");
    assert_eq!(
        flock.set_goal(id, Some([1.0, 4.5])).unwrap_err().to_string(),
        "boid 0: goal[1] = 4.5: allowed is 0 to 4, the domain"
    );
    assert_eq!(
        flock.set_goals(&[(id, Some([1.0, f32::NAN]))]).unwrap_err().to_string(),
        "boid 0: goal[1] = NaN: allowed is -1e30 to 1e30"
    );
    assert_eq!(
        flock.set_goal(BoidId::new(9), None).unwrap_err().to_string(),
        "no living boid has id 9"
    );
    assert_eq!(flock.goal(id).unwrap(), None);
}
