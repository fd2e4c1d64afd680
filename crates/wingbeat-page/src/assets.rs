//! The player: plain HTML, CSS and JavaScript, and the engine as a WebAssembly module, put together
//! in one file.

use std::sync::OnceLock;

use serde_json::{Map, Value, json};
use wingbeat::steer::RuleId;

use crate::packed::{text_of, zipped};

/// Stands in the first bytes of every page, so that other files can be told from pages and are
/// never overwritten.
const MARKER: &str = "<!-- wingbeat page -->";

const HTML: &str = include_str!("../assets/page.html");
const STYLES: [&str; 2] =
    [include_str!("../assets/style.css"), include_str!("../assets/panel.css")];

/// Reads what is packed; the first script of all.
const UNPACK: &str = include_str!("../assets/unpack.js");

/// What the page and its worker both have.
const SHARED: [&str; 2] = [include_str!("../assets/module.js"), include_str!("../assets/frame.js")];

/// The worker's own script.
const WORKER: &str = include_str!("../assets/worker.js");

/// The player's scripts, in the order in which they need each other.
const SCRIPTS: [&str; 27] = [
    include_str!("../assets/vectors.js"),
    include_str!("../assets/source.js"),
    include_str!("../assets/engine.js"),
    include_str!("../assets/near.js"),
    include_str!("../assets/replay.js"),
    include_str!("../assets/live.js"),
    include_str!("../assets/colors.js"),
    include_str!("../assets/sizes.js"),
    include_str!("../assets/camera.js"),
    include_str!("../assets/bodies.js"),
    include_str!("../assets/shaders.js"),
    include_str!("../assets/solids.js"),
    include_str!("../assets/renderer.js"),
    include_str!("../assets/pairs.js"),
    include_str!("../assets/overlay.js"),
    include_str!("../assets/places.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/legend.js"),
    include_str!("../assets/others.js"),
    include_str!("../assets/inspector.js"),
    include_str!("../assets/elements.js"),
    include_str!("../assets/panel.js"),
    include_str!("../assets/controls.js"),
    include_str!("../assets/save.js"),
    include_str!("../assets/player.js"),
    include_str!("../assets/flight.js"),
    include_str!("../assets/play.js"),
];

/// What a playground has beside.
const PLAYGROUND: [&str; 2] =
    [include_str!("../assets/playground.js"), include_str!("../assets/playground.css")];

/// Pictures that the notes of sliders show, by the last word of their keys. `examples/falloffs.rs`
/// draws this one.
const PICTURES: [(&str, &str); 1] = [("falloff", include_str!("../assets/falloff.svg"))];

/// The engine for pages, compressed with gzip. `crates/wingbeat-web/build` makes them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum EngineFor {
    Plane,
    Space,
    /// For pages that can have any scene.
    Both,
}

impl EngineFor {
    pub fn dimensions(dimensions: usize) -> Self {
        if dimensions > 2 { Self::Space } else { Self::Plane }
    }

    fn module(self) -> &'static [u8] {
        match self {
            Self::Plane => include_bytes!("../assets/engine/plane.wasm.gz"),
            Self::Space => include_bytes!("../assets/engine/space.wasm.gz"),
            Self::Both => include_bytes!("../assets/engine/both.wasm.gz"),
        }
    }

    /// The file of a gallery that has it.
    fn file(self) -> &'static str {
        match self {
            Self::Plane => "engine-plane.js",
            Self::Space => "engine-space.js",
            Self::Both => "engine-both.js",
        }
    }

    /// The engine as a script, which the player's looks for.
    fn script(self) -> String {
        format!("const packedEngine = \"{}\";\n", text_of(self.module()))
    }
}

/// The player's page in two parts; what it plays goes between them, as `<script>` elements.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlayerPage {
    /// From the first byte to the data.
    pub before: String,
    /// From the data to the last byte.
    pub after: String,
}

/// The player, ready to be started by a script of the caller's: `start` runs when all of the page
/// is there, with the player's functions in `Wingbeat` (assets/source.js says what it plays,
/// assets/play.js and flight.js start it). `connect` is what the page may talk to, as a content
/// security policy has it: `'none'`, or `'self'` where a server is behind it. `engine` is for how
/// many dimensions the page carries the engine, if it does.
///
/// ```
/// let parts =
///     wingbeat_page::player("a <title>", "Wingbeat.playRecording(document);", "'none'", None);
/// assert!(parts.before.contains("<title>a &lt;title&gt;</title>"));
/// assert!(wingbeat_page::is_page(parts.before.as_bytes()) && parts.after.ends_with("</html>\n"));
/// ```
pub fn player(title: &str, start: &str, connect: &str, engine: Option<usize>) -> PlayerPage {
    static PLAYER: OnceLock<String> = OnceLock::new();
    let player = PLAYER.get_or_init(|| zipped(player_script().as_bytes()));
    let engine = engine.map(EngineFor::dimensions);
    page_of(title, &STYLES.concat(), connect, &scripts(engine, player, start))
}

