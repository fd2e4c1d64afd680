//! `--open`: the browser is asked for the page that was written, and where there is none the
//! command says so and succeeds.

use crate::common::{Lab, text};
use std::process::{Command, Output};

fn with_browser(lab: &Lab, browser: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wingbeat"))
        .args(args)
        .current_dir(lab.folder())
        .env("BROWSER", browser)
        // Nothing else is found that could open a page.
        .env("PATH", "")
        .output()
        .expect("the binary runs")
}

const RUN: [&str; 5] = ["run", "shoal", "--boids=200", "--steps=3", "--open"];

#[test]
fn a_run_opens_its_page() {
    let lab = Lab::new();
    let output = with_browser(&lab, &lab.browser(), &RUN);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    let page = lab.folder().canonicalize().expect("a folder").join("shoal.html");
    assert!(page.exists());
    assert_eq!(lab.opened(), [page.to_str().expect("a UTF-8 path")]);
    assert!(text(&output.stdout).contains("shoal.html"), "{}", text(&output.stdout));
}

#[test]
fn a_replay_opens_its_page() {
    let lab = Lab::new();
    assert!(
        lab.wingbeat(&["run", "shoal", "--boids=200", "--steps=3", "--record=r.wbr", "--no-html"])
            .status
            .success()
    );
    let browser = format!("/no/such/browser:{} --new %s --end", lab.browser());
    let output =
        with_browser(&lab, &browser, &["replay", "r.wbr", "-o", "a page.html", "--json", "--open"]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    let page = lab.folder().canonicalize().expect("a folder").join("a page.html");
    assert_eq!(lab.opened(), ["--new", page.to_str().expect("a UTF-8 path"), "--end"]);
    assert!(serde_json::from_slice::<serde_json::Value>(&output.stdout).is_ok());
}

#[test]
fn where_nothing_opens_it_there_is_a_warning() {
    let lab = Lab::new();
    for browser in ["", "/no/such/browser", "/bin/false"] {
        let output = with_browser(&lab, browser, &RUN);
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(0), 1), "{said}");
        assert!(
            said.starts_with("warning: cannot open a browser (") && said.contains("shoal.html"),
            "{said}"
        );
    }
    let refused = with_browser(&lab, "", &["run", "shoal", "--open", "--no-html"]);
    assert_eq!(refused.status.code(), Some(2));
}
