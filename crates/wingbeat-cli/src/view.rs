//! `wingbeat view`: a scene's flock in the browser, live.

use std::io::Write;
use std::net::IpAddr;
use std::time::Duration;

use clap::Args;
use wingbeat_view::{Options, PORT, View, ViewError};

use crate::failure::Failure;
use crate::options::{MachineValues, StartValues};
use crate::values::{Given, OptionValue, Refused, Whole, given, parsed};
use crate::{interrupt, open, terminal};

const EXAMPLES: &str = "\
Examples:
  wingbeat view shoal                                http://127.0.0.1:7747/: open it in a browser
  wingbeat view shoal --open                         the same, opened
  wingbeat view my.toml --port 0                     any free port; the address is printed
  wingbeat view murmuration --boids 20000 --speed 2  twice as fast as the scene's own time
  wingbeat view couzin2002 --paused --set model.noise=0.1

The page has a slider for every number of the scene. What the engine can change as it runs holds
from the next step on; other sliders are marked, and hold after Reset. Save scene gives the tuned
scene as TOML, for run, sweep and explain. Any number of pages show one flock; a slow one does not
slow it down. Only this machine can connect, unless --address says otherwise. Ctrl-C ends it, with
exit code 0. docs/COMMANDS.md says more.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ViewArgs {
    /// A TOML file, or a preset's name
    pub scene: String,
    /// Port to listen on, 0 to 65535; 0 takes a free one [default: 7747]
    #[arg(long, value_name = "P")]
    pub port: Option<Given<Whole<0, 65_535>>>,
    /// Address to listen on; any other than the default lets other machines in [default: 127.0.0.1]
    #[arg(long, value_name = "IP", allow_hyphen_values = true)]
    pub address: Option<Given<IpAddr>>,
    /// How much faster than the scene's own time, 0.001 to 1000000 [default: 1; 30 steps a second
    /// where steps are long]
    #[arg(long, value_name = "FACTOR")]
    pub speed: Option<Given<Speed>>,
    /// Start paused, until play is pressed in the page
    #[arg(long)]
    pub paused: bool,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    #[command(flatten)]
    pub start: StartValues,
    #[command(flatten)]
    pub machine: MachineValues,
}

/// Serves until Ctrl-C.
pub fn view(args: &ViewArgs) -> Result<(), Failure> {
    let address = given(&args.address).unwrap_or(Options::default().address);
    let options = Options {
        address,
        port: given(&args.port).map_or(PORT, |Whole(port)| port as u16),
        speed: given(&args.speed).map(|Speed(speed)| speed),
        paused: args.paused,
        machine: args.machine.machine(),
    };
    let overrides = args.start.overrides(None)?;
    interrupt::listen()?;
    let view = View::start(&args.scene, &overrides, &options)?;
    for note in view.notes() {
        terminal::note(&note.to_string());
    }
    if !address.is_loopback() {
        terminal::note(&format!(
            "{address} lets other machines look at this flock and change its \
            scene; there is no password"
        ));
    }
    let mut out = std::io::stdout();
    // A reader that closes its end after the address, as a script may, does not end the view.
    let _ = writeln!(out, "{}", view.url()).and_then(|()| out.flush());
    if args.open {
        open::open(&view.url());
    }
    while !interrupt::requested() {
        if !view.is_alive() {
            return Err(Failure::Other("the engine has stopped".into()));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    view.stop();
    Ok(())
}

/// A factor on the scene's own time; the flock refuses what is out of range.
#[derive(Clone, Copy, Debug)]
pub struct Speed(f64);

impl OptionValue for Speed {
    fn read(text: &str) -> Result<Self, Refused> {
        parsed(text, "a number, 0.001 to 1000000").map(Self)
    }
}

impl From<ViewError> for Failure {
    fn from(error: ViewError) -> Self {
        if error.is_bad_input() {
            Self::BadInput(error.to_string())
        } else {
            Self::Other(error.to_string())
        }
    }
}
