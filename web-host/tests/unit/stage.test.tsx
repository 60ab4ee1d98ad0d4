// The stage page: one session alone, several side by side, a link whose session has ended, and its activity.

import { render } from "preact";
import { describe, expect, it, vi } from "vitest";
import { addRow, detailsOf, grouped, type LoggedRow } from "../../src/stage/activity-log";
import type { ActivityRow, StageConfig } from "../../src/wire/stage";
import { act } from "./mount";

const session = { sessionId: "s", appId: "a", title: "Basket", status: "active" as const, createdAt: 1, lastActivityAt: 1, frameUrl: "about:blank", viewerUrl: "/r/code" };

async function page(config: StageConfig, prepare?: (state: typeof import("../../src/stage/state")) => void) {
  (globalThis as { __PROSCENIUM_STAGE__?: StageConfig }).__PROSCENIUM_STAGE__ = config;
  vi.resetModules();
  const state = await import("../../src/stage/state");
  const { Page } = await import("../../src/stage/pages");
  if (config.session) state.putSession(config.session);
  prepare?.(state);
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  await act(() => render(<Page />, root));
  return root;
}

function logged(...rows: ActivityRow[]): readonly LoggedRow[] {
  return rows.reduce<readonly LoggedRow[]>((all, row) => addRow(all, row, "feed"), []);
}

describe("a link", () => {
  it("whose session has ended says so calmly, without a frame", async () => {
    const root = await page({ mode: "one", session: null });
    expect(root.querySelector("h1")!.textContent).toBe("Your session expired.");
    expect(root.querySelector("main p")!.textContent).toContain("Ask your agent");
    expect(root.querySelector("iframe, .s-menu")).toBeNull();
  });
  it("shows its session with the menu in the head and no second title", async () => {
    const root = await page({ mode: "one", session });
    expect(root.querySelector(".s-header .s-menu")).not.toBeNull();
    expect(root.querySelector(".s-frame h2")).toBeNull();
    expect(root.querySelector("iframe")!.title).toBe("Basket");
  });
});

describe("the stage", () => {
  it("titles its frames only where they stand side by side", async () => {
    const one = await page({ mode: "all" }, (state) => state.resetTo({ sessions: [session] }));
    expect(one.querySelector(".s-frame h2")).toBeNull();
    expect(one.querySelector(".s-bar .s-menu")).not.toBeNull();
    const grid = await page({ mode: "all" }, (state) => {
      state.resetTo({ sessions: [session] });
      state.layout.value = "grid";
    });
    expect(grid.querySelector(".s-frame h2")!.textContent).toBe("Basket");
    expect(grid.querySelector(".s-bar .s-menu")).toBeNull();
  });
  it("says before the first session what to do, each step with its command to copy", async () => {
    const root = await page({ mode: "all", mcpUrl: "http://localhost:1/mcp" }, (state) => {
      state.feedState.value = "open";
    });
    const commands = [...root.querySelectorAll(".s-step")].map((step) => [step.querySelector("code")!.textContent, step.querySelector("button") !== null]);
    expect(commands).toEqual([["claude mcp add --transport http proscenium http://localhost:1/mcp", true], ["http://localhost:1/mcp", true], ["cargo run --release --example system_monitor", true]]);
  });
});

describe("the activity", () => {
  it("groups rows that say the same right after each other", () => {
    const clicked = (seq: number, text: string) => ({ seq, sessionId: "s", at: seq, kind: "clicked", text });
    const groups = grouped(logged(clicked(1, "setQuantity"), clicked(2, "setQuantity"), clicked(3, "checkout"), clicked(4, "setQuantity")));
    expect(groups.map(({ row, count }) => [row.text, row.seq, count])).toEqual([["setQuantity", 4, 1], ["checkout", 3, 1], ["setQuantity", 2, 2]]);
  });
  it("has details only for what a row does not say", () => {
    expect(detailsOf({ seq: 1, sessionId: "s", at: 1, kind: "clicked", text: "go" })).toBeUndefined();
    expect(detailsOf({ at: 1, kind: "notice", text: "slow", detail: { message: "slow" } })).toBeUndefined();
    expect(detailsOf({ at: 1, kind: "subscribe-failed", detail: { reason: "transport-reconnecting" } })).toEqual({ reason: "transport-reconnecting" });
  });
  it("shows a disclosure and a number only where there is more to tell", async () => {
    const root = await page({ mode: "all" }, (state) => {
      state.resetTo({ sessions: [session] });
      for (const seq of [1, 2, 3]) state.logActivity({ seq, sessionId: "s", at: seq, kind: "clicked", text: "setQuantity" }, "feed");
      state.logActivity({ sessionId: "s", at: 4, kind: "component-failed", text: "boom", detail: { componentId: "chart", message: "boom" } }, "frame");
    });
    const rows = [...root.querySelectorAll(".s-activity li")];
    expect(rows.map((row) => row.querySelector(".s-row-head > span")!.textContent)).toEqual(["A part could not be shown boom", "Clicked setQuantity ×3"]);
    expect(rows.map((row) => row.querySelector("details") !== null)).toEqual([true, false]);
    expect(rows[1]!.getAttribute("title")).toBe("Event 3 · session s");
  });
});
