//! Whatever viewers do, the flock flies on; and only pages of the view may connect.

use std::time::Duration;

use crate::viewer::{Viewer, get, scene_of, set, shoal, until};
use serde_json::json;
use tungstenite::Message;
use wingbeat_view::{Options, View, ViewError};

#[test]
fn two_viewers_share_one_flock() {
    let view = shoal(Options { paused: true, ..Options::default() });
    let (mut one, mut other) = (Viewer::of(&view), Viewer::of(&view));
    assert_eq!(one.bytes(), other.bytes());
    one.grant(json!({ "do": "step" }));
    let frame = one.bytes();
    assert_eq!(frame, other.bytes());
    one.grant(json!({ "do": "set", "key": "cohesion.weight", "value": "3.5" }));
    other.state_with("what the other has set", |state| !state.is_null());
    while other.value("cohesion.weight") != 3.5 {
        let before = other.state.clone();
        other.state_with("what the other has set", |state| *state != before);
    }
    assert_eq!(view.viewers(), 2);
}

/// One viewer asks for frames and reads none, another goes without a word: the flock keeps its
/// pace, the third gets its frames.
#[test]
fn no_viewer_holds_up_the_flock() {
    let options = Options { port: 0, speed: Some(2.0), ..Options::default() };
    let view = View::start("shoal", &[set("flock.boids=20000")], &options).expect("a view");
    let mut deaf = Viewer::of(&view);
    // 400 kB a frame: far more than any buffer on the way holds.
    for _ in 0..400 {
        deaf.say("{\"do\":\"next\"}");
    }
    let mut gone = Viewer::of(&view);
    gone.frame();
    drop(gone);
    let mut third = Viewer::of(&view);
    until("the deaf one is stuck", || view.steps() >= 60);
    let from = view.steps();
    let shown = third.frame_with("frames for who reads", |frame| frame.step >= from + 40).step;
    assert!(shown <= view.steps());
    until("only two are left", || view.viewers() == 2);
    drop(deaf);
    until("and then one", || view.viewers() == 1);
    let from = view.steps();
    until("it flies on", || view.steps() >= from + 10);
}

/// Bytes of memory that this process has now.
#[cfg(target_os = "linux")]
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the system's file");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("the line");
    1024 * line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number")
}

#[test]
fn who_connects_and_says_nothing_locks_no_viewer_out() {
    let view = shoal(Options::default());
    let silent: Vec<_> = (0..200)
        .map(|_| std::net::TcpStream::connect(view.local()).expect("a connection"))
        .collect();
    // Half of a request is no more than none.
    for mut half in &silent[..100] {
        // The first of them have been shown out.
        let _ = std::io::Write::write_all(&mut half, b"GET / HTTP/1.1\r\nHost:");
    }
    let mut viewer = Viewer::of(&view);
    viewer.frame();
    assert_eq!(get(&view, "/", &view.local().to_string()).0, 200);
    viewer.frame();
    assert_eq!(view.viewers(), 1);
}

/// Viewers that never read: so many are let in and no more, they take little, and they do not stay.
#[test]
#[cfg(target_os = "linux")]
fn viewers_that_never_read_are_few_and_do_not_stay() {
    let options = Options { port: 0, ..Options::default() };
    let view = View::start("shoal", &[set("flock.boids=50000")], &options).expect("a view");
    let before = resident();
    let mute: Vec<Viewer> = (0..200).map(|_| Viewer::of(&view)).collect();
    until("the last is told", || view.viewers() == 64);
    // A frame has 1 MB. What the other end has not read is the system's.
    assert!(resident() < before + (160 << 20), "{} MiB", (resident() - before) >> 20);
    assert_eq!(Viewer::of(&view).farewell(), Some(1013));
    until("they are shown out", || view.viewers() == 0);
    Viewer::of(&view).frame();
    drop(mute);
}

