// Row: children beside each other.

import type { ComponentProps } from "../draw/context";
import { ChildNodes, useRoot } from "../draw/node";
import { placement } from "./kit/placement";

export function Row({ def, scope }: ComponentProps<"Row">) {
  const root = useRoot(def, scope, "row");
  return (
    <div {...root} style={{ ...root.style, ...placement(def) }}>
      <ChildNodes of={def.children} scope={scope} />
    </div>
  );
}
