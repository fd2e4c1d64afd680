//! One viewer: a page at the other end of a WebSocket. Whatever it does or fails to do ends here.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep_until};

use crate::engine::Order;
use crate::protocol::Wish;
use crate::server::Hub;

/// Shortest time from frame to frame: no screen shows more than 60 a second.
const BREATH: Duration = Duration::from_millis(16);

/// Serves a viewer until it leaves, misbehaves, or the view ends.
pub async fn serve(mut socket: WebSocket, hub: Arc<Hub>) {
    hub.viewers.fetch_add(1, Ordering::Relaxed);
    let reason = converse(&mut socket, &hub).await;
    if let Err(reason) = reason {
        // Where the other end does not listen any more there is nothing to be done.
        let farewell = Message::Close(Some(CloseFrame { code: reason.0, reason: reason.1.into() }));
        let _ = tokio::time::timeout(Duration::from_millis(200), socket.send(farewell)).await;
    }
    hub.viewers.fetch_sub(1, Ordering::Relaxed);
}

/// Why the view ends a conversation: a code of the WebSocket protocol, and words.
type Farewell = (u16, &'static str);

/// Ok: the viewer has left.
async fn converse(socket: &mut WebSocket, hub: &Hub) -> Result<(), Farewell> {
    let (mut frames, mut states, mut ending) = (hub.slots.frame.subscribe(), hub.slots.state.subscribe(), hub.ending.subscribe());
    let mut ready = true;
    let mut next = Instant::now();
    // Of the flock as it is, not as somebody saw it last.
    let (done, seen) = oneshot::channel();
    hub.slots.wanted.store(true, Ordering::Release);
    hub.order(Order::Look(Some(done)))?;
    if seen.await.is_err() {
        return Err((close_code::AWAY, "the view has ended"));
    }
    // It gets one of each at once.
    frames.mark_changed();
    states.mark_changed();
    loop {
        // How things stand since a wish comes before its answer: whoever has the answer knows what it did.
        let mut answer = None;
        let news = tokio::select! {
            biased;
            () = ended(&mut ending) => return Err((close_code::AWAY, "the view has ended")),
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    answer = heed(&text, hub, &mut ready).await?.map(|answer| Message::Text(answer.into()));
                    if answer.is_none() {
                        continue;
                    }
                    states.has_changed().unwrap_or(false).then(|| state(&mut states))
                }
                Some(Ok(Message::Binary(_))) => return Err((close_code::UNSUPPORTED, "binary messages go one way")),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                // Gone, or nothing that can be understood (too large, not UTF-8): the library has said so to the other end.
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Ok(()),
            },
            Ok(()) = states.changed() => Some(state(&mut states)),
            // Asked for its news last, so that none is lost when something else comes first.
            Ok(()) = async { sleep_until(next).await; frames.changed().await }, if ready => {
                ready = false;
                next = Instant::now() + BREATH;
                Some(Message::Binary(frames.borrow_and_update().clone()))
            }
        };
        // A send that blocks holds up this viewer alone, and its wishes with it: nothing piles up.
        for message in news.into_iter().chain(answer) {
            tokio::select! {
                sent = socket.send(message) => if sent.is_err() { return Ok(()) },
                () = ended(&mut ending) => return Err((close_code::AWAY, "the view has ended")),
            }
        }
    }
}

/// How things stand, marked as seen.
fn state(states: &mut watch::Receiver<Arc<(String, String)>>) -> Message {
    Message::Text(states.borrow_and_update().0.as_str().into())
}

/// Wants a frame. The engine is told once, however many want one.
fn want(hub: &Hub) -> Result<(), Farewell> {
    let told = hub.slots.wanted.swap(true, Ordering::AcqRel);
    if told { Ok(()) } else { hub.order(Order::Look(None)) }
}

/// Comes back when the view ends.
async fn ended(ending: &mut watch::Receiver<bool>) {
    // An error: whoever would say so is gone, which says it too.
    let _ = ending.wait_for(|&ending| ending).await;
}

/// Does what a viewer wishes; its answer as JSON, if there is one.
async fn heed(text: &str, hub: &Hub, ready: &mut bool) -> Result<Option<String>, Farewell> {
    let Ok(wish) = serde_json::from_str(text) else { return Err((close_code::UNSUPPORTED, "not a wish of docs/VIEW.md")) };
    if matches!(wish, Wish::Next {}) {
        *ready = true;
        return want(hub).map(|()| None);
    }
    let (answer, answered) = oneshot::channel();
    hub.order(Order::Wish(wish, answer))?;
    let Ok(answer) = answered.await else { return Err((close_code::AWAY, "the view has ended")) };
    Ok(Some(serde_json::to_string(&answer).expect("numbers and texts can be written as JSON")))
}
