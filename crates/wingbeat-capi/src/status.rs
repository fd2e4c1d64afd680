//! What a call answers, the text behind it, and panics, which end here.

use std::any::Any;
use std::cell::Cell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use wingbeat::FlockError;
use wingbeat_scene::SceneError;

/// What a function answers: WINGBEAT_OK, or why it did nothing. wingbeat_last_error says it in
/// words.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WingbeatStatus {
    /// It is done.
    WingbeatOk = 0,
    /// The number is of no flock, or the flock was freed.
    WingbeatErrorHandle = 1,
    /// A pointer that is needed is NULL, or is not aligned for what it points to.
    WingbeatErrorNull = 2,
    /// An array is not as long as it has to be, or the room for an answer is too small; then
    /// nothing was written to it.
    WingbeatErrorSize = 3,
    /// An id is of no living boid, or is to be removed twice.
    WingbeatErrorId = 4,
    /// A scene, file, key, value, text or checkpoint is not accepted.
    WingbeatErrorInvalid = 5,
    /// The machine failed: threads that would not start.
    WingbeatErrorMachine = 6,
    /// A fault in Wingbeat; please report it. A flock that was at work is lost: wingbeat_free is
    /// all that is left to do with it.
    WingbeatErrorPanic = 7,
}

/// Why nothing was done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    pub status: WingbeatStatus,
    pub text: String,
}

impl Failure {
    pub fn new(status: WingbeatStatus, text: impl Into<String>) -> Self {
        Self { status, text: text.into() }
    }

    pub fn invalid(text: impl Into<String>) -> Self {
        Self::new(WingbeatStatus::WingbeatErrorInvalid, text)
    }

    pub fn size(text: impl Into<String>) -> Self {
        Self::new(WingbeatStatus::WingbeatErrorSize, text)
    }

    pub fn panic(what: &(dyn Any + Send)) -> Self {
        let said = what
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| what.downcast_ref::<String>().map(String::as_str));
        Self::new(
            WingbeatStatus::WingbeatErrorPanic,
            format!("a fault in Wingbeat: {}", said.unwrap_or("it said nothing more")),
        )
    }
}

impl From<FlockError> for Failure {
    fn from(refusal: FlockError) -> Self {
        let status = match refusal {
            FlockError::UnknownBoid(_) | FlockError::DuplicateId(_) => {
                WingbeatStatus::WingbeatErrorId
            }
            FlockError::Lengths { .. } => WingbeatStatus::WingbeatErrorSize,
            FlockError::Threads { .. } => WingbeatStatus::WingbeatErrorMachine,
            _ => WingbeatStatus::WingbeatErrorInvalid,
        };
        Self::new(status, refusal.to_string())
    }
}

impl From<SceneError> for Failure {
    fn from(refusal: SceneError) -> Self {
        let status = match refusal {
            SceneError::Machine(_) => WingbeatStatus::WingbeatErrorMachine,
            _ => WingbeatStatus::WingbeatErrorInvalid,
        };
        Self::new(status, refusal.to_string())
    }
}

/// Room for the last error's text and its final NUL; what is longer is cut.
const ROOM: usize = 2048;

thread_local! {
    /// In one place for as long as the thread lives, so that a pointer to it never dangles before:
    /// who kept it reads a newer text. It has nothing to drop, so that threads may still ask as
    /// they end.
    static LAST_ERROR: [Cell<u8>; ROOM] = const { [const { Cell::new(0) }; ROOM] };
}

/// Keeps the text, as one line.
fn keep(text: &str) {
    let line: String = text
        .chars()
        .flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] })
        .collect();
    let end = (0..ROOM).rev().find(|&end| line.is_char_boundary(end)).unwrap_or(0);
    let shown = &line.as_bytes()[..end.min(line.len())];
    LAST_ERROR.with(|room| {
        for (place, byte) in room.iter().zip(shown.iter().chain(std::iter::repeat(&0))) {
            place.set(*byte);
        }
    });
}

/// Where the text is; empty where nothing failed yet.
pub(crate) fn last_error() -> *const c_char {
    LAST_ERROR.with(|room| room.as_ptr().cast())
}

/// Does what can be refused, or can panic by a fault of ours, and answers with its status.
pub(crate) fn answer(act: impl FnOnce() -> Result<(), Failure>) -> WingbeatStatus {
    // Flocks are marked as lost where they panic (table.rs); nothing else outlives the call.
    let done = catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|what| {
        let failure = Failure::panic(&*what);
        forget(what);
        Err(failure)
    });
    match done {
        Ok(()) => WingbeatStatus::WingbeatOk,
        Err(failure) => {
            keep(&failure.text);
            failure.status
        }
    }
}

/// What a panic carries may itself panic when it is dropped; it is leaked instead.
pub(crate) fn forget(what: Box<dyn Any + Send>) {
    std::mem::forget(what);
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The last error, as this crate's tests see it.
    pub(crate) fn said() -> String {
        let bytes: Vec<u8> = LAST_ERROR
            .with(|room| room.iter().map(Cell::get).take_while(|&byte| byte != 0).collect());
        String::from_utf8(bytes).expect("UTF-8")
    }

    #[test]
    fn no_panic_crosses() {
        assert_eq!(answer(|| panic!("the {}th", 7)), WingbeatStatus::WingbeatErrorPanic);
        assert!(said().contains("the 7th"), "{}", said());
        assert_eq!(answer(|| std::panic::panic_any(7)), WingbeatStatus::WingbeatErrorPanic);
        struct Worse;
        impl Drop for Worse {
            fn drop(&mut self) {
                panic!("and once more");
            }
        }
        assert_eq!(answer(|| std::panic::panic_any(Worse)), WingbeatStatus::WingbeatErrorPanic);
        assert_eq!(answer(|| Ok(())), WingbeatStatus::WingbeatOk);
    }

    #[test]
    fn texts_are_one_line_and_cut_between_letters() {
        let refuse = |text: &str| answer(|| Err(Failure::invalid(text)));
        assert_eq!(refuse("a\nb\0c"), WingbeatStatus::WingbeatErrorInvalid);
        assert_eq!(said(), "a\\nb\\u{0}c");
        refuse(&"ä".repeat(ROOM));
        assert_eq!(said(), "ä".repeat((ROOM - 1) / 2));
        refuse(&"x".repeat(ROOM - 1));
        assert_eq!(said().len(), ROOM - 1);
        refuse("short");
        assert_eq!(said(), "short");
    }

    #[test]
    fn every_thread_has_its_own_text() {
        answer(|| Err(Failure::invalid("mine")));
        let other = std::thread::spawn(|| {
            let before = said();
            answer(|| Err(Failure::invalid("yours")));
            before
        });
        assert_eq!((other.join().expect("it ends"), said()), (String::new(), "mine".to_string()));
    }
}
