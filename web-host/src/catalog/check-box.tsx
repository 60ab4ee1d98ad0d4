// CheckBox: a yes or no as a box.

import type { ComponentProps } from "../draw/context";
import { Toggle } from "./kit/toggle";

export function CheckBox(props: ComponentProps<"CheckBox">) {
  return <Toggle {...props} />;
}
