//! A child process, and lines and bytes through its standard input and output.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(120);
/// No line of an answer is longer.
const LONGEST_LINE: usize = 64 * 1024;

/// Both directions have a thread, so that a program that neither reads nor writes holds up nothing
/// for longer than [`PATIENCE`].
pub struct Pipe {
    child: Child,
    to: Sender<Vec<u8>>,
    from: Receiver<Vec<u8>>,
    read: Vec<u8>,
}

impl Pipe {
    /// Starts a command of words between spaces.
    pub fn start(command: &str) -> Result<Self, String> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or("has no command")?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("\"{command}\" does not start: {error}"))?;
        let mut input = child.stdin.take().ok_or("has no standard input")?;
        let mut output = child.stdout.take().ok_or("has no standard output")?;
        let (to, sent) = channel::<Vec<u8>>();
        thread::spawn(move || {
            for bytes in sent {
                if input.write_all(&bytes).and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        });
        let (received, from) = channel();
        thread::spawn(move || {
            let mut chunk = vec![0; 1 << 16];
            while let Ok(count @ 1..) = output.read(&mut chunk) {
                if received.send(chunk[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, to, from, read: Vec::new() })
    }

    /// Sends bytes; a program that has ended is found when its answer is due.
    pub fn send(&mut self, bytes: Vec<u8>) {
        let _ = self.to.send(bytes);
    }

    /// Sends a line and waits for one.
    pub fn ask(&mut self, request: &str) -> Result<String, String> {
        self.send(format!("{request}\n").into_bytes());
        self.line().map_err(|reason| format!("{reason} (request \"{request}\")"))
    }

    /// The next line, without its end.
    pub fn line(&mut self) -> Result<String, String> {
        let mut looked = 0;
        loop {
            if let Some(at) = self.read[looked..].iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=looked + at).collect();
                return Ok(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
            looked = self.read.len();
            if looked > LONGEST_LINE {
                return Err(format!("writes a line of over {LONGEST_LINE} bytes"));
            }
            self.fill()?;
        }
    }

    /// The next bytes.
    pub fn bytes(&mut self, count: usize) -> Result<Vec<u8>, String> {
        while self.read.len() < count {
            self.fill()?;
        }
        Ok(self.read.drain(..count).collect())
    }

    fn fill(&mut self) -> Result<(), String> {
        match self.from.recv_timeout(PATIENCE) {
            Ok(bytes) => {
                self.read.extend(bytes);
                Ok(())
            }
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("does not answer for {} s", PATIENCE.as_secs()))
            }
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.child.wait();
                let status = status.map_or_else(|error| error.to_string(), |s| s.to_string());
                Err(format!("ends without an answer ({status})"))
            }
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // It holds nothing that has to be put away.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
