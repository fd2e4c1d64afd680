//! Tables that are not what they seem: refused in one line that names a cure, or read with a note.

use wingbeat_record::{Frames, Options, Origin, Recording, Snapshot, convert, read};

use crate::common::Lab;

#[track_caller]
fn plain(content: &str) -> Recording {
    let lab = Lab::new();
    read(&lab.write("a.csv", content.as_bytes()), &Options::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Refused with all these parts; where an option is the cure, it reads so many individuals.
#[track_caller]
fn cured(content: &str, expected: &[&str], cure: &str, ids: usize) {
    let lab = Lab::new();
    lab.refused("a.csv", content, expected);
    let path = lab.write("a.csv", content.as_bytes());
    let options = Options { columns: cure.parse().expect("a map"), ..Options::default() };
    let recording = read(&path, &options).unwrap_or_else(|error| panic!("{cure}: {error}"));
    assert_eq!(recording.found().ids, ids, "{cure}");
}

#[test]
fn rows_of_several_individuals_are_no_wide_table() {
    // Frames stand twice, whatever the column beside them is called.
    for other in ["size", "mouse_nr", "role"] {
        let content = format!("frame,{other},x1,y1\n0,1,2,3\n0,2,4,5\n1,1,2,3\n1,2,4,5\n");
        let cure = format!("frame=frame,id={other},x=x1,y=y1");
        cured(&content, &["--map-columns id="], &cure, 2);
    }
    Lab::new().refused(
        "a.csv",
        "time,x1,y1,x2,y2\n0,1,2,3,0\n0,4,5,6,0\n1,1,2,3,0\n",
        &[
            "csv:3: frame 0 stands twice",
            "columns x1,y1 and so on take one row for each frame",
            "--map-columns id=NAME,x=x1,y=y1",
        ],
    );
    // Without frames rows would be counted: names and texts tell.
    for (other, cell) in
        [("pedestrianNr", "1"), ("Bird.ID", "1"), ("label", "7"), ("colour", "red")]
    {
        let content = format!("{other},x1,y1,moment\n{cell},2,3,0\n{cell},4,5,1\n");
        let expected = format!("column {other} looks like ids");
        let option = format!("--map-columns id={other},x=x1,y=y1");
        cured(&content, &[&expected, &option], &format!("id={other},x=x1,y=y1,frame=moment"), 1);
    }
    // One individual beside numbers that are no ids is one individual.
    assert_eq!(plain("time,x1,y1,area,fish_length\n0,1,2,3.5,4\n1,2,3,3.5,4\n").found().ids, 1);
}

#[test]
fn corners_of_boxes_are_no_individuals() {
    let one = "x=x1,y=y1";
    for (header, rows, cure) in [
        ("frame,x1,y1,x2,y2", "0,10,20,30,50\n1,11,21,31,52\n", one),
        ("frame,x1,y1,x2,y2,conf", "0,10,20,30,50,0.9\n1,11,21,31,52,0.8\n", one),
        ("time,x1,y1,x2,y2,class", "0,10,20,30,50,0\n1,11,21,31,52,0\n", one),
        ("frame,x0,y0,x1,y1", "0,10,20,30,50\n1,11,21,31,52\n", "x=x0,y=y0"),
        ("frame,track_id,x1,y1,x2,y2", "0,7,10,20,30,50\n1,7,11,21,31,52\n", one),
        ("frame,xmin,ymin,xmax,ymax", "0,10,20,30,50\n1,11,21,31,52\n", "x=xmin,y=ymin"),
        ("frame,id,bbox_x1,bbox_y1,bbox_x2,bbox_y2", "0,7,10,20,30,50\n", "x=bbox_x1,y=bbox_y1"),
    ] {
        let option = format!("--map-columns {cure}");
        cured(&format!("{header}\n{rows}"), &["a corner of a box", &option], cure, 1);
    }
    // Two individuals cross somewhere; or their names have a word.
    assert_eq!(plain("frame,x1,y1,x2,y2\n0,10,20,30,50\n1,31,21,30,52\n").found().ids, 2);
    assert_eq!(
        plain("frame,fish1_x,fish1_y,fish2_x,fish2_y\n0,10,20,30,50\n1,11,21,31,52\n").found().ids,
        2
    );
    // What idtracker.ai writes of two is read, with a note.
    let two = plain("time,x1,y1,x2,y2\n0,10,20,30,50\n1,11,21,31,52\n");
    assert_eq!(two.found().ids, 2);
    assert!(
        two.found()
            .notes
            .iter()
            .any(|note| note.contains("taken for two individuals: in all rows x1,y1"))
    );
}

#[test]
fn rows_that_contradict_each_other_are_refused_by_line() {
    let lab = Lab::new();
    let expected = ["id 1 in frame 5 is at (3, 77) and in line 2 at (3, 4.5): allowed is one \
        position for each id and frame"];
    let csv = "frame,id,x,y\n5,1,3,4.5\n5,1,3,4.5\n5,2,0,0\n5,1,3,77\n";
    lab.refused("a.csv", csv, &[expected[0], "a.csv:5: "]);
    lab.refused(
        "a.txt",
        "# id frame x y\n1 5 3 4.5\n1 6 3 4\n1 5 3 77\n",
        &[expected[0], "a.txt:4: "],
    );
    let xyz = "2\nProperties=species:S:1:pos:R:3:id:I:1\nX 1 2 3 1\nX 1 2 4 1\n";
    lab.refused("a.xyz", xyz, &["id 1 in frame 0 is at (1, 2, 4) and elsewhere at (1, 2, 3)"]);
    assert_eq!(plain("frame,id,x,y\n5,1,3,4\n5,1,3,4\n6,1,3,5\n").found().duplicates, 1);
}

#[test]
fn positions_that_stand_for_none_are_told() {
    let table = |place: &dyn Fn(usize) -> [f64; 2]| {
        let row = |k: usize| format!("{k},1,{},{}\n", place(k)[0], place(k)[1]);
        format!("frame,id,x,y\n{}", (0..40).map(row).collect::<String>())
    };
    let steady = |k: usize| [500.0 + k as f64 * 5.0, 300.0];
    let clean = plain(&table(&steady));
    assert_eq!((clean.found().jumps, clean.found().positions_at_origin), (0, 0));
    let absent = plain(&table(&|k| if (10..17).contains(&k) { [0.0; 2] } else { steady(k) }));
    assert_eq!((absent.found().jumps, absent.found().positions_at_origin), (2, 7));
    let notes = absent.found().notes.join("\n");
    assert!(
        notes.contains("7 positions of 1 individuals are exactly (0, 0), far from their tracks"),
        "{notes}"
    );
    assert!(
        notes.contains("2 moves are at least 50 times as long as the median move of their track"),
        "{notes}"
    );
    // A gap is no jump, and neither is the way across a periodic box.
    let far = |k: usize| [k as f64 + if k < 20 { 0.0 } else { 80.0 }, 1.0];
    assert_eq!(plain(&table(&far)).found().jumps, 1);
    assert_eq!(
        plain(&table(&|k| if (10..20).contains(&k) { [f64::NAN; 2] } else { far(k) }))
            .found()
            .jumps,
        0
    );
    let round = |k: usize| {
        format!(
            "1\nLattice=\"100 0 0 0 100 0 0 0 100\" Properties=species:S:1:pos:R:3\nX {} 5 5\n",
            (k + 80) % 100
        )
    };
    let lab = Lab::new();
    let path = lab.write("a.xyz", (0..40).map(round).collect::<String>().as_bytes());
    assert_eq!(read(&path, &Options::default()).expect("a recording").found().jumps, 0);
}

#[test]
fn rounding_is_told_and_an_origin_keeps_digits() {
    let lab = Lab::new();
    let row =
        |k: usize| format!("{k},1,{},{}\n", 565_210.25 + k as f64 * 0.052, 5_933_012.3 + k as f64);
    let table = format!("frame,id,x,y\n{}", (0..20).map(row).collect::<String>());
    let from = lab.write("utm.csv", table.as_bytes());
    // How far the worst position is off, its origin added.
    let worst = |to: &str, origin: [f64; 2]| {
        let mut frames =
            Frames::open(&lab.path(to), &Options::default(), &|_, _| true).expect("a recording");
        let mut now = Snapshot::new(2);
        let mut worst = 0.0f64;
        for k in 0..20 {
            frames.read(k, &mut now).expect("a frame");
            let meant = [565_210.25 + k as f64 * 0.052, 5_933_012.3 + k as f64];
            worst = (0..2)
                .map(|a| (f64::from(now.position(0)[a]) + origin[a] - meant[a]).abs())
                .fold(worst, f64::max);
        }
        (worst, frames.about().origin)
    };
    for format in ["npz", "wbr", "csv"] {
        let to = format!("plain.{format}");
        let notes =
            convert(&from, &lab.path(&to), &Options::default(), 1).expect("a conversion").notes;
        let (most, origin) = worst(&to, [0.0; 2]);
        let told = format!(
            "20 positions were rounded to single precision, by at most {} (",
            wingbeat_record::significant(most, 2)
        );
        assert!(
            notes.iter().any(|note| note.starts_with(&told) && note.contains("--origin auto")),
            "{told}: {notes:?}"
        );
        assert!(most > 0.1 && origin == [0.0; 3]);
        for (option, taken) in [
            (Origin::Lowest, [565_210.0, 5_933_012.0]),
            (Origin::At([565_000.0, 5_933_000.0, 0.0]), [565_000.0, 5_933_000.0]),
        ] {
            let to = format!("{option}.{format}");
            let options = Options { origin: Some(option), ..Options::default() };
            let notes = convert(&from, &lab.path(&to), &options, 1).expect("a conversion").notes;
            let (most, origin) = worst(&to, taken);
            assert!(most < 2e-5, "{to}: {most}");
            let keeps = if format == "csv" {
                "a .csv has no place for it".into()
            } else {
                format!("a .{format} states it")
            };
            let told = format!("relative to the origin [{}, {}]: {keeps}", taken[0], taken[1]);
            assert!(notes.iter().any(|note| note.contains(&told)), "{told}: {notes:?}");
            assert!(notes.iter().all(|note| !note.contains("--origin auto")), "{notes:?}");
            assert_eq!(origin[..2], if format == "csv" { [0.0; 2] } else { taken });
        }
    }
    // In the file's own coordinates: before the scale, and before y is turned round.
    let options = Options {
        origin: Some(Origin::Lowest),
        scale: Some(2.0),
        y_down: true,
        ..Options::default()
    };
    let moved = read(&from, &options).expect("a recording");
    let row = moved.frame(1).expect("a frame").rows[0];
    assert!(
        (row.position[0] - 0.604).abs() < 1e-8 && (row.position[1] + 2.6).abs() < 1e-8,
        "{row:?}"
    );
    let refusal = convert(&lab.path("plain.wbr"), &lab.path("b.csv"), &options, 1)
        .expect_err("a refusal")
        .to_string();
    assert!(refusal.contains("a .wbr stays exact"), "{refusal}");
    // An origin goes on from file to file.
    let again = read(&lab.path("auto.npz"), &Options::default()).expect("a recording");
    assert!(
        again
            .found()
            .notes
            .iter()
            .any(|note| note.ends_with("as the file says: [565210.0, 5933012.0]"))
    );
    let notes = convert(&lab.path("auto.npz"), &lab.path("again.wbr"), &Options::default(), 1)
        .expect("a conversion")
        .notes;
    assert!(
        notes.iter().any(|note| note.contains("[565210, 5933012]: a .wbr states it")),
        "{notes:?}"
    );
    assert_eq!(worst("again.wbr", [565_210.0, 5_933_012.0]).1, [565_210.0, 5_933_012.0, 0.0]);
}
