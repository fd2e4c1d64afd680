//! Rows put in order: by frame and id, duplicates dropped, gaps counted.

use std::collections::HashMap;

use crate::RecordError;
use crate::found::Found;
use crate::jumps::{Jumps, Moves};
use crate::options::{NOT_OF_WBR, Options};
use crate::rates::{frame_rate, of_times};
use crate::recording::Recording;
use crate::row::Row;
use crate::rows::{Rows, Sorted, cannot_sort};
use crate::store::{FrameRange, Store};
use crate::tracks::{Mending, Trouble};
use crate::units::{LengthUnit, TimeUnit};
use crate::watch::Watch;

/// Puts rows in order and says what was found. `watch` is told how many frames of how many were
/// looked at.
pub(crate) fn assemble(
    mut read: Rows,
    (mut store, mut moments, doubles): Sorted,
    options: &Options,
    watch: Watch<'_>,
) -> Result<Recording, RecordError> {
    let (factors, length_unit) = settle(&mut read, options)?;
    let edges = read.edges.unwrap_or_default().scaled(factors);
    edges.check(read.dimensions).map_err(|refusal| RecordError::data(&read.shown, refusal))?;
    refuse_changes_of(&read, options)?;
    let counts_jumps = !read.is_stream && !edges.is_periodic();
    let Rows {
        shown,
        dimensions,
        has_velocities,
        missing,
        span,
        fps: own_fps,
        species,
        about,
        mut notes,
        out_of_order,
        keeps_unit,
        ..
    } = read;
    notes.extend(of_times(&shown, options.fps, &read.uneven, read.time_offset)?);
    notes.extend(read.left_out.iter().cloned());
    let mut found = Found {
        missing_positions: missing,
        notes,
        has_velocities,
        out_of_order,
        ..Found::default()
    };
    found.duplicates = doubles.rows;
    let fps = frame_rate(options.fps, own_fps, has_velocities, &mut found.notes);
    found.scale = factors[0];
    let has_rate = options.fps.or(own_fps).is_some();
    // A scene that states no unit may count frames, or years.
    let rate = if keeps_unit && length_unit.is_none() { TimeUnit::Scene } else { TimeUnit::Second };
    (found.length_unit, found.time_unit) =
        (length_unit, if has_rate { rate } else { TimeUnit::Frame });
    let is_per_second = has_rate || read.has_velocities_per_second;
    found.speed_time =
        if has_velocities { is_per_second.then_some(rate) } else { Some(found.time_unit) };
    let mut tracks = Tracks {
        counts_jumps,
        lowest: [f64::INFINITY; 3],
        highest: [f64::NEG_INFINITY; 3],
        ..Tracks::default()
    };
    let mut kept = Vec::with_capacity(moments.len());
    found.frame_step =
        moments.windows(2).map(|pair| pair[1].number - pair[0].number).min().unwrap_or(1);
    tracks.look(&store, &moments, &mut found, watch, |is_kept| kept.push(is_kept))?;
    let mut is_kept = kept.into_iter();
    moments.retain(|_| is_kept.next().unwrap_or(true));
    if moments.is_empty() {
        let seen =
            if missing > 0 { "rows, but no individual's position" } else { "no individual in it" };
        let why: String = read.left_out.iter().map(|note| format!("; {note}")).collect();
        return Err(RecordError::data(
            shown,
            format!("the recording has {seen}{why}: allowed is at least one position"),
        ));
    }
    if has_velocities {
        found.notes.push("velocities are the file's own".into());
    }
    let jumps = tracks.jumps();
    found.notes.extend(jumps.notes(factors[0], dimensions));
    (found.jumps, found.positions_at_origin) = (jumps.jumps, jumps.at_origin);
    let taken_off = options.origin.map_or([0.0; 3], |origin| origin.place(tracks.lowest));
    if read.origin != [0.0; 3] {
        found.notes.push(format!(
            "positions are relative to an origin, as the file says: {:?}",
            &read.origin[..dimensions]
        ));
    }
    let origin =
        std::array::from_fn(|axis| (read.origin[axis] + taken_off[axis]) * factors[axis] + 0.0);
    let edges = edges.without(std::array::from_fn(|axis| taken_off[axis] * factors[axis]));
    let extent = (0..3)
        .map(|axis| (tracks.highest[axis] - tracks.lowest[axis]) * factors[axis].abs())
        .fold(0.0, f64::max);
    let is_mended = options.fill_gaps.is_some() || options.smooth.is_some();
    if is_mended {
        (store, moments) = mend(&shown, (&store, &moments), (options, fps), &mut found, watch)?;
    }
    (found.first_frame, found.last_frame) =
        span.unwrap_or((moments[0].number, moments[moments.len() - 1].number));
    found.frames = moments.len();
    let span_frames = (found.last_frame - found.first_frame) / found.frame_step + 1;
    found.empty_frames = (span_frames as u64).saturating_sub(moments.len() as u64);
    let species = store.species().unwrap_or(species).settled(tracks.ids(), &mut found.notes);
    let alone = tracks.end(&mut found);
    found.without_velocity += if is_mended { 0 } else { alone };
    Ok(Recording {
        dimensions,
        fps,
        store,
        moments,
        factors,
        taken_off,
        origin,
        extent,
        found,
        edges,
        about,
        species,
    })
}

