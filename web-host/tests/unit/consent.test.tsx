// Nothing is sent that a person did not see or choose.

import { describe, expect, it } from "vitest";
import { draw, press } from "./mount";

const schema = {
  type: "object",
  required: ["terms", "kind"],
  properties: {
    kind: { const: "full_refund", title: "Way" },
    terms: { type: "boolean", const: true, title: "I give up my right", description: "For good." },
  },
};

describe("what a form sends", () => {
  it("is on the page before it is sent, and a yes is given by the person alone", async () => {
    const drawn = await draw([{ id: "root", component: "Form", action: "refund", schema }]);
    const box = drawn.root.querySelector<HTMLInputElement>("input[type=checkbox]")!;
    expect(box.checked).toBe(false);
    expect(box.getAttribute("aria-required")).toBe("true");
    expect(box.labels![0]!.textContent).toBe("I give up my right");
    expect(drawn.text()).toContain("For good.");
    expect(drawn.text()).toContain("WayFull refund");
    const send = drawn.root.querySelector("[data-action=refund]");
    await press(send);
    expect(drawn.fired).toEqual([]);
    expect(box.getAttribute("aria-invalid")).toBe("true");
    await press(box);
    await press(send);
    expect(JSON.stringify(drawn.fired.map(({ data }) => data))).toBe(
      '[{"kind":"full_refund","terms":true}]',
    );
  });
});
