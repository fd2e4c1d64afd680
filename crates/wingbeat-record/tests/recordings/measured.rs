//! Recordings that are sound: what is read, what is put in order, what is counted, and what comes
//! of it.

use std::fmt::Write;

use wingbeat::observe;
use wingbeat::steer::TimeStep;
use wingbeat::{Alignment, Cohesion, Domain, Flock3, Params, Rules, Separation, Shape, Spawn};
use wingbeat_record::{Area, DensityMap, Line, Options, RecordError, Recording, read};

use crate::common::recorded;

/// The velocity along x of an individual in a frame.
fn speed_along_x(recording: &Recording, frame: i64, id: u64) -> f64 {
    let frame = recording
        .frames()
        .map(|frame| frame.expect("a frame"))
        .find(|f| f.number == frame)
        .expect("the frame");
    frame.rows.iter().find(|row| row.id == id).expect("the individual").velocity[0]
}

#[test]
fn velocities_are_central_inside_stretches_and_one_sided_at_their_ends() {
    let rows = "frame,id,x,y\n0,7,0,0\n1,7,1,0\n2,7,4,0\n3,7,9,0\n6,7,100,0\n7,7,102,0\n9,7,0,0\n";
    let recording = recorded("a.csv", rows, 10.0);
    let wanted = [(0, 10.0), (1, 20.0), (2, 40.0), (3, 50.0), (6, 20.0), (7, 20.0)];
    for (frame, speed) in wanted {
        assert_eq!(speed_along_x(&recording, frame, 7), speed, "frame {frame}");
    }
    assert!(speed_along_x(&recording, 9, 7).is_nan(), "alone between gaps");
    let found = recording.found();
    assert_eq!((found.gaps, found.gap_frames, found.longest_gap), (2, 3, 2));
    assert_eq!((found.frames, found.empty_frames, found.without_velocity), (7, 3, 1));
    let last = recording.frames().map(|frame| frame.expect("a frame")).last().expect("a frame");
    assert_eq!((last.time, last.observables(None).mean_speed), (0.9, None));
}

#[test]
fn whatever_is_dirty_is_put_in_order_and_counted() {
    let rows = "id,frame,note,y,x\n\
        2,1,late,0,10\n1,2,,0,2\n1,0,,0,0\n1,1,,0,1\n1,1,again,0,1\n1,2,other,0,2\n\
        2,2,,0,11\n1,3,,,3\n1,4,,NaN,NA\n1,5,,0,5\n2,5.0,,0,14\n3,5,,1,1\n";
    let recording = recorded("a.csv", rows, 1.0);
    let found = recording.found();
    assert_eq!((found.ids, found.frames, found.first_frame, found.last_frame), (3, 4, 0, 5));
    assert_eq!((found.positions, found.missing_positions, found.empty_frames), (8, 2, 2));
    assert_eq!((found.duplicates, found.out_of_order), (2, 1));
    assert_eq!((found.gaps, found.gap_frames, found.longest_gap), (2, 4, 2));
    assert_eq!((found.late_ids, found.early_leavers), (2, 0));
    assert_eq!(found.notes, ["columns ignored: note"]);
    assert_eq!(speed_along_x(&recording, 1, 1), 1.0);
    assert!(
        recording
            .frames()
            .map(|frame| frame.expect("a frame"))
            .all(|frame| frame.rows.is_sorted_by_key(|row| row.id))
    );
}

#[test]
fn every_fifth_frame_is_no_gap() {
    let recording = recorded(
        "a.txt",
        "# framerate: 25 fps\n1 0 0 0 1.7\n1 5 1 0 1.7 # limps\n\n1 10 2 0 1.7\n",
        25.0,
    );
    let found = recording.found();
    assert_eq!((found.frame_step, found.gaps, recording.dimensions()), (5, 0, 2));
    assert_eq!(speed_along_x(&recording, 5, 1), 5.0);
}

