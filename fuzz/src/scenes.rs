//! Checks, builds, steps and rewrites a scene.

use wingbeat_scene::{Built, Machine, Override, Scene, SceneError};

/// Largest number of boids of a scene: more would find nothing else, and cost time.
pub const MOST_BOIDS: usize = 50;

/// Steps of every scene.
const STEPS: usize = 3;

/// Checks, builds and steps a scene, and reads it again as it writes itself. Of one that is
/// accepted nothing may be NaN.
pub fn build_and_step(read: impl Fn(&[Override]) -> Result<Scene, SceneError>) {
    let Ok(scene) = read(&[]) else { return };
    // A file that the target did not write is not part of the input.
    if !scene.files().iter().all(|file| file.starts_with(std::env::temp_dir())) {
        return;
    }
    let few = Override::set(&format!("flock.boids={MOST_BOIDS}")).expect("an assignment");
    let large = scene.boids().is_some_and(|boids| boids > MOST_BOIDS);
    let Ok(scene) = (if large { read(&[few]) } else { Ok(scene) }) else { return };
    let again = Scene::parse("again", &scene.to_toml(), &[])
        .unwrap_or_else(|refusal| panic!("{refusal}\n{}", scene.to_toml()));
    assert_eq!(again.to_toml(), scene.to_toml());
    let checked = scene.check();
    let built = scene.build(&Machine { threads: Some(1), level: None });
    assert!(checked.is_ok() || built.is_err(), "built, though refused: {checked:?}");
    let Ok(Built { mut flock, .. }) = built else { return };
    for _ in 0..STEPS {
        flock.step(scene.dt());
        let finite = |row: &wingbeat_scene::Row| {
            row.position.iter().chain(&row.velocity).all(|x| x.is_finite())
        };
        assert!(flock.rows().iter().all(finite), "NaN or infinity after {} steps", flock.steps());
    }
    flock.observables(Some(1.0));
}
