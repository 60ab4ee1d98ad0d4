// Slider and NumberField: numbers, bound both ways as numbers.

import { useState } from "preact/hooks";
import { formatNumeral } from "../draw/format";
import { useDraw, type ComponentProps } from "../draw/context";
import { useCheckedField, useField, useText, useValue } from "../draw/hooks";
import { text } from "../draw/functions";
import { useRoot } from "../draw/node";
import { numberProblem } from "../form/problems";
import { TextInput } from "./kit/inputs";
import { Labeled } from "./kit/labeled";

export function Slider({ def, scope }: ComponentProps) {
  const { locale } = useDraw();
  const [value, set, problem] = useCheckedField(def, scope);
  const label = useText(def.label, scope);
  const min = Number(useValue(def.min, scope) ?? 0);
  const max = Number(useValue(def.max, scope) ?? 100);
  const now = typeof value === "number" ? value : min;
  return (
    <div {...useRoot(def, scope, "input-field")}>
      <Labeled label={label} hideLabel={!label} problem={problem}>
        {(ids) => (
          <span class="g-slider">
            <input {...ids} type="range" min={min} max={max} step={max - min <= 1 ? 0.01 : 1} value={now} onInput={(event) => set(Number(event.currentTarget.value))} />
            <output for={ids.id}>{formatNumeral(now, locale)}</output>
          </span>
        )}
      </Labeled>
    </div>
  );
}

export function NumberField({ def, scope }: ComponentProps) {
  const [value, set] = useField(def.value, scope);
  const [problem, setProblem] = useState<string>();
  const label = useText(def.label, scope);
  const schema = { type: def.integer === true ? "integer" : "number", minimum: def.min, maximum: def.max };
  const input = (typed: string) => {
    const number = Number(typed);
    const found = typed === "" ? undefined : numberProblem(number, schema);
    setProblem(found);
    if (!found) set(typed === "" ? null : number);
  };
  return (
    <div {...useRoot(def, scope, "input-field")}>
      <Labeled label={label} problem={problem}>
        {(ids) => <TextInput ids={ids} type="number" step={def.integer === true ? 1 : "any"} min={def.min} max={def.max} value={text(value)} onInput={input} />}
      </Labeled>
    </div>
  );
}
