// What the guide to errors tells clients to do, rule for rule, over the first generation of the SDK:
// which failures are tried again and after how long, which handshake is made anew, and what a person
// is told. Pauses are handed in, so that a test can see them.
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";

type Json = Record<string, unknown>;
type Told = { code?: number; status?: number; retryAfter?: number };
type Pause = (ms: number) => Promise<void>;

const BAD_REQUEST = [-32600, -32601, -32602];
const BAD_CONFIG = [-32001, -32003];
const GONE = -32002;
const LONGEST = 10_000;

/** The SDK tells of an HTTP failure no more than its text: this `fetch` hands on what came with it. */
export function telling(send: typeof fetch): typeof fetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (response.ok || response.status === 405) return response;
    const after = response.headers.get("retry-after");
    const body = await response.json().catch(() => ({}));
    throw Object.assign(new Error(`HTTP ${response.status}`), {
      status: response.status,
      code: body.error?.code,
      data: body.error?.data,
      ...(after === null ? {} : { retryAfter: Number(after) }),
    });
  };
}

export async function callWithRetry(client: Client, name: string, args: Json, pause: Pause, retries = 3): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    try {
      const result = await client.callTool({ name, arguments: args });
      if (result.isError) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`);
      return result.structuredContent;
    } catch (error) {
      const { code, retryAfter } = error as Told;
      const isPermanent = code !== undefined && (code === GONE || BAD_CONFIG.includes(code) || BAD_REQUEST.includes(code));
      if (attempt === retries || isPermanent) throw error;
      await pause(retryAfter === undefined ? Math.min(1000 * 2 ** attempt, LONGEST) : retryAfter * 1000);
    }
  }
}

function text({ content }: Json): string {
  const blocks = (content ?? []) as { type: string; text?: string }[];
  return blocks.filter(({ type }) => type === "text").map((block) => block.text).join(" ");
}

export async function resilientRender(client: Client, intent: string, contract: Json, props: Json) {
  const render = async () => {
    const agreed = await client.callTool({ name: "ggui_handshake", arguments: { intent, blueprintDraft: { contract } } });
    const { handshakeId } = agreed.structuredContent as { handshakeId: string };
    return client.callTool({ name: "ggui_render", arguments: { handshakeId, props } });
  };
  const result = await render();
  return result.isError && /handshakeId .* not found/i.test(text(result)) ? render() : result;
}

export function getUserMessage(error: unknown): string {
  const { code, status } = error as Told;
  if (status === 401 || code === -32001) return "Authentication failed — contact support.";
  if (status === 429) return "Too many requests — please slow down.";
  if (code === GONE) return "Your session expired.";
  if (code === -32004) return "We couldn't generate that UI — try a simpler request.";
  return status !== undefined && status >= 500 ? "The server is temporarily unavailable." : "Something went wrong.";
}
