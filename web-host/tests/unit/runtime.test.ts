// The guest's slice, its store, its actions and its reconnects.

import { describe, expect, it, vi } from "vitest";
import { type ActionRoutes, Actions } from "../../src/runtime/actions";
import { doorbell } from "../../src/runtime/doorbell";
import { observedContext } from "../../src/runtime/host-context";
import { ModelContext } from "../../src/runtime/model-context";
import { readLocator, readMeta, readShell } from "../../src/runtime/slice";
import { SessionStore } from "../../src/runtime/store";
import { Telemetry } from "../../src/runtime/telemetry";
import { addRow } from "../../src/stage/activity-log";
import { sentenceFor } from "../../src/strings";
import type { ActionRequest } from "../../src/wire/frames";
import { ManualClock } from "./clock";
import { view } from "./mount";

const slice = {
  sessionId: "s",
  appId: "a",
  viewJson: JSON.stringify(view({ id: "root", component: "Divider" })),
  propsJson: '{"n":1}',
  contextSlots: [{ name: "slot", contextName: "SlotContext", schema: {}, default: 2 }],
};

describe("a slice", () => {
  it("is read from an envelope, and absent from others", () => {
    expect(readMeta({ "ai.ggui/render": slice }).kind).toBe("slice");
    expect(readMeta(undefined).kind).toBe("none");
  });
  it("that is malformed or expired is refused with its reason", () => {
    const reason = (more: object) => {
      const result = readMeta({ "ai.ggui/render": { ...slice, ...more } });
      return result.kind === "failed" ? result.reason : result.kind;
    };
    expect(reason({ sessionId: "" })).toBe("MALFORMED_RENDER");
    expect(reason({ wsUrl: "ws://x" })).toBe("MALFORMED_RENDER");
    expect(reason({ epoch: -1 })).toBe("MALFORMED_RENDER");
    expect(reason({ viewJson: undefined })).toBe("MISSING_META_GGUI_BOOTSTRAP");
    expect(
      reason({
        viewJson: undefined,
        wsUrl: "ws://x",
        wsToken: "t",
        expiresAt: "2020-01-01T00:00:00Z",
      }),
    ).toBe("EXPIRED_BOOTSTRAP");
  });
  it("is found again inside a shell, and its locator inside a tool result", () => {
    expect(readShell('<script>globalThis.__GGUI_META__ = {"a":1};</script>')).toEqual({ a: 1 });
    expect(readShell("<p>")).toBeUndefined();
    expect(readLocator({ structuredContent: { resourceUri: "ui://ggui/render/s" } })).toBe(
      "ui://ggui/render/s",
    );
    expect(readLocator({ _meta: { ui: { resourceUri: "https://evil" } } })).toBeUndefined();
  });
});

