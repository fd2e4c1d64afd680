//! Flocks are read once for several observables, where their columns lie; the values are those of
//! plain sums over copies.

use super::measures::brute_groups;
use crate::common::*;
use wingbeat::steer::*;
use wingbeat::*;
use wingbeat_measure::{Observables, State, Wanted, measure, observables};
use wingbeat_test_support::tier;

/// Each observable by its formula, on f64 copies in id order, a walk of its own for each: no sum
/// shared, nothing pruned.
struct Plain<'a, const D: usize> {
    positions: Vec<[f64; D]>,
    velocities: Vec<[f64; D]>,
    domain: &'a Domain<[f32; D]>,
}

fn length<const N: usize>(v: [f64; N]) -> f64 {
    v.iter().fold(0.0, |sum, c| sum + c * c).sqrt()
}

fn direction<const N: usize>(v: [f64; N]) -> [f64; N] {
    if length(v) < 1e-15 { [0.0; N] } else { v.map(|c| c / length(v)) }
}

fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

impl<'a, const D: usize> Plain<'a, D> {
    fn of(frame: &Frame<'_, D>, domain: &'a Domain<[f32; D]>) -> Self {
        let positions = frame.by_id().map(|b| b.position.map(f64::from)).collect();
        Self {
            positions,
            velocities: frame.by_id().map(|b| b.velocity.map(f64::from)).collect(),
            domain,
        }
    }

    fn mean(&self, sum: f64) -> Option<f64> {
        (!self.positions.is_empty()).then(|| sum / self.positions.len() as f64)
    }

    fn polarization(&self) -> Option<f64> {
        let sum = |a: usize| self.velocities.iter().fold(0.0, |sum, v| sum + direction(*v)[a]);
        self.mean(length::<D>(std::array::from_fn(sum)))
    }

    fn mean_speed(&self) -> Option<f64> {
        self.mean(self.velocities.iter().fold(0.0, |sum, v| sum + length(*v)))
    }

    fn mean_position(&self) -> [f64; D] {
        std::array::from_fn(|a| {
            let sum = |f: &dyn Fn(f64) -> f64| {
                self.positions.iter().fold(0.0, |sum, position| sum + f(position[a]))
            };
            if !self.domain.is_periodic() {
                return sum(&|x| x) / self.positions.len().max(1) as f64;
            }
            let (min, side) = (f64::from(self.domain.min[a]), f64::from(self.domain.side(a)));
            let angle = |x: f64| std::f64::consts::TAU * (x - min) / side;
            let turns = libm::atan2(sum(&|x| libm::sin(angle(x))), sum(&|x| libm::cos(angle(x))))
                / std::f64::consts::TAU;
            min + side * if turns < 0.0 { turns + 1.0 } else { turns }
        })
    }

    /// Whether the mean position hangs on rounding, as those that stand evenly round a periodic
    /// axis have none, or a boid's direction from it.
    fn is_anywhere(&self) -> bool {
        let hangs = |a: usize| {
            let angle = |x: f64| {
                std::f64::consts::TAU * (x - f64::from(self.domain.min[a]))
                    / f64::from(self.domain.side(a))
            };
            let sum = |f: &dyn Fn(f64) -> f64| {
                self.positions.iter().fold(0.0, |sum, position| sum + f(angle(position[a])))
            };
            length([sum(&libm::sin), sum(&libm::cos)]) < 1e-6 * self.positions.len() as f64
        };
        let middle = self.mean_position();
        let stands_there = self.positions.iter().any(|position| {
            length(self.way(middle, *position)) < 1e-9 * f64::from(self.domain.side(0))
        });
        self.domain.is_periodic() && (stands_there || (0..D).any(hangs))
    }

    fn way(&self, from: [f64; D], to: [f64; D]) -> [f64; D] {
        std::array::from_fn(|a| {
            let (offset, side) = (to[a] - from[a], f64::from(self.domain.side(a)));
            if self.domain.is_periodic() { offset - side * (offset / side).round() } else { offset }
        })
    }

