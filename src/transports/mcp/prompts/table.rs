//! The prompts there are.

use super::arguments::{Argument, Given, Values};
use super::drafts::{Draft, approve, choose, dashboard, form, review};

/// One prompt.
pub(super) struct Prompt {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// Written for the person who chooses it.
    pub(super) description: &'static str,
    pub(super) arguments: &'static [Argument],
    pub(super) draft: fn(&Given) -> Draft,
}

/// Every prompt, in the order in which clients list them.
pub(super) const TABLE: &[Prompt] = &[
    Prompt {
        name: "form",
        title: "Ask with a form",
        description: "Have the agent ask for several values at once, in a form that checks them.",
        arguments: &[
            Argument {
                name: "purpose",
                title: "Purpose",
                description: "What the form is for.",
                required: true,
                values: Values::Free,
            },
            Argument {
                name: "fields",
                title: "Fields",
                description: "Names with commas between them, each with a type if it is no text: \
                    name, age:integer, born:date.",
                required: false,
                values: Values::Fields,
            },
        ],
        draft: form,
    },
    Prompt {
        name: "choose",
        title: "Choose from options",
        description: "Have the agent lay out options to compare and pick from.",
        arguments: &[
            Argument {
                name: "question",
                title: "Question",
                description: "What is to be decided.",
                required: true,
                values: Values::Free,
            },
            Argument {
                name: "options",
                title: "Options",
                description: "The options, with commas between them; without any, the agent finds \
                    some.",
                required: false,
                values: Values::List,
            },
            Argument {
                name: "pick",
                title: "How many",
                description: "Whether one option is picked or several.",
                required: false,
                values: Values::OneOf(&["one", "several"]),
            },
        ],
        draft: choose,
    },
    Prompt {
        name: "review",
        title: "Review a list",
        description: "Have the agent lay out findings, changes or records, to be judged one by one.",
        arguments: &[
            Argument {
                name: "subject",
                title: "Subject",
                description: "What is reviewed.",
                required: true,
                values: Values::Free,
            },
            Argument {
                name: "columns",
                title: "Columns",
                description: "What each entry shows beside its title, with commas between.",
                required: false,
                values: Values::List,
            },
            Argument {
                name: "verdict",
                title: "Verdict",
                description: "How each entry is judged.",
                required: false,
                values: Values::OneOf(&["accept-reject", "mark", "comment"]),
            },
        ],
        draft: review,
    },
    Prompt {
        name: "dashboard",
        title: "Watch a dashboard",
        description: "Have the agent show figures that change while they are looked at.",
        arguments: &[
            Argument {
                name: "subject",
                title: "Subject",
                description: "What is watched.",
                required: true,
                values: Values::Free,
            },
            Argument {
                name: "metrics",
                title: "Metrics",
                description: "The figures, with commas between them.",
                required: false,
                values: Values::List,
            },
            Argument {
                name: "updates",
                title: "Updates",
                description: "Whether figures flow by themselves or are asked for.",
                required: false,
                values: Values::OneOf(&["live", "on-request"]),
            },
        ],
        draft: dashboard,
    },
    Prompt {
        name: "approve",
        title: "Approve an action",
        description: "Have the agent wait for a yes or a no before it does something.",
        arguments: &[
            Argument {
                name: "action",
                title: "Action",
                description: "What the agent is about to do.",
                required: true,
                values: Values::Free,
            },
            Argument {
                name: "risk",
                title: "Risk",
                description: "How bad a wrong yes would be; anything but low is asked twice.",
                required: false,
                values: Values::OneOf(&["low", "medium", "high"]),
            },
        ],
        draft: approve,
    },
];
