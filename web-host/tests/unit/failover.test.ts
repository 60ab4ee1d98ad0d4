// The failover of the live channel: which way it takes when one stops working, and that no item is shown twice or lost.

import { describe, expect, it, vi } from "vitest";
import { Credential } from "../../src/runtime/live/credential";
import { Cursor } from "../../src/runtime/live/cursor";
import { eventLines } from "../../src/runtime/live/event-stream";
import { Failover, type LiveState } from "../../src/runtime/live/failover";
import { openPolling, openRelay } from "../../src/runtime/live/pages";
import {
  addressed,
  type Loss,
  type OpenTransport,
  type TransportEvents,
  type TransportName,
} from "../../src/runtime/live/transport";
import type { ServerFrame } from "../../src/wire/channel";
import type { SubscribeAck, WireError } from "../../src/wire/frames";
import { ManualClock, settled } from "./clock";

const item = (seq: number): ServerFrame => ({
  type: "data",
  payload: { sessionId: "s", channel: "log", mode: "append", payload: seq, seq, schemaVersion: "" },
});
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

describe("rows of the log", () => {
  it("become frames; of the props only the newest, nothing twice, and of what is painted already only items", () => {
    const cursor = new Cursor(2);
    const rows = [
      { seq: 1, type: "ui.updated", data: { props: { n: 0 } } },
      { seq: 2, type: "x-observed", data: { kind: "auth-required" } },
      { seq: 2.5, type: "ui.updated", data: { props: { n: 1 } } },
      { seq: 3, type: "x-drained", data: { eventIds: ["aaaaaaaa", "bbbbbbbb"], drainedAt: "t" } },
      { seq: 4, type: "x-data", data: item(1).payload },
      { seq: 5, type: "ui.updated", data: { props: { n: 2 } } },
      { seq: 6, type: "x-something", data: {} },
    ];
    const timed = rows.map((row) => ({ ...row, timestamp: "t" }));
    const frames = cursor.framesOf(timed);
    expect(frames.map(({ type }) => type)).toEqual([
      "drain_ack",
      "drain_ack",
      "data",
      "props_update",
    ]);
    expect((frames[3]!.payload as any).props).toEqual({ n: 2 });
    expect([cursor.framesOf(timed), cursor.sequence]).toEqual([[], 6]);
  });
});

