// ChoicePicker: one or several of given options, bound both ways.

import type { ComponentProps } from "../draw/context";
import { useCheckedField, useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import type { Json } from "../wire/json";
import { MAX_SEGMENTS } from "./fields/composite";
import { listOf, useChoices } from "./kit/choices";
import { Checks, type Choice, Segments, SelectInput } from "./kit/inputs";
import { Labeled, LabeledGroup } from "./kit/labeled";

export function ChoicePicker({ def, scope }: ComponentProps<"ChoicePicker">) {
  const [value, set, problem] = useCheckedField(def, scope);
  const label = useText(def.label, scope);
  const choices = useChoices({ def, scope });
  const root = useRoot(def, scope, "input-field");
  if (def.variant === "multipleSelection") {
    return (
      <div {...root}>
        <LabeledGroup label={label} hideLabel={!label} problem={problem}>
          {() => <Checks choices={choices} value={listOf(value)} onChoose={set} />}
        </LabeledGroup>
      </div>
    );
  }
  const listed = Array.isArray(value);
  const choose = (next: Json | undefined) =>
    set(listed ? (next === undefined ? [] : [next]) : (next ?? null));
  return (
    <div {...root}>
      <Single
        label={label}
        problem={problem}
        choices={choices}
        value={listOf(value)[0]}
        onChoose={choose}
      />
    </div>
  );
}

interface SingleProps {
  readonly label: string;
  readonly problem?: string;
  readonly choices: Choice[];
  readonly value: Json | undefined;
  readonly onChoose: (value: Json | undefined) => void;
}

function Single({ label, problem, choices, value, onChoose }: SingleProps) {
  if (choices.length > MAX_SEGMENTS)
    return (
      <Labeled label={label} problem={problem}>
        {(ids) => <SelectInput ids={ids} choices={choices} value={value} onChoose={onChoose} />}
      </Labeled>
    );
  return (
    <LabeledGroup label={label} hideLabel={!label} problem={problem} role="radiogroup">
      {() => <Segments choices={choices} value={value} onChoose={onChoose} />}
    </LabeledGroup>
  );
}
