//! Files as trackers, simulators and spreadsheets write them: read right away, or refused in one
//! line that names what would help.

use wingbeat_record::{LengthUnit, Options, RecordError, Recording, TimeUnit, convert, read};

use crate::common::Lab;

#[track_caller]
fn with(name: &str, content: impl AsRef<[u8]>, options: &Options) -> Recording {
    let lab = Lab::new();
    read(&lab.write(name, content.as_ref()), options).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn plain(name: &str, content: impl AsRef<[u8]>) -> Recording {
    with(name, content, &Options::default())
}

fn mapped(columns: &str) -> Options {
    Options {
        columns: columns.parse().unwrap_or_else(|error: RecordError| panic!("{error}")),
        ..Options::default()
    }
}

/// Where an individual is in a frame.
fn at(recording: &Recording, frame: i64, id: u64) -> Option<[f64; 2]> {
    let found = recording.frame(recording.find(frame)?).expect("a frame");
    found.rows.iter().find(|row| row.id == id).map(|row| [row.position[0], row.position[1]])
}

#[track_caller]
fn noted(recording: &Recording, part: &str) {
    let notes = &recording.found().notes;
    assert!(notes.iter().any(|note| note.contains(part)), "\"{part}\" is missing from {notes:?}");
}

#[test]
fn idtracker_writes_a_row_for_each_frame() {
    for (time, scale) in [("time", 1.0), ("seconds", 1.0), ("time (ms)", 1000.0)] {
        let row = |k: i32| format!("{:.3},{k},0.5,10,nan\n", f64::from(k) / 28.0 * scale);
        let rows: String = [0, 1, 2, 4, 5].map(row).concat();
        let recording = plain("trajectories.csv", format!("{time},x1,y1,x2,y2\n{rows}"));
        assert_eq!(
            (recording.fps(), recording.found().time_unit),
            (28.0, TimeUnit::Second),
            "{time}"
        );
        assert_eq!((at(&recording, 4, 1), at(&recording, 4, 2)), (Some([4.0, 0.5]), None));
        // Frame 3 is missing, and the second fish everywhere.
        assert_eq!(
            (recording.found().gaps, recording.found().missing_positions, recording.found().ids),
            (1, 5, 1)
        );
        noted(&recording, "individuals 1 to 2");
    }
    let untimed = plain("trajectories.csv", "x1,y1,x2,y2\n1,2,3,4\n5,6,7,8\n");
    assert_eq!(
        (at(&untimed, 1, 2), untimed.found().time_unit),
        (Some([7.0, 8.0]), TimeUnit::Frame)
    );
    noted(&untimed, "rows are frames, from 0");
    // Its tidy form.
    let tidy = plain(
        "tidy.csv",
        "time,individual,x,y,probability\n0.000,1,1,2,1\n0.000,2,3,4,1\n\
        0.036,1,5,6,1\n0.036,2,7,8,1\n",
    );
    assert_eq!(at(&tidy, 1, 2), Some([7.0, 8.0]));
    // As NumPy saves tables, the header is a comment.
    assert_eq!(at(&plain("a.csv", "# frame,x1,y1\n0,1,2\n1,3,4\n"), 1, 1), Some([3.0, 4.0]));
}

#[test]
fn trex_writes_a_file_for_each_individual() {
    let header = "frame,time,missing,X#wcentroid (cm),Y#wcentroid (cm),SPEED#wcentroid (cm/s),X \
        (cm),Y (cm)";
    let content = format!(
        "{header}\n0,0,0,100,200,1,7,7\n1,0.04,1,inf,inf,inf,inf,inf\n2,0.08,0,300,400,1,7,7\n"
    );
    let recording = plain("fish0.csv", &content);
    assert_eq!((at(&recording, 2, 0), recording.fps().round()), (Some([3.0, 4.0]), 25.0));
    assert_eq!(
        (recording.found().length_unit, recording.found().missing_positions),
        (Some(LengthUnit::Meter), 1)
    );
    noted(&recording, "lengths are cm, as the file says: converted to m");
    noted(&recording, "all rows are of one individual");
    // A scale stands in for the unit; another than the unit's makes lengths of an unknown unit.
    let scaled = with("a.csv", &content, &Options { scale: Some(2.0), ..Options::default() });
    assert_eq!(
        (at(&scaled, 2, 0), scaled.found().length_unit, scaled.found().scale),
        (Some([600.0, 800.0]), None, 2.0)
    );
    let same = with("a.csv", &content, &Options { scale: Some(0.01), ..Options::default() });
    assert_eq!(same.found().length_unit, Some(LengthUnit::Meter));
    let head = with("a.csv", &content, &mapped("x=X (cm),y=Y (cm)"));
    assert_eq!(at(&head, 2, 0), Some([0.07, 0.07]));
    // Infinite positions of others are no positions.
    Lab::new().refused("a.csv", "frame,id,x,y\n0,1,inf,2\n", &["column x = \"inf\""]);
}

#[test]
fn tracks_count_before_what_was_seen() {
    let recording = plain(
        "tracks.csv",
        "frame,id,x,y,n,width,height,angle,track\n1,1,10,20,5,1,1,0,7\n2.0,1,11,21,5,1,1,0,7.0\n\
            2,2,0,0,5,1,1,0,NA\n",
    );
    assert_eq!((at(&recording, 2, 7), recording.found().ids), (Some([11.0, 21.0]), 1));
    noted(&recording, "told apart by column track, not id (--map-columns id=id)");
    noted(&recording, "1 rows without an id are left out");
    // Spots of TrackMate: three rows of names and units follow the header.
    let spots = "LABEL,ID,TRACK_ID,POSITION_X,POSITION_Y,FRAME\nLabel,Spot ID,Track ID,X,Y,Frame\n\
                 Label,Spot ID,Track ID,X,Y,Frame\n\
                 ,,,(pixel),(pixel),\nID1,1,4,10,20,0\nID2,2,4,30,40,1\n";
    let recording = plain("spots.csv", spots);
    assert_eq!(
        (at(&recording, 1, 4), recording.found().length_unit),
        (Some([30.0, 40.0]), Some(LengthUnit::Pixel))
    );
}

#[test]
fn spreadsheets_write_semicolons_and_decimal_commas() {
    for (name, content) in [
        (
            "a.csv",
            "\u{feff}\"Frame\";\"Id\";\"X [cm]\";\"Y [cm]\"\r\n0;1;150,5;-2,5\r\n\
            1;1;\"151,5\";\r\n",
        ),
        ("a.csv", "sep=;\r\nFrame;Id;X [cm];Y [cm]\r\n0,0;1,0;150,5;-2,5\r\n1;1;151,5;NA\r\n"),
        ("a.tsv", "Frame\tId\tX [cm]\tY [cm]\n0\t1\t150,5\t-2,5\n1\t1\t151,5\t\n"),
        ("a.txt", "Frame Id X [cm] Y [cm]\n0 1 150,5 -2,5\n1 1 151,5 NaN\n"),
        // R writes names of rows before those of the header.
        ("a.txt", "\"frame\" \"id\" \"x_cm\" \"y_cm\"\n\"1\" 0 1 150.5 -2.5\n\"2\" 1 1 151.5 NA\n"),
    ] {
        let recording = plain(name, content);
        let [x, y] = at(&recording, 0, 1).expect("a position");
        assert!((x - 1.505).abs() < 1e-12 && (y + 0.025).abs() < 1e-12, "{x} {y}: {content}");
        assert_eq!(
            (recording.found().missing_positions, recording.found().length_unit),
            (1, Some(LengthUnit::Meter)),
            "{content}"
        );
    }
    let lab = Lab::new();
    lab.refused(
        "a.csv",
        "frame;id;x;y\n0;1;1.234,5;2\n",
        &["csv:2", "column x = \"1.234,5\"", "decimal commas, or decimal points"],
    );
    lab.refused(
        "a.csv",
        "frame;id;x;y\n0;1;1,5;2,5\n1;1;1.5;2,5\n",
        &["csv:3", "nothing between thousands"],
    );
}

/// A byte order mark, and lines that end as on Windows.
#[test]
fn an_editor_of_windows_changes_nothing_that_is_read() {
    for (name, content) in [
        ("a.csv", "frame,id,x,y\n0,1,1.5,2\n1,1,2.5,3\n"),
        ("a.tsv", "frame\tid\tx\ty\n0\t1\t1.5\t2\n1\t1\t2.5\t3\n"),
        ("a.txt", "# framerate: 10\n# id frame x/m y/m\n1 0 1.5 2\n1 1 2.5 3\n"),
        (
            "a.xyz",
            "1\nframe=0 dimensions=2 Properties=species:S:1:pos:R:3:id:I:1\nX 1.5 2 0 1\n\
             1\nframe=1 dimensions=2 Properties=species:S:1:pos:R:3:id:I:1\nX 2.5 3 0 1\n",
        ),
    ] {
        let there = format!("\u{feff}{}", content.replace('\n', "\r\n"));
        for content in [content, &there] {
            let recording = plain(name, content);
            let seen = [at(&recording, 0, 1), at(&recording, 1, 1)];
            assert_eq!(seen, [Some([1.5, 2.0]), Some([2.5, 3.0])], "{content:?}");
        }
    }
}

#[test]
fn archives_of_pedestrians_state_rate_and_unit() {
    let content = "# framerate: 16.00\n# geometry: geometry.xml\n# id frame x/cm y/cm z/cm\n\
        1 0 100 200 176\n1 1 110 200 176\n";
    let recording = plain("run.txt", content);
    assert_eq!((recording.fps(), at(&recording, 1, 1)), (16.0, Some([1.1, 2.0])));
    assert_eq!(
        (recording.found().length_unit, recording.dimensions()),
        (Some(LengthUnit::Meter), 2)
    );
    // JuPedSim's older text.
    let jupedsim = "#framerate: 8\n#unit: m\n#ID\tFR\tX\tY\tZ\tA\tB\tANGLE\tCOLOR\n\
        3\t0\t1\t2\t0\t.2\t.2\t90\t255\n3\t1\t1.5\t2\t0\t.2\t.2\t90\t255\n";
    let recording = plain("run.txt", jupedsim);
    assert_eq!((recording.fps(), at(&recording, 1, 3)), (8.0, Some([1.5, 2.0])));
    assert_eq!(recording.found().length_unit, Some(LengthUnit::Meter));
    // It is not stated.
    let recording = plain("run.txt", "1 0 100 200\n1 1 110 200\n");
    assert_eq!(
        (recording.found().length_unit, recording.found().time_unit),
        (None, TimeUnit::Frame)
    );
}

#[test]
fn poses_are_read_where_a_part_is_named() {
    let poses = "scorer,net,net,net,net,net,net\nbodyparts,nose,nose,nose,tail,tail,tail\n\
                 coords,x,y,likelihood,x,y,likelihood\n\
                 0,1,2,.9,3,4,.9\n1,5,6,.9,7,8,.9\n";
    let lab = Lab::new();
    lab.refused(
        "pose.csv",
        poses,
        &["column x is missing", "nose.x,nose.y", "--map-columns x=NAME,y=NAME"],
    );
    let recording = with("pose.csv", poses, &mapped("x=nose.x,y=nose.y"));
    assert_eq!(at(&recording, 1, 0), Some([5.0, 6.0]));
    let analysis = "track,frame_idx,instance.score,nose.x,nose.y,nose.score\nfish_a,0,.9,1,2,.9\n\
            fish_b,0,.9,3,4,.9\nfish_a,1,.9,5,6,.9\n";
    lab.refused("a.csv", analysis, &["--map-columns x=NAME,y=NAME"]);
    let recording = with("a.csv", analysis, &mapped("x=nose.x,y=nose.y"));
    assert_eq!((at(&recording, 1, 0), at(&recording, 0, 1)), (Some([5.0, 6.0]), Some([3.0, 4.0])));
    noted(&recording, "numbered as they appear: 0 = fish_a, 1 = fish_b");
}

#[test]
fn times_stand_in_for_frames_where_they_are_even() {
    let recording = plain("a.csv", "t,id,x,y\n1.5,1,0,0\n1.0,1,1,1\n1.0,2,2,2\n2.5,1,3,3\n");
    assert_eq!(
        (recording.fps(), at(&recording, 5, 1), at(&recording, 2, 2)),
        (2.0, Some([3.0, 3.0]), Some([2.0, 2.0]))
    );
    let lab = Lab::new();
    lab.refused(
        "a.csv",
        "t,id,x,y\n0,1,0,0\n1,1,1,1\n1.4,1,2,2\n",
        &["not evenly spaced: 1 s is none of the times 0.4 s apart", "--map-columns frame=NAME"],
    );
    lab.refused("a.csv", "t [d],id,x,y\n0,1,0,0\n", &["t [d]", "s, ms, min or h"]);
}

#[test]
fn y_is_turned_round_with_velocities_and_box() {
    let options = Options { y_down: true, scale: Some(2.0), ..Options::default() };
    let recording = with("a.csv", "frame,id,x,y,vx,vy\n0,1,3,4,5,6\n1,1,3,0,5,-6\n", &options);
    let rows: Vec<_> = recording
        .frames()
        .map(|frame| frame.expect("a frame"))
        .map(|frame| (frame.rows[0].position, frame.rows[0].velocity))
        .collect();
    assert_eq!(
        rows,
        [([6.0, -8.0, 0.0], [10.0, -12.0, 0.0]), ([6.0, 0.0, 0.0], [10.0, 12.0, 0.0])]
    );
    assert!(rows[1].0[1].is_sign_positive(), "0 stays 0");
    noted(&recording, "y points downwards");
    let xyz = "1\nLattice=\"4 0 0 0 6 0 0 0 1\" Origin=\"1 2 0\" pbc=\"T T F\" \
            Properties=species:S:1:pos:R:3:id:I:1\nX 2 3 0 1\n";
    let turned = with("a.xyz", xyz, &options);
    let (min, max) = turned.edges().bounds().expect("a box");
    assert_eq!((&min[..2], &max[..2]), (&[2.0, -16.0][..], &[10.0, -4.0][..]));
}

#[test]
fn files_that_say_too_little_are_refused_by_what_would_help() {
    let lab = Lab::new();
    for (name, content, expected) in [
        (
            "a.csv",
            "a,b,c\n1,2,3\n",
            &["header \"a,b,c\"", "--map-columns frame=NAME,x=NAME,y=NAME"][..],
        ),
        ("a.csv", "1,2,3,4\n1,3,4,5\n", &["csv:1", "names of columns", "id frame x y [z]"]),
        (
            "a.csv",
            "frame,x,y\n0,1,2\n0,3,4\n",
            &["csv:3", "frame 0 stands twice", "--map-columns id=NAME"],
        ),
        ("a.csv", "frame,id,x (cm),y (m)\n0,1,2,3\n", &["x (cm), y (m)", "one unit"]),
        (
            "a.csv",
            "frame,id,X,x,y\n0,1,2,3,4\n",
            &["column x appears twice", "--map-columns x=NAME"],
        ),
        ("a.csv", "frame,x1,y1,x2\n0,1,2,3\n", &["individual 2 has no column y"]),
        ("a.csv", "frame,id,x,y\n0,1,2,3\n0,a,2,3\n", &["csv:3", "column id = \"a\""]),
    ] {
        lab.refused(name, content, expected);
    }
    let refused = |name: &str, content: &str, options: &Options| {
        let path = lab.write(name, content.as_bytes());
        read(&path, options).expect_err("a refusal").to_string()
    };
    let unknown = refused("a.csv", "frame,id,x,y\n0,1,2,3\n", &mapped("x=X1,y=y"));
    assert!(unknown.contains("--map-columns x=X1: allowed are frame, id, x, y"), "{unknown}");
    for (name, content) in [("a.txt", "1 0 2 3\n"), ("a.npy", ""), ("a.xyz", "")] {
        let refusal = refused(name, content, &mapped("x=x,y=y"));
        assert!(refusal.starts_with("map-columns = x=x,y=y: allowed is nothing"), "{refusal}");
    }
    // A .wbr stays as it is.
    let csv = lab.write("b.csv", b"frame,id,x,y\n0,1,2,3\n1,1,2,3\n");
    let wbr = lab.path("b.wbr");
    convert(&csv, &wbr, &Options::default(), 1).expect("a recording");
    for options in [mapped("x=x,y=y"), Options { y_down: true, ..Options::default() }] {
        let refusal =
            convert(&wbr, &lab.path("c.csv"), &options, 1).expect_err("a refusal").to_string();
        assert!(refusal.contains("a .wbr stays exact"), "{refusal}");
    }
}

/// An NPY file of these header and bytes.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let text = format!(
        "{:<117}\n",
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}")
    );
    [b"\x93NUMPY\x01\x00", &(text.len() as u16).to_le_bytes()[..], text.as_bytes(), data].concat()
}

