//! Keeping boids outside: at the end of a step none is inside an obstacle, and none has passed
//! through one.

use alloc::{boxed::Box, vec::Vec};

use crate::contact::domain_of;
use crate::obstacle::set::ObstacleSet;
use crate::obstacle::shape::wide;
use crate::obstacle::solid::{Point, add, dot, largest, scale, sub};
use crate::{Boundary, Vector};

/// Skin as a part of the largest coordinate of a boid: four units in the last place.
const SKIN: f64 = 1.0 / 2_097_152.0;

/// The same of an obstacle's, as far as `f64` rounds.
const GRAIN: f64 = 1.0 / 140_737_488_355_328.0;

/// How far around a body obstacles are listed, in radii: a little more than one, for the skin.
const AROUND: f64 = 1.0 + 1.0 / 65_536.0;

/// Contacts of a step, after which a boid stops short of the first.
const ROUNDS: usize = 8;

/// Contacts along whose surface a boid goes on; at later ones it stops.
const SLIDES: usize = 3;

/// Halvings of a way that is not free.
const HALVINGS: i32 = 6;

/// A boid that was kept outside.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kept<V> {
    /// Where it is.
    pub position: V,
    /// How it goes on.
    pub velocity: V,
    /// The first obstacle it met.
    pub met: Option<usize>,
    /// Whether it stays where an obstacle overlaps it: no straight way that meets nothing at rest
    /// leads to a free place.
    pub squeezed: bool,
}

/// Lists obstacles that may meet a box, ascending; more may be listed, in any number.
pub trait Near {
    /// Fills the list.
    fn list(&mut self, low: [f64; 3], high: [f64; 3], list: &mut Vec<u32>);
}

impl Near for Box<dyn Near + '_> {
    fn list(&mut self, low: [f64; 3], high: [f64; 3], list: &mut Vec<u32>) {
        (**self).list(low, high, list);
    }
}

/// All of them.
#[derive(Clone, Copy, Debug)]
pub struct Everyone(u32);

impl Near for Everyone {
    fn list(&mut self, _low: [f64; 3], _high: [f64; 3], list: &mut Vec<u32>) {
        list.clear();
        list.extend(0..self.0);
    }
}

/// Those of them that a test keeps.
pub(crate) struct Only<'a, N, F> {
    pub near: &'a mut N,
    pub keep: F,
}

impl<N: Near, F: FnMut(usize) -> bool> Near for Only<'_, N, F> {
    fn list(&mut self, low: [f64; 3], high: [f64; 3], list: &mut Vec<u32>) {
        self.near.list(low, high, list);
        list.retain(|&i| (self.keep)(i as usize));
    }
}

/// A boid about to end its step.
#[derive(Clone, Copy, Debug)]
struct StepEnd<V> {
    /// In the domain.
    position: V,
    velocity: V,
    /// The same place, seen from where it started.
    seen: Point,
}

/// A contact of the way of a boid.
pub(super) struct Hit {
    pub obstacle: usize,
    /// Part of the way until then.
    pub after: f64,
    slid: Point,
    stop: Point,
    pub normal: Point,
    /// Velocity of the surface there.
    surface: Point,
}

impl<V: Vector> ObstacleSet<V> {
    /// Lists all obstacles whatever the box: for callers without a better way to find them.
    pub fn all(&self) -> Everyone {
        Everyone(self.solids.len() as u32)
    }