    fn turning(&self, of: fn([f64; D]) -> [f64; D]) -> Option<f64> {
        let (mut sum, middle) = ([0.0f64; 3], self.mean_position());
        for (position, velocity) in self.positions.iter().zip(&self.velocities) {
            let (arm, velocity) = (of(self.way(middle, *position)), of(*velocity));
            let in_space = |v: [f64; D]| -> [f64; 3] {
                std::array::from_fn(|a| v.get(a).copied().unwrap_or(0.0))
            };
            let (r, v) = (in_space(arm), in_space(velocity));
            for (a, (b, c)) in [(1, 2), (2, 0), (0, 1)].into_iter().enumerate() {
                sum[a] += r[b] * v[c] - r[c] * v[b];
            }
        }
        self.mean(length(sum))
    }

    fn nearest(&self) -> Option<f64> {
        let nearest = |i: usize| {
            let others = (0..self.positions.len()).filter(|&j| j != i);
            let distances = others.map(|j| length(self.way(self.positions[i], self.positions[j])));
            distances.fold(
                f64::INFINITY,
                |nearest, distance| if distance < nearest { distance } else { nearest },
            )
        };
        let sum = (0..self.positions.len()).fold(0.0, |sum, i| sum + nearest(i));
        self.mean(sum).filter(|_| self.positions.len() > 1)
    }

    fn local_order(&self, radius: f64) -> Option<f64> {
        let order = |i: usize| {
            let near =
                |j: &usize| length(self.way(self.positions[i], self.positions[*j])) <= radius;
            let near: Vec<usize> = (0..self.positions.len()).filter(near).collect();
            let sum =
                |a: usize| near.iter().fold(0.0, |sum, &j| sum + direction(self.velocities[j])[a]);
            length::<D>(std::array::from_fn(sum)) / near.len() as f64
        };
        self.mean((0..self.positions.len()).fold(0.0, |sum, i| sum + order(i)))
    }

    fn correlation_length(&self) -> Option<f64> {
        let rows = self.correlation();
        let end = rows.iter().position(|(_, c)| *c <= 0.0)?;
        let (start, (to, c)) = (if end > 0 { rows[end - 1] } else { (0.0, 1.0) }, rows[end]);
        Some(start.0 + (to - start.0) * start.1 / (start.1 - c))
    }

    fn correlation(&self) -> Vec<(f64, f64)> {
        let (n, dot) = (self.velocities.len() as f64, |a: &[f64; D], b: &[f64; D]| {
            (0..D).fold(0.0, |sum, c| sum + a[c] * b[c])
        });
        let mean: [f64; D] =
            std::array::from_fn(|a| self.velocities.iter().fold(0.0, |sum, v| sum + v[a] / n));
        let u: Vec<[f64; D]> =
            self.velocities.iter().map(|v| std::array::from_fn(|a| v[a] - mean[a])).collect();
        let square = self.velocities.iter().fold(0.0, |sum, v| sum + dot(v, v) / n);
        let variance = u.iter().fold(0.0, |sum, u| sum + dot(u, u) / n);
        if variance <= square * 1e-24 {
            return Vec::new();
        }
        let largest = |f: &dyn Fn(&[f64; D]) -> f64| {
            self.positions.iter().map(f).fold(f64::NEG_INFINITY, greater)
        };
        let side = |a: usize| largest(&|position| position[a]) + largest(&|position| -position[a]);
        let reach = if self.domain.is_periodic() {
            -(0..D).map(|a| -f64::from(self.domain.side(a)) / 2.0).fold(f64::NEG_INFINITY, greater)
        } else {
            length::<D>(std::array::from_fn(side)) * (1.0 + 1e-12) + f64::MIN_POSITIVE
        };
        let mut bins = [(0.0, 0.0); 32];
        for i in 0..u.len() {
            for j in (0..u.len()).filter(|&j| j != i) {
                let distance = length(self.way(self.positions[i], self.positions[j]));
                if distance <= reach {
                    let bin = &mut bins[((distance * (32.0 / reach)) as usize).min(31)];
                    *bin = (bin.0 + dot(&u[i], &u[j]), bin.1 + 1.0);
                }
            }
        }
        let rows = bins.into_iter().enumerate().filter(|(_, bin)| bin.1 > 0.0);
        rows.map(|(k, bin)| ((k as f64 + 0.5) * reach / 32.0, bin.0 / bin.1 / variance)).collect()
    }
}

