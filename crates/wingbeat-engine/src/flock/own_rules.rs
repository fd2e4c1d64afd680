//! Rules of the host's own, between steps.

use std::any::{Any, TypeId};
use std::sync::Arc;

use wingbeat_steer::ParamError;

use super::Flock;
use crate::FlockError;
use crate::flock::checks;
use crate::flock::parts::{grid_of, kernel_tables};
use crate::rule::Rule;

impl<const D: usize> Flock<D> {
    /// The flock's [`Rule`] of this type; the last declared of several, `None` without.
    pub fn rule<A: Rule<D>>(&self) -> Option<&A> {
        self.host.rules.as_ref()?.host()?.rule(TypeId::of::<A>())?.downcast_ref()
    }

    /// Puts another rule in the place of the flock's rule of the same type, from the next step on:
    /// its numbers change as the flock flies. Clones of the flock keep what they have; a saved
    /// state has no rules, and is restored under those that are there.
    ///
    /// ```
    /// use wingbeat::simd::Vectors;
    /// use wingbeat::{Flock2, Perception, pair_rule};
    ///
    /// #[derive(Clone)]
    /// struct Pull { strength: f32 }
    /// pair_rule! {
    ///     impl<S, D> Rule for Pull {
    ///         type Sum = Vectors<S, D>;
    ///         fn perception(&self) -> Perception { 2.0.into() }
    ///         fn term(&self, s, own, pair) { pair.direction(s) }
    ///         fn force(&self, s, own, sum) { sum * s.splat(self.strength) }
    ///     }
    /// }
    ///
    /// let mut flock = Flock2::builder().rule(Pull { strength: 0.5 }).build()?;
    /// let stronger = Pull { strength: 2.0 * flock.rule::<Pull>().unwrap().strength };
    /// flock.set_rule(stronger)?;
    /// assert_eq!(flock.rule::<Pull>().map(|rule| rule.strength), Some(1.0));
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// When the flock has no rule of this type, or what it perceives is not accepted; nothing is
    /// changed then.
    pub fn set_rule<A: Rule<D>>(&mut self, rule: A) -> Result<(), FlockError> {
        self.replace_rule(&Arc::new(rule), std::any::type_name::<A>())
    }

    /// The rule is an `Arc` of its type.
    #[inline(never)]
    pub(crate) fn replace_rule(&mut self, rule: &dyn Any, name: &str) -> Result<(), FlockError> {
        let host = self.host.rules.as_ref().and_then(|rules| rules.host());
        let unknown = || ParamError::new("rule", name, "a type of which the flock has a rule");
        let rules = host.and_then(|host| host.with_rule(rule)).ok_or_else(unknown)?;
        let mut declared = Vec::new();
        if let Some(host) = rules.host() {
            host.perceptions(&mut declared);
        }
        checks::check_rules(&self.settings.params, &declared, &self.settings.domain)?;
        (self.host.rules, self.host.declared) = (Some(rules), declared);
        self.derived.kernel = kernel_tables(&self.settings, &self.host, &self.machine);
        let radius = self.derived.kernel.radius;
        self.workspace.grid = grid_of(&self.settings, radius, self.machine.storage);
        self.workspace.boids_moved();
        Ok(())
    }
}
