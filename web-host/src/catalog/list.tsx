// List: children as the items of a list.

import type { ComponentProps } from "../draw/context";
import { ChildNodes, useRoot } from "../draw/node";
import { placement } from "./kit/placement";

export function List({ def, scope }: ComponentProps<"List">) {
  const root = useRoot(def, scope, "list");
  return (
    <ul
      {...root}
      style={{ ...root.style, ...placement(def) }}
      role="list"
      data-direction={def.direction}
    >
      <ChildNodes
        of={def.children}
        scope={scope}
        wrap={(child, key) => <li key={key}>{child}</li>}
      />
    </ul>
  );
}
