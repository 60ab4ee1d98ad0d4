// Matrix: a value for each pair of a row and a column; where an action sets one, each cell is its control.

import { useState } from "preact/hooks";
import { type ComponentProps, type Scope, useDraw } from "../draw/context";
import { useActionControl, useText, useValue } from "../draw/hooks";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { isObject, own } from "../draw/pointer";
import { humanise } from "../form/field";
import { guestStrings as say } from "../strings";
import type { Json } from "../wire/json";
import { ActionStatus } from "./kit/action";
import { ConfirmDialog } from "./kit/dialog";
import type { Pick } from "./kit/pick";
import { useEmptyText } from "./kit/records";
import { valueNode } from "./kit/value";
import { addStyles } from "./styles";
import css from "./styles/matrix.css?inline";

addStyles(css);

/** Rows and columns that are still compared by eye. */
const MAX_ROWS = 200;
const MAX_COLUMNS = 40;

export function Matrix({ def, scope }: ComponentProps) {
  const title = useText(def.title, scope);
  const value = useValue(def.value, scope);
  const emptyText = useEmptyText([def.value], scope, say.noRows);
  const rows = isObject(value) ? Object.keys(value).slice(0, MAX_ROWS) : [];
  const cells = (row: string) => own(value as Json, row);
  const columns = [
    ...new Set(
      rows.flatMap((row) => (isObject(cells(row)) ? Object.keys(cells(row) as object) : [])),
    ),
  ].slice(0, MAX_COLUMNS);
  return (
    <section {...useRoot(def, scope, "matrix")}>
      {title && <h2 class="g-title">{title}</h2>}
      {rows.length === 0 ? (
        <p class="g-nodata">{emptyText}</p>
      ) : (
        <div class="g-matrix" tabIndex={0} role="region" aria-label={title || say.table}>
          <table>
            <thead>
              <tr>
                <td />
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {shortName(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row}>
                  <th scope="row">{shortName(row)}</th>
                  {columns.map((column) => (
                    <td key={column}>
                      <Cell
                        def={def}
                        scope={scope}
                        row={row}
                        column={column}
                        value={own(cells(row)!, column)}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

interface CellProps extends ComponentProps {
  readonly scope: Scope;
  readonly row: string;
  readonly column: string;
  readonly value: Json | undefined;
}

function Cell({ def, scope, row, column, value }: CellProps) {
  const { locale } = useDraw();
  const pick = def.pick as Pick | undefined;
  const control = useActionControl(def.id, scope, `${row}\n${column}`);
  const [asked, setAsked] = useState<Json>();
  const options = Array.isArray(def.options)
    ? (def.options as { value: Json; label: string }[])
    : [];
  const name = `${pick?.label}: ${shortName(row)}, ${shortName(column)}`;
  const send = (next: Json) =>
    control.fire(pick!.action, { [pick!.row!]: row, [pick!.column!]: column, [pick!.to]: next });
  const ask = (next: Json) => (pick?.confirm ? setAsked(next) : send(next));
  if (!pick || (typeof value !== "boolean" && options.length === 0))
    return <>{valueNode(value, typeof value === "string" ? "badge" : undefined, locale)}</>;
  return (
    <>
      {typeof value === "boolean" ? (
        <input
          type="checkbox"
          aria-label={name}
          checked={value}
          onChange={(event) => {
            const next = event.currentTarget.checked;
            event.currentTarget.checked = value;
            ask(next);
          }}
        />
      ) : (
        <select
          class="g-input"
          aria-label={name}
          value={String(value)}
          onChange={(event) => {
            const next = options.find(
              (option) => String(option.value) === event.currentTarget.value,
            );
            if (next) ask(next.value);
          }}
        >
          {options.map((option) => (
            <option key={String(option.value)} value={String(option.value)}>
              {humanise(String(option.label))}
            </option>
          ))}
        </select>
      )}
      <ActionStatus state={control.state} />
      {asked !== undefined && (
        <ConfirmDialog
          label={name}
          action={pick.action}
          onAnswer={(yes) => {
            setAsked(undefined);
            if (yes) send(asked);
          }}
        />
      )}
    </>
  );
}
