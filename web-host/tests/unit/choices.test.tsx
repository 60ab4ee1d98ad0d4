// Inputs that are ids of records of the page.
import { expect, it } from "vitest";
import { choicesOf, fieldOf, itemOf } from "../../src/form/field";
import { draw } from "./mount";

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
