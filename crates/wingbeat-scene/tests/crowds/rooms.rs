//! Rooms and corridors with people in them, as texts of scenes.

use wingbeat::Event;
use wingbeat_scene::{AnyFlock, Scene};

use super::build;

/// The flock of such people in a room.
pub fn flock_in(room: &str, people: &str) -> (AnyFlock, Scene) {
    let scene = Scene::parse("room.toml", &format!("{people}\n{room}"), &[]).unwrap_or_else(|refusal| panic!("{refusal}"));
    (build(&scene), scene)
}

/// Steps until the room is empty or so much time has passed; when each left, in time.
pub fn leave(room: &str, people: &str, until: f64) -> Vec<f64> {
    let (mut flock, scene) = flock_in(room, people);
    let mut times = Vec::new();
    while !flock.is_empty() && flock.time() < until {
        flock.step(scene.dt());
        let left = flock.events().iter().filter(|event| matches!(event, Event::Exited { .. })).count();
        times.extend(std::iter::repeat_n(flock.time(), left));
    }
    times
}

/// `[flock]`, `[spawn]` and `[domain]` of so many people, in a rectangle of a rectangle.
pub fn room(people: usize, spawn: [f32; 4], domain: [f32; 4]) -> String {
    let corners = |[x0, y0, x1, y1]: [f32; 4]| format!("min = [{x0:?}, {y0:?}]\nmax = [{x1:?}, {y1:?}]\n");
    format!(
        "[flock]\nboids = {people}\ndimensions = 2\ndt = 0.05\n[spawn]\nspeed = 0.0\n{}[domain]\nkind = \"reflecting\"\n{}",
        corners(spawn),
        corners(domain)
    )
}

/// A box, as a table of this kind.
pub fn block(kind: &str, name: &str, [x0, y0, x1, y1]: [f32; 4]) -> String {
    format!("[{kind}.{name}]\nkind = \"box\"\nmin = [{x0:?}, {y0:?}]\nmax = [{x1:?}, {y1:?}]\n")
}

pub const TO_EXITS: &str = "[drive.way]\nkind = \"flow\"\nto_exits = true\ncell = 0.1\nclearance = 0.2\n";
