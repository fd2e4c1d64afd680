//! Species: what they inherit, where they start, and whose a file's boids are.

use wingbeat::{BoidId, Flock};
use wingbeat_scene::{AnyFlock, Machine, Scene, SettingValue};

const ROOM: &str = "[flock]\ndimensions = 2\n[domain]\nkind = \"walled\"\nmin = [0, 0]\n\
    max = [20, 10]\n";

fn scene(tables: &str) -> Result<Scene, String> {
    Scene::parse("room.toml", &format!("{ROOM}{tables}"), &[])
        .map_err(|refusal| refusal.to_string())
}

fn built(scene: &Scene) -> Result<Flock<2>, String> {
    match scene.build(&Machine::default()).map_err(|refusal| refusal.to_string())?.flock {
        AnyFlock::Two(flock) => Ok(flock),
        AnyFlock::Three(_) => panic!("a plane"),
    }
}

#[test]
fn limits_that_a_species_does_not_give_are_those_of_agent() {
    let text = "[agent]\nmax_speed = 5\nmass = 3\n[species.hare]\ncount = 1\n[species.fox]\n\
                count = 1\n[species.fox.agent]\n\
                max_speed = 7\n";
    let scene = scene(text).expect("a scene");
    let limits = |place: usize| scene.params().species[place].agent;
    assert_eq!(
        (limits(0).max_speed, limits(0).mass, limits(0).max_force),
        (5.0, 3.0, wingbeat::AgentLimits::default().max_force)
    );
    assert_eq!((limits(1).max_speed, limits(1).mass), (7.0, 3.0));
    assert_eq!(
        scene.params().agent,
        wingbeat::AgentLimits::default(),
        "the flock has none of its own"
    );
    let value = |name: &str| {
        scene
            .settings()
            .into_iter()
            .find(|setting| setting.name == name)
            .and_then(|setting| setting.value)
    };
    assert_eq!(value("species.hare.agent.max_speed"), Some(SettingValue::Number(5.0)));
    assert_eq!(value("species.fox.agent.max_speed"), Some(SettingValue::Number(7.0)));
    assert_eq!(
        value("agent.max_speed"),
        Some(SettingValue::Number(5.0)),
        "still a setting: the hares go by it"
    );
    assert_eq!(value("agent.max_force"), None, "not given, and every species has its own");
    // The same species written out is the same scene.
    let out = "[species.hare]\ncount = 1\n[species.hare.agent]\nmax_speed = 5\nmass = 3\n\
               [species.fox]\ncount = 1\n\
               [species.fox.agent]\nmax_speed = 7\nmass = 3\n";
    assert_eq!(self::scene(out).expect("a scene").params(), scene.params());
}

#[test]
fn how_persons_differ_is_inherited_too() {
    let scene = scene(
        "[agent]\npopulation = \"imo\"\n[species.ours]\ncount = 1\n[species.crew]\ncount = 1\n\
        [species.crew.agent]\npopulation = \"none\"\nmax_speed_spread = 0.2\n",
    )
    .expect("a scene");
    let [ours, crew] = [0, 1].map(|place: usize| scene.params().species[place].agent);
    assert_eq!(
        [ours.population, crew.population],
        [wingbeat::steer::Population::Imo, wingbeat::steer::Population::None]
    );
    assert_eq!([ours.max_speed_spread, crew.max_speed_spread], [0.0, 0.2]);
    let value = |name: &str| {
        scene
            .settings()
            .into_iter()
            .find(|setting| setting.name == name)
            .and_then(|setting| setting.value)
    };
    assert_eq!(value("species.ours.agent.population"), Some(SettingValue::Text("imo".into())));
    let refusal = self::scene(
        "[agent]\npopulation = \"imo\"\n[species.crew]\ncount = 1\n\
            [species.crew.agent]\nmax_speed_spread = 0.2\n",
    );
    let refusal = refusal.unwrap_err();
    assert!(
        refusal.contains(
            "species.crew.agent.max_speed_spread = 0.2: allowed is left out where agent.population"
        ),
        "{refusal}"
    );
}

#[test]
fn what_is_inherited_is_refused_where_it_was_given() {
    let refusal = scene("[agent]\nmin_speed = 9\n[species.hare]\ncount = 1\n").unwrap_err();
    assert!(
        refusal.starts_with(
            "room.toml:8: species.hare.agent.min_speed = 9: allowed is at most agent.max_speed (2)"
        ),
        "{refusal}"
    );
}

/// Each is a count that fits 32 bits, both together are one more than do.
#[test]
fn species_that_are_too_many_together_are_refused() {
    let half = 1_u64 << 31;
    let refusal =
        scene(&format!("[species.hare]\ncount = {half}\n[species.fox]\ncount = {half}\n"))
            .and_then(|scene| built(&scene).map(|flock| flock.len().to_string()));
    assert!(
        refusal.as_ref().is_err_and(|refusal| refusal.contains("allowed is 0 to ")),
        "{refusal:?}"
    );
}

