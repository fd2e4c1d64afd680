//! A viewer that is no browser: a WebSocket, and what comes out of it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Message, WebSocket};
use wingbeat_scene::Override;
use wingbeat_view::{Options, View};

/// Longest a test waits for anything: a hung view fails, it does not hang.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub const HEAD: usize = 52;

pub fn set(assignment: &str) -> Override {
    Override::set(assignment).expect("an assignment")
}

/// A small shoal on a free port.
pub fn shoal(options: Options) -> View {
    View::start("shoal", &[set("flock.boids=300")], &Options { port: 0, ..options })
        .expect("a view")
}

/// Waits for something to become so.
pub fn until(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < PATIENCE, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What a frame says.
pub struct Frame {
    pub dimensions: usize,
    pub run: u32,
    pub step: u64,
    pub time: f64,
    pub rate: f32,
    pub mean_speed: f32,
    pub ids: Vec<u32>,
    pub positions: Vec<u32>,
    pub velocities: Vec<u32>,
}

impl Frame {
    pub fn read(bytes: &[u8]) -> Self {
        assert_eq!(&bytes[..4], b"WBV2");
        let words: Vec<u32> = bytes
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect();
        let double = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let (dimensions, n) = (words[1] as usize, words[2] as usize);
        let exits = words[12] as usize;
        let first = HEAD / 4 + exits;
        let columns = first + n * (1 + 2 * dimensions);
        // Of flocks with species a byte a boid follows.
        assert!(
            [4 * columns, 4 * columns + n].contains(&bytes.len()),
            "{} bytes of {n} boids",
            bytes.len()
        );
        Self {
            dimensions,
            run: words[3],
            step: double(16) as u64,
            time: double(24),
            rate: f32::from_bits(words[8]),
            mean_speed: f32::from_bits(words[11]),
            ids: words[first..first + n].to_vec(),
            positions: words[first + n..first + n * (1 + dimensions)].to_vec(),
            velocities: words[first + n * (1 + dimensions)..columns].to_vec(),
        }
    }
}

pub struct Viewer {
    pub socket: WebSocket<TcpStream>,
    /// The latest state.
    pub state: serde_json::Value,
    last: u32,
    frames: Vec<Vec<u8>>,
}

impl Viewer {
    pub fn of(view: &View) -> Self {
        let local = view.local();
        Self::try_of(view, &local.to_string(), Some(&format!("http://{local}")))
            .expect("a handshake")
    }

    pub fn try_of(view: &View, host: &str, origin: Option<&str>) -> Result<Self, u16> {
        let mut request =
            format!("ws://{}/live", view.local()).into_client_request().expect("a request");
        request.headers_mut().insert("host", HeaderValue::from_str(host).expect("a header"));
        if let Some(origin) = origin {
            request
                .headers_mut()
                .insert("origin", HeaderValue::from_str(origin).expect("a header"));
        }
        let stream = TcpStream::connect(view.local()).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => {
                Ok(Self { socket, state: serde_json::Value::Null, last: 0, frames: Vec::new() })
            }
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("no handshake: {error}"),
        }
    }

    pub fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).expect("a message");
    }

    /// The next thing that comes: states and frames are kept, an answer is returned, and so is the
    /// code of a farewell.
    fn read(&mut self) -> Result<Option<serde_json::Value>, Option<u16>> {
        match self.socket.read() {
            Ok(Message::Binary(bytes)) => self.frames.push(bytes.to_vec()),
            Ok(Message::Text(text)) => {
                let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
                if value["type"] == "answer" {
                    return Ok(Some(value));
                }
                assert_eq!(value["type"], "state");
                self.state = value;
            }
            Ok(Message::Close(frame)) => return Err(frame.map(|frame| CloseCode::into(frame.code))),
            Ok(_) => {}
            Err(tungstenite::Error::Io(error))
                if error.kind() == std::io::ErrorKind::WouldBlock =>
            {
                panic!("nothing comes")
            }
            Err(_) => return Err(None),
        }
        Ok(None)
    }

    /// Asks for something; its number.
    pub fn request(&mut self, mut request: serde_json::Value) -> u32 {
        self.last += 1;
        request["id"] = self.last.into();
        self.say(&request.to_string());
        self.last
    }

    /// Waits for the next answer, which must be to the request of this number.
    pub fn answer(&mut self, id: u32) -> serde_json::Value {
        loop {
            if let Some(answer) = self.read().expect("an open view") {
                assert_eq!(answer["id"], id);
                return answer;
            }
        }
    }

    /// Asks for something and waits for the answer.
    pub fn ask(&mut self, request: serde_json::Value) -> serde_json::Value {
        let id = self.request(request);
        self.answer(id)
    }

    /// The same, which must be granted.
    pub fn grant(&mut self, request: serde_json::Value) -> serde_json::Value {
        let answer = self.ask(request.clone());
        assert!(answer["error"].is_null(), "{request}: {answer}");
        answer
    }

    /// The next frame's bytes; the first is sent without being asked for.
    pub fn bytes(&mut self) -> Vec<u8> {
        while self.frames.is_empty() {
            assert!(self.read().expect("an open view").is_none(), "an answer without a request");
        }
        let bytes = self.frames.remove(0);
        self.say("{\"do\":\"next\"}");
        bytes
    }

    pub fn frame(&mut self) -> Frame {
        Frame::read(&self.bytes())
    }

    /// Frames until one is as it should be.
    pub fn frame_with(&mut self, what: &str, so: impl Fn(&Frame) -> bool) -> Frame {
        let start = Instant::now();
        loop {
            let frame = self.frame();
            if so(&frame) {
                return frame;
            }
            assert!(start.elapsed() < PATIENCE, "in vain: {what}");
        }
    }

    /// Reads until a state is as it should be.
    pub fn state_with(&mut self, what: &str, so: impl Fn(&serde_json::Value) -> bool) {
        while !so(&self.state) {
            assert!(self.read().unwrap_or_else(|_| panic!("closed before {what}")).is_none());
        }
    }

    /// Reads to the end: the code of the farewell.
    pub fn farewell(mut self) -> Option<u16> {
        loop {
            if let Err(code) = self.read() {
                return code;
            }
        }
    }

    /// The value of a key, as the latest state has it.
    pub fn value(&self, key: &str) -> serde_json::Value {
        let controls = self.state["controls"].as_array().expect("controls");
        controls
            .iter()
            .find(|control| control["key"] == key)
            .map_or(serde_json::Value::Null, |control| control["value"].clone())
    }
}

/// An answer over HTTP: status, head, body.
pub fn get(view: &View, path: &str, host: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(view.local()).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        .expect("a request");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, head.to_lowercase(), body.to_string())
}

pub fn scene_of(view: &View) -> String {
    let (status, _, body) = get(view, "/scene.toml", &view.local().to_string());
    assert_eq!(status, 200);
    body
}
