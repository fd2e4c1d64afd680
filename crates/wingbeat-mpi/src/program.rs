//! The program `wingbeat-mpi`.

use std::cell::RefCell;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mpi::Threading;
use mpi::collective::CommunicatorCollectives;
use signal_hook::consts::{SIGINT, SIGTERM};
use wingbeat::Transport;
use wingbeat_cli::in_parts::{self as parts, Arguments, Failure};

use crate::follow::follow;
use crate::orders::Order;
use crate::ranks::Ranks;
use crate::session::Session;
use crate::watch::Watch;

const ABOUT: &str = "\
Run a scene on all ranks of an MPI job: mpirun -n RANKS wingbeat-mpi run SCENE

The options are those of wingbeat run, and so are results: the same bits on any number of ranks.
--threads counts those of one rank, and is 1 unless told otherwise. Checkpoints are a file and one
beside it for each rank; any number of ranks resumes them, and so does wingbeat run.";

/// Runs it.
pub fn main() -> ExitCode {
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        return parts::leave(Failure::Other("MPI cannot be initialized".into()));
    };
    let mut ranks = Ranks::new(&universe.world());
    let watch = Watch::start(&mut ranks);
    let code = if ranks.rank() == 0 { lead(ranks, &watch) } else { obey(ranks, &watch) };
    drop(universe);
    code
}

/// The first rank runs the scene.
fn lead(ranks: Ranks, watch: &Watch) -> ExitCode {
    let ranks = Rc::new(RefCell::new(ranks));
    let done = run(&ranks);
    let (code, left) = match done {
        Ok(()) => (0, ExitCode::SUCCESS),
        Err(failure) => (failure.code(), parts::leave(failure)),
    };
    // A rank that cannot be reached is gone.
    let _ = ranks.borrow().order(&Order::End(code));
    end(&ranks.borrow(), watch);
    left
}

fn run(ranks: &Rc<RefCell<Ranks>>) -> Result<(), Failure> {
    let mut typed = std::env::args();
    let program = typed.next().unwrap_or_default();
    match typed.next().as_deref() {
        Some("run") => {}
        Some("--help" | "-h") | None => return Err(help()),
        Some("--version" | "-V") => {
            return Err(Failure::Help(format!("wingbeat-mpi {}\n", env!("CARGO_PKG_VERSION"))));
        }
        Some(other) => {
            return Err(Failure::value(
                "wingbeat-mpi",
                other,
                "run, with the options of wingbeat run",
            ));
        }
    }
    let arguments =
        Arguments::read("wingbeat-mpi run", ABOUT, std::iter::once(program).chain(typed))?
            .with_threads(1);
    let session = Session::new(Rc::clone(ranks), arguments.level());
    parts::run(&arguments, Box::new(session))
}

fn help() -> Failure {
    Failure::Help(format!(
        "{ABOUT}\n\nUsage: mpirun -n RANKS wingbeat-mpi run SCENE [OPTIONS]\n       wingbeat-mpi \
            run --help    lists them\n"
    ))
}

/// Any other rank does what the first one says.
fn obey(mut ranks: Ranks, watch: &Watch) -> ExitCode {
    // The first rank hears of these signals, too, and ends the run after its step.
    let heard = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let _ = signal_hook::flag::register(signal, Arc::clone(&heard));
    }
    let code = follow(&mut ranks);
    end(&ranks, watch);
    ExitCode::from(code)
}

/// No rank leaves before all know that the run is over.
fn end(ranks: &Ranks, watch: &Watch) {
    // Who waits here for one that has died is still looked after.
    ranks.communicator().barrier();
    watch.stop();
    // From here on others may be gone because they have ended as they should; no rank is before all
    // have come so far.
    ranks.communicator().barrier();
}
