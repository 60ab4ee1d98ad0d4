// The stage page: one session alone, several side by side, a link whose session has ended, and its activity.

import { describe, expect, it, vi } from "vitest";
import type { Happening } from "../../src/stage/activity-log";
import { act } from "./mount";
import { all, one, page, server, session } from "./stage-page";

describe("a link", () => {
  it("shows its session with the menu in the head and no second title", async () => {
    const root = await page(one);
    expect(root.querySelector(".s-header .s-menu")).not.toBeNull();
    expect(root.querySelector(".s-frame h2")).toBeNull();
    expect(root.querySelector("iframe")!.title).toBe("Basket");
  });
});

describe("the stage", () => {
  it("keeps a session that the server has forgotten for as long as something typed there is kept, and says that it is over", async () => {
    sessionStorage.setItem("proscenium.kept.s", "{}");
    const other = { ...session, sessionId: "other" };
    const root = await page(all, (state) => {
      state.resetTo({ sessions: [session, other], server });
      state.choose("s");
      state.resetTo({ sessions: [], server });
      expect(state.sessions.value.map(({ sessionId, status }) => [sessionId, status])).toEqual([
        ["s", "expired"],
      ]);
    });
    expect(root.querySelector("iframe")).not.toBeNull();
    sessionStorage.clear();
    history.replaceState(null, "", "#");
  });
  it("titles its frames only where they stand side by side", async () => {
    const one = await page(all, (state) => state.resetTo({ sessions: [session], server }));
    expect(one.querySelector(".s-frame h2")).toBeNull();
    expect(one.querySelector(".s-bar .s-menu")).not.toBeNull();
    const grid = await page(all, (state) => {
      state.resetTo({ sessions: [session], server });
      state.layout.value = "grid";
    });
    expect(grid.querySelector(".s-frame h2")!.textContent).toBe("Basket");
    expect(grid.querySelector(".s-bar .s-menu")).toBeNull();
  });
  it("keeps loaded what was on stage last, however often it was there", async () => {
    const rows = Array.from({ length: 8 }, (_, index) => ({
      ...session,
      sessionId: `s${index}`,
      createdAt: index,
      status: "expired" as const,
    }));
    let choose = (_: number): unknown => undefined;
    const root = await page(all, (state) => {
      state.resetTo({ sessions: rows, server });
      choose = (index) => act(() => void (state.chosen.value = `s${index}`));
    });
    for (const index of [0, 1, 2, 3, 4, 5, 0, 6]) await choose(index);
    const kept = [...root.querySelectorAll<HTMLElement>("main [data-session]")].map(
      ({ dataset }) => dataset.session,
    );
    expect(kept).toEqual(["s0", "s2", "s3", "s4", "s5", "s6"]);
  });

  it.each([
    ["stays where a person does something at that moment", true, "s"],
    ["shows what is new to one who only looks", false, "new"],
  ])("%s", async (_, isActive, shown) => {
    let put = () => {};
    const root = await page(all, (state) => {
      state.resetTo({ sessions: [session], server });
      put = () => state.putSession({ ...session, sessionId: "new", createdAt: 2 });
    });
    await vi.waitFor(() => expect(root.querySelector("main iframe")).not.toBeNull());
    Object.defineProperty(navigator, "userActivation", { value: { isActive }, configurable: true });
    root.querySelector("main iframe")!.setAttribute("tabindex", "0");
    root.querySelector<HTMLIFrameElement>("main iframe")!.focus();
    await act(() => put());
    Reflect.deleteProperty(navigator, "userActivation");
    expect(
      root.querySelector<HTMLElement>("main [data-session]:not([hidden])")!.dataset.session,
    ).toBe(shown);
  });

  it("lists what a search finds, puts the first of it on stage at Enter, and goes to a chosen one where all stand side by side", async () => {
    let now!: typeof import("../../src/stage/state");
    const root = await page(all, (state) => {
      now = state;
      state.resetTo({
        sessions: [
          session,
          { ...session, sessionId: "t", intent: "Invoice", title: "Invoice", createdAt: 2 },
        ],
        server,
      });
    });
    const search = root.querySelector<HTMLInputElement>("[type=search]")!;
    const titles = () =>
      [...root.querySelectorAll(".s-list-title")].map(({ textContent }) => textContent);
    expect(titles()).toEqual(["Invoice", "Basket"]);
    search.value = "bask";
    await act(() => void search.dispatchEvent(new Event("input", { bubbles: true })));
    expect([titles(), root.querySelector<HTMLElement>(".s-page")!.dataset.searches]).toEqual([
      ["Basket"],
      "true",
    ]);
    await act(
      () =>
        void search.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })),
    );
    expect(now.current.value!.sessionId).toBe("s");

    const seen: string[] = [];
    Element.prototype.scrollIntoView = function () {
      seen.push((this as HTMLElement).dataset.session!);
    };
    await act(() => void (now.query.value = ""));
    await act(() => void (now.layout.value = "grid"));
    await act(() => root.querySelector<HTMLElement>("[data-session-choice=t]")!.click());
    expect(seen).toEqual(["t"]);
  });
  it("says before the first session how each client connects, with lines to copy", async () => {
    const url = "http://localhost:1/mcp";
    const root = await page({ ...all, mcpUrl: url }, (state) => {
      state.feedState.value = "open";
    });
    const seen: string[] = [];
    for (const choice of root.querySelectorAll<HTMLElement>(".s-clients button")) {
      await act(async () => choice.click());
      expect(choice.getAttribute("aria-pressed")).toBe("true");
      const lines = root.querySelector(".s-command code")!.textContent!;
      expect(lines).toContain(choice.textContent === "stdio" ? "--listen 127.0.0.1:1" : url);
      expect(root.querySelector(".s-command button")).not.toBeNull();
      seen.push(choice.textContent!);
    }
    expect(seen).toEqual([
      "Claude Code",
      "VS Code",
      "Cursor",
      "Goose",
      "MCP Inspector",
      "curl",
      "stdio",
    ]);
    expect(root.querySelector(".s-offer")).toBeNull();
  });
  it("offers the demo with one button, and says when it does not start", async () => {
    const asked: unknown[] = [];
    vi.stubGlobal("fetch", (...request: unknown[]) => {
      asked.push(request);
      return Promise.resolve({ ok: asked.length > 1 });
    });
    const root = await page(
      { ...all, mcpUrl: "https://ui.example/mcp", demoUrl: "/stage/demo" },
      (state) => {
        state.feedState.value = "open";
      },
    );
    const button = root.querySelector<HTMLButtonElement>(".s-offer button")!;
    await act(async () => button.click());
    await vi.waitFor(() =>
      expect(root.querySelector("[role=alert]")?.textContent).toContain("proscenium demo"),
    );
    await act(async () => button.click());
    expect(root.querySelector("[role=alert]")).toBeNull();
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(asked).toEqual(Array(2).fill(["/stage/demo", { method: "POST" }]));
    vi.unstubAllGlobals();
    const names = [...root.querySelectorAll(".s-clients button")].map(
      (choice) => choice.textContent,
    );
    expect(names).not.toContain("stdio");
  });
});

