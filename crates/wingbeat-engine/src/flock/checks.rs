//! Checks of a flock and of changes to it, so that stepping cannot fail.

use wingbeat_steer::body::check_bodies;
use wingbeat_steer::drive::MAX_DRIVES;
use wingbeat_steer::{
    Domain, Drive, ParamError, Params, Perception, When, check_steer_every, parameters::limit,
};

use crate::flock::Settings;
use crate::neighbors::limit::MAX_DECLARED;
use crate::terms::drive::Named;
use crate::{Boid, BoidId, FlockError, SpeciesId};

/// The species of the boids by ascending id; empty where every boid is of the first.
pub(crate) fn species_by_id<const D: usize>(
    given: &[SpeciesId],
    params: &Params,
    boids: &[Boid<D>],
) -> Result<Vec<SpeciesId>, FlockError> {
    if given.is_empty() {
        return Ok(Vec::new());
    }
    if given.len() != boids.len() {
        return Err(ParamError::new(
            "species",
            given.len(),
            format!("one for each of the {} boids", boids.len()),
        )
        .into());
    }
    let mut by_id: Vec<(BoidId, SpeciesId)> =
        boids.iter().map(|boid| boid.id).zip(given.iter().copied()).collect();
    by_id.sort_unstable();
    for &(id, species) in &by_id {
        params
            .check_species_id("species", species)
            .map_err(|refusal| FlockError::Boid { id, refusal })?;
    }
    Ok(by_id.into_iter().map(|(_, species)| species).collect())
}

/// Refuses drives that are out of range or do not go together.
pub(crate) fn check_drives<const D: usize>(
    drives: &[Drive<[f32; D]>],
    own: &[Named<D>],
    Settings { params, domain, .. }: &Settings<D>,
    exists: impl Fn(u64) -> bool,
) -> Result<(), FlockError> {
    let count = drives.len() + own.len();
    if count > MAX_DRIVES {
        return Err(ParamError::new("drives", count, format!("at most {MAX_DRIVES}")).into());
    }
    let taken = |name: &String| {
        drives
            .iter()
            .map(|drive| &drive.name)
            .chain(own.iter().map(|(name, _)| name))
            .filter(|n| *n == name)
            .count()
    };
    if let Some((name, _)) = own.iter().find(|(name, _)| taken(name) > 1) {
        return Err(
            ParamError::new(format!("drive.{name}"), "given twice", "each name once").into()
        );
    }
    check_other(drives, params)?;
    Ok(wingbeat_steer::check_drives(drives, domain, exists)?)
}

/// Refuses drives of species that are not, and a gaze that would depend on what the gaze finds.
fn check_other<const D: usize>(
    drives: &[Drive<[f32; D]>],
    params: &Params,
) -> Result<(), FlockError> {
    for drive in drives {
        if let Some(species) = drive.species {
            params.check_species_id(format_args!("drive.{}.species", drive.name), species)?;
        }
        if drive.looks() && matches!(drive.when, When::Idle | When::Busy) {
            let allowed = "always or resting with looks: whether a boid is busy would depend on \
                what it finds where it looks";
            let field = format_args!("drive.{}.when", drive.name);
            return Err(ParamError::new(field, format!("{:?}", drive.when), allowed).into());
        }
    }
    Ok(())
}

/// Refuses rules and turns that are not accepted; `declared` is what the host's own rules perceive.
pub(crate) fn check_settings<const D: usize>(
    Settings { params, domain, steer_every, .. }: &Settings<D>,
    declared: &[Perception],
) -> Result<(), FlockError> {
    check_rules(params, declared, domain)?;
    Ok(check_steer_every(*steer_every)?)
}

