//! Frames of a table that has times instead: they are counted where times are evenly spaced.

use std::collections::HashSet;

#[cfg(not(target_family = "wasm"))]
use crate::clock::Clock;
use crate::digits::significant;
use crate::limits::{FPS, LAST_FRAME};
#[cfg(not(target_family = "wasm"))]
use crate::rows::Rows;
use crate::{RecordError, memory};

/// How far a time may be from its place in an even sequence, in parts of the distance between two:
/// clocks that run unevenly by more make the frame a guess.
const TOLERANCE: f64 = 0.05;
/// The same in seconds, since times are written to a millisecond, each rounded by half of one as
/// the first is.
const ROUNDING: f64 = 0.001;
/// But never so far that the next frame would do as well.
const FARTHEST: f64 = 0.3;

/// Distinct times of a file, in seconds.
#[derive(Default)]
pub(super) struct Times {
    all: Vec<f64>,
    seen: HashSet<u64>,
}

impl Times {
    /// Notes a time; NaN is none.
    pub fn push(&mut self, time: f64, shown: &str) -> Result<(), RecordError> {
        // Most rows have the time of the one before.
        if time.is_nan() || self.all.last() == Some(&time) || !self.seen.insert(time.to_bits()) {
            return Ok(());
        }
        if self.all.len() == self.all.capacity() {
            memory::room_for(self.all.len() as u128 * 2, shown)?;
        }
        self.all.push(time);
        Ok(())
    }

    /// The frames that these are the times of; the refusal says where they are uneven.
    pub fn frames(mut self) -> Result<Even, String> {
        self.all.sort_by(f64::total_cmp);
        let times = &self.all;
        let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
            return Ok(Even { first: 0.0, distance: 1.0, origin: 0, fps: None });
        };
        let mut steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        if steps.is_empty() {
            return Ok(Even { first, distance: 1.0, origin: 0, fps: None });
        }
        steps.sort_by(f64::total_cmp);
        // The usual step is the surest, since times are rounded; where most steps are longer than
        // one frame, the shortest is one.
        let usual = steps[(steps.len() - 1) / 2];
        let distance = even_distance(times, usual)
            .or_else(|why| even_distance(times, steps[0]).map_err(|_| why))?;
        let count = ((last - first) / distance).round();
        let fps = neat(1.0 / distance, count, last - first);
        if !FPS.contains(&fps) || count > LAST_FRAME as f64 {
            return Err(format!(
                "times are {fps} frames per second, and not {:e} to {:e}",
                FPS.start(),
                FPS.end()
            ));
        }
        // Frames count from time 0, so that the frame over the frame rate is the time.
        let origin = (first * fps).round();
        let origin = if origin.abs() <= LAST_FRAME as f64 { origin as i64 } else { 0 };
        Ok(Even { first, distance, origin, fps: Some(fps) })
    }
}

/// The distance between two frames of these times, in order, if it is about `usual`; the refusal
/// names the first that is uneven.
fn even_distance(times: &[f64], usual: f64) -> Result<f64, String> {
    let (first, last) = (times[0], times[times.len() - 1]);
    let count: f64 = times.windows(2).map(|pair| ((pair[1] - pair[0]) / usual).round()).sum();
    let distance = (last - first) / count;
    let tolerance = TOLERANCE.max(ROUNDING / distance).min(FARTHEST);
    let mut before = -1.0;
    for &time in times {
        let place = (time - first) / distance;
        // Not so where the distance is nothing, or no number.
        let is_even = (place - place.round()).abs() <= tolerance && place.round() > before;
        if !is_even {
            let (time, usual) = (significant(time, 9), significant(usual, 6));
            return Err(format!(
                "times are not evenly spaced: {time} s is none of the times {usual} s apart"
            ));
        }
        before = place.round();
    }
    Ok(distance)
}

