// What the server wrote into the page.

import type { StageConfig } from "../wire/stage";

const written = (globalThis as { __PROSCENIUM_STAGE__?: StageConfig }).__PROSCENIUM_STAGE__;

export const config: StageConfig = { mode: "all", feedUrl: "/stage/feed", ...written };

export function mcpUrl(): string {
  return config.mcpUrl ?? `${config.publicUrl ?? location.origin}/mcp`;
}
