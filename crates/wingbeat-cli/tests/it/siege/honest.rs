//! A viewer that behaves: it asks for a frame, reads it, and asks for the next. What it gets is the
//! measure of the server.

use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::wire::{BINARY, CLOSE, NEXT, PING, PONG, TEXT, message, read_message, viewer};
use std::io::Write;

/// What a viewer got since it was last asked.
#[derive(Clone, Copy, Debug)]
pub struct Got {
    since: Instant,
    last: Instant,
    pub frames: u64,
    /// Steps made between the first frame and the last.
    steps: f64,
    /// These by the seconds they took.
    pub rate: f64,
    /// Longest time without a frame.
    pub longest_wait: Duration,
}

impl Got {
    fn nothing() -> Self {
        let now = Instant::now();
        Self {
            since: now,
            last: now,
            frames: 0,
            steps: 0.0,
            rate: 0.0,
            longest_wait: Duration::ZERO,
        }
    }
}

/// A viewer on a thread of its own.
pub struct Honest {
    got: Arc<Mutex<Got>>,
    stream: TcpStream,
    thread: Option<JoinHandle<String>>,
}

impl Honest {
    pub fn new(local: SocketAddr) -> Self {
        let stream = viewer(local).expect("a viewer");
        // It waits for a server that was stopped for a while.
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let (got, mut socket) =
            (Arc::new(Mutex::new(Got::nothing())), stream.try_clone().expect("a socket"));
        let shared = Arc::clone(&got);
        // Why it ended is of interest only where it was not told to.
        let thread = std::thread::spawn(move || {
            watch(&mut socket, &shared).err().map_or_else(String::new, |error| error.to_string())
        });
        Self { got, stream, thread: Some(thread) }
    }

    /// What it got since this was last called.
    ///
    /// # Panics
    /// When it gets nothing any more.
    pub fn take(&mut self) -> Got {
        if self.thread.as_ref().is_some_and(JoinHandle::is_finished) {
            panic!(
                "the honest viewer was shown out: {:?}",
                self.thread.take().map(JoinHandle::join)
            );
        }
        let mut got = self.got.lock().expect("a viewer that has not panicked");
        let rate = got.steps / got.since.elapsed().as_secs_f64();
        let taken = Got { rate, longest_wait: got.longest_wait.max(got.last.elapsed()), ..*got };
        *got = Got::nothing();
        taken
    }
}

impl Drop for Honest {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Reads until the end.
fn watch(socket: &mut TcpStream, got: &Mutex<Got>) -> std::io::Result<()> {
    // The run, which counts resets, and the step of the frame before.
    let mut before: Option<(u32, f64)> = None;
    loop {
        match read_message(socket)? {
            (BINARY, bytes) => {
                let run = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes"));
                let step = f64::from_le_bytes(bytes[16..24].try_into().expect("eight bytes"));
                let mut got = got.lock().expect("a test that has not panicked");
                let now = Instant::now();
                got.longest_wait = got.longest_wait.max(now - got.last);
                // After a reset steps are counted anew; those before the reset that no frame showed
                // are lost to the count.
                got.steps +=
                    before.filter(|&(of, _)| of == run).map_or(0.0, |(_, before)| step - before);
                got.last = now;
                got.frames += 1;
                before = Some((run, step));
                drop(got);
                socket.write_all(&message(TEXT, NEXT))?;
            }
            (PING, content) => socket.write_all(&message(PONG, &content))?,
            (CLOSE, reason) => {
                return Err(std::io::Error::other(String::from_utf8_lossy(&reason).into_owned()));
            }
            _ => {}
        }
    }
}
