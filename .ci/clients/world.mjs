// What every test of a client needs: a server of its own, and a person in front of it.
import { execFile, spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const BINARY = process.env.SERVER_BINARY;
// How long anything may take before a test calls it lost, in milliseconds.
export const PATIENCE = 40_000;

/** Fails a wait that takes too long, naming what was waited for. */
export function within(promise, what) {
  const { promise: late, reject } = Promise.withResolvers();
  const timer = setTimeout(() => reject(new Error(`${what} did not come`)), PATIENCE);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** A server on a free port; `settings` are config keys as the environment spells them. */
export async function startServer(settings = {}, flags = []) {
  if (!BINARY) throw new Error("SERVER_BINARY names the server to test");
  const env = { ...process.env, PROSCENIUM_LOGGING_LEVEL: "error", PROSCENIUM_STORE_EPHEMERAL: "true" };
  for (const [name, value] of Object.entries(settings)) env[`PROSCENIUM_${name}`] = String(value);
  const server = spawn(BINARY, ["serve", "--listen", "127.0.0.1:0", ...flags], { env, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: server.stdout });
  const { promise: mcpUrl, resolve, reject } = Promise.withResolvers();
  lines.on("line", (line) => {
    const match = /^ *mcp *(http\S+)$/.exec(line);
    if (match) resolve(match[1]);
  });
  server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  const url = await within(mcpUrl, "the server's address");
  return {
    mcpUrl: url,
    origin: new URL(url).origin,
    async stop() {
      const ended = new Promise((done) => server.once("exit", done));
      server.kill("SIGTERM");
      await within(ended, "the server's end");
    },
  };
}

/** A file with one key whose secret is thrown away. */
export async function keysFile() {
  const file = join(await mkdtemp(join(tmpdir(), "keys-")), "keys.toml");
  await promisify(execFile)(BINARY, ["keys", "create", "--app", "demo", "--keys-file", file]);
  return file;
}

/** Everything to do with one session: a contract with props, an action, a stream and a slot. */
export const contract = {
  propsSpec: { properties: { title: { schema: { type: "string" }, required: true } } },
  actionSpec: {
    pick: { label: "Pick", schema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] } },
  },
  streamSpec: {
    log: { schema: { type: "string" }, mode: "append", replay: "all" },
    job: { schema: { type: "string" }, mode: "append", complete: true },
  },
};

/** What a browser starts with, read from the page a `viewerUrl` leads to. */
export async function sliceOf(viewerUrl) {
  const page = await (await fetch(viewerUrl)).text();
  const frameUrl = /"frameUrl":"([^"]+)"/.exec(page)?.[1];
  if (!frameUrl) throw new Error(`${viewerUrl} shows no render`);
  return sliceIn(new URL(JSON.parse(`"${frameUrl}"`), viewerUrl));
}

async function sliceIn(frameUrl) {
  const frame = await (await fetch(frameUrl)).text();
  const meta = /globalThis\.__GGUI_META__ = (.*?);<\/script>/s.exec(frame)?.[1];
  return JSON.parse(meta)["ai.ggui/render"];
}

/** The sessions on the stage now. */
async function onStage(origin) {
  const gone = new AbortController();
  const feed = await fetch(new URL("/stage/feed", origin), { signal: gone.signal });
  let text = "";
  for await (const part of feed.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes("\n\n")) break;
  }
  gone.abort();
  return JSON.parse(/^data: (.*)$/m.exec(text)[1]).sessions;
}

/** A person in front of a render: what they see arrives in `frames`, what they do goes up. */
export class Person {
  frames = [];
  #waiting = new Set();
  #socket;
  #slice;
  #next = 1;

  static async at(viewerUrl) {
    return Person.#before(await sliceOf(viewerUrl));
  }

  /** Somebody at the stage, in front of a session that is called this. */
  static async onStage(origin, intent) {
    const lookFor = async () => {
      for (;;) {
        const found = (await onStage(origin)).find((session) => session.intent === intent);
        if (found) return found;
      }
    };
    const { sessionId } = await within(lookFor(), intent);
    return Person.#before(await sliceIn(new URL(`/stage/frame/${sessionId}`, origin)));
  }

  static async #before(slice) {
    const person = new Person();
    person.#slice = slice;
    const { wsUrl, wsToken, sessionId, appId } = person.#slice;
    person.#socket = new WebSocket(`${wsUrl}?wsToken=${wsToken}`);
    person.#socket.onmessage = ({ data }) => {
      person.frames.push(JSON.parse(data));
      for (const look of [...person.#waiting]) look();
    };
    await within(new Promise((open) => (person.#socket.onopen = open)), "the live channel");
    const subscription = { sessionId, appId, role: "user", wsToken, fromSeq: 0, supportedVersions: ["draft-2026-08-19"] };
    person.#socket.send(JSON.stringify({ type: "subscribe", requestId: "s", payload: subscription }));
    await person.sees((frame) => frame.type === "ack" && frame.requestId === "s");
    return person;
  }

  /** The first frame that fits, now or later. */
  sees(fits) {
    const seen = new Promise((resolve) => {
      const look = () => {
        const frame = this.frames.find(fits);
        if (!frame) return;
        this.#waiting.delete(look);
        resolve(frame);
      };
      this.#waiting.add(look);
      look();
    });
    return within(seen, `a frame that fits ${fits}`);
  }

  /** Does something; the server's answer to it. */
  does(action, data) {
    const requestId = `a${this.#next++}`;
    const payload = {
      sessionId: this.#slice.sessionId,
      type: "data:submit",
      actionId: `${requestId}-${this.#slice.sessionId}`,
      firedAt: new Date().toISOString(),
      payload: { action, data, uiContext: {} },
    };
    this.#socket.send(JSON.stringify({ type: "action", requestId, payload }));
    return this.sees((frame) => frame.requestId === requestId);
  }

  /** The items of the contract's channels, in order. */
  streamed() {
    const items = this.frames.filter(({ type, payload }) => type === "data" && !payload.channel.startsWith("_ggui:"));
    return items.map(({ payload }) => payload.payload);
  }

  leaves() {
    this.#socket.close();
  }
}
