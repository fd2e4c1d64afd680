//! Moves that no individual makes, and positions that stand for none: what a file says of them is
//! counted and told, not changed.
//!
//! A move is a jump if it is at least [`JUMP`] times as long as the median move of its track, frame
//! by frame; of a track with fewer than [`MOVES`] moves, the median of all tracks. Positions
//! exactly at the origin stand for
//! none if every way there and back is at least [`AWAY`] times as long as that median. Lengths are
//! counted in four bins an octave, so that a track of any length takes a few hundred bytes: the
//! median
//! is the upper end of its bin, which makes jumps fewer, not more.

/// How many times as long as the median a jump is.
const JUMP: f64 = 50.0;
/// The same of the way to a position that stands for none.
const AWAY: f64 = 5.0;
/// Moves from which a median is taken.
const MOVES: u64 = 10;

/// How many moves have which length, by bins in ascending order: the exponent of the length and the
/// first two bits of its fraction.
#[derive(Debug, Default)]
struct Lengths(Vec<(u16, u32)>);

/// Bits of a number that its bin leaves out.
const BELOW_BIN: u32 = 50;

impl Lengths {
    fn add(&mut self, length: f64) {
        self.add_to((length.to_bits() >> BELOW_BIN) as u16, 1);
    }

    fn add_to(&mut self, bin: u16, count: u32) {
        match self.0.binary_search_by_key(&bin, |(known, _)| *known) {
            Ok(place) => self.0[place].1 = self.0[place].1.saturating_add(count),
            Err(place) => self.0.insert(place, (bin, count)),
        }
    }

    fn count(&self) -> u64 {
        self.0.iter().map(|(_, count)| u64::from(*count)).sum()
    }

    /// The median, from [`MOVES`] moves on.
    fn median(&self) -> Option<f64> {
        let count = self.count();
        let mut before = 0;
        let mut bins = self.0.iter().filter(|_| count >= MOVES);
        let median = bins.find(|(_, count)| {
            before += u64::from(*count);
            2 * before >= self.count()
        });
        median.map(|(bin, _)| start(bin + 1))
    }

    /// How many are at least as long.
    fn from(&self, length: f64) -> u64 {
        self.0
            .iter()
            .filter(|(bin, _)| start(*bin) >= length)
            .map(|(_, count)| u64::from(*count))
            .sum()
    }
}

fn start(bin: u16) -> f64 {
    f64::from_bits(u64::from(bin) << BELOW_BIN)
}

/// The moves of one track.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    last: Option<[f64; 3]>,
    between: Lengths,
    /// Those from and to the origin, and positions there.
    of_origin: Lengths,
    at_origin: u64,
    /// The longest, with the frame it leads to.
    longest: Option<(f64, i64)>,
}

impl Moves {
    /// Takes the next position, so many frames after the one before.
    pub fn to(&mut self, position: [f64; 3], frame: i64, frames: u64) {
        let is_origin = position == [0.0; 3];
        self.at_origin += u64::from(is_origin);
        let Some(last) = self.last.replace(position) else { return };
        let square: f64 = (0..3).map(|axis| position[axis] - last[axis]).map(|way| way * way).sum();
        let length = square.sqrt() / frames.max(1) as f64;
        if length > 0.0 && length.is_finite() {
            let lengths =
                if is_origin || last == [0.0; 3] { &mut self.of_origin } else { &mut self.between };
            lengths.add(length);
            if self.longest.is_none_or(|(longest, _)| length > longest) {
                self.longest = Some((length, frame));
            }
        }
    }
}

/// What was found in all tracks.
#[derive(Debug, Default)]
pub(crate) struct Jumps {
    pub jumps: u64,
    pub at_origin: u64,
    individuals: u64,
    /// The longest jump: its length, the individual, the frame it leads to.
    longest: Option<(f64, u64, i64)>,
}

