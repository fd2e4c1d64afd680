//! What is counted of tracks while frames are read: gaps, jumps, who comes late and leaves early.

use std::collections::HashMap;

use crate::RecordError;
use crate::found::Found;
use crate::jumps::{Jumps, Moves};
use crate::row::Row;
use crate::store::{FrameRange, Store};
use crate::watch::Watch;

/// What is known of each individual while frames are looked at, one after the other.
#[derive(Debug, Default)]
pub struct TrackCounts {
    all: HashMap<u64, Track>,
    /// Whether lengths of moves mean anything: in a recording of our own all are right, and in a
    /// periodic box some lead across it.
    pub counts_jumps: bool,
    /// How far positions reach on each axis: the least of them.
    pub lowest: [f64; 3],
    /// The largest.
    pub highest: [f64; 3],
}

#[derive(Debug)]
struct Track {
    first: i64,
    last: i64,
    moves: Moves,
    /// Whether its last position has none before it, at the usual distance, to take a velocity
    /// from.
    is_alone: bool,
}

impl TrackCounts {
    /// Counts all frames, and returns whether each holds an individual.
    ///
    /// # Errors
    /// When a frame cannot be read, or `watch` says to stop.
    #[inline(never)]
    pub fn count(
        &mut self,
        store: &Store,
        moments: &[FrameRange],
        found: &mut Found,
        watch: Watch<'_>,
    ) -> Result<Vec<bool>, RecordError> {
        let mut kept = Vec::with_capacity(moments.len());
        for (k, moment) in moments.iter().enumerate() {
            if !watch(k as u64, moments.len() as u64) {
                return Err(RecordError::Stopped);
            }
            let rows = store.rows(moment)?;
            self.see(&rows, found);
            kept.push(!rows.is_empty());
        }
        Ok(kept)
    }

    fn see(&mut self, rows: &[Row], found: &mut Found) {
        found.positions += rows.len();
        for row in rows {
            self.lowest = std::array::from_fn(|axis| self.lowest[axis].min(row.position[axis]));
            self.highest = std::array::from_fn(|axis| self.highest[axis].max(row.position[axis]));
            let unknown = row.velocity.iter().any(|v| v.is_nan());
            found.without_velocity += u64::from(found.has_velocities && unknown);
            let Some(track) = self.all.get_mut(&row.id) else {
                let mut moves = Moves::default();
                moves.to(row.position, row.frame, 1);
                self.all.insert(
                    row.id,
                    Track { first: row.frame, last: row.frame, moves, is_alone: true },
                );
                continue;
            };
            let lacking = ((row.frame - track.last - 1) / found.frame_step) as u64;
            if row.frame - track.last == found.frame_step {
                track.is_alone = false;
            } else {
                found.without_velocity += u64::from(!found.has_velocities && track.is_alone);
                track.is_alone = true;
            }
            if lacking > 0 {
                found.gaps += 1;
                found.gap_frames = found.gap_frames.saturating_add(lacking);
                found.longest_gap = found.longest_gap.max(lacking);
            }
            if self.counts_jumps {
                track.moves.to(row.position, row.frame, lacking + 1);
            }
            track.last = row.frame;
        }
    }

    /// What moves say that no individual makes.
    ///
    /// Notes are with lengths times `scale`.
    #[inline(never)]
    pub fn note_jumps(&self, scale: f64, dimensions: usize, found: &mut Found) {
        let jumps = Jumps::of(self.all.iter().map(|(id, track)| (*id, &track.moves)));
        found.notes.extend(jumps.notes(scale, dimensions));
        (found.jumps, found.positions_at_origin) = (jumps.jumps, jumps.at_origin);
    }

    /// All ids, in ascending order.
    #[inline(never)]
    pub fn ids(&self) -> Vec<u64> {
        let mut ids: Vec<u64> = self.all.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    /// Tells how many positions at the ends of tracks are alone and have no velocity.
    #[inline(never)]
    pub fn end(&self, found: &mut Found) -> u64 {
        let mut alone = 0;
        found.ids = self.all.len();
        for track in self.all.values() {
            found.late_ids += usize::from(track.first > found.first_frame);
            found.early_leavers += usize::from(track.last < found.last_frame);
            alone += u64::from(!found.has_velocities && track.is_alone);
        }
        alone
    }
}
