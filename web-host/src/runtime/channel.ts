// Builds the live channel of a slice: its steps, its cursor and its credential.

import type { Host } from "./host";
import { systemClock } from "./live/clock";
import { Credential, type Renewal } from "./live/credential";
import { Cursor } from "./live/cursor";
import { openEventStream } from "./live/event-stream";
import { Failover, type FailoverHandlers, type Step } from "./live/failover";
import { fetchState, openPolling, openRelay } from "./live/pages";
import { openSocket } from "./live/socket";
import type { Reading } from "./live/transport";
import type { Slice } from "./slice";

export function openChannel(slice: Slice, host: Host, handlers: FailoverHandlers): Failover {
  const { sessionId, appId, wsUrl, wsToken = "", sseUrl, pollingUrl } = slice;
  const throughHost: Renewal = async (token) => {
    if (!host.relaysTools) return undefined;
    const answer = await host.callTool("ggui_runtime_refresh_ws_token", { envelope: token });
    return typeof answer?.envelope === "string" ? answer.envelope : undefined;
  };
  const throughState: Renewal = async () =>
    pollingUrl ? (await fetchState(pollingUrl, reading))?.wsToken : undefined;
  const reading: Reading = {
    sessionId,
    appId,
    clock: systemClock,
    cursor: new Cursor(slice.lastSequence ?? 0),
    credential: new Credential(wsToken, systemClock, [throughHost, throughState]),
  };
  const steps: Step[] = [];
  if (wsToken) {
    if (wsUrl) steps.push({ name: "ws", open: openSocket(wsUrl) });
    if (sseUrl) steps.push({ name: "sse", open: openEventStream(sseUrl) });
    if (pollingUrl) steps.push({ name: "poll", open: openPolling(pollingUrl) });
  }
  steps.push({ name: "relay", open: openRelay(host), usable: () => host.relaysTools });
  return new Failover(steps, reading, handlers);
}
