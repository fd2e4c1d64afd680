//! Recordings that are sound: what is read, what is put in order, what is counted, and what comes
//! of it.

use wingbeat_record::{Options, Recording, read};

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
    assert!(last.time == 0.9 && last.rows[0].velocity.iter().any(|v| v.is_nan()));
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
