// The stage as a page, in tests.

import { render } from "preact";
import { vi } from "vitest";
import type { SessionRow, StageConfig } from "../../src/wire/stage";
import { act } from "./mount";

export const session: SessionRow = {
  sessionId: "s",
  appId: "a",
  intent: "Basket",
  title: "Basket",
  status: "active",
  createdAt: 1,
  lastActivityAt: 1,
  epoch: 0,
  contractHash: "hash",
  frameUrl: "about:blank",
  viewerUrl: "/r/code",
};

export const server = { version: "1", mcpUrl: "http://localhost:1/mcp" };

export const beside = { ...server, publicUrl: "http://localhost:1", relays: true, hasModel: false };

export const all = {
  ...beside,
  mode: "all",
  feedUrl: "/stage/feed",
  demoUrl: null,
  confirms: true,
} satisfies StageConfig;

export const one: StageConfig = { ...beside, mode: "one", session };

export async function page(
  config: StageConfig,
  prepare?: (state: typeof import("../../src/stage/state")) => void,
) {
  (globalThis as { __PROSCENIUM_STAGE__?: StageConfig }).__PROSCENIUM_STAGE__ = config;
  vi.resetModules();
  const state = await import("../../src/stage/state");
  const { Page } = await import("../../src/stage/pages");
  if (config.mode === "one") state.putSession(config.session);
  prepare?.(state);
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  await act(() => render(<Page />, root));
  return root;
}