impl Jumps {
    /// Of all tracks, by id.
    pub fn of<'t>(tracks: impl Iterator<Item = (u64, &'t Moves)> + Clone) -> Self {
        let (mut jumps, mut all) = (Self::default(), Lengths::default());
        let lengths = tracks.clone().flat_map(|(_, moves)| &moves.between.0);
        lengths.for_each(|&(bin, count)| all.add_to(bin, count));
        if let Some(usual) = all.median() {
            tracks.for_each(|(id, moves)| jumps.add(id, moves, usual));
        }
        jumps
    }

    /// Adds a track; `usual` is the median of all.
    fn add(&mut self, id: u64, moves: &Moves, usual: f64) {
        let median = moves.between.median().unwrap_or(usual);
        let is_away =
            moves.at_origin > 0 && moves.of_origin.from(AWAY * median) == moves.of_origin.count();
        // A track that is at the origin alone has no other place to be away from.
        if is_away && moves.of_origin.count() > 0 {
            self.at_origin += moves.at_origin;
            self.individuals += 1;
        }
        let jumps = moves.between.from(JUMP * median) + moves.of_origin.from(JUMP * median);
        self.jumps += jumps;
        let longest = moves.longest.filter(|_| jumps > 0);
        if let Some((length, frame)) = longest
            && self.longest.is_none_or(|(longest, other, _)| (length, other) > (longest, id))
        {
            self.longest = Some((length, id, frame));
        }
    }

    /// What a user should know of them, with lengths times `scale`.
    pub fn notes(&self, scale: f64, dimensions: usize) -> Vec<String> {
        let mut notes = Vec::new();
        if self.at_origin > 0 {
            let origin = vec!["0"; dimensions].join(", ");
            let (count, of) = (self.at_origin, self.individuals);
            notes.push(format!(
                "{count} positions of {of} individuals are exactly ({origin}), far from their \
                 tracks: if they stand for \"not \
                 seen\", leave these cells empty"
            ));
        }
        if let Some((length, id, frame)) = self.longest {
            let length = crate::digits::significant(length * scale, 4);
            notes.push(format!(
                "{} moves are at least {JUMP} times as long as the median move of their track: the \
                 longest, {length} in a frame, is \
                 that of id {id} to frame {frame}",
                self.jumps
            ));
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found in a track of these places, one a frame.
    fn found(places: &[[f64; 2]]) -> Jumps {
        Jumps::of([(7, &moves(places))].into_iter())
    }

    fn moves(places: &[[f64; 2]]) -> Moves {
        let mut moves = Moves::default();
        places
            .iter()
            .enumerate()
            .for_each(|(frame, [x, y])| moves.to([*x, *y, 0.0], frame as i64, 1));
        moves
    }

    #[test]
    fn jumps_are_many_times_the_median() {
        let walk = |far: f64| -> Vec<[f64; 2]> {
            let place = |k: usize| [100.0 + k as f64 + if k == 15 { far } else { 0.0 }, 3.0];
            (0..30).map(place).collect()
        };
        assert_eq!(found(&walk(0.0)).jumps, 0);
        assert_eq!(found(&walk(40.0)).jumps, 0);
        let far = found(&walk(200.0));
        assert_eq!((far.jumps, far.longest, far.at_origin), (2, Some((201.0, 7, 15)), 0));
        assert_eq!(found(&walk(200.0)[8..18]).jumps, 0, "too few moves for a median");
        assert!(far.notes(0.5, 2)[0].contains("100.5 in a frame, is that of id 7 to frame 15"));
    }

    #[test]
    fn the_origin_stands_for_none_far_from_a_track() {
        let walk = |start: f64, away: &[usize]| -> Vec<[f64; 2]> {
            (0..30)
                .map(|k| if away.contains(&k) { [0.0; 2] } else { [start + k as f64, 0.0] })
                .collect()
        };
        assert_eq!(found(&walk(500.0, &[3, 4, 5, 20])).at_origin, 4);
        assert_eq!(found(&walk(500.0, &[0, 29])).at_origin, 2);
        // One that begins there, or walks by.
        assert_eq!(found(&walk(0.0, &[])).at_origin, 0);
        assert_eq!(found(&walk(-12.0, &[])).at_origin, 0);
        assert_eq!(found(&[[0.0; 2]; 40]).at_origin, 0);
        // One that is lost after a few moves is measured by the others'.
        let tracks =
            [moves(&walk(500.0, &[])), moves(&[[300.0, 4.0], [301.0, 4.0], [0.0; 2], [0.0; 2]])];
        assert_eq!(Jumps::of((0..).zip(&tracks)).at_origin, 2);
    }

    #[test]
    fn medians_are_those_of_sorted_lengths() {
        let mut lengths = Lengths::default();
        (1..=9).for_each(|k| lengths.add(f64::from(k)));
        assert_eq!(lengths.median(), None);
        lengths.add(1e-300);
        lengths.add(1e300);
        let median = lengths.median().expect("enough moves");
        assert_eq!((median, lengths.from(8.0), lengths.count()), (6.0, 3, 11));
    }
}
