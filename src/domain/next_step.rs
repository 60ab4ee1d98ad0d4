//! The call an agent makes next, ready to be pasted.

use serde_json::json;

use crate::wire::tools::{CONSUME_TIMEOUT_S_MAX, ConsumeArgs, ConsumeStep};

/// The tool that waits for what a person does.
const CONSUME: &str = "ggui_consume";

/// The call that waits for what comes after an event.
pub(crate) fn consume_step(session_id: &str, after: &str, why: &str) -> ConsumeStep {
    ConsumeStep {
        tool: CONSUME.to_owned(),
        description: why.to_owned(),
        // Ids are anyone's texts: written as JSON, so that the call works when it is pasted.
        example: format!(
            "{CONSUME}({{ sessionId: {}, timeout: {CONSUME_TIMEOUT_S_MAX}, after: {} }})",
            json!(session_id),
            json!(after)
        ),
        args: ConsumeArgs {
            session_id: session_id.to_owned(),
            timeout: CONSUME_TIMEOUT_S_MAX,
            after: after.to_owned(),
        },
    }
}
