//! The program `wingbeat-mpi`.

use std::process::ExitCode;

use mpi::Threading;
use mpi::collective::CommunicatorCollectives;
use wingbeat_cli::on_ranks::{self, Failure};

use crate::ranks::Ranks;
use crate::watch::Watch;

const ABOUT: &str = "\
Run a scene on all ranks of an MPI job: mpirun -n RANKS wingbeat-mpi run SCENE

The options are those of wingbeat run, and so are results: the same bits on any number of ranks.
--threads counts those of one rank, and is 1 unless told otherwise. Checkpoints are a file and one
beside it for each rank; any number of ranks resumes them, and so does wingbeat run.";

/// Runs it, on every rank alike.
pub fn main() -> ExitCode {
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        return on_ranks::leave(Failure::Other("MPI cannot be initialized".into()));
    };
    let mut ranks = Ranks::new(&universe.world());
    let watch = Watch::start(&mut ranks);
    let code = on_ranks::main(("wingbeat-mpi run", ABOUT), typed(), &mut ranks);
    end(&ranks, &watch);
    // MPI frees the ranks' communicator before it ends.
    drop(ranks);
    drop(universe);
    code
}

/// What follows `run`, with the program's name before it as clap wants it.
fn typed() -> Result<impl Iterator<Item = String>, Failure> {
    let mut typed = std::env::args();
    let program = typed.next().unwrap_or_default();
    match typed.next().as_deref() {
        Some("run") => Ok(std::iter::once(program).chain(typed)),
        Some("--help" | "-h") | None => Err(Failure::Help(format!(
            "{ABOUT}\n\nUsage: mpirun -n RANKS wingbeat-mpi run SCENE [OPTIONS]\n       \
                wingbeat-mpi run --help    lists them\n"
        ))),
        Some("--version" | "-V") => {
            Err(Failure::Help(format!("wingbeat-mpi {}\n", env!("CARGO_PKG_VERSION"))))
        }
        Some(other) => {
            Err(Failure::value("wingbeat-mpi", other, "run, with the options of wingbeat run"))
        }
    }
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
