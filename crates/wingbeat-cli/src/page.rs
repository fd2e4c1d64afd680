//! The page that `run` ends in: frames are recorded on their own thread while the flock steps, and
//! become a page afterwards.

use std::io::IsTerminal;
use std::path::Path;

use clap::Args;
use wingbeat_page::{PageOptions, frames_that_fit};
use wingbeat_record::{Frames, Options};
use wingbeat_scene::{AnyFlock, Built, Scene};

use crate::failure::Failure;
use crate::files::Files;
use crate::output::Output;
use crate::record::Record;
use crate::replay::{beside, check_may_write, written};
use crate::report::Recorded;
use crate::terminal;

/// More frames than these make no better film, and a page takes longer to open.
const MOST_FRAMES: u64 = 1500;

/// What may be chosen of it.
#[derive(Args, Debug, Default, PartialEq)]
pub struct PageArgs {
    /// Write a web page that replays the run [default: SCENE.html on a terminal, else none]
    #[arg(long, value_name = "FILE.html", conflicts_with = "no_html")]
    pub html: Option<String>,
    /// Write no page, not even on a terminal
    #[arg(long)]
    pub no_html: bool,
    /// Open the page in the browser when the run is over; writes one (SCENE.html) where none was
    /// asked for
    #[arg(long, conflicts_with = "no_html")]
    pub open: bool,
}

/// A page that is being recorded for.
pub struct RunPage {
    target: PageTarget,
    /// What goes wrong with it while the flock steps ends it, and not the run.
    record: Result<Record, Failure>,
    /// Holds the recording, and takes it away.
    folder: tempfile::TempDir,
}

/// Where a page is to go.
pub struct PageTarget {
    name: String,
    output: Output,
    /// Whether the user asked for it: then the command fails without it.
    is_asked_for: bool,
}

impl PageArgs {
    /// Where the page is to go, if there is to be one: refused before the run if it cannot be
    /// written.
    pub fn target(
        &self,
        scene: &str,
        json: bool,
        files: &mut Files,
    ) -> Result<Option<PageTarget>, Failure> {
        let name = match &self.html {
            Some(name) => name.clone(),
            None if self.open || !self.no_html && !json && std::io::stdout().is_terminal() => {
                beside(&[scene])
            }
            None => return Ok(None),
        };
        let output = files.write("--html", &name, &["html"]);
        // A page that was not asked for: where it cannot be written, the run goes on without it.
        let is_asked_for = self.html.is_some() || self.open;
        let output = if is_asked_for {
            output?
        } else if let Ok(output) = output {
            output
        } else {
            return Ok(None);
        };
        match check_may_write(&output, &name) {
            Ok(()) => Ok(Some(PageTarget { name, output, is_asked_for })),
            Err(refusal) if is_asked_for => Err(refusal),
            Err(_) => {
                terminal::warn(&format!(
                    "{name} is there and no page of Wingbeat's: it stays, and no page is written \
                        (--html FILE.html writes elsewhere)"
                ));
                Ok(None)
            }
        }
    }
}

/// How many steps lie between frames of a page of a run, that it keep within its room, bytes.
fn steps_apart(scene: &Scene, built: &Built, limit: u64) -> u64 {
    let wanted = (scene.steps() + 1).min(MOST_FRAMES);
    let fit = frames_that_fit(built.flock.len(), built.flock.dimensions(), wanted, limit);
    scene.steps().div_ceil(fit.max(2) - 1).max(1)
}

/// What a page of frames so many [steps apart](steps_apart) is made with: they were chosen by an
/// estimate, and a page a little larger is better than one of half the frames.
fn of_chosen_frames(limit: u64) -> PageOptions {
    PageOptions { limit: limit / 4 * 5, ..PageOptions::default() }
}

impl RunPage {
    /// Begins to record, as many steps apart as the page has room for.
    pub fn start(target: PageTarget, built: &Built, scene: &Scene) -> Result<Self, Failure> {
        let folder = tempfile::tempdir()
            .map_err(|error| Failure::Other(format!("no page {}: {error}", target.name)))?;
        let path = folder.path().join("run.wbr");
        let every = steps_apart(scene, built, PageOptions::default().limit);
        Ok(Self { target, record: Record::to(&path, built, scene, every), folder })
    }

    /// Whether it is its turn.
    pub fn is_due(&self, made: u64) -> bool {
        self.record.as_ref().is_ok_and(|record| record.is_due(made))
    }

    /// Records the flock, if it is its turn.
    pub fn capture(&mut self, flock: &AnyFlock, made: u64) {
        if let Ok(record) = &mut self.record
            && let Err(failure) = record.capture(flock, made)
        {
            self.record = Err(failure);
        }
    }

    /// Writes the page. One that was not asked for and that cannot be written is a warning.
    pub fn finish(self) -> Result<Option<Recorded>, Failure> {
        let Self { target: PageTarget { name, output, is_asked_for }, record, folder } = self;
        let made = record.and_then(Record::finish).and_then(|recorded| {
            let mut footage =
                Frames::open(Path::new(&recorded.file), &Options::default(), &|_, _| true)?;
            let page = wingbeat_page::replay(
                &mut footage,
                &of_chosen_frames(PageOptions::default().limit),
            )?;
            output.write(|out| out.write_all(&page.html))?;
            Ok(written(&name, &page))
        });
        drop(folder);
        let Err(failure) = made else { return made.map(Some) };
        let message = match failure {
            Failure::BadInput(why) | Failure::Other(why) | Failure::Stopped(why) => {
                format!("no page {name}: {why}")
            }
            other => return Err(other),
        };
        if is_asked_for {
            return Err(Failure::Other(message));
        }
        terminal::warn(&message);
        Ok(None)
    }
}
