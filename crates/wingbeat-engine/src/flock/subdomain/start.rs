//! What subdomains agree on before their first step.

use std::collections::BTreeMap;

use crate::flock::subdomain::partition::RowCost;
use crate::flock::subdomain::{SubdomainError, Transport};
use crate::{BoidId, Flock};

/// What a part tells of its boids: which columns are in use, how many they are, their last id and
/// the next.
pub(super) fn told<const D: usize>(flock: &Flock<D>) -> Vec<u32> {
    let last = flock.state.boids.ids.last().map_or(0, |id| id.get());
    let mut own = 0;
    flock
        .state
        .boids
        .extra
        .each(&mut |info, column| own |= u32::from(column.in_use()) << info.place);
    let mut words = vec![own, flock.len() as u32];
    [last, flock.state.boids.next_id()]
        .iter()
        .for_each(|&number| words.extend([number as u32, (number >> 32) as u32]));
    words
}

/// Gives a part what all have told.
pub(super) fn agree<const D: usize>(
    flock: &mut Flock<D>,
    all: &[Vec<u32>],
    peers: &mut dyn Transport,
) -> Result<(), SubdomainError> {
    let (mut used, mut boids, mut last, mut next) = (0, 0, 0, 0);
    for words in all {
        let &[columns, count, last_low, last_high, next_low, next_high] = words.as_slice() else {
            continue;
        };
        let number = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        used |= columns;
        boids += count as usize;
        last = last.max(number(last_low, last_high));
        next = next.max(number(next_low, next_high));
    }
    let slots = flock.len();
    flock.state.boids.extra.use_own(&|info, _| used >> info.place & 1 == 1, slots);
    flock.state.boids.expect_id(next);
    // Ids that fit a rank are ranks: they are in the same order.
    let first =
        if last.max(next) < u64::from(u32::MAX) { Vec::new() } else { ids_of_all(flock, peers)? };
    let next = if first.is_empty() { 0 } else { next };
    flock.state.boids.become_part(first, next, boids);
    Ok(())
}

/// The ids of all boids, ascending.
fn ids_of_all<const D: usize>(
    flock: &Flock<D>,
    peers: &mut dyn Transport,
) -> Result<Vec<BoidId>, SubdomainError> {
    let words: Vec<u32> = flock
        .state
        .boids
        .ids
        .iter()
        .flat_map(|id| [id.get() as u32, (id.get() >> 32) as u32])
        .collect();
    let all = peers.all(&words)?;
    let number = |pair: &[u32]| BoidId::new(u64::from(pair[0]) | u64::from(pair[1]) << 32);
    let mut ids: Vec<BoidId> =
        all.iter().flat_map(|words| words.chunks_exact(2).map(number)).collect();
    ids.sort_unstable();
    Ok(ids)
}

/// What the rows of a part's boids cost to steer, as words: as many boids as are in them.
pub(super) fn rows<const D: usize>(flock: &Flock<D>) -> Vec<u32> {
    let mut rows = BTreeMap::<(i32, i32), u64>::new();
    for slot in 0..flock.len() {
        let [_, y, z] = flock.workspace.grid.cells().of(flock.state.boids.front.position(slot));
        *rows.entry((z, y)).or_default() += 1;
    }
    rows.into_iter().flat_map(|((z, y), cost)| row_words(z, y, cost)).collect()
}

/// A row and its cost as words.
pub(super) fn row_words(z: i32, y: i32, cost: u64) -> [u32; 4] {
    [z as u32, y as u32, cost as u32, (cost >> 32) as u32]
}

/// The costs of all parts' rows.
pub(super) fn costs(all: &[Vec<u32>]) -> Vec<RowCost> {
    let mut rows = BTreeMap::<(i32, i32), u64>::new();
    for row in all.iter().flat_map(|words| words.chunks_exact(4)) {
        *rows.entry((row[0] as i32, row[1] as i32)).or_default() +=
            u64::from(row[2]) | u64::from(row[3]) << 32;
    }
    rows.into_iter().map(|((z, y), cost)| RowCost { z, y, cost }).collect()
}
