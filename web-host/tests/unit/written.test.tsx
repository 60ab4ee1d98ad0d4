// What is shown and sent is what was written: money, digits, and texts with signs of their own.

import { describe, expect, it } from "vitest";
import { formatMoney, formatNumeral, formatValue } from "../../src/draw/format";
import { encode } from "../../src/form/encode";
import { fieldOf } from "../../src/form/field";
import type { Json } from "../../src/wire/json";
import { draw, press } from "./mount";

const money = (value: any, currency: any, locale = "en-US") =>
  formatValue(value, "money", locale, currency).replace(/\u00a0/g, " ");

describe("money in the smallest unit of its currency", () => {
  it.each([
    [1284455, "EUR", "€12,844.55"],
    [5000, "USD", "$50.00"],
    [5000, "JPY", "¥5,000"],
    [1234, "KWD", "KWD 1.234"],
    [-5, "EUR", "-€0.05"],
    [0, "EUR", "€0.00"],
    ["1999", "eur", "€19.99"],
    [12.5, "EUR", "€0.13"],
    [9007199254740993n, "USD", "$90,071,992,547,409.93"],
  ])("%s %s is %s", (value, currency, shown) => {
    expect(money(value, currency)).toBe(shown);
  });
  it("is a plain number where nothing says which currency", () => {
    for (const currency of [undefined, null, "", "euros", 5])
      expect(money(1284455, currency)).toBe("1,284,455");
  });
  it("is written in the reader's language", () => {
    expect(money(1284455, "EUR", "de")).toBe("12.844,55 €");
  });
  it("is told from amounts by the view", async () => {
    const column = (format: string) => ({
      field: "fee",
      label: "Fee",
      format,
      currency: { path: "currency" },
    });
    const drawn = await draw(
      [
        {
          id: "root",
          component: "Table",
          rows: { path: "/props/rows" },
          columns: [column("money"), column("currency")],
        },
      ],
      {
        rows: [
          { fee: 1250, currency: "EUR" },
          { fee: 1250, currency: "JPY" },
        ],
      },
    );
    const cells = [...drawn.root.querySelectorAll("tbody tr")].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
    expect(cells).toEqual([
      ["€12.50", "€1,250.00"],
      ["¥1,250", "¥1,250"],
    ]);
    expect(formatMoney(1250, "en", "EUR", undefined, undefined, true)).toBe("€12.50");
  });
});

it("money along an axis is divided like any other", async () => {
  const drawn = await draw(
    [
      {
        id: "root",
        component: "Chart",
        kind: "line",
        data: { path: "/props/pot" },
        x: "year",
        series: [{ field: "minor", label: "Pot" }],
        format: "money",
        currency: { path: "/props/currency" },
      },
    ],
    { currency: "EUR", pot: [{ year: 2030, minor: 610000 }] },
  );
  expect(drawn.root.querySelector("table")?.textContent).toContain("€6,100.00");
});

describe("digits", () => {
  it.each([
    [0.0000012, "0.0000012"],
    [-0.00004, "-0.00004"],
    [5e-324, "5E-324"],
    [1.7976931348623157e308, "1.7976931348623157E308"],
    [1e21, "1E21"],
    [0.875, "0.875"],
    [1234567.891, "1,234,567.891"],
    [0, "0"],
    [9007199254740993n, "9,007,199,254,740,993"],
  ])("of %s are not lost", (value, shown) => {
    expect(formatNumeral(value, "en")).toBe(shown);
  });
  it("of a share that is nearly nothing are not lost", () => {
    expect(formatValue(0.004, "percent", "en")).toBe("0.004 %");
    expect(formatValue(0, "percent", "en")).toBe("0 %");
    expect(formatValue(0.45, "percent", "en")).toBe("0.45 %");
    expect(formatValue(4.25, "percent", "en")).toBe("4.25 %");
  });
  it("that are typed and cannot be sent are refused", () => {
    const send = (typed: string) => {
      const problems = new Map<string, string>();
      const value = encode(fieldOf({ type: "integer" }, "", {}), typed, true, "", problems);
      return problems.get("") ?? value;
    };
    expect(send("9007199254740993")).toBe("This number has more digits than can be sent.");
    expect(send("9007199254740992")).toBe(9007199254740992);
  });
});

