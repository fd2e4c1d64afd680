//! The key tables of `docs/SCENES.md`, written from the table the reader itself goes by.

use std::fmt::Write;

use crate::document::allowed;
use crate::keys::{Key, Kind, SECTIONS, keys};

/// All keys as Markdown tables, one a section. A test holds `docs/SCENES.md` to this text.
pub fn key_tables() -> String {
    let mut text = String::new();
    table(&mut text, "At the top of the file", "");
    for section in SECTIONS {
        table(&mut text, &format!("`[{section}]`"), &format!("{section}."));
    }
    text
}

fn table(text: &mut String, title: &str, prefix: &str) {
    // Writing to a String cannot fail.
    let _ = write!(text, "### {title}\n\n| key | unit | default | allowed | what it does |\n|---|---|---|---|---|\n");
    let within = |key: &&Key| {
        if prefix.is_empty() { !key.name.contains('.') } else { key.name.starts_with(prefix) }
    };
    for key in keys().iter().filter(within) {
        let name = key.name.rsplit('.').next().unwrap_or(&key.name);
        let allowed = match &key.kind {
            Kind::Point => "one number per dimension, each -1e30 to 1e30".into(),
            Kind::PointOrTrue => "true, or one number per dimension".into(),
            kind => allowed(kind, 3),
        };
        let _ = writeln!(text, "| `{name}` | {} | {} | {allowed} | {} |", key.unit, key.default, key.about);
    }
    text.push('\n');
}
