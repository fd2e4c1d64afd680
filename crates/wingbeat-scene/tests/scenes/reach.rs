//! Warnings of what cannot work: starts from which no way leads out, and goals where no boid can
//! be.

use wingbeat_scene::{AnyFlock, Machine, Override, Scene};

/// A hall with a room in its east: a wall at x = 6.3 with a door between y = 4 and y = 4 + `door`.
fn hall(door: f32, more: &str) -> Scene {
    let top = 4.0 + door;
    let text = format!(
        "[flock]\nboids = 200\ndimensions = 2\n[domain]\nkind = \"reflecting\"\nmin = [0, 0]\n\
         max = [10, 10]\n\
         [obstacle.south]\nkind = \"wall\"\nfrom = [6.3, 0]\nto = [6.3, 4]\n\
         [obstacle.north]\nkind = \"wall\"\nfrom = [6.3, {top}]\nto = [6.3, 10]\n\
         [drive.way]\nkind = \"flow\"\ntoward = [[1, 1]]\ncell = 0.5\n{more}"
    );
    Scene::parse("hall.toml", &text, &[]).unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// Warnings of the scene that name the drive, the same from a check and from what is built.
fn warnings(scene: &Scene, about: &str) -> Vec<String> {
    let built = scene.build(&Machine::default()).unwrap_or_else(|refusal| panic!("{refusal}"));
    let checked = scene.check().expect("what is built is accepted");
    assert_eq!(built.warnings, checked);
    checked.into_iter().filter(|line| line.contains(about)).collect()
}

/// Ids of those that start in the room, by hand.
fn in_the_room(scene: &Scene) -> Vec<u64> {
    match scene.build(&Machine::default()).expect("a flock").flock {
        AnyFlock::Two(flock) => flock
            .frame()
            .by_id()
            .filter(|boid| boid.position[0] > 6.3)
            .map(|boid| boid.id.get())
            .collect(),
        AnyFlock::Three(_) => panic!("a plane"),
    }
}

#[test]
fn who_starts_behind_a_closed_door_is_counted() {
    let closed = hall(0.0, "");
    let room = in_the_room(&closed);
    assert!((40..120).contains(&room.len()), "{room:?}");
    let expected = format!(
        "hall.toml:16: {} boids (the first is {}) start where drive.way knows no way: every door \
         is closed, or narrower than \
         drive.way.cell = 0.5 lets through; open one, or use a smaller cell",
        room.len(),
        room[0]
    );
    assert_eq!(warnings(&closed, "drive.way"), [expected]);
    // A door is a door as soon as the cells see it.
    assert!(warnings(&hall(1.5, ""), "drive.way").is_empty());
    let narrow = warnings(&hall(0.4, ""), "drive.way");
    assert!(
        narrow.len() == 1 && narrow[0].contains(&format!("{} boids", room.len())),
        "{narrow:?}"
    );
    assert!(
        warnings(&hall(0.4, "[agent]\n[spawn]\nmax = [6, 10]\nmin = [0, 0]\n"), "drive.way")
            .is_empty(),
        "no boid in the room"
    );
}

#[test]
fn only_those_are_counted_that_the_drive_is_for() {
    let kinds = "species = \"guest\"\n[species.staff]\ncount = 100\n[species.guest]\ncount = 100\n";
    let scene = hall(0.0, kinds);
    let guests: Vec<u64> = in_the_room(&scene).into_iter().filter(|&id| id >= 100).collect();
    let lines = warnings(&scene, "drive.way");
    let expected = format!("{} boids (the first is {})", guests.len(), guests[0]);
    assert!(lines.len() == 1 && lines[0].contains(&expected), "{lines:?} {expected}");
}

#[test]
fn an_initial_state_is_looked_at_by_its_own_ids() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("start.csv"), "id,x,y\n70,8,8\n30,9,2\n5,1,1\n")
        .expect("a file");
    let scene = hall(0.0, "[initial]\nfile = \"start.csv\"\n").in_folder(folder.path());
    let lines = warnings(&scene, "drive.way");
    assert!(lines.len() == 1 && lines[0].contains("2 boids (the first is 30) start"), "{lines:?}");
    std::fs::write(folder.path().join("start.csv"), "id,x,y\n70,8,8\n30,2,2\n5,1,1\n")
        .expect("a file");
    assert!(
        warnings(&scene, "drive.way")[0]
            .contains("hall.toml:16: boid 70 starts where drive.way knows no way")
    );
}

