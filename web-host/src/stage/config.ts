// What the server wrote into the page.

import type { StageConfig } from "../wire/stage";

export const config = (globalThis as unknown as { readonly __PROSCENIUM_STAGE__: StageConfig })
  .__PROSCENIUM_STAGE__;
