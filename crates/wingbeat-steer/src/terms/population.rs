//! Populations of standards: unimpeded walking speeds of persons in a building or a ship.

use crate::math::noise::{bits, normal_of, stream};
use crate::math::normal_quantile;

choices! {
    /// Persons as a standard has them, each with a walking speed of its own in metres per second:
    /// `max_speed` has no say for them then.
    ///
    /// A person's speed is drawn by the seed and its id, as that of
    /// [`AgentLimits::max_speed_of`](crate::AgentLimits::max_speed_of). With n the upper 24 of the
    /// 32 [bits](crate::math::noise::bits()) of (seed, id, 0, 113), those of (seed, id, 0, 114) for
    /// the group or the age, and p = (n + ½)·2⁻²⁴:
    ///
    /// * `Imo`: the group by its share of the passengers, then min + (max − min)·p;
    /// * `Rimea`: the age, normal with mean 50 and standard deviation 20 within 10 to 85 years,
    ///   then m(age) + σ(age)·z, z a [normal draw](crate::math::noise::normal_of) cut off at three;
    ///   m and σ between the ages of the table are in proportion, and beyond 80 those of 80.
    ///
    /// ```
    /// use wingbeat_steer::{AgentLimits, Population};
    /// let limits = AgentLimits { population: Population::Imo, ..Default::default() };
    /// assert!((0..1000).all(|id| (0.37..1.85).contains(&limits.max_speed_of(7, id).unwrap())));
    /// ```
    /// Sources: IMO MSC.1/Circ.1533 (2016) and 1238 (2007), annex 3, appendix 1, sections 3.2.1 and
    /// 3.2.3, for shares, ranges and that a range is uniform. RiMEA 4.1.1, sections on the
    /// population: its figure of walking speeds by age, after Weidmann 1993, has no table; the
    /// numbers are readings of it that two independent projects agree in to 0.02 m/s (scenarios of
    /// JuPedSim's web application for test 7, ages 20 to 70; a student project of the guideline's
    /// tests, ages 10 to 80, and the widths, at 30 within 0.04 of a third reading); its ages are
    /// that project's, too.
    #[non_exhaustive]
    pub enum Population {
        /// None: all go by `max_speed` and its spread.
        #[default]
        None = "none",
        /// Passengers of a ship: half of them men, 32 in 100 older than 50 and 40 in 100 of
        /// impaired mobility beside; 0.37 to 1.85 m/s.
        Imo = "imo",
        /// Visitors of a building, 10 to 85 years old; 0.40 to 2.53 m/s.
        Rimea = "rimea",
    }
}

/// Parts of the passengers, in hundredths, and the range of their speeds.
const PASSENGERS: [(u32, [f64; 2]); 10] = [
    // Women younger than 30, to 50, older; older and of impaired mobility, 1 and 2.
    (7, [0.93, 1.55]),
    (7, [0.71, 1.19]),
    (16, [0.56, 0.94]),
    (10, [0.43, 0.71]),
    (10, [0.37, 0.61]),
    // Men.
    (7, [1.11, 1.85]),
    (7, [0.97, 1.62]),
    (16, [0.84, 1.40]),
    (10, [0.64, 1.06]),
    (10, [0.55, 0.91]),
];

/// Mean speeds and standard deviations at 10, 20, … 80 years.
const BY_AGE: [[f64; 2]; 8] = [
    [1.17, 0.23],
    [1.60, 0.31],
    [1.53, 0.28],
    [1.48, 0.28],
    [1.41, 0.24],
    [1.26, 0.24],
    [1.06, 0.20],
    [0.70, 0.10],
];

impl Population {
    /// The maximum speed of the person of an id; nothing without a population.
    pub(crate) fn max_speed_of(self, seed: u64, id: u64) -> Option<f64> {
        match self {
            Self::None => None,
            Self::Imo => Some(passenger(seed, id)),
            Self::Rimea => {
                let [mean, deviation] = by_age(age(seed, id));
                Some(mean + deviation * normal_of(seed, id, stream::MAX_SPEED))
            }
        }
    }

    /// The lowest speed of all, below which no minimum speed may be.
    pub(crate) fn slowest(self) -> f32 {
        match self {
            Self::None => f32::INFINITY,
            Self::Imo => 0.37,
            Self::Rimea => 0.40,
        }
    }
}

/// A draw within 0 and 1.
fn part(seed: u64, id: u64, stream: u32) -> f64 {
    (f64::from(bits(seed, id, 0, stream) >> 8) + 0.5) * (1.0 / 16_777_216.0)
}

fn passenger(seed: u64, id: u64) -> f64 {
    let (place, mut below) = (part(seed, id, stream::MAX_SPEED + 1) * 100.0, 0);
    let mut range = PASSENGERS[0].1;
    for (share, of_group) in PASSENGERS {
        if place >= f64::from(below) {
            range = of_group;
        }
        below += share;
    }
    range[0] + (range[1] - range[0]) * part(seed, id, stream::MAX_SPEED)
}

/// In years.
fn age(seed: u64, id: u64) -> f64 {
    /// What lies below 10 and below 85 years of the normal distribution: Φ(−2) and Φ(1.75).
    const WITHIN: [f64; 2] = [0.022_750_131_948_179_21, 0.959_940_843_136_182_9];
    50.0 + 20.0
        * normal_quantile(
            WITHIN[0] + (WITHIN[1] - WITHIN[0]) * part(seed, id, stream::MAX_SPEED + 1),
        )
}

/// Mean and standard deviation of the speeds at an age.
fn by_age(age: f64) -> [f64; 2] {
    let place = (age - 10.0) / 10.0;
    // Not below 0, where a cast would end it, too.
    let first = place as usize;
    let (Some(&low), Some(&high)) = (BY_AGE.get(first), BY_AGE.get(first + 1)) else {
        return BY_AGE[BY_AGE.len() - 1];
    };
    let part = place - first as f64;
    core::array::from_fn(|i| low[i] + (high[i] - low[i]) * part)
}
