// Stepper: the steps of something, which of them are done, and where one is.

import { isPath } from "../draw/bind";
import type { ComponentProps } from "../draw/context";
import { useDraw } from "../draw/context";
import { formatMoment } from "../draw/format";
import { useField, useText, useValue } from "../draw/hooks";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { arrayOf, own } from "../draw/pointer";
import { text } from "../draw/text";
import { humanise } from "../form/field";
import { guestStrings as say } from "../strings";
import type { Json } from "../wire/json";
import { useEmptyText } from "./kit/empty";
import { Icon } from "./kit/icons";
import { spelled } from "./kit/names";
import { Actions, Facts, useRecords } from "./kit/records";
import { addStyles } from "./styles";
import css from "./styles/stepper.css?inline";

addStyles(css);

/** Nobody follows more steps than these. */
const MAX_STEPS = 100;

type State = "done" | "current" | "failed" | "ahead";
const patterns: readonly (readonly [State, RegExp])[] = [
  ["done", /^(done|complete|completed|finished|passed|success|succeeded|shipped|ok)$/],
  ["current", /^(current|active|now|running|in[ _-]?progress|started|ongoing)$/],
  ["failed", /^(failed|error|blocked|rejected|cancelled)$/],
];

export function Stepper({ def, scope }: ComponentProps<"Stepper">) {
  const { locale } = useDraw();
  const title = useText(def.title, scope);
  const value = useValue(def.rows, scope);
  const records = useRecords(def, scope);
  const emptyText = useEmptyText([def.rows], scope, say.noRows);
  const [current, setCurrent] = useField(def.current, scope);
  const isOwn = isPath(def.current) && def.current.path.startsWith("/context/");
  const all = arrayOf(value);
  const rows = all.slice(0, MAX_STEPS);
  const words = rows.map((row) => shortName(text(def.labelField ? own(row, def.labelField) : row)));
  const areIds = def.key !== undefined && def.labelField === def.key;
  const names = words.map((word) => (areIds ? humanise(word) : spelled(word, locale)));
  // A step is called by its id or by its name.
  const ids = def.key ? rows.map((row) => text(own(row, def.key))) : words;
  const isId = ids.includes(text(current));
  const at =
    typeof current === "number"
      ? current - Number(def.first ?? 1)
      : (isId ? ids : words).indexOf(text(current));
  // The step is the agent's to see where it stands in a slot, and the person's to set.
  const go = (index: number) => {
    if (index < 0 || index >= rows.length) return;
    const named = (isId ? ids : words)[index]!;
    setCurrent(typeof current === "string" ? named : index + Number(def.first ?? 1));
  };
  const stateOf = (row: Json, index: number): State => {
    if (!def.statusField) return index < at ? "done" : index === at ? "current" : "ahead";
    const word = text(own(row, def.statusField)).toLowerCase();
    return patterns.find(([, pattern]) => pattern.test(word))?.[0] ?? "ahead";
  };
  return (
    <section {...useRoot(def, scope, "stepper")}>
      {title && <h2 class="g-title">{title}</h2>}
      {rows.length === 0 && <p class="g-nodata">{emptyText}</p>}
      <ol class="g-steps" role="list" aria-label={title || undefined}>
        {rows.map((row, index) => {
          const state = stateOf(row, index);
          const time = def.timeField ? own(row, def.timeField) : undefined;
          return (
            <li
              key={index}
              data-state={state}
              aria-current={state === "current" ? "step" : undefined}
            >
              <span class="g-step-mark" aria-hidden="true">
                {state === "done" ? (
                  <Icon name="check" />
                ) : state === "failed" ? (
                  <Icon name="close" />
                ) : (
                  index + 1
                )}
              </span>
              <span>
                {names[index]}
                <span class="g-hidden">, {say.stepStates[state]}</span>
                {def.statusField && state !== "done" && (
                  <small class="g-muted">
                    {humanise(shortName(text(own(row, def.statusField))))}
                  </small>
                )}
                {typeof time === "string" && (
                  <small class="g-muted">{formatMoment(time, "datetime", locale)}</small>
                )}
                {def.columns && <Facts records={records} row={row} />}
                {def.rowActions && (
                  <Actions
                    def={def}
                    scope={scope}
                    records={records}
                    row={row}
                    rowKey={records.keyOf(row, index)}
                    name={names[index]!}
                  />
                )}
              </span>
            </li>
          );
        })}
      </ol>
      {isOwn && rows.length > 1 && (
        <p class="g-form-end">
          <button type="button" class="g-button" aria-disabled={at <= 0} onClick={() => go(at - 1)}>
            {say.previous}
          </button>
          <button
            type="button"
            class="g-button"
            aria-disabled={at >= rows.length - 1}
            onClick={() => go(at + 1)}
          >
            {say.next}
          </button>
        </p>
      )}
      {rows.length < all.length && <p class="g-muted">{say.andMore(all.length - rows.length)}</p>}
    </section>
  );
}