#[test]
fn only_its_own_page_may_connect() {
    let view = shoal(Options::default());
    let port = view.local().port();
    let (ours, local) = (format!("127.0.0.1:{port}"), format!("localhost:{port}"));
    for host in [&ours, &local] {
        assert!(Viewer::try_of(&view, host, Some(&format!("http://{host}"))).is_ok(), "{host}");
        assert_eq!(get(&view, "/", host).0, 200, "{host}");
    }
    let refused = |host: &str, origin: Option<&str>| {
        assert_eq!(Viewer::try_of(&view, host, origin).err(), Some(403), "{host} {origin:?}");
    };
    refused(&ours, None);
    refused(&ours, Some("null"));
    refused(&ours, Some("http://evil.example"));
    refused(&ours, Some(&format!("https://{ours}")));
    refused(&ours, Some(&format!("http://127.0.0.1:{}", port ^ 1)));
    refused(&ours, Some(&format!("http://{ours}.evil.example")));
    // A name that was pointed here: page and socket agree, but it is not ours.
    let rebound = format!("evil.example:{port}");
    refused(&rebound, Some(&format!("http://{rebound}")));
    for path in ["/", "/scene.toml", "/live"] {
        assert_eq!(get(&view, path, &rebound).0, 403, "{path}");
    }
    // Of two, one that is right does not let the other in.
    for [first, second] in [[&ours, &rebound], [&rebound, &ours], [&ours, &ours]] {
        assert_eq!(
            get(&view, "/", &format!("{first}\r\nHost: {second}")).0,
            400,
            "{first} {second}"
        );
        let socket = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
            Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
        let origins =
            format!("{ours}\r\n{socket}\r\nOrigin: http://{first}\r\nOrigin: http://{second}");
        assert_eq!(get(&view, "/live", &origins).0, 403, "{first} {second}");
    }
    let (status, head, _) = get(&view, "/", &ours);
    assert!(
        status == 200
            && head.contains("default-src 'none'")
            && head.contains("frame-ancestors 'none'"),
        "{head}"
    );
    assert_eq!(get(&view, "/elsewhere", &ours).0, 404);
    assert!(get(&view, "/live", &ours).0 >= 400);
}

/// A viewer learns nothing of the machine's files, not even which there are.
#[test]
fn no_viewer_reads_a_file_through_the_view() {
    let view = shoal(Options::default());
    let mut viewer = Viewer::of(&view);
    let scene = scene_of(&view);
    let here = std::env::current_exe().expect("this program").to_string_lossy().into_owned();
    let mut answers = |path: &str| {
        let flow = format!("{{kind='flow',file='{path}',min=[-1,-1],max=[1,1]}}");
        let [initial, file] = [format!("{{file='{path}'}}"), format!("'{path}'")];
        [
            ("initial", &initial),
            ("initial.file", &file),
            ("drive.x", &flow),
            ("obstacle.x", &flow),
            ("drive.x.file", &file),
        ]
        .map(|(key, value)| {
            let answer = viewer.ask(json!({ "do": "set", "key": key, "value": value }));
            let error = answer["error"]
                .as_str()
                .unwrap_or_else(|| panic!("{key} was taken: {answer}"))
                .to_string();
            assert!(error.contains(key) && !error.contains(path), "{error}");
            error
        })
    };
    assert_eq!(answers(&here), answers("/not/there"));
    assert_eq!(scene_of(&view), scene);
}

