//! What can be seen of a flock from outside: positions, velocities and species alone, in f64 and by
//! comparing all pairs. Nothing of the engine's own measures is used, so that an error in those
//! cannot hide one in the flock.

use wingbeat::steer::Species;
use wingbeat_scene::AnyFlock;

/// A flock at one moment.
pub struct Snapshot {
    positions: Vec<[f64; 3]>,
    velocities: Vec<[f64; 3]>,
    species: Vec<usize>,
    /// Sides of a periodic box; 0 where positions are not wrapped.
    sides: [f64; 3],
}

/// What is measured of a snapshot.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Part of the boids that are nearer to another of their species than the distance asked for.
    pub near: f64,
    /// Median distance to the nearest of the same species.
    pub nearest: f64,
    /// Its first decile by its median: 1 in a lattice, 0 in a pile.
    pub low: f64,
    /// Its standard deviation by its mean.
    pub spread: f64,
    /// Length of the mean heading.
    pub polarization: f64,
    pub speed: f64,
    /// Groups of boids linked at the distance asked for, those of one boid included.
    pub groups: f64,
}

impl Snapshot {
    pub fn of(flock: &AnyFlock) -> Self {
        let rows = flock.rows();
        let sides = match flock.bounds() {
            Some((min, max)) if flock.is_periodic() => {
                std::array::from_fn(|a| f64::from(max[a]) - f64::from(min[a]))
            }
            _ => [0.0; 3],
        };
        let species = |id| match flock {
            AnyFlock::Two(flock) => {
                flock.traits(wingbeat::BoidId::new(id)).expect("a boid of the flock").species
            }
            AnyFlock::Three(flock) => {
                flock.traits(wingbeat::BoidId::new(id)).expect("a boid of the flock").species
            }
        };
        Self {
            positions: rows.iter().map(|row| row.position.map(f64::from)).collect(),
            velocities: rows.iter().map(|row| row.velocity.map(f64::from)).collect(),
            species: rows.iter().map(|row| species(row.id).get()).collect(),
            sides,
        }
    }

    fn distance(&self, i: usize, j: usize) -> f64 {
        let along = |a: usize| {
            let straight = (self.positions[i][a] - self.positions[j][a]).abs();
            if self.sides[a] > 0.0 { straight.min(self.sides[a] - straight) } else { straight }
        };
        (0..3).map(|a| along(a) * along(a)).sum::<f64>().sqrt()
    }

    /// Mean of the headings; its length is the polarization.
    pub fn mean_heading(&self) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for velocity in &self.velocities {
            let speed = norm(velocity);
            for a in 0..3 {
                sum[a] += if speed > 0.0 { velocity[a] / speed } else { 0.0 };
            }
        }
        sum.map(|x| x / self.velocities.len() as f64)
    }

    /// Figures; `near` and `link` are the distances of [`Figures::near`] and [`Figures::groups`],
    /// `near` by species.
    pub fn figures(&self, near: impl Fn(usize) -> f64, link: f64) -> Figures {
        let n = self.positions.len();
        let mut nearest = vec![f64::INFINITY; n];
        let mut group: Vec<usize> = (0..n).collect();
        for i in 0..n {
            for j in 0..i {
                let distance = self.distance(i, j);
                if self.species[i] == self.species[j] {
                    nearest[i] = nearest[i].min(distance);
                    nearest[j] = nearest[j].min(distance);
                }
                if distance < link {
                    let (a, b) = (root(&mut group, i), root(&mut group, j));
                    group[a] = b;
                }
            }
        }
        let close = (0..n).filter(|&i| nearest[i] < near(self.species[i])).count();
        let mut sorted: Vec<f64> = nearest.iter().copied().filter(|d| d.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
        let variance =
            sorted.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / sorted.len() as f64;
        let median = sorted[sorted.len() / 2];
        Figures {
            near: close as f64 / n as f64,
            nearest: median,
            low: sorted[sorted.len() / 10] / median,
            spread: variance.sqrt() / mean,
            polarization: norm(&self.mean_heading()),
            speed: self.velocities.iter().map(norm).sum::<f64>() / n as f64,
            groups: (0..n).filter(|&i| group[i] == i).count() as f64,
        }
    }

    /// Boids to a volume (in the plane, to an area) where boids are: six by the ball that reaches
    /// to the seventh, which is right on average for points at random; the median of every tenth
    /// boid.
    pub fn density_within(&self, dimensions: usize) -> f64 {
        let unit =
            if dimensions == 2 { std::f64::consts::PI } else { 4.0 / 3.0 * std::f64::consts::PI };
        let mut densities: Vec<f64> = (0..self.positions.len())
            .step_by(10)
            .map(|i| {
                let mut all: Vec<f64> = (0..self.positions.len())
                    .filter(|&j| j != i)
                    .map(|j| self.distance(i, j))
                    .collect();
                all.sort_by(f64::total_cmp);
                6.0 / (0..dimensions).fold(unit, |volume, _| volume * all[6])
            })
            .collect();
        densities.sort_by(f64::total_cmp);
        densities[densities.len() / 2]
    }
}

/// How near two boids of a species are too near: this part of its separation radius.
pub fn too_near(flock: &AnyFlock, part: f64) -> impl Fn(usize) -> f64 {
    let params = flock.params().clone();
    move |species| {
        let own = params.species.get(species).map(|own: &Species| own.rules.separation);
        let rule = own.unwrap_or(params.rules.separation);
        rule.map_or(0.0, |rule| part * f64::from(rule.perception.radius))
    }
}

fn norm(v: &[f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn root(group: &mut [usize], mut i: usize) -> usize {
    while group[i] != i {
        group[i] = group[group[i]];
        i = group[i];
    }
    i
}