describe("a link to give away", () => {
  it("is text to copy and a code to scan, drawn without any HTML", async () => {
    const root = await page(one);
    await act(() => (root.querySelector("[data-share]") as HTMLElement).click());
    const dialog = root.querySelector("dialog")!;
    expect(dialog.querySelector(".s-address")!.textContent).toMatch(/\/r\/code$/);
    expect(dialog.querySelector("svg path")!.getAttribute("d")).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
  });
});

describe("a stage that nobody looks at", () => {
  const hide = (hidden: boolean) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  };
  it("counts the sessions that come in the title of the page, until somebody looks", async () => {
    document.title = "Proscenium";
    let putSession = (_: typeof session) => {};
    await page(all, (state) => (putSession = state.putSession));
    const { callPeople } = await import("../../src/stage/call");
    callPeople();
    putSession(session);
    expect(document.title).toBe("Proscenium");
    hide(true);
    putSession({ ...session, sessionId: "second" });
    putSession({ ...session, sessionId: "second", lastActivityAt: 2 });
    putSession({ ...session, sessionId: "third" });
    expect(document.title).toBe("(2) Proscenium");
    hide(false);
    expect(document.title).toBe("Proscenium");
  });
  it("counts the agents that begin to wait, once, and marks the icon until somebody looks", async () => {
    const icon = "data:image/svg+xml,%3Csvg%3E%3C/svg%3E";
    document.head.innerHTML = `<link rel="icon" href="${icon}">`;
    document.title = "Proscenium";
    const link = document.head.querySelector("link")!;
    let state!: typeof import("../../src/stage/state");
    await page(all, (it) => (state = it));
    const { callPeople } = await import("../../src/stage/call");
    state.putSession(session);
    callPeople();
    hide(true);
    let seq = 0;
    const consumer = (kind: string) =>
      state.logActivity(
        { sessionId: "s", at: Date.now() + seq, kind, seq: seq++, by: "server" } as Happening,
        "feed",
      );
    consumer("consumer-present");
    expect(document.title).toBe("(1) Proscenium");
    expect(link.href).toContain("circle");
    consumer("consumer-absent");
    consumer("consumer-present");
    expect(document.title).toBe("(1) Proscenium");
    hide(false);
    expect(document.title).toBe("Proscenium");
    expect(link.href).toBe(icon);
  });
  it("tells aloud of what came and of who waits, where the person allows it, and a press leads there", async () => {
    const notifications: { title: string; tag: string; onclick?: () => void }[] = [];
    class FakeNotification {
      static permission = "granted";
      onclick?: () => void;
      constructor(
        readonly title: string,
        { tag }: { tag: string },
      ) {
        notifications.push(Object.assign(this, { tag }));
      }
      close() {}
    }
    vi.stubGlobal("Notification", FakeNotification);
    vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
    try {
      let state!: typeof import("../../src/stage/state");
      await page(all, (it) => (state = it));
      const { callPeople } = await import("../../src/stage/call");
      state.putSession(session);
      callPeople();
      hide(true);
      const now = Date.now() + 1000;
      state.putSession({ ...session, sessionId: "new", title: "Bread", createdAt: now });
      const wait = { sessionId: "s", at: now, kind: "consumer-present", seq: 1, by: "server" };
      state.logActivity(wait as Happening, "feed");
      state.logActivity({ ...wait, sessionId: "new", seq: 2 } as Happening, "feed");
      expect(notifications.map(({ title, tag }) => [title, tag])).toEqual([
        ["New: Bread", "new"],
        ["Waits for you: Basket", "s"],
      ]);
      notifications[1]!.onclick!();
      expect(state.chosen.value).toBe("s");
    } finally {
      vi.unstubAllGlobals();
      hide(false);
    }
  });
});

describe("a stage that is asked why", () => {
  it("says below an interface what is drawn and what speaks for it", async () => {
    const evidence = [{ about: "/props/items", is: "Table", because: "rows", score: 60 }];
    const asked = vi.fn(async () => new Response(JSON.stringify({ evidence, plan: {} })));
    vi.stubGlobal("fetch", asked);
    history.replaceState(null, "", "/?explain");
    const root = await page(all, (state) => state.putSession(session));
    await vi.waitFor(() => expect(root.querySelector(".s-explained")).not.toBeNull());
    expect(root.querySelector(".s-explained")!.textContent).toContain("Table (rows, 60 %)");
    expect(asked.mock.calls[0]).toContain("/stage/explain/s");
    history.replaceState(null, "", "/");
    vi.unstubAllGlobals();
  });
});
