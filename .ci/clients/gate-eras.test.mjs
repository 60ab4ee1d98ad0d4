// The gate with a server of the official SDK behind it that speaks both eras: whichever era a client
// speaks, it is given through the gate what it is given directly.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startServer, within } from "./world.mjs";

const program = new URL("both-eras.mjs", import.meta.url).pathname;
const served = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
after(() => served.kill());
const port = await within(new Promise((told) => served.stdout.once("data", (line) => told(Number(line)))), "a port");
const direct = `http://127.0.0.1:${port}/mcp`;

/** What belongs to one connection or one revision. */
const OF_CONNECTION = ["cacheScope", "resultType", "ttlMs", "io.modelcontextprotocol/serverInfo"];

async function connect(url, mode) {
  const capabilities = { elicitation: { form: {} }, sampling: {} };
  const client = new Client({ name: "eras", version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  const content = { type: "text", text: "Bern" };
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ida" } }));
  client.setRequestHandler("sampling/createMessage", () => ({ role: "assistant", model: "none", content }));
  client.logged = [];
  client.setNotificationHandler("notifications/message", ({ params }) => client.logged.push(params.data));
  await within(client.connect(new StreamableHTTPClientTransport(new URL(url))), "a connection");
  return client;
}

/** Everything that a client can receive from the server. */
async function tour(client) {
  const outcome = (asked) => within(asked, "an answer").catch(({ code, message }) => ({ code, message }));
  const _meta = { "io.modelcontextprotocol/logLevel": "debug" };
  const call = (name, args, options) => outcome(client.callTool({ name, arguments: args, _meta }, options));
  const progress = [];
  const received = {
    revision: client.getNegotiatedProtocolVersion(),
    tools: (await client.listTools()).tools,
    resources: (await client.listResources()).resources,
    prompts: (await client.listPrompts()).prompts,
    calls: [
      await call("echo", { text: "Grüezi 👋" }),
      await call("echo", { text: 5 }),
      await call("count", { to: 5 }, { onprogress: (step) => progress.push(step) }),
      await call("fail", {}),
    ],
    asked: await call("ask", {}),
    read: await outcome(client.readResource({ uri: "note://1" })),
    message: await outcome(client.getPrompt({ name: "greet", arguments: { who: "Ida" } })),
    logged: client.logged,
    // The last step comes with the answer, and then the client no longer listens.
    progress: progress.slice(0, 4),
  };
  await client.close();
  return JSON.parse(JSON.stringify(received), (key, value) => {
    if (OF_CONNECTION.includes(key)) return undefined;
    const isEmpty = key === "_meta" && Object.values(value).every((one) => one === undefined);
    return isEmpty ? undefined : value;
  });
}

const SOURCES = {
  "over HTTP": { id: "both", kind: "mcp", url: direct },
  "over pipes": { id: "both", kind: "mcp", command: [process.execPath, program, "stdio"] },
};
const REVISIONS = { auto: "2026-07-28", legacy: "2025-11-25" };

for (const [way, source] of Object.entries(SOURCES)) {
  test(`${way}, a server of both eras is the same through the gate for clients of either`, async () => {
    const file = join(await mkdtemp(join(tmpdir(), "gate-")), "gate.yaml");
    await writeFile(file, JSON.stringify({ schema: 1, sources: [source] }));
    const server = await startServer({ GATE_LIST_WAIT_MS: 30_000 }, ["--gate", file]);
    try {
      for (const [mode, revision] of Object.entries(REVISIONS)) {
        const expected = await tour(await connect(direct, mode));
        const received = await tour(await connect(`${server.mcpUrl}/gate`, mode));
        assert.equal(expected.revision, revision);
        if (way === "over pipes" && mode === "legacy") {
          // Over HTTP this server keeps nothing between requests of the older era, and cannot ask.
          assert.equal(expected.asked.isError, true);
          expected.asked = { content: [{ type: "text", text: "Ida: Bern" }] };
        }
        for (const part of Object.keys(expected)) assert.deepEqual(received[part], expected[part], `${mode}: ${part}`);
      }
    } finally {
      await server.stop();
    }
  });
}
