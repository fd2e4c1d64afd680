//! What can be typed after `wingbeat render`.

use clap::Args;
use wingbeat_render::{Color, Fit};

use crate::options::{ReadValues, SceneValues, Threads};
use crate::outline::OutlineValues;
use crate::values::{Every, Given, OneOf, OptionValue, Refused, Word, parsed};

const EXAMPLES: &str = "\
Examples:
  wingbeat render shoal.wbr --png shoal.png                      the last frame
  wingbeat render shoal.wbr --gif shoal.gif --every 5
  wingbeat render murmuration --steps 300 --png birds.png --camera -60,25
  wingbeat render vicsek1995 --set model.noise=0.1 --steps 400 --mp4 vicsek.mp4 \
    --trails 30 --rate 30
  wingbeat render couzin2002 --frame 1000..1300 --gif torus.gif --turn 1 --trails 20 \
    --background light
  wingbeat render fish.npy --png frames/fish.png --every 10      fish_000000.png, fish_000001.png, …
  wingbeat render hunter_prey --steps 200 --png hunt.png         each species has its color
  wingbeat render fish.csv --gif fish.gif --species kinds.csv
  wingbeat render fish.csv --gif fish.gif --fps 32 --y-down --map-columns x=X1,y=Y1
  wingbeat render fish.npy --mp4 fish.mp4 --y-down --background video/%05d.png \
    --outline circle:900,-540,500

The first argument is a recording (.wbr, .npz, .npy, .csv, .tsv, .xyz, .txt), or a scene, which is
stepped as `run` does: frame N is then the state after N steps. --png draws one frame; with --every,
or a range of frames, it draws a sequence and numbers the files from 0. A GIF needs nothing, an MP4
an installed ffmpeg. Nothing needs a GPU or a display, and the same input gives the same bytes on
any number of threads. Ctrl-C stops with exit code 130: files of a sequence that are there are
whole, a film is not begun. docs/COMMANDS.md says more.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct RenderArgs {
    /// A recording, a scene's TOML file, or a preset's name
    pub input: String,
    /// Draw a frame as PNG; with --every or --frame A..B a sequence, FILE_000000.png and so on
    #[arg(
        long,
        value_name = "FILE.png",
        required_unless_present_any = ["gif", "mp4"],
        conflicts_with_all = ["gif", "mp4"]
    )]
    pub png: Option<String>,
    /// Make a GIF that goes round
    #[arg(long, value_name = "FILE.gif", conflicts_with = "mp4")]
    pub gif: Option<String>,
    /// Make an MP4, with an installed ffmpeg
    #[arg(long, value_name = "FILE.mp4")]
    pub mp4: Option<String>,
    /// Draw every N-th frame only [default: 1 for films]
    #[arg(long, value_name = "N")]
    pub every: Option<Given<Every>>,
    /// Which frame, or which to which [default: the last for one PNG, all otherwise]
    #[arg(long, value_name = "N|A..B")]
    pub frame: Option<Given<FrameRange>>,
    /// Pixels, 16x16 to 16384x16384 [default: within 1920x1080, a GIF 960x540; in the plane of the
    /// world's shape]
    #[arg(long, value_name = "WxH")]
    pub size: Option<Given<Pixels>>,
    /// What colors say: heading, speed or species [default: species where there are two to eight,
    /// else heading]
    #[arg(long, value_name = "WHAT")]
    pub color: Option<Given<OneOf<Color>>>,
    /// Who is of which species, whatever the flock itself says: a CSV with columns id and species,
    /// at most eight
    #[arg(long, value_name = "FILE.csv")]
    pub species: Option<String>,
    /// dark or light; or what the camera saw: a .png, a folder of them or a name with %d, one for
    /// each frame [default: dark]
    #[arg(long, value_name = "WHICH|FILE.png|FOLDER")]
    pub background: Option<String>,
    /// Where a picture behind lies, after scaling [default: positions are its pixels, from the
    /// upper left corner]
    #[arg(long, value_name = "XMIN,YMIN,XMAX,YMAX", allow_hyphen_values = true)]
    pub background_area: Option<Given<BackgroundArea>>,
    #[command(flatten)]
    pub outline: OutlineValues,
    /// Trails over the last N frames, 0 to 1000 [default: 0]
    #[arg(long, value_name = "N")]
    pub trails: Option<Given<Trails>>,
    /// In space: from which side and how high, degrees. 0,0 is from x, 90,0 from y, 0,90 from above
    /// [default: -60,18]
    #[arg(long, value_name = "AZIMUTH,ELEVATION", allow_hyphen_values = true)]
    pub camera: Option<Given<Angles>>,
    /// How much nearer than what shows everything, 0.01 to 1000 [default: 1]
    #[arg(long, value_name = "Z")]
    pub zoom: Option<Given<f64>>,
    /// In space: degrees the camera goes around from picture to picture, -360 to 360 [default: 0]
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true)]
    pub turn: Option<Given<f64>>,
    /// What pictures are fitted to: domain, or flock to follow it [default: domain; flock in open
    /// space]
    #[arg(long, value_name = "WHAT")]
    pub fit: Option<Given<OneOf<Fit>>>,
    /// Length of a boid in pixels in the middle of the picture, 1 to 200 [default: by how far apart
    /// they are]
    #[arg(long, value_name = "PIXELS")]
    pub length: Option<Given<f64>>,
    /// No scale bar, legend and time
    #[arg(long)]
    pub plain: bool,
    /// Pictures a second of a film, 0.1 to 1000, of a GIF at most 50 [default: 25]
    #[arg(long, value_name = "R")]
    pub rate: Option<Given<f64>>,
    #[command(flatten)]
    pub read: ReadValues,
    #[command(flatten)]
    pub threads: Threads,
    #[command(flatten)]
    pub values: SceneValues,
}

