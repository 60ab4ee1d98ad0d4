// Records that are pictures: an address, what it shows, and whose it is.

import { describe, expect, it } from "vitest";
import type { Json } from "../../src/wire/json";
import { act, draw } from "./mount";

const facts = (item: object) => ({
  id: "root",
  component: "KeyValue",
  items: [{ label: "Cover", value: { path: "/props/cover" }, ...item }],
});
const parts = (...fields: readonly [field: string, format?: string][]) =>
  fields.map(([field, format]) => ({ field, label: field.toUpperCase(), format }));

/** What is drawn of a fact. */
async function shown(cover: Json, item: object = { format: "record" }) {
  const { root } = await draw([facts(item)], { cover });
  const image = root.querySelector("img");
  return {
    src: image?.getAttribute("src"),
    alt: image?.getAttribute("alt"),
    says: root.querySelector("dd")!.textContent,
  };
}

const pier = "https://cdn.example/pier.jpg";

describe("a record with an address and texts", () => {
  it("is a picture with its words, and below it whose it is", async () => {
    const drawn = { src: pier, alt: "The pier", says: "M. Lisle" };
    const cover = { alt: "The pier", src: pier, credit: "M. Lisle" };
    expect(await shown(cover)).toEqual(drawn);
    expect(
      await shown(cover, {
        format: "record",
        parts: parts(["src", "image"], ["alt"], ["credit"]),
      }),
    ).toEqual(drawn);
  });

  it.each([
    ["what it shows", { url: "https://cdn.example/1", alt: "" }, {}],
    ["the name of its address", { src: "https://cdn.example/1" }, {}],
    ["the end of its address", { href: `${pier}?w=400` }, {}],
    ["the address itself", { url: "data:image/png;base64,AA" }, {}],
    ["its column", { url: "https://cdn.example/1" }, { format: "image" }],
    [
      "its part",
      { url: "https://cdn.example/1" },
      { format: "record", parts: parts(["url", "image"]) },
    ],
  ])("is a picture by %s", async (_, cover, item) => {
    expect((await shown(cover, item)).src).toBe(Object.values(cover)[0]);
  });

  it.each([
    ["a link", { title: "Coast Daily", url: "https://coast.example/1" }],
    ["two addresses", { src: pier, href: "https://cdn.example/", alt: "The pier" }],
    ["numbers beside it", { src: pier, alt: "The pier", width: 400 }],
    ["no address of a picture", { src: "javascript:alert(1)", alt: "The pier" }],
  ])("is no picture with %s", async (_, cover) => {
    const { src, says } = await shown(cover);
    expect(src).toBeUndefined();
    for (const value of Object.values(cover)) expect(says).toContain(String(value));
  });

  it("loses none of its texts", async () => {
    const { says } = await shown({ url: pier, alt: "Weld", caption: "Flange", welder: "Ada" });
    expect(says).toBe("FlangeWelder Ada");
  });

  it("is a picture in a cell, and in a list of them", async () => {
    const cell = { field: "photo", label: "Photo", format: "record" };
    const table = { id: "root", component: "Table", rows: { path: "/props/rows" } };
    const photo = { url: pier, alt: "The pier" };
    const { root } = await draw(
      [{ ...table, columns: [cell, { ...cell, field: "more", format: "records" }] }],
      { rows: [{ photo, more: [photo, photo] }] },
    );
    expect(root.querySelectorAll("td img, th img")).toHaveLength(3);
    const cards = { id: "root", component: "Cards", rows: { path: "/props/rows" } };
    const tile = await draw([{ ...cards, titleField: "name", columns: [cell] }], {
      rows: [{ name: "Pier", photo }],
    });
    expect(tile.root.querySelector(".g-facts img")!.getAttribute("alt")).toBe("The pier");
  });

  it("that cannot be loaded is a link in its words", async () => {
    const { root } = await draw([facts({ format: "record" })], {
      cover: { src: pier, alt: "The pier" },
    });
    await act(() => void root.querySelector("img")!.dispatchEvent(new Event("error")));
    expect(root.querySelector("a")!.textContent).toBe("The pier");
  });
});

it("no address of a picture that somebody typed is requested, however deep it stands", async () => {
  const photo = { url: pier, alt: "The pier" };
  const column = { field: "photo", label: "Photo", format: "record" };
  const items = ["/context/photo", "/context/album"].map((path) => ({
    label: path,
    value: { path },
  }));
  const { root } = await draw(
    [
      { id: "root", component: "Column", children: ["facts", "values", "table"] },
      { id: "facts", component: "KeyValue", items: [...items, { ...items[0], format: "image" }] },
      { id: "values", component: "Values", value: { path: "/context/album" } },
      {
        id: "table",
        component: "Table",
        rows: { path: "/context/rows" },
        columns: [column, { ...column, parts: parts(["url", "image"], ["alt"]) }],
      },
    ],
    {},
    { photo, album: { cover: photo, all: [photo] }, rows: [{ photo }] },
  );
  expect(root.querySelectorAll("img, a")).toHaveLength(0);
  expect(root.textContent).toContain(pier);
});
