//! The definitions of order, motion and place, on borrowed positions and velocities.

use wingbeat::measuring::{Individuals, Pool, means, pool};
use wingbeat::{Domain, Frame, Level};

use crate::tree::{BoxGaps, KdTree};
use crate::{Observables, Wanted, correlation, density, groups, local_order, nearest};

/// Positions and velocities of individuals at one moment, and the world they live in. Simulated or
/// recorded: the definitions are the same.
///
/// A state is a copy, 16·D bytes an individual. Everything is computed in f64, and sums run in one
/// order: by ascending id for a flock, as they lie for slices. So they do not depend on how a flock
/// is stored, nor on SIMD levels and threads: a flock's own threads work on its state, the calling
/// thread alone on others unless [`on_all_threads`](Self::on_all_threads) is said.
///
/// A velocity with a NaN in it is not known: an individual that has it is left out, also out of N,
/// wherever a velocity is needed. An observable that is defined for no individual is `None`.
///
/// Units: lengths and times are those of the positions and velocities.
///
/// ```
/// use wingbeat::Domain;
/// use wingbeat_measure::State;
/// let (positions, velocities) = ([[0.0, 0.0], [0.0, 3.0]], [[1.0, 0.0], [0.0, 1.0]]);
/// let state = State::new(&positions, &velocities, Domain::open());
/// assert_eq!(state.polarization(), Some(0.5f64.sqrt()));
/// assert_eq!(state.nearest_neighbor_distance(), Some(3.0));
/// assert_eq!(state.groups(1.0), [1, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct State<'a, const D: usize> {
    pub(crate) individuals: Individuals<D>,
    pub(crate) domain: Domain<[f32; D]>,
    pub(crate) pool: &'a Pool,
    pub(crate) level: Level,
}

impl<const D: usize> State<'static, D> {
    /// A state of vectors, as recordings have them. They live in [`Domain::open`] unless they name
    /// their edges; in a periodic domain, distances are those to the nearest image.
    ///
    /// # Panics
    /// If there are not as many velocities as positions, or 2³² of them or more.
    #[inline(never)]
    pub fn new(positions: &[[f64; D]], velocities: &[[f64; D]], domain: Domain<[f32; D]>) -> Self {
        Self::checked(
            [positions.len(), velocities.len()],
            &|| Individuals::of_slices(positions, velocities),
            domain,
        )
    }

    /// A state of columns, one an axis, in the order of their sums.
    ///
    /// ```
    /// use wingbeat::Domain;
    /// use wingbeat_measure::State;
    /// let (x, y, vx, vy) = ([0.0, 0.0], [0.0, 3.0], [1.0, 0.0], [0.0, 1.0]);
    /// let state = State::of_columns([&x, &y], [&vx, &vy], Domain::open());
    /// assert_eq!(state.mean_position(), [0.0, 1.5]);
    /// ```
    ///
    /// # Panics
    /// If the columns are not all of one length, or of 2³² or more.
    #[inline(never)]
    pub fn of_columns(
        positions: [&[f32]; D],
        velocities: [&[f32]; D],
        domain: Domain<[f32; D]>,
    ) -> Self {
        let lengths: Vec<usize> =
            positions.iter().chain(&velocities).map(|column| column.len()).collect();
        Self::checked(lengths, &|| Individuals::of_columns(positions, velocities), domain)
    }

    fn checked(
        lengths: impl AsRef<[usize]>,
        individuals: &dyn Fn() -> Individuals<D>,
        domain: Domain<[f32; D]>,
    ) -> Self {
        let (lengths, count) = (lengths.as_ref(), lengths.as_ref()[0]);
        assert!(
            lengths.iter().all(|&length| length == count),
            "as many velocities as positions, along every axis"
        );
        assert!(u32::try_from(count).is_ok(), "fewer than 2³² individuals");
        Self { individuals: individuals(), domain, pool: Pool::CALLER, level: Level::detect() }
    }

    /// The same, to be looked at by all threads of rayon's global pool, which pays from some
    /// thousand individuals on. Values stay the same.
    #[must_use]
    pub fn on_all_threads(self) -> Self {
        Self { pool: Pool::GLOBAL, ..self }
    }
}

