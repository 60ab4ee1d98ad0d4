// Rating: so many stars out of a few, bound both ways.

import type { ComponentProps } from "../draw/context";
import { useField, useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { LabeledGroup } from "./kit/labeled";
import { StarsInput } from "./kit/stars";

export function Rating({ def, scope }: ComponentProps<"Rating">) {
  const [value, set] = useField(def.value, scope);
  const label = useText(def.label, scope);
  return (
    <div {...useRoot(def, scope, "input-field")}>
      <LabeledGroup label={label} role="radiogroup">
        {() => (
          <StarsInput
            value={typeof value === "number" ? value : undefined}
            max={Number(def.max ?? 5)}
            onChoose={(next) => set(next ?? null)}
          />
        )}
      </LabeledGroup>
    </div>
  );
}
