//! Small scenes of flocks and crowds that public reports are about, each with its right result:
//! what keeps apart keeps apart, who meets passes, mirror images take as long, and a time step
//! changes no statistics.

use wingbeat::Event;
use wingbeat_scene::{AnyFlock, Built, Machine, Row, Scene};

use crate::reports::load;

fn built(name: &str, sets: &[&str]) -> (Scene, Built) {
    let scene = load(&format!("{name}.toml"), sets);
    let built = scene.build(&Machine { level: None, threads: Some(2) });
    let built = built.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    (scene, built)
}

/// Steps of a scene until a moment; the time then, and the rows.
fn steps_until(
    name: &str,
    sets: &[&str],
    seconds: f64,
    mut ends: impl FnMut(&AnyFlock) -> bool,
) -> (Option<f64>, Vec<Row>) {
    let (scene, mut built) = built(name, sets);
    for made in 1.. {
        built.step(scene.dt()).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        let time = scene.dt().time_of(made);
        if ends(&built.flock) {
            return (Some(time), built.flock.rows());
        }
        if time >= seconds {
            return (None, built.flock.rows());
        }
    }
    unreachable!("steps are counted in u64")
}

/// The rows after so many seconds.
fn after(name: &str, sets: &[&str], seconds: f64) -> Vec<Row> {
    steps_until(name, sets, seconds, |_| false).1
}

fn distance(one: &Row, other: &Row) -> f64 {
    let way = |axis: usize| f64::from(one.position[axis]) - f64::from(other.position[axis]);
    (square(way(0)) + square(way(1))).sqrt()
}

