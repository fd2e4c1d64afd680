//! Files that the Python package reads, and how: their formats take libraries that Python has.

/// Endings, and the lines that make a recording of FILE, the path in quotes.
const IN_PYTHON: [(&[&str], &str); 4] = [
    (&["parquet"], "wingbeat.Recording.from_frame(pandas.read_parquet(FILE))"),
    (&["arrow", "feather"], "wingbeat.Recording.from_frame(pandas.read_feather(FILE))"),
    (
        &["h5", "hdf5"],
        "h = h5py.File(FILE), then wingbeat.Recording.from_array(X, fps=...), with X = \
            h[\"tracks\"][:, :, 0].transpose(2, 0, 1) of SLEAP, h[\"trajectories\"][:] of \
            idtracker.ai, or from_frame(pandas.DataFrame(h[\"trajectory\"][:]), fps=..., \
            columns=dict(x=\"x\", y=\"y\")) of a pedestrian archive",
    ),
    (
        &["sqlite", "db"],
        "wingbeat.Recording.from_frame(pandas.read_sql(\"SELECT * FROM trajectory_data\", \
            sqlite3.connect(FILE)), fps=..., units=\"m\")",
    ),
];

/// The same of an `.npy` of pickled objects: idtracker.ai's dictionary.
pub(super) const PICKLED_NPY: &str = "d = numpy.load(FILE, allow_pickle=True).item(), then \
    wingbeat.Recording.from_array(d[\"trajectories\"], fps=d[\"frames_per_second\"], \
    units=\"px\")";

/// The same of an `.npz` with pickled objects.
#[cfg(not(target_family = "wasm"))]
pub(super) const PICKLED_NPZ: &str = "d = numpy.load(FILE, allow_pickle=True), then \
    wingbeat.Recording.from_array(d[\"position\"].astype(float), fps=...)";

/// How Python reads a file of this ending, in a sentence; `None` of other endings.
pub(super) fn of_ending(extension: &str, shown: &str) -> Option<String> {
    let (_, line) = IN_PYTHON.iter().find(|(endings, _)| endings.contains(&extension))?;
    Some(sentence(line, shown))
}

/// The refusal of an array of Python's objects.
pub(super) fn of_pickled(line: &str, shown: &str) -> String {
    let sentence = sentence(line, shown);
    format!("an array of pickled objects: {sentence}; a pickle may run any code: trust it first")
}

fn sentence(line: &str, shown: &str) -> String {
    format!("read it in Python: {}", line.replace("FILE", &format!("{shown:?}")))
}