/// Tracks are mended neither in a recording that is read frame by frame, nor where they may leave
/// their box on one side and come back on the other; and from the former nothing is taken off.
fn refuse_changes_of(read: &Rows, options: &Options) -> Result<(), RecordError> {
    if read.is_stream {
        if let Some(origin) = options.origin {
            let (value, allowed) = (origin.to_string(), "nothing: a .wbr stays exact".into());
            return Err(RecordError::Option { name: "origin", value, allowed });
        }
        options.refuse_mending(NOT_OF_WBR)?;
    }
    if read.edges.is_some_and(|edges| edges.is_periodic()) {
        options.refuse_mending("nothing in a periodic box, on whose other side tracks go on")?;
    }
    Ok(())
}

/// Fills gaps and smooths, and says what was done.
fn mend(
    shown: &str,
    (store, moments): (&Store, &[FrameRange]),
    (options, fps): (&Options, f64),
    found: &mut Found,
    watch: Watch<'_>,
) -> Result<(Store, Vec<FrameRange>), RecordError> {
    let mending = Mending {
        fill_gaps: options.fill_gaps.unwrap_or(0),
        smooth: options.smooth,
        frame_step: found.frame_step,
        fps,
        has_velocities: found.has_velocities,
    };
    let (store, moments, mended) =
        mending.mend(store, moments, watch).map_err(|trouble| match trouble {
            Trouble::Io(error) => cannot_sort(shown, &error),
            Trouble::Other(error) => error,
        })?;
    (found.gaps_filled, found.positions_filled) = (mended.gaps_filled, mended.positions_filled);
    (found.positions_smoothed, found.short_stretches) =
        (mended.positions_smoothed, mended.short_stretches);
    found.positions_not_smoothed = mended.positions_not_smoothed;
    // Who has no velocity is another question now.
    let mut again = Found {
        frame_step: found.frame_step,
        has_velocities: found.has_velocities,
        ..Found::default()
    };
    let mut tracks = Tracks::default();
    tracks.look(&store, &moments, &mut again, watch, |_| ())?;
    found.without_velocity = again.without_velocity + tracks.end(&mut again);
    if let Some(most) = options.fill_gaps {
        let (filled, left) = (found.gaps_filled, found.gaps - found.gaps_filled);
        let positions = found.positions_filled;
        found.notes.push(format!(
            "gaps filled by a cubic spline, up to {most} positions (--fill-gaps): {filled} with \
                {positions} positions; {left} gaps stay"
        ));
    }
    if let Some(smooth) = options.smooth {
        let Found { positions_smoothed, short_stretches, positions_not_smoothed, .. } = *found;
        found.notes.push(format!(
            "positions smoothed by polynomials of order {} over {} of them (--smooth): \
             {positions_smoothed}, with velocities of their own; \
             in {short_stretches} stretches shorter than that {positions_not_smoothed} stay as \
             they are",
            smooth.order(),
            smooth.window()
        ));
    }
    Ok((store, moments))
}