#[test]
fn axes_that_look_swapped_are_told_and_never_swapped() {
    // Five who walk a little, far from each other, in forty frames.
    let place = |frame: usize, who: usize| [who as f64 * 100.0 + frame as f64, frame as f64 * 0.5];
    let bytes = |sides: [usize; 2], at: &dyn Fn(usize, usize) -> [f64; 2]| -> Vec<u8> {
        let both = (0..sides[0]).flat_map(|i| (0..sides[1]).map(move |j| (i, j)));
        both.flat_map(|(i, j)| at(i, j)).flat_map(f64::to_le_bytes).collect()
    };
    let right = plain("a.npy", npy("<f8", "(40, 5, 2)", &bytes([40, 5], &place)));
    assert!(
        right.found().notes.iter().all(|note| !note.contains("swapped")),
        "{:?}",
        right.found().notes
    );
    let swapped =
        plain("a.npy", npy("<f8", "(5, 40, 2)", &bytes([5, 40], &|who, frame| place(frame, who))));
    noted(
        &swapped,
        "frames and individuals look swapped: from one frame to the next an individual moves 100",
    );
    assert_eq!(swapped.found().ids, 40);
    let lab = Lab::new();
    for (shape, expected) in [
        ("(40, 2, 5)", "looks like [frames, 2 or 3, individuals], which numpy.swapaxes(a, 1, 2)"),
        ("(2, 40, 5)", "looks like [2 or 3, frames, individuals], which numpy.moveaxis(a, 0, 2)"),
        ("(200, 2)", "one individual is a[:, None, :]"),
    ] {
        lab.refused(
            "a.npy",
            npy("<f8", shape, &[0; 3200]),
            &[expected, "allowed is [frames, individuals, 2 or 3]"],
        );
    }
}

