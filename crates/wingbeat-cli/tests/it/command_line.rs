//! What people expect of any command: help, completions, quiet, colours.

#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};

use crate::common::{Lab, text};

const POND: &str = "[flock]\nboids = 60\ndimensions = 2\nseed = 7\n[domain]\nkind = \"periodic\"\n\
    [separation]\nradius = 0.8\n[alignment]\n[cohesion]\nradius = 1.5\n";

fn ok(lab: &Lab, args: &[&str]) -> (String, String) {
    let output = lab.wingbeat(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

/// Names of all subcommands, as the help lists them.
fn subcommands(lab: &Lab) -> Vec<String> {
    let (help, _) = ok(lab, &["--help"]);
    let listed = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty());
    listed
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_string)
        .collect()
}

#[test]
fn every_subcommand_has_help_with_examples() {
    let lab = Lab::new();
    let names = subcommands(&lab);
    assert!(names.len() >= 12, "{names:?}");
    for name in names {
        let (help, _) = ok(&lab, &[&name, "--help"]);
        assert!(
            help.contains("Example") && help.contains(&format!("  wingbeat {name}")),
            "{name}: {help}"
        );
        assert!(help.contains("--quiet"), "{name}: {help}");
    }
}

/// Every key of the table stands in the schema, in its own table and with its own range.
#[test]
fn the_schema_has_every_key() {
    let lab = Lab::new();
    let (schema, _) = ok(&lab, &["schema"]);
    let schema: serde_json::Value = serde_json::from_str(&schema).expect("JSON");
    for key in wingbeat_scene::keys() {
        let mut table = &schema;
        for part in key.name.split('.') {
            let inside = if part == "*" { "additionalProperties" } else { "properties" };
            table = &table[inside];
            table = if part == "*" { table } else { &table[part] };
        }
        let about = table["description"].as_str().unwrap_or_else(|| panic!("{}", key.name));
        assert!(about.contains("Default: "), "{}: {about}", key.name);
    }
    let drive = &schema["properties"]["drive"]["additionalProperties"];
    let kinds = drive["properties"]["kind"]["enum"].as_array().expect("kinds");
    assert_eq!(drive["allOf"].as_array().map(Vec::len), Some(kinds.len()));
    let dt = &schema["properties"]["flock"]["properties"]["dt"];
    assert_eq!((&dt["exclusiveMinimum"], &dt["type"]), (&0.0.into(), &"number".into()));
}

#[test]
fn completions_and_the_manual_know_every_subcommand() {
    let lab = Lab::new();
    let names = subcommands(&lab);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (script, _) = ok(&lab, &["completions", shell]);
        assert!(
            names.iter().all(|name| script.contains(name.as_str())) && script.contains("trails"),
            "{shell}"
        );
    }
    let (manual, _) = ok(&lab, &["man"]);
    assert!(
        manual.contains(".TH wingbeat") && names.iter().all(|name| manual.contains(name.as_str()))
    );
    let output = lab.wingbeat(&["completions", "tcsh"]);
    assert_eq!(
        (output.status.code(), text(&output.stderr).lines().count()),
        (Some(2), 1),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn quiet_says_nothing_but_results() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    lab.write("start.csv", "id,x,y\n0,1,1\n1,2,2\n");
    lab.json(&[&scene, "--steps", "3", "--record", "a.wbr"]);
    let csv = ["convert", "a.wbr", "a.csv"];
    assert!(ok(&lab, &csv).0.contains("a.csv"));
    for args in [
        &["convert", "a.csv", "b.xyz"][..],
        &["sweep", &scene, "--steps", "3", "--set", "seed=1..2", "--out", "s.csv"],
        &["render", "a.csv", "--png", "a.png", "--size", "32x32"],
        &["plot", "a.csv", "-o", "a.svg"],
    ] {
        assert!(!ok(&lab, args).0.is_empty(), "{args:?}");
        assert_eq!(
            ok(&lab, &[args, &["--quiet"]].concat()),
            (String::new(), String::new()),
            "{args:?}"
        );
        assert_eq!(
            ok(&lab, &[&["--quiet"], args].concat()),
            (String::new(), String::new()),
            "{args:?}"
        );
    }
    // Results stay, notes go.
    let run =
        ["run", &scene, "--steps", "3", "--initial", "start.csv", "--set", "domain.kind=open"];
    assert!(ok(&lab, &run).1.contains("note: "));
    let (result, notes) = ok(&lab, &[&run[..], &["--quiet"]].concat());
    assert!(result.contains("polarization") && notes.is_empty(), "{result} {notes}");
    assert!(ok(&lab, &["measure", "a.wbr", "--quiet"]).0.contains("polarization"));
    // Errors stay.
    assert!(
        text(&lab.wingbeat(&["run", "nowhere.toml", "--quiet"]).stderr).contains("nowhere.toml")
    );
}

