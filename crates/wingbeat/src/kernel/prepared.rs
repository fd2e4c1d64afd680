//! Parameters as the kernel wants them.

use wingbeat_steer::{AlignmentOf, Extras, Params, Perception};

use crate::combine::Combination;
use crate::rule::own_sights::OwnSights;
use crate::rule::shared::Shared;
use crate::rule::three::Three;
use crate::rule::topological::NearestRules;

/// The parameters as the kernel wants them; made anew whenever they change.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub three: Three,
    /// The loop for flocks without rules of their own; `None` with.
    pub fast: Option<Fast>,
    /// The rules that look at their nearest alone, if any do.
    pub nearest: Option<NearestRules>,
    pub combination: Combination,
    /// Whether neighbours' headings are looked at: alignment averages those instead of velocities, or a model does.
    pub aligns_headings: bool,
    /// The largest radius of any rule.
    pub radius: f32,
    /// Its square.
    pub radius_sq: f32,
}

/// Which fast loop fits the parameters.
#[derive(Clone, Debug)]
pub(crate) enum Fast {
    /// One sight for all three rules, separation linear.
    Shared(Shared),
    /// Anything else.
    OwnSights(OwnSights),
}

impl Prepared {
    pub fn new(params: &Params, radius: f32, declared: &[Perception], drives: usize, steers_ahead: bool) -> Self {
        Self {
            three: Three::new(params),
            fast: declared
                .is_empty()
                .then(|| Shared::new(params).map_or_else(|| Fast::OwnSights(OwnSights::new(params)), Fast::Shared)),
            nearest: NearestRules::new(params, declared),
            combination: Combination::new(params, Extras { rules: declared.len(), drives }, steers_ahead),
            aligns_headings: params.alignment.is_some_and(|alignment| alignment.of == AlignmentOf::Heading)
                || params.species.iter().flat_map(|kind| kind.alignment).any(|alignment| alignment.of == AlignmentOf::Heading)
                || params.model.is_some_and(|model| model.looks_at_headings()),
            radius,
            radius_sq: radius * radius,
        }
    }
}
