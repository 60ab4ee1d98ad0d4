//! A failure with its code, its words, and what is said beside them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::wire::fault::{Code, Endpoint, Era, Retry, Surface};

/// How long one waits for another to leave what as many use as may.
pub(crate) const FULL_WAIT: Duration = Duration::from_secs(10);
/// How long a caller waits before it asks again what became of its first attempt.
pub(crate) const ATTEMPT_WAIT: Duration = Duration::from_secs(1);

/// A failure with its code. Its private source is logged once, where it is projected; it has no
/// `Display` that could show it.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) details: Option<Box<Value>>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) source: Option<String>,
}

impl Fault {
    /// A fault whose message is that of its row.
    pub(crate) fn of(code: Code) -> Self {
        Self::saying(code, code.row().text)
    }

    /// A fault with a message of its own.
    pub(crate) fn saying(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: None,
            retry_after: None,
            source: None,
        }
    }

    /// The fault with details.
    pub(crate) fn with(mut self, details: Value) -> Self {
        self.details = Some(Box::new(details));
        self
    }

    /// The fault with a time to wait.
    pub(crate) fn after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// As many streams of `subscriptions/listen` as an app may have are open.
    pub(crate) fn many_listen(max: usize) -> Self {
        let message = format!(
            "{max} streams of subscriptions/listen are open for this app, which is as many as may \
             be: end one, or wait."
        );
        Self::saying(Code::RateLimited, message).after(FULL_WAIT)
    }

    /// The failure as frames of the live channel show it, and results that fail in band.
    pub(crate) fn in_frame(self) -> Self {
        let code = self.code.row().looks.frame.unwrap_or(self.code);
        Self { code, ..self }
    }

    /// The failure as a tool shows it.
    pub(crate) fn in_tool(self) -> Self {
        let code = self.code.row().looks.tool.unwrap_or(self.code);
        Self { code, ..self }
    }

    /// The failure as a resource shows it.
    pub(crate) fn of_resource(self) -> Self {
        match self.code.row().looks.resource {
            Some(code) => Self {
                message: code.row().text.to_owned(),
                code,
                ..self
            },
            None => self,
        }
    }

    /// The failure as the REST interface shows it: without the words of the tools.
    pub(crate) fn at_rest(self) -> Self {
        match self.code.row().looks.rest {
            Some((code, said)) => Self::saying(code, said),
            None => self,
        }
    }

    /// The failure as the plain HTTP addresses of the live channel show it.
    pub(crate) fn over_http(self) -> Self {
        let said = self.code.row().looks.http;
        Self {
            message: said.map_or(self.message, str::to_owned),
            ..self
        }
    }

    pub(crate) fn code(&self) -> Code {
        self.code
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// A failure of safe retries: the REST envelope knows only statuses, so the word is a reason.
    pub(crate) fn for_reason(code: Code, message: Option<String>) -> Self {
        let row = code.row();
        let message = message.unwrap_or_else(|| row.text.to_owned());
        let mut details = json!({ "reason": row.word });
        if row.retry == Retry::AfterDelay {
            details["retry_after_ms"] = u64::try_from(ATTEMPT_WAIT.as_millis())
                .unwrap_or(u64::MAX)
                .into();
        }
        Self::saying(code, message).with(details)
    }

    /// Fields of a request that do not fit, each as `{type, loc, msg}`.
    pub(crate) fn of_fields(problems: Vec<Value>) -> Self {
        let lines: Vec<_> = problems
            .iter()
            .filter_map(|problem| problem["msg"].as_str())
            .collect();
        let message = lines.join("; ");
        Self::saying(Code::InvalidFields, message).with(json!({ "errors": problems }))
    }

    /// A limit on single operations.
    pub(crate) fn too_fast(code: Code, wait: Duration) -> Self {
        let message = format!(
            "Rate limit exceeded — retry after {}ms.",
            wait.as_millis().max(1)
        );
        Self::saying(code, message).after(wait)
    }

    /// Whether a failed call is a result of its tool; everything else is a JSON-RPC error.
    pub(crate) fn is_tool_result(
        &self,
        era: Era,
        unfit_is_result: bool,
        endpoint: Endpoint,
    ) -> bool {
        let row = self.code.row();
        let is_domain = matches!(row.surface, Surface::Brain | Surface::Ggui | Surface::Rest)
            && row.legacy.is_none();
        let is_unfit = matches!(self.code, Code::InvalidArguments | Code::BrainInvalidParams);
        let is_foreign = self.code.at(endpoint).number(era, endpoint).is_none();
        is_domain
            || is_foreign
            || self.code == Code::SessionNotFound
            || (is_unfit && (era == Era::Modern || unfit_is_result))
    }
}
