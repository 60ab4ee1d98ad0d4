// Column: children below each other.

import type { ComponentProps } from "../draw/context";
import { ChildNodes, useRoot } from "../draw/node";
import { placement } from "./kit/placement";

export function Column({ def, scope }: ComponentProps<"Column">) {
  const root = useRoot(def, scope, "column");
  return (
    <div {...root} style={{ ...root.style, ...placement(def) }}>
      <ChildNodes of={def.children} scope={scope} />
    </div>
  );
}
