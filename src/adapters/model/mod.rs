//! Models over the interfaces of their providers: OpenAI's, which many others speak, and Anthropic's.

mod anthropic;
mod attempt;
mod client;
mod connections;
mod embeddings;
mod events;
mod interface;
mod key;
#[cfg(feature = "keyring")]
mod keyring;
mod openai;
mod unusable;

pub(crate) use client::{Client, Endpoint};
pub(crate) use embeddings::Embeddings;
pub(crate) use key::Key;
pub(crate) use unusable::ModelUnusable;
