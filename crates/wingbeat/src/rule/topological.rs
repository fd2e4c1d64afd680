//! Topological neighbourhoods: the rules that count only the nearest neighbours, and the searches that find those.

use wingbeat_steer::{Params, Perception, knobs::limit, math};

use super::perception::PreparedPerception;

/// Most neighbours of such a rule.
pub(crate) const MOST: usize = limit::NEAREST as usize;

/// The rules of a flock that count only their nearest; made anew whenever parameters change.
#[derive(Clone, Debug)]
pub(crate) struct NearestRules {
    /// Searches that the fast loops make: the three rules', shared where they can be.
    pub searches: Vec<SharedSearch>,
    /// How far each of the three rules looks.
    pub of_rule: [RuleReach; 3],
    /// Every rule by itself, as the general loop does it.
    pub ranked: Vec<RankedRule>,
    /// Whether all rules of the flock do.
    pub all: bool,
    pub widest: WidestView,
}

/// How far one of the three rules looks in the fast loops.
#[derive(Clone, Copy, Debug)]
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
    /// Square of the distance up to which some rule sees all round, because boids are near or coincide.
    pub round_sq: f32,
    /// No pair further apart is coincident for any rule.
    pub coincident_sq: f32,
    /// About how many boids lie as near as the last of the nearest, seen or not.
    pub about: f32,
}

/// The k nearest under one sight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedSearch {
    perception: Perception,
    pub sight: PreparedPerception,
    pub k: usize,
}

/// The k nearest of one rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RankedRule {
    pub rule: usize,
    pub seen: PreparedPerception,
    pub k: usize,
}

impl NearestRules {
    /// `None` where no rule has a number of nearest.
    pub fn new(params: &Params, declared: &[Perception]) -> Option<Self> {
        let three = [
            params.separation.map(|r| r.perception),
            params.alignment.map(|r| r.perception),
            params.cohesion.map(|r| r.perception),
        ];
        let three = three.map(|perception| perception.map(|p| params.capped(p)));
        let declared = declared.iter().map(|&p| Some(params.capped(p)));
        let perceptions: Vec<Option<Perception>> = three.into_iter().chain(declared).collect();
        let ranked: Vec<RankedRule> = perceptions
            .iter()
            .enumerate()
            .filter_map(|(rule, p)| {
                Some(RankedRule { rule, seen: PreparedPerception::new(p.as_ref()?), k: p.as_ref()?.nearest? as usize })
            })
            .collect();
        if ranked.is_empty() {
            return None;
        }
        let mut searches: Vec<SharedSearch> = Vec::new();
        let of_rule = three.map(|p| match p {
            None => RuleReach::Radius(-1.0),
            Some(p) => match p.nearest {
                Some(k) => RuleReach::Search(join(&mut searches, p, k as usize)),
                None => RuleReach::Radius(p.radius * p.radius),
            },
        });
        let all = perceptions.iter().flatten().count() == ranked.len();
        Some(Self { searches, of_rule, widest: WidestView::new(&ranked), ranked, all })
    }
}

impl WidestView {
    fn new(ranked: &[RankedRule]) -> Self {
        let mut widest = Self { cos_half: f32::INFINITY, round_sq: 0.0, coincident_sq: 0.0, about: 0.0 };
        for RankedRule { seen, k, .. } in ranked {
            widest.cos_half = math::min(widest.cos_half, seen.cos_half);
            widest.coincident_sq = math::max(widest.coincident_sq, seen.coincident_sq);
            widest.round_sq = math::max(widest.round_sq, math::max(seen.near_sq, seen.coincident_sq));
            // The part of a sphere that is in view; a narrow view is left to further rings.
            let part = math::clamp((1.0 - seen.cos_half) * 0.5, 0.125, 1.0);
            widest.about = math::max(widest.about, *k as f32 / part);
        }
        widest
    }
}

/// The place of the search that serves a rule. Rules that differ in the radius alone share the search of the larger radius: a boid
/// in range that is among the k nearest of many is among the k nearest of those in range.
fn join(searches: &mut Vec<SharedSearch>, perception: Perception, k: usize) -> usize {
    let alike =
        |g: &SharedSearch| (g.k, g.perception.view, g.perception.near_radius) == (k, perception.view, perception.near_radius);
    let place = searches.iter().position(alike).unwrap_or(searches.len());
    let group = SharedSearch { perception, sight: PreparedPerception::new(&perception), k };
    match searches.get_mut(place) {
        Some(found) if found.perception.radius >= perception.radius => {}
        Some(found) => *found = group,
        None => searches.push(group),
    }
    place
}