/// The least distance of two.
fn least(rows: &[Row], distance: impl Fn(&Row, &Row) -> f64) -> f64 {
    let pairs = (0..rows.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs.map(|(i, j)| distance(&rows[i], &rows[j])).fold(f64::INFINITY, f64::min)
}

fn square(x: f64) -> f64 {
    x * x
}

fn speed(row: &Row) -> f64 {
    row.velocity.iter().map(|&v| square(f64::from(v))).sum::<f64>().sqrt()
}

/// How many arrivals, captures and exits a scene has until it has all `of` them, and when.
fn all(name: &str, sets: &[&str], seconds: f64, of: usize) -> f64 {
    let mut count = 0;
    let is_one = |event: &&Event| {
        matches!(event, Event::Arrived { .. } | Event::Captured { .. } | Event::Exited { .. })
    };
    let (time, _) = steps_until(name, sets, seconds, |flock| {
        count += flock.events().iter().filter(is_one).count();
        count >= of
    });
    time.unwrap_or_else(|| panic!("{name} {sets:?}: {count} of {of} in {seconds} s"))
}

#[test]
fn two_a_hundredth_apart_part() {
    let rows = after("collapse_two", &[], 5.0);
    assert!(distance(&rows[0], &rows[1]) > 0.1, "{}", distance(&rows[0], &rows[1]));
}

/// None of a hundred, of five seeds, is nearer to another than a twentieth of the separation
/// radius.
#[test]
fn boids_of_a_first_scene_do_not_pile_up() {
    for seed in 1..=5 {
        let (scene, mut built) = built("collapse_doc_scene", &[&format!("flock.seed={seed}")]);
        (0..2000).for_each(|_| built.step(scene.dt()).expect("a step"));
        let AnyFlock::Two(flock) = &built.flock else { panic!("a plane") };
        let (min, max) = (flock.domain().min, flock.domain().max);
        let rows = built.flock.rows();
        let apart = |one: &Row, other: &Row| {
            let way = |axis: usize| {
                let side = f64::from(max[axis]) - f64::from(min[axis]);
                let way = f64::from(one.position[axis]) - f64::from(other.position[axis]);
                way - side * (way / side).round()
            };
            (square(way(0)) + square(way(1))).sqrt()
        };
        let least = least(&rows, apart);
        assert!(least > 0.05 * 0.5, "seed {seed}: {least}");
    }
}

/// Two who walk towards each other on one line, exact to the last bit, swap their places. RVO2
/// needs 14.3 s for it.
#[test]
fn two_who_meet_head_on_swap_their_places() {
    let orca = all("head_on_social_force", &["anticipation.kind=\"orca\""], 60.0, 2);
    assert!((14.0..16.0).contains(&orca), "{orca} s");
    for model in ["social_force", "power_law"] {
        let time =
            all("head_on_social_force", &[&format!("anticipation.kind=\"{model}\"")], 60.0, 2);
        assert!(time < 30.0, "{model}: {time} s");
    }
}

/// RiMEA 4.1.1, test 15: mirror images of one corner take as long, within 5 %.
#[test]
fn a_corner_to_the_left_takes_as_long_as_one_to_the_right() {
    let [left, right] = ["rimea15_left", "rimea15_right"].map(|name| all(name, &[], 200.0, 500));
    assert!((left / right - 1.0).abs() < 0.05, "left {left} s, right {right} s");
    let time = all("corner", &[], 120.0, 150);
    assert!(time < 65.0, "150 round a corner of 3 m: {time} s");
}

/// 60 sent to one point gather about it and come to rest, none within another.
#[test]
fn units_sent_to_one_point_come_to_rest() {
    let rows = after("shared_goal", &[], 60.0);
    let fastest = rows.iter().map(speed);
    let (fastest, farthest) = (
        fastest.fold(0.0, f64::max),
        rows.iter()
            .map(|row| {
                let [x, y] = [row.position[0], row.position[1]].map(f64::from);
                (x * x + y * y).sqrt()
            })
            .fold(0.0, f64::max),
    );
    assert!(fastest <= 0.0014, "{fastest}");
    // 60 discs of 0.3 fill a disc of 2.5 at 0.86, the densest that is random.
    assert!(farthest < 5.0, "{farthest}");
    let least = least(&rows, distance);
    assert!(least > 0.6 - 1e-4, "{least}");
}

/// An open road whose end lies beside its start is walked once, all of it, to its end.
#[test]
fn a_road_in_the_shape_of_a_p_is_walked_to_its_end() {
    for prediction in ["0.001", "0.5"] {
        let set = format!("drive.p.prediction_time={prediction}");
        let mut farthest = 0.0f64;
        let (_, rows) = steps_until("road_p_shape", &[&set], 150.0, |flock| {
            farthest = farthest.max(f64::from(flock.rows()[0].position[1]));
            false
        });
        let [x, y] = [rows[0].position[0], rows[0].position[1]];
        assert!(farthest > 9.0, "{set}: the far corner was left out: {farthest}");
        assert!((x - 0.5).abs() < 0.3 && (y - 0.3).abs() < 0.3, "{set}: it ends at {x}, {y}");
        assert!(speed(&rows[0]) < 0.01, "{set}: it goes on at {}", speed(&rows[0]));
    }
}

/// Prey that evades does not run into its hunter, which is a fifth faster: it lives as long as prey
/// that flees, 2.8 m at 0.2 m/s.
#[test]
fn prey_that_evades_does_not_turn_round() {
    let [evading, fleeing] = ["evade", "flee"]
        .map(|kind| all("evade", &[&format!("interaction.prey.hunter.kind=\"{kind}\"")], 60.0, 1));
    assert!(evading > 14.0 && evading >= fleeing - 0.1, "evading {evading} s, fleeing {fleeing} s");
}

/// How far noise scatters does not depend on the time step.
#[test]
fn noise_scatters_as_far_at_every_time_step() {
    let squares = |dt: &str| {
        let rows = after("noise_by_dt", &[&format!("flock.dt={dt}")], 50.0);
        let squares = |row: &Row| row.position.iter().map(|&x| square(f64::from(x))).sum::<f64>();
        rows.iter().map(squares).sum::<f64>() / rows.len() as f64
    };
    let [short, middle, long] = ["0.01", "0.05", "0.2"].map(squares);
    // 2,000 boids: a standard error of some 2 %.
    for other in [short, long] {
        assert!((other / middle - 1.0).abs() < 0.08, "{short} {middle} {long}");
    }
}
