//! What is in a page is the recording, within the errors that the page states; and nothing else is
//! asked for.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value;
use wingbeat::{
    Alignment, Cohesion, Domain, Flock, Params, Rules, Separation, Shape, Spawn, TimeStep,
};
use wingbeat_page::{MEGABYTE, Page, PageOptions, is_page, replay};
use wingbeat_record::{About, Frames, Options, Recorder, Snapshot, WbrReader};
use wingbeat_scene::{Override, Scene};

/// A frame as a player reads it.
struct Read1 {
    ids: Vec<u32>,
    positions: Vec<Vec<f64>>,
    /// `None` where it is not known.
    velocities: Vec<Vec<Option<f64>>>,
}

/// The text of the element with this id.
fn element<'a>(html: &'a str, id: &str) -> Option<&'a str> {
    let start = html.find(&format!("id=\"{id}\">"))? + id.len() + 6;
    html[start..].split_once("</script>").map(|(text, _)| text)
}

fn index(html: &str) -> Value {
    serde_json::from_str(element(html, "recording").expect("the index")).expect("JSON")
}

/// The bytes of a text, after the head of packed.rs.
fn unpacked(text: &str) -> Vec<u8> {
    let value = |c: u8| {
        assert!(c.is_ascii_graphic() && !b"\"<\\".contains(&c), "{c}");
        usize::from(c - b'!') - b"\"<\\".iter().filter(|&&left_out| left_out < c).count()
    };
    let mut bits = Vec::new();
    for pair in text.as_bytes().chunks(2) {
        let high = pair.get(1).map_or(0, |&c| value(c));
        let number = value(pair[0]) + 91 * high;
        bits.extend((0..if pair.len() > 1 { 13 } else { 6 }).map(|bit| number >> bit & 1));
    }
    let byte = |bits: &[usize]| (0..8).fold(0, |byte, bit| byte | (bits[bit] << bit) as u8);
    bits.chunks_exact(8).map(byte).collect()
}

/// All frames, decoded after the text at the head of encode.rs and not after the encoder.
fn decode(html: &str) -> Vec<Read1> {
    let index = index(html);
    let dimensions = index["dimensions"].as_u64().expect("dimensions") as usize;
    let number = |value: &Value| value.as_f64().expect("a number");
    let levels = &index["levels"];
    let mut frames = Vec::new();
    for (g, count) in index["groups"].as_array().expect("groups").iter().enumerate() {
        let packed = unpacked(element(html, &format!("group-{g}")).expect("a group"));
        let mut bytes = Vec::new();
        flate2::read::ZlibDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("zlib");
        let mut rest = &bytes[..];
        let mut before: (Vec<u32>, Vec<Vec<u16>>, Vec<Vec<u16>>) = Default::default();
        for _ in 0..count.as_u64().expect("a count") {
            before = frame(
                &mut rest,
                &before,
                dimensions,
                levels["mask"].as_i64().expect("a mask") as i32 + 1,
            );
            let (ids, velocities, positions) = &before;
            let position = |(a, column): (usize, &Vec<u16>)| {
                let (min, step) = (number(&levels["min"][a]), number(&levels["step"][a]));
                column
                    .iter()
                    .map(|&q| min + (f64::from(q) + number(&levels["half"])) * step)
                    .collect()
            };
            let unit = number(&levels["velocity_step"]);
            let velocity = |column: &Vec<u16>| {
                column.iter().map(|&q| (q != 0).then(|| (f64::from(q) - 32768.0) * unit)).collect()
            };
            frames.push(Read1 {
                ids: ids.clone(),
                positions: positions.iter().enumerate().map(position).collect(),
                velocities: velocities.iter().map(velocity).collect(),
            });
        }
        assert!(rest.is_empty(), "{} bytes are left over", rest.len());
    }
    frames
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> &'a [u8] {
    let (taken, left) = rest.split_at(count);
    *rest = left;
    taken
}

