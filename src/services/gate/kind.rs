//! What MCP servers list: four kinds, with their methods and the members that name them.

use serde_json::{Map, Value};

use crate::domain::gate::Use;

/// What MCP servers list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Prompts.
    Prompts,
    /// Resources.
    Resources,
    /// Patterns of addresses of resources.
    Templates,
    /// Tools.
    Tools,
}

impl Kind {
    /// Every kind, in the order of the enum.
    pub(super) const ALL: [Self; 4] =
        [Self::Prompts, Self::Resources, Self::Templates, Self::Tools];

    /// The kind that a method lists.
    pub(super) fn of_method(method: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.method() == method)
    }

    /// The method that lists it.
    pub(super) fn method(self) -> &'static str {
        match self {
            Self::Prompts => "prompts/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
            Self::Tools => "tools/list",
        }
    }

    /// The member of the result that holds the list.
    pub(super) fn member(self) -> &'static str {
        match self {
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
            Self::Tools => "tools",
        }
    }

    /// The member of an entry that names it.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Prompts | Self::Tools => "name",
            Self::Resources => "uri",
            Self::Templates => "uriTemplate",
        }
    }

    /// The method with which an entry is used.
    pub(super) fn user(self) -> &'static str {
        match self {
            Self::Prompts => "prompts/get",
            Self::Resources | Self::Templates => "resources/read",
            Self::Tools => "tools/call",
        }
    }

    /// What somebody would do with an entry whose name alone is known.
    pub(super) fn usage(self) -> Use<'static> {
        match self {
            Self::Tools => Use::See,
            other => Use::Read(other.user()),
        }
    }

    /// What is said to a person who has to agree, where the rule says nothing.
    pub(super) fn wish(self, method: &str) -> Option<&'static str> {
        match self {
            Self::Prompts => Some("An agent wants to get a prompt."),
            Self::Resources | Self::Templates if method == self.user() => {
                Some("An agent wants to read a resource.")
            }
            Self::Resources | Self::Templates => {
                Some("An agent wants to be told whenever a resource changes.")
            }
            // As cards say it.
            Self::Tools => None,
        }
    }

    /// Whether names of this kind take the prefix of their source; addresses stay as they are.
    pub(super) fn has_prefix(self) -> bool {
        matches!(self, Self::Prompts | Self::Tools)
    }

    /// The name of an entry.
    pub(super) fn name(self, entry: &Map<String, Value>) -> Option<&str> {
        entry.get(self.key())?.as_str()
    }
}
