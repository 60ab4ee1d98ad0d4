// Row, Column and List: children placed beside or below each other.

import type { ComponentProps } from "../draw/context";
import { ChildNodes, useRoot } from "../draw/node";

const places: { readonly [name: string]: string } = {
  start: "flex-start", end: "flex-end", center: "center", stretch: "stretch", spaceBetween: "space-between", spaceAround: "space-around", spaceEvenly: "space-evenly",
};

function placement(def: ComponentProps["def"]): Record<string, string> {
  const justify = places[String(def.justify)];
  const align = places[String(def.align)];
  return { ...(justify ? { justifyContent: justify } : {}), ...(align ? { alignItems: align } : {}) };
}

export function Row({ def, scope }: ComponentProps) {
  const root = useRoot(def, scope, "row");
  return <div {...root} style={{ ...root.style, ...placement(def) }}><ChildNodes of={def.children} scope={scope} /></div>;
}

export function Column({ def, scope }: ComponentProps) {
  const root = useRoot(def, scope, "column");
  return <div {...root} style={{ ...root.style, ...placement(def) }}><ChildNodes of={def.children} scope={scope} /></div>;
}

export function List({ def, scope }: ComponentProps) {
  const root = useRoot(def, scope, "list");
  return (
    <ul {...root} style={{ ...root.style, ...placement(def) }} role="list" data-direction={def.direction}>
      <ChildNodes of={def.children} scope={scope} wrap={(child, key) => <li key={key}>{child}</li>} />
    </ul>
  );
}
