//! The table of species, prepared for lanes; a flock without species is a flock of one. Made anew
//! whenever parameters change.

use wingbeat_steer::{
    AgentLimits, Alignment, Cohesion, MAX_SPECIES, Params, Perception, RuleId, Rules, Separation,
    math,
};
use wingbeat_steer::{Interaction, InteractionKind, SpeciesId};

use crate::neighbors::{Block, BlockLanes, SortedFlock};
use crate::simd::{Float, MAX_LANES, Mask, Simd, Whole};
use crate::terms::rule::three::{
    self, EXACT, OWN, SHARED, SeparationForm, SharedForm, ThreeLanes, ThreeSights, share_one_sight,
};
use crate::terms::rule::topological::RankedRule;

/// All species of a flock, at least one.
#[derive(Clone, Debug)]
pub(crate) struct SpeciesTable {
    pub list: Vec<SpeciesRow>,
    /// The form of the loop that all species can share, each lane with numbers of its own;
    /// [`EXACT`] where species separate in other forms or align with other things.
    pub form: u8,
    /// Of all species that separate, unless the form is [`EXACT`].
    pub separation: SeparationForm,
    /// The loop's, where the form is [`SHARED`].
    pub shared: SharedForm,
    /// No pair further apart is coincident for any rule of any species.
    pub coincident_sq: f32,
    /// Square of how far the rules look.
    pub reach_sq: f32,
    /// Most interactions of one species that flee, pursue or evade.
    pub chases: usize,
    /// Rules for the responses of all species alike, weights and speeds aside; `None` where
    /// responses differ.
    pub alike: Option<Rules>,
    /// Minimum and maximum speed and mass of each species.
    limits: Vec<[f32; 3]>,
    /// Whether every mass is 1.
    pub unit_mass: bool,
    /// Whether every species counts all species as neighbors.
    pub all_count_all: bool,
    /// Which of the three rules are terms.
    pub terms: [bool; 3],
    /// Whether a boid may see another by any of the three rules: otherwise their pass is left out.
    pub any_sees: bool,
    differ: VariesBySpecies,
}

/// One species.
#[derive(Clone, Debug)]
pub(crate) struct SpeciesRow {
    pub sights: ThreeSights,
    pub rules: Rules,
    /// Rules that count only their nearest.
    pub ranked: Vec<RankedRule>,
    pub agent: AgentLimits,
    /// Of the three rules, 0 for those it has not.
    weights: [f32; 3],
    /// Species that it counts as neighbors, a bit each.
    flocks: u64,
    /// The species it flees, pursues or evades, as declared.
    pub chases: Vec<Chase>,
}

/// Which numbers differ from species to species. Where one does not, all lanes are given the same.
#[derive(Clone, Debug)]
struct VariesBySpecies {
    sights: bool,
    weights: [bool; 3],
    max_force: bool,
    /// As in [`SpeciesTable::limits`].
    limits: [bool; 3],
}

impl VariesBySpecies {
    fn new(list: &[SpeciesRow], limits: &[[f32; 3]]) -> Self {
        let (one, of_one) = (&list[0], &limits[0]);
        Self {
            sights: list.iter().any(|kind| kind.sights != one.sights),
            weights: crate::arrays::from_fn(|rule| {
                list.iter().any(|kind| kind.weights[rule] != one.weights[rule])
            }),
            max_force: list.iter().any(|kind| kind.agent.max_force != one.agent.max_force),
            limits: crate::arrays::from_fn(|which| {
                limits.iter().any(|of| of[which] != of_one[which])
            }),
        }
    }
}

/// Up to so many species are compared with all lanes one after the other; more are looked up lane
/// by lane.
const FEW: usize = 16;

impl SpeciesTable {
    /// Whether any of the three rules is a term.
    pub fn has_rules(&self) -> bool {
        self.terms.contains(&true)
    }