    /// Those that stand still.
    pub(crate) fn standing<'a, N>(
        &'a self,
        near: &'a mut N,
    ) -> Only<'a, N, impl Fn(usize) -> bool + use<'a, N, V>> {
        Only { near, keep: |i: usize| !self.obstacles.list[i].motion.moves() }
    }

    /// How a boid ends its step that came from `from` and would be at `moved` with the velocity
    /// `limited`, before the domain's rule. It needs the step under way
    /// ([`begin_step`](Self::begin_step));
    /// docs/MODEL.md, *Obstacles*, says what happens. A boid without a body is a point.
    pub fn keep_outside(
        &self,
        from: V,
        moved: V,
        limited: V,
        dt: f32,
        near: &mut impl Near,
    ) -> Kept<V> {
        self.keep_body_outside(from, moved, limited, 0.0, dt, near, &mut Vec::new())
    }

    /// The same of a body of a radius, with a list to work with, so that nothing need be allocated.
    #[expect(clippy::too_many_arguments, reason = "a step, and what it takes to look at obstacles")]
    pub fn keep_body_outside(
        &self,
        from: V,
        moved: V,
        limited: V,
        body: f32,
        dt: f32,
        near: &mut impl Near,
        list: &mut Vec<u32>,
    ) -> Kept<V> {
        let start = wide(from);
        let straight = self.aim(self.shortened(from, moved), limited, body);
        let (mut aim, mut met) = (straight, None);
        for round in 0..ROUNDS {
            let Some(contact) = self.first_contact((start, aim.seen), body, dt, near, list) else {
                if body > 0.0 && !self.is_nearest(start, aim.seen) {
                    // Pushed further than bodies see each other through a periodic box.
                    break;
                }
                return Kept {
                    position: aim.position,
                    velocity: aim.velocity,
                    met,
                    squeezed: false,
                };
            };
            met = met.or(Some(contact.obstacle));
            let velocity = without_inward(aim.velocity, &contact);
            let end = if round < SLIDES { contact.slid } else { contact.stop };
            aim = self.aim(narrow(end), velocity, body);
        }
        // In a corner: as far along the straight way as is free, or back to where it came from.
        let way = sub(straight.seen, start);
        for halving in 1..=HALVINGS {
            let part = 1.0 / f64::from(1 << halving);
            let short = self.aim(narrow(add(start, scale(way, part))), aim.velocity, body);
            if self.first_contact((start, short.seen), body, dt, near, list).is_none() {
                return Kept {
                    position: short.position,
                    velocity: short.velocity,
                    met,
                    squeezed: false,
                };
            }
        }
        let rest = self.aim(from, V::origin(), body);
        if self.first_contact((start, rest.seen), body, dt, near, list).is_none() {
            return Kept { position: rest.position, velocity: rest.velocity, met, squeezed: false };
        }
        let free = self.nearest_free(from, body, dt, near, list);
        Kept {
            position: free.unwrap_or(rest.position),
            velocity: V::origin(),
            met,
            squeezed: free.is_none(),
        }
    }

    /// The way, cut to one side of a periodic box on every axis.
    fn shortened(&self, from: V, moved: V) -> V {
        if !self.domain.is_periodic() {
            return moved;
        }
        let way = sub(wide(moved), wide(from));
        let mut longest = 1.0;
        for a in 0..V::DIMENSIONS {
            let sides = way[a].abs() / f64::from(self.domain.side(a));
            longest = if sides > longest { sides } else { longest };
        }
        if longest > 1.0 { narrow(add(wide(from), scale(way, 1.0 / longest))) } else { moved }
    }

    /// What the domain makes of it, and where that is as seen without wrapping.
    fn aim(&self, moved: V, velocity: V, body: f32) -> StepEnd<V> {
        let domain = domain_of(&self.domain, body);
        let settled = |a: usize| domain.settle(a, moved.axis(a), velocity.axis(a));
        let (position, velocity) = (V::from_fn(|a| settled(a).0), V::from_fn(|a| settled(a).1));
        let mut seen = wide(position);
        if self.domain.is_periodic() {
            for a in 0..V::DIMENSIONS {
                if position.axis(a) == moved.axis(a) {
                    continue;
                }
                let side = f64::from(self.domain.side(a));
                seen[a] += side * libm::floor((f64::from(moved.axis(a)) - seen[a]) / side + 0.5);
            }
        }
        StepEnd { position, velocity, seen }
    }

    /// The skin that is left between a boid on this way and obstacle `i`: a few units in the last
    /// place of the coordinates where they can touch.
    fn skin(&self, i: usize, from: Point, to: Point, body: f64) -> f64 {
        let greater = |a: f64, b: f64| if a > b { a } else { b };
        let mut solid = greater(largest(self.bounds[i].0), largest(self.bounds[i].1)) + body;
        if self.domain.is_periodic() {
            for a in 0..V::DIMENSIONS {
                solid += 2.0 * f64::from(self.domain.side(a));
            }
        }
        let boid = greater(largest(from), largest(to));
        greater(SKIN * if boid < solid { boid } else { solid }, GRAIN * solid)
    }

    /// The first contact on a way; of equals that of the first obstacle.
    pub(super) fn first_contact(
        &self,
        (from, to): (Point, Point),
        body: f32,
        dt: f32,
        near: &mut impl Near,
        list: &mut Vec<u32>,
    ) -> Option<Hit> {
        let body = f64::from(body);
        let around = body * AROUND;
        let low: Point =
            core::array::from_fn(|a| if from[a] < to[a] { from[a] } else { to[a] } - around);
        let high: Point =
            core::array::from_fn(|a| if from[a] < to[a] { to[a] } else { from[a] } + around);
        near.list(low, high, list);
        let mut first: Option<Hit> = None;
        for &i in list.iter() {
            let i = i as usize;
            let skin = self.skin(i, from, to, body);
            let (low, high) = self.bounds[i];
            self.for_images(from, to, low, high, skin + body, &mut |shift| {
                let (then, now) = (&self.from[i], &self.to[i]);
                let from = self.inward(then, now, sub(from, shift));
                let Some(contact) =
                    self.solids[i].contact(from, self.inward(now, now, sub(to, shift)), body, skin)
                else {
                    return;
                };
                if first.as_ref().is_none_or(|first| contact.after < first.after) {
                    let out = |point: Point| add(now.out(point), shift);
                    let surface = sub(now.out(contact.at), then.out(contact.at));
                    first = Some(Hit {
                        obstacle: i,
                        after: contact.after,
                        slid: out(contact.slid),
                        stop: out(contact.stop),
                        normal: now.turned(contact.normal),
                        surface: scale(surface, 1.0 / f64::from(dt)),
                    });
                }
            });
        }
        first
    }

    /// For a squeezed boid: the first free place of the domain in ever wider rings, as far as the
    /// domain goes, to which a straight way leads that meets nothing at rest. So it stays on its
    /// side of walls, and on its floor.
    fn nearest_free(
        &self,
        from: V,
        body: f32,
        dt: f32,
        near: &mut impl Near,
        list: &mut Vec<u32>,
    ) -> Option<V> {
        let start = wide(from);
        let mut step =
            4.0 * self.skin(0, start, start, f64::from(body)) + f64::from(f32::MIN_POSITIVE);
        let directions = 3_usize.pow(V::DIMENSIONS as u32);
        let farthest = self.farthest();
        while step < farthest {
            for number in 0..directions {
                let way: Point = core::array::from_fn(|a| match a {
                    0 => (number % 3) as f64 - 1.0,
                    1 => (number / 3 % 3) as f64 - 1.0,
                    _ if V::DIMENSIONS == 3 => (number / 9) as f64 - 1.0,
                    _ => 0.0,
                });
                let aim = self.aim(narrow(add(start, scale(way, step))), V::origin(), body);
                if dot(way, way) > 0.0
                    && self.is_nearest(start, aim.seen)
                    && self.is_free(wide(aim.position), body, near, list)
                    && self.meets_none_at_rest((start, aim.seen), body, dt, near, list)
                {
                    return Some(aim.position);
                }
            }
            step *= 2.0;
        }
        None
    }

    /// Whether a straight way meets no obstacle that stands still.
    fn meets_none_at_rest(
        &self,
        way: (Point, Point),
        body: f32,
        dt: f32,
        near: &mut impl Near,
        list: &mut Vec<u32>,
    ) -> bool {
        self.first_contact(way, body, dt, &mut self.standing(near), list).is_none()
    }

    /// Whether a way is the shortest one to where it leads, through the faces of a periodic box
    /// too.
    fn is_nearest(&self, from: Point, to: Point) -> bool {
        let within = |a: usize| (to[a] - from[a]).abs() < 0.5 * f64::from(self.domain.side(a));
        !self.domain.is_periodic() || (0..V::DIMENSIONS).all(within)
    }

    /// Rings wider than this hold no place of the domain that others do not.
    fn farthest(&self) -> f64 {
        if self.domain.boundary == Boundary::Open {
            return 1e30;
        }
        (0..V::DIMENSIONS).fold(0.0, |most, a| {
            let side = 2.0 * f64::from(self.domain.side(a));
            if side > most { side } else { most }
        })
    }

    /// Whether a place is outside of everything at the end of the step.
    fn is_free(&self, there: Point, body: f32, near: &mut impl Near, list: &mut Vec<u32>) -> bool {
        let body = f64::from(body);
        near.list(there.map(|x| x - body * AROUND), there.map(|x| x + body * AROUND), list);
        let mut free = true;
        for &i in list.iter() {
            let i = i as usize;
            let skin = self.skin(i, there, there, body);
            let (low, high) = self.bounds[i];
            self.for_images(there, there, low, high, skin + body, &mut |shift| {
                let at = self.inward(&self.to[i], &self.to[i], sub(there, shift));
                free = free && self.solids[i].distance(at).0 - body >= 0.5 * skin;
            });
            if !free {
                return false;
            }
        }
        true
    }
}

/// A point of fewer digits.
fn narrow<V: Vector>(point: Point) -> V {
    V::from_fn(|a| point[a] as f32)
}

/// A velocity less the part of it that goes into a surface, as seen from that.
fn without_inward<V: Vector>(velocity: V, met: &Hit) -> V {
    let wide = wide(velocity);
    let inwards = dot(sub(wide, met.surface), met.normal);
    if inwards < 0.0 { narrow(sub(wide, scale(met.normal, inwards))) } else { velocity }
}
