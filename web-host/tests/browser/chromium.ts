// A Chromium for tests that need a real browser; without one they are skipped and counted as such.

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** With `CI=true` a missing browser is a failure. */
export const isThere = existsSync(executablePath);
if (!isThere) {
  if (process.env.CI === "true") throw new Error(`there is no browser at ${executablePath}`);
  console.warn(`skipped: there is no browser at ${executablePath}`);
}

export function launch() {
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--no-first-run",
    ],
  });
}

/** One browser for the tests of a group, begun once what they show is ready; only within them is it there. */
export function browserFor(ready: () => Promise<unknown>): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    await ready();
    browser = await launch();
  }, 60_000);
  afterAll(() => browser.close());
  return () => browser;
}
