// The second generation of the TypeScript SDK, in both eras: 2026-07-28, where nothing is initialized
// and every request stands alone, and 2025-11-25.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Client, ProtocolError, SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { assertAbortTakesNothing, assertClickIsAnswered, assertPromptsAreHad, assertResourcesAreRead, assertToolError, provoked, rendered, wordsWhileListing } from "./sdk.mjs";
import { keysFile, startServer, within } from "./world.mjs";

let server;
before(async () => (server = await startServer()));
after(() => server.stop());

async function connect(url, mode) {
  const client = new Client({ name: "sdk2", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

for (const [mode, revision] of [
  ["auto", "2026-07-28"],
  ["legacy", "2025-11-25"],
]) {
  describe(`SDK 2, ${revision}`, () => {
    let client;
    before(async () => {
      client = await connect(server.mcpUrl, mode);
      await client.listTools();
    });
    after(() => client.close());

    test("agrees on the newest revision of its era", () => {
      assert.equal(client.getNegotiatedProtocolVersion(), revision);
      assert.deepEqual(client.getServerCapabilities().extensions["io.modelcontextprotocol/ui"].mimeTypes, ["text/html;profile=mcp-app"]);
      assert.match(client.getInstructions(), /ggui_handshake/);
    });

    test("finds nothing to remark in the schemas of the tools", async () => {
      const fresh = await connect(server.mcpUrl, mode);
      assert.deepEqual(await wordsWhileListing(fresh), []);
      await fresh.close();
    });

    test("handshakes, renders, consumes a click, amends, emits and reads the state", () => assertClickIsAnswered(client));

    test("aborts a wait, and no click is lost", () => assertAbortTakesNothing(client, (params, options) => client.callTool(params, options)));

    test("reads what a render shows, and what its tools link to", async () => {
      await assertResourcesAreRead(client);
      await assert.rejects(client.readResource({ uri: "ui://ggui/nothing" }), ProtocolError);
    });

    test("gets each prompt it lists, with completion of arguments", () => assertPromptsAreHad(client));

    test("gets every tool error as a result or as the error of the protocol, never as an exception of its own", async (t) => {
      const modern = revision === "2026-07-28";
      for await (const failure of provoked(client)) {
        await t.test(failure.name, async () => {
          const called = client.callTool({ name: failure.tool, arguments: failure.arguments });
          // Since 2026-07-28 unfit arguments are the tool's own error, for the model to mend.
          if (modern && failure.throws === -32602) return assertToolError(await called, { ...failure, error: "invalid_arguments" });
          if (failure.error) return assertToolError(await called, failure);
          await assert.rejects(called, (error) => {
            assert.ok(error instanceof ProtocolError);
            assert.equal(error.code, (modern && failure.modern) || failure.throws);
            assert.match(error.message, new RegExp(failure.text));
            assert.equal(error.data.retry.allowed, false);
            return true;
          });
        });
      }
    });
  });
}

test("SDK 2 is notified of each change of a render it listens to, and of the end of the stream", async (t) => {
  const own = await startServer();
  const client = await connect(own.mcpUrl, "auto");
  let stopped = false;
  const stop = async () => stopped || ((stopped = true), await own.stop());
  t.after(async () => (await client.close(), await stop()));
  const updates = [];
  const { promise: changed, resolve } = Promise.withResolvers();
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    updates.push(params.uri);
    if (updates.length === 2) resolve();
  });
  const { sessionId, resourceUri } = await rendered(client);
  const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: [resourceUri, "ui://ggui/render/nobody"] });
  assert.deepEqual(subscription.honoredFilter, { toolsListChanged: true, resourceSubscriptions: [resourceUri] });
  const amend = (title) => client.callTool({ name: "ggui_amend", arguments: { sessionId, kind: "merge", patch: { title } } });
  await amend("Two");
  while (updates.length === 0) await new Promise((next) => setImmediate(next));
  await amend("Three");
  await within(changed, "the notification of the second change");
  assert.deepEqual(updates, [resourceUri, resourceUri]);
  await stop();
  assert.equal(await within(subscription.closed, "the end of the stream"), "graceful");
});

test("SDK 2 sees HTTP 401 for a key that is not accepted", async (t) => {
  const locked = await startServer({}, ["--keys-file", await keysFile()]);
  t.after(() => locked.stop());
  await assert.rejects(connect(locked.mcpUrl, "auto"), (error) => error instanceof SdkHttpError && error.status === 401);
});
