//! Moving bodies apart before the first step.
//!
//! ```text
//! up to ROUNDS times:
//!     near ← pairs that may overlap before the list is made anew:
//!         by ascending place of the one, then of the other
//!     for each of these nearer than their radii and a little more:
//!         half of what is missing to each, along the line between them
//!     bodies that were pushed out of an inner face or into an obstacle are put back,
//!         on the side that they came from
//!     if none overlapped: places ← rounded to f32; ready if exact arithmetic agrees
//! ```
//!
//! All of it is in `f64`, in one order, of additions, products, quotients and square roots: the
//! same bits everywhere.

use alloc::format;
use alloc::vec::Vec;

use crate::contact::{OtherBody, domain_of, scale};
use crate::obstacle::{Point, length, wide};
use crate::placement::around::CellsAround;
use crate::placement::start::{Start, largest_reach, nearest_way, overlapping, radii};
use crate::{Boundary, Domain, ParamError, Vector, math::noise};

/// Rounds after which there is no room.
const ROUNDS: usize = 1000;

/// A pair is moved apart until its gap is this part of both radii, so that rounds end with none
/// that overlaps.
const MORE: f64 = 1.0 / 512.0;

/// And by this part of the largest coordinate: a few units in the last place.
const ROUNDING: f64 = 1.0 / 2_097_152.0;

/// A list of pairs holds until some body is half of this part of the largest diameter from where it
/// was then.
const SKIN: f64 = 0.25;

/// Most pairs of one body in a list, so that a pile of bodies is no square of their number.
const MOST: usize = 64;

/// Ways out of obstacles that are taken in a round.
const WAYS_OUT: usize = 3;

/// Bodies on their way to a start without overlaps.
struct Settling<'a, V> {
    bodies: &'a mut [OtherBody<V>],
    domain: &'a Domain<V>,
    /// Where they are.
    places: Vec<Point>,
    /// Where they were when the list was made.
    listed: Vec<Point>,
    pairs: Vec<(u32, u32)>,
    /// Who may come to an obstacle; empty without any. The others are further away than the skin,
    /// and looked at once they are that far from `position`, where they were when the list was
    /// made.
    by_obstacles: Vec<bool>,
    /// Bodies nearer to each other than this are listed, beyond their radii.
    skin: f64,
    list: Vec<u32>,
}

impl<V: Vector> Start<'_, V> {
    /// Moves bodies apart that overlap, in from faces and out of obstacles, and no others; `bodies`
    /// are in the order of their ids.
    ///
    /// # Errors
    /// After a thousand rounds without success, with how many overlap still; places are where they
    /// came to.
    #[inline(never)]
    pub fn settle(&mut self, bodies: &mut [OtherBody<V>]) -> Result<(), ParamError> {
        if self.check(bodies).is_ok() {
            return Ok(());
        }
        let mut settling = Settling::new(bodies, self.domain);
        for _ in 0..ROUNDS {
            if settling.is_stale() {
                settling.list_pairs(self);
            }
            let mut done = settling.part_pairs();
            done &= settling.keep_inside(self);
            if done && settling.round_off(self) {
                return Ok(());
            }
        }
        settling.round_off(self);
        let (still, of) = (overlapping(bodies, self.domain), bodies.len());
        let value = format!("true, and after {ROUNDS} rounds {still} of {of} bodies overlap still");
        Err(ParamError::new("body.settle", value, "a start that has room for all bodies"))
    }
}

impl<'a, V: Vector> Settling<'a, V> {
    fn new(bodies: &'a mut [OtherBody<V>], domain: &'a Domain<V>) -> Self {
        let places: Vec<Point> = bodies.iter().map(|body| wide(body.position)).collect();
        let skin = SKIN * largest_reach(bodies);
        let (pairs, by_obstacles, list) = (Vec::new(), Vec::new(), Vec::new());
        Self { bodies, domain, places, listed: Vec::new(), pairs, by_obstacles, skin, list }
    }

    /// Whether a boid may be near one that the list does not know.
    fn is_stale(&self) -> bool {
        let away = |(now, then): (&Point, &Point)| {
            2.0 * length(core::array::from_fn(|a| now[a] - then[a])) > self.skin
        };
        self.listed.len() != self.places.len() || self.places.iter().zip(&self.listed).any(away)
    }