/// Equal but for rounding.
fn near(found: Option<f64>, wanted: Option<f64>, case: &str) {
    let close = |found: f64, wanted: f64| (found - wanted).abs() <= 1e-9 * (wanted.abs() + 1e-300);
    let agrees = found.zip(wanted).map_or(found == wanted, |(found, wanted)| {
        close(found, wanted) || found.abs() + wanted.abs() < 1e-9
    });
    assert!(agrees, "{case}: {found:?} {wanted:?}");
}

/// What is said of all are means, or the largest, of what is said of each.
fn each<const D: usize>(state: &State<'_, D>, all: &Observables, radius: f64, case: &str) {
    let each = state.each(Wanted::ALL, Some(radius));
    let mean = |values: &[f64]| {
        let sum = values.iter().fold(0.0, |sum, value| sum + value);
        (!values.is_empty()).then(|| sum / values.len() as f64)
    };
    near(mean(&each.speeds), all.mean_speed, case);
    near(mean(&each.local_orders), all.local_order, case);
    near(
        mean(&each.nearest_neighbor_distances).filter(|_| state.len() > 1),
        all.nearest_neighbor_distance,
        case,
    );
    assert_eq!(each.group_sizes.iter().max().copied(), all.largest_group, "{case}");
    let groups: f64 = each.group_sizes.iter().map(|size| 1.0 / *size as f64).sum();
    near(Some(groups).filter(|groups| *groups > 0.0), all.groups.map(|groups| groups as f64), case);
}

fn measured_once<const D: usize>(seed: u64) {
    let mut random = Random::new(seed);
    let (state, kind) = (STATES[seed as usize % STATES.len()], random.one_of(&KINDS));
    let size = random.one_of(&[1.0, 0.01, 300.0]);
    let domain = domain::<D>(kind, size, &mut random);
    let boids = boids(state, &domain, size, &mut random);
    let boids = boids.iter().map(|b| Boid {
        id: BoidId::new(b.id),
        position: b.position,
        velocity: b.velocity,
    });
    let mut flock =
        Flock::<D>::builder().domain(domain).boids_with_ids(boids.collect()).build().unwrap();
    if random.coin() {
        flock.sort();
    }
    let (frame, radius, case) =
        (flock.frame(), f64::from(size) * 0.4, format!("seed {seed} {D}-D {kind} {state}"));
    let plain = Plain::of(&frame, &domain);
    let slices = State::new(&plain.positions, &plain.velocities, domain);
    let (sizes, density) = (brute_groups(&plain.positions, &domain, radius), slices.density());
    let wanted = [
        plain.polarization(),
        plain.turning(direction),
        plain.turning(|v| v),
        plain.mean_speed(),
        plain.nearest(),
        plain.correlation_length(),
        density,
        Some(sizes.len() as f64).filter(|count| *count > 0.0),
        sizes.first().map(|largest| *largest as f64),
        plain.local_order(radius),
    ];
    let bits = |values: [Option<f64>; 10]| values.map(|value| value.map(f64::to_bits));
    let all = observables(&frame, &domain, Some(radius));
    // By another library's sine, and by pairs in another order: the last bits differ.
    let rounded = |name: &str| {
        ["correlation_length", "local_order"].contains(&name)
            || domain.is_periodic() && (name == "milling" || name == "angular_momentum")
    };
    for ((name, found), wanted) in Observables::NAMES.into_iter().zip(all.values()).zip(wanted) {
        let unclear = match name {
            "local_order" => false,
            "correlation_length" => plain.correlation().iter().any(|(_, c)| c.abs() < 1e-9),
            _ => rounded(name) && plain.is_anywhere(),
        };
        if rounded(name) && !unclear {
            near(found, wanted, &format!("{case} {name}"));
        } else if !unclear {
            assert_eq!(
                found.map(f64::to_bits),
                wanted.map(f64::to_bits),
                "{case}: {name}: {found:?} {wanted:?}"
            );
        }
    }
    assert_eq!(slices.observables(Some(radius)), all, "{case}");
    each(&slices, &all, radius, &case);
    assert_eq!(slices.clone().on_all_threads().observables(Some(radius)), all, "{case}");
    let (rows, plain_rows) = (slices.velocity_correlation(), plain.correlation());
    assert_eq!(rows.len(), plain_rows.len(), "{case}");
    for (row, wanted) in rows.into_iter().zip(plain_rows) {
        near(Some(row.0), Some(wanted.0), &case);
        assert!((row.1 - wanted.1).abs() < 1e-9, "{case}: {row:?} {wanted:?}");
    }
    if !plain.is_anywhere() {
        let middle = observe::mean_position(&frame, &domain);
        middle
            .into_iter()
            .zip(plain.mean_position())
            .for_each(|(x, wanted)| near(Some(x), Some(wanted), &case));
    }
    // Any set has the bits of all, where it asks, and nothing else.
    let mut some = Wanted::NONE;
    for _ in 0..random.below(5) {
        some |= random.one_of(&Observables::NAMES).parse().unwrap();
    }
    let found = measure(&frame, &domain, some, Some(radius));
    let asked: Vec<&str> = some.names().collect();
    let part = Observables::NAMES.map(|name| asked.contains(&name));
    let values = all.values();
    let wanted: [Option<f64>; 10] = std::array::from_fn(|i| values[i].filter(|_| part[i]));
    assert_eq!(
        (found.individuals, bits(found.values())),
        (frame.len(), bits(wanted)),
        "{case} {asked:?}"
    );
}

