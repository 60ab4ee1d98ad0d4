// The steps of a wizard: their names, the one where the person stands, and the list that shows
// them.

import { useState } from "preact/hooks";
import { isPath } from "../../draw/bind";
import { type ComponentProps, useDraw } from "../../draw/context";
import { useField, useValue } from "../../draw/hooks";
import { shortName } from "../../draw/limits";
import { arrayOf, own } from "../../draw/pointer";
import { text } from "../../draw/text";
import { guestStrings as say } from "../../strings";
import { Icon } from "./icons";
import { plain } from "./markdown";
import { spelled } from "./names";

/** Nobody follows more steps than these. */
const MAX_STEPS = 30;

export interface Steps {
  readonly names: readonly string[];
  readonly keys: readonly string[];
  /** The number of the current step, from 0. */
  readonly at: number;
  readonly last: number;
  /** The names of the inputs that each step asks for, where its record lists them. */
  readonly inputs: readonly (readonly string[])[] | undefined;
  /** What is said below the name of the current step. */
  readonly hint: string;
  show(index: number): void;
}

export function useSteps({ def, scope }: ComponentProps<"Wizard">): Steps {
  const value = useValue(def.rows, scope);
  const rows = arrayOf(value ?? def.options).slice(0, MAX_STEPS);
  // Steps that no list holds are options of the wizard itself.
  const [labelField, key] = def.options ? ["label", "value"] : [def.labelField, def.key];
  const { locale } = useDraw();
  const labels = rows.map((row) => shortName(text(labelField ? own(row, labelField) : row)));
  const names = labels.map((label) => spelled(label, locale));
  const keys = rows.map((row, index) => (key ? text(own(row, key)) : labels[index]!));
  const first = Number(def.first ?? 1);
  const [slot, setSlot] = useField(def.current, scope);
  const [mine, setMine] = useState(0);
  const isBound = isPath(def.current) && slot !== undefined;
  const found =
    typeof slot === "number"
      ? slot - first
      : Math.max(keys.indexOf(text(slot)), labels.indexOf(text(slot)));
  const last = Math.max(0, rows.length - 1);
  const at = Math.min(last, Math.max(0, isBound ? found : mine));
  const { inputsField } = def;
  return {
    names,
    keys,
    inputs: inputsField ? rows.map((row) => arrayOf(own(row, inputsField)).map(text)) : undefined,
    at,
    last,
    hint: def.hintField ? text(own(rows[at], def.hintField)) : "",
    show(index) {
      setMine(index);
      // The step is the agent's to see where it stands in a slot.
      if (isPath(def.current)) setSlot(typeof slot === "string" ? keys[index]! : index + first);
    },
  };
}

export function StepList({ steps, title }: { steps: Steps; title: string }) {
  return (
    <>
      <ol class="g-steps" role="list" aria-label={title || undefined}>
        {steps.names.map((name, index) => {
          const state = index < steps.at ? "done" : index === steps.at ? "current" : "ahead";
          return (
            <li
              key={index}
              data-state={state}
              aria-current={index === steps.at ? "step" : undefined}
            >
              <span class="g-step-mark" aria-hidden="true">
                {state === "done" ? <Icon name="check" /> : index + 1}
              </span>
              <span>
                {name}
                <span class="g-hidden">, {say.stepStates[state]}</span>
              </span>
            </li>
          );
        })}
      </ol>
      {steps.hint && <p class="g-muted">{plain(steps.hint)}</p>}
    </>
  );
}
