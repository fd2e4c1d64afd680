//! A flock beside its textbook: what has to be equal after a step, bit for bit.

use super::gates::{who_entered, who_exited};
use super::species::{squeezed, told};
use wingbeat::steer::*;
use wingbeat::steer::{HeldForces, TextbookBoid, TextbookFlock, Vector};
use wingbeat::*;

pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Result<(), String> {
    if found == wanted {
        Ok(())
    } else {
        Err(format!("{what}: {found:?}, by the textbook {wanted:?}"))
    }
}

pub fn bits<const D: usize>(v: [f32; D]) -> [u32; D] {
    v.map(f32::to_bits)
}

/// What differs, and in which boid if it belongs to one.
pub type Difference = (String, Option<BoidId>);

/// Compares all that a flock tells of itself and of its boids; nothing may be NaN.
pub fn side_by_side<const D: usize>(
    flock: &Flock<D>,
    book: &TextbookFlock<[f32; D]>,
    forces: &HeldForces<[f32; D]>,
) -> Result<(), Difference> {
    whole(flock, book).map_err(|told| (told, None))?;
    let mut by_id: Vec<&TextbookBoid<[f32; D]>> = book.boids.iter().collect();
    by_id.sort_unstable_by_key(|boid| boid.id);
    let frame = flock.frame();
    if !frame.steering(0).is_empty() {
        for (slot, id) in frame.ids().enumerate() {
            let found = std::array::from_fn(|a| frame.steering(a)[slot]);
            let wanted = forces.of(id.get()).expect("a boid that has steered");
            same(&format!("steering of {id}: {found:?}, {wanted:?}"), bits(found), bits(wanted))
                .map_err(|told| (told, Some(id)))?;
        }
    }
    for (found, wanted) in frame.by_id().zip(&by_id) {
        one(flock, book, &found, wanted).map_err(|told| (told, Some(found.id)))?;
    }
    Ok(())
}

fn whole<const D: usize>(flock: &Flock<D>, book: &TextbookFlock<[f32; D]>) -> Result<(), String> {
    let finite =
        |boid: &TextbookBoid<[f32; D]>| boid.position.all_finite() && boid.velocity.all_finite();
    same(
        "boids without a NaN or an infinity",
        book.boids.iter().filter(|boid| finite(boid)).count(),
        book.boids.len(),
    )?;
    same(
        "events",
        told(flock, "events"),
        (book.captured.clone(), book.arrived.clone(), book.left.clone()),
    )?;
    same("squeezed", squeezed(flock), book.squeezed.clone())?;
    same("exited", who_exited(flock), book.exited.clone())?;
    same("entered", who_entered(flock), book.entered.clone())?;
    let memory = flock.checkpoint().state;
    same("memory of sources", &memory.sources[..], book.sources.memory())?;
    same("memory of exits", &memory.exits[..], book.exits.memory())?;
    same("next id", memory.next_id, book.next_id)?;
    same("boids", flock.len(), book.boids.len())
}

fn one<const D: usize>(
    flock: &Flock<D>,
    book: &TextbookFlock<[f32; D]>,
    found: &Boid<D>,
    wanted: &TextbookBoid<[f32; D]>,
) -> Result<(), String> {
    let id = wanted.id;
    same("id", found.id.get(), id)?;
    same(&format!("velocity of {id}"), bits(found.velocity), bits(wanted.velocity))?;
    same(&format!("position of {id}"), bits(found.position), bits(wanted.position))?;
    let (traits, wanted) = (
        flock.traits(found.id).map_err(|refusal| refusal.to_string())?,
        book.traits.get(&id).copied().unwrap_or_default(),
    );
    let told = |own: Traits| (own.species, own.spent.to_bits(), own.resting);
    same(&format!("species, stamina of {id}"), told(traits), told(wanted))
}