fn frame(
    rest: &mut &[u8],
    (old_ids, old_velocities, old_positions): &(Vec<u32>, Vec<Vec<u16>>, Vec<Vec<u16>>),
    dimensions: usize,
    levels: i32,
) -> (Vec<u32>, Vec<Vec<u16>>, Vec<Vec<u16>>) {
    let word = |rest: &mut &[u8]| u32::from_le_bytes(take(rest, 4).try_into().expect("four bytes"));
    let (count, flags) = (word(rest) as usize, word(rest));
    let drifts: Vec<f64> = (0..dimensions)
        .map(|_| f64::from_le_bytes(take(rest, 8).try_into().expect("eight bytes")))
        .collect();
    let ids = if flags & 1 == 0 {
        old_ids.clone()
    } else {
        let planes = take(rest, 4 * count);
        let more = |i| u32::from_le_bytes([0, 1, 2, 3].map(|plane| planes[plane * count + i]));
        (0..count)
            .scan(0u32, |id, i| {
                Some({
                    *id += more(i);
                    *id
                })
            })
            .collect()
    };
    let from: Vec<Option<usize>> =
        ids.iter().map(|id| old_ids.iter().position(|old| old == id)).collect();
    let column = |rest: &mut &[u8], levels: i32, expected: &dyn Fn(usize) -> u16| -> Vec<u16> {
        let planes = take(rest, 2 * count);
        let residual = |i: usize| {
            let zigzag = i32::from(planes[i]) + 256 * i32::from(planes[count + i]);
            if zigzag % 2 == 0 { zigzag / 2 } else { -(zigzag + 1) / 2 }
        };
        (0..count)
            .map(|i| (i32::from(expected(i)) + residual(i)).rem_euclid(levels) as u16)
            .collect()
    };
    let velocities: Vec<Vec<u16>> = (0..dimensions)
        .map(|a| column(rest, 65536, &|i| from[i].map_or(32768, |j| old_velocities[a][j])))
        .collect();
    let positions = (0..dimensions).map(|a| {
        let expected = |i: usize| {
            let Some(j) = from[i] else { return 0 };
            let (was, is) = (old_velocities[a][j], velocities[a][i]);
            let moved = if was == 0 || is == 0 {
                0.0
            } else {
                (f64::from(was) + f64::from(is) - 65536.0) * drifts[a] + 0.5
            };
            (f64::from(old_positions[a][j]) + moved.floor()).rem_euclid(65536.0) as u16
        };
        column(rest, levels, &expected)
    });
    let positions = positions.collect();
    (ids, velocities, positions)
}

/// A flock of some boids, recorded for some steps.
fn recorded<const D: usize>(
    folder: &Path,
    domain: Domain<[f32; D]>,
    boids: usize,
    steps: u64,
) -> PathBuf {
    let path = folder.join("flock.wbr");
    let params = Params {
        rules: Rules {
            separation: Some(Separation::default()),
            alignment: Some(Alignment::default()),
            cohesion: Some(Cohesion::default()),
            ..Default::default()
        },
        ..Default::default()
    };
    let spawn = Spawn { shape: Shape::Box { min: [1.0; D], max: [9.0; D] }, ..Spawn::default() };
    let mut flock = Flock::<D>::builder()
        .params(params)
        .domain(domain)
        .seed(3)
        .spawn(boids, spawn)
        .build()
        .expect("a flock");
    let dt = TimeStep::new(0.1).expect("a step");
    let mut recorder =
        Recorder::start(&path, About::flock(&flock, dt.get(), 1)).expect("a recorder");
    for _ in 0..=steps {
        recorder.capture(&flock.frame()).expect("a frame");
        flock.step(dt);
    }
    recorder.finish().expect("a recording");
    path
}

fn page_of(path: &Path, options: &PageOptions) -> Page {
    let mut footage = Frames::open(path, &Options::default(), &|_, _| true).expect("footage");
    replay(&mut footage, options).unwrap_or_else(|error| panic!("{error}"))
}

/// Every frame of the page against the recording's own.
fn assert_round_trip(path: &Path, periodic_side: Option<f64>, limit: u64) {
    let page = page_of(path, &PageOptions { limit, ..PageOptions::default() });
    let html = String::from_utf8(page.html).expect("UTF-8");
    let frames = decode(&html);
    let mut reader = WbrReader::open(path).expect("a reader");
    assert_eq!((frames.len(), page.frames), (reader.len(), reader.len()));
    let is_coarse = index(&html)["levels"]["mask"] == 4095;
    assert_eq!(is_coarse, limit < 25 * MEGABYTE);
    let mut now = Snapshot::new(reader.about().dimensions);
    let mut largest: f64 = 0.0;
    for (k, frame) in frames.iter().enumerate() {
        reader.read(k, &mut now).expect("a frame");
        assert_eq!(now.ids, frame.ids.iter().map(|&id| u64::from(id)).collect::<Vec<_>>());
        for a in 0..now.dimensions() {
            for i in 0..now.len() {
                let off = (f64::from(now.positions[a][i]) - frame.positions[a][i]).abs();
                let off = periodic_side.map_or(off, |side| off.min(side - off));
                assert!(
                    off <= page.position_error,
                    "frame {k}, boid {i}: off by {off}, stated {}",
                    page.position_error
                );
                largest = largest.max(off);
                let velocity = frame.velocities[a][i].expect("a velocity");
                let off = (f64::from(now.velocities[a][i]) - velocity).abs();
                assert!(
                    off <= page.velocity_error,
                    "frame {k}, boid {i}: velocity off by {off}, stated {}",
                    page.velocity_error
                );
            }
        }
    }
    // The stated error is no excuse: some boid nearly has it.
    assert!(largest > 0.9 * page.position_error, "{largest} of {}", page.position_error);
    assert!(page.position_error < if is_coarse { 4e-3 } else { 1e-3 }, "{}", page.position_error);
}

