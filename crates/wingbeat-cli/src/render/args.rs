//! What can be typed after `wingbeat render`.

use clap::Args;

use crate::options::{ReadValues, SceneValues, Threads};
use crate::outline::OutlineValues;

const EXAMPLES: &str = "\
Examples:
  wingbeat render shoal.wbr --png shoal.png                      the last frame
  wingbeat render shoal.wbr --gif shoal.gif --every 5
  wingbeat render murmuration --steps 300 --png birds.png --camera -60,25 --unit m
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
whole, a film is not begun. docs/PICTURES.md says more.";

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
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub every: Option<String>,
    /// Which frame, or which to which [default: the last for one PNG, all otherwise]
    #[arg(long, value_name = "N|A..B", allow_negative_numbers = true)]
    pub frame: Option<String>,
    /// Pixels, 16x16 to 16384x16384 [default: within 1920x1080, a GIF 960x540; in the plane of the
    /// world's shape]
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// What colors say: heading, speed or species [default: species where there are two to eight,
    /// else heading]
    #[arg(long, value_name = "WHAT")]
    pub color: Option<String>,
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
    pub background_area: Option<String>,
    #[command(flatten)]
    pub outline: OutlineValues,
    /// Trails over the last N frames, 0 to 1000 [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub trails: Option<String>,
    /// In space: from which side and how high, degrees. 0,0 is from x, 90,0 from y, 0,90 from above
    /// [default: -60,18]
    #[arg(long, value_name = "AZIMUTH,ELEVATION", allow_hyphen_values = true)]
    pub camera: Option<String>,
    /// How much nearer than what shows everything, 0.01 to 1000 [default: 1]
    #[arg(long, value_name = "Z", allow_negative_numbers = true)]
    pub zoom: Option<String>,
    /// In space: degrees the camera goes around from picture to picture, -360 to 360 [default: 0]
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true)]
    pub turn: Option<String>,
    /// What pictures are fitted to: domain, or flock to follow it [default: domain; flock in open
    /// space]
    #[arg(long, value_name = "WHAT")]
    pub fit: Option<String>,
    /// Length of a boid in pixels in the middle of the picture, 1 to 200 [default: by how far apart
    /// they are]
    #[arg(long, value_name = "PIXELS", allow_negative_numbers = true)]
    pub length: Option<String>,
    /// What a length of 1 is called beside the scale bar [default: units]
    #[arg(long, value_name = "NAME")]
    pub unit: Option<String>,
    /// No scale bar, legend and time
    #[arg(long)]
    pub plain: bool,
    /// Pictures a second of a film, 0.1 to 1000, of a GIF at most 50 [default: 25]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub rate: Option<String>,
    #[command(flatten)]
    pub read: ReadValues,
    #[command(flatten)]
    pub threads: Threads,
    #[command(flatten)]
    pub values: SceneValues,
}
