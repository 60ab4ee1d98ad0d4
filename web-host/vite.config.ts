// Shared settings of the builds and the tests.

import { defineConfig } from "vitest/config";
import { oxc } from "./scripts/jsx.mjs";

export default defineConfig({
  oxc,
  // As long as a machine with much else to do may take.
  test: { testTimeout: 60_000, environment: "happy-dom", environmentOptions: { happyDOM: { settings: { enableIframePageLoading: true } } }, include: ["tests/{browser,unit}/**/*.test.{ts,tsx}"] },
});
