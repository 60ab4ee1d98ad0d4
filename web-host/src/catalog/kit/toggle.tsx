// A yes or no, bound both ways, as a box or as a switch.

import type { ComponentProps } from "../../draw/context";
import { useCheckedField, useText } from "../../draw/hooks";
import { useRoot } from "../../draw/node";
import { Check } from "./inputs";

export function Toggle({
  def,
  scope,
  toggle,
}: ComponentProps<"CheckBox" | "Switch"> & { toggle?: boolean }) {
  const [value, set, problem] = useCheckedField(def, scope);
  const label = useText(def.label, scope);
  return (
    <div {...useRoot(def, scope, "input-field")}>
      <Check label={label} checked={value === true} onChange={set} toggle={toggle} />
      {problem && (
        <p class="g-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
