//! Gaps that are filled, and positions that are smoothed.

use wingbeat_record::{Frames, Options, RecordError, Recording, Smooth, convert, read};

use crate::common::{Lab, record};

/// One individual's places along x at frames 0, 1, 2, …; NaN is not seen.
fn table(places: &[f64]) -> String {
    let rows = places.iter().enumerate().filter(|(_, x)| !x.is_nan());
    rows.fold("frame,id,x,y\n".into(), |text, (frame, x)| format!("{text}{frame},4,{x},0\n"))
}

fn mended(content: &str, fill_gaps: Option<u64>, smooth: Option<&str>) -> Recording {
    let lab = Lab::new();
    let path = lab.write("a.csv", content.as_bytes());
    let smooth = smooth.map(|text| text.parse().expect("a filter"));
    read(&path, &Options { fps: Some(10.0), fill_gaps, smooth, ..Options::default() })
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Frame, place and speed along x of all rows.
fn along_x(recording: &Recording) -> Vec<(i64, f64, f64)> {
    let frames = recording.frames().map(|frame| frame.expect("a frame"));
    frames
        .flat_map(|frame| {
            frame.rows.iter().map(|r| (r.frame, r.position[0], r.velocity[0])).collect::<Vec<_>>()
        })
        .collect()
}

#[track_caller]
fn near(found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len());
    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-10 * (1.0 + b.abs());
    assert!(found.iter().zip(wanted).all(is_near), "{found:?}, not {wanted:?}");
}

/// `scipy.signal.savgol_filter(y, window, order, deriv, mode="interp")` of SciPy 1.17.
#[test]
fn smoothing_is_that_of_scipy() {
    let y = [0.0, 1.0, 4.0, 2.0, 8.0, 5.0, 7.0, 1.0, 3.0, 9.0, 6.0];
    let places = [
        (
            "5,2",
            [
                11.0 / 35.0,
                33.0 / 35.0,
                16.0 / 7.0,
                32.0 / 7.0,
                5.34285714285714,
                7.314285714285711,
                4.514285714285711,
            ],
        ),
        (
            "5",
            [
                -2.0 / 7.0,
                15.0 / 7.0,
                16.0 / 7.0,
                32.0 / 7.0,
                5.342857142857145,
                7.3142857142857185,
                4.514285714285716,
            ],
        ),
        (
            "7,3",
            [
                -1.0 / 21.0,
                4.0 / 3.0,
                17.0 / 6.0,
                30.0 / 7.0,
                6.047619047619051,
                5.714285714285719,
                4.571428571428575,
            ],
        ),
        ("3,1", [-1.0 / 3.0, 5.0 / 3.0, 7.0 / 3.0, 14.0 / 3.0, 5.0, 20.0 / 3.0, 13.0 / 3.0]),
    ];
    let speeds = [
        ("5,2", [0.2714285714285695, 0.9857142857142844, 1.7, 1.2, 0.9, -0.3, -1.4]),
        (
            "5",
            [
                4.571428571428534,
                0.7857142857142847,
                0.0,
                2.333333333333332,
                1.75,
                -0.583333333333333,
                -2.25,
            ],
        ),
        (
            "7,3",
            [
                1.2658730158730116,
                1.4682539682539675,
                1.5039682539682553,
                1.373015873015873,
                1.4880952380952386,
                -0.40873015873015867,
                -2.8611111111111116,
            ],
        ),
        ("3,1", [2.0, 2.0, 0.5, 2.0, 1.5, -0.5, -2.0]),
    ];
    let last = [
        ("5,2", 7.828571428571422, 3.4571428571428555),
        ("5", 6.128571428571298, -8.726190476190526),
    ];
    for ((filter, places), (_, speeds)) in places.iter().zip(&speeds) {
        let recording = mended(&table(&y), None, Some(filter));
        let found = along_x(&recording);
        near(&found[..7].iter().map(|row| row.1).collect::<Vec<_>>(), places);
        near(&found[..7].iter().map(|row| row.2 / 10.0).collect::<Vec<_>>(), speeds);
        if let Some((_, place, speed)) = last.iter().find(|(of, ..)| of == filter) {
            near(&[found[10].1, found[10].2 / 10.0], &[*place, *speed]);
        }
        assert_eq!(
            (recording.found().positions_smoothed, recording.found().short_stretches),
            (11, 0)
        );
    }
}

#[test]
fn stretches_shorter_than_the_window_are_left_and_counted() {
    let nan = f64::NAN;
    let recording = mended(
        &table(&[0.0, 1.0, 4.0, 2.0, 8.0, nan, 5.0, 7.0, 8.0, nan, nan, 3.0]),
        None,
        Some("5,2"),
    );
    let found = along_x(&recording);
    assert_eq!(found[5], (6, 5.0, 20.0), "central differences there");
    assert_eq!(found[6], (7, 7.0, 15.0));
    assert!(found[8].2.is_nan() && found[0].1 != 0.0);
    let counts = recording.found();
    assert_eq!(
        (counts.positions_smoothed, counts.short_stretches, counts.positions_not_smoothed),
        (5, 2, 4)
    );
    assert_eq!((counts.without_velocity, counts.positions, counts.gaps), (1, 9, 2));
    assert!(
        counts.notes.iter().any(|note| note.contains("in 2 stretches shorter than that 4 stay")),
        "{:?}",
        counts.notes
    );
}

