//! HTTP and WebSockets by hand, so that a test can send what no library would.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Longest a client waits for anything: a server that hangs fails the test, it does not hang it.
const PATIENCE: Duration = Duration::from_secs(20);

/// What frames hold: the operation codes of RFC 6455, section 5.2.
pub const TEXT: u8 = 1;
pub const BINARY: u8 = 2;
pub const CLOSE: u8 = 8;
pub const PING: u8 = 9;
pub const PONG: u8 = 10;

/// The request for another frame.
pub const NEXT: &[u8] = b"{\"do\":\"next\"}";

/// A connection on which nothing was said yet.
pub fn connect(local: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&local, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}

/// What a browser sends to open the view's WebSocket.
pub fn handshake(local: SocketAddr) -> String {
    format!(
        "GET /live HTTP/1.1\r\nHost: {local}\r\nOrigin: http://{local}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
}

/// An open WebSocket.
pub fn viewer(local: SocketAddr) -> io::Result<TcpStream> {
    let mut stream = connect(local)?;
    stream.write_all(handshake(local).as_bytes())?;
    // Byte by byte, as frames may follow at once.
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    if head.starts_with(b"HTTP/1.1 101 ") {
        return Ok(stream);
    }
    Err(io::Error::new(ErrorKind::ConnectionRefused, String::from_utf8_lossy(&head).into_owned()))
}

/// A whole message as a client sends it. The key of the mask is zero, which leaves the bytes as
/// they are.
pub fn message(kind: u8, content: &[u8]) -> Vec<u8> {
    frame(0x80 | kind, 0x80, content.len() as u64, content)
}

/// Any frame: its first byte, the bit of the mask, the length it claims, and what follows.
pub fn frame(first: u8, mask: u8, length: u64, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match length {
        0..126 => bytes.push(mask | length as u8),
        126..0x1_0000 => {
            bytes.push(mask | 126);
            bytes.extend((length as u16).to_be_bytes());
        }
        _ => {
            bytes.push(mask | 127);
            bytes.extend(length.to_be_bytes());
        }
    }
    if mask != 0 {
        bytes.extend([0; 4]);
    }
    bytes.extend(content);
    bytes
}

/// The next message of the server: its operation code and content.
pub fn read_message(stream: &mut impl Read) -> io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 2];
    stream.read_exact(&mut head)?;
    let mut extended = [0; 8];
    let length = match head[1] & 127 {
        126 => {
            stream.read_exact(&mut extended[6..])?;
            u64::from_be_bytes(extended)
        }
        127 => {
            stream.read_exact(&mut extended)?;
            u64::from_be_bytes(extended)
        }
        length => u64::from(length),
    };
    let mut content = vec![0; length as usize];
    stream.read_exact(&mut content)?;
    Ok((head[0] & 15, content))
}

/// The status and the body of an answer to a request of any form; `None` where the connection was
/// closed without one.
pub fn ask(local: SocketAddr, request: &[u8]) -> Option<(u16, Vec<u8>)> {
    let mut stream = connect(local).ok()?;
    // What is refused half way is still answered.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    // A reset after the answer does not take it back.
    let _ = stream.read_to_end(&mut answer);
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let status = std::str::from_utf8(answer.get(9..12)?).ok()?.parse().ok()?;
    Some((status, answer.split_off(end + 4)))
}

/// The answer to an ordinary request.
pub fn get(local: SocketAddr, path: &str) -> Option<(u16, Vec<u8>)> {
    ask(
        local,
        format!("GET {path} HTTP/1.1\r\nHost: {local}\r\nConnection: close\r\n\r\n").as_bytes(),
    )
}