/// Around the goal itself there may be no other free node.
#[test]
fn who_starts_at_the_goal_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("start.csv"), "id,x,y\n1,1.1,1.1\n2,3,3\n").expect("a file");
    let wall = |name: &str, from: &str, to: &str| {
        format!("[obstacle.{name}]\nkind = \"wall\"\nfrom = {from}\nto = {to}\n")
    };
    let closet = [
        wall("a", "[0.55, 0.55]", "[1.45, 0.55]"),
        wall("b", "[1.45, 0.55]", "[1.45, 1.45]"),
        wall("c", "[1.45, 1.45]", "[0.55, 1.45]"),
        wall("d", "[0.55, 1.45]", "[0.55, 0.55]"),
    ];
    let scene = hall(2.0, &format!("{}[initial]\nfile = \"start.csv\"\n", closet.concat()))
        .in_folder(folder.path());
    let lines = warnings(&scene, "drive.way");
    assert!(lines.len() == 1 && lines[0].contains("boid 2 starts"), "{lines:?}");
}

#[test]
fn the_evacuation_with_cells_wider_than_its_door_is_warned_of() {
    let of = |cell: &str| {
        let scene = Scene::load(
            "evacuation",
            &[Override::set(&format!("drive.way.cell={cell}")).expect("an override")],
        );
        warnings(&scene.expect("a scene"), "drive.way")
    };
    let lines = of("2");
    assert!(
        lines.len() == 1
            && lines[0].contains("1000 boids (the first is 0) start where drive.way knows no way"),
        "{lines:?}"
    );
    assert!(of("0.2").is_empty());
}

#[test]
fn goals_where_no_boid_can_be_are_warned_of() {
    let rock = "[obstacle.rock]\nkind = \"sphere\"\ncenter = [3, 7]\nradius = 1\n";
    let of = |drive: &str| {
        let scene = hall(2.0, &format!("{rock}[drive.off]\n{drive}\n"));
        warnings(&scene, "drive.off")
    };
    let goal = |keys: &str| of(&format!("kind = \"goal\"\ntarget = [3, 7.25]\n{keys}"));
    assert_eq!(
        goal("arrival_radius = 0.5"),
        ["hall.toml:26: drive.off.target: [3.0, 7.25] lies inside obstacle rock: no boid gets \
            there; move it into the open"]
    );
    assert!(goal("arrival_radius = 0.8").is_empty(), "one arrives at its surface, 0.75 away");
    let path = |points: &str| of(&format!("kind = \"path\"\nradius = 0.2\npoints = {points}"));
    assert_eq!(path("[[1, 1], [3, 6.5], [2, 2]]").len(), 1);
    assert!(path("[[1, 1], [3, 5], [2, 2]]").is_empty());
    // What moves may be elsewhere when they come.
    let moving =
        rock.replace("radius = 1\n", "radius = 1\nmotion = \"line\"\nvelocity = [0.1, 0]\n");
    let scene = hall(2.0, &format!("{moving}[drive.off]\nkind = \"goal\"\ntarget = [3, 7]\n"));
    assert!(warnings(&scene, "drive.off").is_empty());
}

#[test]
fn goals_off_the_floor_are_warned_of() {
    let of = |target: &str, radius: &str| {
        let text = format!(
            "[flock]\nboids = 5\ndimensions = 2\n[floor]\n\
             wkt = \"POLYGON ((0 0, 9 0, 9 4, 0 4, 0 0))\"\n[domain]\nmin = [-2, -2]\n\
             max = [12, 6]\nkind = \"reflecting\"\n[drive.out]\nkind = \"goal\"\n\
             target = {target}\narrival_radius = {radius}\n"
        );
        warnings(&Scene::parse("hall.toml", &text, &[]).expect("a scene"), "drive.out")
    };
    assert_eq!(
        of("[10, 2]", "0.5"),
        ["hall.toml:12: drive.out.target: [10.0, 2.0] lies off the floor: no boid gets there; \
            move \
            it into the open"]
    );
    assert!(of("[10, 2]", "1.5").is_empty() && of("[8, 2]", "0.5").is_empty());
}
