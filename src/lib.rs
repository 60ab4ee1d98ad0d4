//! proscenium: the server that lets AI agents put living, safe interfaces in front of people.
//!
//! An agent (any MCP client) *negotiates* a data contract, *renders* it, and a person sees a
//! working UI in a sandboxed frame. Clicks travel over a live channel, are judged against the
//! contract, and the agent *consumes* them; it *amends*, *updates* and *emits* back.
//!
//! # Layers
//!
//! ```none
//! wire  ←  domain  ←  adapters, services  ←  transports  ←  app, config, keys  ←  attach, demo, gallery, main
//!                                            transports  ←  probe
//! ```
//!
//! A file may import files of its own layer and of any layer to its left; siblings in `adapters`
//! and `services` are blind to each other, and only `services/dispatch` names the services.
//! The wire knows nothing; the domain knows the wire's words; adapters know a product and the
//! domain's ports; services know ports; transports know protocols and services; the app knows
//! everybody, and nobody knows the app. `tests/tidy` holds all of it.
//!
//! Two decisions carry the rest. *A session is a log*: its state is the fold of its events, frames
//! are projections of them, replay is "read from", broadcast is "someone read further". And *an
//! operation is a value*: one path, [`services/dispatch`](self#the-map), serves tool calls and
//! frames alike.
//!
//! # The map
//!
//! ```text
//! lib.rs                            the map
//! main.rs                           the command line: what each verb does, and how it ends
//! cli.rs                            the words of the command line: verbs, flags, help
//! app/mod.rs                        the server: put together, kept up, ended in order
//! app/binding.rs                    where the server listens; on this machine under both of its addresses
//! app/compose.rs                    the composition root
//! app/error.rs                      why the server does not run
//! app/machine.rs                    what the server asks of its machine: open files, and memory
//! app/reload.rs                     what a server that runs takes over of a new configuration
//! app/running.rs                    a server that serves, and the shutdown
//! app/upkeep.rs                     every background task
//! attach.rs                         a client that only starts processes: join the server, or start one
//! config/mod.rs                     what can be set, and how it is read
//! config/check.rs                   whether the server can start with it
//! config/error.rs                   why there is no configuration
//! config/load.rs                    defaults, file, environment; unknown keys are refused
//! config/settings.rs                every section but the limits
//! config/sources.rs                 who set a key, so that a problem names the place
//! explain.rs                        what the composer makes of a contract, and why: for authors who want to see which hint to give
//! keys.rs                           the keys file: who may come in
//!
//! demo/mod.rs                       the demo: four agents in this process (feature `demo`)
//! demo/approval.rs                  a request that waits for a yes or a no
//! demo/play.rs                      a client for each flow, and a new session when one ends
//! ../examples/shared/agent.rs                     each tool as a function, over the official client
//! ../examples/system_monitor/flow.rs              this machine, live
//! ../examples/dependency_review/flow.rs           packages to mark, and a review that is written
//! ../examples/dependency_review/lockfile.rs       the packages of a `Cargo.lock`
//! ../examples/build_runner/flow.rs                a command, its log and progress, cancel and run again
//! ../examples/build_runner/process.rs             a command with all it starts
//!
//! wire/mod.rs                       the words of the wire; nothing that runs
//! wire/contract.rs                  the data contract as written; violations and findings
//! wire/discovery.rs                 parameters and results of the tools that look around
//! wire/fault/mod.rs                 the closed list of fault codes and everything that is told about each
//! wire/fault/close.rs               why the server ends a socket: close code and reason
//! wire/fault/code.rs                the fault table, one row a code; the only place of numbers
//! wire/fault/row.rs                 the columns of the table: who raises a failure, and what the caller may do
//! wire/fault/status.rs              HTTP statuses and the one canonical code of each
//! wire/frames/mod.rs                frames of the live channel, both directions
//! wire/frames/client.rs             frames a client sends
//! wire/frames/server.rs             frames this server sends
//! wire/host.rs                      what a mount tells of the host around it
//! wire/ids.rs                       newtypes of every name on the wire
//! wire/object.rs                    any JSON object
//! wire/published.rs                 the schemas of contract and frames, held against those of `schemas/`
//! wire/runtime.rs                   parameters and results of the tools a shown UI calls
//! wire/slice.rs                     what a browser starts with
//! wire/theme.rs                     themes as agents are told of them and as browsers are given them
//! wire/tools/mod.rs                 parameters and results of the tools an agent calls
//! wire/tools/auth.rs                `ggui_request_auth`
//! wire/tools/consume.rs             `ggui_consume`
//! wire/tools/emit.rs                `ggui_emit`
//! wire/tools/handshake.rs           `ggui_handshake`
//! wire/tools/render.rs              `ggui_render`
//! wire/tools/session.rs             `ggui_get_session`
//! wire/tools/update.rs              `ggui_update` and `ggui_amend`
//! wire/trace.rs                     the W3C trace context
//! wire/whole.rs                     whole numbers as JSON has them: `25.0` is one, whoever writes it
//!
//! domain/mod.rs                     the rules: no tokio, no I/O, no clock, no chance
//! domain/action.rs                  what people do
//! domain/blueprint.rs               UIs that were agreed on once and may be shown again
//! domain/clock.rs                   time and chance as ports
//! domain/digest.rs                  SHA-256 and its digits
//! domain/event.rs                   everything that can happen to a session
//! domain/footprint.rs               what the process takes of the machine's memory, as a port
//! domain/handshake.rs               a contract that was agreed on and may be rendered once
//! domain/https.rs                   addresses that people are sent to: https, with a host, and nothing that could be taken for one
//! domain/inbox.rs                   what waits for the agent: accepted once, delivered once or until it is confirmed
//! domain/limits/mod.rs              every limit, with its reason
//! domain/limits/all.rs              all of them in one struct
//! domain/limits/doors.rs            how many come, how often, and how large
//! domain/limits/work.rs             what agents put in front of people, and what people do
//! domain/log.rs                     the one port of every session's log
//! domain/merge_patch.rs             JSON Merge Patch (RFC 7396): what changes, written like what it changes
//! domain/operation.rs               the closed list of what can be asked, and who asks
//! domain/places.rs                  places that are taken and given back: never more under one name than there may be
//! domain/principal.rs               who asks: app, name, trust
//! domain/projection.rs              what those who watch get to see of events and sessions
//! domain/session.rs                 the session as the fold of its events
//! domain/shelf.rs                   compiled contracts, shared by all who hold them
//! domain/size.rs                    how much room things take
//! domain/store.rs                   what a store answers when it does not answer
//! domain/token.rs                   tokens of an issuer: which key verifies which algorithm, what they say
//! domain/token_settings.rs          whose tokens are accepted, and how they are read
//! domain/theme.rs                   named sets of design tokens, checked before any browser sees them
//! domain/contract/mod.rs            the compiled contract: the gate before it, and the checks it makes on every value
//! domain/contract/at.rs             where a value stands: a path that is written out only where it is told
//! domain/contract/changes.rs        what was changed to get from one contract to another, as a JSON Patch (RFC 6902)
//! domain/contract/close.rs          turns schemas as written into schemas as enforced: closed, without references, canonical
//! domain/contract/compare/mod.rs    what comparing schemas needs to know of values: their kinds, the order of numbers, equality
//! domain/contract/compare/cases.rs  numbers in their order
//! domain/contract/compare/equal.rs  whether two values are the same, and how much comparing may cost
//! domain/contract/compare/kinds.rs  sets of kinds of values
//! domain/contract/compare/order.rs  numbers compared exactly, however they are written
//! domain/contract/compiled.rs       the compiled contract: what was agreed, ready to judge what arrives
//! domain/contract/cost.rs           what checking a value may cost, told before it is checked
//! domain/contract/enforced.rs       the props schema as it is enforced: one closed object for all props
//! domain/contract/example/mod.rs    the call an agent makes after a handshake: props that fit, or word that there is no example
//! domain/contract/example/call.rs   the call written out: its props fit, or it says for which there is no example
//! domain/contract/example/cases.rs  which examples are offered, that each of them fits, and how large they get
//! domain/contract/example/placeholder.rs the value that shows the shape of a schema, as the protocol makes it; it need not fit
//! domain/contract/explain.rs        says why a value breaks a schema: every violation, in the words of contract.md §6.3
//! domain/contract/findings.rs       builds findings: the remarks of the gate and of the view check
//! domain/contract/formats.rs        the string formats of the dialect and the engine settings every check runs with
//! domain/contract/found.rs          collects violations up to a limit
//! domain/contract/gadgets.rs        the browser abilities a contract may name, and whether they are there
//! domain/contract/gate/mod.rs       the gate: decides whether a draft is a contract, and says everything that is wrong with it
//! domain/contract/gate/cases.rs     what the gate says, phase by phase
//! domain/contract/gate/compatibility.rs  what flows between a UI and the agent's tools, held against their schemas
//! domain/contract/gate/hygiene.rs   what could be better about a contract that is sound
//! domain/contract/gate/references.rs  the names of a contract: what they refer to, and that no two are the same
//! domain/contract/gate/schemas.rs   every schema of a contract: read, written out, and counted together
//! domain/contract/gate/verdict.rs   all phases of the gate, one after the other
//! domain/contract/generate.rs       random schemas, values and drafts for the property tests
//! domain/contract/grammar.rs        the grammar of a contract as tables: which members it has and what stands under each
//! domain/contract/hash.rs           the identities of contracts, variances and schemas: SHA-256 over RFC 8785 texts
//! domain/contract/judge.rs          judges what arrives: props, gestures, payloads and slot values
//! domain/contract/keywords.rs       the JSON Schema keywords a contract may use, and how to walk the schemas below a schema
//! domain/contract/limits.rs         how large and how tangled a contract may be before it is refused unread
//! domain/contract/lint/mod.rs       the schema phase of the gate: what of JSON Schema a contract may use, decided before anything is compiled
//! domain/contract/lint/cases.rs     which schemas are in the dialect, and which are not
//! domain/contract/lint/schema.rs    reads one schema: a strict draft 7 subset, with caps that bound all later work on it
//! domain/contract/lint/scope.rs     what the schemas around a schema already said about the same value
//! domain/contract/lint/value.rs     what is wrong with the value of one keyword
//! domain/contract/names.rs          the grammars of the names a contract may use (contract.md §2)
//! domain/contract/normalise.rs      brings a draft into the form of a contract: without members it has no place for, types spelt and said
//! domain/contract/patterns.rs       the patterns of schemas, each compiled once: on trial at the gate, then for the words of refusals
//! domain/contract/properties.rs     properties of the contract engine, tried on random schemas and drafts
//! domain/contract/refs.rs           writes local references out, so that nothing behind the gate has to know them
//! domain/contract/salvage.rs        makes a contract of a draft that is not one: what is wrong is cut out and told
//! domain/contract/samples.rs        the contracts the tests share: the three published ones and two everyday ones, and a hostile schema
//! domain/contract/shape.rs          the first phase of the gate: does the draft have the members a contract has?
//! domain/contract/subset/mod.rs     decides whether all that one schema accepts is accepted by another one
//! domain/contract/subset/cases.rs   what is within what, case by case
//! domain/contract/subset/comparison.rs  holds the alternatives of one schema against another
//! domain/contract/subset/lengths.rs bounds on how long and how many
//! domain/contract/subset/members.rs what stands in arrays and objects
//! domain/contract/subset/misfit.rs  one place where a schema is not within another, and why
//! domain/contract/subset/numbers.rs bounds on numbers
//! domain/contract/subset/piece.rs   one alternative of what a schema accepts
//! domain/contract/summary.rs        the contract in one line, for people and models that choose between contracts
//! domain/contract/values.rs         checks values: the engine decides, and what it refuses is explained in our words
//! domain/contract/vectors.rs        the published test vectors: those of contract.md §13, and more for props schemas
//! domain/contract/violations.rs     the words for values that break their contract
//! domain/compose/mod.rs             the composer: a picture for every contract, in three steps: what is there, what to show, how
//! domain/compose/composer.rs        puts the three steps together: a contract is read, its page is planned, and the plan is drawn
//! domain/compose/completeness/mod.rs holds the composer to its promise: nothing of a contract is missing on its page
//! domain/compose/completeness/contracts.rs every contract there is has a page with all of it
//! domain/compose/completeness/helpers.rs what the composer made of a contract, taken apart
//! domain/compose/completeness/pages.rs which page some contracts have
//! domain/compose/judge.rs           holds plans against what a designer would make of the same contracts
//! domain/compose/reading/mod.rs     the first step: what is there: things, their relations, and the evidence, as plain data
//! domain/compose/reading/deed.rs    what actions do: to a record, to several, to nothing on the page; and what their verbs say
//! domain/compose/reading/evidence.rs why something is taken for what it is taken for, and how sure that is
//! domain/compose/reading/fields/mod.rs reads schemas the way a designer would: what is this value, and how is it best shown?
//! domain/compose/reading/fields/cases.rs how schemas are read, one by one
//! domain/compose/reading/fields/formats.rs how a value is best shown: by its kind, its name and the format its schema states
//! domain/compose/reading/fields/kinds.rs what a schema describes, as far as drawing goes
//! domain/compose/reading/fields/names.rs what the name of a value says about it
//! domain/compose/reading/gesture.rs what an action does to the things of the page: to one of their records, to several, to all
//! domain/compose/reading/hints.rs   what an author says about a schema in its `$comment`
//! domain/compose/reading/meaning.rs what one value means to a person: its format, its unit and its words
//! domain/compose/reading/payload.rs what of an action's payload the page knows already: out of a record, chosen among records, or standing once on the page
//! domain/compose/reading/pointer.rs pointers into the data of a page (RFC 6901)
//! domain/compose/reading/read.rs    reads a contract and the intent it comes with
//! domain/compose/reading/records.rs what the fields of a record are to a person: its name, its state, its moment, what is inside
//! domain/compose/reading/reference.rs which records of the page an id names
//! domain/compose/reading/slot.rs    what a context slot is the state of
//! domain/compose/reading/thing.rs   the things of a contract: records, lists of them, matrices, texts, and single facts
//! domain/compose/reading/words.rs   words for people out of names for programs
//! domain/compose/plan/mod.rs        the second step: what a page shows, decided from a reading
//! domain/compose/plan/check.rs      whether a plan keeps what every plan promises
//! domain/compose/plan/columns.rs    the values of a record in order, each with its format, what is inside it, and what its id stands for
//! domain/compose/plan/controls.rs   which context slots a person sets by hand, with which control; the others are bound or hidden
//! domain/compose/plan/headline.rs   the subject of a page in a few words: never the agent's instruction
//! domain/compose/plan/leading.rs    the one action that stands out, and the data a page is about
//! domain/compose/plan/live.rs       what live channels are shown as
//! domain/compose/plan/nouns.rs      the subject of a sentence: what an intent speaks of first
//! domain/compose/plan/offers.rs     gives every action its place: with the records it is about, in a form, or on a button
//! domain/compose/plan/outline.rs    the plan: what a page shows, in which order, as what, and what is left out; everything but how it is drawn
//! domain/compose/plan/pictures.rs   decides what each thing of the page is shown as
//! domain/compose/plan/plain.rs      what is shown of everything that is no list of records: facts, texts, maps, and records with what is in them
//! domain/compose/plan/rules.rs      the planner that needs nobody: rules, from a reading to a plan
//! domain/compose/plan/shapes/mod.rs tells what a list of records is best shown as, by its fields, its gestures and what was asked for
//! domain/compose/plan/shapes/cases.rs what records are shown as, case by case
//! domain/compose/plan/shapes/charts.rs records that are numbers along something
//! domain/compose/plan/shapes/choice.rs which picture suits a list of records
//! domain/compose/plan/shapes/people.rs records that people talk, vote, answer and sit with
//! domain/compose/plan/shapes/places.rs records that have a place: among steps, on a day, in a column, on a tile
//! domain/compose/plan/shapes/shape.rs the pictures records may be shown as, and those an intent may ask for
//! domain/compose/plan/shapes/timeline.rs records that tell what happened when
//! domain/compose/draw/mod.rs        the third step: a plan becomes a view, without any decision
//! domain/compose/draw/actions.rs    draws the actions of a page: forms on it, forms behind buttons, and buttons
//! domain/compose/draw/builder.rs    collects components and hands out their ids
//! domain/compose/draw/controls.rs   draws the controls of context slots
//! domain/compose/draw/page.rs       draws a plan: region by region, with no decision of its own
//! domain/compose/draw/parts.rs      draws the parts of a plan, each with its component
//! domain/compose/draw/records.rs    draws records, with what can be done with each, with several, and by choosing among them
//! domain/compose/draw/values.rs     draws values: of records, of the page, of forms, and the options to choose from
//! domain/view/mod.rs                the view: what is drawn, and the check that keeps it within catalog and contract
//! domain/view/addresses.rs          checks that no address a browser fetches by itself comes from what is typed
//! domain/view/bindings.rs           finds the bindings in a component and checks that each leads somewhere
//! domain/view/calls.rs              checks that the calls of functions in a component give each function what it takes
//! domain/view/cases.rs              which views are drawn, and what is said of those that are not
//! domain/view/catalog.rs            the catalog: which components a view may name, read from `schemas/catalog.json`
//! domain/view/check.rs              decides whether a view may be drawn, and says everything that is wrong with it
//! domain/view/coverage.rs           what of a contract a view does not show
//! domain/view/gestures.rs           whether the gestures of a component are declared, and take what it gives them
//! domain/view/schema_path.rs        what a pointer into the data model leads to, as far as the contract says
//! domain/view/stored.rs             a view as it is stored and sent: the component list with its version and catalog
//! domain/view/tree.rs               the tree of a view's components: who is inside whom, how deep, and under which template
//!
//! adapters/mod.rs                   what the ports are made of
//! adapters/jwks.rs                  the keys of a token issuer: files, a cache that rotates
//! adapters/memory/mod.rs            handshakes and sessions in this process
//! adapters/memory/app.rs            what is counted and told of an app
//! adapters/memory/bells.rs          what wakes those who wait
//! adapters/memory/cell.rs           one session: its state, the end of its log, and who waits for more
//! adapters/memory/store.rs          the port of every log, over maps
//! adapters/system.rs                the machine's clock, randomness, memory and open files
//!
//! services/mod.rs                   the use cases
//! services/actions/mod.rs           what people do, and how agents take it
//! services/actions/consume.rs       agents take what people did, or wait for it
//! services/actions/error.rs         why an action was not accepted
//! services/actions/judge.rs         whether what a person did is what the contract allows
//! services/actions/presence.rs      whether agents wait, and who knows of it
//! services/actions/service.rs       actions are judged, accepted once, and kept
//! services/arguments.rs             arguments judged against their schema, all problems at once
//! services/auth/mod.rs              credentials, and the tokens of the live channel
//! services/auth/admission.rs        who may come in: this machine, holders of keys, holders of an issuer's tokens
//! services/auth/channel.rs          the tokens of the live channel: minted, renewed, checked
//! services/auth/error.rs            why a credential opens nothing
//! services/auth/service.rs          who a bearer is, and for how long that holds
//! services/budget.rs                how much memory the process may take
//! services/content/mod.rs           what agents put in front of people
//! services/content/emit.rs          items on the channels of a session
//! services/content/error.rs         why nothing was put in front of anyone
//! services/content/render.rs        a UI is put in front of a person
//! services/content/service.rs       what render, update and emit share
//! services/content/update.rs        what a person is shown changes: as a new version, or in place
//! services/discovery/mod.rs         looking around: what there is to show, and what is shown
//! services/discovery/blueprints.rs  UIs that were agreed on before: searched, listed, read, forgotten
//! services/discovery/error.rs       why nothing was found
//! services/discovery/relevance.rs   how well a blueprint suits what was asked for
//! services/discovery/service.rs     sessions, what renders were made of, gadgets and themes
//! services/dispatch/mod.rs          the one path of every operation; alone names the services
//! services/dispatch/error.rs        why an operation failed, whichever use case it was
//! services/dispatch/outcome.rs      what came of an operation, whichever use case it was
//! services/dispatch/path.rs         decode, use case, record
//! services/dispatch/tally.rs        how operations go: counted and timed, each kind under its name
//! services/dispatch/turn.rs         when an operation is run: seldom enough, if there is memory, and in turn
//! services/limits.rs                how often one caller may ask for one operation
//! services/live/mod.rs              following a session: snapshot, replay, growth
//! services/live/delivery.rs         what a reader hands out at a time
//! services/live/error.rs            why a session is not followed
//! services/live/ledger.rs           pages of the ledger
//! services/live/owed.rs             what a subscriber is owed from before its snapshot
//! services/live/reader.rs           a cursor in a session's log
//! services/live/service.rs          who may follow, and from which snapshot on
//! services/mounts.rs                what a mounted UI tells of itself
//! services/replay.rs                an attempt made again under the same name gets the same answer
//! services/seldom.rs                what may happen very often and is spoken of seldom
//! services/sessions.rs              handshakes, and the reading of sessions
//! services/versions.rs              what is shown as it was in an earlier epoch, and word of the next change
//! services/work.rs                  long work: so much at a time, and never all of it for one caller
//!
//! transports/mod.rs                 the doors: parse, dispatch, project
//! transports/api.rs                 the live channel over plain HTTP: state, events, stream
//! transports/bare.rs                what is refused before it is a request, in our words
//! transports/census.rs              what a server keeps at this moment, for its metrics
//! transports/control.rs             where a conformance suite asks for its sessions (feature `conformance`)
//! transports/correlation.rs         what ties an answer to its request, wherever it is written
//! transports/demo.rs                the button of the empty stage (feature `demo`)
//! transports/doorman.rs             the flood guard at the door: requests a second for each key or peer
//! transports/doors.rs               what every door needs
//! transports/edge.rs                bounds for each address and in all, before a request is looked at
//! transports/extract.rs             what a credential is worth, and a body that is small enough
//! transports/family.rs              every refusal in the words of the family its path belongs to
//! transports/failures.rs            errors become codes
//! transports/fault.rs               a failure with its code, its words, and what is told beside them
//! transports/feed.rs               what the stage lists, and what it is told of as it happens
//! transports/guards.rs              host, origin, drain, time-out, panic: decided before a handler sees a request
//! transports/guest.rs               the guest's code: whole, or cut down to what one view needs
//! transports/heads.rs               what a connection holds of headers that have not all come
//! transports/health.rs              whether the server lives, and whether it takes work
//! transports/http.rs                the router and its layers; metrics
//! transports/identity.rs            who calls, found out once for each request
//! transports/listener.rs            the accept loop and its time-outs
//! transports/manual/mod.rs          the manual: what can go wrong, and how often one may ask
//! transports/manual/errors.rs       the page of every fault, from the table
//! transports/manual/limits.rs       the page of every limit, and what a 429 looks like
//! transports/manual/page.rs         the frame of a page, and which form of it was asked for
//! transports/mcp/mod.rs             the MCP edge, both eras on one address
//! transports/mcp/conformance.rs     fixtures of the official conformance suite (feature `conformance`)
//! transports/mcp/endpoint.rs        from an HTTP request to messages and back
//! transports/mcp/envelope.rs        the JSON-RPC envelope over raw values
//! transports/mcp/era.rs             revisions, and headers that must agree with the body
//! transports/mcp/held.rs            calls that are held until a person does something, and taken back by their ids
//! transports/mcp/line.rs            messages that come as lines, without headers
//! transports/mcp/listen.rs          a stream that tells when what a uri shows has changed
//! transports/mcp/methods.rs         the methods of the protocol
//! transports/mcp/prompts/mod.rs     prompts, with a contract to begin with, and completion
//! transports/mcp/prompts/arguments.rs what the arguments of prompts may be, and how they are read
//! transports/mcp/prompts/drafts.rs  the contract each prompt proposes, with props to begin with
//! transports/mcp/prompts/methods.rs listed, written out, completed
//! transports/mcp/prompts/table.rs   the prompts there are
//! transports/mcp/resources.rs       `ui://` resources
//! transports/metadata.rs            what a client finds out about the token issuer
//! transports/offer.rs               the demo as an offer that is taken once (feature `demo`)
//! transports/rejections.rs          sockets that were ended before they subscribed
//! transports/relay.rs               a server that runs already, reached over HTTP
//! transports/observe.rs             ids, traces, metrics, the log's line and careful headers of every answer
//! transports/patience.rs            how long a reader may be far behind
//! transports/peers.rs               under which address a request is counted
//! transports/pictures.rs            where the pictures of a session come from: the origins a policy has to name
//! transports/profile.rs             sessions as such a suite wants them (feature `conformance`)
//! transports/probe.rs               the readers of what strangers send, for fuzzing (feature `probe`)
//! transports/projection.rs          codes become answers: the four projections of a fault
//! transports/rest/mod.rs            `/api/v1`: sessions, blueprints and faults as resources
//! transports/rest/answer.rs         who asks for a resource, and what answers have in common
//! transports/rest/blueprints.rs     what was agreed on before, to read and to forget
//! transports/rest/faults.rs         the fault table, and the description of `/api/v1`
//! transports/rest/page.rs           a stretch of a list
//! transports/rest/sessions.rs       the live sessions, to read and to end
//! transports/result.rs              a tool's result, written once
//! transports/schemas.rs             schemas as clients are shown them: one type a place
//! transports/scripts.rs             the scripts other pages load: the guest's code, and the stage element
//! transports/shell.rs               the page that draws one render
//! transports/site.rs                the addresses this server is reached by
//! transports/stage.rs               the pages people see
//! transports/stdio.rs               JSON-RPC in lines over any pair of streams
//! transports/tools/mod.rs           the tools
//! transports/tools/answer.rs        what a tool answers with once its operation has succeeded
//! transports/tools/call.rs          a call: which tool, by whom, and what its failure looks like
//! transports/tools/output.rs        the schema of every tool's result
//! transports/tools/table.rs         the tool table: name, words for the model, what hosts are told
//! transports/weighed.rs             bodies that count for as long as somebody holds bytes of them
//! transports/ws/mod.rs              the live channel, bounded on every side
//! transports/ws/answer.rs           what a frame on a subscribed socket is answered with
//! transports/ws/feeds.rs            channels that tools of this server feed
//! transports/ws/inbound.rs          frames as they come, and what is said of those that are none
//! transports/ws/line.rs             frames as they go, in time, and the farewell
//! transports/ws/socket.rs           the task of one socket
//! transports/ws/subscribe.rs        whether a subscription is accepted
//! transports/ws/upgrade.rs          who may open a socket
//!
//! probe.rs                          the door of benches and fuzzing to the engine and the readers behind it (feature `probe`)
//!
//! gallery/mod.rs                    contracts with data, shown by a server and drawn by a browser (feature `gallery`)
//! gallery/agent.rs                  the agent that shows the entries, over MCP like any other
//! gallery/browser.rs                a headless Chromium, driven over its DevTools protocol
//! gallery/entry.rs                  one entry: an intent, a contract, and what is put into it
//! gallery/error.rs                  why a gallery is not shown
//! gallery/sheet.rs                  the page that lists the pictures
//! gallery/studio.rs                 a server of its own for a gallery, and the camera in front of it
//! ```
//!
//! # Journeys
//!
//! - **Handshake, then render.** `http` (id, host, origin) → `extract` (who calls) → `mcp/endpoint`
//!   (envelope, era) → `tools` (the row) → `dispatch` (answered before? too often?) →
//!   `sessions::handshake`: `shelf` compiles the contract, the handshake is kept. Then `content::render`: props against the contract, the view
//!   from `compose`, and one `SessionLog::create` that claims the handshake and makes the session.
//! - **A click, to the agent.** `ws` (frame) or `tools` (relay) → `dispatch` → `actions::submit`:
//!   judged, accepted once, committed. `actions::consume` waits on the log, drains, and its drain is
//!   the event that tells the browser.
//! - **The agent, to the picture.** `content::update` or `content::emit` → one commit. Every
//!   `live::Reader` wakes, reads from its own cursor and sends the bytes that were encoded once.
//! - **A failure.** Each service has its error; `transports/failures` gives it a code, `wire/fault` has
//!   the code's row, and `transports/projection` makes one of four answers of it.
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
pub mod explain;
#[cfg(feature = "gallery")]
pub mod gallery;
pub mod keys;
#[cfg(feature = "probe")]
pub mod probe;
pub mod wire;

mod adapters;
mod app;
mod attach;
mod domain;
mod services;
mod transports;

pub use app::{App, Hangups, KeyRefused, Running, StartError};
pub use attach::{AttachError, Attached};
pub use domain::clock::{Clock, ManualClock, Time};
