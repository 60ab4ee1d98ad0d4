// Checklist: any number of given options, each with a box.

import type { ComponentProps } from "../draw/context";
import { useField, useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { listOf, useChoices } from "./kit/choices";
import { Checks } from "./kit/inputs";
import { LabeledGroup } from "./kit/labeled";

export function Checklist({ def, scope }: ComponentProps<"Checklist">) {
  const [value, set] = useField(def.value, scope);
  const label = useText(def.label, scope);
  const choices = useChoices({ def, scope });
  return (
    <div {...useRoot(def, scope, "input-field")}>
      <LabeledGroup label={label} hideLabel={!label}>
        {() => <Checks choices={choices} value={listOf(value)} onChoose={set} />}
      </LabeledGroup>
    </div>
  );
}
