// Rows of the props with the changes to them that a channel brought since.

import { useMemo, useRef } from "preact/hooks";
import type { Scope } from "../../draw/context";
import { useValue } from "../../draw/hooks";
import { arrayOf, bare, isArray, isObject, own } from "../../draw/pointer";
import { text } from "../../draw/text";
import type { Catalog } from "../../wire/catalog";
import type { Json } from "../../wire/json";

/** How a component names its changes, and where in a record they belong. */
export type ChangesDef = Partial<
  Pick<
    Catalog["Board"],
    "key" | "changes" | "changesKey" | "changesIn" | "changesAdd" | "cardsField"
  >
>;

export function useChanged(rows: readonly Json[], def: ChangesDef, scope: Scope) {
  const value = useValue(def.changes, scope);
  const items = arrayOf(value);
  // Rows that the agent sends anew contain what changed before.
  const seen = useRef<{ rows: readonly Json[]; last?: Json }>({ rows });
  if (seen.current.rows !== rows) seen.current = { rows, last: items.at(-1) };
  const { last } = seen.current;
  return useMemo(() => {
    if (items.length === 0) return rows;
    const since = last === undefined ? items : items.slice(items.lastIndexOf(last) + 1);
    const member = def.cardsField;
    return member ? rows.map((row) => within(row, member, since, def)) : changed(rows, since, def);
  }, [rows, items, last, def]);
}

/** A record with the changes to the records in one of its members. */
function within(row: Json, member: string, items: readonly Json[], def: ChangesDef): Json {
  const inner = own(row, member);
  if (!isArray(inner)) return row;
  const next = changed(inner, items, { ...def, changesAdd: false });
  return next === inner ? row : merge(row, { [member]: next });
}

function changed(rows: readonly Json[], items: readonly Json[], def: ChangesDef) {
  const changes = new Map<string, Json>();
  for (const item of items) {
    const id = text(own(item, def.changesKey ?? def.key));
    const change = def.changesIn ? own(item, def.changesIn) : item;
    if (id && isObject(change)) changes.set(id, merge(changes.get(id), change));
  }
  let any = false;
  const next = rows.map((row) => {
    const id = text(own(row, def.key));
    const change = changes.get(id);
    changes.delete(id);
    any ||= change !== undefined;
    return change === undefined ? row : merge(row, change);
  });
  if (def.changesAdd && changes.size > 0) return [...next, ...changes.values()];
  return any ? next : rows;
}

/** Objects are merged member by member; anything else is replaced. */
function merge(old: Json | undefined, next: Json): Json {
  if (!isObject(old) || !isObject(next)) return next;
  const copy = bare<Json>(old);
  for (const [name, value] of Object.entries(next))
    copy[name] = merge(own(old, name), value ?? null);
  return copy;
}
