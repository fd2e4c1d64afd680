//! The player: plain HTML, CSS and JavaScript, put together in one file.

/// Stands in the first bytes of every page, so that other files can be told from pages and are never overwritten.
const MARKER: &str = "<!-- wingbeat page -->";

const HTML: &str = include_str!("../assets/page.html");
const STYLE: &str = include_str!("../assets/style.css");

/// The player's scripts, in the order in which they need each other.
const SCRIPTS: [&str; 17] = [
    include_str!("../assets/vectors.js"),
    include_str!("../assets/source.js"),
    include_str!("../assets/replay.js"),
    include_str!("../assets/explain.js"),
    include_str!("../assets/colors.js"),
    include_str!("../assets/sizes.js"),
    include_str!("../assets/camera.js"),
    include_str!("../assets/shaders.js"),
    include_str!("../assets/solids.js"),
    include_str!("../assets/renderer.js"),
    include_str!("../assets/pairs.js"),
    include_str!("../assets/overlay.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/legend.js"),
    include_str!("../assets/inspector.js"),
    include_str!("../assets/controls.js"),
    include_str!("../assets/player.js"),
];

/// The player's page in two parts; what it plays goes between them, as `<script>` elements.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlayerPage {
    /// From the first byte to the data.
    pub before: String,
    /// From the data to the last byte.
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
pub fn player(title: &str, start: &str, connect: &str) -> PlayerPage {
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let page = HTML.replacen("<!--MARKER-->", MARKER, 1).replacen("<!--TITLE-->", &title, 1);
    let page = page.replacen("<!--CONNECT-->", connect, 1).replacen("/*STYLE*/", STYLE, 1);
    let (before, after) = page.split_once("<!--DATA-->\n").unwrap_or((&page, ""));
    let scripts = format!("<script>\n\"use strict\";\n{}\n{start}\n</script>", SCRIPTS.join("\n"));
    PlayerPage { before: before.to_string(), after: after.replacen("<!--SCRIPTS-->", &scripts, 1) }
}

/// How large the player is.
pub fn bytes() -> u64 {
    (HTML.len() + STYLE.len() + SCRIPTS.iter().map(|script| script.len()).sum::<usize>()) as u64
}

/// Whether the first bytes of a file (512 suffice) are those of a page made by this crate.
pub fn is_page(start: &[u8]) -> bool {
    let start = &start[..start.len().min(512)];
    start.windows(MARKER.len()).any(|window| window == MARKER.as_bytes())
}
