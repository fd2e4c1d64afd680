//! Bodies of a flock by species, and whether the domain has room for them.

use alloc::format;

use crate::contact::{SpeciesBody, check_radius};
use crate::{Domain, ParamError, Params, SpeciesId, Vector, math};

impl Params {
    /// The body of boids of a species; `None` in flocks without bodies.
    pub fn body_of(&self, species: SpeciesId) -> Option<SpeciesBody> {
        let common = self.body?;
        let own = self.kind(species).map_or(SpeciesBody::default(), |species| species.body);
        Some(SpeciesBody { radius: Some(own.radius.unwrap_or(common.radius)), ..own })
    }

    /// The largest radius of a body that is not a boid's own; 0 in flocks without bodies.
    pub fn largest_body(&self) -> f32 {
        let radii = self.each_species().filter_map(|species| self.body_of(species)?.radius);
        radii.fold(0.0, math::max)
    }

    /// The least that a body may use of a gap.
    pub fn least_share(&self) -> f32 {
        let mut priorities = self.species.iter().map(|species| species.body.priority);
        let first = priorities.next();
        let alike = priorities.all(|priority| Some(priority) == first);
        self.body.filter(|_| !alike).map_or(0.5, |body| 1.0 - body.share)
    }
}

/// Refuses radii of a flock's bodies that the domain has no room for.
///
/// # Errors
/// Names the radius, its value and what is allowed.
pub fn check_bodies<V: Vector>(params: &Params, domain: &Domain<V>) -> Result<(), ParamError> {
    let Some(body) = &params.body else { return Ok(()) };
    check_radius("body.radius", body.radius, domain)?;
    if let Some(model) = &params.anticipation {
        let reach = model.reach(params.largest_body() * (1.0 + body.margin));
        domain.check(reach).map_err(|refusal| refusal.named("anticipation.distance"))?;
    }
    params.species.iter().try_for_each(|species| match species.body.radius {
        Some(radius) => {
            check_radius(&format!("species.{}.body.radius", species.name), radius, domain)
        }
        None => Ok(()),
    })
}
