// What the stage takes from a frame, and how it lists what happened.

import { describe, expect, it } from "vitest";
import { hostFrame } from "../../src/host/frame-host";
import { Allowance, openable, plainCopy } from "../../src/host/untrusted";
import {
  addRow,
  detailsOf,
  grouped,
  type Happening,
  type LoggedRow,
  signInOf,
} from "../../src/stage/activity-log";
import { all, page, server, session } from "./stage-page";

function logged(...rows: Happening[]): readonly LoggedRow[] {
  return rows.reduce<readonly LoggedRow[]>((all, row) => addRow(all, row, "feed"), []);
}

describe("the activity", () => {
  it("groups rows that say the same right after each other", () => {
    const clicked = (seq: number, text: string) => ({
      seq,
      sessionId: "s",
      at: seq,
      kind: "clicked",
      text,
    });
    const groups = grouped(
      logged(
        clicked(1, "setQuantity"),
        clicked(2, "setQuantity"),
        clicked(3, "checkout"),
        clicked(4, "setQuantity"),
      ),
    );
    expect(groups.map(({ row, count }) => [row.text, row.seq, count])).toEqual([
      ["setQuantity", 4, 1],
      ["checkout", 3, 1],
      ["setQuantity", 2, 2],
    ]);
  });
  it("has details only for what a row does not say", () => {
    expect(
      detailsOf({ seq: 1, sessionId: "s", at: 1, kind: "clicked", text: "go" }),
    ).toBeUndefined();
    expect(
      detailsOf({ at: 1, kind: "notice", text: "slow", detail: { message: "slow" } }),
    ).toBeUndefined();
    expect(
      detailsOf({ at: 1, kind: "subscribe-failed", detail: { reason: "transport-reconnecting" } }),
    ).toEqual({ reason: "transport-reconnecting" });
  });
  it("shows a disclosure and a number only where there is more to tell", async () => {
    const root = await page(all, (state) => {
      state.resetTo({ sessions: [session], server });
      for (const seq of [1, 2, 3])
        state.logActivity(
          { seq, sessionId: "s", at: seq, kind: "clicked", text: "setQuantity" },
          "feed",
        );
      state.logActivity(
        {
          sessionId: "s",
          at: 4,
          kind: "component-failed",
          text: "boom",
          detail: { componentId: "chart", message: "boom" },
        },
        "frame",
      );
    });
    const rows = [...root.querySelectorAll(".s-activity li")];
    expect(rows.map((row) => row.querySelector(".s-row-head > span")!.textContent)).toEqual([
      "A part could not be shown boom",
      "Clicked setQuantity ×3",
    ]);
    expect(rows.map((row) => row.querySelector("details") !== null)).toEqual([true, false]);
    expect(rows[1]!.getAttribute("title")).toBe("Event 3 · session s");
  });
});

describe("what a frame says", () => {
  it("is copied without cycles, depth, length or names that are special", () => {
    const loop: any = { kind: "loop", text: "x".repeat(5000), run: () => 1 };
    loop.self = loop;
    const copy = plainCopy(loop) as any;
    expect([copy.text.length, copy.run]).toEqual([1001, undefined]);
    expect(() => JSON.stringify(copy)).not.toThrow();
    const polluted = plainCopy(JSON.parse('{"__proto__": {"hacked": 1}}')) as any;
    expect([({} as any).hacked, Object.getPrototypeOf(polluted), polluted.hacked]).toEqual([
      undefined,
      null,
      undefined,
    ]);
    expect(JSON.stringify(plainCopy(Array(1000).fill(Array(1000).fill("y")))).length).toBeLessThan(
      20_000,
    );
  });
  it("is listened to up to a rate", () => {
    let now = 0;
    const allowance = new Allowance(50, 200, () => now);
    const takenAt = (time: number) => {
      now = time;
      return Array.from({ length: 1000 }, () => allowance.take()).filter(Boolean).length;
    };
    expect([0, 1000, 100_000].map(takenAt)).toEqual([200, 50, 200]);
  });
  it("is cut off when it floods, told once, while a view that only grows is followed", async () => {
    const frame = document.createElement("iframe");
    document.body.append(frame);
    const observed: string[] = [];
    const heights: number[] = [];
    const host = hostFrame(frame, {
      info: { name: "test", version: "1" },
      theme: "light",
      failed: () => undefined,
      rings: () => undefined,
      openLink: async () => false,
      height: (pixels) => heights.push(pixels),
      observed: ({ kind }) => observed.push(kind),
    });
    const post = (data: unknown, source: unknown = frame.contentWindow) =>
      window.dispatchEvent(new MessageEvent("message", { data, source: source as Window }));
    for (let height = 1; height <= 240; height++)
      post({ jsonrpc: "2.0", method: "ui/notifications/size-changed", params: { height } });
    expect([heights.at(-1), observed]).toEqual([240, []]);
    post({ type: "ggui:observe", event: { kind: "not-from-the-frame" } }, window);
    for (let i = 0; i < 1000; i++) post({ type: "ggui:observe", event: { kind: "x" } });
    expect(observed.filter((kind) => kind === "frame-flooding")).toHaveLength(1);
    expect(observed.length).toBeLessThan(300);
    expect(observed).not.toContain("not-from-the-frame");
    host.close();
    frame.remove();
  });
  it("opens only web addresses, and never one that hides its host", () => {
    const all = [
      "https://a.example/x",
      "http://a.example/",
      "javascript:alert(1)",
      "data:text/html,x",
      "https://good.example@evil.example/",
      "//a.example",
      7,
      "file:///etc/passwd",
    ];
    expect(all.filter((url) => openable(url))).toEqual([
      "https://a.example/x",
      "http://a.example/",
    ]);
  });
  it("about a sign-in becomes a button with the host that is opened, https only", () => {
    const row = (authUrl: string) =>
      signInOf({ at: 1, kind: "auth-required", detail: { provider: "P", authUrl } })?.url.host;
    expect([
      row("https://id.example/a"),
      row("http://id.example/a"),
      row("https://u@id.example/"),
    ]).toEqual(["id.example", undefined, undefined]);
  });
  it("is one row with what the feed says of the same, whichever comes first", () => {
    const frame = {
      sessionId: "s",
      at: 1,
      kind: "auth-required",
      detail: { authUrl: "https://id.example/" },
    };
    const feed = { seq: 4, sessionId: "s", at: 2, kind: "auth-required" };
    for (const rows of [
      addRow(addRow([], frame, "frame"), feed, "feed"),
      addRow(addRow([], feed, "feed"), frame, "frame"),
    ]) {
      expect(rows.map(({ seq, detail }) => [seq, detail])).toEqual([[4, frame.detail]]);
    }
  });
  it("about a lost connection is one row once it is back", () => {
    let rows = addRow([], { sessionId: "s", at: 1, kind: "subscribe-failed" }, "frame");
    rows = addRow(rows, { sessionId: "t", at: 1, kind: "subscribe-failed" }, "frame");
    rows = addRow(rows, { sessionId: "s", at: 9000, kind: "subscribe-recovered" }, "frame");
    expect(rows.map(({ sessionId, kind }) => `${sessionId} ${kind}`)).toEqual([
      "s subscribe-recovered",
      "t subscribe-failed",
    ]);
  });
});
