// A Chromium for tests that need a real browser; a machine without one skips them, loudly.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Set to `required` where a missing browser is a failure. */
export const isThere = existsSync(executablePath);
if (!isThere) {
  if (process.env.PROSCENIUM_TEST_BROWSER === "required") throw new Error(`there is no browser at ${executablePath}`);
  console.warn(`skipped: there is no browser at ${executablePath}`);
}

export function launch() {
  return chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--no-first-run"] });
}
