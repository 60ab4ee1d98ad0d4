//! `proscenium stdio`: joins the server that runs, or starts one, for a client that only starts
//! processes.

use super::arguments::StdioArgs;
use super::attached::Attached;
use super::failure::Failure;
use super::logging::log_to_stderr;
use super::process::{environment, in_runtime};
use crate::config::Config;

/// Serves one client on standard input and output.
pub(super) fn stdio(args: StdioArgs) -> Result<(), Failure> {
    let mut config = Config::load(args.config.as_deref(), environment())?;
    config.listen_on(args.listen);
    config.keep_in(args.store.data, args.store.ephemeral);
    config.share_at(args.store.store);
    log_to_stderr(&config)?;
    in_runtime(async { Attached::open(config, args.key).await?.serve_client().await })
}
