// @vitest-environment node
// Views and data that mean harm: nothing hangs, nothing becomes HTML, every picture stays calm and small.

import { describe, expect, it } from "vitest";
import { stories } from "../../stories/stage";
import { browserFor, isThere } from "./chromium";
import {
  ACK,
  countOf,
  type Given,
  guestCode,
  HANGS,
  responds,
  type Shown,
  show,
  textOf,
  within,
} from "./guest";
import { boundedData } from "./hostile-data";
import { many, nested, text } from "./hostile-parts";
import { boundedViews, refused } from "./hostile-views";

/** Some ten for each of the components that may be drawn. */
const ELEMENTS_MAX = 60_000;

/** Long enough for the largest picture on a machine with much else to do, in milliseconds. */
const DRAWN_WITHIN = HANGS;

const REFUSED = "This could not be shown.";

/** What must only ever be read. */
const HARMFUL = [
  `<img src=x onerror="globalThis.__harmed=1"><script>globalThis.__harmed=1</script>`,
  `"><svg onload=globalThis.__harmed=1><style>*{display:none}</style>`,
  "javascript:globalThis.__harmed=1",
  "[read](javascript:globalThis.__harmed=1) <a href='javascript:globalThis.__harmed=1'>x</a>",
  "data:text/html,<script>globalThis.__harmed=1</script>",
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='globalThis.__harmed=1'/>",
];

/** Every story on one page, with one text in the place of every text, and of every address. */
function everything(words: string): Given {
  const parts = [...stories].map(([name, { root, props, inside }]) => {
    const own = (id: string) => `${name}-${id}`;
    const place = (value: unknown, key = ""): unknown => {
      if (Array.isArray(value))
        return value.map((item) => (key === "children" ? own(item) : place(item, key)));
      if (typeof value === "object" && value !== null)
        return Object.fromEntries(
          Object.entries(value).map(([inner, item]) => [inner, place(item, inner)]),
        );
      if (typeof value !== "string") return value;
      if (["id", "child", "trigger", "content", "componentId"].includes(key)) return own(value);
      if (key === "path") return value.replace(/^\/props\//, `/props/${name}/`);
      return [
        "title",
        "label",
        "text",
        "caption",
        "description",
        "submitLabel",
        "emptyText",
        "unit",
        "url",
      ].includes(key)
        ? words
        : value;
    };
    const filled = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(filled)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item)]))
          : typeof value === "string"
            ? words
            : value;
    return {
      name,
      props: filled(props),
      components: [...inside, { ...root, id: "root" }].map((part) => place(part) as object),
    };
  });
  return {
    components: [
      { id: "root", component: "Column", children: parts.map(({ name }) => `${name}-root`) },
      ...parts.flatMap(({ components }) => components),
    ],
    props: Object.fromEntries(parts.map(({ name, props }) => [name, props])),
  };
}

