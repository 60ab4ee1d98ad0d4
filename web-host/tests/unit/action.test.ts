// An action on its way: what it waits for, how often it goes out, and what is said of it.

import { describe, expect, it, vi } from "vitest";
import { type ActionRoutes, Actions } from "../../src/runtime/actions";
import type { ActionRequest } from "../../src/wire/frames";
import { settled } from "./clock";

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
      away: () => false,
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
  it("is sent once a host that asks the person has their yes, and nothing else is one", async () => {
    let answer: unknown;
    const { actions, sent } = setup({
      agreed: () => ({ label: "Delete", confirm: true }),
      confirm: () => Promise.resolve(answer),
    });
    const fire = async (said: unknown) => {
      answer = said;
      actions.fire("c", "go", null);
      expect(sent).toEqual([]);
      await settled();
    };
    for (const said of [false, "yes", null]) {
      await fire(said);
      expect(sent).toEqual([]);
      expect(actions.question("c").value).toBeUndefined();
    }
    // A host that has nothing to ask leaves the question to this page.
    await fire(undefined);
    expect(sent).toEqual([]);
    expect(actions.question("c").value!.label).toBe("Delete");
    actions.question("c").value!.answer(false);
    await fire(true);
    expect(sent).toHaveLength(1);
    expect(actions.question("c").value).toBeUndefined();
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
  describe("that a host relays", () => {
    const lost = new Error("the server does not answer");
    const settled = (times: number, relay: unknown) =>
      vi.waitFor(() => expect(relay).toHaveBeenCalledTimes(times));

    it("is kept while the server is away, and sent again under its id once it is back", async () => {
      let away = true;
      const relay = vi.fn().mockRejectedValueOnce(lost).mockResolvedValue({ ok: true });
      const { actions } = setup({
        live: () => false,
        mayRecover: () => false,
        away: () => away,
        relay,
      });
      actions.fire("c", "go", null);
      const kept = { phase: "pending", message: "Waiting for the connection…" };
      await vi.waitFor(() => expect(actions.state("c").value).toEqual(kept));
      away = false;
      actions.reroute();
      await vi.waitFor(() => expect(actions.state("c").value.phase).toBe("sent"));
      const ids = relay.mock.calls.map(([request]) => request.actionId);
      expect(ids).toEqual([ids[0], ids[0]]);
    });

    it("is asked of a host once more where only the host failed, and then said not to be sent", async () => {
      vi.useFakeTimers();
      try {
        const relay = vi.fn().mockRejectedValue(lost);
        const { actions } = setup({ live: () => false, mayRecover: () => false, relay });
        actions.fire("c", "go", null);
        await settled(1, relay);
        await vi.advanceTimersByTimeAsync(10_000);
        await settled(2, relay);
        expect(actions.state("c").value.phase).toBe("failed");
      } finally {
        vi.useRealTimers();
      }
    });
  });
});