describe("the store", () => {
  const data = (channel: string, mode: "append" | "replace", payload: any, complete?: boolean) => ({
    sessionId: "s",
    channel,
    mode,
    payload,
    seq: 1,
    ...(complete ? { complete } : {}),
  });
  it("paints props, context and view from the slice", () => {
    const store = new SessionStore();
    store.seed(slice);
    expect(store.view.value).not.toBeNull();
    expect(store.model.read(["props", "n"])).toBe(1);
    expect(store.model.read(["context", "slot"])).toBe(2);
  });
  it("applies the frames of one animation frame together", () => {
    const store = new SessionStore();
    for (let i = 0; i < 1500; i++) store.push(data("log", "append", i));
    store.push(data("log", "append", null, true));
    expect(store.model.read(["streams", "log"])).toBeUndefined();
    store.flush();
    const items = store.model.read(["streams", "log"]) as number[];
    expect([items.length, items.at(-1), store.model.read(["complete", "log"])]).toEqual([
      1000,
      1499,
      true,
    ]);
  });
  it("applies at once what waits for a frame nobody looks at", () => {
    const store = new SessionStore();
    for (let i = 0; i < 2500; i++) store.push(data("log", "append", i));
    expect((store.model.read(["streams", "log"]) as number[]).at(-1)).toBe(1999);
    store.flush();
    expect((store.model.read(["streams", "log"]) as number[]).at(-1)).toBe(2499);
  });
  it("keeps the view in which somebody is at work, and shows the newest one afterwards", () => {
    vi.useFakeTimers();
    const store = new SessionStore();
    store.seed(slice);
    let busy = true;
    store.isBusy = () => busy;
    const before = store.view.value;
    const drawn = (text: string) =>
      JSON.parse(JSON.stringify(view({ id: "root", component: "Text", text })));
    store.apply({ view: drawn("one") });
    store.apply({ view: drawn("two"), props: { n: 2 } });
    vi.advanceTimersByTime(5000);
    expect(store.view.value).toBe(before);
    expect(store.model.read(["props", "n"])).toBe(2);
    busy = false;
    vi.advanceTimersByTime(500);
    expect(store.view.value?.components.get("root")).toMatchObject({ text: "two" });
    vi.useRealTimers();
  });
  it("follows a newer epoch, and freezes only what a chat host pinned", () => {
    const store = new SessionStore();
    store.seed(slice);
    store.updateProps({ props: { n: 2 }, epoch: 1 });
    expect(store.model.read(["props", "n"])).toBe(2);
    store.pin();
    store.updateProps({ props: { n: 3 }, epoch: 2 });
    expect([store.model.read(["props", "n"]), store.frozen.value]).toEqual([2, true]);
    store.push(data("log", "append", "new"));
    store.updateProps({ props: { n: 4 } });
    store.flush();
    expect([store.model.read(["streams", "log"]), store.model.read(["props", "n"])]).toEqual([
      undefined,
      2,
    ]);
    store.seed({ ...slice, propsJson: '{"n":3}', epoch: 2 });
    expect([store.model.read(["props", "n"]), store.frozen.value]).toEqual([3, false]);
  });
});

describe("a card of a chat", () => {
  it("is history at once where something newer was heard of before its result came", () => {
    const store = new SessionStore();
    store.seed({ ...slice, epoch: 2, propsJson: '{"n":3}' });
    store.pin();
    expect(store.frozen.value).toBe(false);
    store.seed({ ...slice, epoch: 0 });
    expect([store.model.read(["props", "n"]), store.frozen.value]).toEqual([1, true]);
  });
});

