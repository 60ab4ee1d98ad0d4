//! JSON-RPC in lines over any pair of streams: bounded, answered concurrently, and ended by EOF.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, BufWriter};
use tokio::sync::mpsc;
use tokio::task::{self, AbortHandle, JoinSet};
use tokio_util::codec::{AnyDelimiterCodec, AnyDelimiterCodecError, FramedRead};
use tokio_util::sync::CancellationToken;

use super::relay::Relay;
use crate::domain::limits::StdioLimits;
use crate::domain::operation::Caller;
use crate::transports::faults::Fault;
use crate::transports::mcp;
use crate::transports::mcp::Mcp;
use crate::transports::mcp::{Line, Question, Read};
use crate::wire::fault::{Code, Endpoint, Era};

/// Answers that may wait for a slow reader before their requests do.
const ANSWERS_WAITING: usize = 64;
/// How long a client with too many open requests is told to wait.
const BUSY_WAIT: Duration = Duration::from_secs(1);

/// Whoever answers.
#[derive(Clone)]
pub(crate) enum Backend {
    /// This process, for a caller.
    Local(Arc<Mcp>, Caller),
    /// A server that runs already.
    Remote(Arc<Relay>),
}

impl Backend {
    async fn answer(self, raw: Bytes, question: Question, out: mpsc::Sender<String>) {
        match self {
            Self::Local(mcp, caller) => mcp::answer(&mcp, &caller, question, &out).await,
            Self::Remote(relay) => relay.answer(raw, &question, &out).await,
        }
    }

    /// Takes the answer to something that the client was asked.
    #[cfg(feature = "gate")]
    async fn hear(self, raw: Bytes) {
        match self {
            Self::Local(mcp, caller) => mcp::hear(&mcp, &caller, &raw),
            Self::Remote(relay) => relay.notify(raw).await,
        }
    }

    /// Takes back a request that is part of a batch: no task is its own.
    async fn take_back(self, id: String) {
        match self {
            Self::Local(mcp, caller) => mcp.held.take_back(&caller.principal, &id),
            Self::Remote(relay) => relay.take_back(&id).await,
        }
    }
}

/// A request that has no answer yet.
struct Open {
    id: String,
    waits: bool,
    handle: AbortHandle,
}

/// Answers every line of `reader` on `writer` until the input ends, the reader of the answers is
/// gone, or the drain begins.
pub(crate) async fn serve<R, W>(
    backend: Backend,
    limits: StdioLimits,
    drain: CancellationToken,
    reader: R,
    writer: W,
) where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let codec = AnyDelimiterCodec::new_with_max_length(
        b"\n".to_vec(),
        b"\n".to_vec(),
        limits.line_bytes_max,
    );
    let mut lines = FramedRead::new(reader, codec);
    let (out, answers) = mpsc::channel(ANSWERS_WAITING);
    let mut writing = task::spawn(write(answers, writer));
    let mut tasks = JoinSet::new();
    let mut open: HashMap<task::Id, Open> = HashMap::new();
    // After a line that was too long, the stream ends once and then goes on.
    let mut goes_on = false;
    loop {
        let read = tokio::select! {
            biased;
            () = drain.cancelled() => break,
            _ = &mut writing => return,
            Some(done) = tasks.join_next_with_id() => {
                open.remove(&done.map_or_else(|error| error.id(), |(id, ())| id));
                continue;
            }
            read = lines.next() => read,
        };
        let raw = match read {
            None if std::mem::take(&mut goes_on) => continue,
            None => break,
            Some(Ok(raw)) => raw,
            Some(Err(AnyDelimiterCodecError::MaxChunkLengthExceeded)) => {
                goes_on = true;
                let _ = out.send(too_long(limits.line_bytes_max)).await;
                continue;
            }
            Some(Err(AnyDelimiterCodecError::Io(error))) => {
                tracing::warn!(%error, "the input cannot be read");
                break;
            }
        };
        if raw.trim_ascii().is_empty() {
            continue;
        }
        let Read { taken_back, line } = mcp::read(&raw);
        for id in taken_back {
            let before = open.len();
            open.retain(|_, open| {
                let goes_on = open.id != id;
                if !goes_on {
                    open.handle.abort();
                }
                goes_on
            });
            if open.len() == before {
                tasks.spawn(backend.clone().take_back(id));
            }
        }
        match line {
            #[cfg(feature = "gate")]
            Line::Reply => drop(tasks.spawn(backend.clone().hear(raw))),
            Line::Silent => {}
            Line::Refused(answer) => {
                let _ = out.send(answer).await;
            }
            Line::Request(question) if open.len() >= limits.open_max => {
                let _ = out.send(question.refuse(&busy(limits.open_max))).await;
            }
            Line::Request(question) => {
                let (id, waits) = (question.id().to_owned(), question.waits());
                let handle = tasks.spawn(backend.clone().answer(raw, question, out.clone()));
                open.insert(handle.id(), Open { id, waits, handle });
            }
        }
    }
    // Nobody is left for what a person may still do; what is nearly done is answered. A drain has
    // the waits answered by those who hold them.
    if !drain.is_cancelled() {
        for waiting in open.values().filter(|open| open.waits) {
            waiting.handle.abort();
        }
    }
    let deadline = Duration::from_secs(limits.drain_s);
    let all = async { while tasks.join_next().await.is_some() {} };
    if tokio::time::timeout(deadline, all).await.is_err() {
        tracing::warn!("some requests had no answer when the input ended");
    }
    drop((tasks, out));
    let _ = tokio::time::timeout(deadline, writing).await;
}

/// Writes lines as they come, and pushes them out whenever no other follows at once.
async fn write(mut answers: mpsc::Receiver<String>, writer: impl AsyncWrite + Unpin) {
    let mut writer = BufWriter::new(writer);
    while let Some(mut line) = answers.recv().await {
        line.push('\n');
        let mut written = writer.write_all(line.as_bytes()).await;
        if written.is_ok() && answers.is_empty() {
            written = writer.flush().await;
        }
        if written.is_err() {
            return;
        }
    }
    let _ = writer.flush().await;
}

fn too_long(max: usize) -> String {
    let why = format!("The line is longer than {max} bytes.");
    let fault = Fault::saying(Code::PayloadTooLarge, why);
    fault.to_jsonrpc("null", Era::Legacy, Endpoint::Mcp)
}

fn busy(max: usize) -> Fault {
    let why = format!("{max} requests of this client have no answer yet; wait for some.");
    Fault::saying(Code::RateLimited, why).after(BUSY_WAIT)
}
