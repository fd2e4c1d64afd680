//! A rank that dies must not leave the others waiting: a thread of each looks after those on the
//! same machine.
//!
//! A rank that waits in MPI for one that is gone waits for ever; MPI's own launchers end a job when
//! a process of it fails, most of the time. Here a rank that finds another one gone ends itself
//! with exit code 1, and the first of those that are left on a machine says so in one line. What
//! was written before (checkpoints are whole or not at all) is what a later run goes on from.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wingbeat::subdomain::Transport;
use wingbeat_cli::on_ranks::complain;

use crate::ranks::Ranks;

/// Time from one look to the next.
const EVERY: Duration = Duration::from_millis(50);

/// Those that find a rank gone stay for so long, so that all of them see which ranks are left.
const STAY: Duration = Duration::from_millis(400);

/// A process of this machine.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Process {
    rank: usize,
    id: u32,
    /// When it began, as the system counts: another process may get its number.
    began: u64,
}

impl Process {
    fn is_there(&self) -> bool {
        began(self.id) == Some(self.began)
    }
}

/// Looks after the other ranks until it is told to stop.
pub struct Watch {
    over: Arc<AtomicBool>,
}

impl Watch {
    /// Begins. Collective.
    pub fn start(ranks: &mut Ranks) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let (me, machine) = (std::process::id(), machine());
        let mine = began(me).unwrap_or(0);
        let words = [machine as u32, (machine >> 32) as u32, me, mine as u32, (mine >> 32) as u32];
        let Ok(all) = ranks.all(&words) else { return Self { over } };
        let number = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let here = all.iter().enumerate().filter_map(|(rank, words)| {
            let &[low, high, id, began_low, began_high] = words.as_slice() else { return None };
            let began = number(began_low, began_high);
            (number(low, high) == machine && began > 0).then_some(Process { rank, id, began })
        });
        let (rank, others) =
            (ranks.rank(), here.filter(|process| process.id != me).collect::<Vec<_>>());
        let stop = Arc::clone(&over);
        // A rank whose system says nothing of processes is on its own.
        if mine > 0 {
            std::thread::spawn(move || look(rank, &others, &stop));
        }
        Self { over }
    }

    /// All ranks are about to end as they should.
    pub fn stop(&self) {
        self.over.store(true, Ordering::SeqCst);
    }
}

fn look(rank: usize, others: &[Process], over: &AtomicBool) {
    loop {
        std::thread::sleep(EVERY);
        let gone = others.iter().find(|process| !process.is_there());
        if over.load(Ordering::SeqCst) {
            return;
        }
        if let Some(gone) = gone {
            if others.iter().all(|other| other.rank > rank || !other.is_there()) {
                complain(&format!(
                    "wingbeat-mpi: rank {} is no longer there: the run ends, its last checkpoint \
                        can be resumed",
                    gone.rank
                ));
            }
            std::thread::sleep(STAY);
            std::process::exit(1);
        }
    }
}

/// When a process began; `None` if there is none of this number, or it has ended and only its
/// parent has not heard.
fn began(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name, in brackets, may hold anything.
    let mut fields = status.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

/// A number for this machine, and this view of its processes.
fn machine() -> u64 {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let view = std::fs::read_link("/proc/self/ns/pid")
        .map(|link| link.to_string_lossy().into_owned())
        .unwrap_or_default();
    boot.bytes().chain(view.bytes()).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
