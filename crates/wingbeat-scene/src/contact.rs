//! Warnings of what two boids alone do to each other at contact: they attract, they ring, or they
//! pass through each other.
//!
//! Both boids see each other, whatever their fields of view, and only separation, cohesion and the
//! damping of alignment act. MODEL.md has the formulas of the terms.

use wingbeat::{AgentLimits, Alignment, Cohesion, Params, Separation};
use wingbeat::{
    Rules,
    steer::{AlignmentOf, Combine, Falloff, Response, RuleId, Term},
};

use crate::number::{as_written, plain};
use crate::scene::Scene;

/// Boids nearer than this share of separation's radius are in contact.
const CONTACT: f64 = 0.05;

/// The rules of the flock or of one species, as far as a pair needs them.
struct Pair {
    /// Start of the keys: empty, or `species.NAME.`.
    at: String,
    separation: Separation,
    alignment: Option<Alignment>,
    cohesion: Option<Cohesion>,
    agent: AgentLimits,
    order: Order,
}

/// How the two terms become one force.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    /// Their sum, cut to `max_force` where it is a force; the cut changes no sign.
    Sum,
    /// `max_force` is a budget, and separation takes from it first.
    SeparationFirst,
    /// `max_force` is a budget, and cohesion takes from it first.
    CohesionFirst,
}

impl Order {
    fn of(params: &Params) -> Self {
        if params.combine != Combine::Prioritized {
            return Self::Sum;
        }
        let place = |term| params.priority.iter().position(|named| *named == term);
        match (place(Term::Rule(RuleId::Separation)), place(Term::Rule(RuleId::Cohesion))) {
            (Some(separation), Some(cohesion)) if cohesion < separation => Self::CohesionFirst,
            (None, Some(_)) => Self::CohesionFirst,
            _ => Self::SeparationFirst,
        }
    }
}

impl Scene {
    /// Warns of pairs that separation does not keep apart, or that it makes ring.
    pub(crate) fn about_contact(&self, params: &Params, warnings: &mut Vec<String>) {
        let (dt, turns) = (f64::from(self.dt().get()), f64::from(self.steer_every()));
        let has_force = !matches!(params.combine, Combine::Direction(_));
        let boids = self.boids().unwrap_or(0);
        for pair in pairs_of(params) {
            let soft = pair.soft_push(self.dimensions(), boids);
            warnings.extend(soft.or_else(|| pair.attraction()));
            if has_force {
                warnings.extend(pair.ringing(dt, turns));
                warnings.extend(pair.wide_turns());
            }
        }
    }
}

/// The flock, or each species, where it separates. A negative weight attracts on purpose.
fn pairs_of(params: &Params) -> Vec<Pair> {
    let order = Order::of(params);
    let pair = |at: String, rules: &Rules, agent| {
        let Rules { separation, alignment, cohesion, .. } = *rules;
        let separation = separation.filter(|rule| rule.weight > 0.0)?;
        Some(Pair { at, separation, alignment, cohesion, agent, order })
    };
    let flock = pair(String::new(), &params.rules, params.agent);
    let of_species = params.species.iter().filter_map(|species| {
        let at = format!("species.{}.", species.name);
        pair(at, &species.rules, species.agent)
    });
    flock.into_iter().chain(of_species).collect()
}

impl Pair {
    fn radius(&self) -> f64 {
        f64::from(self.separation.perception.radius)
    }

    /// Separation's push per weight at distance `d`, which is within its radius.
    fn push_of_one(&self, d: f64) -> f64 {
        match (self.separation.response, self.separation.falloff) {
            (Response::Unit, _) => 1.0,
            (Response::Steer | Response::Flee, _) => f64::from(self.agent.max_speed),
            (Response::Raw, Falloff::Linear) => 1.0 - d / self.radius(),
            (Response::Raw, Falloff::Soft) => d * (1.0 - d / self.radius()),
            (Response::Raw, Falloff::Inverse) => 1.0,
            (Response::Raw, Falloff::InverseSquare) => 1.0 / d,
        }
    }

