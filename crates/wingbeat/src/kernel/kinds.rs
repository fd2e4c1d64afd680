//! Species as the kernel wants them; made anew whenever parameters change.

use wingbeat_steer::{AgentLimits, Alignment, Interaction, InteractionKind, MAX_CHASES, MAX_SPECIES, Params};

use crate::rule::own_sights::OwnSights;
use crate::rule::shared::Shared;
use crate::rule::three::Three;
use crate::simd::{Float, MAX_LANES, Mask, Simd};

/// All species of a flock.
#[derive(Clone, Debug)]
pub(crate) struct Kinds {
    pub list: Vec<Kind>,
    pub fast_loop: FastLoop,
    /// No pair further apart is coincident for any rule of any species.
    pub coincident_sq: f32,
    /// Most interactions of one species that flee, pursue or evade.
    pub chases: usize,
    /// Rules for the responses of all species alike, weights and speeds aside; `None` where responses differ.
    pub alike: Option<Three>,
    /// Minimum and maximum speed and mass of each species.
    pub limits: Vec<[f32; 3]>,
    /// Whether every mass is 1.
    pub unit_mass: bool,
    /// Whether every species counts all species as neighbours.
    pub mingles: bool,
    pub differ: Differ,
}

/// Which numbers differ from species to species. Where one does not, all lanes are given the same.
#[derive(Clone, Debug)]
pub(crate) struct Differ {
    /// Range and sight, as the shared loop has them.
    pub sights: bool,
    pub weights: [bool; 3],
    pub max_force: bool,
    /// As in [`Kinds::limits`].
    pub limits: [bool; 3],
}

impl Differ {
    fn new(list: &[Kind], limits: &[[f32; 3]]) -> Self {
        let (one, of_one) = (&list[0], &limits[0]);
        Self {
            sights: list.iter().any(|kind| kind.shared != one.shared),
            weights: std::array::from_fn(|rule| list.iter().any(|kind| kind.weights[rule] != one.weights[rule])),
            max_force: list.iter().any(|kind| kind.agent.max_force != one.agent.max_force),
            limits: std::array::from_fn(|which| limits.iter().any(|of| of[which] != of_one[which])),
        }
    }
}

/// Up to so many species are compared with all lanes one after the other; more are looked up lane by lane.
const FEW: usize = 16;

/// Which loop boids of several species can share, each lane with numbers of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FastLoop {
    /// One sight for the rules of each species, separation linear.
    Shared,
    /// Any sights, and the same form of separation everywhere.
    OwnSights,
    /// None: forms of separation differ.
    Each,
}

/// One species.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub three: Three,
    pub shared: Shared,
    pub sights: OwnSights,
    pub agent: AgentLimits,
    /// Of the three rules, 0 for those it has not.
    pub weights: [f32; 3],
    /// Species that its rules count as neighbours, a bit each.
    pub flocks: u64,
    /// Whom it flees, pursues or evades, as declared.
    pub chases: [Option<Chase>; MAX_CHASES],
}

/// An interaction that chooses one boid to chase or flee.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chase {
    pub whom: usize,
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
    fn new(interaction: &Interaction) -> Self {
        let reach = interaction.capture_radius;
        let (sign, ahead) = match interaction.kind {
            InteractionKind::Pursue => (1.0, 1.0),
            InteractionKind::Evade => (-1.0, 1.0),
            _ => (-1.0, 0.0),
        };
        Self {
            whom: interaction.whom,
            radius_sq: interaction.radius * interaction.radius,
            weight: interaction.weight,
            sign,
            ahead,
            capture_sq: if reach > 0.0 { reach * reach } else { -1.0 },
        }
    }
}

