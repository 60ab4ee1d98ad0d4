//! The readers of what strangers send, for fuzzing (feature `probe`).

use super::mcp::{self, Line};
use crate::transports::live::{read_frame, read_payload};
use crate::wire::frames::{ActionEnvelope, ChannelSubscribe, HostContextObserved, Subscribe};

/// Reads a frame of the live channel, and its payload as each of the payloads there are.
///
/// Returns how many of them it could be.
pub(crate) fn frame(text: &str) -> usize {
    let Ok(frame) = read_frame(text) else {
        return 0;
    };
    [
        read_payload::<Subscribe>(frame.payload).is_ok(),
        read_payload::<ActionEnvelope>(frame.payload).is_ok(),
        read_payload::<ChannelSubscribe>(frame.payload).is_ok(),
        read_payload::<HostContextObserved>(frame.payload).is_ok(),
    ]
    .into_iter()
    .filter(|is_ok| *is_ok)
    .count()
}

/// Reads a JSON-RPC message or batch; the answer, where it is refused as it stands.
pub(crate) fn envelope(bytes: &[u8]) -> Option<String> {
    match mcp::read(bytes).line {
        Line::Refused(answer) => Some(answer),
        _ => None,
    }
}
