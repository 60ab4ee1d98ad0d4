//! Failures of views that a model was to draw.

use super::fault::Fault;
use crate::domain::generation::{Reason, Trouble};
use crate::wire::fault::Code;

impl Fault {
    /// Why a model has drawn no view, for a caller that asked for no other.
    pub(super) fn of_undrawn(tool: &str, reason: &Reason) -> Self {
        let code = match reason {
            Reason::Trouble(Trouble::OverBudget) => Code::GenerationQuota,
            Reason::TooLarge { .. } | Reason::Trouble(_) | Reason::Unfit(_) => {
                Code::ProductionFailed
            }
        };
        Self::without_view(tool, code, &reason.to_string())
    }

    /// No model draws views here, for a caller that asked for nothing else.
    pub(super) fn of_no_model(tool: &str) -> Self {
        Self::without_view(tool, Code::ProductionFailed, "this server has no model")
    }

    fn without_view(tool: &str, code: Code, why: &str) -> Self {
        let message = format!(
            "{tool}: {}: {why}. Nothing was rendered, and the handshake is still open: render it \
             again later, or negotiate without generator \"required\" for a composed UI.",
            code.row().word
        );
        Self::saying(code, message)
    }
}