/// What a person sees on a terminal of this kind.
#[cfg(target_os = "linux")]
fn on_a_terminal(lab: &Lab, environment: &[(&str, &str)], args: &str) -> String {
    let command = format!("{} {args}", env!("CARGO_BIN_EXE_wingbeat"));
    let mut script = Command::new("script");
    script
        .args(["-qec", &command, "/dev/null"])
        .current_dir(lab.folder())
        .env_remove("NO_COLOR")
        .env("TERM", "xterm-256color");
    let output = script.envs(environment.iter().copied()).stdin(Stdio::null()).output();
    let needed = "the program `script` makes terminals: Debian has it in bsdutils, Fedora in \
        util-linux-script";
    text(&output.expect(needed).stdout)
}

#[test]
#[cfg(target_os = "linux")]
fn terminals_get_what_they_can_show() {
    let lab = Lab::new();
    lab.write("pond.toml", POND);
    // Colours are escape sequences that end in m.
    let colored = |seen: &str| {
        seen.split('\x1b').skip(1).any(|part| {
            part.find(|c: char| c.is_ascii_alphabetic())
                .is_some_and(|at| part[at..].starts_with('m'))
        })
    };
    let run = "run pond.toml --steps 4000";
    let seen = on_a_terminal(&lab, &[], run);
    let (bar, map) =
        ("left", |seen: &str| seen.chars().any(|c| ('\u{2801}'..'\u{2900}').contains(&c)));
    assert!(seen.contains(bar) && colored(&seen) && map(&seen), "{seen:?}");
    let plain = on_a_terminal(&lab, &[("NO_COLOR", "1")], run);
    assert!(plain.contains(bar) && !colored(&plain) && map(&plain), "{plain:?}");
    let dumb = on_a_terminal(&lab, &[("TERM", "dumb")], run);
    assert!(
        !dumb.contains(bar) && !dumb.contains('\x1b') && dumb.contains("polarization"),
        "{dumb:?}"
    );
    let quiet = on_a_terminal(&lab, &[], &format!("{run} --quiet"));
    assert!(
        !quiet.contains(bar)
            && !quiet.contains('\x1b')
            && !map(&quiet)
            && quiet.contains("polarization"),
        "{quiet:?}"
    );
    // All long work says how long it takes.
    let make = "run pond.toml --steps 4000 --quiet --record a.wbr";
    on_a_terminal(&lab, &[], make);
    for long in [
        "convert a.wbr a.csv",
        "measure a.csv",
        "render a.wbr --gif a.gif --size 32x32 --every 40",
        "plot a.csv -o a.svg",
        "sweep pond.toml --steps 4000 --set seed=1..2 --out s.csv",
    ] {
        let seen = on_a_terminal(&lab, &[], long);
        assert!(seen.contains(bar), "{long}: {seen:?}");
    }
}

/// Names in a file are another's text: on a terminal they are shown, not obeyed.
#[test]
#[cfg(target_os = "linux")]
fn control_characters_of_files_do_nothing_to_a_terminal() {
    let lab = Lab::new();
    lab.write("a.csv", "frame,id,x,y,\x1b]0;title\x07\n0,1,0,0,5\n1,1,1,0,5\n");
    lab.write("b\x1b[2J.csv", "frame,id,x,y\n0,1,0,0\n1,1,1,0\n");
    for file in ["a.csv", "b*.csv", "c\x1b[2J.csv"] {
        let seen = on_a_terminal(&lab, &[], &format!("measure {file}"));
        assert!(
            !seen.contains("\x1b]") && !seen.contains("\x1b[2J") && !seen.contains('\x07'),
            "{seen:?}"
        );
        assert!(seen.contains("\\u{1b}"), "{seen:?}");
    }
}

/// Without a reader: the exit code is what it would be.
#[test]
#[cfg(target_os = "linux")]
fn a_closed_or_full_standard_error_is_no_panic() {
    let lab = Lab::new();
    lab.write("warned.toml", "[flock]\nboids = 9\ndimensions = 2\n[cohesion]\n");
    lab.write("bad.toml", "[flock]\nboids = -1\n");
    for (args, code) in
        [("run warned.toml --steps 1", 0), ("run bad.toml", 2), ("check warned.toml", 0)]
    {
        for errors in ["2>&-", "2>/dev/full"] {
            let line = format!("\"$0\" {args} {errors}");
            let output = Command::new("sh")
                .args(["-c", &line, env!("CARGO_BIN_EXE_wingbeat")])
                .current_dir(lab.folder())
                .output();
            assert_eq!(output.expect("a shell").status.code(), Some(code), "{line}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn bash_completes_a_subcommand() {
    let lab = Lab::new();
    let (script, _) = ok(&lab, &["completions", "bash"]);
    let file = lab.write("complete.sh", &script);
    let ask = format!(
        "source {file}; COMP_WORDS=(wingbeat mea); COMP_CWORD=1; _wingbeat wingbeat mea; \
            echo \"${{COMPREPLY[@]}}\""
    );
    let output = Command::new("bash").args(["-c", &ask]).output().expect("bash runs");
    assert_eq!(text(&output.stdout).trim(), "measure", "{}", text(&output.stderr));
}
