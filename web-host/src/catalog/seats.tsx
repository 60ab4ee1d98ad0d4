// Seats: seats in their rows; the free ones are chosen and taken together.

import type { ComponentProps } from "../draw/context";
import { useActionControl, useField } from "../draw/hooks";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { arrayOf, own } from "../draw/pointer";
import { text } from "../draw/text";
import { humanise } from "../form/field";
import type { Json } from "../wire/json";
import { listOf } from "./kit/choices";
import { PickEnd } from "./kit/pick";
import { Facts, type Records, useRecords } from "./kit/records";
import { addStyles } from "./styles";
import css from "./styles/poll.css?inline";

addStyles(css);

/** A hall has about as many. */
const MAX_SEATS = 2000;
/** Status names of seats that are free. */
const FREE = /^(free|available|empty|open|vacant)$/i;

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
              const status = text(own(seat, def.statusField));
              const number = shortName(text(own(seat, def.numberField)));
              const open = !def.statusField || FREE.test(status);
              // Who sits there, or what stands there.
              const holder = open ? "" : holderOf(records, seat);
              return (
                <button
                  key={index}
                  type="button"
                  class="g-button"
                  aria-pressed={chosen.includes(idOf(seat))}
                  aria-disabled={!open}
                  aria-label={`${row} ${number}, ${humanise(status)}${holder && `, ${holder}`}`}
                  onClick={() => open && toggle(idOf(seat))}
                >
                  {open ? number : <s>{number}</s>}
                  {holder && <small>{holder}</small>}
                </button>
              );
            })}
          </div>
        ))}
      </div>
      {taken.map(([row, seat], index) => (
        <div key={index}>
          <strong>
            {row} {text(own(seat, def.numberField))}
          </strong>
          <Facts records={records} row={seat} />
        </div>
      ))}
      {pick && <PickEnd pick={pick} chosen={chosen} control={control} />}
    </section>
  );
}