/// Where the boids with these ids start.
fn places(flock: &Flock<2>, ids: std::ops::Range<u64>) -> Vec<[f32; 2]> {
    flock
        .frame()
        .by_id()
        .filter(|boid| ids.contains(&boid.id.get()))
        .map(|boid| boid.position)
        .collect()
}

const CROWD: &str = "[spawn]\nmin = [0, 0]\nmax = [4, 10]\nspeed = 0.5\n[species.west]\n\
                     count = 30\n[species.east]\ncount = 20\n\
                     [species.east.spawn]\nmin = [16, 2]\nmax = [20, 8]\nheading = [-1, 0]\n";

#[test]
fn a_species_starts_where_its_own_spawn_says() {
    let flock = built(&scene(CROWD).expect("a scene")).expect("a flock");
    let (west, east) = (places(&flock, 0..30), places(&flock, 30..50));
    assert!(west.iter().all(|&[x, y]| x < 4.0 && y < 10.0), "{west:?}");
    assert!(east.iter().all(|&[x, y]| x >= 16.0 && (2.0..8.0).contains(&y)), "{east:?}");
    for boid in flock.frame().by_id().filter(|boid| boid.id.get() >= 30) {
        assert_eq!(boid.velocity, [-0.5, 0.0], "the speed is that of [spawn], the heading its own");
    }
    assert_eq!(flock.traits(BoidId::new(30)).map(|traits| traits.species.get()), Ok(1));
    // By hand: the box of the second species, drawn with a seed of its own.
    let spawn = wingbeat::Spawn {
        shape: wingbeat::Shape::Box { min: [16.0, 2.0], max: [20.0, 8.0] },
        speed: 0.5,
        heading: Some([-1.0, 0.0]),
        ..Default::default()
    };
    assert_eq!(east, spawn.place(20, 1 ^ 0xD1B5_4A32_D192_ED03u64.wrapping_mul(2)).0);
}

#[test]
fn another_species_with_a_spawn_of_its_own_changes_no_other_place() {
    let before = built(&scene(CROWD).expect("a scene")).expect("a flock");
    let more = format!(
        "{CROWD}[species.north]\ncount = 7\n[species.north.spawn]\nshape = \"ball\"\n\
            center = [10, 8]\nradius = 1\n"
    );
    let after = built(&scene(&more).expect("a scene")).expect("a flock");
    assert_eq!(places(&before, 0..50), places(&after, 0..50));
    let north = places(&after, 50..57);
    assert!(
        north.iter().all(|&[x, y]| (x - 10.0) * (x - 10.0) + (y - 8.0) * (y - 8.0) <= 1.0),
        "{north:?}"
    );
    // A first species without one starts as in a scene without the others; of equal spawns no two
    // draw the same numbers.
    let alone = built(&scene(&CROWD.replace("count = 20", "count = 0")).expect("a scene"))
        .expect("a flock");
    assert_eq!(places(&before, 0..30), places(&alone, 0..30));
    let equal = CROWD.replace(
        "[species.west]\ncount = 30\n",
        "[species.west]\ncount = 30\n[species.west.spawn]\nmin = [16, 2]\nmax = [20, 8]\n",
    );
    let equal = built(&scene(&equal).expect("a scene")).expect("a flock");
    assert_ne!(places(&equal, 0..20), places(&equal, 30..50));
}

#[test]
fn species_between_others_leave_the_common_start_as_it_is() {
    // Boids of the first and third species are drawn together, a boid that stands between them in
    // the file.
    let of = |between: &str| {
        let text = format!(
            "[spawn]\nshape = \"lattice\"\nmin = [0, 0]\nmax = [10, 10]\n[species.a]\ncount = 40\n\
                {between}[species.c]\ncount = 60\n"
        );
        built(&scene(&text).expect("a scene")).expect("a flock")
    };
    let with = of("[species.b]\ncount = 5\n[species.b.spawn]\nmin = [15, 0]\nmax = [20, 10]\n");
    let without = of("");
    assert_eq!([places(&with, 0..40), places(&with, 45..105)].concat(), places(&without, 0..100));
}

#[test]
fn no_species_starts_inside_what_stands_still() {
    let rock = format!("{CROWD}[obstacle.rock]\nkind = \"sphere\"\ncenter = [18, 5]\nradius = 2\n");
    let (with, without) = (
        built(&scene(&rock).expect("a scene")).expect("a flock"),
        built(&scene(CROWD).expect("a scene")).expect("a flock"),
    );
    let inside = |&[x, y]: &[f32; 2]| (x - 18.0) * (x - 18.0) + (y - 5.0) * (y - 5.0) < 4.0;
    assert!(places(&without, 30..50).iter().any(inside));
    assert!(!places(&with, 30..50).iter().any(inside));
    assert_eq!(places(&with, 0..30), places(&without, 0..30));
    let full =
        built(&scene(&rock.replace("radius = 2", "radius = 9")).expect("a scene")).unwrap_err();
    assert_eq!(
        full,
        "room.toml:15: species.east.spawn.shape = nothing: allowed is a start with room outside \
            the obstacles that stand still"
    );
}

