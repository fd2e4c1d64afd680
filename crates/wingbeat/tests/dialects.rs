//! The dialects in their own worlds: the fast step equals the textbook over twenty steps, whatever the level, the storage, the
//! threads and the batches; and what the tools' flocks do.

use wingbeat::steer::model::{AgentsJl, Mason, Mesa, NetLogo, Unity, UnityFixed};
use wingbeat::steer::{TextbookBoid, TextbookFlock, Vector};
use wingbeat::*;

const SEED: u64 = 11;
const STEPS: usize = 20;

/// A model and a start: boids in a box of the given sides, periodic if it says so.
struct Start<const D: usize> {
    model: Model,
    sides: [f32; D],
    boids: usize,
}

impl<const D: usize> Start<D>
where
    [f32; D]: Vector,
{
    fn params(&self) -> Params {
        Params { model: Some(self.model), ..Default::default() }
    }

    fn domain(&self) -> Domain<[f32; D]> {
        if self.model.usual().periodic { Domain::periodic([0.0; D], self.sides) } else { Domain::open() }
    }

    fn dt(&self) -> TimeStep {
        TimeStep::new(self.model.usual().dt).expect("a time step")
    }

    fn flock(&self, change: impl FnOnce(FlockBuilder<D>) -> FlockBuilder<D>) -> Flock<D> {
        let spawn = Spawn { shape: Shape::Box { min: [0.0; D], max: self.sides }, speed: self.model.usual().speed, ..Spawn::default() };
        let builder = Flock::<D>::builder().params(self.params()).domain(self.domain()).seed(SEED);
        change(builder.spawn(self.boids, &spawn)).build().expect("a flock")
    }

    /// The state after [`STEPS`] steps of the textbook, in order of id.
    fn by_the_book(&self) -> Vec<([u32; D], [u32; D])> {
        let boid = |b: Boid<D>| TextbookBoid { id: b.id.get(), position: b.position, velocity: b.velocity };
        let boids = self.flock(|builder| builder).frame().by_id().map(boid).collect();
        let mut book = TextbookFlock { params: self.params(), domain: self.domain(), seed: SEED, step: 0, boids };
        (0..STEPS).for_each(|_| book.step_by(self.dt().get()));
        book.boids.iter().map(|b| (b.position.map(f32::to_bits), b.velocity.map(f32::to_bits))).collect()
    }

    fn equals_the_textbook_however_it_is_run(&self) {
        let wanted = self.by_the_book();
        for level in Level::available() {
            for storage in [Storage::Automatic, Storage::Sparse] {
                for (threads, batch) in [(1, 512), (3, 100), (2, 7)] {
                    let mut flock = self.flock(|builder| builder.level(level).storage(storage).threads(threads).batch(batch));
                    (0..STEPS).for_each(|_| flock.step(self.dt()));
                    let found: Vec<_> =
                        flock.frame().by_id().map(|b| (b.position.map(f32::to_bits), b.velocity.map(f32::to_bits))).collect();
                    let how = format!("{} {D}-D {level} {storage:?} {threads} threads, batches of {batch}", self.model.name());
                    assert_eq!(found, wanted, "{how}");
                }
            }
        }
    }
}

fn in_plane(model: impl Into<Model>, side: f32, boids: usize) -> Start<2> {
    Start { model: model.into(), sides: [side; 2], boids }
}

fn in_space(model: impl Into<Model>, side: f32, boids: usize) -> Start<3> {
    Start { model: model.into(), sides: [side; 3], boids }
}

#[test]
fn netlogo_however_it_is_run() {
    in_plane(NetLogo::default(), 71.0, 300).equals_the_textbook_however_it_is_run();
}

#[test]
fn mesa_and_agents_jl_however_they_are_run() {
    in_plane(Mesa::default(), 100.0, 300).equals_the_textbook_however_it_is_run();
    in_space(Mesa::default(), 40.0, 300).equals_the_textbook_however_it_is_run();
    in_plane(AgentsJl::default(), 100.0, 300).equals_the_textbook_however_it_is_run();
}

#[test]
fn mason_however_it_is_run() {
    in_plane(Mason::default(), 150.0, 300).equals_the_textbook_however_it_is_run();
    in_space(Mason::default(), 60.0, 300).equals_the_textbook_however_it_is_run();
}

#[test]
fn unity_however_it_is_run() {
    let obstacle = UnityFixed { obstacle_aversion_distance: 12.0, obstacle_x: 20.0, obstacle_y: 20.0, obstacle_z: 20.0, ..Default::default() };
    in_space(obstacle, 40.0, 300).equals_the_textbook_however_it_is_run();
    in_plane(UnityFixed::default(), 40.0, 300).equals_the_textbook_however_it_is_run();
    in_space(Unity::default(), 40.0, 300).equals_the_textbook_however_it_is_run();
}

/// Cells of 60 to 130 boids, where terms of the shipped sample end one after the other.
#[test]
fn unitys_crowded_cells_however_they_are_run() {
    for boids in [400, 550, 700, 900] {
        in_space(Unity::default(), 16.0, boids).equals_the_textbook_however_it_is_run();
    }
}

/// Mean number of others within `radius`.
fn crowding<const D: usize>(start: &Start<D>, steps: usize) -> f64
where
    [f32; D]: Vector,
{
    let mut flock = start.flock(|builder| builder);
    (0..steps).for_each(|_| flock.step(start.dt()));
    flock.mean_neighbors()
}

/// What each tool is shown for: birds that begin everywhere and fly anywhere end up in flocks of one heading.
#[test]
fn they_flock() {
    for start in [
        in_plane(NetLogo::default(), 71.0, 300),
        in_plane(AgentsJl::default(), 100.0, 300),
        in_plane(Mason::default(), 150.0, 200),
        in_plane(Mesa::default(), 100.0, 100),
    ] {
        let (before, after) = (crowding(&start, 0), crowding(&start, 500));
        let mut flock = start.flock(|builder| builder);
        (0..500).for_each(|_| flock.step(start.dt()));
        let order = observe::polarization(&flock.frame());
        println!("{}: {before:.2} neighbours, then {after:.2}; polarization {order:.2}", start.model.name());
        assert!(after > 1.5 * before, "{}: {before} neighbours, then {after}", start.model.name());
        assert!(order > 0.3, "{}: polarization {order}", start.model.name());
    }
}
