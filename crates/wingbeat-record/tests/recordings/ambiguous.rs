//! Files that could be read in two ways: a note says which was taken, or the file is refused.

use wingbeat_record::{LengthUnit, Options, Recording, TimeUnit, read};

use zip::CompressionMethod;

use crate::archives::archive;
use crate::common::Lab;

#[track_caller]
fn with(name: &str, content: impl AsRef<[u8]>, options: &Options) -> Recording {
    let lab = Lab::new();
    read(&lab.write(name, content.as_ref()), options).unwrap_or_else(|error| panic!("{error}"))
}

/// The first individual of a frame, and what was said of the file.
#[track_caller]
fn first(name: &str, content: &str, options: &Options) -> (i64, u64, [f64; 3], String) {
    let recording = with(name, content, options);
    let row = recording.frame(0).expect("a frame").rows[0];
    (row.frame, row.id, row.position, recording.found().notes.join("\n"))
}

#[test]
fn a_cell_too_many_is_at_the_end_or_a_name_of_the_row() {
    for (name, content, note) in [
        ("a.csv", "frame;id;x;y;size\n3;1;20;30;5;\n4;1;20;30;5\n", "1 rows end with a separator"),
        ("a.tsv", "frame\tid\tx\ty\n3\t1\t20\t30\t\n", "1 rows end with a separator"),
        ("a.csv", "frame;id;x;y;\n3;1;20;30;\n", ""),
        (
            "a.tsv",
            "frame\tid\tx\ty\nr1\t3\t1\t20\t30\n",
            "the first column has no name: taken for names of rows",
        ),
        (
            "a.csv",
            "frame,id,x,y\n3,1,20,30\n#4,1,2,3\n# end\n",
            "2 lines behind the header begin with #: left out",
        ),
    ] {
        let (frame, id, [x, y, _], notes) = first(name, content, &Options::default());
        assert_eq!((frame, id, x, y), (3, 1, 20.0, 30.0), "{content}");
        assert!(
            notes.contains(note) && (!note.is_empty() || !notes.contains("separator")),
            "{content}: {notes}"
        );
    }
    Lab::new().refused(
        "a.csv",
        "frame;id;x;y\n0;1;20;30;\n1;1;20;30;40\n",
        &["csv:3", "5 columns: allowed is 4"],
    );
}

#[test]
fn uneven_times_are_refused_but_where_frames_alone_count() {
    let xyz = |times: [f64; 3]| {
        times
            .map(|time| format!("1\nProperties=species:S:1:pos:R:3 Time={time}\nX 1 2 3\n"))
            .concat()
    };
    let arrays = |times: &[f64]| {
        let (count, bytes) =
            (times.len() as u64, |all: &[f64]| all.iter().flat_map(|x| x.to_le_bytes()).collect());
        let position = ("position", "<f8", &[count, 1, 2][..], bytes(&vec![1.0; times.len() * 2]));
        archive(&[position, ("time", "<f8", &[count][..], bytes(times))], CompressionMethod::Stored)
    };
    for (name, content, expected) in [
        (
            "a.csv",
            b"frame,time,id,x,y\n0,0,1,2,3\n1,1,1,2,3\n2,10,1,2,3\n3,11,1,2,3\n".to_vec(),
            "frame 1 is at 1 s",
        ),
        (
            "a.csv",
            b"frame,time,id,x,y\n0,3,1,2,3\n1,2,1,2,3\n".to_vec(),
            "times do not rise with frames",
        ),
        (
            "a.xyz",
            xyz([0.0, 1.0, 20.0]).into_bytes(),
            "frame 1 is at 1 s, where the 0.1 frames per second",
        ),
        ("a.npz", arrays(&[0.0, 1.0, 1.4]), "1 s is none of the times"),
        ("a.npz", arrays(&[0.0, 1.0, 1.0]), "times are not one for each frame"),
    ] {
        Lab::new().refused(name, &content, &[expected, "allowed are even times, or --fps F"]);
        let counted = with(name, &content, &Options { fps: Some(2.0), ..Options::default() });
        assert_eq!(
            (counted.frame(1).expect("a frame").time, counted.fps()),
            (0.5, 2.0),
            "{name} {expected}"
        );
        assert!(
            counted
                .found()
                .notes
                .iter()
                .any(|note| note.contains(expected) && note.contains("--fps counts frames alone"))
        );
    }
    // Gaps of an array of times are gaps, and what runs backwards is put in order, as in a table of
    // times.
    for (times, numbers) in
        [(&[0.0, 0.5, 2.0, 2.5][..], [0, 1, 4, 5]), (&[3.0, 2.0, 1.0, 0.0], [0, 1, 2, 3])]
    {
        let recording = with("a.npz", arrays(times), &Options::default());
        assert_eq!((0..4).map(|k| recording.number(k)).collect::<Vec<_>>(), numbers, "{times:?}");
    }
    let still = with("a.xyz", xyz([2.0; 3]), &Options::default());
    assert_eq!(still.found().time_unit, TimeUnit::Frame);
}

