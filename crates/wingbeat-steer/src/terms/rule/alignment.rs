//! Alignment: as neighbors move.

use crate::terms::rule::definition::{
    RESPONSES, RuleBoid, RuleDefinition, Tally, Wanted, refuse_flee,
};
use crate::terms::rule::{Perception, Response, Seen};
use crate::{ParamError, Vector, heading};

choices! {
    /// Which quantity alignment averages.
    pub enum AlignmentOf {
        /// Velocities.
        #[default]
        Velocity = "velocity",
        /// Headings (unit velocities; a boid at rest counts as zero).
        Heading = "heading",
    }
}

impl AlignmentOf {
    fn value<V: Vector>(self, velocity: V) -> V {
        match self {
            Self::Velocity => velocity,
            Self::Heading => heading(velocity),
        }
    }
}

rule! {
    /// Alignment: A = mean(v) − own v, or of headings.
    pub struct Alignment {
        of: AlignmentOf = AlignmentOf::Velocity, "What is averaged.";
        relative: bool = true, "Whether the own value is subtracted from the mean.";
        include_self: bool = false, "Whether the own value is part of the mean.";
    }
    responses RESPONSES
}

impl RuleDefinition for Alignment {
    const NAME: &'static str = "alignment";
    const ABOUT: &'static str = "Fly as neighbors fly.";
    const PHRASE: &'static str = "alignment with";
    const HUE: f64 = 4.4;

    fn check(&self) -> Result<(), ParamError> {
        refuse_flee(Self::NAME, self.response)?;
        if self.response == Response::Steer && self.relative {
            return Err(ParamError::new(
                "alignment.response",
                "steer",
                "raw or unit unless alignment.relative = false",
            ));
        }
        Ok(())
    }

    fn term<V: Vector>(&self, _own: &RuleBoid<V>, seen: &Seen<V>) -> (V, f32) {
        (self.of.value(seen.velocity), 1.0)
    }

    /// The mean, less the own value where alignment is relative; nothing without neighbors.
    fn wanted<V: Vector>(&self, own: &RuleBoid<V>, tally: &Tally<V>) -> Option<Wanted<V>> {
        if tally.weight == 0.0 {
            return None;
        }
        let own = self.of.value(own.velocity);
        let mean = if self.include_self {
            own.plus(tally.sum).times(1.0 / (tally.weight + 1.0))
        } else {
            tally.sum.times(1.0 / tally.weight)
        };
        Some(Wanted {
            x: if self.relative { mean.minus(own) } else { mean },
            included: self.include_self.then_some(own),
            mean: Some(mean),
            subtracted: self.relative.then_some(own),
            ..Wanted::of(mean)
        })
    }
}
