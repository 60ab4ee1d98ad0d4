// Badge: a short text with a tone.

import type { ComponentProps } from "../draw/context";
import { useText } from "../draw/hooks";
import { useRoot } from "../draw/node";

export function Badge({ def, scope }: ComponentProps<"Badge">) {
  const text = useText(def.text, scope);
  const root = useRoot(def, scope, "badge");
  return text ? <span {...root}>{text}</span> : null;
}
