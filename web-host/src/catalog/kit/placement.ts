// How rows, columns and lists place their children: the words of the catalog as those of the browser.

import type { ComponentProps } from "../../draw/context";

const places: { readonly [name: string]: string } = {
  start: "flex-start",
  end: "flex-end",
  center: "center",
  stretch: "stretch",
  spaceBetween: "space-between",
  spaceAround: "space-around",
  spaceEvenly: "space-evenly",
};

export function placement(def: ComponentProps["def"]): Record<string, string> {
  const justify = places[String(def.justify)];
  const align = places[String(def.align)];
  return {
    ...(justify ? { justifyContent: justify } : {}),
    ...(align ? { alignItems: align } : {}),
  };
}
