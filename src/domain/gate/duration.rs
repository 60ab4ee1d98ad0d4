//! Durations as people write them.

use std::time::Duration;

use jiff::SignedDuration;

/// Reads `5m`, `1h 30m` or `PT30S`.
pub(super) fn duration(text: &str, max: Duration) -> Result<Duration, String> {
    let read = text.parse::<SignedDuration>().ok();
    let read = read.and_then(|read| Duration::try_from(read).ok());
    let Some(read) = read else {
        return Err(format!(
            "\"{text}\" is no duration, such as 30s, 5m or PT30S"
        ));
    };
    if read.is_zero() || read > max {
        let max = max.as_secs();
        return Err(format!("\"{text}\" is not above 0s and at most {max}s"));
    }
    Ok(read)
}
