// Shared settings of the builds and the tests.

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { environment: "happy-dom", environmentOptions: { happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: true } } }, include: ["tests/unit/**/*.test.{ts,tsx}"] },
});
