//! Flow by the width of an opening.

use super::{flow, passages, scene};
use wingbeat_test_support::tier;

/// Persons a second through the preset's passage of this width, and when the last of them was
/// through.
fn through(width: f64, people: usize, seed: u64) -> (f64, f64) {
    let (wall, boids) =
        (format!("obstacle.right.min=[{width:.1}, -1.0]"), format!("flock.boids={people}"));
    let times =
        passages(&scene("bottleneck", &[&wall, &boids, &format!("flock.seed={seed}")]), 0.0, 400.0);
    assert_eq!(times.len(), people, "everyone gets through {width} m, seed {seed}");
    (flow(&times, 0.2, 0.8), times[people - 1])
}

/// Seyfried et al. 2009: J = 1.9·b persons a second, found from 0.8 to 1.2 m and near what others
/// found from 0.4 to 2.5 m.
#[test]
fn the_flow_grows_with_the_width() {
    let widths: Vec<f64> = tier::sample([0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 2.4], 3).collect();
    println!("width, m   1.9·b   here, 1/s   per meter");
    let flow_of = |&width: &f64| {
        let (flow, _) = through(width, if width < 1.0 { 100 } else { 240 }, 1);
        println!("{width:8.1} {:7.2} {flow:11.2} {:11.2}", 1.9 * width, flow / width);
        flow
    };
    let flows: Vec<f64> = widths.iter().map(flow_of).collect();
    for (width, flow) in widths.iter().zip(&flows) {
        assert!((1.45..2.1).contains(&(flow / width)), "{width} m: {flow:.2} persons/s");
    }
    assert!(flows.windows(2).all(|pair| pair[0] < pair[1]), "{flows:?}");
    // The line through the origin that fits best.
    let [wf, ww] =
        widths.iter().zip(&flows).fold([0.0; 2], |[wf, ww], (w, f)| [wf + w * f, ww + w * w]);
    println!("slope {:.2} persons per meter and second", wf / ww);
    assert!((wf / ww - 1.9).abs() < 0.2, "{}", wf / ww);
}

/// At half a meter there is room for one at a time. The model is known to clog there for good, two
/// blocking each other; the turn has to dissolve that, whatever the start.
#[test]
fn none_is_stuck_at_half_a_meter() {
    let flows = (2..tier::either(5, 10)).map(|seed| through(0.5, 60, seed).0);
    let flows: Vec<f64> = flows.collect();
    println!("persons/s through 0.5 m, by start: {flows:.2?}");
    assert!(flows.iter().all(|flow| (0.65..1.1).contains(flow)), "{flows:?}");
}
