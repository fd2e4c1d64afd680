//! `wingbeat page`: a page that runs a scene by itself, or a gallery of all presets.

use std::path::Path;

use clap::Args;
use serde_json::json;
use wingbeat_scene::{Machine, Override, PRESETS, Preset, Scene, preset};

use crate::failure::Failure;
use crate::files::Files;
use crate::options::{Print, StartValues};
use crate::replay::{beside, check_may_write};
use crate::{open, still, terminal};

/// Boids of a preset on a page, at most, unless a flag gives their number: what any machine flies
/// smoothly, and large enough to follow.
const PAGE_BOIDS: usize = 2000;

/// What a playground begins with where no scene is given.
const FIRST: &str = "three_rules";

/// Steps before its picture is drawn.
const GALLERY_STEPS: u64 = 300;

/// Longest sides of that picture, pixels.
const GALLERY_PICTURE: [u32; 2] = [360, 225];

const EXAMPLES: &str = "\
Examples:
  wingbeat page shoal --open                    shoal.html, opened in a browser
  wingbeat page my.toml -o fish.html --boids 2000
  wingbeat page mesa --title Herding --sliders model.cohere_factor,model.match_factor
                                                a lesson: what to look at comes first
  wingbeat page couzin2002 --set model.noise=0.1
  wingbeat page --playground -o index.html      all presets, and the scene's text to play with
  wingbeat page --gallery docs/gallery          a folder of pages, one for every preset, \
                                                that share the engine

The page is one file that needs no network and no server: it carries the engine, compiled for
browsers, and the scene. The flock flies in it, bit for bit as `wingbeat run` has it, with a slider
for every number of the scene; press a boid to see why it goes where it goes. A page steps on one
thread: 10,000 boids fly smoothly on most machines. docs/COMMANDS.md says more.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ScenePageArgs {
    /// A TOML file, or a preset's name
    #[arg(required_unless_present_any = ["gallery", "playground"])]
    pub scene: Option<String>,
    /// The page to write [default: the scene's name with .html, in this folder]
    #[arg(short, long, value_name = "FILE.html")]
    pub out: Option<String>,
    /// Write a folder of pages in place of one: every preset, with at most 2,000 boids, and an
    /// index.html
    #[arg(
        long,
        value_name = "FOLDER",
        conflicts_with_all = ["scene", "out", "boids", "seed", "dt", "initial", "set"]
    )]
    pub gallery: Option<String>,
    /// Heading of the page [default: the scene's page.title, or its name]
    #[arg(long, value_name = "TEXT", conflicts_with = "gallery")]
    pub title: Option<String>,
    /// A few sentences beside the flock, in Markdown [default: the scene's page.text]
    #[arg(long, value_name = "MARKDOWN", conflicts_with = "gallery")]
    pub text: Option<String>,
    /// Keys whose sliders come first, with commas between [default: the scene's page.sliders, or
    /// the weights of its rules]
    #[arg(long, value_name = "KEY,KEY", conflicts_with = "gallery")]
    pub sliders: Option<String>,
    /// A playground: every preset in a menu, and the scene's text beside the flock, to be changed
    #[arg(long, conflicts_with = "gallery")]
    pub playground: bool,
    /// Open the page, or the gallery's index, in a browser
    #[arg(long)]
    pub open: bool,
    #[command(flatten)]
    pub start: StartValues,
    #[command(flatten)]
    pub print: Print,
}

