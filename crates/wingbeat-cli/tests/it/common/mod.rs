//! A folder of its own for each test, and the real binary to run in it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};

/// A scratch folder that goes away with the test.
pub struct Lab {
    folder: tempfile::TempDir,
}

impl Lab {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a scratch folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file and returns its path as text.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a scratch file");
        path.to_str().expect("a UTF-8 path").to_string()
    }

    /// Names of all files in the folder.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("the scratch folder");
        let mut names: Vec<String> = entries
            .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the command in the folder.
    pub fn wingbeat(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_wingbeat"))
            .args(args)
            .current_dir(self.folder())
            .output()
            .expect("the binary runs")
    }

    /// A browser that only notes what it is asked to open: a value of $BROWSER.
    #[cfg(all(unix, not(target_os = "macos")))]
    pub fn browser(&self) -> String {
        use std::os::unix::fs::PermissionsExt;
        let opened = self.path("opened");
        let script = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > '{}'\n", opened.display());
        let path = self.write("browser.sh", script);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))
            .expect("an executable file");
        path
    }

    /// What that browser was asked to open, within ten seconds.
    #[cfg(all(unix, not(target_os = "macos")))]
    pub fn opened(&self) -> Vec<String> {
        for _ in 0..200 {
            if let Ok(text) = std::fs::read_to_string(self.path("opened"))
                && !text.is_empty()
            {
                return text.lines().map(str::to_string).collect();
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        Vec::new()
    }

    /// Runs a scene with `--json`, which must succeed, and returns what it printed.
    pub fn json(&self, args: &[&str]) -> serde_json::Value {
        let all: Vec<&str> = ["run"].iter().chain(args).chain(["--json"].iter()).copied().collect();
        let output = self.wingbeat(&all);
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", text(&output.stdout)))
    }
}

/// Host and port where a view is, by the first line that it says.
pub fn address_of(view: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(view.stdout.as_mut().expect("its output")).read_line(&mut line).expect("a line");
    let host = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
    host.unwrap_or_else(|| panic!("no address: {line}")).to_string()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// An NPY file (version 1.0) of this dtype and shape.
pub fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    npy_in("False", descr, shape, data)
}

/// The same with a choice of the order: `True` is Fortran's, column by column.
pub fn npy_in(fortran: &str, descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
    let padded = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((padded.len() as u16).to_le_bytes());
    bytes.extend(padded.as_bytes());
    bytes.extend(data);
    bytes
}

pub fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
