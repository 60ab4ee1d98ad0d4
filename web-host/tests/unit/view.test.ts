// Limits of a view: cycles, depth, size.

import { describe, expect, it } from "vitest";
import { MAX_DEPTH, MAX_NODES, readView } from "../../src/draw/view";
import { view } from "./mount";

describe("a view", () => {
  it("without a root, without components or of another shape is refused", () => {
    for (const stored of [
      null,
      3,
      {},
      { view: {} },
      view({ id: "a", component: "Text" }),
      view({ component: "Text" }),
    ])
      expect(readView(stored).ok).toBe(false);
  });
  it("in which a component contains itself is refused", () => {
    const result = readView(
      view(
        { id: "root", component: "Column", children: ["a"] },
        { id: "a", component: "Card", child: "root" },
      ),
    );
    expect(result).toEqual({ ok: false, problem: 'component "root" contains itself' });
  });
  it("that contains itself through tabs, a modal or a template is refused", () => {
    for (const inside of [
      { tabs: [{ title: "x", child: "root" }] },
      { trigger: "root" },
      { children: { componentId: "root", path: "/props/x" } },
    ]) {
      expect(readView(view({ id: "root", component: "Tabs", ...inside })).ok).toBe(false);
    }
  });
  it("nested too deep is refused", () => {
    const chain = (depth: number) =>
      view(
        ...Array.from({ length: depth }, (_, i) => ({
          id: i ? `c${i}` : "root",
          component: "Card",
          child: `c${i + 1}`,
        })),
        { id: `c${depth}`, component: "Text" },
      );
    expect(readView(chain(MAX_DEPTH - 1)).ok).toBe(true);
    expect(readView(chain(MAX_DEPTH)).ok).toBe(false);
    expect(readView(chain(500)).ok).toBe(false);
  });
  it("that multiplies a shared child beyond the limit is refused at once", () => {
    const doubling = Array.from({ length: 40 }, (_, i) => ({
      id: i ? `c${i}` : "root",
      component: "Column",
      children: [`c${i + 1}`, `c${i + 1}`],
    }));
    expect(readView(view(...doubling, { id: "c40", component: "Text" })).ok).toBe(false);
  });
  it("with more components than the limit is refused", () => {
    expect(
      readView(
        view(
          ...Array.from({ length: MAX_NODES + 1 }, (_, i) => ({
            id: i ? `c${i}` : "root",
            component: "Text",
          })),
        ),
      ).ok,
    ).toBe(false);
  });
});
