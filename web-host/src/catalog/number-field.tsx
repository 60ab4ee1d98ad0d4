// NumberField: a number that is typed.

import { useState } from "preact/hooks";
import type { ComponentProps } from "../draw/context";
import { useField, useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { text } from "../draw/text";
import { numberProblem } from "../form/problems";
import { TextInput, useTyped } from "./kit/inputs";
import { Labeled } from "./kit/labeled";

export function NumberField({ def, scope }: ComponentProps<"NumberField">) {
  const [value, set] = useField(def.value, scope);
  const [problem, setProblem] = useState<string>();
  const label = useText(def.label, scope);
  const [shown, typedAs] = useTyped(value, text(value));
  const schema = {
    type: def.integer === true ? "integer" : "number",
    minimum: def.min,
    maximum: def.max,
  };
  const input = (typed: string) => {
    const number = Number(typed);
    const found = typed === "" ? undefined : numberProblem(number, schema);
    const taken = typed === "" ? null : number;
    setProblem(found);
    typedAs(typed, found ? value : taken);
    if (!found) set(taken);
  };
  return (
    <div {...useRoot(def, scope, "input-field")}>
      <Labeled label={label} problem={problem}>
        {(ids) => (
          <TextInput
            ids={ids}
            type="number"
            step={def.integer === true ? 1 : "any"}
            min={def.min}
            max={def.max}
            value={shown}
            onInput={input}
          />
        )}
      </Labeled>
    </div>
  );
}