/// Up to the largest message that is read: it is answered, or its sender shown out, and the flock
/// flies on.
#[test]
fn deep_nesting_is_refused() {
    let view = shoal(Options::default());
    let mut viewer = Viewer::of(&view);
    viewer.frame();
    // As many times as fit, as JSON has them.
    let times = |part: &str| 60_000 / (json!(part).to_string().len() - 2);
    let deep = |open: &str, close: &str| {
        let times = times(&format!("{open}{close}"));
        open.repeat(times) + "1" + &close.repeat(times)
    };
    let values = [
        ("[", "]"),
        ("{a=", "}"),
        ("[{a=", "}]"),
        ("[", ""),
        ("{a=", ""),
        ("['}',", ""),
        ("[#\n", ""),
    ];
    let values = values.map(|(open, close)| ("cohesion.weight".to_string(), deep(open, close)));
    let keys = ["a.", "drive.", "\"a\".", "."]
        .map(|part| (part.repeat(times(part)) + "a", "1".to_string()));
    for (key, value) in values.into_iter().chain(keys) {
        let answer = viewer.ask(json!({ "do": "set", "key": key, "value": value }));
        let error = answer["error"].as_str().unwrap_or_else(|| panic!("taken: {answer}"));
        assert!(error.contains("allowed is") && error.len() < 200, "{error}");
    }
    for (open, close) in
        [("[", "]"), ("{\"do\":", "}"), ("[{\"do\":", "}]"), ("[", ""), ("{\"do\":", "")]
    {
        for message in
            [deep(open, close), format!("{{\"do\":\"set\",\"id\":{}}}", deep(open, close))]
        {
            let mut other = Viewer::of(&view);
            other.say(&message);
            assert_eq!(other.farewell(), Some(1003), "{}", &message[..40]);
        }
    }
    let from = view.steps();
    viewer.frame_with("it flies on", |frame| frame.step > from + 5);
    assert!(view.is_alive());
}

#[test]
fn who_misbehaves_is_shown_out_alone() {
    let view = shoal(Options::default());
    let mut good = Viewer::of(&view);
    good.frame();
    let after = |message: Message| {
        let mut viewer = Viewer::of(&view);
        // Too large a message may be cut off before it is through.
        let _ = viewer.socket.send(message);
        viewer.farewell()
    };
    for text in [
        "",
        "{",
        "[]",
        "{\"do\":\"dance\"}",
        "{\"do\":\"set\",\"id\":1}",
        "{\"do\":\"next\",\"more\":1}",
        "null",
    ] {
        assert_eq!(after(Message::text(text)), Some(1003), "{text}");
    }
    assert_eq!(after(Message::binary(vec![0; 10])), Some(1003));
    let large = after(Message::text(format!("{{\"do\":\"next\"}}{}", " ".repeat(1 << 20))));
    assert!(large.is_none() || large == Some(1009), "{large:?}");
    let from = view.steps();
    good.frame_with("the good one goes on", |frame| frame.step > from + 5);
    until("only that one is left", || view.viewers() == 1);
}

#[test]
fn it_says_goodbye() {
    let view = shoal(Options::default());
    let mut viewer = Viewer::of(&view);
    viewer.frame();
    let local = view.local();
    view.stop();
    assert_eq!(viewer.farewell(), Some(1001));
    // The port is free again, and nothing answers.
    assert!(std::net::TcpStream::connect_timeout(&local, Duration::from_secs(1)).is_err());
}

#[test]
fn what_cannot_be_had_is_refused() {
    let view = shoal(Options::default());
    let start = |options: Options| {
        View::start("shoal", &[set("flock.boids=300")], &options).err().expect("a refusal")
    };
    let taken = start(Options { port: view.local().port(), ..Options::default() });
    assert!(taken.is_bad_input() && matches!(taken, ViewError::Listen { .. }));
    assert!(
        taken.to_string().contains(&view.local().to_string())
            && taken.to_string().contains("taken"),
        "{taken}"
    );
    let nowhere = start(Options { address: [192, 0, 2, 1].into(), port: 0, ..Options::default() });
    assert!(nowhere.is_bad_input() && nowhere.to_string().contains("no such address"), "{nowhere}");
    let slow = start(Options { speed: Some(f64::NAN), port: 0, ..Options::default() });
    assert!(slow.is_bad_input() && slow.to_string().contains("0.001 to 1000000"), "{slow}");
    let scene = View::start("shaol", &[], &Options::default()).err().expect("a refusal");
    assert!(scene.is_bad_input() && scene.to_string().contains("shoal"), "{scene}");
}
