//! The page `docs/KEYS.md`, generated from the table that reading a scene uses.

use std::fmt::Write;

use wingbeat::Model;
use wingbeat::steer::anticipation::anticipations;
use wingbeat::steer::model::models;

use crate::keys::{Key, KeyKind, SECTIONS, keys};
use crate::lists::MOST_POINTS;
use crate::named::header;
use crate::number::plain;

/// First lines of the page.
const HEAD: &str = "# Keys

Every key of a scene, written from the table by which scenes are read; [SCENES.md](SCENES.md) says \
what they do together.

";

/// The page of all keys, in Markdown: a table for each section, model and kind. A test compares
/// `docs/KEYS.md` with it.
pub fn key_tables() -> String {
    let mut text = HEAD.to_string();
    table(&mut text, "At the top of the file", "", "");
    for section in SECTIONS {
        table(&mut text, &format!("`{}`", header(section)), &format!("{section}."), "");
        for kind in kinds(section) {
            let title = format!("`{}` with `kind = \"{kind}\"`", header(section));
            table(&mut text, &title, &format!("{section}."), kind);
        }
        if *section == "model" {
            for model in models() {
                let title = format!("`[model]` with `name = \"{}\"`", model.name());
                table(&mut text, &title, "model.", model.name());
                let _ = write!(text, "{}\n\n", usual(&model));
            }
        }
        if *section == "anticipation" {
            for model in anticipations() {
                let title = format!("`[anticipation]` with `kind = \"{}\"`", model.name());
                table(&mut text, &title, "anticipation.", model.name());
            }
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// The kinds of a section's tables that have keys of their own.
fn kinds(section: &str) -> Vec<&'static str> {
    let key = keys().iter().find(|key| key.name.strip_prefix(section) == Some(".kind"));
    let Some(KeyKind::Choice(kinds)) = key.map(|key| &key.kind) else { return Vec::new() };
    let has_keys = |kind: &&&str| {
        keys().iter().any(|key| key.name.starts_with(section) && key.kinds.contains(*kind))
    };
    kinds.iter().filter(has_keys).copied().collect()
}

/// What a model is, and the defaults of its scenes.
fn usual(model: &Model) -> String {
    let usual = model.usual();
    let kind = if usual.periodic { "periodic" } else { "open" };
    format!(
        "{} Usual: flock.dt = {}, flock.dimensions = {}, domain.kind = \"{kind}\", spawn.speed = \
            {}.",
        model.about(),
        usual.dt,
        usual.dimensions,
        usual.speed
    )
}

fn table(text: &mut String, title: &str, prefix: &str, owner: &str) {
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "## {title}\n\n| key | unit | default | allowed | what it does |\n|---|---|---|---|---|\n"
    );
    let belongs = |key: &&Key| {
        let within = if prefix.is_empty() {
            !key.name.contains('.')
        } else {
            key.name.strip_prefix(prefix).is_some_and(|key| !key.contains('.'))
        };
        let owned =
            if owner.is_empty() { key.kinds.is_empty() } else { key.kinds.contains(&owner) };
        within && if key.model.is_empty() { owned } else { key.model == owner }
    };
    for key in keys().iter().filter(belongs) {
        let name = key.name.rsplit('.').next().unwrap_or(&key.name);
        let allowed = match &key.kind {
            KeyKind::Point(most) => {
                format!("one number per dimension, each {} to {}", plain(-most), plain(*most))
            }
            KeyKind::Points { least, .. } => {
                format!("{least} to {MOST_POINTS} points, each of one number per dimension")
            }
            KeyKind::PointOrTrue => "true, or one number per dimension".into(),
            kind => kind.allowed(3),
        };
        let _ = writeln!(
            text,
            "| `{name}` | {} | {} | {allowed} | {} |",
            key.unit, key.default, key.about
        );
    }
    text.push('\n');
}