/// The frame rate that was meant, where times are rounded: 28.0002 is 28 where milliseconds cannot
/// tell them apart.
fn neat(fps: f64, count: f64, span: f64) -> f64 {
    let candidates = [1.0, 100.0, 1.001].map(|grain| (fps * grain).round() / grain);
    // Times are written to a millisecond, seldom finer: each end of the span is rounded by at most
    // half of one.
    candidates
        .into_iter()
        .find(|&meant| meant > 0.0 && (count / meant - span).abs() <= ROUNDING)
        .unwrap_or(fps)
}

/// Even times.
#[derive(Debug, PartialEq)]
pub(super) struct Even {
    first: f64,
    distance: f64,
    origin: i64,
    pub fps: Option<f64>,
}

impl Even {
    /// The frame at a time that was among those given.
    pub fn frame(&self, time: f64) -> i64 {
        self.origin + ((time - self.first) / self.distance).round() as i64
    }

    /// The time of frame 0: other than 0 where the first time is no whole number of frames.
    pub fn offset(&self) -> f64 {
        self.fps.map_or(0.0, |fps| self.first - self.origin as f64 / fps)
    }
}

/// The frames of an array that has a time for each, told to `rows` with what else times say;
/// counted from 0 where there are no times, or uneven ones.
///
/// # Errors
/// When memory does not hold them.
#[cfg(not(target_family = "wasm"))]
pub fn numbers(
    count: usize,
    times: Option<&[f64]>,
    rows: &mut Rows,
) -> Result<Vec<i64>, RecordError> {
    let counted = (0..count as i64).collect();
    let Some(times) = times else { return Ok(counted) };
    let mut distinct = Times::default();
    times.iter().try_for_each(|&time| distinct.push(time, &rows.shown))?;
    // A time that is twice there, or none, is no frame's.
    let even = if distinct.all.len() < count {
        Err("times are not one for each frame".into())
    } else {
        distinct.frames()
    };
    match even {
        Ok(even) => {
            let numbers: Vec<i64> = times.iter().map(|&time| even.frame(time)).collect();
            // The rate as it is: times of an array are not rounded.
            let mut clock = Clock::default();
            numbers.iter().zip(times).for_each(|(&frame, &time)| clock.tick(frame, time));
            clock.tell(rows);
            rows.span =
                numbers.iter().min().copied().zip(numbers.iter().max().copied()).or(rows.span);
            Ok(numbers)
        }
        Err(why) => {
            rows.uneven = Some(why);
            Ok(counted)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn even(times: &[f64]) -> Result<Even, String> {
        let mut all = Times::default();
        times.iter().for_each(|&time| all.push(time, "a").expect("room"));
        all.frames()
    }

    #[test]
    fn rounded_times_are_even() {
        // 28 frames a second, rounded to a millisecond, the 3rd missing, twice and out of order.
        let times: Vec<f64> = (0..200)
            .filter(|k| *k != 3)
            .rev()
            .map(|k| (f64::from(k) / 28.0 * 1000.0).round() / 1000.0)
            .collect();
        let found = even(&[times.clone(), times.clone()].concat()).expect("even");
        assert_eq!(
            (found.fps, found.frame(0.0), found.frame(0.143), found.frame(7.107)),
            (Some(28.0), 0, 4, 199)
        );
        let ntsc: Vec<f64> = (0..3000).map(|k| f64::from(k) * 1001.0 / 30000.0).collect();
        assert!((even(&ntsc).expect("even").fps.expect("a rate") - 30000.0 / 1001.0).abs() < 1e-3);
        let late = even(&[12.5, 12.6, 12.7]).expect("even");
        assert_eq!((late.fps.map(f64::round), late.frame(12.6)), (Some(10.0), 126));
        assert_eq!(even(&[3.0]).expect("one").frame(3.0), 0);
        assert_eq!(even(&[]).expect("none").fps, None);
    }

    #[test]
    fn uneven_times_are_refused() {
        for times in [
            &[0.0, 0.036, 0.1][..],
            &[0.0, 1.0, 1.4, 3.0],
            &[0.0, 1e-300, 1.0],
            &[f64::MIN, f64::MAX],
            &[0.0, 1e-9],
        ] {
            let refusal = even(times).expect_err("uneven");
            assert!(refusal.starts_with("times are"), "{refusal}");
        }
    }
}
