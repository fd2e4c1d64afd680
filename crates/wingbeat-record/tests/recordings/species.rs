//! Species go with a recording into every format and back.

use std::fs;
use std::path::Path;

use wingbeat::{Domain, Flock, Params, Shape, Spawn, Species, SpeciesId, steer::Traits};
use wingbeat_record::{About, Frames, Options, Recorder, Snapshot, WbrReader, convert, read};
use zip::CompressionMethod;

use crate::archives::archive;
use crate::common::{DT, Lab, WRITTEN, flock, record_flock};

/// Hares, of which there are none yet, foxes and a herd; they lie in the flock in any order.
fn mixed<const D: usize>(boids: usize) -> Flock<D> {
    let kind = |name: &str| Species { name: name.into(), ..Species::default() };
    let params =
        Params { species: ["hare", "fox", "sheep 2"].map(kind).into(), ..Params::default() };
    let (min, max) = ([-3.0; D], [7.3; D]);
    let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
    let species = (0..boids).map(|i| SpeciesId::new(1 + (i * i + 1) % 3 % 2));
    let builder = Flock::<D>::builder().params(params).domain(Domain::periodic(min, max)).seed(3);
    builder.spawn(boids, spawn).species(species).build().expect("a flock")
}

/// The name of every individual's species in every frame, with ids.
fn names(path: &Path) -> Vec<Vec<(u64, String)>> {
    let mut frames = Frames::open(path, &Options::default(), &|_, _| true)
        .unwrap_or_else(|error| panic!("{error}"));
    let (about, mut now) = (frames.about().clone(), Snapshot::new(frames.about().dimensions));
    let mut named = |k| {
        frames.read(k, &mut now).unwrap_or_else(|error| panic!("{error}"));
        let name = |i: usize| about.species_name(&now, i).unwrap_or("no species").to_string();
        (0..now.len()).map(|i| (now.ids[i], name(i))).collect()
    };
    (0..frames_in(path)).map(&mut named).collect()
}

fn frames_in(path: &Path) -> usize {
    Frames::open(path, &Options::default(), &|_, _| true).expect("a recording").len()
}

/// What the flock itself says, where `from` may have become `to` on the way.
fn expected(seen: &[Snapshot], [from, to]: [&str; 2]) -> Vec<Vec<(u64, String)>> {
    let name = |species: u8| ["hare", "fox", "sheep 2"][usize::from(species)].replace(from, to);
    seen.iter()
        .map(|now| {
            now.ids.iter().copied().zip(now.species.iter().map(|&species| name(species))).collect()
        })
        .collect()
}

#[test]
fn every_format_that_is_read_brings_them_back() {
    let lab = Lab::new();
    for format in ["wbr", "csv", "npz", "xyz"] {
        let path = lab.path(&format!("a.{format}"));
        // A cell of .xyz holds no white space.
        let changed = if format == "xyz" { [" ", "_"] } else { ["", ""] };
        for come_and_go in [false, true] {
            let (seen, _) = record_flock(&path, mixed::<2>(30), 20, 1, come_and_go);
            let kinds = |species| seen[20].species.iter().filter(|&&kind| kind == species).count();
            assert!(kinds(1) > 5 && kinds(2) > 5 && seen[20].species.len() == 30);
            assert_eq!(kinds(0) > 0, come_and_go, "who comes is of the first species");
            assert_eq!(names(&path), expected(&seen, changed), "{format}");
        }
        let (seen, _) = record_flock(&path, mixed::<3>(30), 6, 3, false);
        assert_eq!(names(&path), expected(&seen, changed), "{format}");
    }
    // Where names are listed, so is that of the species without individuals, at its place.
    for format in ["wbr", "npz"] {
        let path = lab.path(&format!("a.{format}"));
        record_flock(&path, mixed::<2>(8), 2, 1, false);
        let recording = read(&path, &Options::default()).expect("a recording");
        assert_eq!(recording.species().names(), ["hare", "fox", "sheep 2"], "{format}");
    }
}