/// Refuses rules and an edge that do not go together.
pub(crate) fn check_rules<const D: usize>(
    params: &Params,
    declared: &[Perception],
    domain: &Domain<[f32; D]>,
) -> Result<(), FlockError> {
    params.check()?;
    domain.check(0.0)?;
    check_bodies(params, domain)?;
    if let Some(model) = &params.model {
        model.check_world(domain)?;
    }
    if declared.len() > MAX_DECLARED {
        return Err(ParamError::new(
            "rules",
            declared.len(),
            format!("at most {MAX_DECLARED} of the host's own"),
        )
        .into());
    }
    for (i, perception) in declared.iter().enumerate() {
        let name = format!("rule[{i}]");
        perception.check(&name)?;
        domain
            .check(perception.radius)
            .map_err(|refusal| refusal.named(format!("{name}.radius")))?;
    }
    for rule in params.rules.iter() {
        let named = |refusal: ParamError| refusal.named(format!("{}.radius", rule.name()));
        domain.check(rule.perception.radius).map_err(named)?;
    }
    for (field, radius) in params.radii_of_species() {
        domain.check(radius).map_err(|refusal| refusal.named(field))?;
    }
    Ok(())
}

/// The boid as it enters the domain, or why it may not.
pub(crate) fn admit<const D: usize>(
    boid: &Boid<D>,
    domain: &Domain<[f32; D]>,
) -> Result<Boid<D>, FlockError> {
    admit_velocity(boid.id, boid.velocity)?;
    for (a, &x) in boid.position.iter().enumerate() {
        if x.is_nan() || x.abs() > limit::POSITION {
            return Err(refuse(
                boid.id,
                ("position", a),
                x,
                format!("-{0} to {0}", limit::POSITION),
            ));
        }
    }
    let position = settled(boid.position, domain);
    if !domain.contains(position) {
        let outside =
            |a: &usize| boid.position[*a] < domain.min[*a] || boid.position[*a] > domain.max[*a];
        let a = (0..D).find(outside).unwrap_or(0);
        let allowed = format!("{} to {}, the domain", domain.min[a], domain.max[a]);
        return Err(refuse(boid.id, ("position", a), boid.position[a], allowed));
    }
    Ok(Boid { position, ..*boid })
}

/// The ids in ascending order, each of which is there once.
#[inline(never)]
pub(crate) fn distinct_ids<const D: usize>(boids: &[Boid<D>]) -> Result<Vec<BoidId>, FlockError> {
    let mut ids: Vec<BoidId> = boids.iter().map(|boid| boid.id).collect();
    ids.sort_unstable();
    match ids.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(twice) => Err(FlockError::DuplicateId(twice[0])),
        None => Ok(ids),
    }
}

/// [`admit`] of each of them, in its place.
#[inline(never)]
pub(crate) fn admit_all<const D: usize>(
    boids: &mut [Boid<D>],
    domain: &Domain<[f32; D]>,
) -> Result<(), FlockError> {
    for boid in boids {
        *boid = admit(boid, domain)?;
    }
    Ok(())
}

/// Refuses a velocity that is too large or not a number.
pub(crate) fn admit_velocity<const D: usize>(
    id: BoidId,
    velocity: [f32; D],
) -> Result<(), FlockError> {
    for (a, &v) in velocity.iter().enumerate() {
        if v.is_nan() || v.abs() > limit::VELOCITY {
            return Err(refuse(id, ("velocity", a), v, format!("-{0} to {0}", limit::VELOCITY)));
        }
    }
    Ok(())
}

/// A position wrapped into a periodic box.
pub(crate) fn settled<const D: usize>(
    mut position: [f32; D],
    domain: &Domain<[f32; D]>,
) -> [f32; D] {
    if domain.is_periodic() {
        for (a, x) in position.iter_mut().enumerate() {
            *x = domain.settle(a, *x, 0.0).0;
        }
    }
    position
}

fn refuse(id: BoidId, (field, axis): (&str, usize), value: f32, allowed: String) -> FlockError {
    FlockError::Boid { id, refusal: ParamError::new(format!("{field}[{axis}]"), value, allowed) }
}

/// Refuses a count whose columns would not fit, before anything of that size is allocated.
pub(crate) fn room_for(boids: usize, bytes_a_boid: u128) -> Result<(), FlockError> {
    let bytes = boids as u128 * bytes_a_boid;
    let refused = FlockError::TooManyBoids { boids, bytes };
    if boids > crate::memory::MAX_BOIDS {
        return Err(refused);
    }
    let mut probe: Vec<u8> = Vec::new();
    usize::try_from(bytes).ok().and_then(|bytes| probe.try_reserve_exact(bytes).ok()).ok_or(refused)
}
