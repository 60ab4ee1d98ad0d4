// Channels that tools feed: over the socket, through the host while it is away, and through the host for good.

import { describe, expect, it } from "vitest";
import type { Slice } from "../../src/runtime/slice";
import { ToolChannels } from "../../src/runtime/tool-channels";
import type { ClientFrame } from "../../src/wire/channel";
import { ManualClock, settled } from "./clock";

const state = { name: "state", tool: "ggui_get_session", mode: "replace" as const };
const deals = { name: "deals", tool: "crm_deals", args: { top: 3 }, mode: "append" as const };

function setup(more: Partial<Slice> = {}) {
  const clock = new ManualClock();
  const line = { sends: true, relays: true, fails: false, wanted: true };
  const sent: ClientFrame[] = [];
  const asked: [string, unknown][] = [];
  const pushed: [string, string, unknown][] = [];
  const observed: string[] = [];
  const failing: boolean[] = [];
  const slice: Slice = {
    sessionId: "s",
    appId: "a",
    toolChannels: [state],
    streamWebSocketLocalTools: ["ggui_get_session"],
    ...more,
  };
  const channels = new ToolChannels(slice, {
    clock,
    wanted: () => line.wanted,
    sends: () => line.sends,
    send: (frame) => sent.push(frame),
    relays: () => line.relays,
    ask: async (tool, args) => {
      asked.push([tool, args]);
      if (line.fails) throw new Error("no");
      return { n: asked.length };
    },
    push: ({ channel, mode, payload }) => pushed.push([channel, mode, payload]),
    observe: ({ kind, reason, transport }: any) =>
      observed.push([kind.replace("channel-", ""), reason ?? transport].filter(Boolean).join(" ")),
    failing: (any) => failing.at(-1) !== any && failing.push(any),
  });
  return { channels, clock, line, sent, asked, pushed, observed, failing };
}

describe("a channel that a tool feeds", () => {
  it("is asked for over the socket where the server lists the tool, and folded as the contract says", async () => {
    const { channels, clock, sent, asked, pushed, observed } = setup({
      toolChannels: [{ ...state, mode: "append" }],
    });
    channels.moved();
    channels.moved();
    expect(sent).toEqual([
      { type: "channel_subscribe", payload: { sessionId: "s", channelName: "state" } },
    ]);
    channels.fed({ channelName: "state", payload: 1 });
    channels.fed({ channelName: "other", payload: 2 });
    await clock.pass(60_000);
    expect([pushed, asked, observed]).toEqual([
      [["state", "append", 1]],
      [],
      ["transport-picked ws"],
    ]);
  });

  it("is asked for through the host while the socket is away, until the server feeds it again", async () => {
    const { channels, clock, line, sent, asked, pushed, observed } = setup();
    channels.moved();
    line.sends = false;
    channels.moved();
    await settled();
    expect(asked).toEqual([["ggui_get_session", { sessionId: "s" }]]);
    await clock.pass(10_000);
    expect(asked.length).toBe(2);
    line.sends = true;
    channels.moved();
    expect(sent.length).toBe(2);
    await clock.pass(10_000);
    expect(asked.length).toBe(3);
    channels.fed({ channelName: "state", payload: { n: 9 } });
    await clock.pass(60_000);
    expect(asked.length).toBe(3);
    expect(pushed.map(([, , payload]) => (payload as { n: number }).n)).toEqual([1, 2, 3, 9]);
    expect(observed).toEqual([
      "transport-picked ws",
      "transport-fallback ws-disconnect",
      "transport-resubscribed",
    ]);
  });

  it("is asked for through the host from the start where the server does not list the tool", async () => {
    const { channels, clock, sent, asked, pushed, observed } = setup({ toolChannels: [deals] });
    channels.moved();
    await clock.pass(20_000);
    expect([sent, observed]).toEqual([[], ["transport-picked poll"]]);
    expect(asked).toEqual(Array(3).fill(["crm_deals", { top: 3 }]));
    expect(pushed[0]).toEqual(["deals", "append", { n: 1 }]);
  });

  it.each(["CHANNEL_NOT_LOCAL", "CHANNEL_UNKNOWN", "SESSION_NOT_FOUND", "CHANNEL_LIMIT"])(
    "is asked for through the host for good once the server has said %s",
    async (code) => {
      const { channels, clock, line, sent, asked, observed } = setup();
      channels.moved();
      channels.refused({ channelName: "state", code: "POLL_FAILED" });
      expect(asked).toEqual([]);
      channels.refused({ channelName: "state", code });
      for (const sends of [false, true]) {
        line.sends = sends;
        channels.moved();
      }
      await clock.pass(10_000);
      expect([sent.length, asked.length, observed.at(-1)]).toEqual([
        1,
        2,
        "transport-fallback channel-not-local",
      ]);
    },
  );

  it("is told to be without data from an answer that does not fit until the next one that does, whichever way they come", async () => {
    const { channels, clock, line, failing } = setup({ toolChannels: [state, deals] });
    channels.moved();
    await clock.pass(0);
    channels.refused({ channelName: "state", code: "POLL_FAILED" });
    channels.refused({ channelName: "state", code: "POLL_FAILED" });
    expect(failing).toEqual([false, true]);
    line.fails = true;
    await clock.pass(10_000);
    channels.fed({ channelName: "state", payload: 1 });
    expect(failing).toEqual([false, true]);
    line.fails = false;
    await clock.pass(10_000);
    expect(failing).toEqual([false, true, false]);
  });

  it("stands still where the host relays nothing, which is told once and looked at now and then", async () => {
    const { channels, clock, line, asked, pushed, observed } = setup({ toolChannels: [deals] });
    line.relays = false;
    channels.moved();
    await clock.pass(60_000);
    expect([asked, observed]).toEqual([
      [],
      ["transport-picked poll", "poll-degraded relay-incapable"],
    ]);
    line.relays = true;
    line.fails = true;
    await clock.pass(30_000);
    expect(observed.length).toBe(2);
    line.fails = false;
    await clock.pass(10_000);
    expect([pushed.length, observed.at(-1)]).toEqual([1, "poll-recovered"]);
  });

  it("is left alone once the mount is closed, an answer under way included", async () => {
    const { channels, clock, asked, pushed } = setup({ toolChannels: [deals] });
    channels.moved();
    channels.close();
    await clock.pass(60_000);
    expect([asked.length, pushed]).toEqual([1, []]);
  });

  it("is given up where the picture has become history, and asked for again where it is that no longer", async () => {
    const { channels, clock, line, sent, asked } = setup({ toolChannels: [state, deals] });
    channels.moved();
    line.wanted = false;
    channels.moved();
    await clock.pass(60_000);
    expect([sent.map(({ type }) => type), asked.length]).toEqual([
      ["channel_subscribe", "channel_unsubscribe"],
      1,
    ]);
    line.wanted = true;
    channels.moved();
    await clock.pass(10_000);
    expect([sent.at(-1)?.type, asked.length]).toEqual(["channel_subscribe", 3]);
  });
});
