//! Parameters prepared for the kernel, and the layout of the table of sums.

use wingbeat_steer::{AlignmentOf, Extras, Params, Perception, Rules, math};

use super::rule_passes::PassRules;
use crate::terms::combine::{Combination, ExtraTerms};
use crate::terms::rule::topological::{NearestRules, RankedRule};
use crate::terms::species_table::{SpeciesTable, perceptions};

/// The parameters prepared for the kernel; made anew whenever they change.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub kinds: SpeciesTable,
    /// The rules that count only their nearest, if any do.
    pub nearest: Option<NearestRules>,
    /// The host's own among them.
    pub declared_ranked: Vec<RankedRule>,
    /// The reach of the host's own rules, squared, and how many they are.
    pub declared_sq: f32,
    pub declared: usize,
    pub combination: Combination,
    /// Whether neighbors' headings are read: alignment averages those instead of velocities,
    /// or a model does.
    pub reads_headings: bool,
    /// Whether boids' own headings matter when they decide.
    pub heads: bool,
    /// The largest radius of any rule.
    pub radius: f32,
    /// Its square.
    pub radius_sq: f32,
    pub layout: Layout,
    /// The rules that the three rules' loop does not sum.
    pub passes: PassRules,
}

/// The columns of the table between passes and decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The first of the force towards or away from prey. Before it are three sums and two counts,
    /// or the model's steering.
    pub chase: usize,
    /// The first of the forces of the host's own rules.
    pub declared: usize,
    /// The first of the weighted responses of rules that have a pass.
    pub passes: usize,
    /// How many columns there are in all.
    pub columns: usize,
}

impl Prepared {
    pub fn new<const D: usize>(
        params: &Params,
        radius: f32,
        declared: &[Perception],
        drives: usize,
        around: ExtraTerms,
        unfused: bool,
    ) -> Self {
        let passes = PassRules::new(params, unfused);
        // The rules that the three rules' loop sums.
        let none = unfused.then(|| without_rules(params));
        let fused = none.as_ref().unwrap_or(params);
        let kinds = SpeciesTable::new(fused);
        let extras = Extras { rules: declared.len(), drives };
        let host: Vec<_> =
            declared.iter().map(|&perception| Some(params.capped(perception))).collect();
        let mut others = host.clone();
        others.extend(passes.perceptions().map(Some));
        let reads_headings =
            kinds.list.iter().any(|kind| kind.sights.aligned == AlignmentOf::Heading)
                || params.model.is_some_and(|model| model.looks_at_headings());
        let chase = if params.model.is_some() { D } else { 3 * D + 2 };
        let own = chase + if kinds.chases > 0 { D } else { 0 };
        Self {
            nearest: NearestRules::new(&perceptions(fused), &others),
            declared_ranked: RankedRule::list(&host),
            declared_sq: declared
                .iter()
                .fold(0.0, |most, own| math::max(most, own.radius * own.radius)),
            declared: declared.len(),
            combination: Combination::new(params, extras, around),
            heads: reads_headings || drives > 0,
            reads_headings,
            radius,
            radius_sq: radius * radius,
            layout: Layout {
                chase,
                declared: own,
                passes: own + declared.len() * D,
                columns: own + (declared.len() + passes.ids.len()) * D,
            },
            passes,
            kinds,
        }
    }
}

/// The parameters of a flock in which no boid sees another by a rule.
fn without_rules(params: &Params) -> Params {
    let mut params = Params { rules: Rules::default(), ..params.clone() };
    params.species.iter_mut().for_each(|species| species.rules = Rules::default());
    params
}