#[test]
fn conversions_keep_them() {
    let lab = Lab::new();
    let (seen, _) = record_flock(&lab.path("a.wbr"), mixed::<3>(20), 8, 2, true);
    for (from, to) in [
        ("a.wbr", "b.csv"),
        ("b.csv", "c.npz"),
        ("c.npz", "d.wbr"),
        ("d.wbr", "e.xyz"),
        ("e.xyz", "f.csv"),
    ] {
        convert(&lab.path(from), &lab.path(to), &Options::default(), 1)
            .unwrap_or_else(|error| panic!("{error}"));
        let changed = if ["e.xyz", "f.csv"].contains(&to) { [" ", "_"] } else { ["", ""] };
        assert_eq!(names(&lab.path(to)), expected(&seen, changed), "{to}");
    }
    convert(&lab.path("a.wbr"), &lab.path("g.wbr"), &Options::default(), 1).expect("a conversion");
    assert_eq!(
        fs::read(lab.path("a.wbr")).expect("a file"),
        fs::read(lab.path("g.wbr")).expect("a file")
    );
    let csv = fs::read_to_string(lab.path("b.csv")).expect("text");
    assert!(csv.starts_with("frame,time,id,species,x,y,z,vx,vy,vz\n0,0,0,sheep 2,"), "{csv:.80}");
}

#[test]
fn our_own_finds_them_in_any_order_and_where_they_change() {
    let lab = Lab::new();
    let mut flock = mixed::<2>(9);
    let mut recorder =
        Recorder::start(&lab.path("a.wbr"), About::flock(&flock, DT, 1)).expect("a recorder");
    let mut seen = Vec::new();
    for step in 0..40 {
        if step == 21 {
            let id = flock.frame().living()[4];
            let traits =
                Traits { species: SpeciesId::new(0), ..flock.traits(id).expect("its traits") };
            flock.set_traits(id, traits).expect("another species");
        }
        recorder.capture(&flock.frame()).expect("a frame");
        seen.push(Snapshot::of(&flock.frame(), WRITTEN));
        flock.step(wingbeat::TimeStep::new(DT).expect("a step"));
    }
    recorder.finish().expect("a recording");
    assert_ne!(seen[20].species, seen[21].species);
    let mut reader = WbrReader::open(&lab.path("a.wbr")).expect("a reader");
    let mut now = Snapshot::new(2);
    for k in [30, 20, 21, 5, 39, 0, 22] {
        reader.read(k, &mut now).expect("a frame");
        assert_eq!(now.species, seen[k].species, "frame {k}");
    }
    // Read as rows, the first word counts.
    let notes =
        &read(&lab.path("a.wbr"), &Options::default()).expect("a recording").found().notes.clone();
    assert!(
        notes.iter().any(|note| note.contains("another species than the first of their id")),
        "{notes:?}"
    );
}

#[test]
fn recordings_from_before_there_were_species_are_read() {
    let lab = Lab::new();
    // Five frames of `hunter_prey` with 12 boids, written by version 0.1 as it was then.
    let path = lab.write("old.wbr", include_bytes!("before_species.wbr"));
    let mut reader = WbrReader::open(&path).expect("an old recording");
    assert_eq!((reader.about().species.len(), reader.len(), reader.note()), (0, 5, None));
    let mut now = Snapshot::new(2);
    reader.read(4, &mut now).expect("a frame");
    assert_eq!(
        (now.species.len(), now.len(), format!("{:x}", now.state_hash())),
        (0, 12, "55157898c7e3ab5a".into())
    );
    // And what has no species has none of it in any format.
    for format in ["csv", "xyz", "npz", "wbr"] {
        let to = lab.path(&format!("new.{format}"));
        convert(&path, &to, &Options::default(), 1).expect("a conversion");
        let recording = read(&to, &Options::default()).expect("a recording");
        assert_eq!(recording.species().names(), [""; 0], "{format}");
    }
    assert_eq!(
        fs::read(&path).expect("a file"),
        fs::read(lab.path("new.wbr")).expect("a file"),
        "not a byte is another"
    );
}

#[test]
fn a_species_that_is_none_is_damage() {
    let lab = Lab::new();
    record_flock(&lab.path("a.wbr"), mixed::<2>(5), 0, 1, false);
    let whole = fs::read(lab.path("a.wbr")).expect("the file");
    let length = |at: usize| {
        u64::from_le_bytes(whole[at + 8..at + 16].try_into().expect("8 bytes")) as usize
    };
    let frame_at = 12 + 16 + length(12);
    let frame = &whole[frame_at + 16..frame_at + 16 + length(frame_at)];
    for (species, is_sound) in [(2, true), (3, false), (255, false)] {
        let mut payload = frame.to_vec();
        // Five bytes are too few to be compressed: the last byte is the last boid's species.
        *payload.last_mut().expect("a byte") = species;
        let mut hasher = crc32fast::Hasher::new();
        [b"FRAM", &(payload.len() as u64).to_le_bytes()[..], &payload]
            .iter()
            .for_each(|part| hasher.update(part));
        let sum = hasher.finalize().to_le_bytes();
        let bytes = [
            &whole[..frame_at],
            b"FRAM",
            &sum,
            &(payload.len() as u64).to_le_bytes()[..],
            &payload,
        ]
        .concat();
        let mut now = Snapshot::new(2);
        let read =
            WbrReader::open(&lab.write("b.wbr", &bytes)).expect("a sound head").read(0, &mut now);
        assert_eq!(read.is_ok(), is_sound, "{species}");
        assert!(!is_sound || now.species[4] == species);
    }
}

