//! The page `docs/KEYS.md`, generated from the table that reading a scene uses.

use std::fmt::Write;

use wingbeat::steer::Model;

use crate::keys::{Key, KeyKind, SECTIONS, keys};
use crate::lists::MOST_POINTS;
use crate::named::{self, header};
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
        let prefix = format!("{section}.");
        table(&mut text, &format!("`{}`", header(section)), &prefix, "");
        for kind in kinds(section) {
            let (header, tag) = (header(section), named::tag(section));
            table(&mut text, &format!("`{header}` with `{tag} = \"{kind}\"`"), &prefix, kind);
            if let Some(model) = Model::named(kind).filter(|_| *section == "model") {
                let _ = write!(text, "{}\n\n", usual(&model));
            }
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// The kinds of a section's tables that have keys of their own.
fn kinds(section: &str) -> Vec<&'static str> {
    let tag = format!("{section}.{}", named::tag(section));
    let key = keys().iter().find(|key| key.name == tag);
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
        within && owned
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
