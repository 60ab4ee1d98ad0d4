// Divider: a quiet line between parts.

import type { ComponentProps } from "../draw/context";
import { useRoot } from "../draw/node";

export function Divider({ def, scope }: ComponentProps<"Divider">) {
  const root = useRoot(def, scope, "divider");
  return def.axis === "vertical" ? (
    <div {...root} data-axis="vertical" role="separator" aria-orientation="vertical" />
  ) : (
    <hr {...root} />
  );
}