    /// Which boids are near each other, or near an obstacle.
    fn list_pairs(&mut self, start: &mut Start<'_, V>) {
        let Self { bodies, domain, places, skin, .. } = self;
        for place in places.iter_mut() {
            *place = wrapped(*place, domain);
        }
        self.listed.clone_from(places);
        let around =
            CellsAround::new(places.iter().copied(), largest_reach(bodies) + *skin, domain);
        self.pairs.clear();
        self.by_obstacles.clear();
        for (body, place) in bodies.iter_mut().zip(places.iter()) {
            body.position = V::from_fn(|a| place[a] as f32);
        }
        for i in 0..places.len() {
            let begun = self.pairs.len();
            around.visit(places[i], &mut |j| {
                if j > i
                    && length(nearest_way(places[i], places[j], domain))
                        < radii(&bodies[i], &bodies[j]) + *skin
                {
                    self.pairs.push((i as u32, j as u32));
                }
                self.pairs.len() - begun < MOST
            });
            self.pairs[begun..].sort_unstable();
            if self.pairs.len() - begun == MOST {
                // A pile: the list is stale at once.
                self.listed.clear();
            }
            if !start.obstacles.is_empty() {
                let reach = (f64::from(bodies[i].radius) + *skin) * (1.0 + MORE);
                let near = start.obstacles.standing_within(
                    places[i],
                    reach,
                    &mut start.near,
                    &mut self.list,
                );
                self.by_obstacles.push(near.is_some());
            }
        }
    }

    /// One round over all pairs; whether none overlapped.
    fn part_pairs(&mut self) -> bool {
        let mut done = true;
        for &(i, j) in &self.pairs {
            let (i, j) = (i as usize, j as usize);
            let radii = radii(&self.bodies[i], &self.bodies[j]);
            let largest = |place: Point| {
                place.iter().fold(0.0, |most, x| if x.abs() > most { x.abs() } else { most })
            };
            let wanted = radii * (1.0 + MORE) + largest(self.places[i]) * ROUNDING;
            let way = nearest_way(self.places[i], self.places[j], self.domain);
            let distance = length(way);
            if distance >= wanted {
                continue;
            }
            done &= distance >= radii;
            let direction = if distance > 0.0 {
                way.map(|x| x / distance)
            } else {
                // On the same place: where their ids say.
                wide(noise::direction::<V>(self.bodies[i].id, self.bodies[j].id, 0))
            };
            let half = 0.5 * (wanted - distance);
            for a in 0..V::DIMENSIONS {
                self.places[i][a] -= half * direction[a];
                self.places[j][a] += half * direction[a];
            }
        }
        done
    }

    /// Every boid in from the faces, and out of obstacles; whether all were.
    fn keep_inside(&mut self, start: &mut Start<'_, V>) -> bool {
        if !matches!(self.domain.boundary, Boundary::Open | Boundary::Periodic) {
            for (place, body) in self.places.iter_mut().zip(self.bodies.iter()) {
                let inner = domain_of(self.domain, body.radius);
                for a in 0..V::DIMENSIONS {
                    let (min, max) = (f64::from(inner.min.axis(a)), f64::from(inner.max.axis(a)));
                    place[a] = place[a].clamp(min, max);
                }
            }
        }
        let mut done = true;
        for i in 0..self.by_obstacles.len() {
            let gone: Point =
                core::array::from_fn(|a| self.places[i][a] - wide(self.bodies[i].position)[a]);
            if self.by_obstacles[i] || length(gone) > self.skin {
                done &= self.way_out(i, start);
            }
        }
        done
    }

    /// The straight way from where a body was when the round began, as a point and stopped by
    /// obstacles; then out of those that it overlaps, the nearest first. So it stays on its side of
    /// thin walls. Whether it overlapped none.
    fn way_out(&mut self, i: usize, start: &mut Start<'_, V>) -> bool {
        let (body, mut done) = (&mut self.bodies[i], true);
        let own = f64::from(body.radius);
        let wanted = own * (1.0 + MORE) + f64::from(scale(body.position, self.domain)) * ROUNDING;
        let mut aim = self.places[i];
        for _ in 0..WAYS_OUT {
            let to = V::from_fn(|a| aim[a] as f32);
            // What moves may hold a body at the start; to give way to it could lead through a wall.
            let Start { obstacles, near, .. } = start;
            let (from, rest) = (body.position, V::origin());
            body.position =
                obstacles.keep_outside(from, to, rest, 1.0, &mut obstacles.standing(near)).position;
            aim = wide(body.position);
            let Some((_, distance, outward)) =
                start.obstacles.standing_within(aim, wanted, &mut start.near, &mut self.list)
            else {
                break;
            };
            done &= distance >= own;
            for a in 0..V::DIMENSIONS {
                aim[a] += (wanted - distance) * outward[a];
            }
        }
        self.places[i] = wide(body.position);
        done
    }

    /// Places as boids have them; whether no boid overlaps there.
    fn round_off(&mut self, start: &mut Start<'_, V>) -> bool {
        for (body, place) in self.bodies.iter_mut().zip(&self.places) {
            let inner = domain_of(self.domain, body.radius);
            let place = wrapped(*place, self.domain);
            body.position = V::from_fn(|a| inner.settle(a, place[a] as f32, 0.0).0);
        }
        start.check(self.bodies).is_ok()
    }
}

/// A place in a periodic box.
fn wrapped<V: Vector>(mut place: Point, domain: &Domain<V>) -> Point {
    for a in 0..if domain.is_periodic() { V::DIMENSIONS } else { 0 } {
        let (min, side) = (f64::from(domain.min.axis(a)), f64::from(domain.side(a)));
        place[a] -= side * libm::floor((place[a] - min) / side);
    }
    place
}
