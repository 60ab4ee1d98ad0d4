// The MCP Apps host of one frame: answers its handshake, its size, its links and its calls for the agent.

import { effect } from "@preact/signals";
import { Peer } from "../runtime/peer";
import { config } from "./config";
import { linkToOpen, logActivity, setFailed } from "./state";
import { rowOfEvent } from "./activity-log";
import { relayResource, relayTool } from "./relay";
import { shownTheme } from "./theme";

const PROTOCOL_VERSION = "2026-01-26";
const INVALID_PARAMS = -32602;
const MAX_HEIGHT = 20_000;

/** Hosts the frame until the returned function is called. */
export function hostFrame(frame: HTMLIFrameElement, sessionId: string, onHeight: (height: number) => void): () => void {
  const peer = new Peer(() => frame.contentWindow, {
    request(method, params) {
      switch (method) {
        case "ui/initialize":
          return Promise.resolve({
            protocolVersion: PROTOCOL_VERSION,
            hostInfo: { name: "proscenium-stage", version: config.version ?? "0" },
            hostCapabilities: { openLinks: {}, ...(config.relays ? { serverTools: {}, serverResources: {} } : {}) },
            hostContext: { theme: shownTheme.peek(), locale: navigator.language, platform: "web", displayMode: "inline", availableDisplayModes: ["inline"] },
          });
        case "ui/open-link":
          return openLink(params.url);
        case "tools/call":
          return config.relays ? relayTool(sessionId, params) : undefined;
        case "resources/read":
          return config.relays ? relayResource(sessionId, params) : undefined;
        case "ui/message":
          logActivity({ sessionId, at: Date.now(), kind: "rings" }, "frame");
          return Promise.resolve({});
        case "ping":
          return Promise.resolve({});
        default:
          return undefined;
      }
    },
    notification(method, params) {
      if (method === "ui/notifications/size-changed" && Number.isFinite(params.height)) onHeight(Math.min(Math.max(params.height, 0), MAX_HEIGHT));
    },
    plain(message) {
      if (message.type === "ggui:bootstrap-failed") failed(String(message.reason), String(message.message ?? ""));
      else if (message.type === "ggui:lifecycle") lifecycle(message.event);
      else if (message.type === "ggui:observe" && typeof message.event?.kind === "string") logActivity(rowOfEvent(sessionId, message.event), "frame");
    },
  });
  const failed = (reason: string, message: string) => {
    setFailed(sessionId, { reason, message });
    logActivity({ sessionId, at: Date.now(), kind: "frame-failed", detail: { reason, message } }, "frame");
  };
  const lifecycle = (event: any) => {
    if (event?.state === "error") setFailed(sessionId, { reason: String(event.error?.code ?? ""), message: String(event.error?.message ?? "") });
    else if (event?.state === "code-ready") setFailed(sessionId, null);
  };
  const stopTheme = effect(() => peer.notify("ui/notifications/host-context-changed", { theme: shownTheme.value }));
  return () => {
    stopTheme();
    peer.close();
  };
}

function openLink(url: unknown): Promise<unknown> {
  if (typeof url !== "string" || !/^https?:\/\//i.test(url)) return Promise.reject({ code: INVALID_PARAMS, message: "only http and https links can be opened" });
  return new Promise((resolve, reject) => {
    const answer = (open: boolean) => {
      linkToOpen.value = null;
      if (!open) return reject({ code: INVALID_PARAMS, message: "the person declined" });
      window.open(url, "_blank", "noopener,noreferrer");
      resolve({});
    };
    linkToOpen.value = { url, answer };
  });
}
