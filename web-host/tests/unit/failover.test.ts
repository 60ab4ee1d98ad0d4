// The failover of the live channel: which way it takes when one stops working, and that no item is shown twice or lost.

import { describe, expect, it } from "vitest";
import { Credential } from "../../src/runtime/live/credential";
import { Cursor } from "../../src/runtime/live/cursor";
import { Failover, type LiveState } from "../../src/runtime/live/failover";
import type {
  Loss,
  OpenTransport,
  TransportEvents,
  TransportName,
} from "../../src/runtime/live/transport";
import type { SubscribeAck, WireError } from "../../src/wire/frames";
import { ManualClock, settled } from "./clock";
import { item } from "./frames";

/** As much of an ack as these tests are about. */
const ack = (streamSeq: number, more: object = {}) =>
  ({ sequence: 10, streamSeq, session: { id: "s", appId: "a" }, ...more }) as SubscribeAck;

/** A transport that does what the test says. */
class Script {
  opened = 0;
  closed = 0;
  nudged = 0;
  events!: TransportEvents;
  onOpen = (_: TransportEvents): void => undefined;
  readonly open: OpenTransport = (_, events) => {
    this.opened += 1;
    this.events = events;
    this.onOpen(events);
    return {
      close: () => void (this.closed += 1),
      nudge: () => void (this.nudged += 1),
      ...(this.sends ? { send: () => undefined } : {}),
    };
  };
  constructor(readonly sends = false) {}
  down(kind: Loss["kind"] = "lost") {
    this.events.down(
      (kind === "lost" || kind === "expired"
        ? { kind }
        : { kind, error: { code: "X", message: "" } }) as Loss,
    );
  }
}

function failover(renewals: (() => Promise<string | undefined>)[] = []) {
  const clock = new ManualClock();
  const scripts = {
    ws: new Script(true),
    sse: new Script(),
    poll: new Script(),
    relay: new Script(),
  };
  const seen: number[] = [];
  const states: string[] = [];
  const ended: WireError[] = [];
  const cursor = new Cursor(0);
  const credential = new Credential("t0", clock, renewals);
  const reading = { sessionId: "s", appId: "a", clock, cursor, credential };
  const usable = { relay: true };
  const steps = (Object.keys(scripts) as TransportName[]).map((name) => ({
    name,
    open: scripts[name].open,
    ...(name === "relay" ? { usable: () => usable.relay } : {}),
  }));
  const channel = new Failover(steps, reading, {
    state: (state: LiveState, transport) =>
      states.push(state === "open" ? `${state}:${transport}` : state),
    ack: () => undefined,
    snapshot: () => undefined,
    frame: (frame) => frame.type === "data" && seen.push((frame.payload as { seq: number }).seq),
    ended: (error) => ended.push(error),
  });
  channel.open();
  return { ...scripts, clock, channel, seen, states, ended, cursor, credential, usable };
}

