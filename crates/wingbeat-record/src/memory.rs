//! Free memory, checked before lists grow.

use crate::RecordError;

/// Bytes a row takes at most: the growing list and its copy, the sort's buffer, and the order by id.
const BYTES_PER_ROW: u128 = 3 * size_of::<crate::Row>() as u128 + 16;

/// Counts below this fit into any machine: not worth asking the system for each.
pub(crate) const SMALL_COUNT: u128 = 1 << 16;

/// Refuses more rows than memory holds. Where the system does not say how much there is, nothing is refused.
pub(crate) fn room_for(rows: u128, place: &str) -> Result<(), RecordError> {
    if rows < SMALL_COUNT {
        return Ok(());
    }
    let Some(available) = available_bytes() else { return Ok(()) };
    let most = available / BYTES_PER_ROW;
    if rows > most {
        let message = format!("{rows} rows: allowed is at most {most}, what the free memory holds");
        return Err(RecordError::data(place, message));
    }
    Ok(())
}

/// Bytes the system can hand out without swapping; `None` where it does not say.
pub fn available_bytes() -> Option<u128> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u128 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}
