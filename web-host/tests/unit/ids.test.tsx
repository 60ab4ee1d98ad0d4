// Ids of records that the page holds are read as the names of those records.

import { describe, expect, it } from "vitest";
import type { Json } from "../../src/wire/json";
import { draw } from "./mount";

const crew: Json[] = [
  { id: "cr-1", name: "Rolando Abad" },
  { id: "cr-2", name: "Jomar Velasco" },
];
const columns = (...fields: string[]) => fields.map((field) => ({ field, label: field }));
const table = (rows: Json[], fields: string[], members: object = {}, props: object = {}) =>
  draw(
    [
      {
        id: "root",
        component: "Table",
        rows: { path: "/props/rows" },
        columns: columns(...fields),
        ...members,
      },
    ],
    { rows, crew, ...props },
  );
const words = async (...args: Parameters<typeof table>) =>
  [...(await table(...args)).root.querySelectorAll("th, td")].map((cell) => cell.textContent);

describe("an id in a cell", () => {
  it("is the name of the record that begins with it, wherever that stands", async () => {
    expect(await words([{ task: "Lash", by: "cr-1" }], ["task", "by"])).toContain("Rolando Abad");
    const inner = { ships: [{ ship: "Nordic", holds: [{ id: "h_2", title: "Aft hold" }] }] };
    expect(await words([{ task: "Lash", at: "h_2" }], ["task", "at"], {}, inner)).toContain(
      "Aft hold",
    );
  });
  it("is the name of what a map holds under it", async () => {
    const people = { people: { u_han: { name: "Hanneke Vos", team: "Platform" } } };
    expect(await words([{ task: "Go", by: "u_han" }], ["task", "by"], {}, people)).toContain(
      "Hanneke Vos",
    );
  });
  it("stays as it is where nothing or more than one thing is called by it", async () => {
    const others = { guests: [{ id: "cr-1", name: "Somebody else" }] };
    expect(await words([{ task: "Lash", by: "cr-1" }], ["task", "by"], {}, others)).toContain(
      "cr-1",
    );
    expect(await words([{ task: "Lash", by: "cr-9" }], ["task", "by"])).toContain("cr-9");
  });
  it("is what people wrote of a record without a name", async () => {
    const traps = { traps: { tr_n3: { battery: 0.6, place: "Hohwacht ridge" } } };
    expect(await words([{ guess: "Lynx", at: "tr_n3" }], ["guess", "at"], {}, traps)).toContain(
      "Hohwacht ridge",
    );
  });
  it("is no word for the kind of a record", async () => {
    const events = { events: [{ type: "power_lost", place: "Berth 3" }] };
    expect(await words([{ type: "power_lost" }], ["type"], {}, events)).toContain("power_lost");
  });
  it("is left out where it refers to something elsewhere, unless people know that by it", async () => {
    const named = async (patientRef: string) =>
      words([{ name: "Nuala", patientRef }], ["name", "patientRef"]);
    expect(await named("pt-118-4402")).not.toContain("pt-118-4402");
    expect(await named("WB-3306")).toContain("WB-3306");
    expect(await named("9f8e7d6")).toContain("9f8e7d6");
  });
  it("is not looked for behind words and numbers that people use", async () => {
    const orders = { orders: [{ id: "GS-0417", name: "Gastroscope" }] };
    expect(await words([{ task: "Rinse", of: "GS-0417" }], ["task", "of"], {}, orders)).toContain(
      "GS-0417",
    );
  });
});