describe("the failover", () => {
  it("takes the next way down after two sockets that never came up, and reads on from the same position", async () => {
    const { ws, sse, clock, states, cursor } = failover();
    ws.down();
    await clock.pass(1000);
    expect([ws.opened, sse.opened]).toEqual([2, 0]);
    ws.down();
    expect(sse.opened).toBe(1);
    sse.events.up(ack(0));
    sse.events.frame(item(1));
    expect([states.at(-1), cursor.streamSeq]).toEqual(["open:sse", 1]);
  });

  it("does not wait twice for a socket that hangs", () => {
    const { ws, sse } = failover();
    ws.events.down({ kind: "lost", slow: true });
    expect(sse.opened).toBe(1);
  });

  it("tries a socket that worked three times before it goes down, at once after a restart", async () => {
    const { ws, sse, clock, states } = failover();
    ws.events.up(ack(0));
    ws.events.down({ kind: "lost", soon: true });
    await clock.pass(100);
    expect(ws.opened).toBe(2);
    ws.down();
    await clock.pass(2000);
    expect([ws.opened, sse.opened]).toEqual([3, 0]);
    ws.down();
    expect(sse.opened).toBe(1);
    expect(states).toEqual(["open:ws", "away"]);
  });

  it("shows an item once when the socket and the way below both bring it, and none is lost between them", async () => {
    const { ws, sse, clock, seen } = failover();
    ws.down("refused");
    sse.events.up(ack(0));
    for (const seq of [1, 2, 3]) sse.events.frame(item(seq));
    await clock.pass(10_000);
    expect(ws.opened).toBe(2);
    // The socket is there with item 5, while items 4 and 5 are still on their way here.
    ws.events.up(ack(5));
    ws.events.frame(item(5));
    ws.events.frame(item(6));
    expect(seen).toEqual([1, 2, 3]);
    sse.events.frame(item(4));
    expect(sse.closed).toBe(0);
    sse.events.frame(item(5));
    expect([sse.closed, sse.nudged]).toEqual([1, 1]);
    ws.events.frame(item(7));
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it("does not wait for ever for what the way below owes", async () => {
    const { ws, sse, clock, seen } = failover();
    ws.down("refused");
    sse.events.up(ack(0));
    await clock.pass(10_000);
    ws.events.up(ack(2));
    ws.events.frame(item(2));
    await clock.pass(3000);
    expect([seen, sse.closed]).toEqual([[2], 1]);
  });

  it("climbs step by step and ever more seldom, while the way it has goes on", async () => {
    const { ws, sse, poll, clock, states } = failover();
    ws.down("refused");
    sse.down("refused");
    poll.events.up();
    ws.onOpen = () => queueMicrotask(() => ws.down());
    sse.onOpen = () => queueMicrotask(() => sse.down());
    await clock.pass(10_000);
    expect([ws.opened, sse.opened, poll.closed]).toEqual([2, 2, 0]);
    await clock.pass(19_999);
    expect(ws.opened).toBe(2);
    sse.onOpen = () => undefined;
    await clock.pass(1);
    expect([ws.opened, sse.opened]).toEqual([3, 3]);
    sse.events.up(ack(0));
    expect([states.at(-1), poll.closed]).toEqual(["open:sse", 1]);
    expect(states).not.toContain("away");
  });

  it("renews a token that has ended and tries the same way again with it", async () => {
    const { ws, credential } = failover([async () => "t1"]);
    ws.down("expired");
    await settled();
    expect([ws.opened, credential.token]).toEqual([2, "t1"]);
  });

  it("goes to the host when no token is to be had, which needs none", async () => {
    const { ws, sse, poll, relay, states } = failover();
    ws.down("expired");
    await settled();
    sse.down("expired");
    poll.down("expired");
    relay.events.up();
    expect(states.at(-1)).toBe("open:relay");
  });

  it("ends when every way is closed, and tells why", async () => {
    const { ws, sse, poll, usable, ended } = failover();
    usable.relay = false;
    ws.down("expired");
    await settled();
    sse.down("refused");
    poll.down("expired");
    expect(ended.map(({ code }) => code)).toEqual(["BOOTSTRAP_EXPIRED"]);
  });

  it("says that it is offline only after a while, and starts from the top when the network is back", async () => {
    const { ws, sse, poll, relay, clock, channel, states } = failover();
    ws.events.up(ack(0));
    for (const script of [ws, sse, poll, relay])
      script.onOpen = () => queueMicrotask(() => script.down());
    ws.down();
    await clock.pass(14_999);
    expect(states).toEqual(["open:ws", "away"]);
    await clock.pass(60_000);
    expect(states).toEqual(["open:ws", "away", "offline"]);
    const tried = ws.opened;
    ws.onOpen = () => undefined;
    channel.retry();
    await clock.pass(60_000);
    expect(ws.opened).toBeGreaterThan(tried);
    ws.events.up(ack(0));
    expect(states.at(-1)).toBe("open:ws");
  });

  it("does not wait long after the network is back, though the attempt that was under way is lost with it", async () => {
    const { ws, sse, poll, relay, clock, channel } = failover();
    const tried = () => ws.opened + sse.opened + poll.opened + relay.opened;
    for (const script of [ws, sse, poll, relay])
      script.onOpen = () => queueMicrotask(() => script.down());
    ws.down();
    await clock.pass(300_000);
    relay.onOpen = () => undefined;
    await clock.pass(300_000);
    channel.retry();
    const before = tried();
    relay.down();
    await clock.pass(2000);
    expect(tried()).toBeGreaterThan(before);
  });

  it("is quiet for ever once its session is over", async () => {
    const { ws, clock, ended, channel } = failover();
    ws.events.up(ack(0));
    ws.down("ended");
    channel.retry();
    await clock.pass(600_000);
    expect([ws.opened, ended.length, channel.sends]).toEqual([1, 1, false]);
  });

  it("moves to where the ack stood once the first answer after it has come", () => {
    const { ws, cursor } = failover();
    ws.events.up(ack(3));
    ws.events.frame(item(3));
    expect(cursor.sequence).toBe(0);
    ws.events.frame({ type: "pong", payload: {} });
    expect(cursor.sequence).toBe(10);
  });
});