describe("a text", () => {
  const lines = [
    'println!("a\\n\\t\\u{feff} {}", \\*x);',
    "__proto__ and __init__ and snake_case_name",
    "https://example.org/a_b_c/*all*/__x__?q=_y_",
    "Could `rows` take 2*3*4, a ** b ** c, or [x](y)?",
    "  indented",
  ];
  it.each(["Notice", "Items", "Timeline"])("in a %s is as it was written", async (component) => {
    const props = { text: lines.join("\n"), lines, rows: [{ text: lines.join("\n") }] };
    const drawn = await draw(
      [
        {
          id: "root",
          component,
          text: { path: "/props/text" },
          items: { path: "/props/lines" },
          rows: { path: "/props/rows" },
          textField: "text",
        },
      ],
      props,
    );
    for (const line of lines) expect(drawn.text()).toContain(line);
  });
  it("has its words between stars in bold or italic, and nothing else is Markdown", async () => {
    const words =
      "Needs a drain under the **lime tree**, and “**4×4**” tyres; *not* _now_, 2 * 3 * 4, from 9 €*.";
    const names = "Look in src/**/test/** and call f(**kwargs, **more).";
    const rows = [{ id: "1", name: "Drain", about: words, files: names }];
    const columns = ["about", "files"].map((field) => ({ field, label: field, format: "text" }));
    const drawn = await draw(
      [{ id: "root", component: "Table", rows: { path: "/props/rows" }, key: "id", columns }],
      { rows },
    );
    const bold = [...drawn.root.querySelectorAll("tbody strong")].map((at) => at.textContent);
    expect(bold).toEqual(["lime tree", "4×4"]);
    const italic = [...drawn.root.querySelectorAll("tbody em")].map((at) => at.textContent);
    expect(italic).toEqual(["not"]);
    expect(drawn.text()).toContain("not _now_, 2 * 3 * 4, from 9 €*.");
    expect(drawn.text()).toContain(names);
  });
  it("says a word of a program with its number, a local moment and a time of day", async () => {
    const rows = [{ id: "1", name: "Blade", advice: "repairWithin30Days", at: "2026-02-19T17:00" }];
    const columns = [
      { field: "advice", label: "Advice", format: "choice" },
      { field: "at", label: "At", format: "text" },
    ];
    const drawn = await draw(
      [{ id: "root", component: "Table", rows: { path: "/props/rows" }, key: "id", columns }],
      { rows },
    );
    expect(drawn.text()).toContain("Repair within 30 days");
    expect(drawn.text()).toContain("Feb 19, 2026, 5:00");
  });
  it("that a person has typed keeps its stars", async () => {
    const drawn = await draw(
      [{ id: "root", component: "Text", variant: "plain", text: { path: "/context/note" } }],
      {},
      { note: "Under the **lime tree**" },
    );
    expect(drawn.text()).toContain("Under the **lime tree**");
  });
  it("in Markdown keeps names, addresses, sums and code", async () => {
    const drawn = await draw([
      {
        id: "root",
        component: "Text",
        text: `${lines[1]}\n\n${lines[2]}\n\n2*3*4 ** 5\n\n\`\`\`rust\n${lines[0]}\n\n*x*\n\`\`\`\n\n**bold**, *soft* and \`code_x\``,
      },
    ]);
    for (const line of [lines[0], lines[1], lines[2], "2*3*4 ** 5", "*x*"])
      expect(drawn.text()).toContain(line);
    expect(drawn.root.querySelector("pre code")!.textContent).toBe(`${lines[0]}\n\n*x*\n`);
    expect(
      [...drawn.root.querySelectorAll("strong, em, p code")].map((at) => at.textContent),
    ).toEqual(["bold", "soft", "code_x"]);
  });
  it("in a Markdown document shows no mark of its headings, lists, tasks, tables and quotes", async () => {
    const source = [
      "# Keeping the gauge",
      "*Edition 7*",
      "## The watch",
      "Before all others:",
      "- Piers move.",
      "  - Mark it with an `e`.",
      "",
      "- [x] Read the staff",
      "- [ ] Oil it",
      "",
      "3. third",
      "4. fourth",
      "",
      "| Day | High |",
      "|:----|-----:|",
      "| Mon | 2.1 |",
      "",
      "> Never trust a float.",
      "---",
      "Nothing #1 above 3 > 2.",
    ].join("\n");
    const { root } = await draw([{ id: "root", component: "Text", text: source }]);
    const all = (selector: string) =>
      [...root.querySelectorAll(selector)].map((node) => node.textContent);
    expect(all("h3, h4")).toEqual(["Keeping the gauge", "The watch"]);
    expect(all("ul ul li")).toEqual(["Mark it with an e."]);
    expect(all("[data-task]")).toEqual(["☑ Read the staff", "☐ Oil it"]);
    expect(root.querySelector("ol")!.getAttribute("start")).toBe("3");
    expect(all("th, td")).toEqual(["Day", "High", "Mon", "2.1"]);
    expect(all("blockquote")).toEqual(["Never trust a float."]);
    expect(all("p").at(-1)).toBe("Nothing #1 above 3 > 2.");
    expect(root.querySelectorAll("hr")).toHaveLength(1);
  });
  it.each([
    ["Text", { text: { path: "/props/long" } }],
    ["Notice", { text: { path: "/props/long" } }],
    ["Code", { value: { path: "/props/long" } }],
    ["KeyValue", { items: [{ label: "Long", value: { path: "/props/long" } }] }],
  ])(
    "that is too long for its place in a %s says so, and is shown whole to whoever asks",
    async (component, members) => {
      const long = `${"word ".repeat(60_000)}end`;
      const drawn = await draw([{ id: "root", component, ...members }], { long });
      expect(drawn.text()).not.toContain("end");
      const more = [...drawn.root.querySelectorAll("button")].find(
        (button) => button.textContent === `Show all ${long.length} characters`,
      )!;
      await press(more);
      expect(drawn.text()).toContain("word end");
    },
  );
  it("is text where the schema does not say that it is Markdown, in a Text and in a Chat", async () => {
    const source = "# Not a heading\n*x* and `y`\n  - z";
    const plain = await draw(
      [{ id: "root", component: "Text", variant: "plain", text: { path: "/props/source" } }],
      { source },
    );
    expect(plain.text()).toBe(source);
    const chat = (textFormat?: string) =>
      draw(
        [
          {
            id: "root",
            component: "Chat",
            rows: { path: "/props/rows" },
            authorField: "author",
            textField: "text",
            textFormat,
          },
        ],
        { rows: [{ author: "Ada", text: "*x* it is" }] },
      );
    expect((await chat()).root.querySelector(".g-message")!.textContent).toBe("*x* it is");
    const marked = (await chat("markdown")).root.querySelector(".g-message")!;
    expect(marked.querySelector("em")!.textContent).toBe("x");
    expect(marked.textContent).toBe("x it is");
  });
});

