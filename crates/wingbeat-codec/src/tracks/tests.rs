use super::*;

/// Rows of three individuals of quadratic ways, with gaps, in no order: in all sizes that the store
/// knows.
fn rows(frames: i64) -> Vec<Row> {
    let mut rows = Vec::new();
    for frame in 0..frames {
        for id in 0..3u64 {
            // Missing is one of a few, now and then many.
            let lacks = (frame * 7 + id as i64 * 3) % 11 < 2 || (frame / 20 + id as i64) % 5 == 4;
            if !lacks {
                rows.push(Row {
                    frame,
                    id,
                    position: place(frame as f64, id as f64),
                    velocity: [f64::NAN; 3],
                });
            }
        }
    }
    rows.reverse();
    rows
}

fn place(t: f64, id: f64) -> [f64; 3] {
    [1e3 + id + 0.5 * t - 0.01 * t * t, 0.3 * t * t - id * t, 0.0]
}

fn speed(t: f64, id: f64) -> [f64; 3] {
    [0.5 - 0.02 * t, 0.6 * t - id, 0.0]
}

fn mended(rows: &[Row], mending: &Mending) -> (Vec<Row>, Mended) {
    let mut unsorted = Unsorted::default();
    rows.iter().for_each(|row| unsorted.push(*row).expect("room in a file"));
    let (store, moments, _) = unsorted.sorted().expect("rows");
    let Ok((store, moments, mended)) = mending.mend(&store, &moments, &|_, _| true) else {
        panic!("no mending")
    };
    (
        moments.iter().flat_map(|moment| store.rows(moment).expect("rows").into_owned()).collect(),
        mended,
    )
}

fn mending(fill_gaps: u64, smooth: Option<&str>) -> Mending {
    let smooth = smooth.map(|text| text.parse().expect("a filter"));
    Mending { fill_gaps, smooth, frame_step: 1, fps: 10.0, has_velocities: true }
}

#[track_caller]
fn near(one: [f64; 3], other: [f64; 3], what: &str) {
    assert!(
        (0..3).all(|a| (one[a] - other[a]).abs() < 1e-9 * (1.0 + other[a].abs())),
        "{what}: {one:?}, not {other:?}"
    );
}

/// What goes along a parabola is put back where it was, and smoothing leaves it there: in memory,
/// and from files in sorted parts.
#[test]
fn parabolas_are_filled_and_stay_as_they_are() {
    for frames in [40, 400, 4000] {
        let known = rows(frames);
        let (found, done) = mended(&known, &mending(3, Some("7,2")));
        assert!(found.is_sorted_by(|a, b| (a.frame, a.id) < (b.frame, b.id)), "{frames}");
        assert_eq!(found.len() as u64, known.len() as u64 + done.positions_filled, "{frames}");
        assert_eq!(
            done.positions_smoothed + done.positions_not_smoothed,
            found.len() as u64,
            "{frames}"
        );
        assert!(
            done.gaps_filled > 3 * frames as u64 / 40
                && done.positions_smoothed > found.len() as u64 / 2,
            "{done:?}"
        );
        for row in &found {
            let (t, id) = (row.frame as f64, row.id as f64);
            near(row.position, place(t, id), &format!("frame {t}, id {id} of {frames}"));
            if row.velocity[0].is_finite() {
                near(
                    row.velocity,
                    speed(t, id).map(|v| 10.0 * v),
                    &format!("velocity in frame {t}, id {id} of {frames}"),
                );
            }
        }
    }
}

#[test]
fn only_gaps_that_are_short_enough_are_filled() {
    // Missing: 1, then 2, then 3 positions.
    let known: Vec<Row> = [0, 1, 3, 6, 10, 11]
        .into_iter()
        .map(|frame| Row { frame, id: 5, position: [frame as f64; 3], velocity: [f64::NAN; 3] })
        .collect();
    for (most, frames) in [(0, 6), (1, 7), (2, 9), (3, 12)] {
        let (found, done) = mended(&known, &mending(most, None));
        assert_eq!((found.len(), done.gaps_filled), (frames, most), "{most}");
    }
    // Another individual's rows are no neighbors: a track of two positions is a straight line.
    let row = |frame, id, x| Row { frame, id, position: [x, 0.0, 0.0], velocity: [f64::NAN; 3] };
    let (found, _) = mended(
        &[row(0, 1, 50.0), row(0, 2, 0.0), row(3, 2, 3.0), row(3, 3, -9.0)],
        &mending(2, None),
    );
    let along = found.iter().filter(|row| row.id == 2);
    assert_eq!(along.clone().count(), 4);
    along.for_each(|row| near(row.position, [row.frame as f64, 0.0, 0.0], "a straight line"));
}

#[test]
fn frames_apart_by_other_distances_have_nothing_between_them() {
    let row = |frame| Row { frame, id: 0, position: [frame as f64; 3], velocity: [f64::NAN; 3] };
    let known = [0, 2, 4, 7, 11].map(row);
    let (found, done) = mended(&known, &Mending { frame_step: 2, ..mending(5, None) });
    // From 4 to 7 there are no even steps; from 7 to 11 there is one position.
    let frames: Vec<i64> = found.iter().map(|row| row.frame).collect();
    assert_eq!((frames, done.gaps_filled), (vec![0, 2, 4, 7, 9, 11], 1));
}

#[test]
fn work_that_is_stopped_ends() {
    let mut unsorted = Unsorted::default();
    rows(4000).iter().for_each(|row| unsorted.push(*row).expect("room in a file"));
    let (store, moments, _) = unsorted.sorted().expect("rows");
    for most in [0, 8192] {
        let told = mending(3, None).mend(&store, &moments, &|done, _| done < most);
        assert!(matches!(told, Err(Trouble::Other(RecordError::Stopped))), "{most}");
    }
}