#[test]
fn the_frame_rate_is_the_given_one_or_the_files_or_one() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("a.txt");
    std::fs::write(&path, "#framerate: 16 fps\n1 0 0 0\n1 1 1 0\n").expect("a scratch file");
    let fps = |fps| {
        read(&path, &Options { fps, scale: Some(100.0), ..Options::default() })
            .expect("a recording")
    };
    assert_eq!((fps(None).fps(), fps(Some(8.0)).fps()), (16.0, 8.0));
    assert_eq!(speed_along_x(&fps(None), 0, 1), 1600.0, "scaled");
    std::fs::write(&path, "1 0 0 0\n1 1 1 0\n").expect("a scratch file");
    assert_eq!(fps(None).fps(), 1.0);
    assert!(fps(None).found().notes.iter().any(|note| note.contains("no frame rate")));
}

/// An NPY file of this dtype, order and shape.
fn npy(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
    let padded = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((padded.len() as u16).to_le_bytes());
    bytes.extend(padded.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn arrays_are_read_in_every_order_and_precision() {
    // Three frames of two individuals; the second is not seen in the second frame, no individual in
    // the last.
    let values =
        [1.0, 2.0, 3.0, 4.0, 1.5, 2.5, f64::NAN, 4.5, f64::NAN, f64::NAN, f64::NAN, f64::NAN];
    let fortran: Vec<f64> = (0..12).map(|i| values[(i % 3 * 2 + i / 3 % 2) * 2 + i / 6]).collect();
    let big: Vec<u8> = values.iter().flat_map(|x| x.to_be_bytes()).collect();
    let small: Vec<u8> = values.iter().flat_map(|&x| (x as f32).to_le_bytes()).collect();
    let turned: Vec<u8> = fortran.iter().flat_map(|x| x.to_le_bytes()).collect();
    for (descr, order, data) in
        [(">f8", "False", big), ("<f4", "False", small), ("<f8", "True", turned)]
    {
        let recording = recorded("a.npy", npy(descr, order, "(3, 2, 2)", &data), 1.0);
        let rows: Vec<_> = recording
            .frames()
            .map(|frame| frame.expect("a frame"))
            .flat_map(|f| f.rows.to_vec())
            .collect();
        let got: Vec<_> = rows.iter().map(|row| (row.frame, row.id, row.position)).collect();
        assert_eq!(
            got,
            [(0, 0, [1.0, 2.0, 0.0]), (0, 1, [3.0, 4.0, 0.0]), (1, 0, [1.5, 2.5, 0.0])],
            "{descr} {order}"
        );
        let found = recording.found();
        assert_eq!(
            (found.missing_positions, found.last_frame, found.empty_frames, found.early_leavers),
            (3, 2, 1, 2)
        );
    }
}

#[test]
fn simulated_and_recorded_measure_alike() {
    let params = Params {
        rules: Rules {
            separation: Some(Separation { weight: 2.0, ..Default::default() }),
            alignment: Some(Alignment::default()),
            cohesion: Some(Cohesion::default()),
            ..Default::default()
        },
        ..Default::default()
    };
    let spawn = Spawn { shape: Shape::Box { min: [0.0; 3], max: [5.0; 3] }, ..Spawn::default() };
    let mut flock =
        Flock3::builder().params(params).seed(4).spawn(150, &spawn).build().expect("a flock");
    let mut csv = String::from("frame,id,x,y,z,vx,vy,vz\n");
    let mut positions_only = String::from("frame,id,x,y,z\n");
    let mut simulated = Vec::new();
    for step in 0..20 {
        simulated.push(observe::observables(&flock.frame(), &Domain::open(), Some(0.8)));
        // In slot order, as a recorder that does not sort would.
        for boid in flock.frame().by_slot() {
            let ([x, y, z], [vx, vy, vz]) =
                (boid.position.map(f64::from), boid.velocity.map(f64::from));
            writeln!(csv, "{step},{},{x},{y},{z},{vx},{vy},{vz}", boid.id.get()).expect("a string");
            writeln!(positions_only, "{step},{},{x},{y},{z}", boid.id.get()).expect("a string");
        }
        flock.step(TimeStep::new(0.01).expect("a step"));
    }
    let measure = |text: &str| -> Vec<_> {
        recorded("run.csv", text, 100.0)
            .frames()
            .map(|frame| frame.expect("a frame").observables(Some(0.8)))
            .collect()
    };
    // With the velocities in the file, every number is the same to the last bit.
    assert_eq!(measure(&csv), simulated);
    // From positions alone, velocities are those half a step away on either side.
    for (got, wanted) in measure(&positions_only).iter().zip(&simulated).skip(1) {
        assert_eq!(
            (got.nearest_neighbor_distance, got.density),
            (wanted.nearest_neighbor_distance, wanted.density)
        );
        assert_eq!((got.groups, got.largest_group), (wanted.groups, wanted.largest_group));
        let (got, wanted) =
            (got.polarization.expect("a value"), wanted.polarization.expect("a value"));
        assert!((got - wanted).abs() < 0.01, "{got}, wanted {wanted}");
    }
}

#[test]
fn crossings_count_people_once_and_gaps_not_at_all() {
    // Upwards over the line y = 0 at 0.5 s and 2.5 s; there and back; past its end; in a gap.
    let text = "1 0 1 -1\n1 1 1 1\n\
                2 2 2 -1\n2 3 2 1\n2 4 2 -1\n\
                3 0 9 -1\n3 1 9 1\n\
                4 0 1 -1\n4 2 1 1\n";
    let recording = recorded("a.txt", text, 1.0);
    let line = Line::new([0.0, 0.0, 4.0, 0.0]).expect("a line");
    let passages = line.passages(&recording).expect("a recording");
    assert_eq!(
        (passages.to_left, passages.to_right, passages.unseen, passages.persons),
        (2, 1, 1, 2)
    );
    assert_eq!((passages.first_s, passages.last_s), (Some(0.5), Some(2.5)));
    assert_eq!((passages.flow, passages.specific_flow), (Some(0.5), Some(0.125)));
    let wider = Line::new([10.0, 0.0, 0.0, 0.0])
        .expect("a line")
        .passages(&recording)
        .expect("a recording");
    assert_eq!(
        (wider.to_right, wider.to_left, wider.persons),
        (3, 1, 3),
        "turned round, left is right"
    );
    assert!(
        Line::new([1.0, 1.0, 1.0, 1.0]).is_err() && Line::new([0.0, 0.0, f64::NAN, 1.0]).is_err()
    );
}

#[test]
fn windows_count_all_once_in_the_window_of_the_first_crossing() {
    // A frame is a second. Over the line y = 0 (left is up): 1 up at 0.5, 2 up at 2.5 and back at
    // 3.5, 3 down at 4.25, 4 down just when the last frame is taken, at 5; nothing happens in the
    // first frame's window before 0.
    let text = "1 0 1 -1\n1 1 1 1\n2 2 2 -1\n2 3 2 1\n2 4 2 -1\n3 4 3 1\n3 5 3 -3\n4 4 1 -1\n\
        4 5 1 0\n";
    let recording = recorded("a.txt", text, 1.0);
    let passages =
        Line::new([0.0, 0.0, 4.0, 0.0]).expect("a line").passages(&recording).expect("a recording");
    let crossings: Vec<_> =
        passages.first_crossings.iter().map(|one| (one.id, one.time_s, one.to_right)).collect();
    assert_eq!(crossings, [(1, 0.5, false), (2, 2.5, false), (3, 4.25, true), (4, 5.0, false)]);
    let windows = passages.windows(2.0).expect("windows");
    let got: Vec<_> =
        windows.iter().map(|w| (w.start_s, w.end_s, w.crossed, w.flow, w.specific_flow)).collect();
    let wanted = [
        (0.0, 2.0, [0, 1], [0.0, 0.5], 0.125),
        (2.0, 4.0, [0, 2], [0.0, 0.5], 0.125),
        // Cut at the last frame: one of each in one second.
        (4.0, 5.0, [1, 3], [1.0, 1.0], 0.5),
    ];
    assert_eq!(got, wanted);
    // A crossing on an edge belongs to the window that begins there; windows begin at multiples,
    // whenever the recording does.
    let late = recorded("b.txt", "1 7 1 -1\n1 8 1 0\n1 9 1 1\n1 13 1 1\n", 2.0);
    let windows = Line::new([0.0, 0.0, 4.0, 0.0])
        .expect("a line")
        .passages(&late)
        .expect("a recording")
        .windows(2.0)
        .expect("windows");
    let got: Vec<_> = windows.iter().map(|w| (w.start_s, w.end_s, w.crossed)).collect();
    assert_eq!(got, [(3.5, 4.0, [0, 0]), (4.0, 6.0, [0, 1]), (6.0, 6.5, [0, 1])]);
    // The last frame belongs to the last window, also where the next would begin.
    let crossed: Vec<_> =
        passages.windows(2.5).expect("windows").iter().map(|w| w.crossed).collect();
    assert_eq!(crossed, [[0, 1], [1, 3]]);
    // A length that is no binary fraction: 2.1 / 0.3 is a little above 7, and there are no 8
    // windows.
    let short = recorded("c.txt", "1 0 0 1\n1 21 0 1\n", 10.0);
    let passages =
        Line::new([0.0, 0.0, 4.0, 0.0]).expect("a line").passages(&short).expect("a recording");
    assert_eq!(passages.windows(0.3).expect("windows").len(), 7);
    for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-9] {
        assert!(passages.windows(seconds).is_err(), "{seconds}");
    }
}

#[test]
fn areas_count_who_is_inside() {
    let recording =
        recorded("a.txt", "1 0 0 0\n2 0 1 2\n3 0 5 5\n1 1 9 9\n2 1 1 1\n3 1 5 5\n", 2.0);
    let area = Area::new([0.0, 0.0, 2.0, 2.0]).expect("an area");
    let densities: Vec<f64> = recording
        .frames()
        .map(|frame| frame.expect("a frame"))
        .map(|frame| area.density(&frame))
        .collect();
    assert_eq!(densities, [2.0 / 4.0, 1.0 / 4.0]);
    let speeds: Vec<_> = recording
        .frames()
        .map(|frame| frame.expect("a frame"))
        .map(|frame| area.mean_speed(&frame))
        .collect();
    assert_eq!(speeds[1], Some(2.0));
    assert!(Area::new([0.0, 0.0, 0.0, 2.0]).is_err() && Area::new([0.0, 3.0, 1.0, 2.0]).is_err());
}

/// Long work tells how far it is, and ends where it is told to.
#[test]
fn lines_and_maps_are_watched() {
    let recording = recorded("a.csv", "frame,id,x,y\n0,7,0,0\n1,7,1,0\n2,7,4,0\n", 10.0);
    let line = Line::new([0.5, -1.0, 0.5, 1.0]).expect("a line");
    let told = std::cell::RefCell::new(Vec::new());
    let watch = |done, of| {
        told.borrow_mut().push((done, of));
        done < 1
    };
    assert!(matches!(line.passages_watched(&recording, &watch), Err(RecordError::Stopped)));
    assert_eq!(told.take(), [(0, 3), (1, 3)]);
    assert!(matches!(
        DensityMap::new_watched(&recording, 1.0, None, &watch),
        Err(RecordError::Stopped)
    ));
    assert_eq!(told.take(), [(0, 3), (1, 3)]);
}
