//! Curves over many moments: functions of a distance, of a lag in time, of a speed, of the place
//! around an individual.
//!
//! ```text
//! Curves::add(moment):   Past: the individuals followed, their positions without jumps at edges
//!                        each curve adds what it finds in this moment, and between it and those
//!                        before
//! Curves::table(curve):  what all of it amounts to
//! ```
//!
//! A new curve is a file with an [`Accumulate`] and a line in `curves!`.

mod autocorrelation;
mod delays;
mod displacement;
mod histogram;
mod neighbor_map;
mod pair_correlation;
mod past;
mod speeds;
mod table;
mod turning;

use std::str::FromStr;

use wingbeat::{Domain, Frame, steer::ParamError};

use super::State;
use super::tree::KdTree;
use past::Past;

pub use table::{CurveColumn, CurveTable};

/// Most lags; memory is that many moments of those that are followed.
const MOST_LAGS: usize = 10_000;

/// How curves are taken.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CurveSettings {
    /// Time from one number to the next: of a step, or of a frame. Above 0, finite.
    pub interval: f64,
    /// By how much the numbers of two moments differ that follow each other, from 1: only those are
    /// taken for a turn, and lags are multiples of it.
    pub stride: u64,
    /// Lags of the curves over time, 1 to 10,000; default 50. Of 0 and above, each so many strides.
    pub lags: usize,
    /// How far pairs are looked at, length, above 0. Default: eight times (V/N)^(1/D) of the first
    /// moment, which is near the distance of neighbors, or half the shortest side of the box if
    /// that is less.
    pub reach: Option<f64>,
}

impl CurveSettings {
    /// Moments that follow each other at this interval, with the defaults.
    pub fn new(interval: f64) -> Self {
        Self { interval, stride: 1, lags: 50, reach: None }
    }

    /// The time of so many strides.
    fn time_of(&self, lag: usize) -> f64 {
        lag as f64 * self.stride as f64 * self.interval
    }

    fn check(&self) -> Result<(), ParamError> {
        let refuse =
            |name: &str, value: String, allowed: &str| Err(ParamError::new(name, value, allowed));
        if !(self.interval > 0.0 && self.interval.is_finite()) {
            return refuse("interval", self.interval.to_string(), "a finite number above 0");
        }
        if self.stride == 0 || i64::try_from(self.stride).is_err() {
            return refuse("stride", self.stride.to_string(), "a whole number from 1, below 2^63");
        }
        if !(1..=MOST_LAGS).contains(&self.lags) {
            return refuse(
                "lags",
                self.lags.to_string(),
                &format!("a whole number, 1 to {MOST_LAGS}"),
            );
        }
        match self.reach {
            Some(reach) if !(reach > 0.0 && reach.is_finite()) => {
                refuse("reach", reach.to_string(), "a finite number above 0")
            }
            _ => Ok(()),
        }
    }
}

/// A moment, while curves look at it.
struct CurveInput<'a, const D: usize> {
    number: i64,
    state: &'a State<'a, D>,
    /// Of all that are there, if there are any and a curve needs it.
    tree: Option<&'a KdTree<D>>,
    past: &'a Past,
    settings: &'a CurveSettings,
    /// How far pairs are looked at; `None` as long as nothing tells how far.
    reach: Option<f64>,
}

