// Each failure as a client sees it: whether it is retried, after how long, and what is shown to the
// person. `guide` are the rules of the guide to errors (recovery.ts) over SDK 1, `agent` those of
// examples/agent.py over the Python SDK. The guide's loop names fewer codes than its tables and tries
// the rest again; the agent takes the advice the server sends along, which is that of the tables.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { callWithRetry, getUserMessage, resilientRender, telling } from "./recovery.ts";
import { contract, PATIENCE, startServer } from "./world.mjs";

const rows = JSON.parse(await readFile(new URL("recovery.json", import.meta.url), "utf8"));
const { faults } = JSON.parse(await readFile(new URL("../../schemas/faults.json", import.meta.url), "utf8"));
// A call that is refused before anybody looks at it.
const anyCall = { tool: "ggui_list_sessions", arguments: {} };
const stops = [];
const at = {};
let key;
let scoped;
let given;

/** Answers as the table says, for failures this server never has. */
async function speaker() {
  const answered = createServer((request, response) => {
    const { code, number, surface, text, retry } = faults.find(({ code }) => request.url === `/${code}`);
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      const data = { surface, code, retry: { allowed: retry.allowed, hint: retry.hint } };
      const error = { code: number.legacy, message: text, data };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, error }));
    });
  });
  await new Promise((listening) => answered.listen(0, "127.0.0.1", listening));
  stops.push(() => answered.close());
  return `http://127.0.0.1:${answered.address().port}`;
}

async function ask(url, name, args) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  return { status: response.status, ...(await response.json()) };
}

const agree = async (url) => (await ask(url, "ggui_handshake", { intent: "One", blueprintDraft: { contract } })).result.structuredContent.handshakeId;
const render = async (url) => (await ask(url, "ggui_render", { handshakeId: await agree(url), props: { title: "One" } })).result.structuredContent.sessionId;

before(async () => {
  const file = join(await mkdtemp(join(tmpdir(), "keys-")), "keys.toml");
  const create = async (...more) => {
    const args = ["keys", "create", "--app", "demo", "--keys-file", file, ...more];
    return (await promisify(execFile)(process.env.SERVER_BINARY, args)).stdout.trim();
  };
  key = await create();
  scoped = await create("--scope", "ggui_consume");
  const started = async (settings = {}) => {
    const server = await startServer(settings, ["--keys-file", file]);
    stops.push(() => server.stop());
    return server.mcpUrl;
  };
  at.open = await started();
  at.elsewhere = at.open.replace("/mcp", "/apps/other/mcp");
  at.door = await started({ LIMITS_DOOR_PER_SECOND: 1, LIMITS_DOOR_BURST: 1 });
  at.hasty = await started({ LIMITS_USING_PER_SECOND: 1, LIMITS_USING_BURST: 1 });
  at.full = await started({ SESSIONS_PER_APP_MAX: 1 });
  at.slow = await started({ HTTP_ANSWER_S: 1 });
  at.nowhere = "http://127.0.0.1:9/mcp";
  at.speaker = await speaker();
  await render(at.full);
  const waiting = { sessionId: await render(at.slow), timeout: 20 };
  const [one, other] = [await agree(at.full), await agree(at.full)];
  const more = (handshakeId) => ({ ggui_render: { handshakeId, props: { title: "One" } }, ggui_consume: waiting });
  given = [more(one), more(other)];
});
after(async () => {
  for (const stop of stops) await stop();
});

/** Where the calls of a row go, and with what. */
function turned(row, more) {
  return {
    url: row.says ? `${at.speaker}/${row.says}` : at[row.at],
    bearer: row.bearer === "$scoped" ? scoped : (row.bearer ?? key),
    body: row.body,
    tool: row.tool ?? anyCall.tool,
    arguments: row.arguments ?? more[row.tool] ?? anyCall.arguments,
    exhausts: row.first !== undefined,
  };
}

/** A client of the SDK whose calls take another turn once it is connected. */
async function connected() {
  const turn = {};
  const send = (url, init) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${turn.bearer ?? key}`);
    return fetch(turn.url ?? url, { ...init, headers, body: turn.body ?? init.body });
  };
  const client = new Client({ name: "recovery", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(at.open), { fetch: telling(send) }));
  return { client, turn };
}

test("the guide's TypeScript tries again what it says, waits as long as it says, and tells a person its sentence", async (t) => {
  for (const row of rows) {
    await t.test(row.name, async () => {
      const { client, turn } = await connected();
      const asked = turned(row, given[0]);
      Object.assign(turn, { url: asked.url, bearer: asked.bearer, body: asked.body });
      if (asked.exhausts) while (!(await ask(asked.url, asked.tool, asked.arguments)).error);
      const pauses = [];
      const pause = async (ms) => void pauses.push(ms);
      // A limit may be over by the second attempt: there the first pause says all.
      const retries = row.first ? 0 : 3;
      const called = callWithRetry(client, asked.tool, asked.arguments, pause, retries);
      const [count, sentence] = row.guide;
      await assert.rejects(called, (error) => {
        assert.equal(getUserMessage(error), sentence);
        const advice = error.data?.retry;
        if (advice) assert.equal(advice.allowed, row.agent[0] > 0 || row.first !== undefined, JSON.stringify(advice));
        if (error.status === 429) assert.ok(error.retryAfter >= 1);
        return true;
      });
      assert.deepEqual(pauses, [1000, 2000, 4000].slice(0, count));
      if (row.first) {
        while (!(await ask(asked.url, asked.tool, asked.arguments)).error);
        await callWithRetry(client, asked.tool, asked.arguments, pause).catch(() => {});
        assert.equal(pauses[0], row.first);
      }
      turn.url = turn.body = turn.bearer = undefined;
      await client.close();
    });
  }
});

test("the guide's TypeScript makes a spent handshake anew, once, and no other failure", async () => {
  const { client } = await connected();
  const agreed = [];
  const spending = {
    async callTool(call) {
      const result = await client.callTool(call);
      if (call.name === "ggui_handshake") {
        agreed.push(result.structuredContent.handshakeId);
        const { handshakeId } = result.structuredContent;
        if (agreed.length === 1) await client.callTool({ name: "ggui_render", arguments: { handshakeId, props: { title: "Gone" } } });
      }
      return result;
    },
  };
  const shown = await resilientRender(spending, "One", contract, { title: "One" });
  assert.ok(shown.structuredContent.sessionId);
  assert.equal(agreed.length, 2);
  const refused = await resilientRender(spending, "One", contract, { title: 1 });
  assert.equal(refused.structuredContent.error.code, "contract_violation");
  assert.equal(agreed.length, 3);
  await client.close();
});

test("examples/agent.py tries again what can help, waits as long as it is told, and speaks in the same sentences", async (t) => {
  const script = new URL("recovery_python.py", import.meta.url).pathname;
  const asked = rows.map((row) => ({ ...row, ...turned(row, given[1]) }));
  const env = { ...process.env, KEY: key, MCP_URL: at.open, CONTRACT: JSON.stringify(contract), ROWS: JSON.stringify(asked) };
  // Not the synchronous form: the speaker lives in this process.
  const run = spawn(process.env.PYTHON, [script], { env, timeout: 2 * PATIENCE });
  let said = "";
  run.stderr.on("data", (part) => (said += part));
  const status = await new Promise((ended) => run.once("close", ended));
  for (const [, name] of said.matchAll(/^(test_\w+) .*ok$/gm)) t.diagnostic(name.replaceAll("_", " "));
  assert.equal(status, 0, said);
});
