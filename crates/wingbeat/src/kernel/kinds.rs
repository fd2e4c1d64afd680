//! Species as the kernel wants them; made anew whenever parameters change.
#![forbid(unsafe_code)]

use wingbeat_steer::{AgentLimits, Interaction, InteractionKind, MAX_CHASES, MAX_SPECIES, Params};

use crate::rule::own_sights::OwnSights;
use crate::rule::shared::Shared;
use crate::rule::three::Three;

/// All species of a flock.
#[derive(Clone, Debug)]
pub(crate) struct Kinds {
    pub list: Vec<Kind>,
    pub loops: Loops,
    /// No pair further apart is coincident for any rule of any species.
    pub coincident_sq: f32,
    /// Whether any flees, pursues or evades.
    pub chases: bool,
}

/// Which loop boids of several species can share, each lane with numbers of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Loops {
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
    /// Species that its rules count as neighbours, a bit each.
    pub flocks: u64,
    /// Whom it flees, pursues or evades, as declared.
    pub chases: [Option<Chase>; MAX_CHASES],
}

/// An interaction that picks somebody.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chase {
    pub whom: usize,
    pub radius_sq: f32,
    pub weight: f32,
    /// −1 away, 1 to it.
    pub sign: f32,
    /// 1 where the other's way is foreseen, 0 otherwise.
    pub ahead: f32,
    /// −1, which is nobody's distance, for those who capture nobody.
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
        // As flocks of their own, which have all that a species needs.
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
        let loops = match &all_shared {
            Some(_) => Loops::Shared,
            None if forms.iter().all(|other| Some(*other) == form) => Loops::OwnSights,
            None => Loops::Each,
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
                flocks: flocks.fold(0, |bits, whom| bits | 1 << whom),
                chases,
            }
        };
        let list: Vec<Kind> = alone.iter().enumerate().map(kind).collect();
        let coincident_sq =
            list.iter().map(|kind| if loops == Loops::Shared { kind.shared.coincident_sq } else { kind.sights.coincident_sq });
        let coincident_sq = coincident_sq.fold(0.0, |m, sq| if sq > m { sq } else { m });
        let chases = list.iter().any(|kind| kind.chases[0].is_some());
        Some(Self { list, loops, coincident_sq, chases })
    }
}

/// Who is in a block, species by species, and what its lanes make of a candidate of each.
pub(super) struct Present {
    /// Species and their lanes.
    pub kinds: [(usize, u32); crate::simd::MAX_LANES],
    pub len: usize,
    /// Lanes whose rules count a candidate of the species as a neighbour.
    pub flocks: [u32; MAX_SPECIES],
    /// Lanes whose n-th chase is after a candidate of the species.
    pub chases: [[u32; MAX_SPECIES]; MAX_CHASES],
    /// Species that anybody chases, a bit each.
    pub chased: u64,
}

impl Present {
    /// The species in `column` from slot `first` on. Lanes that rest chase nobody.
    pub fn find(kinds: &Kinds, column: &[f32], first: usize, count: usize, resting: u32) -> Self {
        let mut present =
            Self { kinds: [(0, 0); 16], len: 0, flocks: [0; MAX_SPECIES], chases: [[0; MAX_SPECIES]; MAX_CHASES], chased: 0 };
        for (lane, &species) in column[first..first + count].iter().enumerate() {
            let species = species as usize;
            match present.kinds[..present.len].iter_mut().find(|(kind, _)| *kind == species) {
                Some((_, lanes)) => *lanes |= 1 << lane,
                None => {
                    present.kinds[present.len] = (species, 1 << lane);
                    present.len += 1;
                }
            }
        }
        for &(species, lanes) in &present.kinds[..present.len] {
            let kind = &kinds.list[species];
            for whom in 0..kinds.list.len() {
                present.flocks[whom] |= if kind.flocks >> whom & 1 == 1 { lanes } else { 0 };
            }
            for (nth, chase) in kind.chases.iter().enumerate() {
                if let Some(chase) = chase {
                    present.chases[nth][chase.whom] |= lanes & !resting;
                    present.chased |= u64::from(lanes & !resting != 0) << chase.whom;
                }
            }
        }
        present
    }
}
