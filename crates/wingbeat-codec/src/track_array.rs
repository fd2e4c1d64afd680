//! Arrays of tracks: a place for each individual of a recording, in every frame.

use std::collections::{BTreeSet, HashMap};

use crate::Snapshot;

/// All individuals of the frames so far.
#[derive(Debug, Default)]
pub struct KnownIds {
    ids: BTreeSet<u64>,
    /// Those of the previous frame.
    before: Vec<u64>,
    /// The species of each id; of no individual where there are none.
    species: HashMap<u64, u8>,
}

impl KnownIds {
    /// Adds the individuals of a frame.
    #[inline(never)]
    pub fn add(&mut self, now: &Snapshot) {
        if self.before != now.ids {
            self.ids.extend(&now.ids);
            self.species.extend(now.ids.iter().copied().zip(now.species.iter().copied()));
            self.before.clone_from(&now.ids);
        }
    }

    /// All ids, ascending.
    #[inline(never)]
    pub fn ids(&self) -> Vec<u64> {
        self.ids.iter().copied().collect()
    }

    /// The species of each, by ascending id.
    #[inline(never)]
    pub fn species(&self) -> Vec<u8> {
        self.ids.iter().map(|id| self.species.get(id).copied().unwrap_or(0)).collect()
    }
}

/// Writes one of the tracks' columns of a frame: for each of `ids` its numbers, NaN where it is not
/// among the frame's.
#[inline(never)]
pub fn track_bytes(columns: &[Vec<f32>], here: &[u64], ids: &[u64], out: &mut Vec<u8>) {
    let mut next = 0;
    out.clear();
    out.reserve(4 * ids.len() * columns.len());
    for id in ids {
        let is_here = here.get(next) == Some(id);
        for column in columns {
            let value = if is_here { column[next] } else { f32::NAN };
            out.extend_from_slice(&value.to_le_bytes());
        }
        next += usize::from(is_here);
    }
}

/// Whole numbers as ids.
///
/// # Errors
/// With the first that is none.
#[inline(never)]
pub fn unsigned(wholes: &[i128]) -> Result<Vec<u64>, i128> {
    wholes.iter().map(|&id| u64::try_from(id).map_err(|_| id)).collect()
}