/// Builds, writes, reports.
pub fn page(args: &ScenePageArgs) -> Result<(), Failure> {
    if let Some(folder) = &args.gallery {
        return gallery(folder, args);
    }
    let scene = args.scene.as_deref().unwrap_or(FIRST);
    let usual = || if args.playground { "playground.html".into() } else { beside(&[scene]) };
    let named = args.out.clone().unwrap_or_else(usual);
    let mut files = Files::default();
    let output = files.write("-o", &named, &["html"])?;
    if args.out.is_none() {
        check_may_write(&output, &named)?;
    }
    let mut overrides = args.start.overrides(None)?;
    let words = [("--title", &args.title), ("--text", &args.text), ("--sliders", &args.sliders)];
    overrides.extend(words.into_iter().filter_map(|(flag, text)| {
        Some(Override::text(flag, &format!("page.{}", &flag[2..]), text.as_ref()?))
    }));
    let fewer = few(scene, &overrides)?;
    let shown = fewer.as_ref().map(|(_, whole)| *whole);
    overrides.extend(fewer.map(|(fewer, _)| fewer));
    files.read_scene(scene, &Scene::load(scene, &overrides)?)?;
    let page = if args.playground {
        wingbeat_page::playground(scene, &overrides, &all()?)?
    } else {
        wingbeat_page::scene_page(scene, &overrides)?
    };
    output.write(|out| out.write_all(page.as_bytes()))?;
    if args.open {
        open::file(&named);
    }
    if args.print.json {
        let report = json!({ "scene": scene, "page": { "file": named, "bytes": page.len() } });
        return terminal::print(&format!("{report:#}\n"));
    }
    let fewer = shown.map_or_else(String::new, |whole| {
        format!(", {} of the preset's {whole} boids: --boids gives others", PAGE_BOIDS)
    });
    terminal::say(&format!(
        "{named}: open it in a browser ({} kB{fewer})\n",
        page.len().div_ceil(1000)
    ))
}

/// How a preset gets fewer boids on its page where it has too many to follow and nothing gives
/// their number; with that the number that it has.
fn few(source: &str, overrides: &[Override]) -> Result<Option<(Override, usize)>, Failure> {
    let is_given = overrides.iter().any(|given| given.key() == "flock.boids");
    if is_given || preset(source).is_none() {
        return Ok(None);
    }
    let whole = Scene::load(source, overrides)?.boids().unwrap_or(0);
    let fewer = || Override::flag("page", "flock.boids", &PAGE_BOIDS.to_string());
    Ok((whole > PAGE_BOIDS).then(|| (fewer(), whole)))
}

/// All presets, each with what makes it small enough for a page.
fn all() -> Result<Vec<(&'static str, Vec<Override>)>, Failure> {
    let small = |preset: &Preset| {
        let few = few(preset.name, &[])?;
        Ok((preset.name, few.into_iter().map(|(few, _)| few).collect()))
    };
    PRESETS.iter().map(small).collect()
}

/// Every preset as a page, with a picture for the index.
fn gallery(folder: &str, args: &ScenePageArgs) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Other(format!("{folder}: {error}"));
    let scenes = all()?;
    let pages = wingbeat_page::gallery(&scenes)?;
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut files = Files::default();
    let mut bytes = 0;
    for (name, text) in &pages {
        let path = Path::new(folder).join(name).display().to_string();
        files
            .write("--gallery", &path, &["html", "js", "css"])?
            .write(|out| out.write_all(text.as_bytes()))?;
        bytes += text.len();
    }
    for (name, overrides) in &scenes {
        let scene = Scene::load(name, overrides)?;
        let mut built = scene.build(&Machine::default())?;
        (0..scene.steps().min(GALLERY_STEPS)).try_for_each(|_| built.step(scene.dt()))?;
        let flock = built.flock;
        let path = Path::new(folder).join(format!("{name}.png")).display().to_string();
        let output = files.write("--gallery", &path, &["png"])?;
        still::write_in(&flock, flock.time(), &scene, &output, GALLERY_PICTURE)?;
        bytes += std::fs::metadata(&path).map_or(0, |about| about.len() as usize);
    }
    if args.open {
        open::file(&Path::new(folder).join("index.html").display().to_string());
    }
    if args.print.json {
        let report = json!({ "gallery": folder, "pages": scenes.len(), "bytes": bytes });
        return terminal::print(&format!("{report:#}\n"));
    }
    terminal::say(&format!(
        "{folder}: {} pages, {} kB; open index.html in a browser\n",
        scenes.len(),
        bytes.div_ceil(1000)
    ))
}
