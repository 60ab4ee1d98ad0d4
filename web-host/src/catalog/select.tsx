// Select: one of many options, in a menu.

import type { ComponentProps } from "../draw/context";
import { useField, useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { useChoices } from "./kit/choices";
import { SelectInput } from "./kit/inputs";
import { Labeled } from "./kit/labeled";

export function Select({ def, scope }: ComponentProps<"Select">) {
  const [value, set] = useField(def.value, scope);
  const label = useText(def.label, scope);
  const choices = useChoices({ def, scope });
  return (
    <div {...useRoot(def, scope, "input-field")}>
      <Labeled label={label}>
        {(ids) => (
          <SelectInput
            ids={ids}
            choices={choices}
            value={value}
            onChoose={(next) => set(next ?? null)}
          />
        )}
      </Labeled>
    </div>
  );
}