/// The playground, ready to be started.
pub(crate) fn playground_player(title: &str) -> PlayerPage {
    let [script, style] = PLAYGROUND;
    let player = zipped((player_script() + &lean(script)).as_bytes());
    // The page as it is written, to be saved with another scene: before anything is changed.
    let start = "Wingbeat.playground(document);";
    let scripts = scripts(Some(EngineFor::Both), &player, start).replacen(
        "const packedPlayer",
        &format!(
            "Wingbeat.written = \"<!doctype html>\\n{MARKER}\\n\" + \
             document.documentElement.outerHTML;\nconst packedPlayer"
        )
        .replace("<!--", "<\\!--"),
        1,
    );
    page_of(title, &(STYLES.concat() + style), "'none'", &scripts)
}

/// Engine, packed player and what starts it.
fn scripts(engine: Option<EngineFor>, player: &str, start: &str) -> String {
    let engine = engine.map(|engine| format!("<script>\n{}</script>\n", engine.script()));
    format!(
        "{}<script>\n{}const packedPlayer = \"{player}\";\n\
         Wingbeat.run(packedPlayer).then(() => {{ {start} }});\n</script>",
        engine.unwrap_or_default(),
        lean(UNPACK)
    )
}

fn page_of(title: &str, style: &str, connect: &str, scripts: &str) -> PlayerPage {
    let style = format!("<style>\n{style}</style>");
    page(title, &style, "'unsafe-inline'", connect, scripts)
}

/// The same with style, player and engine in [files](shared_files) beside the page, which several
/// pages share.
pub(crate) fn player_beside(title: &str, start: &str, dimensions: usize) -> PlayerPage {
    let scripts = format!(
        "<script src=\"{}\"></script>\n<script src=\"player.js\"></script>\n<script>\n{start}\n\
            </script>",
        EngineFor::dimensions(dimensions).file()
    );
    page(
        title,
        "<link rel=\"stylesheet\" href=\"player.css\">",
        "'unsafe-inline' 'self'",
        "'none'",
        &scripts,
    )
}

/// What pages of [`player_beside`] share: names and contents.
pub(crate) fn shared_files() -> Vec<(String, String)> {
    let mut files = vec![
        ("player.js".to_string(), lean(UNPACK) + &player_script()),
        ("player.css".to_string(), STYLES.concat()),
    ];
    let engines = [EngineFor::Plane, EngineFor::Space];
    files.extend(engines.map(|engine| (engine.file().to_string(), engine.script())));
    files
}

/// `from` is where scripts and styles may come from, as a content security policy has it.
fn page(title: &str, style: &str, from: &str, connect: &str, scripts: &str) -> PlayerPage {
    let page = marked(HTML).replacen("<!--TITLE-->", &escape(title), 1);
    let page = page.replace("<!--FROM-->", from).replacen("<!--CONNECT-->", connect, 1).replacen(
        "<!--STYLE-->",
        style,
        1,
    );
    let (before, after) = page.split_once("<!--DATA-->\n").unwrap_or((&page, ""));
    PlayerPage { before: before.to_string(), after: after.replacen("<!--SCRIPTS-->", scripts, 1) }
}

/// A page with the mark by which it is known again.
pub(crate) fn marked(html: &str) -> String {
    html.replacen("<!--MARKER-->", MARKER, 1)
}

/// A text for HTML.
///
/// ```
/// assert_eq!(wingbeat_page::escape("a < \"b\""), "a &lt; &quot;b&quot;");
/// ```
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn player_script() -> String {
    let shared = lean(&SHARED.concat());
    // In a script element, `<` alone could end it early.
    let worker = json!(format!("{}{shared}{}Wingbeat.work();\n", lean(UNPACK), lean(WORKER)))
        .to_string()
        .replace('<', "\\u003c");
    let pictures: Map<String, Value> =
        PICTURES.iter().map(|(key, svg)| (key.to_string(), data_url(svg).into())).collect();
    let pictures = Value::from(pictures);
    let rules: Vec<Value> =
        RuleId::ALL.iter().map(|rule| json!({"name": rule.name(), "hue": rule.hue()})).collect();
    let rules = Value::from(rules);
    format!(
        "{shared}Wingbeat.workerCode = {worker};\nWingbeat.pictures = {pictures};\n\
         Wingbeat.rules = {rules};\n{}",
        lean(&SCRIPTS.concat())
    )
}

/// A picture as an address that holds it.
fn data_url(svg: &str) -> String {
    let escaped = |c: char| match c {
        '%' | '#' | '"' | '<' | '>' => format!("%{:02X}", u32::from(c)),
        c => c.to_string(),
    };
    format!("data:image/svg+xml,{}", svg.chars().map(escaped).collect::<String>())
}

/// A script without its comment lines and indentation, a third of its bytes.
pub(crate) fn lean(script: &str) -> String {
    let lines = script
        .lines()
        .map(str::trim_start)
        .filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// A `<script>` element that holds JSON.
pub(crate) fn json_element(id: &str, value: &Value) -> String {
    // In a script element, `<` alone could end it early.
    let text = value.to_string().replace('<', "\\u003c");
    format!("<script type=\"application/json\" id=\"{id}\">{text}</script>\n")
}

/// Whether the first bytes of a file (512 suffice) are those of a page made by this crate.
pub fn is_page(start: &[u8]) -> bool {
    let start = &start[..start.len().min(512)];
    start.windows(MARKER.len()).any(|window| window == MARKER.as_bytes())
}
