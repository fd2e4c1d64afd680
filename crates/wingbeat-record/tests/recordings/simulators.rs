//! Tables of simulators and of annotation tools, each a small one of our own making: read with the
//! right numbers, or refused with the cure.

use wingbeat_record::{LengthUnit, Options, Recording, read};

use crate::common::Lab;

#[track_caller]
fn plain(name: &str, content: &str) -> Recording {
    let lab = Lab::new();
    read(&lab.write(name, content.as_bytes()), &Options::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A frame's number, then id and place of each.
type Places = (i64, Vec<(u64, f64, f64)>);

/// Where all are, frame by frame.
fn places(recording: &Recording) -> Vec<Places> {
    let place = |frame: wingbeat_record::Frame<'_>| {
        let rows = frame.rows.iter().map(|row| (row.id, row.position[0], row.position[1]));
        (frame.number, rows.collect())
    };
    recording.frames().map(|frame| place(frame.expect("a frame"))).collect()
}

/// Two who walk to the right, one of them twice as fast.
fn two(frames: [i64; 2], ids: [u64; 2]) -> Vec<Places> {
    let [a, b] = ids;
    vec![
        (frames[0], vec![(a, 1.0, 2.0), (b, 5.0, 6.0)]),
        (frames[1], vec![(a, 1.5, 2.0), (b, 6.0, 6.0)]),
    ]
}

#[test]
fn vadere_names_its_processors() {
    let rows = "1 1 1.0 2.0 1\n1 2 5.0 6.0 1\n2 1 1.5 2.0 1\n2 2 6.0 6.0 1\n";
    for header in [
        "timeStep pedestrianId x-PID1 y-PID1 targetId-PID2",
        "timeStep pedestrianId x-PID17 y-PID17 targetId-PID4",
        "timeStep pedestrianId x y targetId",
    ] {
        assert_eq!(
            places(&plain("a.txt", &format!("{header}\n{rows}"))),
            two([1, 2], [1, 2]),
            "{header}"
        );
    }
    for header in [
        "pedestrianId simTime endTime startX startY endX endY targetId",
        "pedestrianId simTime endTime-PID1 startX-PID1 startY-PID1 endX-PID1 endY-PID1 \
            targetId-PID2",
    ] {
        let content = format!("{header}\n1 0.0 0.5 1 2 3 4 1\n1 0.5 1.0 3 4 5 6 1\n");
        Lab::new().refused(
            "a.txt",
            content,
            &["txt:1", "rows are footsteps", "PedestrianPositionProcessor"],
        );
    }
}

#[test]
fn mesa_collects_coordinates_or_tuples() {
    for content in [
        "Step,AgentID,x,y\n0,1,1,2\n0,2,5,6\n1,1,1.5,2\n1,2,6,6\n",
        "Step,AgentID,pos\n0,1,\"(1.0, 2.0)\"\n0,2,\"(5, 6)\"\n1,1,\"(1.5, 2.0)\"\n\
            1,2,\"(6, 6)\"\n",
        "Step,AgentID,pos\n0,1,[1. 2.]\n0,2,[5. 6.]\n1,1,[1.5 2. ]\n1,2,[6. 6.]\n",
        "Step,AgentID,pos,heading\n0,3,,0\n0,1,\"(1.0, 2.0)\",0\n0,2,\"(5, 6)\",0\n\
         1,1,\"(np.float64(1.5), np.float64(2.0))\",0\n\
         1,2,\"(6, 6)\",0\n1,3,None,0\n",
    ] {
        assert_eq!(places(&plain("a.csv", content)), two([0, 1], [1, 2]), "{content}");
    }
    let solid = plain("a.csv", "Step,AgentID,pos\n0,1,\"(1, 2, 3)\"\n1,1,\"(1, 2, 4)\"\n");
    assert_eq!(
        (solid.dimensions(), solid.frame(1).expect("a frame").rows[0].position),
        (3, [1.0, 2.0, 4.0])
    );
    // Any column of tuples can be named.
    let lab = Lab::new();
    let path = lab.write("a.csv", b"Step,AgentID,seat\n0,1,\"(1, 2)\"\n1,1,\"(3, 4)\"\n");
    let options =
        Options { columns: "x=seat.x,y=seat.y".parse().expect("a map"), ..Options::default() };
    assert_eq!(
        read(&path, &options).expect("a recording").frame(1).expect("a frame").rows[0].position[1],
        4.0
    );
    let mixed = "Step,AgentID,pos\n0,1,\"(1, 2)\"\n1,1,\"(1, 2, 3)\"\n";
    lab.refused("a.csv", mixed, &["csv:3", "column pos = \"(1, 2, 3)\"", "2 numbers in brackets"]);
}

#[test]
fn netlogo_writes_a_preamble() {
    let head = "\"BehaviorSpace results (NetLogo 6.4.0)\",\"Table version \
                2.0\"\n\"flock.nlogo\"\n\"walk\"\n\
                \"11/25/2026 10:00:00:000 \
                +0000\"\n\"min-pxcor\",\"max-pxcor\",\"min-pycor\",\"max-pycor\"\n\
                \"-16\",\"16\",\"-16\",\"16\"\n";
    let wide = "\"[run number]\",\"population\",\"[step]\",\"[xcor] of turtle 0\",\"[ycor] of \
                turtle 0\",\
                \"[xcor] of turtle 1\",\"[ycor] of turtle \
                1\"\n\"1\",\"2\",\"0\",\"1\",\"2\",\"5\",\"6\"\n\
                \"1\",\"2\",\"1\",\"1.5\",\"2\",\"6\",\"6\"\n";
    let list = "\"[run number]\",\"population\",\"[step]\",\"[(list who xcor ycor)] of turtles\"\n\
                \"1\",\"2\",\"0\",\"[[1 5 6] [0 1 2]]\"\n\"1\",\"2\",\"1\",\"[[0 1.5 2] [1 6 \
                6]]\"\n";
    for rows in [wide, list] {
        assert_eq!(
            places(&plain("a.csv", &format!("{head}{rows}"))),
            two([0, 1], [0, 1]),
            "{rows}"
        );
    }
    let lab = Lab::new();
    let lists = "\"[run number]\",\"[step]\",\"[xcor] of turtles\",\"[ycor] of \
        turtles\"\n\"1\",\"0\",\"[1 5]\",\"[6 2]\"\n";
    lab.refused(
        "a.csv",
        format!("{head}{lists}"),
        &["csv:7", "an order that changes", "[(list who xcor ycor)] of turtles"],
    );
    let runs = list.replace("\"1\",\"2\",\"1\"", "\"2\",\"2\",\"1\"");
    lab.refused(
        "a.csv",
        format!("{head}{runs}"),
        &["csv:9", "column [run number] = \"2\"", "one run, 1 as before"],
    );
    let runs = wide.replace("\"1\",\"2\",\"1\"", "\"2\",\"2\",\"1\"");
    lab.refused("a.csv", format!("{head}{runs}"), &["column [run number] = \"2\""]);
}

#[test]
fn sumo_names_vehicles_and_persons() {
    let cars = "timestep_time;vehicle_angle;vehicle_id;vehicle_lane;vehicle_pos;vehicle_speed;\
                vehicle_x;vehicle_y\n\
                0.00;90;a.0;e_0;5;1;1.00;2.00\n0.00;90;a.1;e_0;5;2;5.00;6.00\n\
                0.50;90;a.0;e_0;5;1;1.50;2.00\n\
                0.50;90;a.1;e_0;5;2;6.00;6.00\n1.00;;;;;;;\n";
    let recording = plain("fcd.csv", cars);
    assert_eq!((places(&recording), recording.fps()), (two([0, 1], [0, 1]), 2.0));
    assert!(recording.found().notes.iter().any(|note| note.contains("0 = a.0, 1 = a.1")));
    let persons = cars.replace("vehicle", "person");
    assert_eq!(places(&plain("fcd.csv", &persons)), two([0, 1], [0, 1]));
    let both = "timestep_time;person_id;person_x;person_y;vehicle_id;vehicle_x;vehicle_y\n\
        0;;;;a;1;2\n1;p;3;4;;;\n";
    let option = "--map-columns id=vehicle_id,x=vehicle_x,y=vehicle_y";
    let lab = Lab::new();
    lab.refused("fcd.csv", both, &[option]);
    let columns = option.trim_start_matches("--map-columns ").parse().expect("a map");
    let chosen = read(&lab.path("fcd.csv"), &Options { columns, ..Options::default() })
        .expect("a recording");
    assert_eq!(places(&chosen), [(0, vec![(0, 1.0, 2.0)])]);
}

#[test]
fn viswalk_comments_with_asterisks() {
    let content = "$VISION\n* File: door.inpx\n* Comment: two walk; one x, one y\n*\n\
                   * SIMSEC: Simulation second [s]\n\
                   * NO: Number\n* COORDCENTX: Coordinate of the center, x [m]\n*\n\
                   $PEDESTRIAN:NO;SIMSEC;COORDCENTX;COORDCENTY\n1;0.20;1.0;2.0\n2;0.20;5.0;6.0\n\
                   1;0.40;1.5;2.0\n2;0.40;6.0;6.0\n";
    for name in ["door.csv", "door.txt", "door.pp"] {
        let recording = plain(name, content);
        assert_eq!((places(&recording), recording.fps()), (two([1, 2], [1, 2]), 5.0), "{name}");
        assert_eq!(recording.found().length_unit, Some(LengthUnit::Meter), "{name}");
    }
    let feet = plain("door.csv", &content.replace("x [m]", "x [ft]"));
    assert_eq!(feet.found().length_unit, None);
    let high = content.replace("COORDCENTY", "COORDCENTY;COORDCENTZ").replace(".0\n", ".0;0\n");
    assert_eq!(plain("door.csv", &high).dimensions(), 2);
}

#[test]
fn image_annotator_puts_json_into_cells() {
    let header = "filename,file_size,file_attributes,region_count,region_id,\
                  region_shape_attributes,region_attributes\n";
    let row = |frame: &str, shape: &str, track: &str| {
        let quoted = |json: &str| format!("\"{}\"", json.replace('"', "\"\""));
        format!("pond_{frame}.png,100,\"{{}}\",2,0,{},{}\n", quoted(shape), quoted(track))
    };
    let (one, other) = (r#"{"track":"1"}"#, r#"{"note":"a, b","track":"2"}"#);
    let rows = [
        row("0007", r#"{"name":"rect","x":0,"y":1,"width":2,"height":2}"#, one),
        row("0007", r#"{"name":"point","cx":5,"cy":6}"#, other),
        "pond_0008.png,100,\"{}\",0,0,\"{}\",\"{}\"\n".to_string(),
        row("0009", r#"{"name":"circle","cx":1.5,"cy":2,"r":4}"#, one),
        row("0009", r#"{"name":"ellipse","cx":6,"cy":6,"rx":4,"ry":2,"theta":0.3}"#, other),
    ]
    .concat();
    for header in [header.to_string(), format!("#{header}")] {
        let recording = plain("via.csv", &format!("{header}{rows}"));
        assert_eq!(places(&recording), two([7, 9], [1, 2]), "{header}");
        assert_eq!(recording.found().length_unit, Some(LengthUnit::Pixel));
    }
    let told = rows
        .replace("\"{}\",2", "\"{\"\"frame\"\":\"\"3\"\"}\",2")
        .replace("pond_0009", "pond_0007");
    assert_eq!(
        places(&plain("via.csv", &format!("{header}{}", &told[..told.find("pond_0008").unwrap()])))
            [0]
        .0,
        3
    );
    let lab = Lab::new();
    for (change, to, expected) in [
        ("\"\"rect\"\"", "\"\"polygon\"\"", "allowed is a rect, a point, a circle or an ellipse"),
        ("\"\"track\"\"", "\"\"tag\"\"", "allowed is JSON with a track"),
        ("pond_0009", "lake_0009", "allowed is one movie, pond_… as before"),
        ("pond_0007", "pond", "allowed is a name that ends in a frame's number"),
    ] {
        lab.refused(
            "via.csv",
            format!("{header}{}", rows.replace(change, to)),
            &["via.csv:", expected],
        );
    }
}
