//! The command line that explains a boid of a recording.

use wingbeat_scene::Scene;

/// A scene's file is text that a person wrote; what is larger, or no file at all, is not read.
const LARGEST_SCENE: u64 = 1 << 20;

/// `wingbeat explain` of the scene, but for the boid and the step: with `--set` for all that the
/// run had otherwise than the file or preset of this name. Second, whether that is the whole of it;
/// it is not where the scene's file is not at hand.
pub(crate) fn command(name: &str, scene: &Scene) -> (String, bool) {
    let from = is_at_hand(name).then(|| Scene::load(name, &[]).ok()).flatten();
    let changes = from.and_then(|from| scene.changes_from(&from));
    let is_whole = changes.is_some();
    let changes = changes
        .unwrap_or_default()
        .into_iter()
        .map(|change| format!(" --set {}", shell_word(&change)));
    (format!("wingbeat explain {}{}", shell_word(name), changes.collect::<String>()), is_whole)
}

/// A recording may come from anywhere and name anything: a device, for one, never ends.
fn is_at_hand(name: &str) -> bool {
    wingbeat_scene::preset(name).is_some()
        || std::fs::metadata(name)
            .is_ok_and(|about| about.is_file() && about.len() <= LARGEST_SCENE)
}

/// A text as one word of the shell that is usual on this system.
fn shell_word(text: &str) -> String {
    if cfg!(windows) { windows_word(text) } else { posix_word(text) }
}

fn posix_word(text: &str) -> String {
    if is_plain(text, "_-+./,:=@%") {
        text.to_string()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// A word of `cmd` and of PowerShell, or where they have no way in common, of PowerShell.
fn windows_word(text: &str) -> String {
    if is_plain(text, "_-+./:=\\") {
        text.to_string()
    } else if !text.contains(['"', '$', '`', '%']) {
        format!("\"{text}\"")
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

/// Whether a text has letters, digits and these characters only.
fn is_plain(text: &str, others: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stays_one_word() {
        assert_eq!(posix_word("my/scene.toml"), "my/scene.toml");
        assert_eq!(posix_word("a b"), "'a b'");
        assert_eq!(posix_word("a\\b"), "'a\\b'");
        assert_eq!(posix_word("it's; rm"), "'it'\\''s; rm'");
        assert_eq!(posix_word(""), "''");
        assert_eq!(windows_word("C:\\my\\scene.toml"), "C:\\my\\scene.toml");
        assert_eq!(windows_word("a=[1, 2]"), "\"a=[1, 2]\"");
        assert_eq!(windows_word("a=1,2"), "\"a=1,2\"");
        assert_eq!(windows_word("it's & rm"), "\"it's & rm\"");
        assert_eq!(windows_word("a=[\"it's\"]"), "'a=[\"it''s\"]'");
        assert_eq!(windows_word("$a"), "'$a'");
        assert_eq!(windows_word(""), "\"\"");
    }

    #[test]
    fn what_is_no_scene_file_is_not_read() {
        assert!(
            is_at_hand("shoal")
                && !is_at_hand("/dev/zero")
                && !is_at_hand("nowhere.toml")
                && !is_at_hand("/")
        );
    }
}
