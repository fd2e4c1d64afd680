//! Pages that run a scene by themselves: one alone, and a gallery of many.

use serde_json::{Value, json};
use wingbeat_scene::{Machine, Override, Scene, SceneError, preset};
use wingbeat_session::{EditableScene, LiveFlock};

use crate::assets::{self, escape};
use crate::command;
use crate::packed::zipped;
use crate::scene::why_not;
use crate::start::start_element;

/// Most steps that a page makes before it first shows its flock; it also stops after a fraction of
/// a second.
const WARM_UP: u64 = 400;

/// What starts the player in such a page.
const START: &str = "Wingbeat.playScene(document);";

const GALLERY: &str = include_str!("../assets/gallery.html");

/// The heading of a page, and what a page of a gallery has above it.
const HEADING: &str = "<h1 id=\"title\"></h1>";
const TO_ALL: &str = "<a href=\"index.html\">All presets</a>\n  ";

/// A scene as a page has it.
struct Own {
    scene: Scene,
    name: String,
    title: String,
    data: String,
}

/// A page that runs a scene, a preset or a file, by itself: one file, no recording, no server.
///
/// ```
/// let page = wingbeat_page::scene_page("shoal", &[])?;
/// assert!(wingbeat_page::is_page(page.as_bytes()));
/// # Ok::<(), wingbeat_scene::SceneError>(())
/// ```
///
/// # Errors
/// When the scene is not accepted, or needs files beside the state that it starts from: a page
/// cannot read any.
pub fn scene_page(source: &str, overrides: &[Override]) -> Result<String, SceneError> {
    let own = own(source, overrides)?;
    let parts = assets::player(&own.title, START, "'none'", Some(own.scene.dimensions()));
    Ok(parts.before + &own.data + &parts.after)
}

/// A page with scenes in a menu and the text of the one that flies beside the flock, to be changed:
/// one file, no server. It begins with `source`; `menu` has presets.
///
/// # Errors
/// As [`scene_page`].
pub fn playground(
    source: &str,
    overrides: &[Override],
    menu: &[(&str, Vec<Override>)],
) -> Result<String, SceneError> {
    let own = own(source, overrides)?;
    let parts = assets::playground_player("Wingbeat's playground");
    let entry = |(name, overrides): &(&str, Vec<Override>)| {
        let group = preset(name).map(|preset| preset.group);
        let toml = EditableScene::load(name, overrides)?.toml().to_string();
        Ok(json!({ "name": name, "group": group, "toml": toml }))
    };
    let menu: Vec<Value> = menu.iter().map(entry).collect::<Result<_, SceneError>>()?;
    let presets = zipped(Value::from(menu).to_string().as_bytes());
    let presets = format!("<script type=\"text/plain\" id=\"presets\">{presets}</script>\n");
    Ok(parts.before + &own.data + &presets + &parts.after)
}

/// The page of a flock as it is now: as [`scene_page`], but it starts with these boids. What they
/// remember beside where they are and how they move stays behind.
///
/// # Errors
/// As [`scene_page`].
pub fn flock_page(flock: &LiveFlock) -> Result<String, SceneError> {
    let own = own_of(flock, true)?;
    let parts = assets::player(&own.title, START, "'none'", Some(own.scene.dimensions()));
    Ok(parts.before + &own.data + &parts.after)
}

/// A gallery: the files of a folder with a page for each scene, an `index.html` that leads to them,
/// and the scripts that they share. The index shows a picture `NAME.png` for each, which is the
/// caller's to draw.
///
/// # Errors
/// As [`scene_page`].
pub fn gallery(scenes: &[(&str, Vec<Override>)]) -> Result<Vec<(String, String)>, SceneError> {
    let mut files = assets::shared_files();
    let (mut cards, mut group) = (String::new(), "");
    for (source, overrides) in scenes {
        let its = preset(source).map_or("", |preset| preset.group);
        if its != group {
            group = its;
            cards += &format!("<h2>{}</h2>\n", escape(group));
        }
        let own = own(source, overrides)?;
        let parts = assets::player_beside(&own.title, START, own.scene.dimensions());
        let (name, about) = (escape(&own.name), escape(own.scene.about()));
        let title = own.scene.lesson().title;
        let title = if title.is_empty() { name.clone() } else { escape(&title) };
        let here = fewer(source, &own.scene)?;
        cards += &format!(
            "<a href=\"{name}.html\"><img src=\"{name}.png\" alt=\"\" \
                loading=\"lazy\"><h3>{title}</h3><p>{about}{here}</p></a>\n"
        );
        let before = parts.before.replacen(HEADING, &format!("{TO_ALL}{HEADING}"), 1);
        files.push((format!("{}.html", own.name), before + &own.data + &parts.after));
    }
    files
        .push(("index.html".into(), assets::marked(GALLERY).replacen("<!--CARDS-->\n", &cards, 1)));
    Ok(files)
}

/// What a card says where its page has fewer boids than the scene of that name.
fn fewer(source: &str, scene: &Scene) -> Result<String, SceneError> {
    let whole = Scene::load(source, &[])?.boids();
    let both = scene.boids().zip(whole).filter(|(here, whole)| here < whole);
    Ok(both.map_or_else(String::new, |(here, whole)| {
        format!(" ({} of {} {} on its page)", grouped(here), grouped(whole), scene.noun())
    }))
}

/// A count with its thousands apart: 100,000.
fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let triples: Vec<String> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|digits| String::from_utf8_lossy(digits).into_owned())
        .collect();
    triples.join(",")
}

fn own(source: &str, overrides: &[Override]) -> Result<Own, SceneError> {
    let tuned = EditableScene::load(source, overrides)?;
    let scene = tuned.scene();
    let (has_file, settings) = (scene.initial_file().is_some(), scene.settings());
    let mut keys = scene.lesson().sliders.into_iter().map(|(key, _)| key);
    if let Some(value) = keys.find(|key| settings.iter().all(|setting| setting.name != *key)) {
        return Err(SceneError::Value {
            place: source.into(),
            key: "page.sliders".into(),
            value,
            allowed: "keys that act, of rules that are there when the page begins".into(),
        });
    }
    // A scene that is accepted may still not be built; and only its flock tells which boids a file
    // lets it start with.
    own_of(&LiveFlock::new(tuned, Machine::default(), None, true)?, has_file)
}

/// The scene of a flock, and with `from_here` the boids that it has.
fn own_of(flock: &LiveFlock, from_here: bool) -> Result<Own, SceneError> {
    let (scene, toml) = (flock.scene().scene().clone(), flock.toml());
    if let Some(why) = why_not(&scene) {
        return Err(SceneError::Data { place: scene.name().to_string(), message: why });
    }
    let name = scene.name().rsplit(['/', '\\']).next().unwrap_or_default().to_string();
    let (command, is_whole) = command::command(scene.name(), &scene);
    let made = flock.flock().steps();
    let about = json!({
        "name": name,
        "about": scene.about(),
        "toml": toml,
        "warm_up": if made == 0 { (scene.steps() / 4).min(WARM_UP) } else { 0 },
        "explain": { "command": command, "is_whole": is_whole },
    });
    let start = if from_here { start_element(&flock.frame(0.0, [0.0; 3])) } else { String::new() };
    let lesson = scene.lesson();
    let title = if lesson.title.is_empty() { &name } else { &lesson.title };
    let (title, data) =
        (format!("{title} · Wingbeat"), assets::json_element("scene", &about) + &start);
    Ok(Own { scene, name, title, data })
}
