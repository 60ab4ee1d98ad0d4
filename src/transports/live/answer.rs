//! What a frame on a subscribed socket is answered with, each by its kind.

use governor::clock::Clock as _;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::feeds::Feeds;
use super::inbound::{echo, read_frame, read_payload, unsupported};
use super::line::Step;
use super::socket::{Socket, Subscribed};
use crate::domain::operation::{Answer, Operation, Signature, table};
use crate::transports::faults::Fault;
use crate::wire::fault::Code;
use crate::wire::frames::{ChannelSubscribe, ChannelUnsubscribe, HostContextObserved, ServerBody};
use crate::wire::object::Object;

/// The name under which the wire knows an action frame.
const FRAME: &str = "ggui_event";
/// The one kind of action there is.
const SUBMIT: &str = "data:submit";

impl Socket {
    /// Answers a frame of a subscribed socket.
    pub(super) async fn answer(
        &mut self,
        text: &str,
        subscribed: &Subscribed,
        feeds: &mut Feeds,
    ) -> Step<()> {
        let frame = match read_frame(text) {
            Ok(frame) => frame,
            Err(fault) => return self.line.refuse(&fault, None).await,
        };
        let request_id = echo(&frame);
        match &*frame.kind {
            "action" => match self.act(frame.payload, subscribed).await {
                Ok(Answer { result, .. }) => {
                    self.line
                        .reply(ServerBody::WrittenAck(&result), request_id)
                        .await
                }
                Err(fault) => self.line.refuse(&fault, request_id).await,
            },
            "ping" => self.line.pong(request_id).await,
            "host_context_observed" => match self.observe_host(frame.payload, subscribed).await {
                // What went well is not answered (live-channel.md §7).
                Ok(()) => Ok(()),
                Err(fault) => self.line.refuse(&fault, request_id).await,
            },
            "channel_subscribe" => {
                self.feed(feeds, frame.payload, subscribed, request_id)
                    .await
            }
            "channel_unsubscribe" => {
                // Never answered, whatever it says (live-channel.md §2).
                if let Ok(asked) = read_payload::<ChannelUnsubscribe>(frame.payload)
                    && asked.session_id == subscribed.key.session.as_str()
                {
                    feeds.end(&asked.channel_name);
                }
                Ok(())
            }
            // One socket, one subscription.
            "subscribe" => {
                self.line
                    .refuse(&Fault::of(Code::UnauthenticatedFrame), request_id)
                    .await
            }
            kind => self.line.refuse(&unsupported(kind), request_id).await,
        }
    }

    /// What a mount tells of its host is kept, if it is no more than that (live-channel.md §7).
    async fn observe_host(
        &self,
        payload: Option<&RawValue>,
        subscribed: &Subscribed,
    ) -> Result<(), Fault> {
        self.check_rate()?;
        check_size(payload, self.shared.limits.mounts.host_bytes_max)?;
        let observed: HostContextObserved = read_payload(payload)?;
        if observed.session_id != subscribed.key.session.as_str() {
            return Err(Fault::of(Code::SessionMismatch));
        }
        let arguments = json!({
            "sessionId": observed.session_id,
            "hostContext": observed.host_context,
        });
        self.dispatch::<table::ObserveHost>(subscribed, arguments)
            .await?;
        Ok(())
    }

    /// Runs what a frame asks for.
    async fn dispatch<O: Signature>(
        &self,
        subscribed: &Subscribed,
        arguments: Value,
    ) -> Result<Answer, Fault> {
        let operation = Operation::new(subscribed.caller.clone(), O::NAME, arguments);
        let answered = self.shared.access.dispatch.run(operation).await;
        let answered = answered.map_err(|error| Fault::of_operation(FRAME, error).in_frame())?;
        Ok(answered.answer)
    }

    /// A channel that a tool feeds is wanted; what went well is answered by what it gives
    /// (live-channel.md §8.4).
    async fn feed(
        &mut self,
        feeds: &mut Feeds,
        payload: Option<&RawValue>,
        subscribed: &Subscribed,
        request_id: Option<&str>,
    ) -> Step<()> {
        let asked = match self.read_channel_request(payload) {
            Ok(asked) => asked,
            Err(fault) => return self.line.refuse(&fault, request_id).await,
        };
        let Subscribed { caller, key, .. } = subscribed;
        let channel = asked.channel_name.clone();
        let Err(fault) = feeds.begin(&self.shared, caller, key, asked).await else {
            return Ok(());
        };
        let frame = fault.to_channel_frame(&key.session, &channel, request_id);
        self.line.send_all(vec![frame.into()]).await
    }

    fn read_channel_request(&self, payload: Option<&RawValue>) -> Result<ChannelSubscribe, Fault> {
        self.check_rate()?;
        check_size(payload, self.shared.limits.channels.request_bytes_max)?;
        read_payload(payload)
    }

    fn check_rate(&self) -> Result<(), Fault> {
        self.action_rate.check().map_err(|wait| {
            let wait = wait.wait_time_from(self.action_rate.clock().now());
            Fault::too_fast(Code::RateLimitedFrame, wait)
        })
    }

    async fn act(
        &self,
        payload: Option<&RawValue>,
        subscribed: &Subscribed,
    ) -> Result<Answer, Fault> {
        self.check_rate()?;
        let bytes = payload.map_or(0, |payload| payload.get().len());
        let reading = async { read_payload::<Object>(payload) };
        let dispatch = &self.shared.access.dispatch;
        let principal = &subscribed.caller.principal;
        let read = dispatch.read(principal, bytes, reading).await;
        let arguments = read.map_err(|error| Fault::from(error).in_frame())??;
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        // One without a session is refused where the arguments are decoded.
        if text("sessionId").is_some_and(|id| id != subscribed.key.session.as_str()) {
            return Err(Fault::of(Code::SessionMismatch));
        }
        if text("type") != Some(SUBMIT) {
            let message = format!("payload.type must be \"{SUBMIT}\"");
            return Err(Fault::saying(Code::InvalidMessage, message));
        }
        self.dispatch::<table::Act>(subscribed, arguments.into())
            .await
    }
}

/// Whether a payload is small enough for what it says.
fn check_size(payload: Option<&RawValue>, max: usize) -> Result<(), Fault> {
    if payload.is_some_and(|payload| payload.get().len() > max) {
        let message = format!("payload: at most {max} bytes");
        return Err(Fault::saying(Code::InvalidMessage, message));
    }
    Ok(())
}