    pub fn new(params: &Params) -> Self {
        let kinds = by_species(params);
        let sight =
            |&(agent, rules): &(AgentLimits, &Rules)| ThreeSights::new(rules, agent.max_speed);
        let sights: Vec<ThreeSights> = kinds.iter().map(sight).collect();
        let separation =
            sights.iter().find_map(|sights| sights.separation).unwrap_or(SeparationForm::Divided);
        let mut averages =
            kinds.iter().filter_map(|(_, rules)| rules.alignment).map(|rule| rule.of);
        let average = averages.next();
        let form = match () {
            () if averages.any(|of| Some(of) != average) => EXACT,
            () if !sights
                .iter()
                .all(|sights| sights.separation.is_none_or(|own| own == separation)) =>
            {
                EXACT
            }
            () if kinds.iter().all(|(_, rules)| share_one_sight(rules, params)) => SHARED,
            () => OWN,
        };
        let perceptions = perceptions(params);
        let kind = |species: SpeciesId| {
            let (_, rules) = kinds[species.get()];
            let flocks = params
                .each_species()
                .filter(|&other| params.species.is_empty() || params.flocks_with(species, other));
            let weights = [
                rules.separation.map_or(0.0, |rule| rule.weight),
                rules.alignment.map_or(0.0, |rule| rule.weight),
                rules.cohesion.map_or(0.0, |rule| rule.weight),
            ];
            SpeciesRow {
                sights: sights[species.get()],
                rules: *rules,
                ranked: RankedRule::list(&perceptions[species.get()]),
                agent: params.common_limits(species),
                weights,
                flocks: flocks.fold(0, |bits, other| bits | 1 << other.get()),
                chases: params.chases_of(species).map(Chase::new).collect(),
            }
        };
        let list: Vec<SpeciesRow> = params.each_species().map(kind).collect();
        let limits = |(agent, _): &(AgentLimits, _)| [agent.min_speed, agent.max_speed, agent.mass];
        let limits: Vec<[f32; 3]> = kinds.iter().map(limits).collect();
        let of_model = params.model.as_ref().map_or(0.0, |model| model.reach());
        let reach_sq = sights
            .iter()
            .flat_map(|sights| sights.of_rule)
            .fold(0.0, |most, sight| math::max(most, sight.radius_sq));
        let all_species = u64::MAX >> (MAX_SPECIES - list.len());
        let three = [RuleId::Separation, RuleId::Alignment, RuleId::Cohesion];
        let ranked = list.iter().any(|kind| !kind.ranked.is_empty());
        Self {
            form,
            separation,
            shared: SharedForm::new(&sights, separation, ranked),
            coincident_sq: sights
                .iter()
                .fold(0.0, |most, sights| math::max(most, sights.coincident_sq())),
            reach_sq: math::max(of_model * of_model, reach_sq),
            chases: list.iter().map(|kind| kind.chases.len()).max().unwrap_or(0),
            alike: alike(&kinds),
            unit_mass: limits.iter().all(|[_, _, mass]| *mass == 1.0),
            all_count_all: list.iter().all(|kind| kind.flocks == all_species),
            terms: three.map(|id| params.has_rule(id)),
            any_sees: sights
                .iter()
                .flat_map(|sights| sights.of_rule)
                .any(|sight| sight.radius_sq >= 0.0),
            differ: VariesBySpecies::new(&list, &limits),
            limits,
            list,
        }
    }

    /// The rules' sights in lanes.
    #[inline(always)]
    pub fn lanes<S: Simd, const FORM: u8, const D: usize>(
        &self,
        s: S,
        own: &BlockLanes<S, D>,
        present: &SpeciesInBlock,
    ) -> ThreeLanes<S> {
        let kinds = present.kinds();
        let mut lanes = self.list[kinds[0].0].sights.lanes::<S, FORM, D>(s, own, self.separation);
        if self.differ.sights {
            for &(kind, members) in &kinds[1..] {
                let others = self.list[kind].sights.lanes::<S, FORM, D>(s, own, self.separation);
                lanes = others.blend(s.mask(members), &lanes);
            }
        }
        lanes
    }

    /// Minimum and maximum speeds and masses of lanes whose species `column` has from slot `first`
    /// on.
    #[inline(always)]
    pub fn limits_of<S: Simd>(&self, s: S, column: &[u32], first: usize) -> [S::F; 3] {
        let [min, max, mass] = self.limits[0];
        let mut lanes = [s.splat(min), s.splat(max), s.splat(mass)];
        if self.limits.len() == 1 {
            return lanes;
        }
        if self.limits.len() > FEW {
            let (mut columns, last) = ([[0.0; MAX_LANES]; 3], self.limits.len() - 1);
            for lane in 0..S::LANES {
                // Stale padding lanes hold any number; they are never stored.
                let of = &self.limits[(column[first + lane] as usize).min(last)];
                (columns[0][lane], columns[1][lane], columns[2][lane]) = (of[0], of[1], of[2]);
            }
            return [s.load(&columns[0], 0), s.load(&columns[1], 0), s.load(&columns[2], 0)];
        }
        let species = s.load_whole(&column[first..]).to_float();
        for (kind, of) in self.limits.iter().enumerate().skip(1) {
            let mask = is(s, species, kind);
            for which in 0..3 {
                if self.differ.limits[which] {
                    lanes[which] = mask.select(s.splat(of[which]), lanes[which]);
                }
            }
        }
        lanes
    }
}

