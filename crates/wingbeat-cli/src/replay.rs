//! `wingbeat replay`: a recording as a web page.

use std::path::Path;

use clap::Args;
use serde_json::{Value, json};
use wingbeat_page::{MEGABYTE, Page, PageOptions, is_page, pair};
use wingbeat_record::{Frames, Options, open_regular};

use crate::failure::Failure;
use crate::files::Files;
use crate::options::{Print, ReadValues, every};
use crate::outline::OutlineValues;
use crate::output::Output;
use crate::report::{Recorded, grouped};
use crate::values::{Every, Given, OptionValue, Refused, given};
use crate::{interrupt, open, progress, terminal};

const EXAMPLES: &str = "\
Examples:
  wingbeat replay shoal.wbr                              shoal.html: open it in a browser
  wingbeat replay shoal.wbr --open                       the same, opened
  wingbeat replay shoal.wbr -o page.html --every 5
  wingbeat replay fish.npy --fps 32 --scale 0.01 --size 60
  wingbeat replay measured.csv simulated.wbr -o both.html        side by side, under one timeline

Reads .wbr, .npy, .npz, .csv, .tsv, .xyz and .txt. The page is one file that needs no network: it
plays, scrubs, turns and zooms, draws trails, colors and the observables over time, and shows the
neighbors and forces of a boid you click. Where the page would be larger than --size, frames are
left out evenly, and the command says so; between frames the page interpolates. docs/COMMANDS.md
says more.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ReplayArgs {
    /// A recording that can be read: .wbr, .npy, .npz, .csv, .tsv, .xyz or .txt; or two, which are
    /// shown side by side, in step since the first frame of each
    #[arg(value_name = "FILE", required = true, num_args = 1..=2)]
    pub files: Vec<String>,
    /// The page to write [default: the recordings' names with .html, in this folder]
    #[arg(short, long, value_name = "FILE.html")]
    pub out: Option<String>,
    /// Take every N-th frame only [default: 1]
    #[arg(long, value_name = "N")]
    pub every: Option<Given<Every>>,
    /// Megabytes the page may have, 1 to 1000; frames are left out until it fits [default: 25]
    #[arg(long, value_name = "MB")]
    pub size: Option<Given<Megabytes>>,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    #[command(flatten)]
    pub outline: OutlineValues,
    #[command(flatten)]
    pub read: ReadValues,
    #[command(flatten)]
    pub print: Print,
}

/// How large a page may be.
#[derive(Clone, Copy, Debug)]
pub struct Megabytes(f64);

impl OptionValue for Megabytes {
    fn read(text: &str) -> Result<Self, Refused> {
        let size = f64::read(text)?;
        let is_fine = (1.0..=1000.0).contains(&size);
        if is_fine { Ok(Self(size)) } else { Err("a number of megabytes, 1 to 1000".into()) }
    }
}

/// Reads, writes, reports.
pub fn replay(args: &ReplayArgs) -> Result<(), Failure> {
    let options = args.read.options()?;
    let limit = given(&args.size)
        .map_or(PageOptions::default().limit, |Megabytes(size)| (size * MEGABYTE as f64) as u64);
    let every = every(&args.every);
    let named = args.out.clone().unwrap_or_else(|| beside(&args.files));
    let mut files = Files::default();
    args.files.iter().try_for_each(|file| files.read(file))?;
    let outline = args.outline.lines(&mut files)?;
    let output = files.write("-o", &named, &["html"])?;
    if args.out.is_none() {
        check_may_write(&output, &named)?;
    }
    interrupt::listen()?;
    // Of two each has half the room.
    let limit = limit / args.files.len() as u64;
    let page_options = PageOptions { every, limit, outline };
    let made = args
        .files
        .iter()
        .map(|file| Made::of(file, args, &options, &page_options))
        .collect::<Result<Vec<_>, _>>()?;
    let both;
    let html = match &made[..] {
        [one, other] => {
            both = pair([(&one.page, &one.title()), (&other.page, &other.title())]);
            &both
        }
        _ => &made[0].page.html,
    };
    output.write(|out| out.write_all(html))?;
    let said = if args.print.json {
        let mut report = made[0].json();
        if made.len() > 1 {
            report = json!({ "recordings": made.iter().map(Made::json).collect::<Vec<_>>() });
        }
        let frames = made.iter().map(|made| made.page.frames as u64).max().unwrap_or(0);
        report["page"] = json!(Recorded { file: named.clone(), frames, bytes: html.len() as u64 });
        terminal::print(&format!("{report:#}\n"))
    } else {
        made.iter().for_each(|made| made.notes(every, limit));
        let frames = made.iter().map(|made| made.page.frames as u64).max().unwrap_or(0);
        let recorded = Recorded { file: named.clone(), frames, bytes: html.len() as u64 };
        let lines: String = made.iter().map(|made| made.line(args.files.len() > 1)).collect();
        terminal::say(&format!("{}: open it in a browser\n{lines}", recorded.line()))
    };
    if args.open {
        open::file(&named);
    }
    said
}