impl<'a, const D: usize> State<'a, D> {
    /// The state of a flock, by ascending id.
    #[inline(never)]
    pub fn of(frame: &Frame<'a, D>, domain: &Domain<[f32; D]>) -> Self {
        let pool = pool(frame);
        let individuals = pool.enter(|| Individuals::of(frame));
        Self { individuals, domain: *domain, pool, level: Level::detect() }
    }

    /// Number of individuals.
    pub fn len(&self) -> usize {
        self.individuals.len()
    }

    /// Whether there is no individual.
    pub fn is_empty(&self) -> bool {
        self.individuals.is_empty()
    }

    /// Several at once: only what is wanted is computed, and nothing twice. Groups are counted
    /// where a radius is given, see [`groups`](Self::groups); neighbors and groups are looked for
    /// in one tree, at the same time as all others are computed.
    ///
    /// Every value has the bits that its own method returns. O(N log N), but for densities in open
    /// space: with everything wanted some 200 ns an individual, on one core with AVX-512, of which
    /// means take a tenth.
    ///
    /// ```
    /// use wingbeat::Domain;
    /// use wingbeat_measure::{State, Wanted};
    /// let (positions, velocities) = ([[1.0, 0.0], [-1.0, 0.0]], [[0.0, 2.0], [0.0, -2.0]]);
    /// let state = State::new(&positions, &velocities, Domain::open());
    /// let found = state.measure(Wanted::MILLING | Wanted::MEAN_SPEED | Wanted::GROUPS, Some(0.5));
    /// assert_eq!(
    ///     (found.milling, found.mean_speed, found.groups),
    ///     (Some(1.0), Some(2.0), Some(2))
    /// );
    /// assert_eq!(found.polarization, None, "was not wanted");
    /// ```
    #[inline(never)]
    pub fn measure(&self, wanted: Wanted, radius: Option<f64>) -> Observables {
        let mut found = Observables { individuals: self.len(), ..Observables::default() };
        let nearest = wanted.contains(Wanted::NEAREST_NEIGHBOR_DISTANCE) && self.len() > 1;
        let radius = radius.filter(|_| !self.is_empty());
        let group = radius.filter(|_| wanted.intersects(Wanted::GROUPS | Wanted::LARGEST_GROUP));
        let local = radius.filter(|&radius| {
            wanted.contains(Wanted::LOCAL_ORDER) && radius > 0.0 && radius.is_finite()
        });
        self.pool.enter(|| {
            // What takes one thread long goes beside what several can share.
            let with_tree = || {
                let tree = (nearest || group.or(local).is_some())
                    .then(|| KdTree::new(&self.individuals, self.pool));
                let tree = tree.as_ref();
                let shared = || {
                    found.local_order = tree
                        .zip(local)
                        .and_then(|(tree, radius)| mean_known(&self.orders(tree, radius)));
                    found.nearest_neighbor_distance =
                        tree.filter(|_| nearest).map(|tree| self.mean_nearest(tree));
                    self.order(wanted, &mut found);
                    found
                };
                self.pool.both(shared, || {
                    tree.zip(group).map(|(tree, radius)| self.group_sizes(tree, radius))
                })
            };
            let without = || {
                let correlation =
                    wanted.contains(Wanted::CORRELATION_LENGTH).then(|| self.correlation_length());
                let density = wanted.contains(Wanted::DENSITY).then(|| self.density());
                (correlation.flatten(), density.flatten())
            };
            let ((found, sizes), (correlation_length, density)) =
                self.pool.both(with_tree, without);
            let sizes = sizes.unwrap_or_default();
            Observables {
                groups: (!sizes.is_empty() && wanted.contains(Wanted::GROUPS))
                    .then_some(sizes.len()),
                largest_group: sizes
                    .first()
                    .copied()
                    .filter(|_| wanted.contains(Wanted::LARGEST_GROUP)),
                correlation_length,
                density,
                ..found
            }
        })
    }

