//! One binary for every test that needs a server: each speaks the public wire only.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test world that cannot be built is a failed test"
)]

mod blueprints;
mod chromium;
mod contracts;
#[cfg(feature = "demo")]
mod demo;
mod discovery;
#[cfg(feature = "demo")]
mod examples;
#[cfg(feature = "gallery")]
mod gallery;
mod journey_action_consume;
mod journey_browser;
mod journey_handshake_render;
mod journey_hostile;
mod journey_reconnect;
mod journey_stage;
mod journey_update_broadcast;
mod keys_file;
mod live_channel;
mod live_fallbacks;
mod mcp_edge;
mod process;
mod prompts;
mod rest;
mod safe_retries;
mod stdio;
mod tenants;
mod tokens;
mod world;
