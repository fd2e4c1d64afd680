//! Crossings of lines, flow in windows of time, and numbers in rectangles.

use wingbeat_measure::{Area, DensityMap, Line};
use wingbeat_record::RecordError;

use crate::recorded;

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