    /// Fills in whatever of the means is wanted.
    fn order(&self, wanted: Wanted, found: &mut Observables) {
        let headings = Wanted::POLARIZATION | Wanted::MEAN_SPEED;
        let rotation = Wanted::MILLING | Wanted::ANGULAR_MOMENTUM;
        let order = means::measure(
            &self.individuals,
            &self.domain,
            (self.pool, self.level),
            [headings, rotation].map(|of| wanted.intersects(of)),
        );
        let if_wanted = |one, value: Option<f64>| value.filter(|_| wanted.contains(one));
        found.polarization = if_wanted(Wanted::POLARIZATION, order.polarization);
        found.mean_speed = if_wanted(Wanted::MEAN_SPEED, order.mean_speed);
        found.milling = if_wanted(Wanted::MILLING, order.milling);
        found.angular_momentum = if_wanted(Wanted::ANGULAR_MOMENTUM, order.angular_momentum);
    }

    /// Mean distance to the nearest other, of at least two.
    fn mean_nearest(&self, tree: &KdTree<D>) -> f64 {
        let distances = nearest::distances(tree, BoxGaps::new(&self.domain), self.pool, self.level);
        distances.iter().fold(0.0, |sum, distance| sum + distance) / self.len() as f64
    }

    /// How well each is aligned with those around, by place, of at least one; NaN where a velocity
    /// is not known.
    pub(crate) fn orders(&self, tree: &KdTree<D>, radius: f64) -> Vec<f64> {
        local_order::of_each(
            tree,
            BoxGaps::new(&self.domain),
            &self.individuals,
            radius,
            (self.pool, self.level),
        )
    }

    /// All of them: [`measure`](Self::measure) with [`Wanted::ALL`].
    pub fn observables(&self, radius: Option<f64>) -> Observables {
        self.measure(Wanted::ALL, radius)
    }

    /// Polarization ‖Σ h‖ / N, h = v/‖v‖, 0 at rest (‖v‖ < 10⁻¹⁵). Without unit, 0 to 1: 1 when all
    /// head the same way, near 1/√N when headings are random. O(N).
    ///
    /// Source: Vicsek et al. 1995, eq. 5.
    pub fn polarization(&self) -> Option<f64> {
        self.measure(Wanted::POLARIZATION, None).polarization
    }

    /// Milling ‖Σ r̂ × h‖ / N, r̂ the direction from the [mean position](Self::mean_position) of
    /// all. Without unit, 0 to 1: 1 when all circle one way round the middle. O(N).
    ///
    /// Source: Couzin et al. 2002, m_group (there called group angular momentum).
    pub fn milling(&self) -> Option<f64> {
        self.measure(Wanted::MILLING, None).milling
    }

    /// Group angular momentum per unit of mass ‖Σ r × v‖ / N, r from the mean position of all,
    /// length²/time, 0 and above: how much the group turns as a whole. Unlike milling it weighs
    /// an individual that is far out or fast. O(N).
    ///
    /// Source: the total angular momentum of N equal masses about their middle; Couzin et al. 2002
    /// normalize r and v.
    pub fn angular_momentum(&self) -> Option<f64> {
        self.measure(Wanted::ANGULAR_MOMENTUM, None).angular_momentum
    }

    /// Mean speed Σ‖v‖ / N, length/time, 0 and above. O(N).
    pub fn mean_speed(&self) -> Option<f64> {
        self.measure(Wanted::MEAN_SPEED, None).mean_speed
    }

    /// Mean position, length; on a periodic axis the circular mean (the direction of Σ exp(2πi·(x −
    /// min)/L)), in the box. The origin for no individual. O(N).
    #[inline(never)]
    pub fn mean_position(&self) -> [f64; D] {
        means::mean_position(&self.individuals, &self.domain, self.pool, self.level)
    }

    /// Mean over all of the distance to the nearest other, length, 0 and above; `None` for fewer
    /// than two. Coincident individuals are at distance 0.
    ///
    /// O(N log N) however they clump: some 120 ns an individual on one core, of which a third is
    /// for the tree.
    ///
    /// Source: Clark & Evans 1954.
    #[inline(never)]
    pub fn nearest_neighbor_distance(&self) -> Option<f64> {
        (self.len() > 1).then(|| self.mean_nearest(&KdTree::new(&self.individuals, self.pool)))
    }