fn is_wbr(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wbr"))
}

/// A recording and its page.
struct Made<'a> {
    file: &'a str,
    page: Page,
    /// Frames of the recording.
    frames: usize,
    notes: Vec<String>,
}

impl<'a> Made<'a> {
    fn of(
        file: &'a str,
        args: &ReplayArgs,
        options: &Options,
        page_options: &PageOptions,
    ) -> Result<Self, Failure> {
        // How to read a table is no question of the .wbr beside it, which has all that by itself.
        let usual = Options::default();
        let is_beside_another = is_wbr(file) && !args.files.iter().all(|file| is_wbr(file));
        let mut footage =
            open_footage(Path::new(file), if is_beside_another { &usual } else { options })?;
        args.outline.check(footage.about().dimensions)?;
        let page = page_of(&mut footage, page_options)?;
        Ok(Self { file, page, frames: footage.len(), notes: footage.notes().to_vec() })
    }

    fn title(&self) -> String {
        Path::new(self.file)
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    fn json(&self) -> Value {
        let page = &self.page;
        json!({
            "from": self.file, "boids": page.boids,
            "frames_recorded": self.frames, "every": page.every,
            "position_error": page.position_error, "velocity_error": page.velocity_error,
        })
    }

    /// What a user should know of it.
    fn notes(&self, wanted: u64, limit: u64) {
        self.notes.iter().for_each(|note| terminal::note(note));
        if self.page.every > wanted {
            let (frames, size) = (grouped(self.page.frames as u64), limit as f64 / MEGABYTE as f64);
            let all = grouped(self.frames as u64);
            terminal::note(&format!(
                "thinned to {frames} of {all} frames, to stay within {size} MB (--size)"
            ));
        }
    }

    fn line(&self, is_one_of_two: bool) -> String {
        let of = if is_one_of_two { format!("{}: ", self.file) } else { String::new() };
        let Page { position_error, velocity_error, .. } = self.page;
        format!(
            "  {of}positions within {position_error:.2e}, velocities within \
            {velocity_error:.2e} of the recording's\n"
        )
    }
}

/// Opens a recording, and shows how far it is.
fn open_footage(path: &Path, options: &Options) -> Result<Frames, Failure> {
    let bar = progress::bytes();
    let opened = Frames::open(path, options, &progress::watch(&bar));
    bar.finish_and_clear();
    Ok(opened?)
}

/// The page of a recording; shows how far it is.
fn page_of(footage: &mut Frames, options: &PageOptions) -> Result<Page, Failure> {
    let bar = progress::counted(footage.len() as u64, "frames");
    let page = wingbeat_page::replay_watched(footage, options, &progress::watch(&bar));
    bar.finish_and_clear();
    Ok(page?)
}

/// What is said of a page that was written.
pub fn written(name: &str, page: &Page) -> Recorded {
    Recorded { file: name.to_string(), frames: page.frames as u64, bytes: page.html.len() as u64 }
}

/// The name of the page of recordings or a scene, in the folder one is in.
pub fn beside<S: AsRef<str>>(files: &[S]) -> String {
    let stem = |file: &S| {
        Path::new(file.as_ref())
            .file_stem()
            .map_or_else(|| "flock".into(), |stem| stem.to_string_lossy().into_owned())
    };
    format!("{}.html", files.iter().map(stem).collect::<Vec<_>>().join("-"))
}

/// Whether nothing is lost if a page is written there: there is no file, or a page that Wingbeat
/// wrote.
fn may_write(path: &Path) -> bool {
    use std::io::Read;
    match open_regular(path) {
        Ok((file, _)) => {
            let mut start = Vec::new();
            file.take(512).read_to_end(&mut start).is_ok() && is_page(&start)
        }
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Refuses a page of this name where [something would be lost](may_write).
pub fn check_may_write(output: &Output, name: &str) -> Result<(), Failure> {
    if may_write(output.path()) {
        return Ok(());
    }
    let flag = output.flag();
    Err(Failure::value(
        flag,
        name,
        &format!("another name, with {flag}: this file is there, and no page of Wingbeat's"),
    ))
}
