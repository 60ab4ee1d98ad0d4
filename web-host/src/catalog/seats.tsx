// Seats: seats in their rows; the free ones are chosen and taken together, and where more can be
// done with one, any is chosen.

import type { ComponentProps } from "../draw/context";
import { useActionControl, useField } from "../draw/hooks";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { arrayOf, own } from "../draw/pointer";
import { text } from "../draw/text";
import { humanise } from "../form/field";
import { guestStrings as say } from "../strings";
import type { Json } from "../wire/json";
import { FireButton } from "./kit/action";
import { listOf } from "./kit/choices";
import { PickEnd } from "./kit/pick";
import { Actions, Facts, type Records, useRecords } from "./kit/records";
import { addStyles } from "./styles";
import css from "./styles/poll.css?inline";

addStyles(css);

/** A hall has about as many. */
const MAX_SEATS = 2000;
/** States of seats that are free, and members that say so with a yes. */
const FREE = /^(is_?)?(free|available|empty|open|vacant)$/i;

/** Whether nobody has a seat: by the name of its state, or by the yes to one called so. */
function isFree(field: string | undefined, seat: Json): boolean {
  const state = field === undefined ? undefined : own(seat, field);
  if (field === undefined || state === undefined) return true;
  return typeof state === "boolean" ? state === FREE.test(field) : FREE.test(text(state));
}

/** The first text of a seat beside its place and its state. */
function holderOf({ columns }: Records, seat: Json): string {
  const found = columns.find(
    ({ field, format = "text" }) => format === "text" && text(own(seat, field) ?? ""),
  );
  return found ? shortName(text(own(seat, found.field))) : "";
}

export function Seats({ def, scope }: ComponentProps<"Seats">) {
  const records = useRecords(def, scope);
  const { pick } = def;
  const control = useActionControl(def.id, scope, pick?.action);
  const [value, set] = useField(def.value, scope);
  const chosen = listOf(value);
  const idOf = (row: Json) => own(row, pick?.field ?? def.key) ?? null;
  const free = (seat: Json) => isFree(def.statusField, seat);
  const canChoose = (seat: Json) => free(seat) || records.actions.length > 0;
  const inRows = records.rows.flatMap((row) => {
    const name = shortName(text(own(row, def.rowField)));
    const seats = def.seatsField ? arrayOf(own(row, def.seatsField)) : [row];
    return seats.map((seat) => [name, seat] as const);
  });
  const byRow = new Map<string, Json[]>();
  for (const [row, seat] of inRows.slice(0, MAX_SEATS))
    byRow.set(row, [...(byRow.get(row) ?? []), seat]);
  const toggle = (id: Json) =>
    set(
      chosen.includes(id)
        ? chosen.filter((other) => other !== id)
        : pick?.several
          ? [...chosen, id]
          : [id],
    );
  const taken = inRows.filter(([, seat]) => chosen.includes(idOf(seat)));
  return (
    <section {...useRoot(def, scope, "seats")}>
      {records.title && <h2 class="g-title">{records.title}</h2>}
      {records.rows.length === 0 && <p class="g-nodata">{records.emptyText}</p>}
      <div class="g-seats" role="group" aria-label={records.title || undefined}>
        {[...byRow].map(([row, seats]) => (
          <div class="g-seat-row" key={row}>
            <strong>{row}</strong>
            {seats.map((seat, index) => {
              const number = shortName(text(own(seat, def.numberField)));
              const open = free(seat);
              // Who sits there, or what stands there.
              const holder = open ? "" : holderOf(records, seat);
              const named = own(seat, def.statusField);
              const status =
                typeof named === "string" ? humanise(named) : open ? say.seatFree : say.seatTaken;
              return (
                <button
                  key={index}
                  type="button"
                  class="g-button"
                  aria-pressed={chosen.includes(idOf(seat))}
                  aria-disabled={!canChoose(seat)}
                  aria-label={`${row} ${number}, ${status}${holder && `, ${holder}`}`}
                  onClick={() => canChoose(seat) && toggle(idOf(seat))}
                >
                  {open ? number : <s>{number}</s>}
                  {holder && <small>{holder}</small>}
                </button>
              );
            })}
          </div>
        ))}
      </div>
      {taken.map(([row, seat], index) => {
        const name = `${row} ${text(own(seat, def.numberField))}`;
        const rowKey = text(idOf(seat)) || String(index);
        return (
          <div key={rowKey}>
            <strong>{name}</strong>
            <Facts records={records} row={seat} />
            <Actions {...{ def, scope, records, rowKey, name }} row={seat} alone />
          </div>
        );
      })}
      {pick && (
        <PickEnd
          id={def.id}
          scope={scope}
          pick={pick}
          chosen={taken.filter(([, seat]) => free(seat)).map(([, seat]) => idOf(seat))}
          control={control}
        />
      )}
      {taken.length === 0 && records.actions.length > 0 && (
        <div class="g-record-actions">
          {records.actions.map(({ action, label, variant }) => (
            <FireButton
              key={action}
              {...{ action, label, variant }}
              state={{ phase: "idle" }}
              onFire={() => undefined}
              disabled
            />
          ))}
        </div>
      )}
    </section>
  );
}
