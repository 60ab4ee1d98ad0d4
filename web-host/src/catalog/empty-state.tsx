// EmptyState: what to read when there is nothing to see.

import type { ComponentProps } from "../draw/context";
import { useText } from "../draw/hooks";
import { useRoot } from "../draw/node";

export function EmptyState({ def, scope }: ComponentProps<"EmptyState">) {
  const title = useText(def.title, scope);
  const text = useText(def.text, scope);
  return (
    <div {...useRoot(def, scope, "empty")}>
      <p class="g-title">{title}</p>
      {text && <p class="g-muted">{text}</p>}
    </div>
  );
}
