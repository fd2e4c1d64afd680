//! Contenders that are programs of their own: those that come with the benchmark, where they are
//! installed, and those of `--with`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use wingbeat_benches::machine::criterion_folder;

use crate::options::Options;
use crate::table::Table;

/// Releases that the contenders were tried with.
const SCIPY: &str = "1.17.1";
const PYRVO: &str = "0.4.3";

/// Names and commands.
#[derive(Debug)]
pub struct Programs(pub Vec<(String, String)>);

impl Programs {
    /// Looks for them; the table says which are not present.
    pub fn find(options: &Options, table: &mut Table) -> Self {
        let mut found = Vec::new();
        let folder = "benches/peers/contenders";
        for (name, module, file, package) in [
            ("SciPy", "scipy.spatial", "scipy_tree.py", format!("scipy=={SCIPY}")),
            ("RVO2", "pyrvo", "rvo2.py", format!("pyrvo=={PYRVO}")),
        ] {
            if imports(&options.python, module) {
                found.push((name.into(), format!("{} {folder}/{file}", options.python)));
            } else {
                table.note(format!("{name} is not present: pip install {package}"));
            }
        }
        match krabmaga() {
            Some(path) => found.push(("krABMaga".into(), path.display().to_string())),
            None => table.note(
                "krABMaga is not present: cargo build --release --manifest-path \
                benches/krabmaga/Cargo.toml"
                    .into(),
            ),
        }
        found.retain(|(name, _)| options.with.iter().all(|(other, _)| other != name));
        found.extend(options.with.iter().cloned());
        Self(found)
    }
}

fn imports(python: &str, module: &str) -> bool {
    let mut words = python.split_whitespace();
    let Some(program) = words.next() else { return false };
    let status = Command::new(program)
        .args(words)
        .args(["-c", &format!("import numpy, {module}")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// The contender of benches/krabmaga, in this build's target folder or in its own.
fn krabmaga() -> Option<PathBuf> {
    let file = format!("wingbeat-krabmaga{}", std::env::consts::EXE_SUFFIX);
    let shared = criterion_folder();
    let folders = [shared.parent()?, Path::new("benches/krabmaga/target")];
    let paths = folders.map(|folder| folder.join("release").join(&file));
    paths.into_iter().find(|path| path.is_file())
}
