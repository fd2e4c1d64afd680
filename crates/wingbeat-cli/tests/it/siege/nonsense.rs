//! Nonsense: bytes that are no HTTP, frames that are none, and paths that lead out of any folder.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::time::Duration;

use super::attacks::Siege;
use super::wire::{BINARY, CLOSE, PING, TEXT, ask, connect, frame, message, viewer};
use wingbeat_test_support::Random;

/// Ways to write `../`, and one that is none.
const UP: [&str; 12] = [
    "../",
    "..%2f",
    "%2e%2e/",
    "%2e%2e%2f",
    "%252e%252e%252f",
    "..%5c",
    "..\\",
    "%c0%ae%c0%ae/",
    "%uff0e%uff0e/",
    "....//",
    "..;/",
    "./",
];

/// Methods, of which two are known here.
const METHODS: [&str; 10] =
    ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "PROPFIND", "get"];

fn bytes(random: &mut Random, most: u64) -> Vec<u8> {
    (0..random.below(most)).map(|_| random.below(256) as u8).collect()
}

fn pick<'a>(random: &mut Random, among: &[&'a str]) -> &'a str {
    among[random.below(among.len() as u64) as usize]
}

/// Paths that a server of files would follow.
pub fn path(siege: &Siege, random: &mut Random) -> String {
    let forbidden = siege.forbidden.to_string_lossy().into_owned();
    let file = match random.below(5) {
        0 => "etc/passwd".into(),
        1 => "secret.txt".into(),
        2 => "proc/self/environ".into(),
        _ => forbidden.trim_start_matches('/').to_string(),
    };
    let file = if random.below(3) == 0 { file.replace('/', "%2f") } else { file };
    let up = pick(random, &UP).repeat(random.below(9) as usize);
    let before = pick(
        random,
        &[
            "/",
            "//",
            "/scene.toml/",
            "/live/",
            "/static/",
            "/.",
            "file:///",
            "http://127.0.0.1/",
            "\\",
            "/%00/",
            "/?file=",
            "",
        ],
    );
    let after = pick(random, &["", "", "", "%00", "%00.html", "/", "?", "#", ";"]);
    format!("{before}{up}{file}{after}")
}

/// A request for something that is not there.
fn request(siege: &Siege, random: &mut Random) -> Vec<u8> {
    let (method, path, local) = (pick(random, &METHODS), path(siege, random), siege.local);
    let more = match random.below(6) {
        0 => "Content-Length: 18446744073709551615\r\n".into(),
        1 => "Transfer-Encoding: chunked\r\n".into(),
        2 => format!("Range: bytes={}-\r\n", random.below(9)),
        3 => format!("X: {}\r\n", "x".repeat(random.below(60_000) as usize)),
        4 => "A: b\r\n".repeat(random.below(300) as usize),
        _ => String::new(),
    };
    let mut request =
        format!("{method} {path} HTTP/1.1\r\nHost: {local}\r\nConnection: close\r\n{more}\r\n")
            .into_bytes();
    if random.below(4) == 0 {
        request.extend(bytes(random, 5000));
    }
    request
}

/// Whether an answer tells nothing but what the view serves: its page, its scene, or a refusal.
fn is_harmless(siege: &Siege, status: u16, body: &[u8]) -> bool {
    match status {
        // HEAD has no body, and who says more than was asked for may be cut off in the middle of
        // the answer.
        200 => siege.page.starts_with(body) || body.starts_with(b"# 20,000 fish"),
        400..600 => body.len() < 200,
        _ => false,
    }
}

/// Asks for files in every way there is, and notes what comes that should not.
pub fn requests(siege: &Siege, random: &mut Random) {
    while siege.goes_on() {
        let request = request(siege, random);
        siege.count();
        let Some((status, body)) = ask(siege.local, &request) else { continue };
        if !is_harmless(siege, status, &body) {
            let [asked, told] = [&request, &body]
                .map(|bytes| String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned());
            siege
                .wrong
                .lock()
                .expect("attacks that have not panicked")
                .push(format!("{asked:?}: {status} {told:?}"));
        }
    }
}

/// Frames that RFC 6455 does not allow, or allows and no client should send.
fn frames(random: &mut Random) -> Vec<u8> {
    let content = bytes(random, 200);
    let few = &content[..content.len().min(100)];
    match random.below(16) {
        0 => content,
        // Without a mask.
        1 => frame(0x80 | TEXT, 0, few.len() as u64, few),
        // Bits and codes that are reserved.
        2 => frame(0x80 | 0x40 | TEXT, 0x80, few.len() as u64, few),
        3 => frame(0x80 | (3 + random.below(5) as u8), 0x80, few.len() as u64, few),
        4 => frame(0x80 | (11 + random.below(5) as u8), 0x80, few.len() as u64, few),
        // Lengths without the bytes.
        5 => frame(0x80 | TEXT, 0x80, u64::MAX >> random.below(40), few),
        6 => frame(0x80 | BINARY, 0x80, 1 << 62, few),
        // Control frames that are long, or in parts.
        7 => frame(0x80 | PING, 0x80, 60_000, &[7; 60_000]),
        8 => frame(PING, 0x80, few.len() as u64, few),
        9 => frame(0x80 | CLOSE, 0x80, few.len() as u64, few),
        // Continuations of nothing, beginnings without an end, one in another.
        10 => frame(0x80, 0x80, few.len() as u64, few),
        11 => frame(TEXT, 0x80, 1, b"a").repeat(2),
        12 => [frame(TEXT, 0x80, 1, b"a"), frame(0, 0x80, 1, b"b").repeat(70_000)].concat(),
        // No UTF-8, no JSON, too much.
        13 => message(TEXT, &[&[0xff, 0xc0, 0x80][..], few].concat()),
        14 => message(TEXT, &[b'['; 70_000]),
        _ => message(BINARY, few),
    }
}

/// WebSockets on which nonsense is said, and connections with bytes that are no HTTP.
pub fn sockets(siege: &Siege, random: &mut Random) {
    while siege.goes_on() {
        siege.count();
        let is_noise = random.below(4) == 0;
        let Ok(mut stream) = (if is_noise { connect(siege.local) } else { viewer(siege.local) })
        else {
            continue;
        };
        for _ in 0..=random.below(3) {
            let said = if is_noise { bytes(random, 20_000) } else { frames(random) };
            if stream.write_all(&said).is_err() {
                break;
            }
        }
        let _ = stream.set_read_timeout(Some(Duration::from_millis(1 + random.below(30))));
        // A frame, a farewell, or nothing: who says such things does not listen for long.
        let _ = stream.read(&mut [0; 4096]);
        let _ = stream.shutdown(Shutdown::Both);
    }
}
