//! `wingbeat convert`: a recording in another format.

use std::path::Path;

use wingbeat_record::Options;

use crate::args::ConvertArgs;
use crate::failure::Failure;
use crate::files::Files;
use crate::measure::number;
use crate::observations::every;
use crate::report::Recorded;
use crate::{interrupt, progress, terminal};

/// Reads, writes, reports.
pub fn convert(args: &ConvertArgs) -> Result<(), Failure> {
    let number = |flag, text: &Option<String>| text.as_ref().map(|text| number(flag, text)).transpose();
    let options = Options { fps: number("--fps", &args.fps)?, scale: number("--scale", &args.scale)?.unwrap_or(1.0) };
    let every = every(args.every.as_ref())?;
    let mut files = Files::default();
    files.read(&args.from)?;
    let output = files.write("convert to", &args.to, &wingbeat_record::writable())?;
    interrupt::listen()?;
    let bar = progress::bytes();
    let watch = progress::watch(&bar);
    let converted = wingbeat_record::convert_watched(Path::new(&args.from), output.path(), &options, every, &watch);
    bar.finish_and_clear();
    let converted = converted?;
    converted.notes.iter().for_each(|note| terminal::note(note));
    let written = Recorded { file: args.to.clone(), frames: converted.written.frames, bytes: converted.written.bytes };
    if args.json {
        return terminal::print(&format!("{:#}\n", serde_json::json!({ "from": args.from, "recorded": written })));
    }
    terminal::say(&format!("{}\n", written.line()))
}
