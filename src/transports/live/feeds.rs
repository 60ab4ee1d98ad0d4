//! The channels of a socket that tools of this server feed, each asked at its own pace
//! (live-channel.md §8.4).

use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt as _};
use serde_json::{Value, json};
use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_stream::StreamMap;

use super::state::Channel;
use crate::domain::contract::CompiledContract;
use crate::domain::operation::{Caller, Operation};
use crate::domain::projection::encode;
use crate::transports::faults::Fault;
use crate::wire::contract::StreamMode;
use crate::wire::fault::Code;
use crate::wire::frames::{ChannelSubscribe, ServerBody};
use crate::wire::ids::SessionKey;
use crate::wire::object::Object;

/// The argument by which a tool is told of which session it is asked.
const SESSION_ARGUMENT: &str = "sessionId";

/// The channels one socket has asked for. None of them holds anything back: a tool is asked when
/// the socket can take its answer, so a slow reader gets the newest and misses what came between.
#[derive(Default)]
pub(super) struct Feeds(Option<Box<StreamMap<String, Frames>>>);

type Frames = Pin<Box<dyn Stream<Item = Bytes> + Send>>;

impl Feeds {
    /// The next frame of any channel; none while no channel is fed.
    pub(super) async fn next(&mut self) -> Option<Bytes> {
        let (_, frame) = self.0.as_mut()?.next().await?;
        Some(frame)
    }

    /// Feeds a channel from now on, at once and then again and again. Asked for anew, it begins
    /// anew. Checked in the order of live-channel.md §8.4.
    pub(super) async fn begin(
        &mut self,
        shared: &Arc<Channel>,
        caller: &Caller,
        key: &SessionKey,
        asked: ChannelSubscribe,
    ) -> Result<(), Fault> {
        if asked.session_id != key.session.as_str() {
            return Err(Fault::of(Code::SubscribeUnauthorized));
        }
        if shared.slices.local_tools.is_empty() {
            return Err(Fault::of(Code::ChannelNotLocal));
        }
        let session = shared.live.read(key).await;
        let session = session.map_err(|error| Fault::from(error).in_frame())?;
        let streams = session.contract.contract().stream_spec.as_ref();
        let source = streams
            .and_then(|streams| streams.get(&asked.channel_name)?.source.as_ref())
            .ok_or_else(|| Fault::of(Code::ChannelUnknown))?;
        let tool = shared
            .slices
            .local_tools
            .iter()
            .copied()
            .find(|tool| *tool == source.tool)
            .ok_or_else(|| Fault::of(Code::ChannelNotLocal))?;
        let mut args = source.args.clone().unwrap_or_default();
        args.extend(asked.args.unwrap_or_default());
        let feeds = self.0.get_or_insert_default();
        let max = shared.limits.channels.per_socket_max;
        if !feeds.contains_key(&asked.channel_name) && feeds.len() >= max {
            let message = format!("{max} channels are fed through this socket: unsubscribe one");
            return Err(Fault::saying(Code::ChannelLimit, message));
        }
        let mut ticks = interval(shared.limits.channels.interval(asked.poll_interval_ms));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let feed = Feed {
            args: of_session(args, tool, key, shared)?,
            shared: Arc::clone(shared),
            caller: caller.clone(),
            key: key.clone(),
            contract: Arc::clone(&session.contract),
            channel: asked.channel_name.clone(),
            tool,
            ticks,
            seq: 0,
        };
        feeds.insert(asked.channel_name, Box::pin(feed.frames()));
        Ok(())
    }

    /// Feeds a channel no longer.
    pub(super) fn end(&mut self, channel: &str) {
        if let Some(feeds) = &mut self.0 {
            feeds.remove(channel);
        }
    }
}

/// The arguments of a poll. A tool that looks at one session looks at the socket's own: its holder
/// reaches every session of the app, the person in front of it only this one.
fn of_session(
    mut args: Object,
    tool: &str,
    key: &SessionKey,
    shared: &Channel,
) -> Result<Value, Fault> {
    let entry = shared.access.dispatch.registry.find(tool);
    if entry.is_some_and(|entry| {
        let members = entry.input.schema().get("properties");
        members.is_some_and(|members| members.get(SESSION_ARGUMENT).is_some())
    }) {
        let own = Value::from(key.session.as_str());
        if *args.entry(SESSION_ARGUMENT).or_insert_with(|| own.clone()) != own {
            return Err(Fault::of(Code::SubscribeUnauthorized));
        }
    }
    Ok(args.into())
}

/// One channel, and what it is fed by.
struct Feed {
    shared: Arc<Channel>,
    caller: Caller,
    key: SessionKey,
    contract: Arc<CompiledContract>,
    channel: String,
    tool: &'static str,
    args: Value,
    ticks: Interval,
    /// Position of the last answer that was passed on.
    seq: u64,
}

impl Feed {
    fn frames(self) -> impl Stream<Item = Bytes> {
        stream::unfold(self, async |mut feed| {
            let frame = feed.next().await;
            Some((frame, feed))
        })
    }

    /// Asks the tool once its time has come. One that fails is told of, and asked again.
    async fn next(&mut self) -> Bytes {
        self.ticks.tick().await;
        let asked_at = self.shared.live.clock.now();
        match self.poll().await {
            Ok(payload) => {
                self.seq += 1;
                encode(ServerBody::ChannelPayload {
                    session_id: &self.key.session,
                    app_id: &self.key.app,
                    channel_name: &self.channel,
                    seq: self.seq,
                    ts: asked_at.to_string(),
                    mode: StreamMode::Replace,
                    payload: &payload,
                })
            }
            Err(fault) => {
                let frame = fault.to_channel_frame(&self.key.session, &self.channel, None);
                frame.into()
            }
        }
    }

    async fn poll(&self) -> Result<Value, Fault> {
        let tool = self.tool;
        let operation = Operation::new(self.caller.clone(), tool, self.args.clone());
        let answered = self.shared.access.dispatch.run(operation).await;
        let answered = answered.map_err(|error| {
            let fault = Fault::of_operation(tool, error);
            Fault::saying(Code::PollFailed, format!("{tool}: {}", fault.message()))
        })?;
        // It was written from a value.
        let payload = serde_json::from_str(answered.answer.result.get()).unwrap_or_default();
        let judged = self.contract.check_emit(&self.channel, &payload);
        judged.map_err(|violations| {
            let message = format!("{tool}: the answer does not fit the schema of the channel");
            Fault::saying(Code::PollFailed, message).with(json!({ "violations": violations }))
        })?;
        Ok(payload)
    }
}