/// Whatever becomes of a table, it is refused in one line or read, and nothing panics.
#[test]
fn damaged_tables_are_refused_or_read() {
    let tables = [
        ("a.csv", "time,x1,y1,x2,y2\n0.000,1,2,3,4\n0.036,1.5,2,nan,nan\n0.071,2,2,3,5\n"),
        ("a.csv", "\u{feff}Frame;Id;X [cm];Y [cm]\r\n0;1;1,5;2\r\n1;1;1,5;3\r\n"),
        (
            "a.csv",
            "frame,time,missing,X#wcentroid (cm),Y#wcentroid (cm)\n0,0,0,1,2\n1,0.04,1,inf,inf\n",
        ),
        ("a.csv", "scorer,a,a\nbodyparts,x1,x1\ncoords,x,y\n0,1,2\n"),
        (
            "a.tsv",
            "t_ms\ttrack\tx_px\ty_px\tvx (px/s)\tvy (px/s)\n0\tqueen\t1\t2\t0\t0\n\
                40\tNA\t1\t2\t0\t0\n80\tbee\t3\t4\t1\t1\n",
        ),
        (
            "a.csv",
            "TRACK_ID,POSITION_X,POSITION_Y,FRAME\nT,X,Y,F\n,(px),(px),\n4,10,20,0\n4,30,40,1\n",
        ),
        (
            "a.txt",
            "# framerate: 16.00\n# id frame x/cm y/cm z/cm\n1 0 100 200 176\n1 1 110 200 176\n",
        ),
        ("a.txt", "\"frame\" \"id\" \"x_cm\" \"y_cm\"\n\"1\" 0 1 150.5 -2.5\n\"2\" 1 1 151.5 NA\n"),
        ("a.csv", "Step,AgentID,pos\n0,1,\"(1.0, 2.0)\"\n0,2,None\n1,1,[1.5 2. ]\n"),
        (
            "a.csv",
            "\"BehaviorSpace results\"\n\"a\"\n\"[run number]\",\"[step]\",\"[(list who xcor \
                ycor)] of turtles\"\n\"1\",\"0\",\"[[1 5 6] [0 1 2]]\"\n",
        ),
        (
            "a.pp",
            "$VISION\n* x\n$PEDESTRIAN:NO;SIMSEC;COORDCENTX;COORDCENTY;COORDCENTZ\n\
            1;0.2;1;2;0\n1;0.4;1;3;0\n",
        ),
        (
            "a.csv",
            "filename,region_shape_attributes,region_attributes\n\
                a1.png,\"{\"\"name\"\":\"\"point\"\",\"\"cx\"\":5,\"\"cy\"\":6}\",\
                \"{\"\"track\"\":\"\"1\"\"}\"\n",
        ),
    ];
    let alphabet = "xyz0129.,;:\t \n\r\"#()[]/_-+einfaITRACK=";
    let lab = Lab::new();
    let mut random = wingbeat_test_support::Random::new(3);
    let mut next = |below: usize| random.below(below);
    let (mut taken, mut refused) = (0, 0);
    for round in 0..3600 {
        let (name, table) = tables[round % tables.len()];
        let mut bytes = table.as_bytes().to_vec();
        for _ in 0..=next(2) {
            let at = next(bytes.len());
            match next(4) {
                0 => bytes[at] ^= 1 << next(8),
                1 => bytes[at] = alphabet.as_bytes()[next(alphabet.len())],
                2 => bytes.insert(at, alphabet.as_bytes()[next(alphabet.len())]),
                _ => drop(bytes.remove(at)),
            }
        }
        match read(&lab.write(name, &bytes), &Options::default()) {
            Ok(recording) => taken += usize::from(recording.found().positions > 0),
            Err(refusal) => {
                let refusal = refusal.to_string();
                assert!(!refusal.contains('\n') && refusal.len() < 700, "{refusal}");
                refused += 1;
            }
        }
    }
    assert!(
        taken > 300 && refused > 300 && taken + refused == 3600,
        "{taken} read, {refused} refused"
    );
}
