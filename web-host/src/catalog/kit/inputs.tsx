// The plain controls that fields and two-way components share.

import { useId, useRef } from "preact/hooks";
import { sameJson } from "../../draw/pointer";
import { guestStrings as say } from "../../strings";
import type { Json } from "../../wire/json";
import type { ControlIds } from "./labeled";
import "./field-styles";
import { formStrings } from "../../form/strings";

interface InputProps {
  readonly ids: ControlIds;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly onBlur?: () => void;
}

export type InputType =
  | "text"
  | "email"
  | "url"
  | "date"
  | "datetime-local"
  | "time"
  | "number"
  | "password";

interface TextInputProps extends InputProps {
  readonly type: InputType;
  readonly step?: number | "any";
  readonly min?: number;
  readonly max?: number;
  readonly inputMode?: "numeric" | "decimal";
  readonly placeholder?: string;
}

/**
 * Years of four digits: where more could follow, a browser waits for them, and time typed next
 * becomes part of the year.
 */
const LATEST: { readonly [type in InputType]?: string } = {
  date: "9999-12-31",
  "datetime-local": "9999-12-31T23:59",
};

/**
 * A native input; what a number input cannot read comes back as "NaN", so it is never taken for
 * empty.
 */
export function TextInput({ ids, type, value, onInput, onBlur, ...rest }: TextInputProps) {
  return (
    <input
      max={LATEST[type]}
      {...rest}
      {...ids}
      type={type as "text"}
      class="g-input"
      value={value === "NaN" ? undefined : value}
      onBlur={onBlur}
      onInput={(event) =>
        onInput(event.currentTarget.validity?.badInput ? "NaN" : event.currentTarget.value)
      }
    />
  );
}

/**
 * What stands in a field, and how it is told what was typed and what that was taken for. As long as
 * the value is that, the text stays as it was typed: "1.0" is on its way to "1.05", and "1" to "12"
 * where less than ten is no answer.
 */
export function useTyped(
  value: Json | undefined,
  shown: string,
): [string, (typed: string, taken: Json | undefined) => void] {
  const last = useRef<{ readonly typed: string; readonly taken: Json | undefined } | undefined>(
    undefined,
  );
  const stays = last.current && sameJson(last.current.taken ?? null, value ?? null);
  return [stays ? last.current!.typed : shown, (typed, taken) => (last.current = { typed, taken })];
}

export function LongText({
  ids,
  value,
  onInput,
  onBlur,
  maxLength,
}: InputProps & { maxLength?: number }) {
  return (
    <textarea
      {...ids}
      class="g-input"
      rows={4}
      value={value}
      maxLength={maxLength}
      onBlur={onBlur}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

export interface Choice {
  readonly value: Json;
  readonly label: string;
}

interface ChoiceProps {
  readonly choices: readonly Choice[];
  readonly value: Json | undefined;
  readonly onChoose: (value: Json | undefined) => void;
}

export function Segments({
  choices,
  value,
  onChoose,
  clearable,
  scale,
}: ChoiceProps & { clearable?: boolean; scale?: boolean }) {
  const name = useId();
  return (
    <div class={scale ? "g-segments g-scale" : "g-segments"}>
      {choices.map((choice, index) => {
        const chosen = value !== undefined && sameJson(choice.value, value);
        return (
          <label key={index} class="g-segment">
            <input
              type="radio"
              name={name}
              checked={chosen}
              onChange={() => onChoose(choice.value)}
              onClick={() => clearable && chosen && onChoose(undefined)}
            />
            <span>{choice.label || say.untitled}</span>
          </label>
        );
      })}
    </div>
  );
}

export function SelectInput({
  ids,
  choices,
  value,
  onChoose,
  onBlur,
  placeholder,
}: ChoiceProps & { ids: ControlIds; onBlur?: () => void; placeholder?: string | undefined }) {
  const chosen =
    value === undefined ? -1 : choices.findIndex((choice) => sameJson(choice.value, value));
  return (
    <select
      {...ids}
      class="g-input"
      value={String(chosen)}
      onBlur={onBlur}
      onChange={(event) => onChoose(choices[Number(event.currentTarget.value)]?.value)}
    >
      <option value="-1">{placeholder ?? formStrings.choose}</option>
      {choices.map((choice, index) => (
        <option key={index} value={String(index)}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

export function Checks({
  choices,
  value,
  onChoose,
}: {
  choices: readonly Choice[];
  value: readonly Json[];
  onChoose: (value: Json[]) => void;
}) {
  const has = (choice: Choice) => value.some((chosen) => sameJson(chosen, choice.value));
  const toggle = (choice: Choice) =>
    onChoose(
      has(choice)
        ? value.filter((chosen) => !sameJson(chosen, choice.value))
        : [...value, choice.value],
    );
  return (
    <div class="g-checks">
      {choices.map((choice, index) => (
        <Check
          key={index}
          label={choice.label}
          checked={has(choice)}
          onChange={() => toggle(choice)}
        />
      ))}
    </div>
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly onBlur?: () => void;
  readonly toggle?: boolean;
  readonly ids?: Partial<ControlIds>;
}

/** A check box, or a switch when `toggle` is set. */
export function Check({ label, checked, onChange, onBlur, toggle, ids }: CheckProps) {
  return (
    <label class="g-check">
      <input
        {...ids}
        type="checkbox"
        role={toggle ? "switch" : undefined}
        class={toggle ? "g-switch" : undefined}
        checked={checked}
        onBlur={onBlur}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label || say.untitled}</span>
    </label>
  );
}