impl Word for Color {
    const WORDS: &[(&str, Self)] =
        &[("heading", Self::Heading), ("speed", Self::Speed), ("species", Self::Species)];
}

impl Word for Fit {
    const WORDS: &[(&str, Self)] = &[("domain", Self::Domain), ("flock", Self::Flock)];
}

/// `N` or `A..B`: first and last frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameRange(pub [u64; 2]);

impl OptionValue for FrameRange {
    fn read(text: &str) -> Result<Self, Refused> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let range = first.trim().parse().ok().zip(last.trim().parse().ok());
        range
            .filter(|(first, last): &(u64, u64)| first <= last)
            .map(|(first, last)| Self([first, last]))
            .ok_or_else(|| "a whole number from 0, or two as in 100..200".into())
    }
}

/// `1920x1080`.
#[derive(Clone, Copy, Debug)]
pub struct Pixels(pub [u32; 2]);

impl OptionValue for Pixels {
    fn read(text: &str) -> Result<Self, Refused> {
        let sides = text
            .split_once(['x', 'X'])
            .and_then(|(wide, high)| Some([wide.parse().ok()?, high.parse().ok()?]));
        sides.map(Self).ok_or_else(|| "WIDTHxHEIGHT in pixels, as in 1920x1080".into())
    }
}

/// Frames that a trail is long; the painter refuses too many.
#[derive(Clone, Copy, Debug)]
pub struct Trails(pub usize);

impl OptionValue for Trails {
    fn read(text: &str) -> Result<Self, Refused> {
        parsed(text, "0 to 1000 frames").map(Self)
    }
}

/// Azimuth and elevation, degrees.
#[derive(Clone, Copy, Debug)]
pub struct Angles(pub [f64; 2]);

impl OptionValue for Angles {
    fn read(text: &str) -> Result<Self, Refused> {
        let angles: Option<Vec<f64>> =
            text.split(',').map(|part| part.trim().parse().ok()).collect();
        angles
            .and_then(|angles| angles.try_into().ok())
            .map(Self)
            .ok_or_else(|| "AZIMUTH,ELEVATION in degrees, as in -60,18".into())
    }
}

/// `XMIN,YMIN,XMAX,YMAX`: upper left and lower right corner.
#[derive(Clone, Copy, Debug)]
pub struct BackgroundArea(pub [[f32; 2]; 2]);

impl OptionValue for BackgroundArea {
    fn read(text: &str) -> Result<Self, Refused> {
        let [x0, y0, x1, y1] = <[f64; 4]>::read(text)?.map(|x| x as f32);
        let is_fine = x0 < x1 && y0 < y1 && [x0, y0, x1, y1].iter().all(|x| x.abs() <= 1e12);
        let allowed = "XMIN,YMIN,XMAX,YMAX with XMIN < XMAX and YMIN < YMAX";
        if is_fine { Ok(Self([[x0, y1], [x1, y0]])) } else { Err(allowed.into()) }
    }
}
