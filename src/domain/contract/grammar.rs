//! The grammar of a contract as tables: which members it has, and what each may hold.

/// What one member of a contract may hold.
pub(super) enum Rule {
    /// Any JSON value.
    Any,
    Flag,
    /// A map from package names to maps from export names to entries.
    Gadgets,
    /// A map with names chosen by the author to entries.
    Map(&'static Rule),
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// An object with these members.
    Object(&'static [Member], Extra),
    /// A map with names chosen by the author to any values.
    Open,
    /// A JSON Schema.
    Schema,
    Text,
    /// A string of at least one character.
    Word,
    /// A whole number of at least 0.
    Whole,
}

/// Whether members that the rule does not list are refused.
#[derive(PartialEq)]
pub(super) enum Extra {
    /// They are.
    Refused,
    /// They are not.
    Tolerated,
}

/// One listed member: its name, its rule, whether it is required.
pub(super) type Member = (&'static str, Rule, bool);

const MUST: bool = true;
const MAY: bool = false;

/// The contract.
pub(super) const CONTRACT: Rule = Rule::Object(
    &[
        ("propsSpec", PROPS, MAY),
        ("actionSpec", Rule::Map(&ACTION), MAY),
        ("streamSpec", Rule::Map(&STREAM), MAY),
        ("contextSpec", Rule::Map(&CONTEXT), MAY),
        ("agentCapabilities", AGENT, MAY),
        ("clientCapabilities", CLIENT, MAY),
    ],
    Extra::Tolerated,
);
const PROPS: Rule = Rule::Object(
    &[
        ("description", Rule::Text, MAY),
        ("properties", Rule::Map(&PROP), MUST),
    ],
    Extra::Refused,
);
const PROP: Rule = Rule::Object(
    &[
        ("schema", Rule::Schema, MUST),
        ("required", Rule::Flag, MAY),
        ("description", Rule::Text, MAY),
        ("default", Rule::Any, MAY),
        ("example", Rule::Any, MAY),
        ("sourceTool", Rule::Text, MAY),
    ],
    Extra::Refused,
);
const ACTION: Rule = Rule::Object(
    &[
        ("label", Rule::Text, MUST),
        ("schema", Rule::Schema, MAY),
        ("description", Rule::Text, MAY),
        ("example", Rule::Any, MAY),
        ("icon", Rule::Text, MAY),
        ("confirm", Rule::Flag, MAY),
        ("nextStep", Rule::Word, MAY),
    ],
    Extra::Refused,
);
const STREAM: Rule = Rule::Object(
    &[
        ("schema", Rule::Schema, MUST),
        ("description", Rule::Text, MAY),
        ("example", Rule::Any, MAY),
        ("mode", Rule::OneOf(&["append", "replace"]), MAY),
        ("replay", Rule::OneOf(&["latest", "all", "none"]), MAY),
        ("complete", Rule::Flag, MAY),
        ("source", SOURCE, MAY),
    ],
    Extra::Refused,
);
const SOURCE: Rule = Rule::Object(
    &[("tool", Rule::Text, MUST), ("args", Rule::Open, MAY)],
    Extra::Refused,
);
const CONTEXT: Rule = Rule::Object(
    &[
        ("schema", Rule::Schema, MUST),
        ("description", Rule::Text, MAY),
        ("default", Rule::Any, MAY),
        ("debounceMs", Rule::Whole, MAY),
        ("example", Rule::Any, MAY),
    ],
    Extra::Refused,
);
const AGENT: Rule = Rule::Object(&[("tools", Rule::Map(&TOOL), MUST)], Extra::Tolerated);
const TOOL: Rule = Rule::Object(
    &[
        ("toolInfo", TOOL_INFO, MUST),
        ("serverInfo", SERVER_INFO, MAY),
        ("usage", Rule::Text, MAY),
        ("example", EXAMPLE, MAY),
    ],
    Extra::Refused,
);
const TOOL_INFO: Rule = Rule::Object(
    &[
        ("inputSchema", Rule::Schema, MUST),
        ("description", Rule::Text, MAY),
        ("outputSchema", Rule::Schema, MAY),
    ],
    Extra::Refused,
);
const SERVER_INFO: Rule = Rule::Object(
    &[("name", Rule::Text, MUST), ("version", Rule::Text, MAY)],
    Extra::Refused,
);
const EXAMPLE: Rule = Rule::Object(
    &[("input", Rule::Any, MUST), ("output", Rule::Any, MUST)],
    Extra::Refused,
);
const CLIENT: Rule = Rule::Object(&[("gadgets", Rule::Gadgets, MUST)], Extra::Refused);
/// One export of a browser-side package.
pub(super) const GADGET: Rule = Rule::Object(
    &[("description", Rule::Text, MAY), ("usage", Rule::Text, MAY)],
    Extra::Refused,
);

/// Top-level members of earlier drafts of the protocol, and what replaced them.
pub(super) const RETIRED: &[(&str, &str)] = &[
    ("libraries", "clientCapabilities.gadgets"),
    (
        "dispatch",
        "agentCapabilities.tools with actionSpec.<action>.nextStep",
    ),
    ("wiredTools", "agentCapabilities.tools"),
    ("clientTools", "clientCapabilities.gadgets"),
    ("broadcast", "streamSpec.<channel>.source"),
    ("capabilities", "agentCapabilities and clientCapabilities"),
];

impl Rule {
    /// The JSON type the rule expects, for messages about absent members.
    pub(super) fn expected(&self) -> &'static str {
        match self {
            Rule::Any => "any value",
            Rule::Flag => "boolean",
            Rule::OneOf(_) | Rule::Text | Rule::Word => "string",
            Rule::Whole => "number",
            Rule::Gadgets | Rule::Map(_) | Rule::Object(..) | Rule::Open | Rule::Schema => "object",
        }
    }
}