/// What grows with every moment into a curve.
trait Accumulate: Default {
    fn add<const D: usize>(&mut self, now: &CurveInput<'_, D>);

    fn table(&self, settings: &CurveSettings) -> CurveTable;
}

macro_rules! curves {
    ($(
        $(#[$doc:meta])*
        $name:ident $text:literal $type:ty, pairs $pairs:literal, lags $lags:expr;
    )*) => {
        /// What can be found over many moments.
        ///
        /// ```
        /// use wingbeat_measure::Curve;
        /// assert_eq!("mean_squared_displacement".parse(), Ok(Curve::MeanSquaredDisplacement));
        /// assert!("msd".parse::<Curve>().is_err());
        /// ```
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
        )]
        #[non_exhaustive]
        pub enum Curve {
            $($(#[$doc])* $name,)*
        }

        impl Curve {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// Whether it looks at pairs in space.
            const fn is_of_pairs(self) -> bool {
                match self {
                    $(Self::$name => $pairs,)*
                }
            }

            /// How many strides back it looks, of so many lags.
            fn lags(self, lags: usize) -> usize {
                let of: fn(usize) -> usize = match self {
                    $(Self::$name => $lags,)*
                };
                of(lags)
            }

            fn begin(self) -> Growing {
                match self {
                    $(Self::$name => Growing::$name(Default::default()),)*
                }
            }
        }

        #[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
        enum Growing {
            $($name($type),)*
        }

        impl Growing {
            fn add<const D: usize>(&mut self, now: &CurveInput<'_, D>) {
                match self {
                    $(Self::$name(of) => of.add(now),)*
                }
            }

            fn table(&self, settings: &CurveSettings) -> CurveTable {
                match self {
                    $(Self::$name(of) => CurveTable { name: $text, ..of.table(settings) },)*
                }
            }
        }
    };
}

curves! {
    /// Pair correlation g(r): how many others there are at a distance, over how many there would be
    /// if all were thrown at random into the box: 1 where there is no order, 0 where none comes
    /// nearer, peaks at the distances of neighbors.
    ///
    /// The box is that of the domain, in open space the one around all, (N + 1)/(N − 1) times as
    /// wide: so much wider it is, on average, than what is in it. g = |W|² Σ 1/γ(xⱼ − xᵢ) / (N (N −
    /// 1) S), where S is the area or volume of the ring or shell, and γ(u) = Π (Lₐ − |uₐ|) is how
    /// much of the box W has an individual at this way from it still in it; in a periodic box all
    /// of it. 64 bins up to the reach. Of more than some two million pairs a moment that may be
    /// near enough, a part is looked at: those of evenly spread individuals.
    ///
    /// Source: Illian et al. 2008, Statistical Analysis and Modelling of Spatial Point Patterns,
    /// translation edge correction; the wider box: Ripley & Rasson 1977, Journal of Applied
    /// Probability 14, 483.
    PairCorrelation "pair_correlation" pair_correlation::PairCorrelation, pairs true, lags |_| 0;
    /// Mean squared displacement ⟨‖x(t + τ) − x(t)‖²⟩ over individuals and moments t, length²: (v
    /// τ)² where all fly straight, 2 D·d·τ where they diffuse in d dimensions. Across the edges of
    /// a periodic box ways go on, if no individual moves half a side between two moments.
    ///
    /// Source: Einstein 1905; over all moments t, Qian et al. 1991, Biophysical Journal 60, 910.
    MeanSquaredDisplacement "mean_squared_displacement" displacement::Displacements,
        pairs false, lags |lags| lags;
    /// Velocity autocorrelation ⟨v(t)·v(t + τ)⟩ / ⟨v(t)·v(t)⟩ over individuals and moments t: 1 at
    /// τ = 0, and as long as all keep flying as they do.
    ///
    /// Source: Green 1954; Kubo 1957.
    VelocityAutocorrelation "velocity_autocorrelation" autocorrelation::Autocorrelation,
        pairs false, lags |lags| lags;
    /// Distribution of speeds: probability by length/time.
    Speed "speed" speeds::Speeds, pairs false, lags |_| 0;
    /// Distribution of turning rates: the angle from a heading to the next one over the time
    /// between, radians/time; in the plane above 0 to the left, in space always.
    ///
    /// Source: Gautrais et al. 2009, Journal of Mathematical Biology 58, 429.
    TurningRate "turning_rate" turning::Turning, pairs false, lags |_| 1;
    /// Where the others are as an individual sees it: how many there are by area or volume ahead
    /// and to the left, or in space ahead and aside.
    ///
    /// Source: Ballerini et al. 2008; Katz et al. 2011, PNAS 108, 18720.
    NeighborMap "neighbor_map" neighbor_map::NeighborMap, pairs true, lags |_| 0;
    /// Leaders and followers: for every two, the delay τ at which ⟨hᵢ(t)·hⱼ(t + τ)⟩ is largest, h
    /// being headings. Of more than 128 individuals in the first moment, some 128 that are chosen
    /// at random; those that come later are taken in up to 128.
    ///
    /// Source: Nagy et al. 2010, Nature 464, 890.
    Delays "delays" delays::Delays, pairs false, lags |lags| lags;
}

impl FromStr for Curve {
    type Err = ParamError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.iter().find(|known| known.name() == name);
        let names = || Self::ALL.iter().map(|known| known.name()).collect::<Vec<_>>().join(", ");
        known.copied().ok_or_else(|| ParamError::new("curve", name, names()))
    }
}

/// Several curves that grow with every moment they are given.
///
/// Everything is computed in f64, in an order that depends on ids alone: neither on threads nor on
/// SIMD levels. What follows individuals through time follows 16,384 of them, chosen at random by
/// their ids, if there are more in the first moment.
///
/// ```
/// use wingbeat_measure::{Curve, CurveSettings, Curves};
/// use wingbeat::{Flock2, Params, TimeStep};
/// let mut flock =
///     Flock2::builder().params(Params::default()).boids(&[[0.0, 0.0]], &[[1.0, 0.0]]).build()?;
/// let mut curves = Curves::new(&[Curve::MeanSquaredDisplacement], CurveSettings::new(0.5))?;
/// for step in 0..5 {
///     curves.add_frame(step, &flock.frame(), &flock.domain());
///     flock.step(TimeStep::new(0.5)?);
/// }
/// let table = curves.table(Curve::MeanSquaredDisplacement).ok_or("is one of them")?;
/// // Nothing turns it: after a time t it is t away.
/// assert_eq!(table.columns[0].values, [0.0, 0.5, 1.0, 1.5, 2.0]);
/// assert_eq!(table.columns[1].values, [0.0, 0.25, 1.0, 2.25, 4.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Curves {
    settings: CurveSettings,
    reach: Option<f64>,
    past: Past,
    growing: Vec<(Curve, Growing)>,
    moments: u64,
}