#[test]
fn times_that_begin_elsewhere_are_told() {
    for (content, offset) in [
        ("frame,time,id,x,y\n0,5.25,1,2,3\n1,6.25,1,2,3\n", "which the file has at 5.25 s"),
        ("time,id,x,y\n0.4,1,2,3\n1.4,1,2,3\n", "which the file has at 0.4 s"),
        ("frame,time,id,x,y\n5,5,1,2,3\n6,6,1,2,3\n", ""),
    ] {
        let (.., notes) = first("a.csv", content, &Options::default());
        assert_eq!(
            notes.contains("times count from frame 0"),
            !offset.is_empty(),
            "{content}: {notes}"
        );
        assert!(notes.contains(offset), "{content}: {notes}");
    }
}

#[test]
fn a_unit_is_supplied_where_the_file_has_none() {
    let unit = |unit| Options { unit, ..Options::default() };
    let content = "frame,id,x,y\n0,1,200,300\n1,1,210,300\n";
    for (given, wanted, x) in [
        (None, None, 200.0),
        (Some(LengthUnit::Meter), Some(LengthUnit::Meter), 200.0),
        (Some(LengthUnit::Centimeter), Some(LengthUnit::Meter), 2.0),
        (Some(LengthUnit::Pixel), Some(LengthUnit::Pixel), 200.0),
        (Some(LengthUnit::BodyLength), Some(LengthUnit::BodyLength), 200.0),
    ] {
        let recording = with("a.csv", content, &unit(given));
        let row = recording.frame(0).expect("a frame").rows[0];
        assert_eq!((recording.found().length_unit, row.position[0]), (wanted, x), "{given:?}");
    }
    // With a scale it is what the scale makes.
    let options = Options { scale: Some(0.5), ..unit(Some(LengthUnit::Centimeter)) };
    let recording = with("a.csv", content, &options);
    let row = recording.frame(0).expect("a frame").rows[0];
    let found = (recording.found().length_unit, row.position[0]);
    assert_eq!(found, (Some(LengthUnit::Centimeter), 100.0));
    // A file that states another one is not overruled.
    let stated = "frame,id,x/cm,y/cm\n0,1,200,300\n1,1,210,300\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("b.csv");
    std::fs::write(&path, stated).expect("a file");
    let refusal = read(&path, &unit(Some(LengthUnit::Pixel))).expect_err("two units").to_string();
    assert!(refusal.contains("px") && refusal.contains("cm, as the file says"), "{refusal}");
    let same = read(&path, &unit(Some(LengthUnit::Centimeter))).expect("the same");
    assert_eq!(same.found().length_unit, Some(LengthUnit::Meter));
}

