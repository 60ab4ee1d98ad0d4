// Inputs that are ids of records of the page.
import { expect, it } from "vitest";
import { choicesOf, fieldOf, itemOf } from "../../src/form/field";
import type { Json } from "../../src/wire/json";
import { draw, press } from "./mount";

it("offers ids by the names of their records, one as well as several", () => {
  const one = { type: "string", enum: ["u1"], names: ["Ada"] };
  const field = fieldOf(one, "ownerId", one);
  expect(field.kind).toBe("choice");
  expect(choicesOf(field.schema)).toEqual([{ value: "u1", label: "Ada" }]);
  const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
  const many = { type: "array", items: { enum: ids, names: ids.map((id) => `Seat ${id}`) } };
  const list = fieldOf(many, "seatIds", many);
  expect(list.kind).toBe("choices");
  expect(choicesOf(itemOf(list).schema)[1]).toEqual({ value: "s1", label: "Seat s1" });
});

it("calls what is chosen by what it is, never by its id", async () => {
  const drawn = await draw(
    [
      {
        id: "root",
        component: "Form",
        action: "remind",
        submitLabel: "Send",
        choices: {
          invoiceIds: { rows: { path: "/props/invoices" }, key: "id", titleField: "number" },
        },
        schema: {
          type: "object",
          properties: { invoiceIds: { type: "array", items: { type: "string" } } },
          required: ["invoiceIds"],
        },
      },
    ],
    { invoices: [{ id: "i1", number: "R-1041" }] },
  );
  expect(drawn.text()).toContain("Invoices");
  expect(drawn.text()).toContain("R-1041");
  expect(drawn.text()).not.toContain("Invoice ids");
});

it("offers the records of a map and sends the id each stands under", async () => {
  const drawn = await draw(
    [
      {
        id: "root",
        component: "Form",
        action: "add",
        submitLabel: "Add",
        choices: {
          game_id: { rows: { path: "/props/games" }, key: "game_id", titleField: "name" },
        },
        schema: {
          type: "object",
          properties: { game_id: { type: "string" } },
          required: ["game_id"],
        },
      },
    ],
    { games: { gm_14: { name: "Tidewalkers" }, gm_27: { name: "Hamlet" }, gm_33: 7 } },
  );
  expect(drawn.text()).toContain("Tidewalkers");
  expect(drawn.text()).not.toMatch(/gm_|Game id/i);
  await press(drawn.root.querySelectorAll("input")[1]!);
  await press(drawn.root.querySelector("button[type=submit]"));
  expect(drawn.fired[0]!.data).toEqual({ game_id: "gm_27" });
});

it("offers every record of a tree, however deep it stands", async () => {
  const drawn = await draw(
    [
      {
        id: "root",
        component: "Form",
        action: "move",
        submitLabel: "Move",
        choices: {
          newParentId: {
            rows: { path: "/props/org" },
            children: "units",
            key: "id",
            titleField: "name",
          },
        },
        schema: { type: "object", properties: { newParentId: { type: "string" } } },
      },
    ],
    {
      org: {
        id: "a",
        name: "Works",
        units: [{ id: "b", name: "Kiln", units: [{ id: "c", name: "Glaze" }] }],
      },
    },
  );
  for (const name of ["Works", "Kiln", "Glaze"]) expect(drawn.text()).toContain(name);
  expect(drawn.root.querySelector("input[type=text]")).toBeNull();
});

it("offers each of what several records hold once", async () => {
  const drawn = await draw(
    [
      {
        id: "root",
        component: "Form",
        action: "order",
        submitLabel: "Order",
        choices: {
          material: {
            rows: { path: "/props/glazes" },
            within: "recipe",
            key: "material",
            titleField: "material",
          },
        },
        schema: { type: "object", properties: { material: { type: "string" } } },
      },
    ],
    {
      glazes: [
        { recipe: [{ material: "Feldspar", share: 0.45 }] },
        {
          recipe: [
            { material: "Feldspar", share: 0.5 },
            { material: "Silica", share: 0.3 },
          ],
        },
      ],
    },
  );
  expect(drawn.text().match(/Feldspar/g)).toHaveLength(1);
  expect(drawn.text()).not.toContain("0.45");
});

it("says of records with one name, or with none, what tells them apart", async () => {
  const labels = async (rows: Json[], titleField: string) => {
    const schema = { type: "object", properties: { of: { type: "string" } } };
    const choices = { of: { rows: { path: "/props/rows" }, key: "id", titleField } };
    const form = { id: "root", component: "Form", action: "take", submitLabel: "Take" };
    const zones = [{ zoneId: "zn-1", name: "Nave" }];
    const { root } = await draw([{ ...form, schema, choices }], { rows, zones });
    return [...root.querySelectorAll("fieldset label, option:not([value=''])")].map((one) =>
      one.textContent!.trim(),
    );
  };
  const seat = (id: string, number: number) => ({ id, zoneId: "zn-1", row: "A", number });
  expect(await labels([seat("st-1", 4), seat("st-2", 5)], "row")).toEqual(["A 4", "A 5"]);
  const change = (id: string, setting: string) => ({ id, setting, from: "00:00" });
  const changes = [change("c_1", "basal_rate"), change("c_2", "carb_ratio")];
  expect(await labels(changes, "from")).toEqual(["00:00 Basal rate", "00:00 Carb ratio"]);
  const slots = ["z1", "z2"].map((id, nth) => ({ id, day: `2026-06-0${nth + 1}`, room: "Aula" }));
  expect(await labels(slots, "id")).toEqual(["Aula Jun 1, 2026", "Aula Jun 2, 2026"]);
});

it("chooses for a record among what that record holds, and offers nothing where that is nothing", async () => {
  const drawn = await draw(
    [
      {
        id: "root",
        component: "Table",
        rows: { path: "/props/legs" },
        key: "legId",
        columns: [{ field: "title", label: "Title" }],
        rowActions: [
          {
            action: "swap",
            label: "Swap",
            fixed: { legId: "legId" },
            inputs: { type: "object", properties: { alternativeId: { type: "string" } } },
            choices: {
              alternativeId: {
                rows: { path: "/props/legs" },
                within: "others",
                key: "alternativeId",
                titleField: "summary",
              },
            },
          },
        ],
      },
    ],
    {
      legs: [
        { legId: "a", title: "Out", others: [{ alternativeId: "a1", summary: "By coach" }] },
        { legId: "b", title: "Back", others: [{ alternativeId: "b1", summary: "By night" }] },
        { legId: "c", title: "Hotel", others: [] },
      ],
    },
  );
  const buttons = [...drawn.root.querySelectorAll<HTMLElement>("button[data-action=swap]")];
  expect(buttons).toHaveLength(2);
  await press(buttons[0]!);
  expect(document.body.textContent).toContain("By coach");
  expect(document.body.textContent).not.toContain("By night");
});