#[test]
fn tables_may_say_anything_or_nothing() {
    let lab = Lab::new();
    let species = |text: &str| {
        let path = lab.write("a.csv", text.as_bytes());
        let recording = read(&path, &Options::default()).expect("a recording");
        let ids: Vec<u64> =
            recording.frame(0).expect("a frame").rows.iter().map(|row| row.id).collect();
        let name = |&id: &u64| {
            recording
                .species()
                .of(id)
                .map(|place| recording.species().names()[usize::from(place)].clone())
        };
        (ids.iter().filter_map(name).collect::<Vec<String>>(), recording.found().notes.join("; "))
    };
    assert_eq!(species("frame,id,species,x,y\n0,4,7,1,1\n0,2,12,1,1\n").0, ["12", "7"]);
    assert_eq!(
        species("frame,id,x,y,Species\n0,1,1,1,\n0,2,1,1,\"Sturnus vulgaris\"\n").0,
        ["", "Sturnus vulgaris"]
    );
    assert_eq!(species("frame,id,x,y,species\n0,1,1,1,\n0,2,1,1,\n").0, [""; 0]);
    let changed = species("frame,id,x,y,species\n0,1,1,1,a\n0,2,1,1,b\n1,1,1,1,b\n");
    assert_eq!(changed.0, ["a", "b"]);
    assert!(changed.1.contains("1 positions name another species"), "{}", changed.1);
    let many = |count: usize| -> String {
        (0..count)
            .fold("frame,id,x,y,species\n".into(), |text, id| text + &format!("0,{id},1,1,s{id}\n"))
    };
    assert_eq!(species(&many(256)).0.len(), 256);
    let (names, notes) = species(&many(257));
    assert!(names.is_empty() && notes.contains("at most 256 names"), "{notes}");
    // Half of them named, and 256 names: there is no place for the others.
    assert!(species(&(many(256) + "0,999,1,1,\n")).1.contains("at most 256 names"));
    assert_eq!(species(&(many(255) + "0,999,1,1,\n")).0.len(), 256);
    let xyz = "2\nProperties=species:S:1:pos:R:3:id:I:1\nX 0 0 0 1\nwolf 1 1 1 2\n";
    let recording =
        read(&lab.write("a.xyz", xyz.as_bytes()), &Options::default()).expect("a recording");
    assert_eq!(recording.species().names(), ["", "wolf"]);
    convert(&lab.path("a.xyz"), &lab.path("b.xyz"), &Options::default(), 1).expect("a conversion");
    let text = fs::read_to_string(lab.path("b.xyz")).expect("text");
    assert!(text.contains("Properties=type:S:1:pos:R:3:velo:R:3:id:I:1 "), "{text}");
    assert!(text.contains("\nX 0 0 0 ") && text.contains("\nwolf 1 1 1 "), "{text}");
}

