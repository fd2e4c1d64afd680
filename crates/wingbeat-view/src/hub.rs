//! What the server, its viewers and the engine share.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::Sender;

use tokio::sync::watch;

use crate::engine::{Command, Published};
use crate::page::Page;

/// What all connections share.
pub struct Hub {
    /// What the engine publishes.
    pub published: Arc<Published>,
    /// Where it takes commands.
    pub commands: Sender<Command>,
    /// Becomes true when the view ends.
    pub ending: watch::Sender<bool>,
    /// How many viewers there are.
    pub viewers: AtomicUsize,
    /// Where it listens.
    pub local: SocketAddr,
    /// The page.
    pub page: Page,
}
