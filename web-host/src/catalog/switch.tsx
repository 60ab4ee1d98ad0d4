// Switch: a yes or no that takes effect at once.

import type { ComponentProps } from "../draw/context";
import { Toggle } from "./kit/toggle";

export function Switch(props: ComponentProps<"Switch">) {
  return <Toggle {...props} toggle />;
}
