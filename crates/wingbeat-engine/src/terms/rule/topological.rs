//! Topological neighborhoods: the rules that count only the nearest neighbors, and the searches
//! that find those.

use wingbeat_steer::{Perception, math, parameters::limit};

use crate::terms::rule::perception::PreparedPerception;

/// Most neighbors of such a rule.
pub(crate) const MOST: usize = limit::NEAREST as usize;

/// The rules of a flock that count only their nearest; made anew whenever parameters change.
#[derive(Clone, Debug)]
pub(crate) struct NearestRules {
    /// Searches that the fast loops make: the three rules', shared where they can be.
    pub searches: Vec<SharedSearch>,
    /// The limit of each of the three rules, for each species.
    pub of_rule: [Vec<RuleReach>; 3],
    /// Whether all rules of the flock do.
    pub all: bool,
    pub widest: WidestView,
}

/// The limit of one of the three rules in the fast loops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RuleReach {
    /// As far as this one of [`NearestRules::searches`] finds.
    Search(usize),
    /// At all up to this distance, squared; −1 for a rule that is absent.
    Radius(f32),
}

/// The union of all rules' views: no rule sees anything outside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WidestView {
    /// Negative infinity when one of them sees all round.
    pub cos_half: f32,
    /// Square of the distance up to which some rule sees all round, because boids are near or
    /// coincide.
    pub round_sq: f32,
    /// No pair further apart is coincident for any rule.
    pub coincident_sq: f32,
    /// About how many boids lie as near as the last of the nearest, seen or not.
    pub about: f32,
}

/// The k nearest under one sight.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SharedSearch {
    /// Of each species: what it sees and how many of those it looks for, at least 1;
    /// [`PreparedPerception::NONE`] of one that has no such rule.
    pub of_kind: Vec<(PreparedPerception, usize)>,
}

/// The k nearest of one rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RankedRule {
    pub rule: usize,
    pub seen: PreparedPerception,
    pub k: usize,
}

impl RankedRule {
    /// Those of these perceptions that have a number of nearest.
    pub fn list(perceptions: &[Option<Perception>]) -> Vec<Self> {
        let ranked = |(rule, perception): (usize, &Option<Perception>)| {
            let perception = perception.as_ref()?;
            Some(Self {
                rule,
                seen: PreparedPerception::new(perception),
                k: perception.nearest? as usize,
            })
        };
        perceptions.iter().enumerate().filter_map(ranked).collect()
    }
}

impl NearestRules {
    /// `kinds` are the perceptions of the three rules of each species, `others` those of what looks
    /// beside them; `None` where no boid has a number of nearest.
    pub fn new(kinds: &[[Option<Perception>; 3]], others: &[Option<Perception>]) -> Option<Self> {
        let mut ranked = RankedRule::list(others);
        ranked.extend(kinds.iter().flat_map(|three| RankedRule::list(three)));
        if ranked.is_empty() {
            return None;
        }
        let mut searches: Vec<SharedSearch> = Vec::new();
        let of_rule = std::array::from_fn(|rule| {
            let of_kind = || kinds.iter().map(|three| three[rule]);
            let place = of_kind()
                .flatten()
                .any(|perception| perception.nearest.is_some())
                .then(|| join(&mut searches, of_kind()));
            let reach = |perception: Option<Perception>| match (perception, place) {
                (None, _) => RuleReach::Radius(-1.0),
                (Some(Perception { nearest: Some(_), .. }), Some(place)) => {
                    RuleReach::Search(place)
                }
                (Some(perception), _) => RuleReach::Radius(perception.radius * perception.radius),
            };
            of_kind().map(reach).collect()
        });
        let all = kinds.iter().flatten().chain(others).flatten().count() == ranked.len();
        Some(Self { searches, of_rule, widest: WidestView::new(&ranked), all })
    }
}

impl WidestView {
    fn new(ranked: &[RankedRule]) -> Self {
        let mut widest =
            Self { cos_half: f32::INFINITY, round_sq: 0.0, coincident_sq: 0.0, about: 0.0 };
        for RankedRule { seen, k, .. } in ranked {
            widest.cos_half = math::min(widest.cos_half, seen.cos_half);
            widest.coincident_sq = math::max(widest.coincident_sq, seen.coincident_sq);
            widest.round_sq =
                math::max(widest.round_sq, math::max(seen.near_sq, seen.coincident_sq));
            // The part of a sphere that is in view; a narrow view is left to further rings.
            let part = math::clamp((1.0 - seen.cos_half) * 0.5, 0.125, 1.0);
            widest.about = math::max(widest.about, *k as f32 / part);
        }
        widest
    }
}

/// The place of the search that serves a rule. Rules that differ in the radius alone share the
/// search of the larger radius: a boid in range that is among the k nearest of many is among the k
/// nearest of those in range.
fn join(searches: &mut Vec<SharedSearch>, rule: impl Iterator<Item = Option<Perception>>) -> usize {
    let counted = |perception: Perception| {
        Some((PreparedPerception::new(&perception), perception.nearest? as usize))
    };
    let wanted: Vec<_> = rule
        .map(|perception| perception.and_then(counted).unwrap_or((PreparedPerception::NONE, 1)))
        .collect();
    let alike = |(a, b): (&(PreparedPerception, usize), &(PreparedPerception, usize))| {
        (a.1, a.0.cos_half, a.0.near_sq, a.0.radius_sq < 0.0)
            == (b.1, b.0.cos_half, b.0.near_sq, b.0.radius_sq < 0.0)
    };
    let Some(place) =
        searches.iter().position(|search| search.of_kind.iter().zip(&wanted).all(alike))
    else {
        searches.push(SharedSearch { of_kind: wanted });
        return searches.len() - 1;
    };
    for (found, wanted) in searches[place].of_kind.iter_mut().zip(wanted) {
        if wanted.0.radius_sq > found.0.radius_sq {
            *found = wanted;
        }
    }
    place
}