#[test]
fn comments_name_columns_wherever_they_stand() {
    for (name, content) in [
        ("a.txt", "# frame id x/m y/m\n# framerate: 25\n3 1 20 30\n4 1 20 30\n"),
        ("a.txt", "# id frame x y\n# frame, id, x [m], y [m]\n# of the third run\n3 1 20 30\n"),
        ("a.csv", "# frame,id,x (m),y (m)\n# framerate: 25\n3,1,20,30\n"),
    ] {
        let recording = with(name, content, &Options::default());
        let row = recording.frame(0).expect("a frame").rows[0];
        assert_eq!((row.frame, row.id, &row.position[..2]), (3, 1, &[20.0, 30.0][..]), "{content}");
        assert_eq!(recording.found().length_unit, Some(LengthUnit::Meter), "{content}");
    }
    Lab::new().refused(
        "a.txt",
        "# id frame x/cm y/m\n1 0 20 30\n",
        &["columns x/cm, y/m: allowed is one unit for all"],
    );
}

#[test]
fn spots_of_a_plane_have_no_height() {
    let spots = |heights: [&str; 2]| {
        let head = "LABEL,TRACK_ID,POSITION_X,POSITION_Y,POSITION_Z,FRAME\n\
            Label,Track ID,X,Y,Z,Frame\n,,(px),(px),(px),\n";
        format!("{head}a,4,10,20,{},0\nb,4,30,40,{},1\n", heights[0], heights[1])
    };
    let mapped = "x=POSITION_X (px),y=POSITION_Y (px),z=POSITION_Z (px)";
    let options = Options { columns: mapped.parse().expect("a map"), ..Options::default() };
    for (heights, options, dimensions) in [
        (["0.0", "0.0"], Options::default(), 2),
        (["1.5", "1.5"], Options::default(), 2),
        (["0.0", "1.5"], Options::default(), 3),
        (["0.0", "0.0"], options, 3),
    ] {
        let recording = with("spots.csv", spots(heights), &options);
        assert_eq!(recording.dimensions(), dimensions, "{heights:?}");
        let is_told = recording
            .found()
            .notes
            .iter()
            .any(|note| note.contains(mapped) && note.contains("in all rows: left aside"));
        assert_eq!(is_told, dimensions == 2, "{heights:?}: {:?}", recording.found().notes);
    }
}

#[test]
fn boxes_that_are_not_ours_are_told() {
    let xyz = |keys: &str| format!("1\n{keys} Properties=species:S:1:pos:R:3:id:I:1\nX 1 2 3 1\n");
    for (keys, note) in [
        ("Lattice=\"4 1 0 0 6 0 0 0 9\"", "is no box along the axes: left aside, space is open"),
        (
            "Lattice=\"4 0 0 0 6 0 0 0 9\" pbc=\"T F F\"",
            "pbc \"T F F\": only some axes are periodic",
        ),
        ("Lattice=\"4 0 0 0 6 0 0 0 9\" pbc=\"F F F\"", ""),
        ("Lattice=\"4 0 0 0 6 0 0 0 9\"", ""),
    ] {
        let (.., notes) = first("a.xyz", &xyz(keys), &Options::default());
        assert_eq!(
            notes.contains("Lattice") || notes.contains("pbc"),
            !note.is_empty(),
            "{keys}: {notes}"
        );
        assert!(notes.contains(note), "{keys}: {notes}");
    }
}

#[test]
fn a_refusal_names_only_what_may_be_its_cause() {
    let refusal = |content: &str| {
        let lab = Lab::new();
        read(&lab.write("a.csv", content.as_bytes()), &Options::default())
            .expect_err("a refusal")
            .to_string()
    };
    let empty = refusal("frame,id,x,y,size\n");
    assert!(empty.ends_with("no individual in it: allowed is at least one position"), "{empty}");
    assert!(
        refusal("frame,id,x,y\n0,NA,2,3\n")
            .contains("no individual in it; 1 rows without an id are left out: allowed")
    );
}