#[test]
fn recordings_come_back_within_the_stated_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = 25 * MEGABYTE;
    assert_round_trip(
        &recorded(folder.path(), Domain::periodic([0.0; 2], [10.0; 2]), 300, 40),
        Some(10.0),
        whole,
    );
    assert_round_trip(
        &recorded(folder.path(), Domain::periodic([-3.0; 3], [10.0; 3]), 200, 20),
        Some(13.0),
        whole,
    );
    assert_round_trip(&recorded(folder.path(), Domain::<[f32; 3]>::open(), 200, 33), None, whole);
    // So little room beside the player that digits are given up, and still no frame.
    let player = wingbeat_page::player("", "", "'none'", None);
    let beside = |bytes: usize| (player.before.len() + player.after.len() + bytes) as u64;
    assert_round_trip(
        &recorded(folder.path(), Domain::periodic([-3.0; 3], [10.0; 3]), 2000, 20),
        Some(13.0),
        beside(390_000),
    );
    assert_round_trip(
        &recorded(folder.path(), Domain::<[f32; 2]>::open(), 2000, 20),
        None,
        beside(180_000),
    );
}

#[test]
fn who_comes_and_goes_keeps_the_id_and_unknown_velocities_stay_unknown() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("people.csv");
    let rows = "0,7,0,0\n0,9,5,0\n1,7,1,0\n2,3,8,8\n2,7,2,0\n2,4000000000,1,1\n3,3,8,9\n3,7,3,0\n\
        5,9,6,1\n";
    std::fs::write(&path, format!("frame,id,x,y\n{rows}")).expect("a file");
    let html = String::from_utf8(page_of(&path, &PageOptions::default()).html).expect("UTF-8");
    let frames = decode(&html);
    let ids: Vec<&[u32]> = frames.iter().map(|frame| &frame.ids[..]).collect();
    assert_eq!(ids, [&[7, 9][..], &[7], &[3, 7, 4_000_000_000], &[3, 7], &[9]]);
    let speeds: Vec<Option<f64>> = frames[0].velocities[0].clone();
    assert!(
        (speeds[0].expect("seen again at once") - 1.0).abs() < 1e-3 && speeds[1].is_none(),
        "{speeds:?}"
    );
    assert!((frames[2].positions[1][0] - 8.0).abs() < 1e-3);
    assert_eq!(index(&html)["steps"], serde_json::json!([0, 1, 2, 3, 5]));
}

#[test]
fn the_engine_gets_the_whole_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = recorded(folder.path(), Domain::periodic([0.0; 2], [10.0; 2]), 20, 2);
    let about = |scene: &str| About {
        scene: scene.into(),
        ..WbrReader::open(&path).expect("a reader").about().clone()
    };
    let head = "[flock]\nboids = 20\ndimensions = 2\n";
    let cohesive = format!("{head}[cohesion]\n");
    let told = wingbeat_page::scene_json(&about(&cohesive));
    assert_eq!(
        (told["toml"].as_str(), told["unexplained"].is_null()),
        (Some(cohesive.as_str()), true)
    );
    assert_eq!(
        (told["domain"]["kind"].as_str(), told["domain"]["max"][1].as_f64()),
        (Some("periodic"), Some(10.0))
    );
    let none = wingbeat_page::scene_json(&about(""));
    assert!(none["toml"].is_null() && none["explain"].is_null() && none["unexplained"].is_null());
    // A page has the boids that a scene starts with, and no other file.
    let started =
        wingbeat_page::scene_json(&about(&format!("{cohesive}[initial]\nfile = \"start.csv\"\n")));
    assert!(started["toml"].is_string() && started["unexplained"].is_null());
    let flow = "[drive.stream]\nkind = \"flow\"\nfile = \"stream.npy\"\nmin = [-1.0, -1.0]\n\
        max = [1.0, 1.0]\n";
    let far = wingbeat_page::scene_json(&about(&format!("{cohesive}{flow}")));
    assert!(
        far["toml"].is_null()
            && far["unexplained"].as_str().is_some_and(|why| why.contains("stream.npy")),
        "{far}"
    );
}

