// The ways below the socket, the rows and events they bring, and the token they come with.

import { describe, expect, it, vi } from "vitest";
import { Credential } from "../../src/runtime/live/credential";
import { Cursor } from "../../src/runtime/live/cursor";
import { eventLines } from "../../src/runtime/live/event-stream";
import { openPolling, openRelay } from "../../src/runtime/live/pages";
import { addressed, type OpenTransport } from "../../src/runtime/live/transport";
import { ManualClock } from "./clock";
import { item } from "./frames";

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
