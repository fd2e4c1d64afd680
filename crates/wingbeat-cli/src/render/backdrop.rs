//! `--background` with pictures: what the camera saw, behind what was tracked in it.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use wingbeat_render::{Backdrop, Background, Extent, Image, png};

use super::args::{BackgroundArea, RenderArgs};
use super::source::FrameSource;
use crate::failure::Failure;
use crate::files::Files;
use crate::values::given;

const FLAG: &str = "--background";
const ALLOWED: &str = "dark, light, a .png, a folder with a .png for each frame, or their name \
    with %d for the frame's number";

/// Pictures behind frames.
pub struct Backdrops {
    given: String,
    files: BackdropKind,
    /// Where the upper left and the lower right corner are, where that was said.
    area: Option<[[f32; 2]; 2]>,
    /// What the lengths of a picture's pixels are, to the right and down.
    pixel: [f32; 2],
    /// The picture read last, its corners, and of which file it is.
    last: Option<(PathBuf, Extent)>,
}

enum BackdropKind {
    One(PathBuf),
    /// One for each frame, in the order of their numbers.
    Folder(Vec<PathBuf>),
    /// What stands before and behind the number of a frame, and how many digits it has at least.
    Numbered(String, usize, String),
}

/// What the option says: a color, or pictures.
pub fn background(
    args: &RenderArgs,
    files: &mut Files,
) -> Result<(Option<Background>, Option<Backdrops>), Failure> {
    let area = given(&args.background_area).map(|BackgroundArea(corners)| corners);
    let text = match args.background.as_deref() {
        Some(text) if !["dark", "light"].contains(&text) => text,
        color => {
            if let Some(area) = &args.background_area {
                return Err(Failure::value(
                    "--background-area",
                    &area.text,
                    "nothing without a picture, as --background names it",
                ));
            }
            let color = color
                .map(|name| if name == "light" { Background::Light } else { Background::Dark });
            return Ok((Some(color.unwrap_or_default()), None));
        }
    };
    let kind = kind(text)?;
    match &kind {
        BackdropKind::One(path) => files.read(path)?,
        BackdropKind::Folder(paths) => paths.iter().try_for_each(|path| files.read(path))?,
        // Which ones are read is not known yet; all have this form.
        BackdropKind::Numbered(..) => {}
    }
    Ok((
        None,
        Some(Backdrops { given: text.into(), files: kind, area, pixel: [1.0, 1.0], last: None }),
    ))
}

fn kind(text: &str) -> Result<BackdropKind, Failure> {
    let refuse = || Failure::value(FLAG, text, ALLOWED);
    let path = Path::new(text);
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|_| refuse())?;
        let mut paths: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| is_png(path))
            .collect();
        // frame_10 comes behind frame_9.
        paths.sort_by_cached_key(|path| (number_in(path), path.clone()));
        return if paths.is_empty() { Err(refuse()) } else { Ok(BackdropKind::Folder(paths)) };
    }
    if !is_png(path) {
        return Err(refuse());
    }
    let Some((before, rest)) = text.split_once('%') else {
        return Ok(BackdropKind::One(path.into()));
    };
    let (digits, after) = rest.split_once('d').ok_or_else(refuse)?;
    let digits = if digits.is_empty() {
        0
    } else {
        digits.parse().ok().filter(|&count| count <= 20).ok_or_else(refuse)?
    };
    Ok(BackdropKind::Numbered(before.into(), digits, after.into()))
}

fn is_png(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}

/// The last whole number in a file's name.
fn number_in(path: &Path) -> Option<u64> {
    let name = path.file_stem()?.to_string_lossy().into_owned();
    let digits = name.rsplit(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty())?;
    digits.parse().ok()
}

impl Backdrops {
    /// Refuses what cannot be, and takes from the recording how long a pixel is.
    pub fn settle(&mut self, source: &FrameSource) -> Result<(), Failure> {
        if source.dimensions() != 2 {
            return Err(Failure::value(
                FLAG,
                &self.given,
                "dark or light in space: pictures are of the plane",
            ));
        }
        if let BackdropKind::Folder(paths) = &self.files
            && (paths.len() as u64) < source.len()
        {
            let allowed = format!(
                "a folder with a .png for each of the {} frames; it has {}",
                source.len(),
                paths.len()
            );
            return Err(Failure::value(FLAG, &self.given, &allowed));
        }
        let [x, y, _] = source.factors();
        self.pixel = [x as f32, y as f32];
        Ok(())
    }

    /// The picture for a frame, by its place and its number; `None` if it is that of the frame
    /// before.
    pub fn next(&mut self, k: u64, number: i64) -> Result<Option<(Backdrop, Image)>, Failure> {
        let path = match &self.files {
            BackdropKind::One(path) => path.clone(),
            BackdropKind::Folder(paths) => paths[k as usize].clone(),
            BackdropKind::Numbered(before, digits, after) => {
                format!("{before}{number:0digits$}{after}").into()
            }
        };
        if self.last.as_ref().is_some_and(|(last, _)| *last == path) {
            return Ok(None);
        }
        let refuse = |why: String| Failure::BadInput(format!("{FLAG} {}: {why}", path.display()));
        let (file, _): (File, u64) = wingbeat_record::open_regular(&path)
            .map_err(|error| refuse(format!("cannot be read ({error}): allowed is a .png")))?;
        let image = png::read(BufReader::new(file)).map_err(refuse)?;
        let [from, to] = self.area.unwrap_or_else(|| {
            // Where positions are pixels of the picture: its first one is at 0,0.
            let size =
                [image.width() as f32 * self.pixel[0], image.height() as f32 * self.pixel[1]];
            [[0.0, 0.0], size]
        });
        let sides = [0, 1].map(|a| {
            if from[a] < to[a] { [from[a], to[a]] } else { [to[a], from[a]] }.map(f64::from)
        });
        let [[x0, x1], [y0, y1]] = sides;
        self.last = Some((path, Extent { low: [x0, y0, 0.0], high: [x1, y1, 0.0] }));
        Ok(Some((Backdrop::new(image.clone(), from, to), image)))
    }

    /// What the picture read last covers.
    pub fn extent(&self) -> Option<Extent> {
        self.last.as_ref().map(|(_, extent)| *extent)
    }
}