    /// Sizes of groups, largest first: connected components where an individual that is within
    /// `radius` (d ≤ radius, length) of another is in one group with it. A larger radius makes
    /// fewer and larger groups; one that is not a positive finite number connects no individual.
    ///
    /// O(N log N) in all that was tried, from one clump to a line that is ten thousand times denser
    /// than the radius: 50 to 300 ns an individual.
    ///
    /// Source: Huepe & Aldana 2004, clusters of neighbors in range.
    #[inline(never)]
    pub fn groups(&self, radius: f64) -> Vec<usize> {
        if self.is_empty() {
            Vec::new()
        } else {
            self.group_sizes(&KdTree::new(&self.individuals, self.pool), radius)
        }
    }

    /// Those of at least one.
    fn group_sizes(&self, tree: &KdTree<D>, radius: f64) -> Vec<usize> {
        let may_group = radius > 0.0 && radius.is_finite();
        if may_group {
            groups::sizes(tree, BoxGaps::new(&self.domain), radius)
        } else {
            vec![1; self.len()]
        }
    }

    /// Local order, mean over all of ‖Σ h‖ / n, where the sum is over an individual that is within
    /// `radius` (d ≤ radius, length), oneself among them, and n is their number. Without unit, 0 to
    /// 1: 1 when every individual heads where their neighbors do, also where groups head different
    /// ways, which [`polarization`](Self::polarization) does not see; 1 too where no individual has
    /// a neighbor. A larger radius makes it more like the polarization of all. `None` for no
    /// individual, and for a radius that is not a positive finite number.
    ///
    /// O(N n): some 2 ns a pair, on one core with AVX-512.
    ///
    /// Source: the local polar order of Vicsek-like models, Chaté et al. 2008, Physical Review E
    /// 77, 046113.
    #[inline(never)]
    pub fn local_order(&self, radius: f64) -> Option<f64> {
        self.measure(Wanted::LOCAL_ORDER, Some(radius)).local_order
    }

    /// The connected correlation of velocity fluctuations u = v − mean(v) over distance: rows of
    /// (middle of a bin, C), with C(r) = mean of uᵢ·uⱼ over pairs at distance r, divided by the
    /// mean of u·u, so that C(0) = 1. Without unit. 32 equal bins reach to half the shortest side
    /// of a periodic box, else to the diagonal of the box around all; empty bins are left out.
    /// Empty where no individual's velocity differs from the mean by more than rounding.
    ///
    /// Up to 707 individuals every pair counts. Of more, a quarter of a million pairs do (as many
    /// as there are individuals, where that is more): chosen at random once and for all states of
    /// so many individuals, every individual in as many of them as all others. The zero crossing is
    /// then found to some 2 %, where velocities agree over several bins; where they agree over
    /// less, a few pairs decide. Below 1 ms.
    ///
    /// Source: Cavagna et al. 2010.
    #[inline(never)]
    pub fn velocity_correlation(&self) -> Vec<(f64, f64)> {
        correlation::by_distance(&self.individuals, &self.domain, self.pool, self.level)
    }

    /// Correlation length ξ of velocity fluctuations, length, above 0: the first distance where
    /// [C](Self::velocity_correlation) passes zero, linear between bins (and from C(0) = 1). `None`
    /// where there are no fluctuations, or C stays positive.
    ///
    /// Source: Cavagna et al. 2010, C(r = ξ) = 0.
    pub fn correlation_length(&self) -> Option<f64> {
        correlation::zero_crossing(&self.velocity_correlation())
    }

    /// Density, individuals per length^D: N over the area or volume of the domain's box; in open
    /// space over that of the convex hull of all. `None` for a hull without area or volume (fewer
    /// than D + 1 individuals, or all on a line or plane).
    ///
    /// The hull of a plane takes O(N log N); in space N times the faces it has on the way, which is
    /// near O(N) unless most individuals lie on the outside (a hollow shell of N: quadratic, about
    /// a second for 10,000).
    ///
    /// Source: Ballerini et al. 2008 (there the hull is also carved out where it is hollow).
    #[inline(never)]
    pub fn density(&self) -> Option<f64> {
        density::density(&self.individuals, &self.domain)
    }
}

/// The mean of those that are known.
fn mean_known(values: &[f64]) -> Option<f64> {
    let known = values.iter().filter(|value| !value.is_nan());
    let (sum, count) = known.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    (count > 0.0).then(|| sum / count)
}
