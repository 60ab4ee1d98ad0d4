// The stage asks about the call that an agent makes after a click, in words of the server.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { settled } from "./clock";
import { act, press } from "./mount";
import { all, page } from "./stage-page";

const question = {
  id: "approval-1-",
  tool: "files_delete",
  server: "files",
  requester: "an agent on this machine",
  why: "Deleting cannot be undone",
  arguments: [{ name: "path", value: "/srv/a" }],
};

let see: () => Promise<void>;

class Observed {
  constructor(callback: (entries: readonly { readonly isIntersecting: boolean }[]) => void) {
    see = () => act(() => callback([{ isIntersecting: true }]));
  }
  observe() {}
  disconnect() {}
}

const pass = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));

/** The stage, before a server that answers this, one after the other. */
async function stage(...answers: readonly object[]) {
  const asked: { readonly path: string; readonly body: unknown }[] = [];
  const left = [...answers];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    asked.push({ path, body: JSON.parse(String(init.body)) });
    const answer = left.shift();
    return answer ? Response.json(answer) : Response.json({ error: {} }, { status: 503 });
  });
  const root = await page(all);
  const { askAboutCall } = await import("../../src/stage/called");
  const clicks = async () => {
    const answer = askAboutCall("s 1", "remove", { path: "/srv/a" });
    await act(settled);
    return answer;
  };
  const dialog = () => document.querySelector("dialog");
  return { asked, clicks: () => ({ answer: clicks() }), dialog, root };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("IntersectionObserver", Observed);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a person is asked about the very call, and their yes counts once they had time to read it", async () => {
  const { asked, clicks, dialog } = await stage(
    { question, isApproved: false },
    { isApproved: true },
  );
  const { answer } = clicks();
  await vi.waitFor(() => expect(dialog()).not.toBeNull());
  const text = dialog()!.textContent!;
  for (const said of ["files_delete", "files", "an agent on this machine", "path", "/srv/a"])
    expect(text).toContain(said);
  expect(text).toContain("Deleting cannot be undone");
  const yes = dialog()!.querySelector("[data-approve]")!;
  await see();
  await pass(699);
  expect(yes.getAttribute("aria-disabled")).toBe("true");
  await press(yes);
  expect(asked).toHaveLength(1);
  await pass(1);
  expect(yes.getAttribute("aria-disabled")).toBe("false");
  await press(yes);
  expect(await answer).toBe(true);
  const path = "/stage/sessions/s%201/confirmations";
  const body = { action: "remove", data: { path: "/srv/a" } };
  expect(asked).toEqual([
    { path, body },
    { path, body: { ...body, agreed: "approval-1-" } },
  ]);
  expect(dialog()).toBeNull();
});

it("whoever goes back has agreed to nothing, and a second click meanwhile asks nothing", async () => {
  const { asked, clicks, dialog } = await stage({ question, isApproved: false });
  const { answer } = clicks();
  await vi.waitFor(() => expect(dialog()).not.toBeNull());
  expect(await clicks().answer).toBe(false);
  await press(dialog()!.querySelector("button"));
  expect(await answer).toBe(false);
  expect(asked).toHaveLength(1);
});

it("where there is nothing to agree to, or nobody to ask, the page in the frame asks", async () => {
  const { clicks, dialog } = await stage({ isApproved: false });
  expect(await clicks().answer).toBeUndefined();
  // The server is not reached.
  expect(await clicks().answer).toBeUndefined();
  expect(dialog()).toBeNull();
});
