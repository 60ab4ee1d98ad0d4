// What the server wrote into the page.

import type { StageConfig } from "../wire/stage";

declare global {
  var __PROSCENIUM_STAGE__: StageConfig;
}

export const config = globalThis.__PROSCENIUM_STAGE__;
