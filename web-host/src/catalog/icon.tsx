// Icon: one of the built-in drawings.

import type { ComponentProps } from "../draw/context";
import { useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { Icon as Drawing } from "./kit/icons";

export function Icon({ def, scope }: ComponentProps<"Icon">) {
  const name = useText(def.name, scope);
  const { "aria-label": label, ...root } = useRoot(def, scope, "icon-box");
  return (
    <span {...root}>
      <Drawing name={name} label={label} />
    </span>
  );
}
