//! Which layer may name which, and the exceptions.

pub(crate) struct Layer {
    pub(crate) name: &'static str,
    /// The layers whose files it may name, besides its own.
    pub(crate) may_name: &'static [&'static str],
    /// Crates it may not name; a family such as `tower_http` goes with its head.
    pub(crate) may_not_name: &'static [&'static str],
}

const PROTOCOLS: &[&str] = &[
    "axum",
    "http",
    "http_body",
    "http_body_util",
    "hyper",
    "hyper_util",
    "tower",
    "tower_http",
];

const RUNTIMES_AND_PROTOCOLS: &[&str] = &[
    "axum",
    "dashmap",
    "governor",
    "http",
    "http_body",
    "http_body_util",
    "hyper",
    "hyper_util",
    "redis",
    "reqwest",
    "rusqlite",
    "tokio",
    "tokio_tungstenite",
    "tokio_util",
    "tower",
    "tower_http",
];

const PROTOCOLS_AND_STORES: &[&str] = &[
    "axum",
    "http",
    "http_body",
    "http_body_util",
    "hyper",
    "hyper_util",
    "redis",
    "rusqlite",
    "tower",
    "tower_http",
];

const STORES: &[&str] = &["redis", "rusqlite"];

/// What transports may name of the services: where operations enter, and the reader of live
/// sessions.
pub(crate) const ENTRANCES: &[&str] = &["mod", "dispatch", "live"];

/// The ports of stores.
pub(crate) const STORE_PORTS: &[&str] = &[
    "ActivityStore",
    "Audit",
    "BlueprintStore",
    "PageStore",
    "PinStore",
    "PresenceStore",
    "ReplayedAnswers",
    "SessionStore",
];

/// What gives the errors of all services their codes, and what prepares sessions for the conformance
/// suites, which no release has.
pub(crate) const EXEMPT: &[&str] = &[
    "transports/faults/brain_failures.rs",
    "transports/faults/failures.rs",
    "transports/faults/fields.rs",
    "transports/faults/gate.rs",
    "transports/conformance/",
];

/// A new arrow in this table needs a reason in the commit that draws it.
pub(crate) const LAYERS: &[Layer] = &[
    Layer {
        name: "wire",
        may_name: &[],
        may_not_name: RUNTIMES_AND_PROTOCOLS,
    },
    Layer {
        name: "domain",
        may_name: &["wire"],
        may_not_name: RUNTIMES_AND_PROTOCOLS,
    },
    Layer {
        name: "adapters",
        may_name: &["wire", "domain"],
        may_not_name: PROTOCOLS,
    },
    Layer {
        name: "services",
        may_name: &["wire", "domain"],
        may_not_name: PROTOCOLS_AND_STORES,
    },
    Layer {
        name: "transports",
        may_name: &["wire", "domain", "services"],
        may_not_name: STORES,
    },
    Layer {
        name: "config",
        may_name: &["wire", "domain", "adapters", "services", "transports"],
        may_not_name: STORES,
    },
    Layer {
        name: "app",
        may_name: &[
            "wire",
            "domain",
            "adapters",
            "services",
            "transports",
            "config",
        ],
        may_not_name: STORES,
    },
    // The verbs run the server and all that is beside it, and keep the keys file.
    Layer {
        name: "cli",
        may_name: &[
            "domain",
            "adapters",
            "transports",
            "config",
            "app",
            "demo",
            "gallery",
        ],
        may_not_name: PROTOCOLS_AND_STORES,
    },
    Layer {
        name: "gallery",
        may_name: &["app", "config"],
        may_not_name: STORES,
    },
    // Benches and fuzzing try what judges and what reads; nobody names them.
    Layer {
        name: "probe",
        may_name: &["wire", "domain", "transports"],
        may_not_name: RUNTIMES_AND_PROTOCOLS,
    },
    Layer {
        name: "demo",
        may_name: &["app", "examples"],
        may_not_name: PROTOCOLS_AND_STORES,
    },
    // An example knows an agent's tools and the other files of its own; nothing of the server.
    Layer {
        name: "examples",
        may_name: &["demo"],
        may_not_name: PROTOCOLS_AND_STORES,
    },
];

/// The one service that knows the others.
pub(crate) const DISPATCH: &str = "dispatch";

/// The one service that the others know: the sessions they all work on.
pub(crate) const BOOK: &str = "book";