#[test]
fn values_are_those_of_plain_sums_by_id_to_the_last_bit() {
    for seed in 0..tier::either(150, 600) {
        measured_once::<2>(seed);
        measured_once::<3>(seed);
    }
}

#[test]
fn a_set_is_read_from_names() {
    assert_eq!("polarization,groups".parse(), Ok(Wanted::POLARIZATION | Wanted::GROUPS));
    assert_eq!(Observables::NAMES.join(" , ").parse(), Ok(Wanted::ALL));
    assert_eq!(Wanted::ALL.names().collect::<Vec<_>>(), Observables::NAMES);
    for (name, one) in Observables::NAMES.into_iter().zip([
        Wanted::POLARIZATION,
        Wanted::MILLING,
        Wanted::ANGULAR_MOMENTUM,
        Wanted::MEAN_SPEED,
        Wanted::NEAREST_NEIGHBOR_DISTANCE,
        Wanted::CORRELATION_LENGTH,
        Wanted::DENSITY,
        Wanted::GROUPS,
        Wanted::LARGEST_GROUP,
        Wanted::LOCAL_ORDER,
    ]) {
        assert_eq!((name.parse(), one.names().collect::<Vec<_>>()), (Ok(one), vec![name]));
        assert!(
            Wanted::ALL.contains(one) && one.intersects(Wanted::ALL) && !one.contains(Wanted::ALL)
        );
    }
    for wrong in ["", "milling,", "Milling", "millings"] {
        let refusal = wrong.parse::<Wanted>().expect_err(wrong).to_string();
        assert!(
            refusal.contains("allowed is polarization, milling") && !refusal.contains('\n'),
            "{refusal}"
        );
    }
}

#[test]
fn columns_are_measured_as_vectors_are() {
    let columns: [[f32; 3]; 4] =
        [[0.0, 3.0, 9.0], [0.0, 4.0, 1.0], [1.0, -2.0, f32::NAN], [0.5, 1.0, 3.0]];
    let state =
        State::of_columns([&columns[0], &columns[1]], [&columns[2], &columns[3]], Domain::open());
    let pairs = |x: [f32; 3], y: [f32; 3]| -> Vec<[f64; 2]> {
        x.into_iter().zip(y).map(|(x, y)| [x.into(), y.into()]).collect()
    };
    let (positions, velocities) = (pairs(columns[0], columns[1]), pairs(columns[2], columns[3]));
    assert_eq!(
        state.observables(Some(5.0)),
        State::new(&positions, &velocities, Domain::open()).observables(Some(5.0))
    );
    assert_eq!((state.len(), state.groups(5.0)), (3, vec![2, 1]));
    assert_eq!(state.mean_speed(), Some((1.25f64.sqrt() + 5f64.sqrt()) / 2.0));
    let short = std::panic::catch_unwind(|| {
        State::of_columns([&[0.0; 3], &[0.0; 3]], [&[0.0; 3], &[0.0; 2]], Domain::open()).len()
    });
    assert!(short.is_err(), "columns of different lengths");
}
