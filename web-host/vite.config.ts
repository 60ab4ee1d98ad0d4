// Shared settings of the builds and the tests.

import { defineConfig } from "vitest/config";
import { oxc } from "./scripts/jsx.mjs";

export default defineConfig({
  oxc,
  test: { environment: "happy-dom", environmentOptions: { happyDOM: { settings: { enableIframePageLoading: true } } }, include: ["tests/{browser,unit}/**/*.test.{ts,tsx}"] },
});
