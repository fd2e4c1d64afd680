//! Frames into groups of text: differences, byte planes, deflate.
//!
//! # The data of a page
//!
//! Bytes are text as packed.rs has it. The engine is the constant `packedEngine` of the first
//! script, gzip of the module for the plane or for space; the player is `packedPlayer` of the
//! second, gzip of its scripts.
//!
//! * `<script id="scene">`, in pages of `wingbeat page`, is JSON: `name`, `about`, `toml`,
//!   `warm_up` (most steps before it is first shown).
//! * `<script id="start">`, where a scene starts from a file, is gzip of a frame of
//!   wingbeat-session's frame.rs: the boids at step 0.
//! * `<script id="recording">` is JSON: dimensions, levels, `times` and `steps` of the frames,
//!   `groups` (how many frames each has), `observables`, `species` (`names`, and `runs` of `[first
//!   id, how many ids, species]`), and `scene`: its `toml` for the engine, or `unexplained`, why
//!   there is none, the `radii` of bodies by species and the `places` of exits and sources.
//! * `<script id="group-K">` is group K: a zlib stream of up to 16 frames. A group stands
//!   alone: its first frame depends on none, each other on the one before.
//!
//! A frame, all little-endian, of n boids in D dimensions:
//!
//! | bytes | holds |
//! |---|---|
//! | 4 | n |
//! | 4 | flags; 1: ids follow, else they are those of the frame before (a group's first has them) |
//! | 8·D | drift, an `f64` for each axis |
//! | 4·n, with flag 1 | ids ascending, less the one before, as four planes of bytes, lowest first |
//! | 2·n·D | velocities, axis by axis: residuals, a plane of low bytes and one of high bytes |
//! | 2·n·D | positions likewise |
//!
//! Positions and velocities are stored as **levels**, whole numbers of up to 16 bits, and each
//! level as its difference from an expected one. Such a residual r is stored as 2r, or as −2r − 1
//! where it is negative (zigzag); level = expected + r modulo 2¹⁶, for positions modulo `mask` + 1.
//!
//! * Of a velocity, the expected level is that of the same id in the frame before.
//! * Of a position it is p + ⌊(v + v' − 65536)·drift + ½⌋, where p and v are the levels of the same
//!   id in the frame before and v' is its velocity's level in this frame; where v or v' is 0 (not
//!   known) it is p.
//! * Of a boid that was not in the frame before, it is 32768 for a velocity and 0 for a position.
//!
//! A coordinate is min + (level + half)·step of its axis. On periodic axes step = side/(`mask` + 1)
//! and half = ½; on others step = (the recording's extent)/`mask` and half = 0. `mask` is 2¹⁶ − 1,
//! or 2¹² − 1 where fewer digits are stored. So a coordinate is off by at most half a step. A
//! velocity's component is (level − 32768)·velocity_step, where velocity_step is the largest
//! component divided by 32767, or by 127 where fewer digits are stored; level 0 means that it is
//! not known. `position_error` and `velocity_error` state the bounds of both errors; the command
//! prints them too.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use wingbeat_record::Snapshot;

use crate::levels::{Levels, ZERO_VELOCITY};
use crate::packed::text_of;

/// Most frames of a group.
const MOST_FRAMES: usize = 16;
/// Most bytes of a group before it is deflated, unless four frames need more: a player decodes a
/// group at once.
const MOST_BYTES: usize = 16 << 20;

/// Stands for a boid whose id is not in the frame before.
const NOT_BEFORE: usize = usize::MAX;

/// Encodes frame after frame.
#[derive(Debug)]
pub struct Encoder {
    levels: Levels,
    group: ZlibEncoder<Vec<u8>>,
    frames_in_group: usize,
    /// Number of frames of each finished group.
    pub groups: Vec<usize>,
    before: QuantizedFrame,
    now: QuantizedFrame,
    planes: Vec<u8>,
    from: Vec<usize>,
}

/// A frame as levels.
#[derive(Clone, Debug, Default)]
struct QuantizedFrame {
    time: f64,
    ids: Vec<u32>,
    velocities: Vec<Vec<u16>>,
    positions: Vec<Vec<u16>>,
}

impl Encoder {
    pub fn new(levels: Levels) -> Self {
        let columns = vec![Vec::new(); levels.step.len()];
        let empty = QuantizedFrame {
            velocities: columns.clone(),
            positions: columns,
            ..QuantizedFrame::default()
        };
        Self {
            levels,
            group: empty_group(),
            frames_in_group: 0,
            groups: Vec::new(),
            before: empty.clone(),
            now: empty,
            planes: Vec::new(),
            from: Vec::new(),
        }
    }

