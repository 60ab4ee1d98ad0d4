// The gate with servers that others wrote behind it: whatever the official client is given by one of
// them directly, it is given through the gate.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { Person, startServer, within } from "./world.mjs";

const bin = (name) => new URL(`node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url).pathname;
const EVERYTHING = bin("server-everything");
const FILESYSTEM = bin("server-filesystem");

/** What clients can be asked. */
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** Answers whatever a client is asked, and notes it. */
function answering(client, { elicit, sample, roots, log, updated }) {
  client.asked = [];
  client.setNotificationHandler(updated, ({ params }) => client.updated?.(params.uri));
  const noting = (answer) => ({ method, params: { _meta, ...params } = {} }) => {
    client.asked.push({ method, params });
    return answer;
  };
  const name = { name: "Ida", check: true, integer: 7 };
  client.setRequestHandler(elicit, noting({ action: "accept", content: name }));
  const content = { type: "text", text: "Bern" };
  client.setRequestHandler(sample, noting({ role: "assistant", content, model: "none", stopReason: "endTurn" }));
  client.setRequestHandler(roots, () => ({ roots: [{ uri: "file:///srv/a", name: "A" }] }));
  client.setNotificationHandler(log, ({ params: { level, data } }) => client.logged?.({ level: typeof level, data: typeof data }));
}

async function connect(transport) {
  const client = new Client({ name: "gate", version: "1.0.0" }, { capabilities });
  answering(client, {
    elicit: ElicitRequestSchema,
    sample: CreateMessageRequestSchema,
    roots: ListRootsRequestSchema,
    log: LoggingMessageNotificationSchema,
    updated: ResourceUpdatedNotificationSchema,
  });
  await within(client.connect(transport), "a connection");
  return client;
}

/** The clients of a gate: of either generation, in either era. */
const CLIENTS = {
  "SDK 1": (url) => connect(new StreamableHTTPClientTransport(url)),
  "SDK 2, 2025-11-25": (url) => connectAs("legacy", url),
  "SDK 2, 2026-07-28": (url) => connectAs("auto", url),
};

async function connectAs(mode, url) {
  const client = new Client2({ name: "gate", version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  answering(client, {
    elicit: "elicitation/create",
    sample: "sampling/createMessage",
    roots: "roots/list",
    log: "notifications/message",
    updated: "notifications/resources/updated",
  });
  await within(client.connect(new Transport2(url)), "a connection");
  return client;
}

/** A call with options, which stand elsewhere in the first generation. */
const callWith = (client, params, options) =>
  client instanceof Client2 ? client.callTool(params, options) : client.callTool(params, undefined, options);

/** A server with a gate in front of these sources, and a client of it. */
async function throughGate(sources, governance = {}, approval = {}, client = CLIENTS["SDK 1"]) {
  const folder = await mkdtemp(join(tmpdir(), "gate-"));
  const file = join(folder, "gate.yaml");
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ schema: 1, sources, governance, approval }));
  // Programs start slowly on a busy machine; here nobody else waits for their lists.
  const server = await startServer({ GATE_LIST_WAIT_MS: 30_000 }, ["--gate", file]);
  const connected = await client(new URL(`${server.mcpUrl}/gate`));
  return { client: connected, origin: server.origin, close: async () => (await connected.close(), await server.stop()) };
}

/** What comes of a request: its result, or the error that the client makes of it, without what it puts in front. */
const outcome = (asked) =>
  within(asked, "an answer").catch(({ code, message }) => ({ code, message: message.replace(/^(MCP error -\d+: )+/, "") }));

/** Everything that a client can receive from the server with everything. */
async function tour(client) {
  const call = (name, args) => outcome(client.callTool({ name, arguments: args }));
  const complete = (ref, argument) => outcome(client.complete({ ref, argument }));
  const template = "demo://resource/dynamic/text/{resourceId}";
  const { resources } = await client.listResources();
  return {
    // The gate offers no tasks, and says nothing of a tool's.
    tools: (await client.listTools()).tools.map(({ execution: _, ...tool }) => tool),
    resources,
    templates: (await client.listResourceTemplates()).resourceTemplates,
    prompts: (await client.listPrompts()).prompts,
    calls: [
      await call("echo", { message: "Grüezi 👋" }),
      await call("get-sum", { a: 1.5, b: 2 }),
      await call("get-sum", { a: "one" }),
      await call("get-tiny-image", {}),
      await call("get-structured-content", { location: "Chicago" }),
      await call("get-annotated-message", { messageType: "error", includeImage: true }),
      await call("get-resource-links", { count: 3 }),
      await call("get-resource-reference", { resourceType: "Text", resourceId: 2 }),
      await call("trigger-long-running-operation", { duration: 0.1, steps: 2 }),
      await call("trigger-elicitation-request", {}),
      await call("trigger-sampling-request", { prompt: "The capital?", maxTokens: 20 }),
      await call("get-roots-list", {}),
      await call("no-such-tool", {}).then(({ isError }) => isError ?? "refused"),
    ],
    asked: client.asked,
    logged: await logged(client),
    progress: await steps(client),
    cancelled: await cancelled(client),
    followed: await followed(client),
    reads: await Promise.all(resources.map(({ uri }) => outcome(client.readResource({ uri })))),
    messages: [
      await outcome(client.getPrompt({ name: "simple-prompt" })),
      await outcome(client.getPrompt({ name: "args-prompt", arguments: { city: "Bern" } })),
      await outcome(client.getPrompt({ name: "args-prompt" })),
    ],
    completed: [
      await complete({ type: "ref/prompt", name: "completable-prompt" }, { name: "department", value: "E" }),
      await complete({ type: "ref/resource", uri: template }, { name: "resourceId", value: "1" }),
    ],
  };
}

/** What a client is told of what its server logs during a call, which goes on until then. */
async function logged(client) {
  const name = "toggle-simulated-logging";
  await outcome(client.callTool({ name, arguments: {} }));
  const told = new Promise((done) => (client.logged = done));
  const call = { name: "trigger-long-running-operation", arguments: { duration: 600, steps: 1 } };
  const _meta = { "io.modelcontextprotocol/logLevel": "debug" };
  const over = new AbortController();
  const ended = callWith(client, { ...call, _meta }, { signal: over.signal }).catch(() => undefined);
  const first = await within(told, "a log message");
  over.abort();
  await ended;
  await outcome(client.callTool({ name, arguments: {} }));
  return first;
}

/** What a client is told of how far a call has come. */
async function steps(client) {
  const told = [];
  const call = { name: "trigger-long-running-operation", arguments: { duration: 3, steps: 3 } };
  await within(callWith(client, call, { onprogress: (progress) => told.push(progress) }), "an answer");
  // The last step comes with the answer, and then the client no longer listens.
  return told.slice(0, 2);
}

/** What a client is told of a call that it takes back once it has begun: what its own half says. */
async function cancelled(client) {
  const gone = new AbortController();
  const call = { name: "trigger-long-running-operation", arguments: { duration: 600, steps: 6000 } };
  const options = { signal: gone.signal, onprogress: () => gone.abort("no longer wanted") };
  return within(callWith(client, call, options), "an answer").then(
    () => "answered",
    ({ message }) => /no longer wanted/.test(message),
  );
}

/** What a client is told of a resource that it follows, in whichever way its revision has. */
async function followed(client) {
  const uri = "demo://resource/dynamic/text/1";
  const told = new Promise((done) => (client.updated = done));
  const isNewer = client.getNegotiatedProtocolVersion?.() === "2026-07-28";
  const stream = isNewer ? await client.listen({ resourceSubscriptions: [uri] }) : undefined;
  if (!isNewer) await within(client.subscribeResource({ uri }), "a subscription");
  await outcome(client.callTool({ name: "toggle-subscriber-updates", arguments: {} }));
  const first = await within(told, "an update");
  if (isNewer) await stream.close();
  else await within(client.unsubscribeResource({ uri }), "its end");
  await outcome(client.callTool({ name: "toggle-subscriber-updates", arguments: {} }));
  return first;
}

/** Without the times of what is made anew for each request, and without what the newer era adds to each answer. */
function steady(answers) {
  const text = JSON.stringify(answers).replace(/\d{1,2}:\d{2}:\d{2}( [AP]M)?/g, "TIME");
  return JSON.parse(text, (key, value) => {
    if (["cacheScope", "resultType", "ttlMs"].includes(key)) return undefined;
    if (key !== "_meta") return value;
    const { "io.modelcontextprotocol/serverInfo": _, ...rest } = value;
    return Object.keys(rest).length > 0 ? rest : undefined;
  });
}

/** The same tour through a gate, whichever client takes it. */
async function assertSameThroughGate(expected, source, take) {
  for (const [name, client] of Object.entries(CLIENTS)) {
    const gated = await throughGate([source], {}, {}, client);
    try {
      const received = await take(gated.client);
      for (const part of Object.keys(expected)) assert.deepEqual(received[part], expected[part], `${name}: ${part}`);
    } finally {
      await gated.close();
    }
  }
}

async function assertSame(direct, source) {
  const expected = steady(await tour(direct));
  // A tool that is not there is an error of the protocol here, and a failed result there.
  assert.equal(expected.calls.pop(), true);
  assert.deepEqual(expected.asked.map(({ method }) => method), ["elicitation/create", "sampling/createMessage"]);
  assert.deepEqual(expected.logged, { level: "string", data: "string" });
  await direct.close();
  await assertSameThroughGate(expected, source, async (client) => {
    const received = steady(await tour(client));
    assert.equal(received.calls.pop(), "refused");
    return received;
  });
}

/** Everything that server-filesystem does in a folder, which is emptied for it. */
async function filesTour(client, folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "sub"), { recursive: true });
  await writeFile(join(folder, "sub", "b.txt"), "one\ntwo\nthree\n");
  const path = (name) => join(folder, name);
  const call = (name, args) => outcome(client.callTool({ name, arguments: args }));
  const edits = [{ oldText: "Salü", newText: "Grüezi" }];
  const { tools } = await client.listTools();
  const calls = [
    await call("list_allowed_directories", {}),
    await call("write_file", { path: path("a.txt"), content: "Salü 👋\n" }),
    await call("read_text_file", { path: path("a.txt") }),
    await call("read_text_file", { path: path("sub/b.txt"), head: 1 }),
    await call("read_media_file", { path: path("a.txt") }),
    await call("read_multiple_files", { paths: [path("a.txt"), path("sub/b.txt"), path("none.txt")] }),
    await call("edit_file", { path: path("a.txt"), edits, dryRun: true }),
    await call("edit_file", { path: path("a.txt"), edits }),
    await call("create_directory", { path: path("made") }),
    await call("move_file", { source: path("a.txt"), destination: path("made/c.txt") }),
    await call("list_directory", { path: folder }),
    await call("list_directory_with_sizes", { path: path("sub"), sortBy: "size" }),
    await call("directory_tree", { path: folder }),
    await call("search_files", { path: folder, pattern: "**/*.txt" }),
    await call("read_text_file", { path: path("made/c.txt") }),
    await call("read_text_file", { path: "/etc/hostname" }),
    await call("read_text_file", {}),
  ];
  return { tools: tools.map(({ execution: _, ...tool }) => tool), calls };
}

test("the tour of server-filesystem through the gate is the direct one", async () => {
  const folder = join(await mkdtemp(join(tmpdir(), "files-")), "all");
  await mkdir(folder);
  const command = [process.execPath, FILESYSTEM, folder];
  const direct = await connect(new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: "ignore" }));
  const expected = steady(await filesTour(direct, folder));
  await direct.close();
  assert.ok(expected.calls.filter(({ isError }) => isError !== true).length >= 13, JSON.stringify(expected.calls));
  assert.equal(await readFile(join(folder, "made/c.txt"), "utf8"), "Grüezi 👋\n");
  const source = { id: "files", kind: "mcp", command };
  await assertSameThroughGate(expected, source, async (client) => steady(await filesTour(client, folder)));
});

test("over pipes, the tour of server-everything through the gate is the direct one", async () => {
  const direct = await connect(new StdioClientTransport({ command: process.execPath, args: [EVERYTHING, "stdio"], stderr: "ignore" }));
  await assertSame(direct, { id: "everything", kind: "mcp", command: [process.execPath, EVERYTHING, "stdio"] });
});

test("over HTTP, the tour of server-everything through the gate is the direct one", async () => {
  const free = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => free.once("listening", done));
  const { port } = free.address();
  await new Promise((done) => free.close(done));
  const everything = spawn(process.execPath, [EVERYTHING, "streamableHttp"], { env: { ...process.env, PORT: port }, stdio: "ignore" });
  try {
    const url = `http://127.0.0.1:${port}/mcp`;
    const up = async () => {
      while (!(await fetch(url).catch(() => undefined)));
    };
    await within(up(), "the server");
    const direct = await connect(new StreamableHTTPClientTransport(new URL(url)));
    await assertSame(direct, { id: "everything", kind: "mcp", url });
  } finally {
    everything.kill();
  }
});

