//! The W3C trace context, which links a request to the one that caused it.

use std::fmt;

/// The only version of the format; later ones begin with the same fields.
const VERSION: &str = "00";
/// The version number that is never valid.
const VERSION_INVALID: &str = "ff";

/// `traceparent`: the trace of a request, and the span that sent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceParent {
    /// The trace.
    pub trace: u128,
    /// The span.
    pub span: u64,
    /// Bit 0: whether the trace is recorded.
    pub flags: u8,
}

impl TraceParent {
    /// Parses a `traceparent`; the standard asks to ignore malformed ones.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('-');
        let (version, trace, span, flags) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let is_lower_hex = |part: &str, digits: usize| {
            part.len() == digits
                && part
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        let is_sound = is_lower_hex(version, 2)
            && version != VERSION_INVALID
            && (version != VERSION || parts.next().is_none())
            && is_lower_hex(trace, 32)
            && is_lower_hex(span, 16)
            && is_lower_hex(flags, 2);
        if !is_sound {
            return None;
        }
        let parsed = Self {
            trace: u128::from_str_radix(trace, 16).ok()?,
            span: u64::from_str_radix(span, 16).ok()?,
            flags: u8::from_str_radix(flags, 16).ok()?,
        };
        (parsed.trace != 0 && parsed.span != 0).then_some(parsed)
    }

    /// The trace id, as logs show it.
    pub fn trace_id(&self) -> String {
        format!("{:032x}", self.trace)
    }
}

impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trace, span, flags } = self;
        write!(f, "{VERSION}-{trace:032x}-{span:016x}-{flags:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALID: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_valid_traceparent_is_read_and_written_unchanged() {
        let parsed = TraceParent::parse(VALID).unwrap();
        assert_eq!(parsed.to_string(), VALID);
        assert_eq!(parsed.trace_id(), "4bf92f3577b34da6a3ce929d0e0e4736");
        let later = format!("01{}-more", &VALID[2..]);
        assert_eq!(TraceParent::parse(&later), Some(parsed));
    }

    #[test]
    fn a_malformed_traceparent_is_ignored() {
        for text in [
            "",
            "00",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b7-01",
        ] {
            assert_eq!(TraceParent::parse(text), None, "{text}");
        }
    }
}
