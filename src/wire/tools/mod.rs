//! Parameters and results of the tools an agent calls (tools.md §2).

mod auth;
mod consume;
mod emit;
mod handshake;
mod render;
mod session;
mod update;

pub use auth::{RequestAuthParams, RequestAuthResult};
pub use consume::{
    ActionEvent, CONSUME_TIMEOUT_S_MAX, Client, ConsumeArgs, ConsumeParams, ConsumeResult,
    ConsumeStep,
};
pub use emit::{EmitParams, EmitResult};
pub use handshake::{
    Amendments, BlueprintDraft, BlueprintMeta, HandshakeAction, HandshakeNextStep, HandshakeParams,
    HandshakeResult, Origin, PatchOperation, PatchVerb, Suggestion, Variance, ViewDraft,
};
pub use render::{CacheOutcome, Infra, RenderOverride, RenderParams, RenderResult};
pub use session::{GetSessionParams, GetSessionResult, SessionStatus};
pub use update::{UpdateKind, UpdateParams, UpdateResult};