describe("the lower transports", () => {
  const slice = {
    sessionId: "s",
    appId: "a",
    viewJson: "{}",
    propsJson: '{"n":9}',
    lastSequence: 40,
  };

  function opened(open: OpenTransport) {
    const clock = new ManualClock();
    const cursor = new Cursor(0);
    cursor.sequence = 5;
    const log: string[] = [];
    const transport = open(
      {
        sessionId: "s",
        appId: "a",
        clock,
        cursor,
        credential: new Credential("tok en", clock, []),
      },
      {
        up: () => log.push("up"),
        frame: ({ type }) => log.push(type),
        snapshot: ({ lastSequence }) => log.push(`snapshot ${lastSequence}`),
        down: (loss) => log.push(loss.kind),
      },
    );
    return { clock, cursor, log, transport };
  }

  function answers(...bodies: [number, unknown][]) {
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (url: string | URL) => {
      asked.push(String(url));
      const [status, body] = bodies.shift() ?? [200, { events: [], lastSequence: 0 }];
      return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
    });
    return asked;
  }

  it("read on after a horizon that passed, from a snapshot of the state", async () => {
    const asked = answers(
      [410, { reason: "REPLAY_HORIZON_PASSED", currentSequence: 41 }],
      [200, { "ai.ggui/render": slice }],
      [200, { events: [{ seq: 41, type: "x-data", data: item(1).payload }], lastSequence: 41 }],
    );
    const { log, cursor } = opened(openPolling("http://h/api/sessions/s/events?wsToken=old"));
    await vi.waitFor(() => expect(log).toEqual(["snapshot 40", "up", "data"]));
    expect(cursor.sequence).toBe(41);
    expect(asked.map((url) => url.replace("http://h/api/sessions/s", ""))).toEqual([
      "/events?wsToken=tok+en&sinceSequence=5&limit=500",
      "/state?wsToken=tok+en",
      "/events?wsToken=tok+en&sinceSequence=40&limit=500",
    ]);
  });

  it("tell a token that has ended from a session that has, and both from a bad moment", async () => {
    for (const [status, body, said] of [
      [410, "wsToken expired", "expired"],
      [404, "render not found", "ended"],
      [401, "wsToken invalid", "refused"],
      [500, "internal error", "lost"],
    ] as const) {
      answers([status, body]);
      const { log } = opened(openPolling("http://h/api/sessions/s/events"));
      await vi.waitFor(() => expect(log).toEqual([said]));
    }
  });

  it("read page after page before they show anything", async () => {
    const asked = answers(
      [200, { events: [{ seq: 6, type: "ui.updated", data: {} }], lastSequence: 8, hasMore: true }],
      [200, { events: [{ seq: 8, type: "ui.updated", data: {} }], lastSequence: 8 }],
    );
    const { log, clock } = opened(openPolling("http://h/api/sessions/s/events"));
    await vi.waitFor(() => expect(log).toEqual(["up", "props_update"]));
    await clock.pass(2000);
    expect(asked.at(-1)).toContain("sinceSequence=8");
  });

  it("pull through the host without holding it at first, and seldom once nothing happens", async () => {
    const calls: any[] = [];
    const relay = {
      callTool: async (_: string, args: any) => {
        calls.push(args);
        return { events: [], lastSequence: 5 };
      },
      readResource: async () => ({}),
    };
    const { clock, log } = opened(openRelay(relay));
    await clock.pass(0);
    expect(log).toEqual(["up"]);
    expect(calls.map(({ wait }) => wait)).toEqual([0, 20, 20]);
    await clock.pass(14_999);
    expect(calls).toHaveLength(3);
    await clock.pass(1);
    expect(calls).toHaveLength(4);
  });

  it("replace the token an address came with by the freshest", () => {
    const reading = { credential: { token: "new" } } as Parameters<typeof addressed>[1];
    expect(addressed("http://h/stream?wsToken=old&x=1", reading, { fromSeq: 4 })).toBe(
      "http://h/stream?wsToken=new&x=1&fromSeq=4",
    );
  });
});

describe("an event stream", () => {
  it("is read however it is cut, with its positions, and comments are nothing", () => {
    const seen: [string, string][] = [];
    const read = eventLines((data, id) => seen.push([data, id]));
    for (const piece of [
      "retry: 3000\n",
      "\n: hb\n\nda",
      'ta: {"a":1}\n',
      "\nid: 7\ndata: x\r",
      "\ndata: y\r\n\r\n",
    ])
      read(piece);
    expect(seen).toEqual([
      ['{"a":1}', ""],
      ["x\ny", "7"],
    ]);
  });
});

describe("a token", () => {
  let minted = 0;
  const token = (seconds: number) =>
    `h.${btoa(JSON.stringify({ iat: 50, exp: 50 + seconds, jti: minted++ })).replace(/=+$/, "")}.s`;

  it("is renewed before it ends, by the first who can, and again after that", async () => {
    const clock = new ManualClock();
    const asked: string[] = [];
    const credential = new Credential(token(180), clock, [
      async () => undefined,
      async (old) => {
        asked.push(old);
        return token(180);
      },
    ]);
    const first = credential.token;
    await clock.pass(149_999);
    expect(asked).toEqual([]);
    await clock.pass(1);
    expect(asked).toEqual([first]);
    await clock.pass(150_000);
    expect(asked).toHaveLength(2);
    credential.close();
    await clock.pass(600_000);
    expect(asked).toHaveLength(2);
  });

  it("that lives longer takes its place and is not renewed early", async () => {
    const clock = new ManualClock();
    const renewal = vi.fn(async () => undefined);
    new Credential(token(180), clock, [renewal]).adopt(token(3600));
    await clock.pass(3_500_000);
    expect(renewal).not.toHaveBeenCalled();
  });
});
