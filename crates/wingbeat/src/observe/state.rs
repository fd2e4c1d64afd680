//! The definitions of order and motion, on plain slices.
#![forbid(unsafe_code)]

use wingbeat_steer::{Domain, Vector};

use super::{Observables, correlation, density, groups, nearest, norm, unit};

/// Positions and velocities of individuals at one moment, and the world they live in. Simulated or recorded: the definitions
/// are the same.
///
/// A velocity with a NaN in it is not known: whoever has it is left out, also out of N, wherever a velocity is needed. An
/// observable nobody can answer for is `None`. Sums are f64, in the order of the slices; flocks and recordings order theirs by
/// id.
///
/// Units: lengths and times are those of the slices.
#[derive(Clone, Copy, Debug)]
pub struct State<'a, const D: usize> {
    positions: &'a [[f64; D]],
    velocities: &'a [[f64; D]],
    domain: Domain<[f32; D]>,
}

impl<'a, const D: usize> State<'a, D> {
    /// A state. Recordings live in [`Domain::open`]; in a periodic domain, distances are those to the nearest image.
    ///
    /// # Panics
    /// If there are not as many velocities as positions.
    pub fn new(positions: &'a [[f64; D]], velocities: &'a [[f64; D]], domain: Domain<[f32; D]>) -> Self {
        assert_eq!(positions.len(), velocities.len(), "as many velocities as positions");
        Self { positions, velocities, domain }
    }

    /// Number of individuals.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Polarization ‖Σ h‖ / N, h = v/‖v‖, 0 at rest (‖v‖ < 10⁻¹⁵). Without unit, 0 to 1: 1 when all head the same way.
    ///
    /// Source: Vicsek et al. 1995, eq. 5.
    pub fn polarization(&self) -> Option<f64> {
        let mut sum = [0.0; D];
        let mut count = 0;
        for (_, velocity) in self.moving() {
            add(&mut sum, unit(velocity));
            count += 1;
        }
        mean(norm(sum), count)
    }

    /// Milling ‖Σ r̂ × h‖ / N, r̂ the direction from the [mean position](Self::mean_position) of all. Without unit, 0 to 1: 1
    /// when all circle one way round the middle.
    ///
    /// Source: Couzin et al. 2002, m_group (there called group angular momentum).
    pub fn milling(&self) -> Option<f64> {
        self.mean_cross(|arm, velocity| (unit(arm), unit(velocity)))
    }

    /// Group angular momentum per unit of mass ‖Σ r × v‖ / N, r from the mean position of all, length²/time: how much the
    /// group turns as a whole. Unlike milling it weighs whoever is far out or fast.
    ///
    /// Source: the total angular momentum of N equal masses about their middle; Couzin et al. 2002 normalize r and v.
    pub fn angular_momentum(&self) -> Option<f64> {
        self.mean_cross(|arm, velocity| (arm, velocity))
    }

    /// Mean speed Σ‖v‖ / N, length/time.
    pub fn mean_speed(&self) -> Option<f64> {
        let (sum, count) = self.moving().fold((0.0, 0), |(sum, count), (_, velocity)| (sum + norm(velocity), count + 1));
        mean(sum, count)
    }

    /// Mean position, length; on a periodic axis the circular mean (the direction of Σ exp(2πi·(x − min)/L)), in the box.
    /// The origin for nobody.
    pub fn mean_position(&self) -> [f64; D] {
        let mut mean = [0.0; D];
        for (a, mean) in mean.iter_mut().enumerate() {
            if self.domain.is_periodic() {
                let (min, side) = (f64::from(self.domain.min.axis(a)), f64::from(self.domain.side(a)));
                let (mut cos, mut sin) = (0.0, 0.0);
                for position in self.positions {
                    let angle = std::f64::consts::TAU * (position[a] - min) / side;
                    cos += libm::cos(angle);
                    sin += libm::sin(angle);
                }
                // Of the images of the mean, the one in the box.
                let turns = libm::atan2(sin, cos) / std::f64::consts::TAU;
                *mean = min + side * if turns < 0.0 { turns + 1.0 } else { turns };
            } else {
                *mean = self.positions.iter().fold(0.0, |sum, position| sum + position[a]) / self.len().max(1) as f64;
            }
        }
        mean
    }

    /// Mean over all of the distance to the nearest other, length; `None` for fewer than two. Coincident individuals are at
    /// distance 0.
    ///
    /// O(N log N) however they clump: 1 to 2 µs an individual at 100,000.
    ///
    /// Source: Clark & Evans 1954.
    pub fn nearest_neighbor_distance(&self) -> Option<f64> {
        nearest::mean_distance(self.positions, &self.domain)
    }