describe("what the host's model is told", () => {
  const action = (actionId: string) => ({
    sessionId: "s",
    type: "data:submit" as const,
    actionId,
    firedAt: "2026-01-01T00:00:00Z",
    payload: { action: "go", data: { n: 1 }, uiContext: {} },
  });
  it("is all of it each time, and an action only until the agent has it", () => {
    vi.useFakeTimers();
    try {
      const told: (readonly string[])[] = [];
      const calls: string[] = [];
      const context = new ModelContext(
        { ...slice, contextSlots: [{ name: "slot", debounceMs: 0 }] } as any,
        {
          relaysTools: true,
          callTool: async (name) => void calls.push(name),
          updateModelContext: (texts) => told.push(texts),
        },
      );
      context.did(action("a1"));
      context.set({ slot: 3 });
      vi.advanceTimersByTime(1);
      expect(told[1]).toEqual([
        '[ggui:context] {"snapshot":{"slot":3}}',
        expect.stringContaining(
          '[ggui:pending-action] {"actionId":"a1","intent":"go","data":{"n":1}',
        ),
      ]);
      expect(calls).toEqual(["ggui_runtime_sync_context"]);
      context.drained({ eventId: "other" });
      expect(told.length).toBe(2);
      context.drained({ eventId: "a1" });
      expect(told[2]).toEqual(['[ggui:context] {"snapshot":{"slot":3}}']);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("an action on its way", () => {
  function setup(more: Partial<ActionRoutes> = {}) {
    const sent: string[] = [];
    const rung: string[] = [];
    const observed: string[] = [];
    const routes: ActionRoutes = {
      sessionId: "s",
      context: () => ({}),
      agreed: () => undefined,
      frozen: () => false,
      live: () => true,
      mayRecover: () => true,
      send: (_, request) => sent.push(request.actionId),
      accepted: () => {},
      ring: (request) => rung.push(request.actionId),
      observe: (event) => observed.push(event.kind),
      ...more,
    };
    return { actions: new Actions(() => routes), sent, rung, observed };
  }
  it("reaches nobody where the picture is history, and that is said", () => {
    const { actions, sent } = setup({ frozen: () => true });
    actions.fire("c", "go", null);
    expect(sent).toEqual([]);
    expect(actions.state("c").value).toEqual({
      phase: "failed",
      message: "This is an earlier version. A newer one was shown later.",
    });
  });
  it("reaches nobody where the person may only look, and that is said", () => {
    const { actions, sent } = setup({ mayAct: false });
    actions.fire("c", "go", null);
    expect(sent).toEqual([]);
    expect(actions.state("c").value).toEqual({
      phase: "failed",
      message: "You can look at this, but not act on it.",
    });
  });
  it("is pending, sent, then received by the agent", () => {
    const { actions, sent } = setup();
    actions.fire("c", "go", null);
    expect(actions.state("c").value.phase).toBe("pending");
    actions.acknowledged(sent[0], { sequence: 1, consumerPresent: true });
    expect(actions.state("c").value.phase).toBe("sent");
    actions.drained({ eventId: sent[0]! });
    expect(actions.state("c").value.phase).toBe("received");
  });
  it("is at work after it was taken, answered with the next thing the agent shows, and quiet after that", async () => {
    vi.useFakeTimers();
    try {
      const { actions, sent } = setup();
      const say = () => actions.state("c").value.message;
      actions.fire("c", "go", null);
      actions.acknowledged(sent[0], { sequence: 1, consumerPresent: true });
      actions.answered();
      expect(actions.state("c").value.phase).toBe("sent");
      actions.drained({ eventId: sent[0]! });
      expect(say()).toBe("Received. The agent is working…");
      actions.answered();
      expect(actions.state("c").value.phase).toBe("answered");
      vi.advanceTimersByTime(3000);
      expect(actions.state("c").value.phase).toBe("idle");
      // An agent that never answers leaves the control usable and, after a while, quiet.
      actions.fire("c", "go", null);
      actions.acknowledged(sent[1], { sequence: 2, consumerPresent: true });
      actions.drained({ eventId: sent[1]! });
      vi.advanceTimersByTime(60_000);
      expect(actions.state("c").value.phase).toBe("idle");
    } finally {
      vi.useRealTimers();
    }
  });
  it("rings the host once when nobody was there to receive it", () => {
    const { actions, sent, rung } = setup();
    actions.fire("c", "go", null);
    actions.acknowledged(sent[0], { sequence: 1, consumerPresent: false });
    expect(rung).toEqual(sent);
  });
  it("keeps its violations and tells the observers", () => {
    const { actions, sent, observed } = setup();
    actions.fire("c", "go", null);
    actions.refused(sent[0], {
      code: "CONTRACT_VIOLATION",
      message: "m",
      details: { violations: [{ field: "go.data.x", message: "no" }] },
    });
    expect(actions.state("c").value).toMatchObject({
      phase: "failed",
      violations: [{ field: "go.data.x" }],
    });
    expect(observed).toEqual(["contract-violation"]);
  });
  it("is kept while the socket is away and goes out under the same id", () => {
    let live = false;
    const { actions, sent } = setup({ live: () => live });
    actions.fire("c", "go", null);
    expect(actions.state("c").value).toMatchObject({
      phase: "pending",
      message: "Waiting for the connection…",
    });
    live = true;
    actions.reroute();
    live = false;
    actions.reroute();
    live = true;
    actions.reroute();
    expect(new Set(sent).size).toBe(1);
    expect(sent).toHaveLength(2);
  });
  it("waits for the one before it of the same control, and goes out once however often it is pressed", () => {
    const { actions, sent } = setup();
    const said: unknown[] = [];
    for (const to of ["doing", "doing", "done", "done"]) actions.fire("card", "move", { to });
    said.push(sent.length, actions.state("card").value.phase);
    actions.acknowledged(sent[0], { sequence: 1, consumerPresent: true });
    said.push(sent.length, actions.state("card").value.phase);
    actions.reroute();
    actions.drained({ eventId: sent[0]! });
    said.push(new Set(sent).size, actions.state("card").value.phase);
    actions.acknowledged(sent[1], { sequence: 2, consumerPresent: true });
    said.push(new Set(sent).size, actions.state("card").value.phase);
    expect(said).toEqual([1, "pending", 2, "pending", 2, "pending", 2, "sent"]);
  });
  it("that waits in a line ends with the session, and is not sent any more", () => {
    const { actions, sent } = setup();
    for (const to of [1, 2, 3]) actions.fire("card", "move", { to });
    actions.abandon("over");
    actions.reroute();
    expect([sent.length, actions.state("card").value]).toEqual([
      1,
      { phase: "failed", message: "over" },
    ]);
  });
  it("that nobody answered keeps its id when it is done once more, so that it counts once; another does not", () => {
    vi.useFakeTimers();
    try {
      let coupon = "";
      const requests: ActionRequest[] = [];
      const { actions } = setup({
        context: () => ({ coupon }),
        send: (_, request) => requests.push(request),
      });
      for (const to of ["doing", "doing", "done"]) {
        actions.fire("card", "move", { to });
        vi.advanceTimersByTime(20_000);
        expect(actions.state("card").value).toEqual({
          phase: "failed",
          message: "This could not be sent. Please try again.",
        });
        coupon += "X";
      }
      const [first, again, other] = requests;
      expect([again!.actionId, again!.firedAt]).toEqual([first!.actionId, first!.firedAt]);
      expect(again!.payload.uiContext).toEqual({ coupon: "X" });
      expect(other!.actionId).not.toBe(first!.actionId);
    } finally {
      vi.useRealTimers();
    }
  });
  it("whose answer comes late is what the answer says", () => {
    vi.useFakeTimers();
    try {
      const { actions, sent } = setup();
      for (const control of ["a", "b", "c"]) actions.fire(control, "go", null);
      vi.advanceTimersByTime(20_000);
      actions.acknowledged(sent[0], { sequence: 1, consumerPresent: true });
      expect(actions.refused(sent[1], { code: "RATE_LIMITED", message: "m" })).toBe(true);
      actions.drained({ eventId: sent[2]! });
      expect(["a", "b", "c"].map((control) => actions.state(control).value)).toEqual([
        { phase: "sent" },
        { phase: "failed", message: "Too many requests — please slow down." },
        { phase: "received", message: "Received. The agent is working…" },
      ]);
      // It has been said: done once more it is another.
      for (const control of ["a", "b", "c"]) actions.fire(control, "go", null);
      expect(new Set(sent).size).toBe(6);
    } finally {
      vi.useRealTimers();
    }
  });
  it("is not kept beyond a hundred others, and that is said", () => {
    let live = false;
    const { actions, sent } = setup({ live: () => live });
    for (let to = 0; to < 101; to++) actions.fire(`row ${to}`, "go", null);
    expect(actions.state("row 99").value.phase).toBe("pending");
    expect(actions.state("row 100").value).toEqual({
      phase: "failed",
      message: "Too many requests — please slow down.",
    });
    live = true;
    actions.reroute();
    expect(sent).toHaveLength(100);
  });
  it("that the socket took stays taken, though the host that was asked before never answers", async () => {
    let live = false;
    let giveUp = (_: Error) => {};
    const relay = () => new Promise<never>((_, refuse) => (giveUp = refuse));
    const { actions, sent } = setup({ live: () => live, relay });
    actions.fire("c", "go", null);
    live = true;
    actions.reroute();
    actions.acknowledged(sent[0], { sequence: 1, consumerPresent: true });
    live = false;
    giveUp(new Error("tools/call was not answered"));
    await new Promise((done) => setTimeout(done));
    expect(actions.state("c").value.phase).toBe("sent");
  });
  it("takes the host's relay where there is no socket", async () => {
    const relay = vi.fn().mockResolvedValue({ ok: true, consumerPresent: true });
    const { actions, rung } = setup({ live: () => false, relay });
    actions.fire("c", "go", { a: 1 });
    await vi.waitFor(() => expect(actions.state("c").value.phase).toBe("sent"));
    expect(rung).toEqual([]);
  });
});

describe("what the agent may know of the host", () => {
  it("is a closed list of checked fields, filled in by the browser", () => {
    const seen = observedContext({
      theme: "dark",
      displayMode: "inline",
      availableDisplayModes: ["inline", "hologram"],
      containerDimensions: { maxWidth: 480, height: "tall", secret: 1 },
      platform: "toaster",
      locale: "de-DE",
    });
    expect(seen).toMatchObject({
      availableDisplayModes: ["inline"],
      currentDisplayMode: "inline",
      containerDimensions: { maxWidth: 480 },
      locale: "de-DE",
    });
    expect(Object.keys(seen).sort()).toEqual([
      "availableDisplayModes",
      "containerDimensions",
      "currentDisplayMode",
      "deviceCapabilities",
      "locale",
      "timeZone",
    ]);
  });
});

describe("telemetry", () => {
  it("goes out in few and small batches, and only where a host relays it", async () => {
    const clock = new ManualClock();
    const sent: any[] = [];
    const host = {
      relaysTools: true,
      callTool: async (_: string, args: any) => void sent.push(args),
    };
    const telemetry = new Telemetry("s", host, clock);
    for (let i = 0; i < 100; i++)
      telemetry.record({ kind: "k".repeat(100), message: "m".repeat(1000) } as any);
    await clock.pass(3999);
    expect(sent).toEqual([]);
    await clock.pass(1);
    expect([
      sent[0].events.length,
      sent[0].events[0].kind.length,
      sent[0].events[0].detail.length,
    ]).toEqual([40, 64, 512]);
    for (let i = 0; i < 50; i++) {
      telemetry.record({ kind: "frame-flooding" });
      await clock.pass(8000);
    }
    expect(sent).toHaveLength(12);
  });
});

describe("the doorbell", () => {
  it("names ggui_consume and its arguments and never the payload", () => {
    const text = doorbell({
      sessionId: "s-1",
      type: "data:submit",
      actionId: "abcdefgh",
      firedAt: "t",
      payload: { action: "go", data: { secret: "x9" }, uiContext: {} },
    });
    expect(text.content[0]!.text).toContain('ggui_consume with {"sessionId":"s-1"}');
    expect(JSON.stringify(text)).not.toContain("x9");
  });
});

describe("what people read", () => {
  it("is a sentence for every code", () => {
    expect(sentenceFor("BOOTSTRAP_INVALID")).toBe("Authentication failed — contact support.");
    expect(sentenceFor(-32002)).toBe("Your session expired.");
    expect(sentenceFor("RATE_LIMITED")).toBe("Too many requests — please slow down.");
    expect(sentenceFor("NEVER_HEARD_OF")).toBe("Something went wrong.");
  });
});

describe("the activity of the stage", () => {
  it("shows an event once when a frame and the feed both report it, and at most 500 rows", () => {
    const at = Date.now();
    let rows = addRow([], { sessionId: "s", at, kind: "contract-violation" }, "frame");
    rows = addRow(rows, { seq: 1, sessionId: "s", at, kind: "violation" }, "feed");
    rows = addRow(rows, { seq: 1, sessionId: "s", at, kind: "violation" }, "feed");
    expect(rows.map((row) => row.kind)).toEqual(["violation"]);
    for (let seq = 2; seq < 700; seq++) rows = addRow(rows, { seq, at, kind: "emitted" }, "feed");
    expect(rows).toHaveLength(500);
    expect(rows[0]!.seq).toBe(699);
  });
});
