// The guest's slice, its store, its actions and its reconnects.

import { describe, expect, it, vi } from "vitest";
import { doorbell } from "../../src/runtime/doorbell";
import { observedContext } from "../../src/runtime/host-context";
import { ModelContext } from "../../src/runtime/model-context";
import { readLocator, readMeta, readShell } from "../../src/runtime/slice";
import { SessionStore } from "../../src/runtime/store";
import { Telemetry } from "../../src/runtime/telemetry";
import { addRow } from "../../src/stage/activity-log";
import { sentenceFor } from "../../src/strings";
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
      const updates: (readonly string[])[] = [];
      const calls: string[] = [];
      const context = new ModelContext(
        { ...slice, contextSlots: [{ name: "slot", debounceMs: 0 }] } as any,
        {
          relaysTools: true,
          callTool: async (name) => void calls.push(name),
          updateModelContext: (texts) => updates.push(texts),
        },
      );
      context.did(action("a1"));
      context.set({ slot: 3 });
      vi.advanceTimersByTime(1);
      expect(updates[1]).toEqual([
        '[ggui:context] {"snapshot":{"slot":3}}',
        expect.stringContaining(
          '[ggui:pending-action] {"actionId":"a1","intent":"go","data":{"n":1}',
        ),
      ]);
      expect(calls).toEqual(["ggui_runtime_sync_context"]);
      context.drained({ eventId: "other" });
      expect(updates.length).toBe(2);
      context.drained({ eventId: "a1" });
      expect(updates[2]).toEqual(['[ggui:context] {"snapshot":{"slot":3}}']);
    } finally {
      vi.useRealTimers();
    }
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