test("server-filesystem reads and writes through the gate, and a rule keeps it from moving files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  const source = { id: "files", kind: "mcp", command: [process.execPath, FILESYSTEM, folder], prefix: "files_" };
  const rules = [{ match: "move_*", action: "deny", description: "Files stay where they are" }];
  const { client, close } = await throughGate([source], { rules });
  try {
    const path = join(folder, "a.txt");
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert.ok(names.includes("files_write_file") && !names.includes("files_move_file"), names);
    const written = await client.callTool({ name: "files_write_file", arguments: { path, content: "Salü" } });
    assert.notEqual(written.isError, true, JSON.stringify(written));
    assert.equal(await readFile(path, "utf8"), "Salü");
    const read = await client.callTool({ name: "files_read_text_file", arguments: { path } });
    assert.equal(read.content[0].text, "Salü");
    const moved = client.callTool({ name: "files_move_file", arguments: { source: path, destination: `${path}.b` } });
    await assert.rejects(moved, ({ code, data }) => code === -32003 && data.reason === "Files stay where they are");
    assert.equal(await readFile(path, "utf8"), "Salü");
  } finally {
    await close();
  }
});

test("server-filesystem moves a file when a person approves, and leaves it when they reject", async () => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  const source = { id: "files", kind: "mcp", command: [process.execPath, FILESYSTEM, folder], prefix: "files_" };
  const rules = [{ match: "move_*", action: "approve", description: "Others may look for it" }];
  const { client, origin, close } = await throughGate([source], { rules }, { people: { allow: ["session"] } });
  const path = (name) => join(folder, name);
  const isThere = (name) => access(path(name)).then(() => true, () => false);
  const move = (from, to) => outcome(client.callTool({ name: "files_move_file", arguments: { source: path(from), destination: path(to) } }));
  const decide = async (from, action, data) => {
    const hint = path(from).length > 40 ? "" : ` ${path(from)}`;
    const person = await Person.onStage(origin, `Approve files_move_file?${hint}`);
    assert.ok(await isThere(from), "nothing is done before");
    const { type } = await person.does(action, data);
    assert.equal(type, "ack");
    person.leaves();
  };
  try {
    for (const name of ["a", "b", "c"]) await writeFile(path(name), name);
    const [moved] = await Promise.all([move("a", "a2"), decide("a", "approve", null)]);
    assert.notEqual(moved.isError, true, JSON.stringify(moved));
    assert.deepEqual([await isThere("a"), await isThere("a2")], [false, true]);
    const [kept] = await Promise.all([move("b", "b2"), decide("b", "reject", { reason: "not this one" })]);
    assert.equal(kept.code, -32007, JSON.stringify(kept));
    assert.deepEqual([await isThere("b"), await isThere("b2")], [true, false]);
    const [allowed] = await Promise.all([move("c", "c2"), decide("c", "approveSession", null)]);
    assert.notEqual(allowed.isError, true, JSON.stringify(allowed));
    const further = await move("c2", "c3");
    assert.notEqual(further.isError, true, JSON.stringify(further));
    assert.equal(await isThere("c3"), true);
  } finally {
    await close();
  }
});
