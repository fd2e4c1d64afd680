//! What a server on a network meets: crowds, those that are slow, and floods. Nonsense is in
//! nonsense.rs.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::besieged::Besieged;
use super::wire::{NEXT, TEXT, connect, handshake, message, viewer};
use wingbeat_test_support::Random;

/// What all attacks know.
pub struct Siege<'a> {
    pub local: SocketAddr,
    /// When they end.
    until: Instant,
    /// A file that the server could read, and no client may.
    pub forbidden: PathBuf,
    /// What it serves.
    pub page: &'a [u8],
    /// What was done: connections made, messages sent.
    pub done: AtomicU64,
    /// Answers that should not have come.
    pub wrong: Mutex<Vec<String>>,
}

impl<'a> Siege<'a> {
    pub fn new(server: &Besieged, page: &'a [u8], until: Instant) -> Self {
        let (done, wrong) = (AtomicU64::new(0), Mutex::default());
        Self { local: server.local, until, forbidden: server.secret(), page, done, wrong }
    }

    pub fn goes_on(&self) -> bool {
        Instant::now() < self.until
    }

    pub fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Calls `attack` on so many threads, each with random numbers of its own, and waits for all.
    pub fn on_threads(
        &self,
        threads: u64,
        random: &mut Random,
        attack: impl Fn(u64, &mut Random) + Sync,
    ) {
        std::thread::scope(|scope| {
            for k in 0..threads {
                let (mut own, attack) = (Random::new(random.bits()), &attack);
                scope.spawn(move || attack(k, &mut own));
            }
        });
    }
}

/// Whether the other end has closed a connection and nothing is left to be read of it. From here on
/// it does not block.
fn is_closed(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).is_err()
        || match stream.peek(&mut [0]) {
            Ok(bytes) => bytes == 0,
            Err(error) => error.kind() != ErrorKind::WouldBlock,
        }
}

/// So many connections at once: silent ones, half requests, pages that are not read, viewers that
/// never answer. Who is shown out comes again.
pub fn crowd(siege: &Siege, random: &mut Random, connections: u64) {
    let threads = 4;
    let arrive = |kind: u64| -> Option<TcpStream> {
        siege.count();
        let mut stream = connect(siege.local).ok()?;
        let said = match kind {
            0 => String::new(),
            1 => "GET / HTTP/1.1\r\nHost:".into(),
            2 => format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", siege.local),
            _ => handshake(siege.local),
        };
        stream.write_all(said.as_bytes()).ok().map(|()| stream)
    };
    siege.on_threads(threads, random, |_, random| {
        let mut there: Vec<Option<TcpStream>> =
            (0..connections / threads).map(|_| arrive(random.below(6))).collect();
        loop {
            // All of them stay for a moment, however long it took them to arrive.
            std::thread::sleep(Duration::from_millis(250));
            if !siege.goes_on() {
                break;
            }
            for place in &mut there {
                if place.as_ref().is_none_or(is_closed) {
                    *place = arrive(random.below(6));
                }
            }
        }
    });
}

/// A connection that does everything by one byte a second.
enum Slow {
    Reads(TcpStream),
    Writes(TcpStream, Vec<u8>, usize),
    /// Asks for frames as fast as a screen shows them, and reads none.
    Asks(TcpStream),
}

/// Turns of slow connections in a second.
const TURNS: u64 = 50;

impl Slow {
    fn arrive(local: SocketAddr, kind: u64) -> Option<Self> {
        let request =
            format!("GET / HTTP/1.1\r\nHost: {local}\r\nAccept: {}\r\n\r\n", "*".repeat(2000));
        let slow = match kind {
            0 => {
                let mut stream = connect(local).ok()?;
                stream.write_all(request.as_bytes()).ok()?;
                Self::Reads(stream)
            }
            1 => Self::Reads(viewer(local).ok()?),
            2 => Self::Writes(connect(local).ok()?, request.into_bytes(), 0),
            3 => Self::Writes(connect(local).ok()?, handshake(local).into_bytes(), 0),
            4 => Self::Writes(viewer(local).ok()?, message(TEXT, &[b' '; 60_000]), 0),
            _ => Self::Asks(viewer(local).ok()?),
        };
        let (Self::Reads(stream) | Self::Writes(stream, ..) | Self::Asks(stream)) = &slow;
        stream.set_nonblocking(true).ok().map(|()| slow)
    }