impl Kinds {
    /// `None` for flocks whose boids are all alike.
    pub fn new(params: &Params) -> Option<Self> {
        if params.species.is_empty() {
            return None;
        }
        // Each species as the parameters of a flock of its own.
        let own = |who: usize| {
            let kind = &params.species[who];
            Params {
                agent: kind.agent,
                separation: kind.separation,
                alignment: kind.alignment,
                cohesion: kind.cohesion,
                ..Params::default()
            }
        };
        let alone: Vec<Params> = (0..params.species.len()).map(own).collect();
        let all_sights: Vec<OwnSights> = alone.iter().map(OwnSights::new).collect();
        let forms: Vec<_> = all_sights.iter().filter_map(OwnSights::form).collect();
        let form = forms.first().copied();
        let shared = |params: &Params| if params.largest_radius() == 0.0 { Some(Shared::BLIND) } else { Shared::new(params) };
        let all_shared: Option<Vec<Shared>> = alone.iter().map(shared).collect();
        let fast_loop = match &all_shared {
            Some(_) => FastLoop::Shared,
            None if forms.iter().all(|other| Some(*other) == form) => FastLoop::OwnSights,
            None => FastLoop::Each,
        };
        let kind = |(who, params_alone): (usize, &Params)| {
            let mut chases = [None; MAX_CHASES];
            for (place, interaction) in chases.iter_mut().zip(params.chases_of(who)) {
                *place = Some(Chase::new(interaction));
            }
            let flocks = (0..params.species.len()).filter(|&whom| params.flocks_with(who, whom));
            Kind {
                three: Three::new(params_alone),
                shared: all_shared.as_ref().map_or(Shared::BLIND, |all| all[who]),
                sights: form.map_or(all_sights[who], |form| all_sights[who].with_form(form)),
                agent: params_alone.agent,
                weights: [
                    params_alone.separation.map_or(0.0, |rule| rule.weight),
                    params_alone.alignment.map_or(0.0, |rule| rule.weight),
                    params_alone.cohesion.map_or(0.0, |rule| rule.weight),
                ],
                flocks: flocks.fold(0, |bits, whom| bits | 1 << whom),
                chases,
            }
        };
        let list: Vec<Kind> = alone.iter().enumerate().map(kind).collect();
        let coincident_sq = list
            .iter()
            .map(|kind| if fast_loop == FastLoop::Shared { kind.shared.coincident_sq } else { kind.sights.coincident_sq });
        let coincident_sq = coincident_sq.fold(0.0, |m, sq| if sq > m { sq } else { m });
        let chases = list.iter().map(|kind| kind.chases.iter().flatten().count()).max().unwrap_or(0);
        let limits = |params: &Params| [params.agent.min_speed, params.agent.max_speed, params.agent.mass];
        let limits: Vec<[f32; 3]> = alone.iter().map(limits).collect();
        let all_species = u64::MAX >> (MAX_SPECIES - list.len());
        let (mingles, differ) = (list.iter().all(|kind| kind.flocks == all_species), Differ::new(&list, &limits));
        let unit_mass = alone.iter().all(|params| params.agent.mass == 1.0);
        Some(Self { list, fast_loop, coincident_sq, chases, alike: alike(&alone), limits, unit_mass, mingles, differ })
    }

