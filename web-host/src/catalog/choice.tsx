// ChoicePicker, Select and Checklist: one or several of given options, bound both ways.

import type { ComponentProps } from "../draw/context";
import { useBindingScope, useCheckedField, useField, useText, useValue } from "../draw/hooks";
import { resolve, type BindingScope } from "../draw/bind";
import { text } from "../draw/functions";
import { MAX_OPTIONS, shortName } from "../draw/limits";
import { isObject } from "../draw/pointer";
import { useRoot } from "../draw/node";
import type { Json } from "../wire/json";
import type { Dynamic } from "../wire/view";
import { MAX_SEGMENTS } from "./fields/editor";
import { Checks, Segments, SelectInput, type Choice } from "./kit/inputs";
import { Labeled, LabeledGroup } from "./kit/labeled";

function choicesOf(options: unknown, scope: BindingScope): Choice[] {
  if (!Array.isArray(options)) return [];
  return options.slice(0, MAX_OPTIONS).map((option: unknown) =>
    isObject(option) ? { value: option.value ?? null, label: shortName(text(resolve(option.label as Dynamic, scope) ?? option.value)) } : { value: option as Json, label: shortName(text(option as Json)) },
  );
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? [...value] : value === undefined || value === null || value === "" ? [] : [value];
}

export function ChoicePicker({ def, scope }: ComponentProps) {
  const [value, set, problem] = useCheckedField(def, scope);
  const label = useText(def.label, scope);
  const choices = choicesOf(useValue(def.options, scope), useBindingScope(scope));
  const root = useRoot(def, scope, "input-field");
  if (def.variant === "multipleSelection") {
    return <div {...root}><LabeledGroup label={label} hideLabel={!label} problem={problem}>{() => <Checks choices={choices} value={listOf(value)} onChoose={set} />}</LabeledGroup></div>;
  }
  const listed = Array.isArray(value);
  const choose = (next: Json | undefined) => set(listed ? (next === undefined ? [] : [next]) : (next ?? null));
  return <div {...root}><Single label={label} problem={problem} choices={choices} value={listOf(value)[0]} onChoose={choose} /></div>;
}

export function Select({ def, scope }: ComponentProps) {
  const [value, set] = useField(def.value, scope);
  const label = useText(def.label, scope);
  const choices = choicesOf(useValue(def.options, scope), useBindingScope(scope));
  return (
    <div {...useRoot(def, scope, "input-field")}>
      <Labeled label={label}>{(ids) => <SelectInput ids={ids} choices={choices} value={value} onChoose={(next) => set(next ?? null)} />}</Labeled>
    </div>
  );
}

export function Checklist({ def, scope }: ComponentProps) {
  const [value, set] = useField(def.value, scope);
  const label = useText(def.label, scope);
  const choices = choicesOf(useValue(def.options, scope), useBindingScope(scope));
  return (
    <div {...useRoot(def, scope, "input-field")}>
      <LabeledGroup label={label} hideLabel={!label}>{() => <Checks choices={choices} value={listOf(value)} onChoose={set} />}</LabeledGroup>
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
  if (choices.length > MAX_SEGMENTS) return <Labeled label={label} problem={problem}>{(ids) => <SelectInput ids={ids} choices={choices} value={value} onChoose={onChoose} />}</Labeled>;
  return <LabeledGroup label={label} hideLabel={!label} problem={problem} role="radiogroup">{() => <Segments choices={choices} value={value} onChoose={onChoose} />}</LabeledGroup>;
}
