// An agent in TypeScript: a release checklist that a person ticks off. Start the server, then:
//   npm --prefix examples ci && npm --prefix examples run agent

import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Client, ProtocolError, SdkErrorCode, SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const HELP = `An agent that shows a release checklist and ticks off what the person does.

Usage: agent.ts [--url URL] [--key KEY] [--rounds N] [--verbose]

  --url URL     MCP endpoint [default: http://127.0.0.1:6781/mcp]
  --key KEY     API key; a server on loopback needs none
  --rounds N    End after N things the person did; 0 goes on until Ctrl-C [default: 0]
  --verbose     Print the error itself below the sentence for people

Examples:
  npm --prefix examples run agent                            with Node 20
  node examples/agent.ts --rounds 1                          with Node 22.18 or newer
  node examples/agent.ts --url https://ui.example.org/mcp --key KEY`;

type Json = Record<string, any>;

/** A failed tool result; its code says what to do next. */
class ToolError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const MAX_RETRIES = 3;
const LONGEST_PAUSE = 10_000;

// Errors that a repeated call will get again: parse error, bad request, unknown tool, bad arguments,
// credentials, app, capability. A session that is gone (-32002) needs another render instead.
const PERMANENT = new Set([-32700, -32600, -32601, -32602, -32001, -32002, -32003, -32005]);
const PERMANENT_STATUS = new Set([400, 401, 403, 404, 405, 406, 413, 415]);

/** Calls a tool; waits and retries where that can help. */
async function callWithRetry(client: Client, name: string, args: Json): Promise<Json> {
  for (let attempt = 0; ; attempt++) {
    try {
      const result = await client.callTool({ name, arguments: args });
      const answer = (result.structuredContent ?? {}) as Json;
      if (!result.isError) return answer;
      throw new ToolError(answer.error?.code ?? "failed", answer.error?.message ?? errorText(result));
    } catch (error) {
      if (attempt === MAX_RETRIES || !isTransient(error)) throw error;
      await sleep(retryAfter(error) ?? Math.min(1000 * 2 ** attempt, LONGEST_PAUSE));
    }
  }
}

/** The tool's own failures are never transient: they say what has to change. */
function isTransient(error: unknown): boolean {
  if (error instanceof ToolError) return false;
  // Follows the server's advice, or the error's number where there is none.
  if (error instanceof ProtocolError) return (error.data as Json | undefined)?.retry?.allowed ?? !PERMANENT.has(error.code);
  if (error instanceof SdkHttpError) return !PERMANENT_STATUS.has(error.status);
  return isNetworkError(error);
}

/** No answer at all: refused, reset, unknown name, or a proxy that gave up. */
function isNetworkError(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: unknown };
  return name === "TypeError" || code === SdkErrorCode.RequestTimeout || code === SdkErrorCode.ConnectionClosed || code === SdkErrorCode.EraNegotiationFailed;
}

/** Milliseconds the server asked for: beside the error, or in the body of a 429. */
function retryAfter(error: unknown): number | undefined {
  if (error instanceof ProtocolError) return (error.data as Json | undefined)?.retry?.after_ms;
  if (!(error instanceof SdkHttpError)) return undefined;
  try {
    return JSON.parse(String(error.data.text)).error.data.retry.after_ms;
  } catch {
    return undefined;
  }
}

function errorText(result: { content?: unknown }): string {
  const blocks = (result.content ?? []) as Array<{ type: string; text?: string }>;
  return blocks.filter((block) => block.type === "text").map((block) => block.text).join(" ");
}

/** Negotiates the contract and shows it. A used or expired handshake is repeated once. */
async function resilientRender(client: Client, intent: string, contract: Json, props: Json): Promise<Json> {
  for (let attempt = 0; ; attempt++) {
    const agreed = await callWithRetry(client, "ggui_handshake", { intent, blueprintDraft: { contract } });
    try {
      return await callWithRetry(client, "ggui_render", { handshakeId: agreed.handshakeId, props });
    } catch (error) {
      if (attempt > 0 || !(error instanceof ToolError && error.code === "handshake_not_found")) throw error;
    }
  }
}