/// Bodies to scale by species, and the outlines of exits and sources.
#[test]
fn bodies_exits_and_sources_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = recorded(folder.path(), Domain::reflecting([0.0; 2], [10.0; 2]), 20, 2);
    let told = |scene: &str| {
        let scene = format!("[flock]\ndimensions = 2\n{scene}");
        wingbeat_page::scene_json(&About {
            scene,
            ..WbrReader::open(&path).expect("a reader").about().clone()
        })
    };
    assert_eq!(
        (&told("boids = 2\n")["radii"], &told("boids = 2\n")["places"]),
        (&serde_json::json!([]), &serde_json::json!([])),
        "points"
    );
    assert_eq!(told("boids = 2\n[body]\nradius = 0.25\n")["radii"], serde_json::json!([0.25]));
    let kinds = "[body]\nradius = 0.25\n[species.a]\ncount = 1\n[species.b]\ncount = 1\n\
        body.radius = 0.5\n";
    assert_eq!(told(kinds)["radii"], serde_json::json!([0.25, 0.5]));
    let gates = "[source.in]\nmin = [1.0, 2.0]\nmax = [3.0, 4.0]\n[exit.out]\nkind = \"box\"\n\
            min = [8.0, 0.0]\nmax = [9.0, 2.0]\n";
    let places = told(&format!("boids = 2\n{gates}"))["places"].clone();
    assert_eq!((&places[0]["kind"], &places[0]["name"]), (&"exit".into(), &"out".into()));
    assert_eq!((&places[1]["kind"], &places[1]["name"]), (&"source".into(), &"in".into()));
    let corners = [1.0, 2.0, 0.0, 3.0, 2.0, 0.0, 3.0, 2.0, 0.0, 3.0, 4.0, 0.0];
    assert_eq!(
        places[1]["lines"].as_array().expect("numbers")[..12],
        corners.map(serde_json::Value::from)
    );
    assert_eq!(places[1]["lines"].as_array().expect("numbers").len(), 4 * 6, "four sides");
}

/// A page carries the engine where it can run the scene, and only there; the boids that a file gave
/// lie in it as they were.
#[test]
fn the_engine_is_in_the_page_that_needs_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = folder.path().join("start.csv");
    std::fs::write(&csv, "id,x,y,vx,vy\n3,0.1,0.2,1,0\n7,1.3,0.4,0,1\n").expect("a file");
    let scene = folder.path().join("mine.toml");
    std::fs::write(
        &scene,
        "[flock]\ndimensions = 2\n[initial]\nfile = \"start.csv\"\n[cohesion]\n",
    )
    .expect("a file");
    let name = scene.display().to_string();
    let own = wingbeat_page::scene_page(&name, &[]).expect("a page");
    let start = unpacked(element(&own, "start").expect("its start"));
    let mut frame = Vec::new();
    flate2::read::GzDecoder::new(&start[..]).read_to_end(&mut frame).expect("gzip");
    let number = |at: usize| f32::from_le_bytes(frame[at..at + 4].try_into().expect("4 bytes"));
    assert_eq!(frame.len(), 52 + 2 * (4 + 16));
    assert_eq!([number(60), number(64), number(68), number(76)], [0.1, 0.2, 1.3, 1.0]);
    let has_engine = |html: &str| html.contains("const packedEngine = ");
    assert!(has_engine(&own));
    let toml = serde_json::from_str::<Value>(element(&own, "scene").expect("a scene"))
        .expect("JSON")["toml"]
        .clone();
    assert!(toml.as_str().is_some_and(|toml| toml.contains("[cohesion]")), "{toml}");

    let refusal = wingbeat_page::scene_page(
        "shoal",
        &[Override::set("cohesion.weight=1e12").expect("a change")],
    );
    assert!(refusal.expect_err("too heavy").to_string().contains("cohesion.weight = 1e12"));
    // Positions alone, from another program.
    std::fs::write(folder.path().join("two.csv"), "frame,id,x,y\n0,1,0,0\n1,1,0,2\n")
        .expect("a file");
    let options = Options { fps: Some(10.0), ..Options::default() };
    let mut footage =
        Frames::open(&folder.path().join("two.csv"), &options, &|_, _| true).expect("footage");
    let page = replay(&mut footage, &PageOptions::default()).expect("a page");
    assert!(!has_engine(&String::from_utf8(page.html).expect("UTF-8")));
}

