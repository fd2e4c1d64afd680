//! Moments that curves over time look back to.

use std::collections::VecDeque;

use wingbeat::Domain;
use wingbeat::measuring::vectors::{nearest_image, sides};

use crate::{State, mix};

/// Individuals that are followed, about: of more in the first moment, so many are chosen at random
/// by their ids.
const FOLLOWED: usize = 1 << 14;
/// Sums that grow side by side, so that an addition need not wait for the one before.
const LANES: usize = 8;

/// The last moments, and the individuals followed through them.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Past {
    /// Strides that are looked back; 0 where no curve looks back.
    lags: usize,
    /// Whose mixed id is above this is not followed. Unknown before the first moment with an
    /// individual in it.
    highest: Option<u64>,
    /// The oldest first.
    moments: VecDeque<Moment>,
}

/// Those that are followed at one moment, by ascending id.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Moment {
    pub number: i64,
    pub ids: Vec<u64>,
    /// The number of the moment since which ways are known: across the edges of a periodic box
    /// it is unknown how an individual came back.
    since: Vec<i64>,
    /// Without jumps across edges; a column an axis.
    pub positions: Vec<Vec<f64>>,
    pub velocities: Vec<Vec<f64>>,
}

impl Past {
    pub fn new(lags: usize) -> Self {
        Self { lags, ..Self::default() }
    }

    /// The individuals followed now; none where no curve follows any.
    pub fn now(&self) -> &Moment {
        const NO_MOMENT: &Moment = &Moment {
            number: 0,
            ids: Vec::new(),
            since: Vec::new(),
            positions: Vec::new(),
            velocities: Vec::new(),
        };
        self.moments.back().unwrap_or(NO_MOMENT)
    }

    /// The moments so many strides back, or fewer, the present one too, with how many.
    pub fn each_lag(&self, stride: u64, lags: usize) -> impl Iterator<Item = (usize, &Moment)> {
        let now = self.now().number;
        self.moments.iter().filter_map(move |then| {
            let apart = now.abs_diff(then.number);
            let lag = usize::try_from(apart / stride)
                .ok()
                .filter(|&lag| apart.is_multiple_of(stride) && lag <= lags)?;
            Some((lag, then))
        })
    }

    pub fn push<const D: usize>(&mut self, number: i64, ids: &[u64], state: &State<'_, D>) {
        if self.lags == 0 {
            return;
        }
        if self.highest.is_none() && !ids.is_empty() {
            let part = u128::from(u64::MAX) * FOLLOWED as u128 / ids.len() as u128;
            self.highest = Some(if ids.len() <= FOLLOWED { u64::MAX } else { part as u64 });
        }
        let highest = self.highest.unwrap_or(u64::MAX);
        let places: Vec<usize> =
            (0..ids.len()).filter(|&place| mix(ids[place]) <= highest).collect();
        let column = |of: &Vec<f64>| places.iter().map(|&place| of[place]).collect();
        let mut moment = Moment {
            number,
            ids: places.iter().map(|&place| ids[place]).collect(),
            since: vec![i64::MIN; places.len()],
            positions: state.individuals.positions.iter().map(column).collect(),
            velocities: state.individuals.velocities.iter().map(column).collect(),
        };
        moment.unwrap_from(self.moments.back(), &state.domain);
        self.moments.push_back(moment);
        // One more than the lags, which is the present one.
        if self.moments.len() > self.lags + 1 {
            self.moments.pop_front();
        }
    }
}

impl Moment {
    /// Moves those of a periodic box to the image that is nearest to where they were.
    fn unwrap_from<const D: usize>(&mut self, before: Option<&Self>, domain: &Domain<[f32; D]>) {
        let Some(sides) = sides(domain) else { return };
        self.since.fill(self.number);
        let Some(before) = before else { return };
        for (then, now) in before.matches(self) {
            self.since[now] = before.since[then];
            for a in 0..D {
                let was = before.positions[a][then];
                self.positions[a][now] =
                    was + nearest_image(self.positions[a][now] - was, sides[a]);
            }
        }
    }

    /// Places of those that are here and there, in order.
    pub fn matches(&self, other: &Self) -> Vec<(usize, usize)> {
        if self.ids == other.ids {
            return (0..self.ids.len()).map(|place| (place, place)).collect();
        }
        let mut found = Vec::new();
        let mut there = 0;
        for (here, id) in self.ids.iter().enumerate() {
            while there < other.ids.len() && other.ids[there] < *id {
                there += 1;
            }
            if there < other.ids.len() && other.ids[there] == *id {
                found.push((here, there));
            }
        }
        found
    }

    /// The sums of what `of` says of those that are here and `now`, each by their places.
    pub fn sums<const K: usize>(
        &self,
        now: &Self,
        of: impl Fn(usize, usize) -> [f64; K],
    ) -> [f64; K] {
        let mut sums = [[0.0; LANES]; K];
        for pairs in self.matches(now).chunks(LANES) {
            for (lane, &(then, now)) in pairs.iter().enumerate() {
                let terms = of(then, now);
                for k in 0..K {
                    sums[k][lane] += terms[k];
                }
            }
        }
        sums.map(|lanes| lanes.iter().fold(0.0, |sum, lane| sum + lane))
    }

    /// Whether the way from `then`, when there is an individual of the same id, to here is known.
    pub fn knows_since(&self, place: usize, then: &Self) -> bool {
        self.since[place] <= then.number
    }

    /// A row of columns.
    pub fn row(columns: &[Vec<f64>], place: usize) -> [f64; 3] {
        std::array::from_fn(|a| columns.get(a).map_or(0.0, |column| column[place]))
    }
}
