//! `wingbeat view`: it says where it is, ends when told, and refuses in one line what it cannot do.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::common::{Lab, address_of, text};

/// A view that is killed with its test.
struct Running {
    child: Child,
    host: String,
}

impl Running {
    fn start(lab: &Lab, args: &[&str]) -> Self {
        Self::start_with(lab, args, "")
    }

    /// With what `--open` is to call.
    fn start_with(lab: &Lab, args: &[&str], browser: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wingbeat"))
            .args(["view"])
            .args(args)
            .args(["--port", "0"])
            .env("BROWSER", browser)
            .current_dir(lab.folder())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        Self { host: address_of(&mut child), child }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.host)
            .expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        body.to_string()
    }

    /// Ctrl-C: the exit code, and what was said.
    #[cfg(unix)]
    fn interrupt(mut self) -> (Option<i32>, String) {
        let killed = Command::new("kill")
            .args(["-INT", &self.child.id().to_string()])
            .status()
            .expect("kill runs");
        assert!(killed.success());
        let status = self.child.wait().expect("an end");
        let mut said = String::new();
        self.child.stderr.take().expect("its errors").read_to_string(&mut said).expect("text");
        (status.code(), said)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended already where all went well.
        let _ = self.child.kill();
    }
}

#[cfg(unix)]
#[test]
fn it_serves_until_ctrl_c() {
    let lab = Lab::new();
    let view = Running::start(&lab, &["shoal", "--boids=300", "--set=cohesion.weight=0.625"]);
    assert!(view.host.starts_with("127.0.0.1:"), "{}", view.host);
    let page = view.get("/");
    assert!(page.contains("<title>shoal</title>") && page.contains("const packedPlayer"));
    let saved = view.get("/scene.toml");
    let path = lab.write("tuned.toml", &saved);
    assert_eq!(view.interrupt(), (Some(0), String::new()));
    assert!(lab.wingbeat(&["check", &path]).status.success());
    let hash = |args: &[&str]| lab.json(&[args, &["--steps=20"]].concat())["state_hash"].clone();
    assert_eq!(hash(&[&path]), hash(&["shoal", "--boids=300", "--set=cohesion.weight=0.625"]));
}

#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn it_opens_its_address() {
    let lab = Lab::new();
    let view = Running::start_with(&lab, &["shoal", "--boids=50", "--open"], &lab.browser());
    assert_eq!(lab.opened(), [format!("http://{}/", view.host)]);
    assert_eq!(view.interrupt(), (Some(0), String::new()));
}

/// Files are named relative to the scene; saved elsewhere, the scene still finds them.
#[test]
fn a_saved_scene_finds_its_initial_state() {
    let lab = Lab::new();
    lab.write("start.csv", "id,x,y,vx,vy\n3,1,2,0,1\n8,1.5,2,0,0\n");
    lab.write(
        "pair.toml",
        "[flock]\ndimensions = 2\n[initial]\nfile = \"start.csv\" # two of them\n[cohesion]\n",
    );
    let view = Running::start(&lab, &["pair.toml", "--paused"]);
    let saved = view.get("/scene.toml");
    drop(view);
    assert!(saved.contains("# two of them"), "{saved}");
    let elsewhere = Lab::new();
    let path = elsewhere.write("tuned.toml", &saved);
    let (one, other) =
        (lab.json(&["pair.toml", "--steps=5"]), elsewhere.json(&[&path, "--steps=5"]));
    assert_eq!((&one["state_hash"], &one["boids"]), (&other["state_hash"], &2.into()));
}

#[test]
fn what_it_cannot_do_is_refused() {
    let lab = Lab::new();
    let refused = |args: &[&str], expected: &[&str]| {
        let output = lab.wingbeat(&[&["view"], args].concat());
        let stderr = text(&output.stderr);
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(2), String::new()),
            "{args:?}: {stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
        expected.iter().for_each(|part| {
            assert!(stderr.contains(part), "{args:?}: \"{part}\" is missing from: {stderr}")
        });
    };
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let of_shoal = |args: &[&str], expected: &[&str]| {
        refused(&[&["shoal", "--boids=300"], args].concat(), expected)
    };
    of_shoal(&["--port", &port], &[&port, "taken"]);
    of_shoal(&["--port", "65536"], &["--port", "65536", "0 to 65535"]);
    of_shoal(&["--port", "-1"], &["--port", "-1", "0 to 65535"]);
    of_shoal(&["--address", "somewhere"], &["--address", "somewhere", "127.0.0.1"]);
    of_shoal(&["--address", "192.0.2.1", "--port", "0"], &["192.0.2.1", "no such address"]);
    of_shoal(&["--speed", "0", "--port", "0"], &["speed", "0.001 to 1000000"]);
    of_shoal(&["--speed", "x", "--port", "0"], &["--speed", "x", "0.001 to 1000000"]);
    of_shoal(
        &["--set", "cohesion.wieght=1", "--port", "0"],
        &["cohesion.wieght", "cohesion.weight"],
    );
    of_shoal(&["--steps", "5"], &["--steps"]);
    lab.write("large.csv", "id,x,y,vx,vy\n4294967296,0,0,1,0\n");
    let scene =
        lab.write("large.toml", "[flock]\ndimensions = 2\n[initial]\nfile = \"large.csv\"\n");
    refused(&[&scene, "--port", "0"], &["large.toml", "4294967296", "0 to 4294967295"]);
}
