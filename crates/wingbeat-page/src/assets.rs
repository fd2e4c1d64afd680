//! The player: plain HTML, CSS and JavaScript, put together in one file.

/// What the first bytes of every page of ours hold, so that no other file is ever overwritten.
const MARKER: &str = "<!-- wingbeat page -->";

const HTML: &str = include_str!("../assets/page.html");
const STYLE: &str = include_str!("../assets/style.css");

/// The player's scripts, in the order in which they need each other.
const SCRIPTS: [&str; 13] = [
    include_str!("../assets/vectors.js"),
    include_str!("../assets/source.js"),
    include_str!("../assets/replay.js"),
    include_str!("../assets/explain.js"),
    include_str!("../assets/camera.js"),
    include_str!("../assets/shaders.js"),
    include_str!("../assets/renderer.js"),
    include_str!("../assets/pairs.js"),
    include_str!("../assets/overlay.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/inspector.js"),
    include_str!("../assets/controls.js"),
    include_str!("../assets/player.js"),
];

/// A page in two parts; what the page is to play goes between them, as `<script>` elements.
#[derive(Clone, Debug)]
pub struct Parts {
    /// From the first byte on.
    pub before: String,
    /// To the last.
    pub after: String,
}

/// The player, ready to be started by a script of the caller's: `start` runs when all of the page is there, with the player's
/// functions in `Wingbeat` (assets/source.js says what it plays, `Wingbeat.start` plays it). `connect` is what the page may
/// talk to, as a content security policy has it: `'none'`, or `'self'` where a server is behind it.
///
/// ```
/// let parts = wingbeat_page::player("a <title>", "Wingbeat.start(Wingbeat.replaySource(document));", "'none'");
/// assert!(parts.before.contains("<title>a &lt;title&gt;</title>"));
/// assert!(wingbeat_page::is_page(parts.before.as_bytes()) && parts.after.ends_with("</html>\n"));
/// ```
pub fn player(title: &str, start: &str, connect: &str) -> Parts {
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let page = HTML.replacen("<!--MARKER-->", MARKER, 1).replacen("<!--TITLE-->", &title, 1);
    let page = page.replacen("<!--CONNECT-->", connect, 1).replacen("/*STYLE*/", STYLE, 1);
    let (before, after) = page.split_once("<!--DATA-->\n").unwrap_or((&page, ""));
    let scripts = format!("<script>\n\"use strict\";\n{}\n{start}\n</script>", SCRIPTS.join("\n"));
    Parts { before: before.to_string(), after: after.replacen("<!--SCRIPTS-->", &scripts, 1) }
}

/// Whether these first bytes of a file (a few hundred suffice) are those of a page of ours.
pub fn is_page(start: &[u8]) -> bool {
    let start = &start[..start.len().min(512)];
    start.windows(MARKER.len()).any(|window| window == MARKER.as_bytes())
}
