// What both generations of the TypeScript SDK are asked to do.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { contract, Person, within } from "./world.mjs";

const failures = JSON.parse(await readFile(new URL("failures.json", import.meta.url), "utf8"));

const caller = (client) => async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent;

/** A render of `contract`, fresh. */
export async function rendered(client) {
  const call = caller(client);
  const { handshakeId } = await call("ggui_handshake", { intent: "Pick one", blueprintDraft: { contract } });
  return { handshakeId, ...(await call("ggui_render", { handshakeId, props: { title: "One" } })) };
}

/** Lists the tools; whatever the SDK had to say about their schemas on its console. */
export async function wordsWhileListing(client) {
  const said = [];
  const kept = { ...console };
  for (const level of ["log", "info", "warn", "error", "debug"]) console[level] = (...args) => said.push(args.join(" "));
  try {
    await client.listTools();
  } finally {
    Object.assign(console, kept);
  }
  return said;
}

/** From the click of a person to the answer they see. */
export async function assertClickIsAnswered(client) {
  const call = caller(client);
  const { sessionId, viewerUrl } = await rendered(client);
  const person = await Person.at(viewerUrl);
  const consumed = call("ggui_consume", { sessionId, timeout: 20 });
  assert.equal((await person.does("pick", { id: 7 })).type, "ack");
  const { events } = await consumed;
  assert.deepEqual([events[0].intent, events[0].actionData], ["pick", { id: 7 }]);
  await call("ggui_amend", { sessionId, kind: "merge", patch: { title: "Seven" } });
  await call("ggui_emit", { sessionId, channel: "log", payload: "picked 7" });
  await person.sees(({ type, payload }) => type === "props_update" && payload.props.title === "Seven");
  await person.sees(() => person.streamed().includes("picked 7"));
  assert.deepEqual((await call("ggui_get_session", { sessionId })).props, { title: "Seven" });
  person.leaves();
}

/** A wait that is aborted takes no click with it: the client says so and leaves the line open, or closes it. */
export async function assertAbortTakesNothing(client, wait) {
  const call = caller(client);
  const { sessionId, viewerUrl } = await rendered(client);
  const person = await Person.at(viewerUrl);
  const giveUp = new AbortController();
  const held = wait({ name: "ggui_consume", arguments: { sessionId, timeout: 25, after: "" } }, { signal: giveUp.signal });
  const gone = assert.rejects(held);
  await person.sees(({ type, payload }) => type === "data" && payload.payload.kind === "consume_polling");
  giveUp.abort("enough");
  await gone;
  await holds(viewerUrl, 0);
  assert.equal((await person.does("pick", { id: 7 })).type, "ack");
  const { events } = await call("ggui_consume", { sessionId, timeout: 25 });
  assert.deepEqual([events[0].intent, events[0].redelivered ?? false], ["pick", false]);
  person.leaves();
}

/** Returns once the server holds so many calls. */
async function holds(viewerUrl, count) {
  const counted = async () => {
    for (;;) {
      const page = await (await fetch(new URL("/metrics", viewerUrl))).text();
      if (page.includes(`\nproscenium_held_calls ${count}\n`)) return;
    }
  };
  await within(counted(), `a server that holds ${count} calls`);
}

/** What a render shows, what the tools link to, and everything that is listed can be read. */
export async function assertResourcesAreRead(client) {
  const { resourceUri } = await rendered(client);
  const { tools } = await client.listTools();
  const linked = tools.find(({ name }) => name === "ggui_render")._meta.ui.resourceUri;
  for (const uri of [resourceUri, linked]) {
    const { contents } = await client.readResource({ uri });
    assert.equal(contents[0].mimeType, "text/html;profile=mcp-app");
    assert.match(contents[0].text, /^<!doctype html>/i);
  }
  const { resources } = await client.listResources();
  for (const { uri } of resources) assert.equal((await client.readResource({ uri })).contents.length, 1, uri);
  await client.listResourceTemplates();
}

/** Each prompt that is listed can be had, and its arguments completed. */
export async function assertPromptsAreHad(client) {
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map(({ name }) => name).sort(), ["approve", "choose", "dashboard", "form", "review"]);
  for (const { name, arguments: wanted = [] } of prompts) {
    const given = Object.fromEntries(wanted.filter(({ required }) => required).map((argument) => [argument.name, "a thing"]));
    const { messages } = await client.getPrompt({ name, arguments: given });
    assert.match(messages[0].content.text, /ggui_handshake/, name);
    for (const argument of wanted) {
      const { completion } = await client.complete({ ref: { type: "ref/prompt", name }, argument: { name: argument.name, value: "" } });
      assert.ok(Array.isArray(completion.values));
    }
  }
}

/** Every failure a tool can be brought to, with fresh ids in the places of `$names`. */
export async function* provoked(client) {
  const call = caller(client);
  const handshake = async (draft) => (await call("ggui_handshake", { intent: "Try things", blueprintDraft: { contract: draft } })).handshakeId;
  const { handshakeId, sessionId } = await rendered(client);
  const ids = { $spent: handshakeId, $session: sessionId, $fresh: await handshake(contract), $declined: await handshake({ propsSpec: 5 }) };
  for (const failure of failures) {
    const text = JSON.stringify(failure.arguments).replace(/\$\w+/g, (name) => ids[name]);
    yield { ...failure, arguments: JSON.parse(text) };
  }
}

/** A failed tool: readable by a model, by a program, and by code that only matches text. */
export function assertToolError(result, { error, text }) {
  assert.equal(result.isError, true);
  assert.equal(result.structuredContent.error.code, error);
  assert.match(result.content[0].text, new RegExp(text));
  assert.deepEqual(JSON.parse(result.content[1].text), result.structuredContent);
}
