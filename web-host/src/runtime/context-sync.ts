// Keeps the agent's copy of the context slots current, where a host relays tools.

import type { JsonObject } from "../wire/json";
import type { Slice } from "../wire/slice";
import type { Host } from "./host";

const DEFAULT_DEBOUNCE = 300;

/** The snapshot replaces the previous one; the slowest slot decides how long to wait. */
export function contextSync(slice: Slice, host: Host): (slots: JsonObject) => void {
  const wait = Math.max(0, ...(slice.contextSlots ?? []).map((slot) => slot.debounceMs ?? DEFAULT_DEBOUNCE));
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (snapshot) => {
    clearTimeout(timer);
    if (!host.relaysTools) return;
    timer = setTimeout(() => {
      host.callTool("ggui_runtime_sync_context", { sessionId: slice.sessionId, appId: slice.appId, snapshot }).catch(() => undefined);
    }, wait);
  };
}
