// Pages that are open change when somebody writes them: the server says so on a stream
// (docs/protocol/pages.md, section 8).

import { REOPEN_AFTER } from "../feed";

const REVISION = "2026-07-28";

/** Calls back each time that a page may have another version, until what it returns is called. */
export function follow(slug: string, changed: () => void): () => void {
  const end = new AbortController();
  const open = () => {
    if (end.signal.aborted) return;
    // The first message says that the stream is open: what was written before is found by looking.
    listen(slug, end.signal, changed).then((goesOn) => goesOn && setTimeout(open, REOPEN_AFTER));
  };
  open();
  return () => end.abort();
}

/** Calls back at each message; whether it may be asked again once the stream has ended. */
async function listen(slug: string, signal: AbortSignal, onMessage: () => void): Promise<boolean> {
  const method = "subscriptions/listen";
  const params = {
    notifications: { resourceSubscriptions: [`brain://${slug.replace("::", "/")}`] },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": REVISION,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
  try {
    const answer = await fetch("/mcp/brain", {
      method: "POST",
      signal,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": REVISION,
        "mcp-method": method,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    // A page that may not be followed is still read when a person comes back to it.
    if (!answer.ok || !answer.body) return answer.status === 429 || answer.status >= 500;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return true;
      const lines = (rest + value).split("\n");
      rest = lines.pop()!;
      for (const line of lines) if (line.startsWith("data:")) onMessage();
    }
  } catch {
    return !signal.aborted;
  }
}
