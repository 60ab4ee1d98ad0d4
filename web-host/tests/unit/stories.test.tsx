// Every component of the catalog has a story, and is well in each of its states.

import { readFileSync } from "node:fs";
import { render } from "preact";
import { describe, expect, it } from "vitest";
import { catalog } from "../../src/catalog/index";
import { StoryPage, stories } from "../../stories/stage";
import { act } from "./mount";

/** Components that hold others or are typed into: they have nothing of their own to wait for. */
const HOLDERS = new Set([
  "ActionButton",
  "Answers",
  "Button",
  "Card",
  "ChoicePicker",
  "Column",
  "Divider",
  "Form",
  "Icon",
  "Modal",
  "Row",
  "Tabs",
]);
/** Components that are not there while there is nothing to say. */
const SILENT = new Set(["Badge", "Image", "List"]);

async function drawn(name: string, state: string) {
  const element = document.createElement("main");
  document.body.replaceChildren(element);
  const failures: unknown[] = [];
  await act(() => render(<StoryPage name={name} only={[state]} failures={failures} />, element));
  return { element, failures };
}

it("every component has a story", () => {
  expect([...stories.keys()]).toEqual(Object.keys(catalog).sort());
});

it("every component has a file of its own, under its name", () => {
  const imports = [
    ...readFileSync("src/catalog/index.ts", "utf8").matchAll(
      /^import \{ (\w+) \} from "\.\/(?:[\w-]+\/)*([\w-]+)";$/gm,
    ),
  ].map(([, name, file]) => [name, file!.replaceAll("-", "")]);
  expect(imports.map(([name]) => name)).toEqual(Object.keys(catalog).sort());
  for (const [name, file] of imports) expect(file).toBe(name!.toLowerCase());
});

/** Components whose data only matter once they are used. */
const USED_LATER = new Set(["ActionButton", "Button", "Modal"]);

/** What there is to read, and what is filled in. */
function picture(element: Element): string[] {
  const filled = [...element.querySelectorAll<HTMLInputElement>("input, select, textarea")].map(
    ({ value, checked }) => `${value} ${checked}`,
  );
  return [element.querySelector("img")?.src ?? "", element.textContent ?? "", ...filled];
}

for (const name of Object.keys(catalog)) {
  describe(name, () => {
    if (Object.keys(stories.get(name)!.props).length > 0 && !USED_LATER.has(name)) {
      it("shows what it is given", async () => {
        expect(picture((await drawn(name, "usual")).element)).not.toEqual(
          picture((await drawn(name, "empty")).element),
        );
      });
    }
    for (const state of ["usual", "empty", "loading", "error", "long", "rtl"]) {
      it(`is drawn in the state "${state}", and says nothing that only programs understand`, async () => {
        const { element, failures } = await drawn(name, state);
        expect(failures).toEqual([]);
        if (!SILENT.has(name) || state === "usual")
          expect(element.querySelector(`[data-component="${name}"]`)).not.toBeNull();
        expect(element.textContent).not.toMatch(
          name === "Code" ? /undefined|\[object|NaN/ : /undefined|\[object|NaN|\bnull\b/,
        );
      });
    }
    if (!HOLDERS.has(name) && !SILENT.has(name)) {
      it("says that it waits for its first data", async () => {
        const { element } = await drawn(name, "loading");
        expect(element.querySelector('[aria-busy="true"]')).not.toBeNull();
      });
    }
  });
}