    /// Adds a frame whose ids fit into 32 bits; returns a group when it is finished.
    pub fn frame(&mut self, snapshot: &Snapshot) -> std::io::Result<Option<String>> {
        self.levels_of(snapshot);
        let is_first = self.frames_in_group == 0;
        if is_first {
            self.before.ids.clear();
        }
        self.match_ids();
        let same = !is_first && self.now.ids == self.before.ids;
        let count = self.now.ids.len();
        self.group.write_all(&(count as u32).to_le_bytes())?;
        self.group.write_all(&u32::from(!same).to_le_bytes())?;
        let h = if is_first { 0.0 } else { self.now.time - self.before.time };
        let drifts: Vec<f64> =
            (0..self.levels.step.len()).map(|a| self.levels.drift(a, h)).collect();
        for drift in &drifts {
            self.group.write_all(&drift.to_le_bytes())?;
        }
        if !same {
            self.write_ids()?;
        }
        for a in 0..drifts.len() {
            self.velocity(a)?;
        }
        for (a, &drift) in drifts.iter().enumerate() {
            self.position(a, drift)?;
        }
        std::mem::swap(&mut self.before, &mut self.now);
        self.frames_in_group += 1;
        let bytes = count * (4 * drifts.len() + 4);
        let whole = self.frames_in_group >= MOST_FRAMES
            || (self.frames_in_group >= 4 && self.frames_in_group * bytes >= MOST_BYTES);
        if whole { self.finish() } else { Ok(None) }
    }

    /// The last group, if it has frames that were not returned yet.
    pub fn finish(&mut self) -> std::io::Result<Option<String>> {
        if self.frames_in_group == 0 {
            return Ok(None);
        }
        let bytes = std::mem::replace(&mut self.group, empty_group()).finish()?;
        self.groups.push(std::mem::take(&mut self.frames_in_group));
        Ok(Some(text_of(&bytes)))
    }

    fn levels_of(&mut self, snapshot: &Snapshot) {
        let now = &mut self.now;
        now.time = snapshot.time;
        now.ids.clear();
        now.ids.extend(snapshot.ids.iter().map(|&id| id as u32));
        for (a, column) in snapshot.positions.iter().enumerate() {
            now.positions[a].clear();
            now.positions[a].extend(column.iter().map(|&x| self.levels.of_position(a, x)));
        }
        for (a, column) in snapshot.velocities.iter().enumerate() {
            now.velocities[a].clear();
            now.velocities[a].extend(column.iter().map(|&v| self.levels.of_velocity(v)));
        }
    }

    /// Finds each boid's index in the frame before; ids ascend in both.
    fn match_ids(&mut self) {
        self.from.clear();
        let mut i = 0;
        for &id in &self.now.ids {
            while i < self.before.ids.len() && self.before.ids[i] < id {
                i += 1;
            }
            self.from.push(if self.before.ids.get(i) == Some(&id) { i } else { NOT_BEFORE });
        }
    }

    fn write_ids(&mut self) -> std::io::Result<()> {
        let ids = &self.now.ids;
        let count = ids.len();
        self.planes.resize(4 * count, 0);
        for (i, &id) in ids.iter().enumerate() {
            let more = id.wrapping_sub(if i > 0 { ids[i - 1] } else { 0 });
            for (plane, byte) in more.to_le_bytes().into_iter().enumerate() {
                self.planes[plane * count + i] = byte;
            }
        }
        self.group.write_all(&self.planes)
    }

    fn velocity(&mut self, axis: usize) -> std::io::Result<()> {
        let (now, before) = (&self.now.velocities[axis], &self.before.velocities[axis]);
        let expected = self
            .from
            .iter()
            .map(|&from| if from == NOT_BEFORE { ZERO_VELOCITY } else { before[from] });
        residuals(now, expected, u16::MAX, &mut self.planes);
        self.group.write_all(&self.planes)
    }

    fn position(&mut self, axis: usize, drift: f64) -> std::io::Result<()> {
        let (now, before) = (&self.now, &self.before);
        let expected = self.from.iter().enumerate().map(|(i, &from)| {
            if from == NOT_BEFORE {
                return 0;
            }
            let (was, is) = (before.velocities[axis][from], now.velocities[axis][i]);
            let moved = if was == 0 || is == 0 {
                0.0
            } else {
                ((f64::from(was) + f64::from(is) - 65536.0) * drift + 0.5).floor()
            };
            // Drifts are bounded, so this fits.
            before.positions[axis][from].wrapping_add(moved as i32 as u16)
        });
        residuals(&now.positions[axis], expected, self.levels.mask, &mut self.planes);
        self.group.write_all(&self.planes)
    }
}

/// A group without frames. Low bytes of residuals hardly repeat: level 6 takes twice as long as
/// level 1 and saves 1 to 2 %.
fn empty_group() -> ZlibEncoder<Vec<u8>> {
    ZlibEncoder::new(Vec::new(), Compression::fast())
}

fn residuals(levels: &[u16], expected: impl Iterator<Item = u16>, mask: u16, planes: &mut Vec<u8>) {
    let count = levels.len();
    planes.resize(2 * count, 0);
    for (i, (&level, expected)) in levels.iter().zip(expected).enumerate() {
        let more = level.wrapping_sub(expected) & mask;
        let zigzag = if more > mask / 2 { 2 * (mask - more) + 1 } else { 2 * more };
        [planes[i], planes[count + i]] = zigzag.to_le_bytes();
    }
}