    fn push(&self, d: f64) -> f64 {
        f64::from(self.separation.weight) * self.push_of_one(d)
    }

    /// Cohesion's pull at distance `d`.
    fn pull(&self, d: f64) -> f64 {
        let sees = |rule: &Cohesion| d <= f64::from(rule.perception.radius);
        self.cohesion.filter(sees).map_or(0.0, |rule| {
            let size = match rule.response {
                Response::Raw => d,
                Response::Steer => f64::from(self.agent.max_speed),
                _ => 1.0,
            };
            f64::from(rule.weight) * size
        })
    }

    /// Push less pull at distance `d`, as the combination serves them.
    fn net(&self, d: f64) -> f64 {
        let (push, pull) = (self.push(d), self.pull(d));
        let most = f64::from(self.agent.max_force);
        match self.order {
            Order::Sum => push - pull,
            Order::SeparationFirst => least(push, most) - least(pull, most - least(push, most)),
            Order::CohesionFirst => least(push, most - least(pull, most)) - least(pull, most),
        }
    }
}

/// Two boids that attract each other at contact.
impl Pair {
    /// `soft` with the response `raw`, whose push d·(1 − d/r) vanishes at contact, where two alone
    /// attract, or where a crowd piles up although two alone part. In a crowd of a density ρ that
    /// varies slowly, cohesion's mean offset is r_c²·∇ρ/((D + 2)·ρ) and the pushes sum up to
    /// −V·r²·∇ρ/((D + 2)·(D + 3)), V being the volume of separation's ball; they balance where n =
    /// ρ·V = (D + 3)·w_c·r_c²/(w_s·r²) neighbors are within it. Measured over 2000 steps of `shoal`
    /// without its stir, the tank (weight 30) and the scene that SCENES.md began with (weight 2.5,
    /// radius 0.5), with `soft` and 100 to 5000 boids, the share of boids at contact is at most 0.2
    /// % below n = 1, at most 1.5 % up to a boids·n of 1000, and 0 to 94 % above, mostly more than
    /// 7 %.
    ///
    /// `linear` with the weight w·r/2 pushes as hard at r/2, where `soft` is strongest:
    /// w·(r/2)·(1 − ½) = (w·r/2)·(1 − ½).
    fn soft_push(&self, dimensions: usize, boids: usize) -> Option<String> {
        let rule = &self.separation;
        let cohesion = self.cohesion.filter(|rule| rule.weight > 0.0)?;
        if (rule.falloff, rule.response) != (Falloff::Soft, Response::Raw) {
            return None;
        }
        let contact = CONTACT * self.radius();
        let reach = f64::from(cohesion.perception.radius) / self.radius();
        let ratio = f64::from(cohesion.weight) / f64::from(rule.weight);
        let crowd = (dimensions + 3) as f64 * ratio * reach * reach;
        let is_raw = cohesion.response == Response::Raw;
        let piles_up = is_raw && crowd > 1.0 && boids as f64 * crowd > 1000.0;
        if !piles_up && self.net(contact) >= 0.0 {
            return None;
        }
        let at = &self.at;
        let same = f64::from(rule.weight) * self.radius() * 0.5;
        let weight = most(same, self.pull(contact) / (1.0 - CONTACT));
        Some(format!(
            "{at}separation.falloff = \"soft\": its push vanishes at contact while cohesion pulls \
             ({at}cohesion.weight = {}), so crowds pile up; \"linear\" with \
             {at}separation.weight = {} keeps them apart",
            cohesion.weight,
            rounded_up(weight)
        ))
    }

