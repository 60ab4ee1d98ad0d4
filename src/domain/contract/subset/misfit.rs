//! One reason why a schema is not within another.

/// Why a schema is not within another (contract.md §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Reason {
    /// The subset allows extra members that the superset does not allow, or not as freely.
    AdditionalPropertiesWidens,
    /// The subset declares a member that the superset forbids.
    ExtraProperty,
    /// The superset describes items and the subset does not.
    ItemsMismatch,
    /// The subset makes a member optional that the superset requires.
    MissingRequired,
    /// The subset allows a type or value that the superset does not.
    TypeMismatch,
    /// The comparison is not supported, or it exceeds the budget.
    Unsupported,
}

impl Reason {
    /// The spelling of contract.md §5.
    pub(in super::super) fn as_str(self) -> &'static str {
        match self {
            Self::AdditionalPropertiesWidens => "additional-properties-widens",
            Self::ExtraProperty => "extra-property",
            Self::ItemsMismatch => "items-mismatch",
            Self::MissingRequired => "missing-required",
            Self::TypeMismatch => "type-mismatch",
            Self::Unsupported => "unsupported",
        }
    }
}

/// One place where a schema is not within another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misfit {
    /// The path in the schema, as in `properties.id`; empty at the top.
    pub(in super::super) path: String,
    pub(in super::super) reason: Reason,
    /// A sentence for a developer.
    pub(in super::super) message: String,
}

impl Misfit {
    /// The first of `misfits` and the number of the others, in one line.
    pub(crate) fn describe(misfits: &[Self]) -> String {
        let Some(first) = misfits.first() else {
            return String::new();
        };
        let at = if first.path.is_empty() {
            "<root>"
        } else {
            &first.path
        };
        let more = match misfits.len() - 1 {
            0 => String::new(),
            1 => " (1 more violation)".to_owned(),
            more => format!(" ({more} more violations)"),
        };
        format!("{at}: {}: {}{more}", first.reason.as_str(), first.message)
    }
}

pub(super) fn misfit(path: &str, reason: Reason, message: impl Into<String>) -> Misfit {
    Misfit {
        path: path.to_owned(),
        reason,
        message: message.into(),
    }
}

pub(super) fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}
