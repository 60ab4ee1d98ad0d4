//! One place where a schema is not within another, and why.

/// Why a schema is not within another (contract.md §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Reason {
    /// Extra members are allowed here and not, or less freely, there.
    AdditionalPropertiesWidens,
    /// A member is declared here and forbidden there.
    ExtraProperty,
    /// Items are not described here, and are there.
    ItemsMismatch,
    /// A member may be left out here and not there.
    MissingRequired,
    /// A type or value is allowed here and not there.
    TypeMismatch,
    /// It cannot be told, or not in the time there is.
    Unsupported,
}

impl Reason {
    /// As contract.md §5 spells it.
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
    /// Where, as in `properties.id`; empty at the top.
    pub(in super::super) path: String,
    /// Why.
    pub(in super::super) reason: Reason,
    /// Why, in words.
    pub(in super::super) message: String,
}

impl Misfit {
    /// The first of `misfits` and how many more there are, in one line.
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