/// What is known of each individual while frames are looked at, one after the other.
#[derive(Default)]
struct Tracks {
    all: HashMap<u64, Track>,
    /// Whether lengths of moves mean anything: in a recording of our own all are right, and in a
    /// periodic box some lead across it.
    counts_jumps: bool,
    /// How far positions reach on each axis.
    lowest: [f64; 3],
    highest: [f64; 3],
}

struct Track {
    first: i64,
    last: i64,
    moves: Moves,
    /// Whether its last position has none before it, at the usual distance, to take a velocity
    /// from.
    is_alone: bool,
}

impl Tracks {
    /// Looks at all frames; `is_kept` gets whether each holds an individual.
    fn look(
        &mut self,
        store: &Store,
        moments: &[FrameRange],
        found: &mut Found,
        watch: Watch<'_>,
        mut is_kept: impl FnMut(bool),
    ) -> Result<(), RecordError> {
        for (k, moment) in moments.iter().enumerate() {
            if !watch(k as u64, moments.len() as u64) {
                return Err(RecordError::Stopped);
            }
            let rows = store.rows(moment)?;
            self.see(&rows, found);
            is_kept(!rows.is_empty());
        }
        Ok(())
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
    fn jumps(&self) -> Jumps {
        Jumps::of(self.all.iter().map(|(id, track)| (*id, &track.moves)))
    }

    /// All ids, in ascending order.
    fn ids(&self) -> impl Iterator<Item = u64> + use<> {
        let mut ids: Vec<u64> = self.all.keys().copied().collect();
        ids.sort_unstable();
        ids.into_iter()
    }

    /// Tells how many positions at the ends of tracks are alone and have no velocity.
    fn end(&self, found: &mut Found) -> u64 {
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

/// What coordinates are multiplied by, axis by axis, and the unit that makes of them. The one place
/// where units, `scale` and `y_down` meet: a unit that a table states is converted to meters, that
/// of a recorded scene stays, and `scale` replaces both.
fn settle(
    rows: &mut Rows,
    options: &Options,
) -> Result<([f64; 3], Option<LengthUnit>), RecordError> {
    let (factor, unit) = match options.scale {
        Some(scale) => (scale, scaled_unit(rows, scale).or(options.unit)),
        None => {
            let stated = options.unit_of(rows.unit)?;
            let factor =
                stated.and_then(LengthUnit::meters).filter(|_| !rows.keeps_unit).unwrap_or(1.0);
            let unit = if factor == 1.0 { stated } else { Some(LengthUnit::Meter) };
            match stated {
                Some(LengthUnit::Pixel) => rows.notes.push(
                    "lengths are pixels: --scale makes other units of them, --y-down turns y \
                        upwards"
                        .into(),
                ),
                Some(stated) if factor != 1.0 => {
                    let by = if rows.unit.is_some() { "as the file says" } else { "by --unit" };
                    rows.notes.push(format!(
                        "lengths are {stated}, {by}: converted to m (--scale replaces this)"
                    ));
                }
                _ => {}
            }
            (factor, unit)
        }
    };
    if options.y_down {
        rows.notes.push(
            "y points downwards in the file: its sign is changed, of positions and velocities"
                .into(),
        );
    }
    Ok(([factor, if options.y_down { -factor } else { factor }, factor], unit))
}

/// The unit that `scale` makes of the one that the file states, where that is known.
fn scaled_unit(rows: &mut Rows, scale: f64) -> Option<LengthUnit> {
    let stated = rows.unit?;
    if stated.meters() == Some(scale) {
        return Some(LengthUnit::Meter);
    }
    let is_converted = stated.meters().is_some_and(|meters| meters != 1.0) && !rows.keeps_unit;
    let instead = if is_converted { " instead of converted to m" } else { "" };
    rows.notes
        .push(format!("lengths are {stated}, as the file says: multiplied by {scale}{instead}"));
    None
}
