// Which records of a list are chosen: a context slot with their keys, and the mark beside the name
// of each.

import { useId } from "preact/hooks";
import type { Scope } from "../../draw/context";
import { useField } from "../../draw/hooks";
import { own } from "../../draw/pointer";
import type { Json } from "../../wire/json";
import type { Dynamic } from "../../wire/view";
import { listOf } from "./choices";
import "./field-styles";

interface ChosenDef {
  readonly key?: string | undefined;
  readonly value?: Dynamic | undefined;
  readonly several?: boolean | undefined;
}

export interface Chosen {
  /** The name that the marks of one choice share. */
  readonly name: string;
  readonly several: boolean;
  has(row: Json): boolean;
  choose(row: Json): void;
  /** Chooses exactly these. */
  set(rows: readonly Json[]): void;
}

/** The choice that a list writes to a slot; undefined where it has none. */
export function useChosen({ key, value, several }: ChosenDef, scope: Scope): Chosen | undefined {
  const [held, set] = useField(value, scope);
  const name = useId();
  if (value === undefined || key === undefined) return undefined;
  const chosen = listOf(held);
  const idOf = (row: Json) => own(row, key) ?? null;
  return {
    name,
    several: several === true,
    has: (row) => chosen.includes(idOf(row)),
    choose: (row) => {
      const id = idOf(row);
      if (!several) set(id);
      else set(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
    },
    set: (rows) => set(rows.map(idOf)),
  };
}

interface MarkedProps {
  readonly chosen: Chosen | undefined;
  readonly row: Json;
  readonly name: string;
}

/** The name of a record, with the box or the circle that chooses it. */
export function Marked({ chosen, row, name }: MarkedProps) {
  if (!chosen) return <>{name}</>;
  return (
    <label class="g-check">
      <input
        type={chosen.several ? "checkbox" : "radio"}
        name={chosen.name}
        checked={chosen.has(row)}
        onChange={() => chosen.choose(row)}
      />
      {name}
    </label>
  );
}
