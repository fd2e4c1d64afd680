//! The player: plain HTML, CSS and JavaScript, and the engine as a WebAssembly module, put together in one file.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

/// Stands in the first bytes of every page, so that other files can be told from pages and are never overwritten.
const MARKER: &str = "<!-- wingbeat page -->";

const HTML: &str = include_str!("../assets/page.html");
const STYLES: [&str; 2] = [include_str!("../assets/style.css"), include_str!("../assets/panel.css")];

/// What the page and its worker both have.
const SHARED: [&str; 2] = [include_str!("../assets/module.js"), include_str!("../assets/frame.js")];

/// The worker's own script.
const WORKER: &str = include_str!("../assets/worker.js");

/// The player's scripts, in the order in which they need each other.
const SCRIPTS: [&str; 20] = [
    include_str!("../assets/vectors.js"),
    include_str!("../assets/source.js"),
    include_str!("../assets/engine.js"),
    include_str!("../assets/near.js"),
    include_str!("../assets/replay.js"),
    include_str!("../assets/live.js"),
    include_str!("../assets/socket.js"),
    include_str!("../assets/camera.js"),
    include_str!("../assets/shaders.js"),
    include_str!("../assets/renderer.js"),
    include_str!("../assets/pairs.js"),
    include_str!("../assets/overlay.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/inspector.js"),
    include_str!("../assets/panel.js"),
    include_str!("../assets/controls.js"),
    include_str!("../assets/save.js"),
    include_str!("../assets/player.js"),
    include_str!("../assets/flight.js"),
    include_str!("../assets/play.js"),
];

/// The engine for pages, compressed with gzip, for the plane and for space. `crates/wingbeat-web/build` makes them.
const ENGINES: [&[u8]; 2] = [include_bytes!("../assets/engine/plane.wasm.gz"), include_bytes!("../assets/engine/space.wasm.gz")];

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
/// functions in `Wingbeat` (assets/source.js says what it plays, assets/play.js and flight.js start it). `connect` is what the page may
/// talk to, as a content security policy has it: `'none'`, or `'self'` where a server is behind it. `engine` is for how many dimensions
/// the page carries the engine, if it does.
///
/// ```
/// let parts = wingbeat_page::player("a <title>", "Wingbeat.playRecording(document);", "'none'", None);
/// assert!(parts.before.contains("<title>a &lt;title&gt;</title>"));
/// assert!(wingbeat_page::is_page(parts.before.as_bytes()) && parts.after.ends_with("</html>\n"));
/// ```
pub fn player(title: &str, start: &str, connect: &str, engine: Option<usize>) -> PlayerPage {
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let page = HTML.replacen("<!--MARKER-->", MARKER, 1).replacen("<!--TITLE-->", &title, 1);
    let page = page.replacen("<!--CONNECT-->", connect, 1).replacen("/*STYLE*/", &STYLES.join("\n"), 1);
    let (before, after) = page.split_once("<!--DATA-->\n").unwrap_or((&page, ""));
    let mut before = before.to_string();
    if let Some(dimensions) = engine {
        let module = BASE64_STANDARD.encode(ENGINES[usize::from(dimensions > 2)]);
        before += &format!("<script type=\"text/plain\" id=\"engine\">{module}</script>\n");
        before += &format!("<script type=\"text/plain\" id=\"worker\">\n{WORKER}Wingbeat.work();\n</script>\n");
    }
    let shared = format!("<script id=\"shared\">\n\"use strict\";\nconst Wingbeat = {{}};\n{}</script>\n", SHARED.join("\n"));
    let scripts = format!("{shared}<script>\n\"use strict\";\n{}\n{start}\n</script>", SCRIPTS.join("\n"));
    PlayerPage { before, after: after.replacen("<!--SCRIPTS-->", &scripts, 1) }
}

/// A `<script>` element that holds JSON.
pub(crate) fn json_element(id: &str, value: &serde_json::Value) -> String {
    // In a script element, `<` alone could end it early.
    let text = value.to_string().replace('<', "\\u003c");
    format!("<script type=\"application/json\" id=\"{id}\">{text}</script>\n")
}

/// Whether the first bytes of a file (512 suffice) are those of a page made by this crate.
pub fn is_page(start: &[u8]) -> bool {
    let start = &start[..start.len().min(512)];
    start.windows(MARKER.len()).any(|window| window == MARKER.as_bytes())
}