impl Curves {
    /// These curves, each once.
    ///
    /// # Errors
    /// When a setting is out of its range.
    pub fn new(curves: &[Curve], settings: CurveSettings) -> Result<Self, ParamError> {
        settings.check()?;
        let lags = curves.iter().map(|curve| curve.lags(settings.lags)).fold(0, usize::max);
        let mut growing: Vec<(Curve, Growing)> = Vec::new();
        for &curve in curves {
            if growing.iter().all(|(known, _)| *known != curve) {
                growing.push((curve, curve.begin()));
            }
        }
        Ok(Self { settings, reach: settings.reach, past: Past::new(lags), growing, moments: 0 })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.growing.is_empty()
    }

    /// How they are taken.
    pub fn settings(&self) -> CurveSettings {
        self.settings
    }

    /// How many moments were added.
    pub fn moments(&self) -> u64 {
        self.moments
    }

    /// Which they are, in order.
    pub fn which(&self) -> impl Iterator<Item = Curve> {
        self.growing.iter().map(|(curve, _)| *curve)
    }

    /// Adds a moment of a flock; see [`add`](Self::add).
    #[inline(never)]
    pub fn add_frame<const D: usize>(
        &mut self,
        number: i64,
        frame: &Frame<'_, D>,
        domain: &Domain<[f32; D]>,
    ) {
        if self.is_empty() {
            return;
        }
        let ids: Vec<u64> = frame.living().iter().map(|id| id.get()).collect();
        self.add(number, &ids, &State::of(frame, domain));
    }

    /// Adds a moment: a state of individuals with ascending ids. Numbers, of steps or of frames,
    /// ascend too.
    ///
    /// # Panics
    /// If there are not as many ids as individuals.
    #[inline(never)]
    pub fn add<const D: usize>(&mut self, number: i64, ids: &[u64], state: &State<'_, D>) {
        assert_eq!(ids.len(), state.len(), "an id for each individual");
        self.moments += 1;
        let pool = state.pool;
        pool.enter(|| {
            self.past.push(number, ids, state);
            let is_of_pairs =
                !state.is_empty() && self.growing.iter().any(|(curve, _)| curve.is_of_pairs());
            let tree = is_of_pairs.then(|| KdTree::new(&state.individuals, pool));
            if is_of_pairs && self.reach.is_none() {
                self.reach = pair_correlation::usual_reach(state);
            }
            let (settings, past, reach) = (&self.settings, &self.past, self.reach);
            let now = CurveInput { number, state, tree: tree.as_ref(), past, settings, reach };
            self.growing.iter_mut().for_each(|(_, growing)| growing.add(&now));
        });
    }

    /// What a curve has come to; `None` if it is not one of them.
    pub fn table(&self, curve: Curve) -> Option<CurveTable> {
        let growing = self.growing.iter().find(|(known, _)| *known == curve);
        growing.map(|(_, growing)| growing.table(&self.settings))
    }
}