/** All messages for people. Codes are for logs. */
function getUserMessage(error: unknown): string {
  const status = error instanceof SdkHttpError ? error.status : undefined;
  const code = error instanceof ProtocolError || error instanceof ToolError ? error.code : undefined;
  if (status === 401 || code === -32001) return "Authentication failed — contact support.";
  if (status === 429 || code === -32013) return "Too many requests — please slow down.";
  if (code === -32002 || code === "session_not_found") return "Your session expired.";
  if (code === -32004) return "We couldn't generate that UI — try a simpler request.";
  if ((status !== undefined && status >= 500) || isNetworkError(error)) return "The server is temporarily unavailable.";
  return "Something went wrong.";
}

const CONTRACT = {
  propsSpec: {
    properties: {
      release: { schema: { type: "string" }, required: true },
      steps: {
        schema: {
          type: "array",
          items: {
            type: "object",
            properties: { id: { type: "string" }, step: { type: "string" }, state: { type: "string" } },
            required: ["id", "step", "state"],
          },
        },
        required: true,
      },
    },
  },
  actionSpec: {
    finish: { label: "Done", schema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] } },
    add: { label: "Add a step", schema: { type: "object", properties: { step: { type: "string", minLength: 1 } }, required: ["step"] } },
  },
  streamSpec: { log: { schema: { type: "string" }, mode: "append", replay: "all", description: "What happened" } },
};

/** What the person did, applied to the list; the line for the log. */
function apply(steps: Json[], event: Json): string {
  if (event.intent === "add") {
    steps.push({ id: `s${steps.length + 1}`, step: event.actionData.step, state: "open" });
    return `Added: ${event.actionData.step}`;
  }
  const done = steps.find((step) => step.id === event.actionData.id);
  if (!done) return `There is no step ${event.actionData.id}`;
  done.state = "done";
  return `Done: ${done.step}`;
}

async function run(client: Client, rounds: number): Promise<void> {
  const steps = ["Tests are green", "Changelog is written", "Tag is pushed"].map((step, i) => ({ id: `s${i + 1}`, step, state: "open" }));
  let did = 0;
  while (rounds === 0 || did < rounds) {
    const shown = await resilientRender(client, "Release checklist", CONTRACT, { release: "1.4.0", steps });
    const { sessionId } = shown;
    console.log(`shown at ${shown.viewerUrl}`);
    try {
      for (let status = "active"; status === "active" && (rounds === 0 || did < rounds); ) {
        const taken = await callWithRetry(client, "ggui_consume", { sessionId, timeout: 25 });
        for (const event of taken.events) {
          const line = apply(steps, event);
          console.log(`the person did: ${event.intent} ${JSON.stringify(event.actionData)}`);
          await callWithRetry(client, "ggui_amend", { sessionId, kind: "merge", patch: { steps } });
          await callWithRetry(client, "ggui_emit", { sessionId, channel: "log", payload: line });
          console.log(`answered: ${line}`);
          did += 1;
        }
        status = taken.status;
      }
    } catch (error) {
      // A session ends an hour after the last thing that happened: show the list again.
      if (!(error instanceof ToolError && error.code === "session_not_found")) throw error;
      console.log(getUserMessage(error));
    }
  }
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        url: { type: "string", default: "http://127.0.0.1:6781/mcp" },
        key: { type: "string" },
        rounds: { type: "string", default: "0" },
        verbose: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (!/^\d+$/.test(values.rounds)) throw new Error(`--rounds takes a whole number, not '${values.rounds}'`);
    if (!URL.canParse(values.url)) throw new Error(`--url takes an address, not '${values.url}'`);
    return { ...values, rounds: Number(values.rounds) };
  } catch (problem) {
    console.error(`${(problem as Error).message}. --help shows what can be said.`);
    process.exit(64);
  }
}

async function main(): Promise<void> {
  const values = readOptions();
  if (values.help) return console.log(HELP);
  const headers: Record<string, string> = values.key ? { authorization: `Bearer ${values.key}` } : {};
  // The newest revision the server speaks: without sessions since 2026-07-28, with `initialize` before.
  const client = new Client({ name: "release-checklist", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(values.url), { requestInit: { headers } }));
    console.log(`connected, protocol ${client.getNegotiatedProtocolVersion()}`);
    await run(client, values.rounds);
  } catch (error) {
    console.error(getUserMessage(error));
    if (isNetworkError(error)) console.error(`Nothing answers at ${values.url}: is the server running?`);
    if (values.verbose) console.error(error);
    process.exitCode = 1;
  } finally {
    await client.close();
  }
}

await main();
