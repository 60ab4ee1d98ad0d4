// Inputs that are ids of records of the page.
import { expect, it } from "vitest";
import { choicesOf, fieldOf, itemOf } from "../../src/form/field";

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
