//! The frame rate of a file that has frames and their times.

use crate::digits::significant;
use crate::limits::FPS;
use crate::rows::Rows;

/// Pairs that are held before those are dropped that cannot be the farthest from a straight line.
const MOST_HELD: usize = 1 << 10;

/// A frame and its time, seconds.
type Tick = (i64, f64);

/// Finds the frame rate from the times of the first and the last frame, and the frame whose time is
/// farthest from what that rate gives.
///
/// That frame is known only at the end. It is one of the corners of the smallest convex polygon
/// around all pairs, so the others may be dropped on the way: of a million frames a few dozen pairs
/// are held.
#[derive(Default)]
pub(crate) struct Clock {
    ticks: Vec<Tick>,
    most: usize,
}

impl Clock {
    pub(crate) fn tick(&mut self, frame: i64, time: f64) {
        // Most rows are of the frame of the one before.
        if !time.is_finite() || self.ticks.last() == Some(&(frame, time)) {
            return;
        }
        self.ticks.push((frame, time));
        if self.ticks.len() >= self.most.max(MOST_HELD) {
            self.ticks = corners(std::mem::take(&mut self.ticks));
            self.most = self.ticks.len() * 2;
        }
    }

    /// Tells the frame rate, and how far times are from it.
    pub(crate) fn tell(self, rows: &mut Rows) {
        let ticks = corners(self.ticks);
        let (Some(&(first, from)), Some(&(last, to))) = (ticks.first(), ticks.last()) else {
            return;
        };
        if first == last {
            return;
        }
        if ticks.iter().all(|&(_, time)| time == from) {
            rows.notes
                .push(format!("all frames have the time {} s: left aside", significant(from, 9)));
            return;
        }
        let fps = (last - first) as f64 / (to - from);
        if !FPS.contains(&fps) {
            let [from, to] = [from, to].map(|time| significant(time, 9));
            rows.uneven = Some(format!(
                "times do not rise with frames: frame {first} is at {from} \
                s, frame {last} at {to} s"
            ));
            return;
        }
        let expected = |frame: i64| from + (frame - first) as f64 / fps;
        let off = |&(frame, time): &Tick| (time - expected(frame)).abs() * fps;
        if let Some(farthest) =
            ticks.iter().max_by(|a, b| off(a).total_cmp(&off(b))).filter(|tick| off(tick) > 0.5)
        {
            let [time, meant] = [farthest.1, expected(farthest.0)].map(|time| significant(time, 7));
            let (frame, fps) = (farthest.0, significant(fps, 5));
            rows.uneven = Some(format!(
                "times do not fit the frames: frame {frame} is at {time} s, where the {fps} frames \
                 per second from first to last give \
                 {meant} s"
            ));
        }
        (rows.fps, rows.time_offset) = (Some(fps), from - first as f64 / fps);
    }
}

/// The corners of the smallest convex polygon around some pairs, in order of frames: Andrew's
/// monotone chain. <https://doi.org/10.1016/0020-0190(79)90072-3>
fn corners(mut ticks: Vec<Tick>) -> Vec<Tick> {
    ticks.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    ticks.dedup();
    let mut found: Vec<Tick> = Vec::new();
    // Along the upper side, then along the lower one.
    for side in [1.0, -1.0] {
        let begin = found.len();
        for &tick in &ticks {
            // The last is no corner if it lies inside of the line from the one before it to this
            // one, or on it.
            while let [.., before, last] = found[begin..]
                && side * turn(before, last, tick) >= 0.0
            {
                found.pop();
            }
            found.push(tick);
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    found.dedup();
    found
}

/// Above 0 where the way from `a` over `b` to `c` turns left.
fn turn(a: Tick, b: Tick, c: Tick) -> f64 {
    let from_a = |tick: Tick| ((tick.0 - a.0) as f64, tick.1 - a.1);
    let ((bx, by), (cx, cy)) = (from_a(b), from_a(c));
    bx * cy - by * cx
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From -1 to 1, without order.
    fn jitter(k: i64) -> f64 {
        (k * k * 7919 % 2001) as f64 / 1000.0 - 1.0
    }

    fn told(ticks: impl Iterator<Item = Tick>) -> Rows {
        let (mut clock, mut rows) = (Clock::default(), Rows::new("a"));
        ticks.for_each(|(frame, time)| clock.tick(frame, time));
        clock.tell(&mut rows);
        rows
    }

    #[test]
    fn the_farthest_frame_is_found_in_any_order() {
        // 25 frames a second with a frame every 64, gone over by each of three individuals; frame
        // 32 · 70 is late by a second.
        let time = |k: i64| 0.25 + k as f64 / 25.0 + if k == 2240 { 1.0 } else { 1e-4 * jitter(k) };
        let all = || (0..3).flat_map(move |_| (0..9000).map(move |k| (k, time(k))));
        let rows = told(all());
        assert!(
            rows.uneven.as_ref().is_some_and(|why| why.contains("frame 2240 is at 90.85 s")),
            "{:?}",
            rows.uneven
        );
        let even = told(all().filter(|&(k, _)| k != 2240));
        assert_eq!(even.uneven, None);
        assert!(
            (even.fps.expect("a rate") - 25.0).abs() < 1e-4
                && (even.time_offset - 0.25).abs() < 1e-3
        );
    }

    #[test]
    fn corners_are_few() {
        let noisy = |k: i64| (k, k as f64 / 25.0 + 1e-3 * jitter(k));
        let found = corners((0..100_000).map(noisy).collect());
        assert!((4..200).contains(&found.len()) && found[0].0 == 0, "{}", found.len());
    }

    #[test]
    fn times_that_tell_nothing_are_told() {
        assert!(
            told([(0, 3.0), (1, 2.0)].into_iter())
                .uneven
                .is_some_and(|why| why.contains("do not rise"))
        );
        let still = told([(0, 3.0), (1, 3.0)].into_iter());
        assert!(
            still.uneven.is_none()
                && still.fps.is_none()
                && still.notes[0].contains("all frames have the time 3 s")
        );
        assert_eq!(told([(4, f64::NAN), (5, 1.0)].into_iter()).fps, None);
    }
}