#[test]
fn the_command_line_is_the_whole_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = recorded(folder.path(), Domain::periodic([0.0; 2], [10.0; 2]), 20, 2);
    let about = WbrReader::open(&path).expect("a reader").about().clone();
    let explain = |name: &str, scene: &Scene| {
        wingbeat_page::scene_json(&About {
            name: name.into(),
            scene: scene.to_toml(),
            ..about.clone()
        })["explain"]
            .clone()
    };
    let changes = [
        "flock.boids=50",
        "flock.steps=7",
        "domain.kind=open",
        "agent.priority=[\"cohesion\"]",
        "agent.combine=prioritized",
    ];
    let changes: Vec<Override> =
        changes.iter().map(|change| Override::set(change).expect("a change")).collect();
    let changed = Scene::load("shoal", &changes).expect("a scene");
    let command = "wingbeat explain shoal --set agent.combine=prioritized --set \
        'agent.priority=[\"cohesion\"]' --set domain.kind=open --set flock.boids=50";
    assert_eq!(
        explain("shoal", &changed),
        serde_json::json!({ "command": command, "is_whole": true })
    );
    // A scene of a file that is not there, or has become another.
    assert_eq!(
        explain("gone.toml", &changed),
        serde_json::json!({ "command": "wingbeat explain gone.toml", "is_whole": false })
    );
    assert_eq!(
        explain("leader", &changed),
        serde_json::json!({ "command": "wingbeat explain leader", "is_whole": false })
    );
    // One whose file is there, with a space in its name.
    let file = folder.path().join("my scene.toml");
    std::fs::write(&file, "[flock]\nboids = 50\n[cohesion]\n").expect("a file");
    let name = file.display().to_string();
    let mine = Scene::load(&name, &[Override::set("cohesion.weight=2").expect("a change")])
        .expect("a scene");
    let command = format!("wingbeat explain '{name}' --set cohesion.weight=2");
    assert_eq!(explain(&name, &mine), serde_json::json!({ "command": command, "is_whole": true }));
}

#[test]
fn a_page_asks_for_nothing_and_is_known_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = recorded(folder.path(), Domain::periodic([0.0; 2], [10.0; 2]), 20, 2);
    let page = page_of(&path, &PageOptions::default());
    let html = String::from_utf8(page.html.clone()).expect("UTF-8");
    for address in
        ["http:", "https:", "src=", "@import", "url(", "fetch(", "XMLHttpRequest", "import("]
    {
        assert!(!html.contains(address), "the page has {address}");
    }
    assert!(html.contains("default-src 'none'") && html.contains("connect-src 'none'"));
    assert!(is_page(&page.html) && !is_page(b"<!doctype html>\n<title>mine</title>"));
    assert!(
        ![
            "<!--DATA-->",
            "<!--SCRIPTS-->",
            "<!--TITLE-->",
            "<!--STYLE-->",
            "<!--CONNECT-->",
            "<!--FROM-->"
        ]
        .iter()
        .any(|slot| html.contains(slot))
    );
}

#[test]
fn frames_are_left_out_until_the_page_fits() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = recorded(folder.path(), Domain::periodic([0.0; 3], [10.0; 3]), 2000, 60);
    let whole = page_of(&path, &PageOptions::default());
    let limit = whole.html.len() as u64 / 3;
    let page = page_of(&path, &PageOptions { limit, ..PageOptions::default() });
    assert!(
        page.html.len() as u64 <= limit && page.every > 1 && page.frames > 10,
        "{} {}",
        page.every,
        page.frames
    );
    assert_eq!(page.frames, 60 / page.every as usize + 1);
    let fourth = page_of(&path, &PageOptions { every: 4, ..PageOptions::default() });
    assert_eq!((fourth.frames, fourth.every), (16, 4));
    let mut footage = Frames::open(&path, &Options::default(), &|_, _| true).expect("footage");
    let refusal = replay(&mut footage, &PageOptions { limit: 50_000, ..PageOptions::default() })
        .expect_err("too small");
    assert!(refusal.to_string().starts_with("size = 0.05: allowed is at least "), "{refusal}");
    assert_eq!(PageOptions::default().limit, 25 * MEGABYTE);
}

#[test]
fn ids_beyond_32_bits_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("far.csv");
    std::fs::write(&path, "frame,id,x,y\n0,4294967296,0,0\n").expect("a file");
    let mut footage = Frames::open(&path, &Options::default(), &|_, _| true).expect("footage");
    let refusal = replay(&mut footage, &PageOptions::default()).expect_err("too large an id");
    assert_eq!(refusal.to_string(), "frame 0: id 4294967296: allowed in a page is 0 to 4294967295");
}
