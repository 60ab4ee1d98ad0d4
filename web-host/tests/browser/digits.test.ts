// @vitest-environment node
// Whole numbers of more digits than a script's own numbers hold: shown and sent back as they came.

import { describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { ACK, guestCode, HANGS, show } from "./guest";

describe.skipIf(!isThere)("a whole number of many digits", () => {
  const browser = browserFor(guestCode);
  it(
    "is shown and sent back to the last one",
    async () => {
      const { page } = await show(browser(), {
        components: [
          {
            id: "root",
            component: "Table",
            key: "serial",
            titleField: "serial",
            rows: { path: "/props/rows" },
            columns: [{ field: "serial", label: "Serial", format: "integer" }],
            rowActions: [{ action: "pick", label: "Pick", fixed: { serial: "serial" } }],
          },
        ],
        propsJson: '{"rows":[{"serial":9007199254740993}]}',
        bursts: [[ACK]],
      });
      await page.getByText("9,007,199,254,740,993").waitFor();
      await page.getByRole("button", { name: "Pick" }).click();
      await page.waitForFunction(() => "__written" in globalThis);
      expect(await page.evaluate(() => (globalThis as any).__written)).toContain(
        '"data":{"serial":9007199254740993}',
      );
      await page.evaluate(() =>
        (globalThis as any).__socket.onmessage({
          data: '{"type":"props_update","payload":{"sessionId":"s","epoch":0,"props":{"rows":[{"serial":18446744073709551615}]}}}',
        }),
      );
      await page.getByText("18,446,744,073,709,551,615").waitFor();
      await page.close();
    },
    2 * HANGS,
  );
});
