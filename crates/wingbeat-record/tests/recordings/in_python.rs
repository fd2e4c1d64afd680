//! Files that the Python package reads are refused with the line that does.

use wingbeat_record::npy::write_header;
use wingbeat_record::{in_python, readable};
use zip::CompressionMethod;

use crate::archives::archive;
use crate::common::Lab;

#[test]
fn each_ending_names_the_line_that_reads_it() {
    let lab = Lab::new();
    for (ending, calls) in [
        ("parquet", &["wingbeat.Recording.from_frame(pandas.read_parquet("][..]),
        ("arrow", &["wingbeat.Recording.from_frame(pandas.read_feather("]),
        ("feather", &["wingbeat.Recording.from_frame(pandas.read_feather("]),
        ("h5", &["h5py.File(", "wingbeat.Recording.from_array(", "[\"tracks\"]", "from_frame("]),
        ("hdf5", &["h5py.File(", "wingbeat.Recording.from_array(", "[\"trajectories\"]"]),
        ("sqlite", &["from_frame(pandas.read_sql(", "FROM trajectory_data", "sqlite3.connect("]),
        ("db", &["from_frame(pandas.read_sql(", "units=\"m\""]),
        ("H5", &["h5py.File("]),
    ] {
        let (name, path) = (format!("a.{ending}"), lab.path(&format!("a.{ending}")));
        let quoted = format!("({:?})", path.display().to_string());
        let expected: Vec<&str> =
            ["read it in Python: ", &quoted].into_iter().chain(calls.iter().copied()).collect();
        lab.refused(&name, "whatever", &expected);
        assert!(in_python(&path).is_some() && !readable().contains(&ending));
    }
    for ending in readable().into_iter().chain(["toml", ""]) {
        assert_eq!(in_python(&lab.path(&format!("a.{ending}"))), None);
    }
}

#[test]
fn pickled_objects_are_not_read_but_named() {
    let lab = Lab::new();
    let expected = [
        "an array of pickled objects: read it in Python: ",
        "numpy.load(",
        "allow_pickle=True",
        "wingbeat.Recording.from_array(",
        "trust it first",
    ];
    let of_trackers = ["[\"trajectories\"]", "[\"frames_per_second\"]"];
    // One that would call os.system.
    let mut dictionary = Vec::new();
    write_header(&mut dictionary, "|O", &[]).expect("a header");
    dictionary.extend(b"\x80\x04cos\nsystem\n\x8c\x04true\x85R.");
    lab.refused("a.npy", dictionary, &[&expected[..], &of_trackers].concat());
    let position = ("position", "<f4", &[1, 1, 2][..], vec![0; 8]);
    for of_objects in [
        vec![("position", "|O", &[1][..], b"\x80\x04N.".to_vec())],
        vec![position.clone(), ("id", "|O", &[1], b"\x80\x04N.".to_vec())],
        vec![position.clone(), ("species_names", "|O", &[1], b"\x80\x04N.".to_vec())],
    ] {
        let content = archive(&of_objects, CompressionMethod::Stored);
        lab.refused("a.npz", content, &[&expected[..], &["[\"position\"]"]].concat());
    }
}
