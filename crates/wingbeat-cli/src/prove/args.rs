//! What can be typed after `wingbeat prove`.

use clap::Args;

use crate::options::{MachineValues, Print};

const EXAMPLES: &str = "\
Examples:
  wingbeat prove --quick                      all suites in a minute, with fewer seeds \
                                              and shorter scenes
  wingbeat prove rimea nist                   two suites
  wingbeat prove rimea_15 --json              one proof, and the numbers of every seed
  wingbeat prove --list                       names, suites and what was published
  wingbeat prove --html proofs.html           the table as a web page
  wingbeat prove my_door.toml                 a proof of your own
  wingbeat prove recorded --data ../shared/data

A proof is one TOML file: a scene with its variants and seeds, what is measured, what was published
and where, and the verdict that is expected. The command runs it and prints published, measured and
verdict. What fails on purpose says why in its file.

Exit codes: 0 where every verdict is the one written in its file, 1 where one is not, 2 bad input,
130 stopped by Ctrl-C. docs/PROOFS.md has the table and says how to write a proof.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ProveArgs {
    /// Proofs, suites (rimea, nist, imo, iso, symmetry, vicsek, couzin, cucker_smale, rvo2,
    /// recorded) or files [default: all proofs]
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Fewer seeds and shorter scenes, as each file says
    #[arg(long)]
    pub quick: bool,
    /// List the proofs, and run none
    #[arg(long)]
    pub list: bool,
    /// Write the table as a web page
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<String>,
    /// Write the table as Markdown
    #[arg(long, value_name = "FILE.md")]
    pub out: Option<String>,
    /// Where recordings are [default: WINGBEAT_DATA, or ../shared/data; proofs whose recording is
    /// not there are skipped]
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<String>,
    #[command(flatten)]
    pub machine: MachineValues,
    #[command(flatten)]
    pub print: Print,
}
