//! A progress bar on standard error, and only where a person looks at it.

use std::fmt::Write;
use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// A bar for many runs at once: it fills by their steps, and its message says how many are done. Hidden as [`bar`] is.
pub fn runs(steps: u64, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr_with_hz(10));
    let template = "{bar:36.cyan/blue} {msg}  {elapsed} so far, {eta} left";
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// A bar with steps per second and time left; hidden unless standard error is a terminal.
pub fn bar(steps: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    // Ten times a second is smooth, and free beside the steps.
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr_with_hz(10));
    let template = "{bar:36.cyan/blue} {human_pos}/{human_len} steps  {rate}  {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
        // A bar that cannot be drawn is no reason to stop a run.
        let _ = write!(out, "{:.1} steps/s", state.per_sec());
    }));
    bar
}
