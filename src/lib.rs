//! proscenium: the server that lets AI agents put living, safe interfaces in front of people.
//!
//! An agent (any MCP client) *negotiates* a data contract, *renders* it, and a person sees a
//! working UI in a sandboxed frame. Clicks travel over a live channel, are judged against the
//! contract, and the agent *consumes* them; it *amends*, *updates* and *emits* back.
//!
//! # Layers
//!
//! ```none
//! wire  ←  domain  ←  adapters, services  ←  transports  ←  app, config  ←  demo, gallery  ←  cli, main
//!                                            transports  ←  probe
//! ```
//!
//! A file may import files of its own layer and of any layer to its left; siblings in `adapters`
//! and `services` do not import each other; only `services/dispatch` imports the services, and all of
//! them may import `services/book`. Transports import dispatch and `services/live`, the reader of
//! live sessions, and no other.
//! `wire` imports nothing; `domain` uses the types of the wire; adapters implement the domain's
//! ports with a product; services use ports; transports use protocols and services; `app` composes
//! everything, and nothing imports it. `tests/tidy` checks all of it.
//!
//! Two decisions shape the rest. *A session is a log*: its state is the fold of its events, frames
//! are projections of them, replay reads from a position, and broadcast means that every reader
//! reads on. And *an operation is a value*: tool calls, frames, REST calls, resources and mounts
//! enter one path, [`services/dispatch`](self#the-map), where an operation passes reach, replay,
//! limit, policy, decode, handler and record, as its row in `domain/operation/table.rs` says. A new
//! tool is its row, its types and a function of its service.
//!
//! # The map
//!
//! Every folder, and every file beside this one; what each file owns is its first line.
//!
//! ```text
//! lib.rs                            the map
//! main.rs                           the program: the command line over the library
//! cli/                              the command line: arguments, one file a verb, and how it ends
//! cli/brain/                        `proscenium brain`: pages by the tools that agents have, and as files
//! app/                              the server: put together, kept up, ended in order
//! app/store_failures/               the server above stores that fail: what it promises of them, tested over sockets
//! config/                           what can be set, and how it is read
//!
//! demo/                             the demo: five agents in this process (feature `demo`)
//! ../examples/shared/               each tool as a function, over the official client
//! ../examples/system_monitor/       this machine, live
//! ../examples/dependency_review/    packages to mark, and a review that is written
//! ../examples/build_runner/         a command, its log and progress, cancel and run again
//!
//! wire/                             the types of everything on the wire; no behaviour
//! wire/brain/                       parameters and results of the tools of the page store
//! wire/fault/                       the closed list of fault codes and everything known about each
//! wire/frames/                      frames of the live channel, both directions
//! wire/tools/                       parameters and results of the tools an agent calls
//!
//! domain/                           the rules: no tokio, no I/O, no clock, no randomness
//! domain/limits/                    every limit, with its reason
//! domain/brain/                     pages: addresses, text, statements, vectors, and the port that keeps them
//! domain/contract/                  the compiled contract: the gate before it, and the validation of every value
//! domain/contract/compare/          kinds, order and equality of JSON values, for comparing schemas
//! domain/contract/example/          the call an agent makes after a handshake, with props that fit the contract
//! domain/contract/gate/             the gate: decides whether a draft is a valid contract, and reports every problem
//! domain/contract/lint/             the schema phase of the gate: which parts of JSON Schema a contract may use
//! domain/contract/subset/           decides whether everything that one schema accepts is also accepted by another one
//! domain/compose/                   the composer: a picture for every contract, in three steps: what is there, what to show, how
//! domain/compose/choice/            what somebody decides of a page instead of the rules, checked, and drawn like any plan
//! domain/compose/completeness/      holds the composer to its promise: nothing of a contract is missing on its page
//! domain/compose/labels/            what a designer would make of labelled contracts: judges plans, and fits what they are weighed by
//! domain/compose/reading/           the first step: what is there: things, their relations, and the evidence, as plain data
//! domain/compose/reading/fields/    reads schemas the way a designer would: what is this value, and how is it best shown?
//! domain/compose/plan/              the second step: what a page shows, decided from a reading
//! domain/compose/plan/action/       the one action of a page that stands out, or none
//! domain/compose/plan/headline/     the subject of a page in a few words: never the agent's instruction
//! domain/compose/plan/likely/       what main data are most likely shown as, by the words of the contract
//! domain/compose/plan/main_data/    the data a page is about, and what explains them
//! domain/compose/plan/shapes/       tells what a list of records is best shown as, by its fields, its gestures and what was asked for
//! domain/compose/draw/              the third step: a plan becomes a view, without any decision
//! domain/gate/                      the gate: MCP servers behind it, and which of their names may be used
//! domain/generation/                views that a model draws: what it is asked, what its answers come to, what they may cost
//! domain/operation/                 operations as data: who asks for what, and the table of all there are
//! domain/view/                      the view: what is drawn, and the check that keeps it within catalog and contract
//!
//! adapters/                         what the ports are made of
//! adapters/battery/                 what every store must do: tests for each port, and a store that fails on purpose
//! adapters/cedar/                   the policies of the gate, in the language Cedar (feature `gate`)
//! adapters/gate_audit/              the audit of approvals: JSON lines in files that follow one another (feature `gate`)
//! adapters/keys_file/               API keys by the hash of their secrets, and who holds them
//! adapters/memory/                  everything that is kept, in this process
//! adapters/model/                   models over the interfaces of their providers (feature `model`)
//! adapters/redis/                   everything that is kept, in Redis or Valkey, for any number of nodes (feature `redis`)
//! adapters/sqlite/                  everything that is kept, in one database of a folder
//! adapters/sqlite_pages/            pages in SQLite: one file, or this process's memory
//! adapters/static_table/            vectors from a table of word pieces, as model2vec writes them
//! adapters/upstream/                MCP servers behind the gate, over the official client
//!
//! services/                         the use cases
//! services/actions/                 what people do, and how agents take it
//! services/book/                    the sessions in memory: what is decided, folded, encoded and waited for, above any store
//! services/auth/                    credentials, and the tokens of the live channel
//! services/brain/                   the page store: read, found, linked and written
//! services/content/                 what agents put in front of people
//! services/discovery/               looking around: what there is to show, and what is shown
//! services/dispatch/                the one path of every operation; alone names the services
//! services/gate/                    the gate: MCP servers behind one endpoint, through one filter
//! services/gate/approvals/          calls that a person has to agree to, and the sessions in which people are asked
//! services/live/                    following a session: snapshot, replay, growth
//! services/sessions/                handshakes, and the reading of sessions
//!
//! transports/                       the doors: parse, dispatch, project
//! transports/conformance/           what only the conformance suites need (feature `conformance`), and its empty stand-in
//! transports/faults/                failures: which code an error has, and how each kind of answer shows it
//! transports/http/                  the HTTP edge: listener, guards, router and layers
//! transports/live/                  the live channel, bounded on every side, and its fallbacks over plain HTTP
//! transports/manual/                the manual: what can go wrong, and how often one may ask
//! transports/mcp/                   the MCP edge, both eras on one address
//! transports/mcp/exchange/          requests whose caller is told things before the answer, and asked
//! transports/mcp/prompts/           prompts, with a contract to begin with, and completion
//! transports/pages/                 the pages people see, and the scripts they load
//! transports/request/               what a request says of itself: caller, credentials, correlation
//! transports/rest/                  `/api/v1`: sessions, blueprints, memories and faults as resources
//! transports/stdio/                 JSON-RPC in lines, answered here or by a server that runs already
//! transports/tools/                 the tools: their table, their calls, their answers
//!
//! probe.rs                          the door of benches and fuzzing to the engine and the readers behind it (feature `probe`)
//! gallery/                          contracts with data, shown by a server and drawn by a browser (feature `gallery`)
//! ```
//!
//! # Journeys
//!
//! - **Handshake, then render.** `http` (id, host, origin) → `request` (who calls) → `mcp/endpoint`
//!   (envelope, era) → `tools` (the row) → `dispatch` (answered before? too often?) →
//!   `sessions::handshake`: `book` compiles the contract and keeps the handshake. Then
//!   `content::render`: props against the contract, the view from `compose`, and one `Book::create`
//!   that claims the handshake in the store and begins the session's log.
//! - **A click, to the agent.** `live` (frame) or `tools` (relay) → `dispatch` → `actions::submit`:
//!   judged, accepted once, and appended by `Book::decide`. `actions::consume` waits on the book,
//!   drains, and its drain is the event that tells the browser.
//! - **The agent, to the picture.** `content::update` or `content::emit` → one append. Every
//!   `live::Reader` wakes, reads from its own cursor and sends the bytes that were encoded once.
//! - **A model draws.** `content::render` shows the composed view and leaves the rest to
//!   `content::generation`: `domain/generation` asks the model for a choice, mends it with the model
//!   until `compose/choice` draws a view that holds, and `Event::Redrawn` shows it to whoever watches.
//! - **A call through the gate.** `/mcp/gate`, or `/mcp` where no tool of ours has the name →
//!   `mcp/gate` → `dispatch` → `services/gate`: the rules
//!   of `domain/gate` judge the name, the lists of the sources say whose it is, and the source is asked
//!   through its port. What it asks meanwhile goes back by `mcp/exchange`. Lists, reads and completion
//!   pass the same filter. Where a person has to agree, `gate/approvals` begins a session that the
//!   server owns and people alone see; its log says how the approval stands. Rules about our own tools
//!   are asked by the policy of `dispatch`, and `sessions` asks the port `domain/ahead` before a
//!   contract is kept.
//! - **What is remembered.** Renders, events of sessions and rows of the gate's audit go to the port
//!   `domain/brain/journal`, whose queue in `services/brain` gathers them; a task makes pages of them.
//!   `sessions::handshake` asks the same pages what worked before, and what nothing is like becomes a gap.
//!   Whoever watches a session holds a watch of `domain/brain/feeds`, and a task of `services/brain` puts
//!   the pages that feed its channels on them. Where a person has to agree,
//!   `services/brain/cards` begins a session as the gate does, and what they decide comes back by the
//!   same port.
//! - **A failure.** Each service has its error; `transports/faults` gives it a code, `wire/fault` has
//!   the code's row, and its projection makes one of four answers of it.
//!
//! # Invariants
//!
//! 1. Of racing renders of one handshake exactly one wins, and one that is refused leaves it alive
//!    (tests: `of_twelve_racing_renders_exactly_one_wins`,
//!    `props_that_do_not_fit_are_all_named_and_leave_the_handshake_alive`).
//! 2. Expiry is judged at the moment of reading, never by the sweeper
//!    (tests: `a_handshake_lives_ten_minutes_and_not_a_moment_longer`,
//!    `a_session_ends_an_hour_after_the_last_thing_that_happened`).
//! 3. An action that does not fit the contract reaches nobody (test:
//!    `an_action_that_does_not_fit_is_answered_with_all_violations_and_reaches_nobody`).
//! 4. Each action is drained once, in order
//!    (test: `two_consumers_and_two_hundred_clicks_drain_each_click_once_and_in_order`).
//! 5. A consumer that is gone, or took its call back, takes nothing with it
//!    (tests: `a_consume_whose_connection_was_dropped_takes_nothing_with_it`,
//!    `a_wait_that_is_taken_back_takes_nothing_with_it_on_every_revision`).
//! 6. Both doors of an action are one use case
//!    (test: `the_relay_is_the_same_use_case_as_the_socket`).
//! 7. One order per session, the same for everyone who watches
//!    (test: `items_of_all_channels_share_one_gap_free_order`).
//! 8. Another app's thing answers exactly like a missing thing
//!    (test: `a_foreign_session_and_handshake_answer_like_random_ids_everywhere`).
//! 9. Every result of a tool, an error included, fits the schema the tool lists
//!    (test: `every_result_validates_against_the_schema_its_tool_lists`).
//! 10. The number of a contract violation never leaves on a JSON-RPC answer
//!     (test: `the_contract_violation_number_never_leaves_on_a_json_rpc_answer`).
//! 11. A shutdown answers whoever waits and tells every socket to come back
//!     (test: `a_shutdown_answers_held_consumes_and_tells_sockets_to_come_back`).
//! 12. What a pinned epoch shows never changes
//!     (test: `a_pinned_epoch_shows_what_it_ended_with_and_never_changes`).

pub mod cli;
pub mod config;
#[cfg(feature = "demo")]
pub mod demo;
#[cfg(feature = "gallery")]
pub mod gallery;
#[cfg(feature = "probe")]
pub mod probe;
pub mod wire;

mod adapters;
mod app;
mod domain;
mod services;
mod transports;

pub use app::{App, KeyRefused, Running, StartError};
pub use cli::keys;
pub use domain::clock::{Clock, ManualClock, Time};
