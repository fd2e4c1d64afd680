//! Rows put in order: by frame and id, duplicates dropped, gaps counted.

use wingbeat_codec::{
    FrameRange, Mending, Rows, Sequence, Sorted, Store, TrackCounts, Trouble, Watch, cannot_sort,
};

use crate::options::{NOT_OF_WBR, Options};
use crate::rates::{frame_rate, of_times};
use crate::recording::Recording;
use crate::{Found, LengthUnit, RecordError, TimeUnit};

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
    let mut found = Found::default();
    (found.missing_positions, found.out_of_order) = (missing, out_of_order);
    (found.has_velocities, found.notes) = (has_velocities, notes);
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
    let mut tracks = TrackCounts::default();
    (tracks.counts_jumps, tracks.lowest, tracks.highest) =
        (counts_jumps, [f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    found.frame_step =
        moments.windows(2).map(|pair| pair[1].number - pair[0].number).min().unwrap_or(1);
    let mut is_kept = tracks.count(&store, &moments, &mut found, watch)?.into_iter();
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
    tracks.note_jumps(factors[0], dimensions, &mut found);
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
    let species = store.species().unwrap_or(species).settled(&tracks.ids(), &mut found.notes);
    let alone = tracks.end(&mut found);
    found.without_velocity += if is_mended { 0 } else { alone };
    let sequence = Sequence {
        store,
        moments,
        fps,
        factors,
        taken_off,
        frame_step: found.frame_step,
        has_velocities: found.has_velocities,
        edges,
    };
    Ok(Recording { dimensions, sequence, origin, extent, found, about, species })
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
    let mut again = Found::default();
    (again.frame_step, again.has_velocities) = (found.frame_step, found.has_velocities);
    let mut tracks = TrackCounts::default();
    tracks.count(&store, &moments, &mut again, watch)?;
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
