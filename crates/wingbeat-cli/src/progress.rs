//! Progress bars with the time left, on standard error, and only where a person looks at it.

use std::fmt::Write;
use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::{interrupt, terminal};

/// What is left to do before what is done can be said.
const LEFT: &str = "{eta} left";

/// A bar for many runs at once: it fills by their steps, and its message says how many are done.
pub fn runs(steps: u64) -> ProgressBar {
    bar_of(steps, &format!("{{msg}}  {{elapsed}} so far, {LEFT}"))
}

/// A bar over so many steps or frames, with how many a second.
pub fn counted(count: u64, what: &'static str) -> ProgressBar {
    let bar = bar_of(count, &format!("{{human_pos}}/{{human_len}} {what}  {{rate}}  {LEFT}"));
    let rate = move |state: &ProgressState, out: &mut dyn Write| {
        // A bar that cannot be drawn is no reason to stop a run.
        let _ = write!(out, "{:.1} {what}/s", state.per_sec());
    };
    bar.set_style(bar.style().with_key("rate", rate));
    bar
}

/// A bar for [`watch`], whose length is told on the way.
pub fn bytes() -> ProgressBar {
    bar_of(1, LEFT)
}

/// Shows how far watched work is, and stops it at Ctrl-C.
pub fn watch(bar: &ProgressBar) -> impl Fn(u64, u64) -> bool {
    |done, of| {
        bar.set_length(of);
        bar.set_position(done);
        !interrupt::requested()
    }
}

/// Hidden unless standard error is a terminal that can draw a line again, and --quiet was not
/// given.
fn bar_of(length: u64, says: &str) -> ProgressBar {
    if terminal::is_quiet() || !std::io::stderr().is_terminal() || terminal::is_dumb() {
        return ProgressBar::hidden();
    }
    // Ten times a second is smooth, and free beside the steps.
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(10));
    let colors = if terminal::has_colors() { ".cyan/blue" } else { "" };
    let style = ProgressStyle::with_template(&format!("{{bar:36{colors}}} {says}"));
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
