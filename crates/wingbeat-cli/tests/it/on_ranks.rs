//! What one process and ranks do with each other's files.

use std::process::ExitCode;

use wingbeat::subdomain::ThreadTransport;
use wingbeat_cli::on_ranks;

use crate::common::{Lab, text};

/// Runs a scene on one rank, within this process.
fn on_a_rank(args: &[&str]) -> ExitCode {
    let mut ranks = ThreadTransport::new(1);
    let typed = ["wingbeat-mpi"].iter().chain(args).map(ToString::to_string);
    on_ranks::main(("wingbeat-mpi run", ""), Ok(typed), &mut ranks[0])
}

/// A recording in one file and one in a folder are not continued in the other's way: half of the
/// frames would be of a part of the flock.
#[test]
fn a_recording_is_continued_by_the_program_that_began_it() {
    let lab = Lab::new();
    let path = |name: &str| lab.path(name).to_str().expect("a path in UTF-8").to_string();
    let (file, folder) = (path("file.wbr"), path("folder.wbr"));
    let (of_one, of_ranks) = (path("one.wbc"), path("ranks.wbc"));
    let scene = |steps: &'static str| ["shoal", "--boids", "300", "--steps", steps];
    let begins = |record, checkpoint| ["--record", record, "--checkpoint", checkpoint];
    let goes_on = |record, checkpoint| ["--record", record, "--resume", checkpoint];

    lab.json(&[&scene("8")[..], &begins(&file, &of_one)].concat());
    let begun = on_a_rank(&[&scene("8")[..], &begins(&folder, &of_ranks)].concat());
    assert_eq!(begun, ExitCode::SUCCESS);
    let before = lab.files();

    let other = path("other.wbr");
    for (record, refusal) in [(&folder, "not a folder"), (&other, "with wingbeat-mpi run")] {
        let args = [&["run"][..], &scene("16"), &goes_on(record, &of_ranks)].concat();
        let refused = lab.wingbeat(&args);
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains(refusal), "{said}");
    }
    for record in [&file, &other] {
        let refused = on_a_rank(&[&scene("16")[..], &goes_on(record, &of_one)].concat());
        assert_eq!(refused, ExitCode::from(2));
    }
    assert_eq!(lab.files(), before);

    lab.json(&[&scene("16")[..], &goes_on(&file, &of_one)].concat());
    let ended = on_a_rank(&[&scene("16")[..], &goes_on(&folder, &of_ranks)].concat());
    assert_eq!(ended, ExitCode::SUCCESS);
}
