//! One viewer: a page at the other end of a WebSocket. Whatever it does or fails to do affects its
//! own connection only.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep, sleep_until};
use wingbeat_session::{Answer, Request};

use crate::engine::{Command, LONG};
use crate::hub::Hub;
use crate::reply::Reply;

/// Shortest time from frame to frame: no screen shows more than 60 a second.
const FRAME_INTERVAL: Duration = Duration::from_millis(16);

/// Requests of one viewer that may wait for their answers. Until there is one, no more of its
/// messages are read.
const MOST_UNANSWERED: usize = 16;

/// Viewers at a time. Those that come later are told so.
pub const MOST_VIEWERS: usize = 64;

/// Bytes of frames that all viewers together may hold up, one each: of large flocks there are fewer
/// viewers, but some.
const MOST_WAITING_BYTES: usize = 256 << 20;
const FEWEST_VIEWERS: usize = 4;

/// How often a viewer is asked whether it is there (a browser answers by itself), how often it may
/// leave that unanswered, and how long it may take to read what it is sent. Questions are counted,
/// not seconds: a view that was stopped for a while, with its process or its machine, has asked
/// nothing meanwhile.
const ASK: Duration = Duration::from_secs(5);
const MOST_UNHEARD: u32 = 3;
const PATIENCE: Duration = Duration::from_secs(15);

/// Why the view closes a connection: a code of the WebSocket protocol, and words.
pub type CloseReason = (u16, &'static str);

/// The view ends, or the engine has.
pub const ENDED: CloseReason = (close_code::AWAY, "the view has ended");

/// There are as many viewers as can be.
const FULL: CloseReason = (close_code::AGAIN, "too many viewers: close one of them");

/// Nothing is heard of it.
const SILENT: CloseReason = (close_code::POLICY, "the viewer does not answer");

/// Serves a viewer until it leaves, misbehaves, or the view ends.
pub async fn serve(mut socket: WebSocket, hub: Arc<Hub>) {
    let most = (MOST_WAITING_BYTES / hub.published.frame.borrow().len().max(1))
        .clamp(FEWEST_VIEWERS, MOST_VIEWERS);
    let is_full = hub.viewers.fetch_add(1, Ordering::Relaxed) >= most;
    let ended = if is_full { Err(FULL) } else { converse(&mut socket, &hub).await };
    if let Err((code, reason)) = ended {
        // Where the other end does not listen any more there is nothing to be done.
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        let _ = tokio::time::timeout(Duration::from_millis(200), socket.send(close)).await;
    }
    hub.viewers.fetch_sub(1, Ordering::Relaxed);
}

/// Ok: the viewer has left.
async fn converse(socket: &mut WebSocket, hub: &Hub) -> Result<(), CloseReason> {
    let published = &hub.published;
    let (mut frames, mut states, mut ending) =
        (published.frame.subscribe(), published.state.subscribe(), hub.ending.subscribe());
    let (answers, mut answered) = unbounded_channel::<Option<Answer>>();
    let mut unanswered = 0;
    let mut frame_wanted = true;
    let mut next_frame = Instant::now();
    // Questions in a row after which nothing was heard.
    let (mut unheard, mut ask) = (0, interval_at(Instant::now() + ASK, ASK));
    // Questions that were missed are not made up for: they would all be asked at once.
    ask.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The flock as it is now, not the frame that was last published.
    let (done, frame_published) = oneshot::channel();
    published.frame_wanted.store(true, Ordering::Release);
    hub.tell(Command::PublishFrame(Some(done)))?;
    // Of a flock in the midst of a long step the frame before it.
    if let Ok(Err(_)) = tokio::time::timeout(LONG, frame_published).await {
        return Err(ENDED);
    }
    // It gets one of each at once.
    frames.mark_changed();
    states.mark_changed();
    loop {
        let (state, message) = tokio::select! {
            biased;
            () = ended(&mut ending) => return Err(ENDED),
            // This end keeps a sender, so that there is always something to come; no answer: the
            // engine has stopped.
            Some(answer) = answered.recv() => {
                unanswered -= 1;
                let answer = serde_json::to_string(&answer.ok_or(ENDED)?).expect("numbers and \
                    texts can be written as JSON");
                // The state that a request led to comes before its answer.
                (
                    states.has_changed().unwrap_or(false).then(|| state(&mut states)),
                    Some(Message::Text(answer.into()))
                )
            }
            message = socket.recv(), if unanswered < MOST_UNANSWERED => {
                unheard = 0;
                match message {
                    Some(Ok(Message::Text(text))) => {
                        match handle(&text, hub, &answers)? {
                            Handled::Unanswered => unanswered += 1,
                            Handled::FrameWanted => frame_wanted = true,
                        }
                        continue;
                    }
                    Some(Ok(Message::Binary(_))) => return Err((close_code::UNSUPPORTED, "binary \
                        messages go one way")),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    // Gone, or nothing that can be understood (too large, not UTF-8): the library
                    // has said so to the other end.
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Ok(()),
                }
            },
            _ = ask.tick() => {
                // While none of its messages are read, nothing can be heard of it.
                unheard = if unanswered < MOST_UNANSWERED { unheard } else { 0 };
                if unheard >= MOST_UNHEARD {
                    return Err(SILENT);
                }
                unheard += 1;
                (None, Some(Message::Ping(Bytes::new())))
            }
            Ok(()) = states.changed() => (Some(state(&mut states)), None),
            // Asked for its news last, so that none is lost when something else comes first.
            Ok(()) = async { sleep_until(next_frame).await; frames.changed().await },
                if frame_wanted =>
            {
                frame_wanted = false;
                next_frame = Instant::now() + FRAME_INTERVAL;
                (None, Some(Message::Binary(frames.borrow_and_update().clone())))
            }
        };
        // A send that blocks holds up this viewer alone, and its requests with it: nothing piles
        // up. For ever it does not block.
        for message in state.into_iter().chain(message) {
            tokio::select! {
                // In this order: what can be sent after a long stop of the view itself is sent.
                biased;
                sent = socket.send(message) => if sent.is_err() { return Ok(()) },
                () = sleep(PATIENCE) => return Ok(()),
                () = ended(&mut ending) => return Err(ENDED),
            }
        }
    }
}

/// The latest state, marked as seen.
fn state(states: &mut watch::Receiver<Arc<(String, String)>>) -> Message {
    Message::Text(states.borrow_and_update().0.as_str().into())
}

/// Returns when the view ends.
async fn ended(ending: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone: then the view has ended too.
    let _ = ending.wait_for(|&ending| ending).await;
}

/// What a message led to.
enum Handled {
    /// A request that will be answered.
    Unanswered,
    /// The viewer takes another frame.
    FrameWanted,
}

/// Passes on what a viewer asks for; the answer goes to `answers`.
fn handle(
    text: &str,
    hub: &Hub,
    answers: &UnboundedSender<Option<Answer>>,
) -> Result<Handled, CloseReason> {
    let Ok(request) = serde_json::from_str(text) else {
        return Err((close_code::UNSUPPORTED, "not a request of the protocol"));
    };
    if matches!(request, Request::Next {}) {
        // The engine is told once, however many want a frame.
        if !hub.published.frame_wanted.swap(true, Ordering::AcqRel) {
            hub.tell(Command::PublishFrame(None))?;
        }
        return Ok(Handled::FrameWanted);
    }
    let reply = Reply::new(request.id(), answers.clone());
    hub.published.request_waits.store(true, Ordering::Relaxed);
    hub.tell(Command::Request(request, reply))?;
    Ok(Handled::Unanswered)
}
