// The ten things a server of the live channel is graded on, each by the name the protocol gives it, the
// way a grader does it: set up over the adapter, subscribe, send the input at once, look at all that came.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createHost } from "./host.mjs";

const { SERVER_URL, CONTROL_URL, KEY } = process.env;
const OBSERVED_MS = 1500;
const DRAFT = "draft-2026-08-19";
const host = createHost(CONTROL_URL);

/** Subscribes to a session, sends the input without waiting, and returns every frame that came. */
async function observe(name, { session = `ck-${name}-1`, setup = [], subscribe = {}, input } = {}) {
  for (const step of setup) await host.dispatchSetup({ sessionId: session, ...step });
  const socket = new WebSocket(`${SERVER_URL.replace("http", "ws")}/ws`, { headers: { authorization: `Bearer ${KEY}` } });
  const frames = [];
  socket.addEventListener("message", ({ data }) => frames.push(JSON.parse(data)));
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("the socket did not open")));
  });
  const payload = { sessionId: session, appId: "conformance", role: "user", ...subscribe };
  socket.send(JSON.stringify({ type: "subscribe", requestId: `conformance-subscribe-${name}`, payload }));
  if (input) socket.send(JSON.stringify(input(session)));
  await new Promise((resolve) => setTimeout(resolve, OBSERVED_MS));
  const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
  if (socket.readyState === WebSocket.OPEN) {
    socket.close();
    await closed;
  }
  const errors = frames.filter((frame) => frame.type === "error");
  return { frames, errors, codes: errors.map((frame) => frame.payload.code), acks: frames.filter((frame) => frame.type === "ack") };
}

const made = (more = {}) => ({ type: "create-session", ...more });
const id = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
const action = (requestId, value) => (sessionId) => ({
  type: "action",
  requestId,
  payload: { sessionId, type: "data:submit", payload: value },
});

function assertViolation({ frames, acks }, requestId, isOfSchema) {
  const refused = frames.find((frame) => frame.requestId === requestId);
  assert.equal(refused?.payload.code, "CONTRACT_VIOLATION");
  const { violations } = refused.payload.details;
  assert.ok(violations.length > 0);
  for (const violation of violations) {
    assert.equal(typeof violation.field, "string");
    assert.equal(typeof violation.message, "string");
    if (isOfSchema) assert.equal(typeof violation.keyword, "string");
  }
  assert.equal(acks.length, 1, "only the subscription is accepted");
}