    /// Sizes of groups, largest first: connected components where whoever is within `radius` (d ≤ radius, length) of another
    /// is in one group with it. A radius that is not a positive finite number connects nobody.
    ///
    /// A grid keeps it near O(N), some 10 µs an individual: whoever shares a cell needs no pair tests, so that dense clumps are cheap. Two crowds in
    /// neighboring cells that stand barely further apart than the radius are compared pair by pair: quadratic in their size.
    ///
    /// Source: Huepe & Aldana 2004, clusters of neighbors in range.
    pub fn groups(&self, radius: f64) -> Vec<usize> {
        groups::sizes(self.positions, &self.domain, radius)
    }

    /// The connected correlation of velocity fluctuations u = v − mean(v) over distance: rows of (mean distance, C), with
    /// C(r) = mean of uᵢ·uⱼ over pairs at distance r, divided by the mean of u·u, so that C(0) = 1. 32 equal bins reach to
    /// half the shortest side of a periodic box, else to the diagonal of the box around all; empty bins are left out. Empty
    /// where nobody's velocity differs from the mean by more than rounding.
    ///
    /// Up to 2,000 individuals every pair counts. Above, every m-th (in the order of the slices) is paired with everybody,
    /// with the smallest m that keeps to 4 million pairs: about 40 ms.
    ///
    /// Source: Cavagna et al. 2010.
    pub fn velocity_correlation(&self) -> Vec<(f64, f64)> {
        let (positions, velocities): (Vec<_>, Vec<_>) = self.moving().unzip();
        correlation::by_distance(&positions, &velocities, &self.domain)
    }

    /// Correlation length ξ of velocity fluctuations, length: the first distance where [C](Self::velocity_correlation)
    /// passes zero, linear between bins (and from C(0) = 1). `None` where there are no fluctuations, or C stays positive.
    ///
    /// Source: Cavagna et al. 2010, C(r = ξ) = 0.
    pub fn correlation_length(&self) -> Option<f64> {
        correlation::zero_crossing(&self.velocity_correlation())
    }

    /// Density, individuals per length^D: N over the area or volume of the domain's box; in open space over that of the
    /// convex hull of all. `None` for a hull without area or volume (fewer than D + 1 individuals, or all on a line or plane).
    ///
    /// The hull of a plane takes O(N log N); in space N times the faces it has on the way, which is near O(N) unless most
    /// individuals lie on the outside (a hollow shell of N: quadratic, about a second for 10,000).
    ///
    /// Source: Ballerini et al. 2008 (there the hull is also carved out where it is hollow).
    pub fn density(&self) -> Option<f64> {
        density::density(self.positions, &self.domain)
    }

    /// All of the above; groups where a radius is given.
    pub fn observables(&self, radius: Option<f64>) -> Observables {
        let groups = radius.filter(|_| !self.is_empty()).map(|radius| self.groups(radius));
        Observables {
            individuals: self.len(),
            polarization: self.polarization(),
            milling: self.milling(),
            angular_momentum: self.angular_momentum(),
            mean_speed: self.mean_speed(),
            nearest_neighbor_distance: self.nearest_neighbor_distance(),
            correlation_length: self.correlation_length(),
            density: self.density(),
            groups: groups.as_ref().map(Vec::len),
            largest_group: groups.and_then(|sizes| sizes.first().copied()),
        }
    }

    /// Those whose velocity is known.
    fn moving(&self) -> impl Iterator<Item = ([f64; D], [f64; D])> {
        let all = self.positions.iter().copied().zip(self.velocities.iter().copied());
        all.filter(|(_, velocity)| !velocity.iter().any(|c| c.is_nan()))
    }

    /// ‖Σ a × b‖ / N, a and b made from the arm to the mean position and the velocity.
    fn mean_cross(&self, of: impl Fn([f64; D], [f64; D]) -> ([f64; D], [f64; D])) -> Option<f64> {
        let center = self.mean_position();
        let mut sum = [0.0f64; 3];
        let mut count = 0;
        for (position, velocity) in self.moving() {
            let (arm, velocity) = of(offset(&center, &position, &self.domain), velocity);
            let (mut a, mut b) = ([0.0; 3], [0.0; 3]);
            a[..D].copy_from_slice(&arm);
            b[..D].copy_from_slice(&velocity);
            sum[0] += a[1] * b[2] - a[2] * b[1];
            sum[1] += a[2] * b[0] - a[0] * b[2];
            sum[2] += a[0] * b[1] - a[1] * b[0];
            count += 1;
        }
        mean(norm(sum), count)
    }
}

/// The way from one position to another, in a periodic domain to its nearest image.
pub(super) fn offset<const D: usize>(from: &[f64; D], to: &[f64; D], domain: &Domain<[f32; D]>) -> [f64; D] {
    let mut offset = [0.0; D];
    for a in 0..D {
        offset[a] = to[a] - from[a];
        if domain.is_periodic() {
            let side = f64::from(domain.side(a));
            offset[a] -= side * (offset[a] / side).round();
        }
    }
    offset
}

fn add<const D: usize>(sum: &mut [f64; D], v: [f64; D]) {
    for a in 0..D {
        sum[a] += v[a];
    }
}

fn mean(sum: f64, count: usize) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}
