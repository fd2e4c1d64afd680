//! The proofs that ship with the command, and those that a name stands for.

use std::path::Path;

use wingbeat_scene::MOST_TEXT;

use super::proof::{Proof, SUITES};
use crate::failure::Failure;

macro_rules! proofs {
    ($($name:literal),* $(,)?) => {
        /// Name and text of each proof, by suites.
        pub const PROOFS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../proofs/", $name, ".toml")))),*];
    };
}

proofs![
    "rimea_1",
    "rimea_2",
    "rimea_3",
    "rimea_4",
    "rimea_5",
    "rimea_6",
    "rimea_7",
    "rimea_8",
    "rimea_9",
    "rimea_10",
    "rimea_11",
    "rimea_12a",
    "rimea_12b",
    "rimea_12c",
    "rimea_12d",
    "rimea_13",
    "rimea_14",
    "rimea_15",
    "rimea_16",
    "rimea_16_percentiles",
    "nist_1_1_gamma",
    "nist_1_1_log_normal",
    "nist_1_1_uniform",
    "nist_1_1_weibull",
    "nist_2_1",
    "nist_2_2",
    "nist_2_4",
    "nist_2_5",
    "nist_2_6",
    "nist_2_7",
    "nist_2_8",
    "nist_2_8_orca",
    "nist_2_9",
    "nist_2_10",
    "nist_3_2",
    "nist_3_3",
    "nist_4_1",
    "nist_5_1",
    "nist_5_2",
    "imo_1",
    "imo_4",
    "imo_7",
    "imo_9",
    "imo_11",
    "iso_13",
    "symmetry_corner",
    "symmetry_mirror",
    "symmetry_ring",
    "symmetry_straight",
    "symmetry_turned",
    "vicsek_fluctuations",
    "vicsek_order",
    "couzin_transitions",
    "cucker_smale_threshold",
    "rvo2_blocks",
    "rvo2_circle",
    "recorded_corridor",
    "recorded_door",
];

/// The proofs that names stand for, each once, in the order of the library; files after them.
/// Without names all of the library.
pub fn chosen(names: &[String]) -> Result<Vec<Proof>, Failure> {
    let (files, names): (Vec<&String>, Vec<&String>) = names.iter().partition(|name| is_path(name));
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        let allowed = format!(
            "a suite ({}), a proof that wingbeat prove --list names, or a .toml file",
            SUITES.join(", ")
        );
        return Err(Failure::value("NAME", unknown, &allowed));
    }
    let mut proofs = Vec::new();
    for (name, text) in PROOFS {
        let proof = Proof::parse(name, &format!("{name}.toml"), text)?;
        let is_named = names.iter().any(|wanted| **wanted == proof.name || proof.is_of(wanted));
        if is_named || names.is_empty() && files.is_empty() {
            proofs.push(proof);
        }
    }
    for file in files {
        let text = wingbeat_record::read_text(Path::new(file), MOST_TEXT).map_err(|error| {
            Failure::BadInput(format!("{file}: cannot read the proof: {error}"))
        })?;
        let name = Path::new(file)
            .file_stem()
            .map_or_else(|| file.clone(), |stem| stem.to_string_lossy().into_owned());
        proofs.push(Proof::parse(&name, file, &text)?);
    }
    Ok(proofs)
}

fn is_path(name: &str) -> bool {
    name.ends_with(".toml") || name.contains(['/', '\\'])
}

fn is_known(name: &str) -> bool {
    SUITES.contains(&name) || PROOFS.iter().any(|(known, _)| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_a_proof_of_the_library() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .trim_end_matches(".toml")
                    .to_string()
            })
            .collect();
        let mut names: Vec<String> = PROOFS.iter().map(|(name, _)| name.to_string()).collect();
        files.sort();
        names.sort();
        assert_eq!(files, names);
        let proofs = chosen(&[]).unwrap_or_else(|refusal| panic!("{refusal:?}"));
        assert_eq!(proofs.len(), PROOFS.len());
        // By suites, in their order, and each named after its own.
        let place = |proof: &Proof| SUITES.iter().position(|suite| *suite == proof.suite);
        assert!(
            proofs.windows(2).all(|pair| place(&pair[0]) <= place(&pair[1])),
            "the library is not in the order of suites"
        );
        assert!(
            proofs.iter().all(|proof| proof.name.starts_with(&proof.suite)),
            "a proof has another suite's name"
        );
    }

    #[test]
    fn names_are_proofs_or_suites() {
        let names = |wanted: &[&str]| {
            let wanted: Vec<String> = wanted.iter().map(|name| name.to_string()).collect();
            chosen(&wanted)
                .map(|proofs| proofs.into_iter().map(|proof| proof.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["rimea_1", "rimea_1"]).expect("one proof"), ["rimea_1"]);
        let rimea = names(&["rimea"]).expect("a suite");
        assert!(
            rimea.iter().all(|name| name.starts_with("rimea_"))
                && rimea.contains(&"rimea_1".to_string())
        );
        assert!(
            names(&["imo"]).expect("a suite").contains(&"rimea_6".to_string()),
            "IMO asks for it, too"
        );
        for (wanted, message) in [
            ("rimea_17", "NAME = rimea_17: allowed is a suite"),
            ("no/such.toml", "cannot read the proof"),
        ] {
            let Err(Failure::BadInput(refusal)) = names(&[wanted]) else {
                panic!("{wanted} is no proof")
            };
            assert!(refusal.contains(message), "{refusal}");
        }
    }
}