describe("what a record is called by", () => {
  const parts = { columns: [], startField: "from", imageField: "photo" };
  const titled = (component: string, rows: Json[], members: object = {}) =>
    draw(
      [
        {
          id: "root",
          component,
          rows: { path: "/props/rows" },
          titleField: "by",
          ...parts,
          ...members,
        },
      ],
      { rows, crew },
    );
  it("is the name of the record it refers to, in cards and in a calendar", async () => {
    for (const component of ["Cards", "Calendar"]) {
      const drawn = await titled(component, [{ by: "cr-2", from: "2026-05-04" }]);
      expect(drawn.text()).toContain("Jomar Velasco");
      expect(drawn.text()).not.toContain("cr-2");
    }
  });
  it("is the first that is said of it, where it has no name", async () => {
    const columns = [{ field: "who", label: "Who", format: "text" }];
    const rows = [{ by: null, who: "cr-1", from: "2026-05-04" }];
    const drawn = await titled("Calendar", rows, { columns });
    expect(drawn.text()).toContain("Rolando Abad");
    expect(drawn.text()).not.toContain("Untitled");
    const timeline = await titled("Timeline", rows, { columns, timeField: "from" });
    expect(timeline.root.querySelectorAll("li > strong")).toHaveLength(0);
  });
  it("is its words, where it is a task or a question", async () => {
    const jobs = { jobs: [{ id: "jb01", text: "Close the taps", needs: [] }] };
    const column = { field: "needs", label: "Needs", format: "tags" };
    const rows = [{ task: "Prime the pump", needs: ["jb01"] }];
    expect(await words(rows, [], { columns: [column] }, jobs)).toContain("Close the taps");
  });
  it("is a time of day without its seconds, where it is referred to", async () => {
    const slots = { slots: [{ key: "s0730", from: "07:30:00" }] };
    const refers = { rows: { path: "/props/slots" }, key: "key", titleField: "from" };
    const column = { field: "slot", label: "Slot", format: "reference", refers };
    expect(
      await words([{ task: "Wash", slot: "s0730" }], [], { columns: [column] }, slots),
    ).toContain("07:30");
  });
  it("stands beside a face, or beside initials where there is none", async () => {
    const rows = [{ by: "Jomar Velasco" }, { by: "Aurelia Voss" }];
    const drawn = await titled("Cards", rows, { imageField: "avatar" });
    const faces = [...drawn.root.querySelectorAll(".g-person .g-initials")];
    expect(faces.map((face) => face.textContent)).toEqual(["JV", "AV"]);
  });
});

describe("the key of a record", () => {
  it("is left out where it is written for programs, and other values say what it is", async () => {
    const rows = [
      { key: "mirrors", what: "Mirrors and glass" },
      { key: "lights_f", what: "Headlamps" },
    ];
    expect(await words(rows, ["key", "what"], { key: "key" })).not.toContain("lights_f");
  });
  it("is left out beside a name, where it is a word that programs use", async () => {
    for (const keys of [
      ["gelMani", "biab"],
      ["INS_VLC", "INS_HRN"],
    ]) {
      const rows = keys.map((code, nth) => ({ code, name: `Treatment ${nth}` }));
      expect(await words(rows, ["code", "name"], { key: "code" })).not.toContain(keys[0]);
    }
  });
  it("stays where people know records by it, or nothing else is shown", async () => {
    const rows = [{ key: "PX-71", what: "Mirrors" }];
    expect(await words(rows, ["key", "what"], { key: "key" })).toContain("PX-71");
    const paid = [{ code: "USD", name: "US dollar" }];
    expect(await words(paid, ["code", "name"], { key: "code" })).toContain("USD");
    expect(await words([{ key: "lights_f" }], ["key"], { key: "key" })).toContain("lights_f");
  });
});

it("a colour that marks something is a patch, one that is spoken of is said as well", async () => {
  const drawn = async (field: string) => {
    const column = { field, label: field, format: "colour" };
    const { root } = await table([{ [field]: "#2f7d5b" }], [], { columns: [column] });
    const cell = root.querySelector("tbody th");
    return [cell?.querySelector(".g-swatch")?.getAttribute("aria-label"), cell?.textContent];
  };
  expect(await drawn("lidColor")).toEqual(["#2f7d5b", ""]);
  expect(await drawn("hex")).toEqual([null, "#2f7d5b"]);
});

it("a span in the words of programs is read as a span, a number of something is not", async () => {
  expect(await words([{ walk: "PT35M" }], ["walk"])).toContain("35 min");
  expect(await words([{ walk: "P7D" }], ["walk"])).toContain("7 d");
  expect(await words([{ walk: "PT" }, { walk: "P3M" }], ["walk"])).toEqual(["walk", "PT", "P3M"]);
});