describe.skipIf(!isThere)("a view that means harm", () => {
  const browser = browserFor(guestCode);
  let shown: Shown | undefined;
  const look = async (given: Given) => (shown = await show(browser(), given));

  /** What one page broke stays its own. */
  async function leave() {
    const page = shown?.page;
    shown = undefined;
    await Promise.race([page?.close(), new Promise((done) => setTimeout(done, 1000))]);
  }

  it.each(Object.entries(refused))(
    "%s is not drawn, and says so in a sentence",
    async (_, given) => {
      const { page, errors, took } = await look(given);
      expect(await textOf(page)).toContain(REFUSED);
      expect(await countOf(page)).toBeLessThan(100);
      expect(errors).toEqual([]);
      expect(took).toBeLessThan(DRAWN_WITHIN);
      await leave();
    },
    2 * HANGS,
  );

  it.each(Object.entries({ ...boundedViews, ...boundedData }))(
    "%s is drawn in bounds, and the page goes on",
    async (_, given) => {
      const { page, errors, took } = await look(given);
      expect(await countOf(page)).toBeLessThan(ELEMENTS_MAX);
      expect((await textOf(page)).length).toBeLessThan(1_500_000);
      expect(
        await within(page.locator("[data-component]").count(), "to be found"),
        await textOf(page),
      ).toBeGreaterThan(0);
      await responds(page);
      expect(errors).toEqual([]);
      expect(took).toBeLessThan(DRAWN_WITHIN);
      await leave();
    },
    4 * HANGS,
  );

  it.each(HARMFUL)(
    "every text of every component being %s, it is read and never run",
    async (harm) => {
      const { page, errors } = await look({ ...everything(harm), context: { done: [harm] } });
      expect(await textOf(page)).toContain(harm.replace(/\s+/g, " ").trim().slice(0, 12));
      const made = await within(
        page.evaluate(() => {
          for (const control of document.querySelectorAll<HTMLElement>(
            "main button, main a, main [role=tab]",
          ))
            control.click();
          const elements = [...document.querySelectorAll("main *")];
          const has = (element: Element, test: (name: string, value: string) => boolean) =>
            [...element.attributes].some(({ name, value }) => test(name, value));
          return elements
            .filter(
              (element) =>
                /^(script|iframe|object|embed|link|meta|base|style)$/i.test(element.tagName) ||
                has(
                  element,
                  (name, value) =>
                    /^on|^srcdoc$|^formaction$/.test(name) ||
                    (/^(href|src|xlink:href|action)$/.test(name) &&
                      !/^(https?:|mailto:|data:image\/)/.test(value)),
                ),
            )
            .map((element) => element.outerHTML.slice(0, 200));
        }),
        "to be searched",
      );
      expect(made).toEqual([]);
      await responds(page);
      expect(await page.evaluate(() => (globalThis as any).__harmed)).toBeUndefined();
      expect(page.url()).toBe("about:blank");
      expect(errors).toEqual([]);
      await leave();
    },
    4 * HANGS,
  );

  it(
    "names of the language are ordinary names, in data, in paths and in what is typed",
    async () => {
      const schema =
        '{"type":"object","properties":{"__proto__":{"type":"string","title":"Own"},"constructor":{"type":"string","title":"Built"}}}';
      const { page, errors } = await look({
        viewJson: `{"version":"v0.9","view":{"components":[
        {"id":"root","component":"Column","children":["__proto__","constructor","typed","form","none"]},
        {"id":"__proto__","component":"Text","text":{"path":"/props/__proto__/polluted"}},
        {"id":"constructor","component":"Text","text":{"call":"formatString","args":{"value":"\${/props/constructor/prototype/polluted}","__proto__":{"path":"/props/__proto__"}}}},
        {"id":"typed","component":"TextField","label":"Typed","value":{"path":"/context/__proto__/polluted"}},
        {"id":"form","component":"FieldSet","schema":${schema},"value":{"path":"/ui/__proto__"}},
        {"id":"none","component":"toString"}]}}`,
        propsJson:
          '{"__proto__":{"polluted":"first"},"constructor":{"prototype":{"polluted":"second"}}}',
      });
      expect(await textOf(page)).toMatch(/first\s+second/);
      for (const label of ["Typed", "Own", "Built"]) await page.getByLabel(label).fill("third");
      await responds(page);
      expect(
        await page.evaluate(() => [
          ({} as any).polluted,
          (Object as any).polluted,
          Object.keys(Object.prototype),
        ]),
      ).toEqual([undefined, undefined, []]);
      expect(errors).toEqual([]);
      await leave();
    },
    2 * HANGS,
  );

  it(
    "a button opens addresses of the web, and nothing else",
    async () => {
      const addresses = [
        "javascript:globalThis.__harmed=1",
        " javascript:globalThis.__harmed=1",
        "java\nscript:globalThis.__harmed=1",
        "data:text/html,<script>top.__harmed=1</script>",
        "file:///etc/passwd",
        "blob:null/1",
        "https://example.org/ok",
      ];
      const { page } = await look({
        components: [
          { id: "root", component: "Column", children: addresses.map((_, index) => `b${index}`) },
          ...addresses.map((url, index) => ({
            id: `b${index}`,
            component: "Button",
            child: "t",
            action: { functionCall: { call: "openUrl", args: { url } } },
          })),
          text,
        ],
      });
      const opened = await page.evaluate(() => {
        const seen: unknown[] = [];
        window.open = (url) => {
          seen.push(url);
          return null;
        };
        for (const button of document.querySelectorAll("button")) button.click();
        return seen;
      });
      expect(opened).toEqual(["https://example.org/ok"]);
      expect(await page.evaluate(() => (globalThis as any).__harmed)).toBeUndefined();
      await leave();
    },
    2 * HANGS,
  );

  const live: Given = {
    components: [
      { id: "root", component: "Column", children: ["log", "chart", "t"] },
      { id: "log", component: "Log", lines: { path: "/streams/log" } },
      {
        id: "chart",
        component: "Chart",
        kind: "line",
        data: { path: "/streams/points" },
        x: "t",
        series: [{ field: "v", label: "V" }],
      },
      { ...text, text: { path: "/props/text" } },
    ],
    props: { text: "before" },
  };

  it(
    "a hundred thousand frames within seconds are applied once a picture, and leave it as small as it was",
    async () => {
      const frame = (index: number) =>
        JSON.stringify({
          type: "data",
          payload: {
            sessionId: "s",
            channel: index % 2 ? "log" : "points",
            mode: "append",
            payload: index % 2 ? `line ${index} ${"z".repeat(200)}` : { t: index, v: index % 97 },
            seq: index + 1,
          },
        });
      const update = (index: number) =>
        JSON.stringify({
          type: "props_update",
          payload: { sessionId: "s", epoch: 0, props: { text: `${index} ${"w".repeat(10_000)}` } },
        });
      const { page, errors } = await look({
        ...live,
        bursts: [
          [ACK],
          ...many(100, (burst) =>
            many(1000, (index) => frame(burst * 1000 + index)).concat(update(burst)),
          ),
        ],
      });
      await page.waitForFunction(() => (globalThis as any).__brought, undefined, {
        timeout: 3 * HANGS,
      });
      await page.getByText("line 99999").waitFor();
      await responds(page);
      expect(await countOf(page)).toBeLessThan(2000);
      expect(await textOf(page)).toContain("99 wwww");
      expect(errors).toEqual([]);
      await leave();
    },
    4 * HANGS,
  );

  it(
    "frames that are none are passed over, and the picture stays",
    async () => {
      const nonsense = [
        "",
        "null",
        "[]",
        "{",
        '{"type":7}',
        '{"type":"data"}',
        '{"type":"data","payload":{}}',
        '{"type":"data","payload":{"channel":"__proto__","mode":"append","payload":1,"seq":1}}',
        '{"type":"__proto__","payload":{}}',
        `{"type":"data","payload":${nested(50_000, "[", "]")}}`,
        `{"type":"props_update","payload":{"epoch":0,"props":{"text":${nested(50_000, "[", "]")}}}}`,
        '{"type":"props_update","payload":{"props":7}}',
        '{"type":"props_update","payload":{"epoch":"<b>","props":{}}}',
        '{"type":"render","payload":{}}',
        '{"type":"error","payload":{"code":"<b>"}}',
        '{"type":"drain_ack","payload":{}}',
        '{"type":"observe","payload":{"event":{"kind":"auth-required","authUrl":"javascript:globalThis.__harmed=1"}}}',
      ];
      const { page, errors } = await look({
        ...live,
        bursts: [
          [ACK],
          nonsense,
          [
            '{"type":"data","payload":{"sessionId":"s","channel":"log","mode":"append","payload":"still here","seq":9}}',
          ],
        ],
      });
      await page.getByText("still here").waitFor();
      expect(await page.locator("[data-sign-in]").count()).toBe(0);
      expect(await page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);
      expect(errors).toEqual([]);
      await leave();
    },
    2 * HANGS,
  );

  it(
    "a view that replaces another and is none leaves it where it is and says so, and the next one is drawn",
    async () => {
      const render = (view: object) =>
        JSON.stringify({
          type: "render",
          payload: { session: { id: "s", appId: "a", epoch: 0, view } },
        });
      const { page, errors } = await look({
        ...live,
        bursts: [
          [ACK],
          [render({ view: { components: [{ id: "root", component: "Card", child: "root" }] } })],
        ],
      });
      await page.getByText("A newer version could not be shown.").waitFor();
      expect(await page.locator(".g-view").count()).toBe(1);
      expect(errors).toEqual([]);
      await leave();
      const next = await look({
        ...live,
        bursts: [
          [ACK],
          [render({ view: 7 })],
          [
            render({
              version: "v0.9",
              view: { components: [{ id: "root", component: "Text", text: "the next one" }] },
            }),
          ],
        ],
      });
      await next.page.getByText("the next one").waitFor();
      await leave();
    },
    2 * HANGS,
  );
});
