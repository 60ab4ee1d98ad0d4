// Shared settings of the builds and the tests.

import { defineConfig } from "vitest/config";
import { oxc } from "./scripts/jsx.mjs";
import { withoutPainter } from "./scripts/painter.mjs";

export default defineConfig({
  oxc,
  define: { __PAINTER__: withoutPainter.__PAINTER__ },
  // As long as a machine with much else to do may take.
  test: {
    testTimeout: 60_000,
    // A browser on a busy machine loses a click now and then; a second try is counted in the report.
    retry: process.env.CI === "true" ? 1 : 0,
    environment: "happy-dom",
    environmentOptions: { happyDOM: { settings: { enableIframePageLoading: true } } },
    include: ["tests/{browser,unit}/**/*.test.{ts,tsx}"],
  },
});
