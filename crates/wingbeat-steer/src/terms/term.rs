//! The terms of a boid's combined force, and their names.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use crate::ParamError;
use crate::terms::rule::RuleId;

/// One term of the combined force.
///
/// It is written as `separation` (or another rule's name), `rule[0]`, `interactions`, `drive[0]`,
/// `obstacles` or `walls`, and read back from that.
///
/// ```
/// use wingbeat_steer::{RuleId, Term};
/// assert_eq!("drive[2]".parse(), Ok(Term::Drive(2)));
/// assert_eq!(Term::Rule(RuleId::Cohesion).to_string(), "cohesion");
/// let refusal = "wings".parse::<Term>().unwrap_err().to_string();
/// assert!(refusal.starts_with("term = wings: allowed is separation, alignment, cohesion, "));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub enum Term {
    /// A rule of the flock.
    Rule(RuleId),
    /// A rule of the host's own, counted from 0 in the order of declaration.
    HostRule(usize),
    /// What species that flee, pursue or evade make of those they pick.
    Interactions,
    /// A drive, counted from 0 in the order of declaration.
    Drive(usize),
    /// Steering ahead of obstacles.
    Obstacles,
    /// The push of a walled domain.
    Walls,
}

impl Term {
    /// The terms that have no number, in their usual order.
    pub fn named() -> impl Iterator<Item = Self> {
        let rules = RuleId::ALL.iter().map(|&rule| Self::Rule(rule));
        rules.chain([Self::Interactions, Self::Obstacles, Self::Walls])
    }
}

impl fmt::Display for Term {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => to.write_str(rule.name()),
            Self::HostRule(place) => write!(to, "rule[{place}]"),
            Self::Interactions => to.write_str("interactions"),
            Self::Drive(place) => write!(to, "drive[{place}]"),
            Self::Obstacles => to.write_str("obstacles"),
            Self::Walls => to.write_str("walls"),
        }
    }
}

impl FromStr for Term {
    type Err = ParamError;

    fn from_str(text: &str) -> Result<Self, ParamError> {
        let numbered = |start: &str| {
            let number = text.strip_prefix(start)?.strip_suffix(']')?.parse().ok()?;
            // "rule[+1]" and "rule[01]" are no names.
            (text == format!("{start}{number}]")).then_some(number)
        };
        let term = Self::named().find(|term| term.to_string() == text);
        term.or_else(|| numbered("rule[").map(Self::HostRule))
            .or_else(|| numbered("drive[").map(Self::Drive))
            .ok_or_else(|| {
                let rules: String =
                    RuleId::ALL.iter().map(|id| id.name().to_string() + ", ").collect();
                let allowed = rules + "rule[NUMBER], interactions, drive[NUMBER], obstacles, walls";
                ParamError::new("term", text, allowed)
            })
    }
}

impl TryFrom<String> for Term {
    type Error = ParamError;

    fn try_from(text: String) -> Result<Self, ParamError> {
        text.parse()
    }
}

impl From<Term> for String {
    fn from(term: Term) -> Self {
        term.to_string()
    }
}