    /// Pull against push at 5 % of separation's radius, w_c·|C| > w_s·|S|. What cures it is
    /// w_s = w_c·|C|/|S| with |S| of weight 1. A budget B (`prioritized`) serves separation in full
    /// once its push is above B/2, and never above B/2 where cohesion is served first.
    fn attraction(&self) -> Option<String> {
        let d = CONTACT * self.radius();
        let (push, pull) = (self.push(d), self.pull(d));
        // Terms of equal size cancel by intent (the seek-flee flock), whatever their rounding.
        if self.net(d) > -1e-6 * pull {
            return None;
        }
        let cohesion = self.cohesion?;
        let (at, budget) = (&self.at, f64::from(self.agent.max_force));
        let cure = match self.order {
            Order::CohesionFirst if pull >= 0.5 * budget => {
                "no weight parts them while cohesion takes from agent.max_force first: name \
                 separation before it in agent.priority"
                    .to_string()
            }
            Order::SeparationFirst => {
                let needed = least(pull, 0.5 * budget) / self.push_of_one(d);
                format!("above {} they part", rounded_up(needed))
            }
            _ => format!("above {} they part", rounded_up(pull / self.push_of_one(d))),
        };
        Some(format!(
            "{at}separation.weight = {}: two boids alone attract each other at contact (5 % of \
             {at}separation.radius), where separation pushes with {} and cohesion pulls with {} \
             ({at}cohesion.weight = {}, {}): {cure}",
            self.separation.weight,
            rounded(push),
            rounded(pull),
            cohesion.weight,
            cohesion.response.word()
        ))
    }
}

/// Pairs that a step of this length makes ring, and pairs that cannot turn away from each other.
impl Pair {
    /// Where two boids alone come to rest: the largest distance at which the net force turns from
    /// push to pull, or separation's radius. `None` where they attract throughout.
    fn rest(&self) -> Option<f64> {
        const PARTS: u32 = 1000;
        let at = |i: u32| self.radius() * f64::from(i) / f64::from(PARTS);
        let i = (1..=PARTS).rev().find(|i| self.net(at(*i)) >= 0.0)?;
        let (mut inner, mut outer) = (at(i), at(i + 1));
        if i == PARTS {
            return Some(inner);
        }
        for _ in 0..50 {
            let middle = 0.5 * (inner + outer);
            if self.net(middle) >= 0.0 { inner = middle } else { outer = middle }
        }
        Some(inner)
    }

    /// Damping c of the pair's relative velocity u: each boid's force has the part −c·u/2.
    fn damping(&self, d: f64) -> f64 {
        let sees = |rule: &Alignment| d <= f64::from(rule.perception.radius);
        let is_linear = |rule: &Alignment| {
            let of_velocities = rule.of == AlignmentOf::Velocity;
            of_velocities && rule.response == Response::Raw && sees(rule)
        };
        let alignment = self.alignment.filter(is_linear);
        let matching = alignment.map_or(0.0, |rule| {
            let share = match (rule.relative, rule.include_self) {
                (true, false) => 2.0,
                (true, true) | (false, false) => 1.0,
                (false, true) => 0.0,
            };
            share * f64::from(rule.weight)
        });
        let seeking = self.cohesion.filter(|rule| rule.response == Response::Steer);
        most(matching + seeking.map_or(0.0, |rule| f64::from(rule.weight)), 0.0)
    }