#[test]
fn arrays_of_other_programs_name_them_too() {
    let lab = Lab::new();
    let position = (0..8).flat_map(|i| (i as f32).to_le_bytes()).collect::<Vec<u8>>();
    let letters = |text: &str, big: bool| -> Vec<u8> {
        text.chars()
            .map(u32::from)
            .flat_map(|c| if big { c.to_be_bytes() } else { c.to_le_bytes() })
            .collect()
    };
    let species = |arrays: &[(&str, &str, &[u64], Vec<u8>)]| {
        let all = [&[("position", "<f4", &[2, 2, 2][..], position.clone())], arrays].concat();
        let path = lab.write("a.npz", &archive(&all, CompressionMethod::Deflated));
        let recording = read(&path, &Options::default()).map_err(|error| error.to_string())?;
        let name = |id| {
            recording
                .species()
                .of(id)
                .map(|place| recording.species().names()[usize::from(place)].clone())
        };
        Ok::<_, String>([0, 1].map(|id| name(id).unwrap_or_default()))
    };
    let named = |text: &str| text.to_string();
    let (numbers, list) =
        (("species", "<i8", &[2][..], [1i64, 0].map(i64::to_le_bytes).concat()), &[2u64][..]);
    assert_eq!(species(std::slice::from_ref(&numbers)), Ok([named("1"), named("0")]));
    assert_eq!(
        species(&[numbers.clone(), ("species_names", "<U2", list, letters("üba\0", false))]),
        Ok([named("a"), named("üb")])
    );
    assert_eq!(
        species(&[("species", ">U2", list, letters("ücb\0", true))]),
        Ok([named("üc"), named("b")])
    );
    for (arrays, expected) in [
        (
            vec![numbers.clone(), ("species_names", "<U1", &[1], letters("a", false))],
            "species: 1: allowed is a place",
        ),
        (
            vec![("species", "|u1", &[3], vec![0, 1, 2])],
            "species: shape [3]: allowed is [2], as in position",
        ),
        (vec![("species", "<U0", list, vec![])], "dtype <U0: allowed is U1 to"),
        (vec![("species", "<U9999999999", list, vec![0; 8])], "allowed is U1 to"),
        (vec![("species", "<f4", list, vec![0; 8])], "dtype <f4"),
        (vec![("species", "<U2", list, vec![0xff; 16])], "a character that is not one"),
        (vec![("species", "<U2", list, vec![0; 8])], "needs 16 bytes"),
    ] {
        let refusal = species(&arrays).expect_err("a refusal");
        assert!(refusal.contains(expected), "{refusal}");
    }
}

#[test]
fn points_for_other_programs_have_them() {
    let lab = Lab::new();
    let (seen, _) = record_flock(&lab.path("a.ply"), mixed::<2>(6), 2, 2, false);
    record_flock(&lab.path("a.vtp"), mixed::<2>(6), 2, 2, false);
    for (k, seen) in seen.iter().enumerate() {
        let ply = fs::read(lab.path(&format!("a_{k:06}.ply"))).expect("a file");
        let end =
            ply.windows(11).position(|window| window == b"end_header\n").expect("a header") + 11;
        let header = String::from_utf8(ply[..end].to_vec()).expect("text");
        assert!(
            header.ends_with("property uint id\nproperty uchar species\nend_header\n"),
            "{header}"
        );
        assert!(
            header.contains("\ncomment species 0 hare\n")
                && header.contains("\ncomment species 2 sheep 2\n"),
            "{header}"
        );
        assert_eq!(
            ply[end..].chunks_exact(29).map(|row| row[28]).collect::<Vec<_>>(),
            seen.species
        );
        let vtp = fs::read(lab.path(&format!("a_{k:06}.vtp"))).expect("a file");
        let wanted = [&6u64.to_le_bytes()[..], &seen.species].concat();
        assert!(vtp.windows(14).any(|window| window == wanted), "six species after their length");
        let xml = String::from_utf8_lossy(&vtp);
        assert!(xml.contains(
            "Name=\"species_names\" NumberOfTuples=\"3\" format=\"ascii\">104 97 \
            114 101 0 102 111 120 0 "
        ));
    }
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let lab = Lab::new();
    let about = |names: &[&str]| About {
        species: names.iter().map(|name| name.to_string()).collect(),
        ..About::flock(&mixed::<2>(3), DT, 1)
    };
    for name in ["a,b", "a\"b", "a\nb"] {
        let refusal =
            Recorder::start(&lab.path("a.csv"), about(&[name])).expect_err("a refusal").to_string();
        assert!(
            refusal.contains("allowed in .csv are names without commas") && !refusal.contains('\n'),
            "{refusal}"
        );
    }
    // Named species of a flock without any, and species beyond the names.
    for (flock, names, expected) in [
        (flock::<2>(3), &["hare"][..], "0 species for 3 boids"),
        (mixed::<2>(3), &["hare", "fox"], "allowed is one below 2"),
    ] {
        let mut recorder = Recorder::start(&lab.path("a.xyz"), about(names)).expect("a recorder");
        recorder.capture(&flock.frame()).expect("a frame that waits");
        let refusal = recorder.finish().expect_err("a refusal").to_string();
        assert!(refusal.contains(expected), "{refusal}");
    }
}
