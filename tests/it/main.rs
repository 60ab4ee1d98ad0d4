//! One binary for every test that needs a server: each speaks the public wire only.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test world that cannot be built is a failed test"
)]

mod admission;
mod blueprints;
mod brain;
mod browser;
mod chance;
mod channel_tokens;
mod charts;
mod chromium;
mod clients_without_ui;
mod contract_findings;
mod contract_limits;
mod contract_words;
mod contracts;
#[cfg(feature = "demo")]
mod demo;
mod discovery;
mod door_limits;
mod doors;
mod edge_limits;
mod elsewhere;
mod event_stream;
#[cfg(feature = "demo")]
mod examples;
mod explain;
mod faults;
mod folds;
mod frame_pictures;
mod frames;
#[cfg(feature = "gallery")]
mod gallery;
#[cfg(feature = "gate")]
mod gate;
#[cfg(feature = "model")]
mod generation;
mod handshake_limits;
mod history;
mod hosting;
mod installed;
mod issuer;
mod journey_action_consume;
mod journey_browser;
mod journey_handshake_render;
mod journey_hostile;
mod journey_kept;
mod journey_library;
mod journey_reconnect;
mod journey_records;
mod journey_remembers;
mod journey_restart;
mod journey_stage;
mod journey_update_broadcast;
mod keyed_world;
mod keys_file;
mod killed;
mod kit_reads;
mod left_out;
mod live_channel;
mod live_fallbacks;
mod live_frames;
mod live_limits;
mod live_malformed;
mod live_replay;
mod live_scenarios;
mod live_timing;
mod long_work;
mod machine;
mod mcp_edge;
mod mcp_refusals;
mod measured;
mod mutants;
mod next_steps;
mod node;
mod nodes;
mod nodes_under_load;
mod own_views;
mod process;
mod prompts;
mod raw;
mod redelivery;
mod redis_kinds;
mod redis_server;
mod relayed_actions;
mod reload;
mod resources;
mod rest;
mod restarts;
mod revoked;
mod rights;
mod safe_retries;
mod schemas;
mod secrets;
mod session_state;
mod slot_snapshots;
#[cfg(target_os = "linux")]
mod stage_open;
mod stdio;
mod stopped;
mod store_copies;
mod store_faults;
mod stranger;
mod subscriptions;
mod swarm;
mod taken_back;
mod tenants;
mod token_rights;
mod tokens;
mod tool_channels;
mod tool_failures;
mod traces;
mod transcripts;
mod world;