    /// About its rest distance a pair is a spring: with the slope k of the net force, the damping c
    /// and the mass m of each, x″ = −(2k·x + c·x′)/m. The semi-implicit step has the matrix
    /// ((1 − q, dt·(1 − p)), (−q/dt, 1 − p)), q = 2k·dt²/m, p = c·dt/m, of determinant 1 − p and
    /// trace 2 − p − q; by Jury's criterion an eigenvalue leaves the unit circle at −1 where
    /// q + 2p > 4, that is where (k·dt² + c·dt)/(2m) > 1.
    /// Forces that both hold for the same n steps multiply the left side by n. `max_force` bounds
    /// the swing by max_force·(n·dt)²/(2m); one below 1 % of the radius gets no warning.
    /// For `linear` beside a raw cohesion, k = w_s/r + w_c. More neighbors
    /// make a stiffer spring, so a crowd may ring before a pair does.
    fn ringing(&self, dt: f64, turns: f64) -> Option<String> {
        if self.separation.response != Response::Raw {
            return None;
        }
        let rest = self.rest()?;
        let mass = f64::from(self.agent.mass);
        let step = 1e-4 * self.radius();
        let k = (self.net(rest - step) - self.net(rest)) / step;
        let c = self.damping(rest);
        let index = turns * (k * dt * dt + c * dt) / (2.0 * mass);
        let held = turns * dt;
        let by_force = f64::from(self.agent.max_force) * held * held / (2.0 * mass);
        let swing = least(by_force, f64::from(self.agent.max_speed) * held);
        if index <= 1.0 || k <= 0.0 || swing < 0.01 * self.radius() {
            return None;
        }
        // k·t² + c·t = 2·mass/turns
        let steady = ((c * c + 8.0 * k * mass / turns).sqrt() - c) / (2.0 * k);
        let at = &self.at;
        let damping = format!(" and the damping c = {}", rounded(c));
        let damping = if c > 0.0 { damping.as_str() } else { "" };
        let every = if turns > 1.0 { "·flock.steer_every" } else { "" };
        Some(format!(
            "flock.dt = {}: two boids alone ring about their rest distance of {}, since \
             {at}separation and cohesion have the slope k = {}{damping} there and \
             (k·dt² + c·dt){every}/(2·mass) = {} is above 1; below a dt of {} they do not",
            dt as f32,
            rounded(rest),
            rounded(k),
            rounded(index),
            rounded_down(steady)
        ))
    }

    /// Boids that cannot fly slower than v = min_speed turn aside instead of stopping, at best on a
    /// circle of the radius R = m·v²/max_force. Two that meet head-on have r/2 each until contact,
    /// in which each gets aside by R − √(R² − r²/4) ≈ r²/(8R): by no more than 5 % of r together
    /// where R > 5r, whatever the falloff and the weights.
    fn wide_turns(&self) -> Option<String> {
        let agent = &self.agent;
        let speed = f64::from(agent.min_speed);
        let needed = f64::from(agent.mass) * speed * speed / (5.0 * self.radius());
        let force = f64::from(agent.max_force);
        if force <= 0.0 || force >= needed {
            return None;
        }
        let at = &self.at;
        Some(format!(
            "{at}agent.max_force = {}: at {at}agent.min_speed = {} boids turn on circles of \
             radius {} or more, above 5·{at}separation.radius = {}, so two that meet head-on pass \
             through each other; above {} they can turn aside",
            agent.max_force,
            agent.min_speed,
            rounded(f64::from(agent.mass) * speed * speed / force),
            rounded(5.0 * self.radius()),
            rounded_up(needed)
        ))
    }
}

fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

fn most(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Three digits of a positive number, rounded by `round`.
fn digits(x: f64, round: fn(f64) -> f64) -> String {
    if !x.is_finite() {
        return plain(x);
    }
    let mut unit = 1.0;
    while x.abs() >= 1000.0 * unit {
        unit *= 10.0;
    }
    while x != 0.0 && x.abs() < 100.0 * unit {
        unit /= 10.0;
    }
    // A quotient that should be whole may be off by its rounding.
    let count = x / unit;
    let near = count.round();
    let count = if (count - near).abs() < 1e-4 { near } else { round(count) };
    // Through `f32`, which drops the tail of the product.
    plain(as_written(count * unit))
}

fn rounded(x: f64) -> String {
    digits(x, f64::round)
}

fn rounded_up(x: f64) -> String {
    digits(x, f64::ceil)
}

fn rounded_down(x: f64) -> String {
    digits(x, f64::floor)
}
