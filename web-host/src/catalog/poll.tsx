// Poll: options to vote for, with how many chose each.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { ComponentProps } from "../draw/context";
import { formatNumeral } from "../draw/format";
import { useActionControl, useField, useValue } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { arrayOf, own } from "../draw/pointer";
import { guestStrings as say } from "../strings";
import type { Json } from "../wire/json";
import { listOf } from "./kit/choices";
import { PickEnd } from "./kit/pick";
import { Actions, Facts, useRecords } from "./kit/records";
import { valueNode } from "./kit/value";
import { addStyles } from "./styles";
import css from "./styles/poll.css?inline";

addStyles(css);

/** Nobody chooses among more. */
const MAX_OPTIONS = 200;

export function Poll({ def, scope }: ComponentProps<"Poll">) {
  const records = useRecords(def, scope);
  const results = useValue(def.results, scope);
  const { pick } = def;
  const control = useActionControl(def.id, scope, pick?.action);
  const [value, set] = useField(def.value, scope);
  const name = useId();
  const rows = records.rows.slice(0, MAX_OPTIONS);
  const idOf = (row: Json) => own(row, pick?.field ?? def.key) ?? null;
  const chosen = listOf(value);
  const counts = rows.map((row) => {
    const counted = arrayOf(results).findLast(
      (result) => own(result, def.resultKey) === own(row, def.key),
    );
    const count = counted === undefined ? own(row, def.countField) : own(counted, def.resultField);
    // Those who chose it, in the place of how many.
    if (Array.isArray(count)) return count.length;
    return typeof count === "number" ? count : undefined;
  });
  const total = counts.reduce((sum: number, count) => sum + (count ?? 0), 0);
  const choose = (id: Json) =>
    set(
      !pick?.several
        ? id
        : chosen.includes(id)
          ? chosen.filter((other) => other !== id)
          : [...chosen, id],
    );
  return (
    <section {...useRoot(def, scope, "poll")}>
      {records.title && <h2 class="g-title">{records.title}</h2>}
      {rows.length === 0 && <p class="g-nodata">{records.emptyText}</p>}
      <ul
        class="g-options"
        role={pick && !pick.several ? "radiogroup" : "list"}
        aria-label={records.title || say.none}
      >
        {rows.map((row, index) => {
          const count = counts[index];
          const title = valueNode(
            own(row, def.titleField),
            def.titleFormat,
            records.locale,
            undefined,
            undefined,
            { field: "", label: "", typed: records.typed },
          );
          return (
            <li key={records.keyOf(row, index)} role={pick && !pick.several ? "none" : undefined}>
              <Option
                name={name}
                kind={pick ? (pick.several ? "checkbox" : "radio") : undefined}
                checked={chosen.includes(idOf(row))}
                onChoose={() => choose(idOf(row))}
              >
                <span>{title}</span>
                {count !== undefined && (
                  <span class="g-count">{formatNumeral(count, records.locale)}</span>
                )}
              </Option>
              {count !== undefined && (
                <span class="g-votes" aria-hidden="true">
                  <span style={{ inlineSize: `${total > 0 ? (100 * count) / total : 0}%` }} />
                </span>
              )}
              <Facts records={records} row={row} />
              <Actions
                def={def}
                scope={scope}
                records={records}
                row={row}
                rowKey={records.keyOf(row, index)}
                name={String(own(row, def.titleField) ?? "")}
              />
            </li>
          );
        })}
      </ul>
      {pick && <PickEnd id={def.id} scope={scope} pick={pick} chosen={chosen} control={control} />}
    </section>
  );
}

interface OptionProps {
  readonly name: string;
  readonly kind: "checkbox" | "radio" | undefined;
  readonly checked: boolean;
  readonly onChoose: () => void;
  readonly children: ComponentChildren;
}

function Option({ name, kind, checked, onChoose, children }: OptionProps) {
  if (!kind) return <div class="g-option">{children}</div>;
  return (
    <label class="g-option">
      <input type={kind} name={name} checked={checked} onChange={onChoose} />
      {children}
    </label>
  );
}
