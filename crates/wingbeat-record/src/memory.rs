//! How many rows the machine can hold, asked before lists grow.

use crate::RecordError;

/// Bytes a row takes at the worst moment: the growing list and its copy, the sort's buffer, and the order by id.
const BYTES_PER_ROW: u128 = 3 * size_of::<crate::Row>() as u128 + 16;

/// Refuses more rows than memory holds; where the system does not say how much there is, nothing is refused.
pub(crate) fn room_for(rows: u128, place: &str) -> Result<(), RecordError> {
    let Some(available) = available_bytes() else { return Ok(()) };
    let most = available / BYTES_PER_ROW;
    if rows > most {
        let message = format!("{rows} rows: allowed is at most {most}, what the free memory holds");
        return Err(RecordError::data(place, message));
    }
    Ok(())
}

fn available_bytes() -> Option<u128> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u128 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}