/// In one frame there may be both: velocities of polynomials stay beside differences.
#[test]
fn who_is_smoothed_and_who_is_not_meet_in_one_frame() {
    let rows = format!(
        "{}2,9,50,0\n3,9,53,0\n",
        table(&[0.0, 1.0, 4.0, 2.0, 8.0, 5.0, 7.0, 1.0, 3.0, 9.0, 6.0])
    );
    let recording = mended(&rows, None, Some("5,2"));
    let frame = recording.frame(2).expect("a frame");
    near(&[frame.rows[0].position[0], frame.rows[0].velocity[0]], &[16.0 / 7.0, 17.0]);
    near(&[frame.rows[1].position[0], frame.rows[1].velocity[0]], &[50.0, 30.0]);
}

#[test]
fn gaps_are_filled_by_a_spline_and_said() {
    let nan = f64::NAN;
    // By hand: slopes 1 and −1 at the gap's ends, span 2, from 1 to 1: half way 1 + (1/8)·2 −
    // (−1/8)·2 = 1.5, … of the parabola.
    let parabola: Vec<f64> = (0..7).map(|t| f64::from(t * (6 - t))).collect();
    let mut seen = parabola.clone();
    (seen[2], seen[4], seen[5]) = (nan, nan, nan);
    let recording = mended(&table(&seen), Some(1), None);
    let rows = along_x(&recording);
    assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), [0, 1, 2, 3, 6]);
    // Parabola beside the gap: 0, 5, _, 9, and behind another gap 0: slopes 4·2 − …, by hand.
    let (before, after) = (5.0 + (2.0 - 5.0) / 3.0, (3.0 * 2.0 + 2.0 * -3.0) / 5.0);
    near(&[rows[2].1], &[(5.0 + 9.0) / 2.0 + 2.0 * (before - after) / 8.0]);
    let found = recording.found();
    assert_eq!((found.gaps, found.gap_frames, found.longest_gap, found.positions), (2, 3, 2, 4));
    assert_eq!(
        (found.gaps_filled, found.positions_filled, found.frames, found.empty_frames),
        (1, 1, 5, 2)
    );
    assert_eq!(found.without_velocity, 1);
    assert!(
        found.notes.iter().any(|note| note.contains("1 with 1 positions; 1 gaps stay")),
        "{:?}",
        found.notes
    );
    // Both filled: the parabola, with its differences as velocities.
    let rows = along_x(&mended(&table(&seen), Some(2), None));
    assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6]);
    near(&rows.iter().map(|row| row.1).collect::<Vec<_>>(), &parabola);
    near(&[rows[4].2], &[10.0 * (parabola[5] - parabola[3]) / 2.0]);
}

/// Where the file has velocities, those of filled positions are the spline's, in its units.
#[test]
fn filled_positions_have_velocities_where_the_file_has_them() {
    let rows = "frame,id,x,y,vx,vy\n0,1,0,0,7,7\n1,1,1,0,7,7\n3,1,9,0,7,7\n4,1,16,0,7,7\n";
    let lab = Lab::new();
    let path = lab.write("a.csv", rows.as_bytes());
    let options =
        Options { fps: Some(10.0), scale: Some(2.0), fill_gaps: Some(1), ..Options::default() };
    let recording = read(&path, &options).expect("a recording");
    let found = along_x(&recording);
    assert_eq!((found[1], found[2]), ((1, 2.0, 14.0), (2, 8.0, 80.0)));
}

#[test]
fn what_cannot_be_mended_is_refused() {
    let lab = Lab::new();
    let path = lab.path("a.wbr");
    record::<2>(&path, 5, 4, 1, false);
    let smooth = Some("5,2".parse::<Smooth>().expect("a filter"));
    let both = [
        Options { fill_gaps: Some(3), ..Options::default() },
        Options { smooth, ..Options::default() },
    ];
    for options in &both {
        let refusals = [
            read(&path, options).map(|_| ()),
            Frames::open(&path, options, &|_, _| true).map(|_| ()),
        ];
        for refusal in refusals {
            let message = refusal.expect_err("a refusal").to_string();
            assert!(message.contains("wingbeat convert") && !message.contains('\n'), "{message}");
        }
    }
    convert(&path, &lab.path("a.xyz"), &Options::default(), 1).expect("converted");
    for options in &both {
        let message = read(&lab.path("a.xyz"), options).expect_err("a refusal").to_string();
        assert!(message.contains("periodic"), "{message}");
    }
    let too_many = Options { fill_gaps: Some(10_001), ..Options::default() };
    assert!(matches!(read(&path, &too_many), Err(RecordError::Option { name: "fill-gaps", .. })));
    for filter in [
        "4", "10,3", "3,3", "3", "5,0", "5,5", "x", "5,x", "5,", "", "-5", "10001", "99,10",
        "5,2,1",
    ] {
        let refusal = filter.parse::<Smooth>().expect_err("a refusal");
        assert!(
            matches!(
                &refusal,
                RecordError::Option { name: "smooth", value, .. } if value == filter
            ),
            "{refusal}"
        );
    }
}
