// Slider: a number between two ends.

import { type ComponentProps, useDraw } from "../draw/context";
import { formatNumeral } from "../draw/format";
import { useCheckedField, useText, useValue } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { Labeled } from "./kit/labeled";
import "./kit/field-styles";

export function Slider({ def, scope }: ComponentProps<"Slider">) {
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
            <input
              {...ids}
              type="range"
              min={min}
              max={max}
              step={max - min <= 1 ? 0.01 : 1}
              value={now}
              onInput={(event) => set(Number(event.currentTarget.value))}
            />
            <output for={ids.id}>{formatNumeral(now, locale)}</output>
          </span>
        )}
      </Labeled>
    </div>
  );
}