    /// Takes its turn, the `turn`-th; tells whether there will be another.
    fn go_on(&mut self, turn: u64) -> bool {
        let is_its_second = turn.is_multiple_of(TURNS);
        match self {
            Self::Asks(stream) => stream.write_all(&message(TEXT, NEXT)).is_ok(),
            Self::Reads(stream) if is_its_second => match stream.read(&mut [0]) {
                Ok(bytes) => bytes > 0,
                Err(error) => error.kind() == ErrorKind::WouldBlock,
            },
            Self::Writes(stream, content, at) if is_its_second => {
                let sent = content.get(*at).is_some_and(|&byte| stream.write_all(&[byte]).is_ok());
                *at += 1;
                sent
            }
            _ => true,
        }
    }
}

/// Slow readers and writers, as many as there is room for and some more. Who is shown out comes
/// again.
pub fn slow(siege: &Siege, _: &mut Random) {
    let mut there: Vec<Option<Slow>> = (0..150).map(|_| None).collect();
    let mut turn = 0;
    while siege.goes_on() {
        let begun = Instant::now();
        for (k, place) in there.iter_mut().enumerate() {
            if place.as_mut().is_none_or(|slow| !slow.go_on(turn)) && siege.goes_on() {
                siege.count();
                *place = Slow::arrive(siege.local, k as u64 % 6);
            }
        }
        turn += 1;
        std::thread::sleep((Duration::from_secs(1) / TURNS as u32).saturating_sub(begun.elapsed()));
    }
}

/// Connections made and closed as fast as they are let in. Those without a waiting client come in
/// bursts of less than the system's queue holds: where that is full, the system itself holds back
/// all clients for a second.
pub fn connections(siege: &Siege, random: &mut Random) {
    let get = |path: &str| {
        format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", siege.local)
    };
    siege.on_threads(5, random, |thread, random| {
        while siege.goes_on() {
            siege.count();
            let Ok(mut stream) = connect(siege.local) else { continue };
            if thread == 0 {
                drop(stream);
                if random.below(50) == 0 {
                    std::thread::sleep(Duration::from_millis(5));
                }
                continue;
            }
            let said = match random.below(4) {
                0 => handshake(siege.local),
                1 => get("/"),
                2 => get("/nowhere"),
                _ => "?\r\n\r\n".into(),
            };
            // It may be over before it is said, or shown out for others.
            let _ = stream.write_all(said.as_bytes()).and_then(|()| stream.read(&mut [0]));
        }
    });
}

/// Requests as fast as the view takes them, by viewers half of which read the answers.
pub fn messages(siege: &Siege, random: &mut Random) {
    siege.on_threads(6, random, |thread, random| {
        while siege.goes_on() {
            let Ok(mut stream) = viewer(siege.local) else { continue };
            let mut reader = stream.try_clone().expect("a socket");
            let reading = (thread % 2 == 0).then(|| {
                std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()))
            });
            // A client that the view does not listen to any more comes again.
            let _ = stream.set_write_timeout(Some(Duration::from_secs(2)));
            for id in 1_u64.. {
                if !siege.goes_on()
                    || stream
                        .write_all(&message(TEXT, request(siege, id, random).as_bytes()))
                        .is_err()
                {
                    break;
                }
                siege.count();
            }
            let _ = stream.shutdown(Shutdown::Both);
            let _ = reading.map(std::thread::JoinHandle::join);
        }
    });
}

/// A request that leaves the pace as it is.
fn request(siege: &Siege, id: u64, random: &mut Random) -> String {
    let forbidden = siege.forbidden.display();
    match random.below(40) {
        0..20 => "{\"do\":\"next\"}".into(),
        20..28 => format!("{{\"do\":\"explain\",\"id\":{id},\"boid\":{}}}", random.below(2500)),
        28..32 => format!(
            "{{\"do\":\"set\",\"id\":{id},\"key\":\"cohesion.weight\",\"value\":\"0.{}\"}}",
            1 + random.below(99)
        ),
        32..34 => format!(
            "{{\"do\":\"set\",\"id\":{id},\"key\":\"flock.boids\",\"value\":\"{}\"}}",
            1500 + random.below(1000)
        ),
        34 => format!(
            "{{\"do\":\"set\",\"id\":{id},\"key\":\"initial.file\",\"value\":\"'{forbidden}'\"}}"
        ),
        35 => format!(
            "{{\"do\":\"set\",\"id\":{id},\"key\":\"{}\",\"value\":\"[[[[\"}}",
            "a".repeat(100 + random.below(100) as usize)
        ),
        36 => format!("{{\"do\":\"remove\",\"id\":{id},\"rule\":\"separation\"}}"),
        37 => format!(
            "{{\"do\":\"set\",\"id\":{id},\"key\":\"separation.weight\",\"value\":\"1.5\"}}"
        ),
        38 if id.is_multiple_of(50) => format!("{{\"do\":\"reset\",\"id\":{id}}}"),
        _ => format!("{{\"do\":\"play\",\"id\":{id}}}"),
    }
}
