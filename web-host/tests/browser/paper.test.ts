// @vitest-environment node
// On paper nothing scrolls: all of it is there, without controls, and the page around it knows how high that is.

import { describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { guestCode, HANGS } from "./guest";
import { showOnPage } from "./hosts";

const code = Array.from({ length: 120 }, (_, line) => `line ${line}`).join("\n");

describe.skipIf(!isThere)("a view on paper", () => {
  const browser = browserFor(guestCode);
  it(
    "is whole, has nothing to press, and is no higher than its page was told",
    async () => {
      const components = [
        { id: "root", component: "Column", children: ["code", "card", "go"] },
        { id: "card", component: "Card", child: "fields" },
        { id: "fields", component: "Column", children: ["name"] },
        { id: "code", component: "Code", title: "Source", value: code },
        { id: "name", component: "TextField", label: "Name", value: { path: "/ui/name" } },
        { id: "go", component: "ActionButton", action: "go", label: "Go" },
      ];
      const { page, frame } = await showOnPage(
        browser(),
        components,
        { width: 900, height: 700 },
        { host: { hostCapabilities: { experimental: { "proscenium/keep": {} } } } },
      );
      const handle = await page.waitForFunction(() => (globalThis as any).__paper);
      const height = (await handle.jsonValue()) as number;
      await page.emulateMedia({ media: "print" });
      const paper = await frame.evaluate(() => ({
        pressed: [...document.querySelectorAll("button, input, select, textarea, .g-card")].filter(
          (at) => at.checkVisibility(),
        ).length,
        hidden: [...document.querySelectorAll("pre")].filter(
          ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1,
        ).length,
        height: document.querySelector("main")!.getBoundingClientRect().height,
      }));
      expect(paper.pressed).toBe(0);
      expect(paper.hidden).toBe(0);
      expect(paper.height).toBeGreaterThan(1200);
      expect(paper.height).toBeLessThanOrEqual(height);
      await page.close();
    },
    2 * HANGS,
  );
});
