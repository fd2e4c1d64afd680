//! `wingbeat convert`: a recording in another format.

use std::path::Path;

use clap::Args;

use crate::failure::Failure;
use crate::files::Files;
use crate::options::{Print, ReadValues, every};
use crate::report::Recorded;
use crate::values::{Every, Given};
use crate::{interrupt, progress, terminal};

const EXAMPLES: &str = "\
Examples:
  wingbeat convert shoal.wbr shoal.npz
  wingbeat convert shoal.wbr shoal.vtp --every 10       shoal_000000.vtp, … and shoal.pvd
  wingbeat convert corridor.txt corridor.csv --fps 16 --scale 0.01
  wingbeat convert utm.csv utm.npz --origin auto        coordinates of millions keep their digits

Reads .wbr, .npy, .npz, .csv, .tsv, .xyz and .txt, writes .wbr, .npz, .csv, .xyz, .vtp and .ply, in
single precision. A .wbr keeps its own times and bits; where a file has no velocities, they are
central differences. docs/RECORDINGS.md says more.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ConvertArgs {
    /// A recording that can be read: .wbr, .npy, .npz, .csv, .tsv, .xyz or .txt
    pub from: String,
    /// What to write: .wbr, .npz, .csv, .xyz, .vtp or .ply
    pub to: String,
    #[command(flatten)]
    pub read: ReadValues,
    /// Take this off all positions, in the file's coordinates; auto: the lowest, in whole numbers
    /// [default: nothing]
    #[arg(long, value_name = "X,Y[,Z]|auto", allow_hyphen_values = true)]
    pub origin: Option<String>,
    /// Take every N-th frame only [default: 1]
    #[arg(long, value_name = "N")]
    pub every: Option<Given<Every>>,
    #[command(flatten)]
    pub print: Print,
}

/// Reads, writes, reports.
pub fn convert(args: &ConvertArgs) -> Result<(), Failure> {
    let mut options = args.read.options()?;
    options.origin = args.origin.as_ref().map(|text| text.parse()).transpose()?;
    let every = every(&args.every);
    let mut files = Files::default();
    files.read(&args.from)?;
    let output = files.write("convert to", &args.to, &wingbeat_record::writable())?;
    interrupt::listen()?;
    let bar = progress::bytes();
    let watch = progress::watch(&bar);
    let converted = wingbeat_record::convert_watched(
        Path::new(&args.from),
        output.path(),
        &options,
        every,
        &watch,
    );
    bar.finish_and_clear();
    let converted = converted?;
    converted.notes.iter().for_each(|note| terminal::note(note));
    let written = Recorded {
        file: args.to.clone(),
        frames: converted.written.frames,
        bytes: converted.written.bytes,
    };
    if args.print.json {
        return terminal::print(&format!(
            "{:#}\n",
            serde_json::json!({ "from": args.from, "recorded": written })
        ));
    }
    terminal::say(&format!("{}\n", written.line()))
}