    /// Minimum and maximum speeds and masses of lanes whose species `column` has from slot `first` on.
    #[inline(always)]
    pub fn limits_of<S: Simd>(&self, s: S, column: &[f32], first: usize) -> [S::F; 3] {
        let [min, max, mass] = self.limits[0];
        let mut lanes = [s.splat(min), s.splat(max), s.splat(mass)];
        if self.limits.len() > FEW {
            let (mut columns, last) = ([[0.0; MAX_LANES]; 3], self.limits.len() - 1);
            for lane in 0..S::LANES {
                // Stale padding lanes hold any number; they are never stored.
                let of = &self.limits[(column[first + lane] as usize).min(last)];
                (columns[0][lane], columns[1][lane], columns[2][lane]) = (of[0], of[1], of[2]);
            }
            return [s.load(&columns[0], 0), s.load(&columns[1], 0), s.load(&columns[2], 0)];
        }
        let species = s.load(column, first);
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

/// Lanes of one species.
#[inline(always)]
fn is<S: Simd>(s: S, species: S::F, kind: usize) -> S::M {
    let kind = s.splat(kind as f32);
    species.le(kind) & kind.le(species)
}

/// The three rules as all species that have them do; `None` if responses differ.
fn alike(alone: &[Params]) -> Option<Three> {
    let common = Params {
        separation: alone.iter().find_map(|params| params.separation),
        alignment: alone.iter().find_map(|params| params.alignment),
        cohesion: alone.iter().find_map(|params| params.cohesion),
        ..Params::default()
    };
    let same = |params: &Params| {
        let separation = params.separation.is_none_or(|own| common.separation.is_some_and(|one| one.response == own.response));
        let cohesion = params.cohesion.is_none_or(|own| common.cohesion.is_some_and(|one| one.response == own.response));
        let form = |rule: Alignment| (rule.relative, rule.include_self, rule.response);
        let alignment = params.alignment.is_none_or(|own| common.alignment.is_some_and(|one| form(one) == form(own)));
        separation && cohesion && alignment
    };
    alone.iter().all(same).then(|| Three::new(&common))
}

/// A squared distance for each lane.
type LaneDistances = [f32; MAX_LANES];

const NEAR: LaneDistances = [0.0; MAX_LANES];

/// The species in a block, and which of them count a candidate of which species.
#[derive(Debug)]
pub(super) struct SpeciesInBlock {
    /// Species and their lanes.
    kinds: [(usize, u32); MAX_LANES + 1],
    len: usize,
    /// Lanes of each species.
    lanes: [u32; MAX_SPECIES],
    /// By the candidate's species, a lower bound of its squared distance: infinite in lanes whose rules do not count it, 0 elsewhere. A
    /// maximum then does in the loop what would take making a mask.
    pub flocks: [LaneDistances; MAX_SPECIES],
    /// The same for the species that the n-th chase of a lane is after.
    pub chases: [[LaneDistances; MAX_SPECIES]; MAX_CHASES],
    /// Most chases of one species.
    pub most: usize,
    /// Species that some lane chases, a bit each.
    pub chased: u64,
}

impl SpeciesInBlock {
    pub fn new() -> Self {
        Self {
            kinds: [(0, 0); MAX_LANES + 1],
            len: 0,
            lanes: [0; MAX_SPECIES],
            most: 0,
            flocks: [NEAR; MAX_SPECIES],
            chases: [[NEAR; MAX_SPECIES]; MAX_CHASES],
            chased: 0,
        }
    }

    /// Species and their lanes; never none.
    #[inline(always)]
    pub fn kinds(&self) -> &[(usize, u32)] {
        &self.kinds[..self.len]
    }

    /// Finds the species in `column` from slot `first` on. Lanes that rest do not chase.
    #[inline(always)]
    pub fn find<S: Simd>(&mut self, s: S, kinds: &Kinds, column: &[f32], first: usize, count: usize, resting: u32) {
        let species = kinds.list.len();
        (self.len, self.most, self.chased) = (0, kinds.chases, 0);
        // Without branches: which species stand next to each other is unpredictable.
        if species <= FEW {
            let (live, found) = (s.first(count), s.load(column, first));
            for kind in 0..species {
                self.lanes[kind] = (is(s, found, kind) & live).bits();
            }
        } else {
            self.lanes[..species].fill(0);
            for (lane, &kind) in column[first..first + count].iter().enumerate() {
                self.lanes[kind as usize % MAX_SPECIES] |= 1 << lane;
            }
        }
        for kind in 0..species {
            let lanes = self.lanes[kind];
            // Written in any case: the array has one place more than there are lanes.
            self.kinds[self.len] = (kind, lanes);
            self.len += usize::from(lanes != 0);
        }
        if kinds.mingles && kinds.chases == 0 {
            // Nothing reads the rest then.
            return;
        }
        let (zero, far) = (s.splat(0.0), s.splat(f32::INFINITY));
        for whom in 0..species {
            let mut flocks = 0;
            for &(kind, lanes) in &self.kinds[..self.len] {
                flocks |= if kinds.list[kind].flocks >> whom & 1 == 1 { lanes } else { 0 };
            }
            s.mask(flocks).select(zero, far).store(&mut self.flocks[whom]);
            for nth in 0..kinds.chases {
                let mut after = 0;
                for &(kind, lanes) in &self.kinds[..self.len] {
                    let chase = &kinds.list[kind].chases[nth];
                    after |= if chase.is_some_and(|chase| chase.whom == whom) { lanes & !resting } else { 0 };
                }
                s.mask(after).select(zero, far).store(&mut self.chases[nth][whom]);
                self.chased |= u64::from(after != 0) << whom;
            }
        }
    }
}