describe("what is too much for its place", () => {
  const shown = async (format: string, value: Json) => {
    const column = { label: "All", format, value: { path: "/props/value" } };
    const drawn = await draw([{ id: "root", component: "KeyValue", items: [column] }], { value });
    return drawn.text();
  };
  it("is shown as swatches and as pictures where that is what it is", async () => {
    const colours = await draw(
      [{ id: "root", component: "Items", kind: "colours", items: { path: "/props/all" } }],
      {
        all: ["#112233", "#abc"],
      },
    );
    expect(colours.root.querySelectorAll(".g-swatch")).toHaveLength(2);
    const pictures = await draw(
      [{ id: "root", component: "Items", kind: "images", items: { path: "/props/all" } }],
      {
        all: ["https://example.org/a.png", "no address"],
      },
    );
    expect(pictures.root.querySelectorAll("img")).toHaveLength(1);
    expect(pictures.text()).toContain("no address");
    const cell = await draw(
      [
        {
          id: "root",
          component: "KeyValue",
          items: [{ label: "All", format: "colour", value: { path: "/props/all" } }],
        },
      ],
      { all: ["#112233", "#abc"] },
    );
    expect(cell.root.querySelectorAll(".g-swatch")).toHaveLength(2);
  });
  const numbered = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`);
  it("is counted: members of a record, words of a list, and tags", async () => {
    const record = Object.fromEntries(numbered(15).map((name) => [name, "x"]));
    expect(await shown("record", { ...record, none: null })).toContain("and 3 more");
    expect(await shown("text", numbered(50))).toContain("and 2 more");
    expect(await shown("tags", numbered(101))).toContain("and 1 more");
    expect(await shown("tags", numbered(100))).not.toContain("more");
  });
});

describe("a duration", () => {
  it.each([
    ["P3Y", "3 y"],
    ["P2M", "2 mo"],
    ["P1W", "1 w"],
    ["P1Y6M", "1 y 6 mo"],
    ["P1DT2H", "1 d 2 h"],
    ["PT90M", "1 h 30 min"],
    ["PT1.5S", "1.5 s"],
    [3900, "1 h 5 min"],
  ])("%s is %s", (value, said) => {
    expect(formatValue(value, "duration", "en")).toBe(said);
  });
});

describe("a record that is one text", () => {
  const article = {
    id: "root",
    component: "Article",
    record: { path: "/props/article" },
    leadField: "standfirst",
    textField: "body",
    textFormat: "markdown",
    columns: [{ field: "author", label: "Author", format: "text" }],
  };
  it("is read from what leads to it and who wrote it to its text", async () => {
    const { root } = await draw([article], {
      article: {
        standfirst: "Three leaves.",
        author: "A. Botanist",
        body: "## Look\n\nOne leaf.",
        of: { n: 1 },
      },
    });
    const passage = root.querySelector(".g-passage");
    const order = [...(passage?.children ?? [])].map((part) => part.textContent);
    expect(order).toEqual(["Three leaves.", "AuthorA. Botanist", "LookOne leaf."]);
    expect(root.querySelectorAll(".g-passage")).toHaveLength(1);
  });
  it("has headings where its text has some, whatever is said of it", async () => {
    const written = { body: "No. #4 stays.\n\n## Decided\n\nSeven trees." };
    const { root } = await draw([{ ...article, textFormat: "text" }], { article: written });
    expect(root.querySelector("h2")?.textContent).toBe("Decided");
  });
  it("says so where there is none", async () => {
    const { root } = await draw([article], { article: null });
    expect(root.querySelector(".g-nodata")?.textContent).toBe("Nothing here yet.");
  });
});
