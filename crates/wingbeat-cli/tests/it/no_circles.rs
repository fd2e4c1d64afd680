//! The modules of the command use each other in one direction only: a file, what it needs, what that needs, and never back.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Which modules each module names in its code; a module names those that lie in its folder.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// Files of a folder as `module`, `folder::module`, with their code.
fn modules(folder: &Path, parent: &str, found: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let name = if parent.is_empty() { stem.to_string() } else { format!("{parent}::{stem}") };
        if path.is_dir() {
            modules(&path, &name, found);
        } else if name != "main" {
            let text = std::fs::read_to_string(&path).expect("a source");
            let code = text.split("#[cfg(test)]\nmod tests").next().expect("code");
            let code = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
            found.insert(name.strip_suffix("::mod").map_or(name.clone(), str::to_string), code);
        }
    }
}

/// The paths that `a::{b, c::{d, e}}` stands for, each behind `before`.
fn paths(text: &str, before: &str, found: &mut Vec<String>) {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(text.len());
    let path = format!("{before}{}", &text[..end]);
    if !text[end..].starts_with('{') || !path.ends_with("::") {
        return found.push(path);
    }
    let (mut depth, mut start) = (0, end + 1);
    for (i, c) in text.char_indices().skip_while(|(i, _)| *i < end) {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if (c == ',' && depth == 1) || depth == 0 {
            paths(text[start..i].trim_start(), &path, found);
            start = i + 1;
        }
        if depth == 0 {
            return;
        }
    }
}

fn uses(sources: &BTreeMap<String, String>) -> Uses {
    let module_of = |path: &str| {
        let prefixes = path.match_indices("::").map(|(i, _)| &path[..i]).chain([path]);
        prefixes.filter(|prefix| sources.contains_key(*prefix)).last().map(str::to_string)
    };
    let of = |name: &String, code: &String| {
        let parent = name.rsplit_once("::").map_or(String::new(), |(parent, _)| format!("{parent}::"));
        let mut named = Vec::new();
        for (word, before) in [("crate::", ""), ("super::", parent.as_str())] {
            code.match_indices(word).for_each(|(i, _)| paths(&code[i + word.len()..], before, &mut named));
        }
        let inner = sources.keys().filter(|other| other.starts_with(&format!("{name}::"))).cloned();
        named.iter().filter_map(|path| module_of(path)).chain(inner).filter(|other| other != name).collect()
    };
    sources.iter().map(|(name, code)| (name.clone(), of(name, code))).collect()
}

/// What is left when modules that use nothing that is left are taken away, again and again: circles, and who leads to them.
fn circles(mut uses: Uses) -> Uses {
    while let Some(done) = uses.iter().find(|(_, used)| used.is_empty()).map(|(name, _)| name.clone()) {
        uses.remove(&done);
        uses.values_mut().for_each(|used| drop(used.remove(&done)));
    }
    uses
}

#[test]
fn no_two_modules_use_each_other() {
    let mut sources = BTreeMap::new();
    modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut sources);
    let found = uses(&sources);
    for (one, other) in [("run", "files"), ("files", "output"), ("render::source", "terminal"), ("sweep::runs", "sweep::journal")]
    {
        assert!(found[one].contains(other), "{one} uses {other}, which was not found: {:?}", found[one]);
    }
    assert_eq!(circles(found), Uses::new(), "modules in circles, or that lead to one");
}

#[test]
fn circles_are_found() {
    let sources = [
        ("a", "use crate::{b::{B, C}, d};"),
        ("b", "use crate::c::x;"),
        ("c", ""),
        ("c::inner", "fn f() { crate::a::f() }"),
        ("d", "use crate::c::X;"),
    ];
    let left = circles(uses(&sources.map(|(name, code)| (name.to_string(), code.to_string())).into()));
    assert_eq!(left.into_keys().collect::<Vec<_>>(), ["a", "b", "c", "c::inner", "d"]);
}
