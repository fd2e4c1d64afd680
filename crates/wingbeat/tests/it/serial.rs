//! What a host keeps of a flock comes back from JSON as it was (feature `serde`).

use serde::Serialize;
use serde::de::DeserializeOwned;
use wingbeat::prelude::*;
use wingbeat::{
    Boid, Level,
    steer::{DriveId, ExitId},
};

#[track_caller]
fn comes_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    value: T,
    written: &str,
) {
    let text = serde_json::to_string(&value).expect("written");
    assert_eq!(text, written);
    assert_eq!(serde_json::from_str::<T>(&text).expect("read"), value);
}

#[test]
fn what_a_flock_tells_comes_back() {
    let id = BoidId::new(7);
    comes_back(id, "7");
    comes_back(
        Boid { id, position: [0.5, 1.0], velocity: [0.0, -2.0] },
        r#"{"id":7,"position":[0.5,1.0],"velocity":[0.0,-2.0]}"#,
    );
    comes_back(
        Event::Arrived { boid: id, drive: DriveId::new(2) },
        r#"{"Arrived":{"boid":7,"drive":2}}"#,
    );
    comes_back(
        Event::Exited { boid: id, exit: ExitId::new(1) },
        r#"{"Exited":{"boid":7,"exit":1}}"#,
    );
    comes_back(Level::Avx512, r#""Avx512""#);
    let shape = Shape::Ball { center: [1.0, 2.0, 3.0], radius: 4.0 };
    let text = serde_json::to_string(&Spawn { shape, ..Spawn::default() }).expect("written");
    assert_eq!(
        serde_json::from_str::<Spawn<3>>(&text).expect("read"),
        Spawn { shape, ..Spawn::default() }
    );
}
