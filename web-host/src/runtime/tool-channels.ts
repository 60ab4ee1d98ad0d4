// Channels that a tool feeds: over the socket where the server asks the tool itself, and through
// the host where it does not, or while the socket is away.

import type { ClientFrame } from "../wire/channel";
import type { PayloadOf } from "../wire/frames";
import type { Json, JsonObject } from "../wire/json";
import type { ChannelFallback, ObservedEvent } from "../wire/observe";
import type { ToolChannel } from "../wire/slice";
import type { Clock } from "./live/clock";
import type { Slice } from "./slice";

const POLL_EVERY = 10_000;
/** How often the host is checked again for a relay of tools. */
const PROBE_EVERY = 30_000;
/** Refusals after which the server is not asked again in this mount. */
const forGood = new Set([
  "CHANNEL_NOT_LOCAL",
  "CHANNEL_UNKNOWN",
  "SESSION_NOT_FOUND",
  "CHANNEL_LIMIT",
]);
/** Tools that need to know the session they are called for. */
const OWN_TOOLS = /^ggui_/;

interface ToolChannelPorts {
  readonly clock: Clock;
  /** False once the mount shows history. */
  wanted(): boolean;
  /** Frames can be sent over the socket now. */
  sends(): boolean;
  send(frame: ClientFrame): void;
  relays(): boolean;
  /** The structured result of a tool; rejected where it failed. */
  ask(tool: string, args: JsonObject): Promise<Json>;
  push(
    frame: Pick<PayloadOf<"data">, "sessionId" | "channel" | "mode" | "payload" | "complete">,
  ): void;
  observe(event: ObservedEvent): void;
  /** Whether the last result for any of the channels was unusable. */
  failing(any: boolean): void;
}

interface Feed {
  readonly channel: ToolChannel;
  /** The server may be asked for it. */
  isLocal: boolean;
  way?: "ws" | "poll";
  isDegraded: boolean;
  isFailing: boolean;
  cancelPoll?: () => void;
}

export class ToolChannels {
  readonly #slice: Slice;
  readonly #ports: ToolChannelPorts;
  readonly #feeds = new Map<string, Feed>();

  constructor(slice: Slice, ports: ToolChannelPorts) {
    this.#slice = slice;
    this.#ports = ports;
    const local = new Set(slice.streamWebSocketLocalTools);
    for (const channel of slice.toolChannels ?? [])
      this.#feeds.set(channel.name, {
        channel,
        isLocal: local.has(channel.tool),
        isDegraded: false,
        isFailing: false,
      });
  }

  /** The live channel connected, was lost or changed transports; or polling starts or stops. */
  moved(): void {
    if (!this.#ports.wanted()) return this.#pause();
    const isSocket = this.#ports.sends();
    for (const feed of this.#feeds.values()) {
      if (!feed.isLocal) this.#poll(feed, "channel-not-local");
      else if (!isSocket) this.#poll(feed, "ws-disconnect");
      else this.#subscribe(feed);
    }
  }

  fed({
    channelName,
    payload,
  }: Pick<PayloadOf<"channel_payload">, "channelName" | "payload">): void {
    const feed = this.#feeds.get(channelName);
    if (feed?.way !== "ws") return;
    // The host was polled until here, so that nothing stands still while the socket comes back.
    this.#stop(feed);
    this.#push(feed, payload);
  }

  refused({ channelName, code }: Pick<PayloadOf<"channel_error">, "channelName" | "code">): void {
    const feed = this.#feeds.get(channelName);
    if (!feed) return;
    if (!forGood.has(code)) return this.#failing(feed, feed.way === "ws");
    feed.isLocal = false;
    this.#poll(feed, "channel-not-local");
  }

  close(): void {
    this.#pause();
    this.#feeds.clear();
  }

  #pause(): void {
    const { sessionId } = this.#slice;
    for (const feed of this.#feeds.values()) {
      this.#stop(feed);
      if (feed.way === "ws" && this.#ports.sends())
        this.#ports.send({
          type: "channel_unsubscribe",
          payload: { sessionId, channelName: feed.channel.name },
        });
      delete feed.way;
    }
  }

  #subscribe(feed: Feed): void {
    if (feed.way === "ws") return;
    const about = this.#about(feed);
    this.#ports.observe(
      feed.way
        ? { kind: "channel-transport-resubscribed", ...about }
        : { kind: "channel-transport-picked", ...about, transport: "ws" },
    );
    feed.way = "ws";
    const { sessionId } = this.#slice;
    this.#ports.send({
      type: "channel_subscribe",
      payload: { sessionId, channelName: feed.channel.name },
    });
  }

  #poll(feed: Feed, reason: ChannelFallback): void {
    if (feed.way === "poll") return;
    const about = this.#about(feed);
    this.#ports.observe(
      feed.way
        ? { kind: "channel-transport-fallback", ...about, reason }
        : { kind: "channel-transport-picked", ...about, transport: "poll" },
    );
    feed.way = "poll";
    if (!feed.cancelPoll) void this.#ask(feed);
  }

  async #ask(feed: Feed): Promise<void> {
    let isOver = false;
    feed.cancelPoll = () => (isOver = true);
    const isRelayed = this.#ports.relays();
    const answer = isRelayed
      ? await this.#ports.ask(feed.channel.tool, this.#args(feed.channel)).catch(() => undefined)
      : undefined;
    if (isOver) return;
    if (answer !== undefined) this.#push(feed, answer);
    else if (isRelayed) this.#failing(feed, true);
    if (feed.isDegraded ? answer !== undefined : !isRelayed) {
      feed.isDegraded = !feed.isDegraded;
      const about = this.#about(feed);
      this.#ports.observe(
        feed.isDegraded
          ? {
              kind: "channel-poll-degraded",
              ...about,
              reason: "relay-incapable",
              probeIntervalMs: PROBE_EVERY,
            }
          : { kind: "channel-poll-recovered", ...about, pollIntervalMs: POLL_EVERY },
      );
    }
    feed.cancelPoll = this.#ports.clock.after(
      isRelayed ? POLL_EVERY : PROBE_EVERY,
      () => void this.#ask(feed),
    );
  }

  #args({ tool, args = {} }: ToolChannel): JsonObject {
    return OWN_TOOLS.test(tool) ? { sessionId: this.#slice.sessionId, ...args } : args;
  }

  /** Combined as the contract says, regardless of the frame: each result of a tool is complete. */
  #push(feed: Feed, payload: Json): void {
    const { name, mode } = feed.channel;
    this.#failing(feed, false);
    this.#ports.push({
      sessionId: this.#slice.sessionId,
      channel: name,
      mode,
      payload,
    });
  }

  #failing(feed: Feed, isFailing: boolean): void {
    feed.isFailing = isFailing;
    this.#ports.failing([...this.#feeds.values()].some((each) => each.isFailing));
  }

  #stop(feed: Feed): void {
    feed.cancelPoll?.();
    delete feed.cancelPoll;
  }

  /** The session and the channel that an event is about. */
  #about(feed: Feed) {
    return { sessionId: this.#slice.sessionId, channelName: feed.channel.name };
  }
}