/// Limits and rules of each species; of a flock without species, its own.
fn by_species(params: &Params) -> Vec<(AgentLimits, &Rules)> {
    if params.species.is_empty() {
        return vec![(params.agent, &params.rules)];
    }
    params.species.iter().map(|species| (species.agent, &species.rules)).collect()
}

/// The three rules' perceptions of every species, under the neighbor cap; a model is the first
/// rule of all.
pub(crate) fn perceptions(params: &Params) -> Vec<[Option<Perception>; 3]> {
    let model = params
        .model
        .as_ref()
        .map(|model| Perception { radius: model.reach(), ..Perception::default() });
    let of_rules = |rules: &Rules| {
        if model.is_some() { [model, None, None] } else { three::perceptions(rules) }
    };
    let capped = |perception: Option<Perception>| perception.map(|seen| params.capped(seen));
    by_species(params).iter().map(|(_, rules)| of_rules(rules).map(capped)).collect()
}

/// The three rules as all species that have them do, but for weights, perceptions and falloffs,
/// which are in lanes; `None` if the rest differs.
fn alike(all: &[(AgentLimits, &Rules)]) -> Option<Rules> {
    let form = |rules: &Rules| Rules {
        separation: rules
            .separation
            .map(|rule| Separation { response: rule.response, ..Default::default() }),
        alignment: rules.alignment.map(|rule| Alignment {
            weight: 1.0,
            perception: Perception::default(),
            ..rule
        }),
        cohesion: rules
            .cohesion
            .map(|rule| Cohesion { response: rule.response, ..Default::default() }),
        ..Default::default()
    };
    let forms: Vec<Rules> = all.iter().map(|(_, rules)| form(rules)).collect();
    let common = Rules {
        separation: forms.iter().find_map(|rules| rules.separation),
        alignment: forms.iter().find_map(|rules| rules.alignment),
        cohesion: forms.iter().find_map(|rules| rules.cohesion),
        ..Default::default()
    };
    let same = |own: &Rules| {
        let Rules { separation, alignment, cohesion, .. } = *own;
        (separation.is_none() || separation == common.separation)
            && (alignment.is_none() || alignment == common.alignment)
            && (cohesion.is_none() || cohesion == common.cohesion)
    };
    forms.iter().all(same).then_some(common)
}

/// Lanes of one species.
#[inline(always)]
fn is<S: Simd>(s: S, species: S::F, kind: usize) -> S::M {
    let kind = s.splat(kind as f32);
    species.le(kind) & kind.le(species)
}

/// A squared distance for each lane.
pub(crate) type LaneDistances = [f32; MAX_LANES];

/// The species in a block, and which of them count a candidate of which species.
#[derive(Debug)]
pub(crate) struct SpeciesInBlock {
    /// Species and their lanes.
    kinds: [(usize, u32); MAX_LANES + 1],
    len: usize,
    /// Lanes of each species.
    lanes: [u32; MAX_SPECIES],
    /// By the candidate's species, a lower bound of its squared distance: infinite in lanes that do
    /// not count it, 0 elsewhere. A maximum then does in the loop what would take making a mask.
    pub distance_floor: [LaneDistances; MAX_SPECIES],
}

/// The species in any block of a flock that has one, and their lanes.
pub(crate) const ONE_SPECIES: [(usize, u32); 1] = [(0, u32::MAX)];

impl SpeciesInBlock {
    pub fn new() -> Self {
        let distance_floor = [[0.0; MAX_LANES]; MAX_SPECIES];
        Self {
            kinds: [(0, u32::MAX); MAX_LANES + 1],
            len: 1,
            lanes: [0; MAX_SPECIES],
            distance_floor,
        }
    }

    /// Species and their lanes; never none.
    #[inline(always)]
    pub fn kinds(&self) -> &[(usize, u32)] {
        &self.kinds[..self.len]
    }

    /// Finds the species of a block.
    #[inline(always)]
    pub fn find<S: Simd, const D: usize>(
        &mut self,
        s: S,
        kinds: &SpeciesTable,
        flock: &SortedFlock<'_, D>,
        block: &Block<S, D>,
    ) {
        let species = kinds.list.len();
        if species > 1 {
            self.find_kinds(s, species, flock, block);
        } else {
            (self.kinds[0], self.len) = ((0, u32::MAX), 1);
        }
        if kinds.all_count_all {
            // Nothing reads the rest then.
            return;
        }
        for other in 0..species {
            let counts = self.lanes_where(kinds, |kind| kind.flocks >> other & 1 == 1);
            s.mask(counts)
                .select(s.splat(0.0), s.splat(f32::INFINITY))
                .store(&mut self.distance_floor[other]);
        }
    }

