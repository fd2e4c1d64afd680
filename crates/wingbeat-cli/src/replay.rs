//! `wingbeat replay`: a recording as a web page.

use std::path::Path;

use clap::Args;
use serde_json::json;
use wingbeat_page::{MEGABYTE, Page, PageOptions, is_page};
use wingbeat_record::{Frames, open_regular};

use crate::failure::Failure;
use crate::files::Files;
use crate::options::{Print, ReadValues, every, optional};
use crate::report::{Recorded, grouped};
use crate::{interrupt, open, progress, terminal};

const EXAMPLES: &str = "\
Examples:
  wingbeat replay shoal.wbr                              shoal.html: open it in a browser
  wingbeat replay shoal.wbr --open                       the same, opened
  wingbeat replay shoal.wbr -o page.html --every 5
  wingbeat replay fish.npy --fps 32 --scale 0.01 --size 60

Reads .wbr, .npy, .npz, .csv, .tsv, .xyz and .txt. The page is one file that needs no network: it plays, scrubs, turns and zooms, draws
trails, colors and the observables over time, and shows the neighbors and forces of a boid you click. Where the page would be larger
than --size, frames are left out evenly, and the command says so; between frames the page interpolates. docs/REPLAY.md says more.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ReplayArgs {
    /// A recording that can be read: .wbr, .npy, .npz, .csv, .tsv, .xyz or .txt
    pub file: String,
    /// The page to write [default: the recording's name with .html, in this folder]
    #[arg(short, long, value_name = "FILE.html")]
    pub out: Option<String>,
    /// Take every N-th frame only [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub every: Option<String>,
    /// Megabytes the page may have, 1 to 1000; frames are left out until it fits [default: 25]
    #[arg(long, value_name = "MB", allow_negative_numbers = true)]
    pub size: Option<String>,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    #[command(flatten)]
    pub read: ReadValues,
    #[command(flatten)]
    pub print: Print,
}

/// Reads, writes, reports.
pub fn replay(args: &ReplayArgs) -> Result<(), Failure> {
    let options = args.read.options()?;
    let limit = match (optional("--size", &args.size)?, &args.size) {
        (Some(size), Some(text)) if !(1.0..=1000.0).contains(&size) => {
            return Err(Failure::value("--size", text, "a number of megabytes, 1 to 1000"));
        }
        (Some(size), _) => (size * MEGABYTE as f64) as u64,
        (None, _) => PageOptions::default().limit,
    };
    let page_options = PageOptions { every: every(args.every.as_ref())?, limit };
    let named = args.out.clone().unwrap_or_else(|| beside(&args.file));
    let mut files = Files::default();
    files.read(&args.file)?;
    let output = files.write("-o", &named, &["html"])?;
    if args.out.is_none() && !may_write(output.path()) {
        let allowed = "another name, with -o: this file is there, and no page of Wingbeat's";
        return Err(Failure::value("-o", &named, allowed));
    }
    interrupt::listen()?;
    let bar = progress::bytes();
    let opened = Frames::open(Path::new(&args.file), &options, &progress::watch(&bar));
    bar.finish_and_clear();
    let mut footage = opened?;
    let bar = progress::counted(footage.len() as u64, "frames");
    let page = wingbeat_page::replay_watched(&mut footage, &page_options, &progress::watch(&bar));
    bar.finish_and_clear();
    let page = page?;
    output.write(|out| out.write_all(&page.html))?;
    let all = footage.len();
    let said = if args.print.json {
        let report = json!({
            "from": args.file, "page": written(&named, &page), "boids": page.boids, "frames_recorded": all, "every": page.every,
            "position_error": page.position_error, "velocity_error": page.velocity_error,
        });
        terminal::print(&format!("{report:#}\n"))
    } else {
        for note in footage.notes() {
            terminal::note(note);
        }
        if page.every > page_options.every {
            let (frames, size) = (grouped(page.frames as u64), limit as f64 / MEGABYTE as f64);
            terminal::note(&format!("thinned to {frames} of {} frames, to stay within {size} MB (--size)", grouped(all as u64)));
        }
        terminal::say(&format!(
            "{}: open it in a browser\n  positions within {:.2e}, velocities within {:.2e} of the recording's\n",
            written(&named, &page).line(),
            page.position_error,
            page.velocity_error
        ))
    };
    if args.open {
        open::file(&named);
    }
    said
}

/// What is said of a page that was written.
pub fn written(name: &str, page: &Page) -> Recorded {
    Recorded { file: name.to_string(), frames: page.frames as u64, bytes: page.html.len() as u64 }
}

/// The name of the page of a recording or a scene, in the folder one is in.
pub fn beside(file: &str) -> String {
    let stem = Path::new(file).file_stem().map_or_else(|| "flock".into(), |stem| stem.to_string_lossy());
    format!("{stem}.html")
}

/// Whether nothing is lost if a page is written there: there is no file, or a page that Wingbeat wrote.
pub fn may_write(path: &Path) -> bool {
    use std::io::Read;
    match open_regular(path) {
        Ok((file, _)) => {
            let mut start = Vec::new();
            file.take(512).read_to_end(&mut start).is_ok() && is_page(&start)
        }
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}
