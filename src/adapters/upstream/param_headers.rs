//! Arguments of tools that a server of the newer era wants to see in headers, too: the client reads
//! which ones in the list of tools that came over the same connection.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value};

use super::connect::Link;
use super::message::{self, Answered};
use super::sent::send;
use crate::domain::gate::UpstreamError;

/// Lists tools.
const LIST: &str = "tools/list";
/// What marks such an argument in the schema of a tool.
const MARK: &str = "\"x-mcp-header\"";
/// Pages of a list that are read at most: more tools than any gate shows.
const PAGES_MAX: usize = 100;

/// Whether a server has such tools.
#[derive(Default)]
pub(super) struct ParamHeaders(AtomicBool);

impl ParamHeaders {
    /// Notes whether there are any on a page of the list.
    pub(super) fn note(&self, method: &str, result: &Value) {
        if method == LIST && result.to_string().contains(MARK) {
            self.0.store(true, Ordering::Release);
        }
    }

    /// Lists the tools over a connection on which they are called, where that is necessary.
    pub(super) async fn learn(&self, link: &Link, version: u64) -> Result<(), UpstreamError> {
        if !self.0.load(Ordering::Acquire) || !link.is_newer() {
            return Ok(());
        }
        let mut known = link.param_headers().lock().await;
        if *known == Some(version) {
            return Ok(());
        }
        let mut params = Map::new();
        for _ in 0..PAGES_MAX {
            let listed = send(link, message::request(LIST, params.clone())?, None).await?;
            let Answered::Result(mut page) = listed else {
                break;
            };
            match page["nextCursor"].take() {
                Value::String(next) => params.insert("cursor".to_owned(), next.into()),
                _ => break,
            };
        }
        *known = Some(version);
        Ok(())
    }
}
