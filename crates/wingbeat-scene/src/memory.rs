//! How many boids the machine can hold, asked before anything large is allocated.

use wingbeat_record::available_bytes;

use crate::SceneError;

/// So few fit into any machine: where memory lacks for them, they are not what took it.
const FEW: usize = 1 << 12;

/// Refuses a count of plain boids that would not fit into memory.
pub(crate) fn room_for<const D: usize>(
    count: usize,
    refuse: impl Fn(&str) -> SceneError,
) -> Result<(), SceneError> {
    room_for_such::<D>(count, wingbeat::memory::bytes_for::<D>(1), refuse)
}

/// The same for boids that each take so much in the engine.
pub(crate) fn room_for_such<const D: usize>(
    count: usize,
    bytes_a_boid: u128,
    refuse: impl Fn(&str) -> SceneError,
) -> Result<(), SceneError> {
    // Placed positions and velocities, two lists of boids, and their ids, all alive at once during
    // building.
    let setting_up = 8 * D as u128 + 2 * (8 + 8 * D as u128 + 8) + 8;
    if count > wingbeat::memory::MAX_BOIDS {
        return Err(refuse(&format!("0 to {}", wingbeat::memory::MAX_BOIDS)));
    }
    let Some(available) = (count > FEW).then(available_bytes).flatten() else { return Ok(()) };
    let most = available / (bytes_a_boid + setting_up);
    if count as u128 > most {
        let gibibytes = available as f64 / (1024.0 * 1024.0 * 1024.0);
        return Err(refuse(&format!(
            "0 to {most}, what the {gibibytes:.1} GiB of free memory hold"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_counts_are_refused_by_name() {
        let refuse = |allowed: &str| SceneError::Machine(allowed.to_string());
        assert!(room_for::<3>(1000, refuse).is_ok());
        assert!(room_for::<3>(usize::MAX, refuse).is_err());
        assert!(
            room_for_such::<3>(FEW, 1 << 90, refuse).is_ok(),
            "memory is not what refuses so few"
        );
        if available_bytes().is_some_and(|bytes| bytes < 100 << 30) {
            let refusal = room_for::<3>(4_000_000_000, refuse).unwrap_err().to_string();
            assert!(refusal.contains("GiB"), "{refusal}");
        }
    }
}
