// What a frame may request from the server through the stage: the runtime tools and the resource of
// its own session.

import type { Fields } from "../wire/json";

/** Tools that only look, at what the frame's own session may show: they feed channels. */
const feeding = new Set([
  "ggui_get_render_source",
  "ggui_get_session",
  "ggui_list_gadgets",
  "ggui_list_themes",
]);
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
/** No tool holds an answer back for longer. */
const PATIENCE = 28_000;
/** A frame with more open requests than this misbehaves. */
const CALLS_AT_ONCE = 8;

const running = new Map<string, number>();
let nextId = 1;

export function relayTool(sessionId: string, params: Fields): Promise<unknown> {
  const { name, arguments: args } = params;
  const isRuntime = typeof name === "string" && /^ggui_runtime_[a-z_]{1,40}$/.test(name);
  const isFeeding = typeof name === "string" && feeding.has(name);
  const isOwn =
    typeof args === "object" &&
    args !== null &&
    (!("sessionId" in args) || args.sessionId === undefined || args.sessionId === sessionId);
  if (!(isRuntime || isFeeding) || !isOwn)
    return Promise.reject({
      code: INVALID_PARAMS,
      message:
        "a frame may call the runtime tools of its own session, and those that feed its channels",
    });
  return ask(sessionId, "tools/call", { name, arguments: args });
}

export function relayResource(sessionId: string, params: Fields): Promise<unknown> {
  const uri = `ui://ggui/render/${sessionId}`;
  if (params.uri !== uri)
    return Promise.reject({
      code: INVALID_PARAMS,
      message: "a frame may read the resource of its own session",
    });
  return ask(sessionId, "resources/read", { uri });
}

async function ask(sessionId: string, method: string, params: unknown): Promise<unknown> {
  const calls = running.get(sessionId) ?? 0;
  if (calls >= CALLS_AT_ONCE) throw { code: INTERNAL_ERROR, message: "too many calls at once" };
  running.set(sessionId, calls + 1);
  try {
    const response = await fetch("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: nextId++, method, params }),
      signal: AbortSignal.timeout(PATIENCE),
    });
    const { error, result } = await response.json();
    if (error) throw { code: error.code, message: error.message };
    return result;
  } finally {
    running.set(sessionId, (running.get(sessionId) ?? 1) - 1);
  }
}