describe("fixtures of the live channel", { concurrency: true }, () => {
  it("bootstrap-success", async () => {
    const { acks, codes } = await observe("bootstrap-success", { setup: [made()] });
    assert.deepEqual([acks.length, codes], [1, []]);
  });

  it("version-match", async () => {
    const { acks, codes } = await observe("version-match", { setup: [made()], subscribe: { supportedVersions: [DRAFT] } });
    assert.deepEqual([acks[0].payload.serverVersion, codes], [DRAFT, []]);
  });

  it("version-mismatch", async () => {
    const setup = [made(), { type: "server-version-override", advertiseVersion: "99.99-unsupported" }];
    const { acks, errors } = await observe("version-mismatch", { setup, subscribe: { supportedVersions: [DRAFT] } });
    assert.deepEqual([acks.length, errors[0].payload.code], [0, "UPGRADE_REQUIRED"]);
    assert.equal(errors[0].payload.details.serverVersion, "99.99-unsupported");
    const agnostic = await observe("version-mismatch", { subscribe: {} });
    assert.equal(agnostic.acks[0].payload.serverVersion, "99.99-unsupported");
  });

  it("app-mismatch", async () => {
    const { acks, codes } = await observe("app-mismatch", { setup: [made({ appId: "conformance-other" })] });
    assert.deepEqual([acks.length, codes], [0, ["APP_MISMATCH"]]);
  });

  it("absent-appid-defaults", async () => {
    await observe("absent-appid", { subscribe: { appId: undefined } });
    assert.equal(await host.readSessionField("ck-absent-appid-1", "appId"), "conformance");
  });

  it("action-ack-sequence", async () => {
    const requestId = "ck-action-ack-1-req";
    const input = action(requestId, { action: "toggleTask", data: { id: "seed-1" } });
    const { acks, codes } = await observe("action-ack", { setup: [made({ actionSpec: { toggleTask: {} } })], input });
    assert.equal(typeof acks.find((ack) => ack.requestId === requestId).payload.sequence, "number");
    assert.deepEqual(codes, []);
  });

  it("undeclared-action-rejected", async () => {
    const input = action("undeclared", { action: "doesNotExist", data: {} });
    assertViolation(await observe("undeclared-action", { setup: [made({ actionSpec: { toggleTask: {} } })], input }), "undeclared", false);
  });

  it("action-payload-schema-violation", async () => {
    const input = action("unfit", { action: "toggleTask", data: { id: 41 } });
    const setup = [made({ actionSpec: { toggleTask: { schema: id } } })];
    assertViolation(await observe("action-payload", { setup, input }), "unfit", true);
  });

  it("host-context-observed-persists", async () => {
    const hostContext = {
      availableDisplayModes: ["inline", "fullscreen"],
      currentDisplayMode: "inline",
      containerDimensions: { maxWidth: 480, height: 320 },
      platform: "web",
      deviceCapabilities: { touch: false, hover: true },
      locale: "en-US",
      timeZone: "America/Los_Angeles",
    };
    const input = (sessionId) => ({ type: "host_context_observed", payload: { sessionId, hostContext } });
    const { codes } = await observe("host-context", { setup: [made()], input });
    assert.deepEqual(codes, []);
    assert.deepEqual(await host.readSessionField("ck-host-context-1", "hostContext"), hostContext);
  });
});

// On its own: its item goes to the session that was made last.
describe("the fixture with an item", () => {
  it("fresh-subscribe-replays-reserved-preview", async () => {
    const session = "ck-reserved-replay-1";
    const payload = { version: "v0.9", createSurface: { surfaceId: "ck-preview-1", catalogId: "ggui.preview.v1" } };
    const setup = [made({ sessionId: session }), { type: "emit-envelope", channel: "_ggui:preview", payload }];
    const { frames } = await observe("reserved-replay", { session, setup });
    const [ack, item] = frames;
    assert.deepEqual([ack.type, item.type], ["ack", "data"]);
    assert.deepEqual([item.payload.channel, item.payload.payload], ["_ggui:preview", payload]);
    assert.ok(item.payload.seq <= ack.payload.streamSeq);
  });
});

describe("the adapter", () => {
  it("refuses what this server cannot do or enforce, so that a grader skips it", async () => {
    const unsound = { type: "create-session", sessionId: "ck-unsound-1", actionSpec: { act: { schema: { type: "nothing" } } } };
    await assert.rejects(host.dispatchSetup(unsound), /422/);
    await assert.rejects(host.dispatchSetup({ type: "create-session" }), /422/);
    await assert.rejects(host.dispatchSetup({ type: "renderer-url-override", url: "x" }), /not implemented/);
    await assert.rejects(host.readSessionField("ck-nobody-1", "appId"), /404/);
  });

  it("puts an item on a channel of the session that was made last", async () => {
    await host.dispatchSetup({ type: "create-session", sessionId: "ck-emit-1" });
    await host.dispatchSetup({ type: "emit-envelope", channel: "_ggui:lifecycle", payload: { kind: "render_started" } });
    const { frames } = await observe("emit", { subscribe: { fromSeq: 0 } });
    const item = frames.find((frame) => frame.type === "data").payload;
    assert.deepEqual([item.channel, item.seq, item.payload], ["_ggui:lifecycle", 1, { kind: "render_started" }]);
  });
});