#[test]
fn spawns_of_species_are_refused_by_their_own_keys() {
    for (keys, expected) in [
        (
            "min = [1, 1]",
            "species.fox.spawn.min = [1, 1]: allowed is given together with species.fox.spawn.max",
        ),
        (
            "min = [1, 1]\nmax = [1, 2]",
            "species.fox.spawn.max = [1, 2]: allowed is above species.fox.spawn.min on every axis",
        ),
        (
            "radius = 2",
            "species.fox.spawn.radius = 2: allowed is given with \
            species.fox.spawn.shape ball, ring or circle",
        ),
        (
            "shape = \"ring\"\nmin = [1, 1]\nmax = [2, 2]",
            "species.fox.spawn.min = [1, 1]: allowed is given with species.fox.spawn.shape box",
        ),
        (
            "shape = \"ball\"\nradius = 30",
            "species.fox.spawn.radius = 30: allowed is what keeps the start inside the domain, 0 \
                to 20",
        ),
        ("heading = [0, 0]", "species.fox.spawn.heading = [0, 0]: allowed is a direction"),
        (
            "speeed = 1",
            "unknown key species.fox.spawn.speeed: nearest known key is species.fox.spawn.speed",
        ),
        (
            "shape = \"cone\"",
            "species.fox.spawn.shape = \"cone\": allowed is box, ball, ring, circle, lattice",
        ),
    ] {
        let text = format!(
            "[species.hare]\ncount = 3\n[species.fox]\ncount = 2\n[species.fox.spawn]\n{keys}\n"
        );
        let refusal = scene(&text).and_then(|scene| built(&scene).map(|_| ())).unwrap_err();
        assert!(refusal.contains(expected), "{keys}: {refusal}");
    }
}

/// A scene of hares and foxes that starts from a file.
fn from_file(folder: &tempfile::TempDir, name: &str, content: &[u8]) -> Result<Flock<2>, String> {
    std::fs::write(folder.path().join(name), content).expect("a file");
    let text = format!(
        "{ROOM}[initial]\nfile = \"{name}\"\n[species.hare]\ncount = 1\n[species.fox]\ncount = 1\n"
    );
    let scene = Scene::parse("room.toml", &text, &[]).expect("a scene").in_folder(folder.path());
    built(&scene).map_err(|refusal| refusal.replace(&folder.path().display().to_string(), ""))
}

/// The species of the boids by id.
fn species(flock: &Flock<2>) -> Vec<usize> {
    flock.frame().by_id().map(|boid| flock.traits(boid.id).expect("a boid").species.get()).collect()
}

#[test]
fn a_file_says_whose_boids_are_by_name_or_by_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let of =
        |csv: &str| from_file(&folder, "start.csv", csv.as_bytes()).map(|flock| species(&flock));
    assert_eq!(of("id,species,x,y\n7,hare,1,1\n3,fox,2,2\n5,fox,3,3\n"), Ok(vec![1, 1, 0]));
    assert_eq!(of("x,species,y\n1,1,1\n2,0,2\n3,fox,3\n"), Ok(vec![1, 0, 1]));
    assert_eq!(
        of("x,y\n1,1\n2,2\n3,3\n4,4\n"),
        Ok(vec![0, 0, 1, 1]),
        "absent: in the proportion of the counts"
    );
    for (value, row) in [("wolf", 3), ("2", 3), ("-1", 3), ("", 3), ("1.0", 3)] {
        let refusal = of(&format!("x,y,species\n1,1,hare\n2,2,{value}\n")).unwrap_err();
        let allowed = "hare, fox, the species of the scene, or their places in it, 0 to 1";
        assert_eq!(
            refusal,
            format!("/start.csv:{row}: column species = \"{value}\": allowed is {allowed}")
        );
    }
}

/// An archive of one frame as NumPy's `savez` writes it: entries stored, not compressed.
fn npz(species: &[u8]) -> Vec<u8> {
    use wingbeat_record::npy::write_header;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut entry = |name: &str, kind: &str, shape: &[u64], bytes: &[u8]| {
        use std::io::Write;
        let stored = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Stored);
        archive.start_file(name, stored).expect("an entry");
        write_header(&mut archive, kind, shape).expect("a header");
        archive.write_all(bytes).expect("an array");
    };
    let places: Vec<u8> =
        [1.0f32, 1.0, 2.0, 2.0, 3.0, 3.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    entry("position.npy", "<f4", &[1, 3, 2], &places);
    entry("species.npy", "|u1", &[3], species);
    archive.finish().expect("an archive").into_inner()
}

#[test]
fn an_array_says_it_by_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |numbers: &[u8]| {
        from_file(&folder, "start.npz", &npz(numbers)).map(|flock| species(&flock))
    };
    assert_eq!(of(&[1, 0, 1]), Ok(vec![1, 0, 1]));
    let refusal = of(&[1, 0, 2]).unwrap_err();
    assert!(
        refusal.starts_with("/start.npz id 2: column species = \"2\": allowed is hare, fox"),
        "{refusal}"
    );
}
