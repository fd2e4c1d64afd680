//! `--open`: shows a page in the user's browser. Not being able to is a warning: the page is there
//! all the same.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::terminal;

/// How long a browser may take to fail. One that cannot start says so sooner; one that runs until
/// its window is closed is left alone.
const PATIENCE: Duration = Duration::from_secs(1);

/// Opens a page that was written.
pub fn file(name: &str) {
    let path = std::path::absolute(name).unwrap_or_else(|_| name.into());
    open(&path.display().to_string());
}

/// Opens a file by its whole path, or an address.
pub fn open(target: &str) {
    let mut failure = "no browser was found".to_string();
    for mut browser in browsers(target) {
        match started(&mut browser) {
            Ok(()) => return,
            Err(error) => {
                let name = Path::new(browser.get_program()).display().to_string();
                failure = format!("{name}: {error}");
            }
        }
    }
    terminal::warn(&format!("cannot open a browser ({failure}): open {target} in one"));
}

/// Starts a browser, and waits for a while whether it fails.
fn started(browser: &mut Command) -> io::Result<()> {
    let mut child =
        browser.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(io::Error::other(status.to_string())),
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
    Ok(())
}

/// What opens a target, the preferred one first. No shell is asked, to which a name could be a
/// command.
#[cfg(all(unix, not(target_os = "macos")))]
fn browsers(target: &str) -> Vec<Command> {
    use std::os::unix::process::CommandExt;
    // $BROWSER is a list of commands; %s stands for the target, which otherwise comes last.
    let listed = std::env::var("BROWSER").unwrap_or_default();
    let usual = ["xdg-open", "gio open", "wslview"];
    let lines = listed.split(':').chain(usual).map(str::trim).filter(|line| !line.is_empty());
    let command = |line: &str| {
        let mut words: Vec<String> =
            line.split_whitespace().map(|word| word.replace("%s", target)).collect();
        if !line.contains("%s") {
            words.push(target.to_string());
        }
        let mut command = Command::new(&words[0]);
        // In a group of its own, so that Ctrl-C ends the view and not the browser.
        command.args(&words[1..]).process_group(0);
        command
    };
    lines.map(command).collect()
}

/// What opens a target.
#[cfg(target_os = "macos")]
fn browsers(target: &str) -> Vec<Command> {
    let mut command = Command::new("open");
    command.arg(target);
    vec![command]
}

/// What opens a target. `start` would need a shell, to which a name could be a command.
#[cfg(windows)]
fn browsers(target: &str) -> Vec<Command> {
    let mut command = Command::new("rundll32");
    command.args(["url.dll,FileProtocolHandler", target]);
    vec![command]
}

/// Nothing is known that opens a target.
#[cfg(not(any(unix, windows)))]
fn browsers(_target: &str) -> Vec<Command> {
    Vec::new()
}
