//! A view that was stopped for a while, with its process or its machine: when it goes on, the clock
//! is far ahead of it.

use std::time::Duration;

use super::besieged::{Besieged, PACE};
use super::honest::Honest;
use wingbeat_test_support::tier;

#[test]
fn a_view_that_slept_goes_on_at_its_pace_with_its_viewers() {
    // With WINGBEAT_FULL=1 longer than a viewer may be silent.
    let full = tier::full();
    let asleep = Duration::from_secs(if full { 25 } else { 2 });
    let views = [Besieged::start(&[]), Besieged::start(&["--paused"])];
    let [mut flying, mut paused] = [0, 1].map(|k| Honest::new(views[k].local));
    // All that they have asked for is answered: of a flock that stands still nothing more comes.
    std::thread::sleep(Duration::from_secs(1));
    views.iter().for_each(|view| view.signal("-STOP"));
    std::thread::sleep(Duration::from_millis(200));
    flying.take();
    std::thread::sleep(asleep);
    assert_eq!(flying.take().frames, 0, "it was not stopped");
    views.iter().for_each(|view| view.signal("-CONT"));
    std::thread::sleep(Duration::from_secs(4));
    let got = flying.take();
    println!("{:.1} steps a second after {asleep:?}", got.rate);
    // The steps that were not made are not made up for: four seconds, a tenth of one that it may be
    // behind, and a machine that is busy.
    assert!(got.rate > 0.1 * PACE && got.rate < 1.2 * PACE, "{got:?}");
    // Who watches a flock that stands still is asked whether he is there, and says so.
    paused.take();
}
