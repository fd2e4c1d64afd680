//! `wingbeat page`: a page that runs a scene by itself.

use clap::Args;
use serde_json::json;
use wingbeat_scene::Scene;

use crate::failure::Failure;
use crate::files::Files;
use crate::options::{Print, StartValues};
use crate::replay::{beside, may_write};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  wingbeat page shoal                           shoal.html: open it in a browser
  wingbeat page my.toml -o fish.html --boids 2000
  wingbeat page couzin2002 --set model.noise=0.1

The page is one file that needs no network and no server: it carries the engine, compiled for browsers, and the scene. The flock flies in
it, bit for bit as `wingbeat run` has it, with a slider for every number of the scene; press a boid to see why it goes where it goes. A
page steps on one thread: 10,000 boids fly smoothly on most machines. docs/REPLAY.md says more.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ScenePageArgs {
    /// A TOML file, or a preset's name
    pub scene: String,
    /// The page to write [default: the scene's name with .html, in this folder]
    #[arg(short, long, value_name = "FILE.html")]
    pub out: Option<String>,
    #[command(flatten)]
    pub start: StartValues,
    #[command(flatten)]
    pub print: Print,
}

/// Builds, writes, reports.
pub fn page(args: &ScenePageArgs) -> Result<(), Failure> {
    let named = args.out.clone().unwrap_or_else(|| beside(&args.scene));
    let mut files = Files::default();
    let output = files.write("-o", &named, &["html"])?;
    if args.out.is_none() && !may_write(output.path()) {
        let allowed = "another name, with -o: this file is there, and no page of Wingbeat's";
        return Err(Failure::value("-o", &named, allowed));
    }
    let overrides = args.start.overrides(None)?;
    files.read_scene(&args.scene, &Scene::load(&args.scene, &overrides)?)?;
    let page = wingbeat_page::scene_page(&args.scene, &overrides)?;
    output.write(|out| out.write_all(page.as_bytes()))?;
    if args.print.json {
        let report = json!({ "scene": args.scene, "page": { "file": named, "bytes": page.len() } });
        return terminal::print(&format!("{report:#}\n"));
    }
    terminal::say(&format!("{named}: open it in a browser ({} kB)\n", page.len().div_ceil(1000)))
}
