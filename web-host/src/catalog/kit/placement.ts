// Maps the catalog's terms for placing children to those of CSS.

import type { Catalog } from "../../wire/catalog";

const places: { readonly [name: string]: string } = {
  start: "flex-start",
  end: "flex-end",
  center: "center",
  stretch: "stretch",
  spaceBetween: "space-between",
  spaceAround: "space-around",
  spaceEvenly: "space-evenly",
};

export function placement(
  def: Partial<Pick<Catalog["Row"], "justify" | "align">>,
): Record<string, string> {
  const justify = places[String(def.justify)];
  const align = places[String(def.align)];
  return {
    ...(justify ? { justifyContent: justify } : {}),
    ...(align ? { alignItems: align } : {}),
  };
}