    #[inline(always)]
    fn find_kinds<S: Simd, const D: usize>(
        &mut self,
        s: S,
        species: usize,
        flock: &SortedFlock<'_, D>,
        block: &Block<S, D>,
    ) {
        // Without branches: which species stand next to each other is unpredictable.
        if species <= FEW {
            let found = block.lane_slots.numbers_by_place(s, flock.species);
            for kind in 0..species {
                self.lanes[kind] = (is(s, found, kind) & block.own.live).bits();
            }
        } else {
            self.lanes[..species].fill(0);
            for lane in 0..block.count {
                self.lanes[flock.species[block.lane_slots.slot(lane)] as usize % MAX_SPECIES] |=
                    1 << lane;
            }
        }
        self.len = 0;
        for kind in 0..species {
            let lanes = self.lanes[kind];
            // Written in any case: the array has one place more than there are lanes.
            self.kinds[self.len] = (kind, lanes);
            self.len += usize::from(lanes != 0);
        }
    }

    /// Lanes whose species is of a kind.
    #[inline(always)]
    pub fn lanes_where(&self, kinds: &SpeciesTable, is: impl Fn(&SpeciesRow) -> bool) -> u32 {
        let mut found = 0;
        for &(kind, lanes) in self.kinds() {
            found |= if is(&kinds.list[kind]) { lanes } else { 0 };
        }
        found
    }
}

/// Weights and limits of the lanes' species.
pub(crate) struct LaneTraits<S: Simd> {
    pub weights: [S::F; 3],
    /// What rules go by, whatever maximum a boid has of its own.
    pub max_speed: S::F,
    pub max_force: S::F,
}

impl<S: Simd> LaneTraits<S> {
    #[inline(always)]
    pub fn new(s: S, kinds: &SpeciesTable, present: &SpeciesInBlock) -> Self {
        Self::of(s, kinds, present.kinds())
    }

    /// Of these species in their lanes.
    #[inline(always)]
    pub fn of(s: S, kinds: &SpeciesTable, present: &[(usize, u32)]) -> Self {
        let SpeciesTable { list, differ, .. } = kinds;
        let SpeciesRow { agent, weights, .. } = &list[present[0].0];
        let mut lanes = Self {
            weights: [s.splat(0.0); 3],
            max_speed: s.splat(agent.max_speed),
            max_force: s.splat(agent.max_force),
        };
        for rule in 0..3 {
            lanes.weights[rule] = s.splat(weights[rule]);
        }
        for &(kind, members) in &present[1..] {
            let (SpeciesRow { agent, weights, .. }, mask) = (&list[kind], s.mask(members));
            lanes.max_speed = mask.select(s.splat(agent.max_speed), lanes.max_speed);
            if differ.max_force {
                lanes.max_force = mask.select(s.splat(agent.max_force), lanes.max_force);
            }
            for rule in 0..3 {
                if differ.weights[rule] {
                    lanes.weights[rule] = mask.select(s.splat(weights[rule]), lanes.weights[rule]);
                }
            }
        }
        lanes
    }
}

/// An interaction that chooses one boid to chase or flee.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chase {
    pub other: usize,
    pub radius_sq: f32,
    pub weight: f32,
    /// −1 away from the other, 1 towards it.
    pub sign: f32,
    /// 1 to aim at where the other will be, 0 at where it is.
    pub ahead: f32,
    /// Square of the capture radius; −1, below every squared distance, without one.
    pub capture_sq: f32,
}

impl Chase {
    pub fn new(interaction: &Interaction) -> Self {
        let reach = interaction.capture_radius;
        let (sign, ahead) = match interaction.kind {
            InteractionKind::Pursue => (1.0, 1.0),
            InteractionKind::Evade => (-1.0, 1.0),
            InteractionKind::Flee => (-1.0, 0.0),
            // Those that flock or ignore are left out before.
            _ => (0.0, 0.0),
        };
        Self {
            other: interaction.other.get(),
            radius_sq: interaction.radius * interaction.radius,
            weight: interaction.weight,
            sign,
            ahead,
            capture_sq: if reach > 0.0 { reach * reach } else { -1.0 },
        }
    }
}
