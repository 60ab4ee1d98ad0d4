// The first generation of the TypeScript SDK: most hosts are built on it. Once it has listed the
// tools it judges every result by its output schema, and turns what does not fit into an exception.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { assertAbortTakesNothing, assertClickIsAnswered, assertPromptsAreHad, assertResourcesAreRead, assertToolError, provoked, rendered, wordsWhileListing } from "./sdk.mjs";
import { keysFile, startServer } from "./world.mjs";

let server;
let client;
async function connect(url, headers = {}) {
  const connected = new Client({ name: "sdk1", version: "1.0.0" });
  await connected.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return connected;
}
before(async () => {
  server = await startServer();
  client = await connect(server.mcpUrl);
  await client.listTools();
});
after(async () => {
  await client.close();
  await server.stop();
});

test("SDK 1 initializes in the era of 2025-11-25 and finds tools, resources, prompts and UI", async () => {
  const capabilities = client.getServerCapabilities();
  assert.deepEqual(Object.keys(capabilities).filter((name) => ["tools", "resources", "prompts", "completions"].includes(name)).length, 4);
  assert.match(client.getInstructions(), /ggui_handshake/);
  const { tools } = await client.listTools();
  assert.equal(tools.find(({ name }) => name === "ggui_render")._meta.ui.resourceUri.startsWith("ui://"), true);
  for (const tool of tools) assert.equal(tool.outputSchema.type, "object", tool.name);
  assert.deepEqual(await client.ping(), {});
});

test("SDK 1 finds nothing to remark in the schemas of the tools", async () => {
  assert.deepEqual(await wordsWhileListing(client), []);
});

test("SDK 1 handshakes, renders, consumes a click, amends, emits and reads the state", () => assertClickIsAnswered(client));

test("SDK 1 aborts a wait, and no click is lost", () => assertAbortTakesNothing(client, (params, options) => client.callTool(params, undefined, options)));

test("SDK 1 reads what a render shows, and what its tools link to", async () => {
  await assertResourcesAreRead(client);
  await assert.rejects(client.readResource({ uri: "ui://ggui/nothing" }), McpError);
});

test("SDK 1 gets each prompt it lists, with completion of arguments", () => assertPromptsAreHad(client));

test("SDK 1 gets every tool error as a result or as the error of the protocol, never as an exception of its own", async (t) => {
  for await (const failure of provoked(client)) {
    await t.test(failure.name, async () => {
      const called = client.callTool({ name: failure.tool, arguments: failure.arguments });
      if (failure.error) return assertToolError(await called, failure);
      await assert.rejects(called, (error) => {
        assert.ok(error instanceof McpError);
        assert.equal(error.code, failure.throws);
        assert.match(error.message, new RegExp(failure.text));
        assert.equal(error.data.retry.allowed, false);
        return true;
      });
    });
  }
});

test("SDK 1 gets the answer of a shown UI's own tool in band", async () => {
  const envelope = { kind: "dispatch", payload: {}, sessionId: "nobody", appId: "builder", actionId: "a-1234567", firedAt: new Date().toISOString() };
  const refused = await client.callTool({ name: "ggui_runtime_submit_action", arguments: envelope });
  assert.equal(refused.isError ?? false, false);
  assert.equal(refused.structuredContent.ok, false);
});

test("SDK 1 gets a limit as -32013 with the time to wait", async (t) => {
  const strict = await startServer({ EMITS_PER_SECOND: 1, EMITS_BURST: 1 });
  const hasty = await connect(strict.mcpUrl);
  t.after(async () => (await hasty.close(), await strict.stop()));
  await hasty.listTools();
  const { sessionId } = await rendered(hasty);
  const emit = (payload) => hasty.callTool({ name: "ggui_emit", arguments: { sessionId, channel: "log", payload } });
  await emit("1");
  await assert.rejects(emit("2"), (error) => {
    assert.equal(error.code, -32013);
    assert.match(error.message, /Rate limit exceeded — retry after \d+ms\./);
    return error.data.retry.after_ms > 0 && error.data.retry.allowed;
  });
});

test("SDK 1 gets a session that has ended as a status, then as a tool error", async (t) => {
  const short = await startServer({ SESSIONS_IDLE_TTL_S: 3 });
  const late = await connect(short.mcpUrl);
  t.after(async () => (await late.close(), await short.stop()));
  await late.listTools();
  const ask = (name, args) => late.callTool({ name, arguments: args });
  const { sessionId } = await rendered(late);
  const ended = await ask("ggui_consume", { sessionId, timeout: 20 });
  assert.equal(ended.structuredContent.status, "expired");
  assertToolError(await ask("ggui_consume", { sessionId }), { error: "session_not_found", text: "GguiSession .* not found" });
});

test("SDK 1 sees HTTP 401 for a key that is not accepted", async (t) => {
  const locked = await startServer({}, ["--keys-file", await keysFile()]);
  t.after(() => locked.stop());
  await assert.rejects(connect(locked.mcpUrl, { authorization: "Bearer not-a-key" }), (error) => /401|Unauthorized|-32001/.test(`${error.code} ${error.name} ${error.message}`));
});
