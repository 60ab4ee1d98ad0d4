// What the components that show records share: the rows and columns of a definition, facts, and
// actions.

import { useMemo } from "preact/hooks";
import { isPath, resolve } from "../../draw/bind";
import { type Scope, useDraw } from "../../draw/context";
import { useBindingScope, useIsTyped, useText, useValue } from "../../draw/hooks";
import { MAX_COLUMNS, MAX_ROW_ACTIONS, shortName } from "../../draw/limits";
import type { BindingScope } from "../../draw/model";
import { arrayOf, isObject, own } from "../../draw/pointer";
import { text } from "../../draw/text";
import { humanise } from "../../form/field";
import { guestStrings as say } from "../../strings";
import type { Catalog } from "../../wire/catalog";
import type { Json } from "../../wire/json";
import type { RowAction as ActionSpec, Column } from "../../wire/view";
import { addStyles } from "../styles";
import css from "../styles/records.css?inline";
import { type ChangesDef, useChanged } from "./changes";
import { useEmptyText } from "./empty";
import { calledBy, isKey, isSlug, isTechnical, isUnread } from "./names";
import { RowAction } from "./row-action";
import { asTyped, faceOf, isName, lookedUp, recordsIn } from "./structure";
import { isEmpty, valueNode } from "./value";

addStyles(css);

/** What the components that show records declare of them. */
type RecordsDef = ChangesDef &
  Partial<Pick<Catalog["Table"], "title" | "rows" | "columns" | "rowActions" | "emptyText">> &
  Partial<Pick<Catalog["Tree"], "root">> &
  Partial<Pick<Catalog["Article"], "record">> &
  Partial<Pick<Catalog["Chat"], "more">>;

export interface Records {
  readonly title: string;
  readonly rows: readonly Json[];
  /** The records are user input, so no address in them is requested or opened. */
  readonly typed: boolean;
  readonly columns: readonly Column[];
  readonly currencies: readonly (Json | undefined)[];
  readonly actions: readonly ActionSpec[];
  readonly emptyText: string;
  readonly locale: string;
  keyOf(row: Json, index: number): string;
  /** The name of a record; where that is the id of another one, what this is called. */
  nameOf(row: Json, field: string | undefined): string;
  /** The same of what needs a name: if it has none, the first words that are said of it. */
  titleOf(row: Json, field: string | undefined): string;
}

const numeric =
  /^(integer|number|percent|ratio|bytes|currency|money|amount|measure|duration|milliseconds)$/;

export function useRecords(def: RecordsDef, scope: Scope): Records {
  const { locale, model } = useDraw();
  const binding = useBindingScope(scope);
  const title = useText(def.title, scope);
  const value = useValue(def.rows ?? def.record, scope);
  const rows = useChanged(
    useMemo(
      () => (def.record && isObject(value) ? [value] : recordsOf(value)),
      [value, def.record],
    ),
    def,
    scope,
  );
  const emptyText = useEmptyText(
    [def.rows, def.root, def.record],
    scope,
    useText(def.emptyText, scope) || say.noRows,
  );
  const sources = [def.rows, def.root, def.record, def.changes, def.more];
  const typed = sources.map((source) => useIsTyped(source, scope)).includes(true);
  // As one text, so that the columns stay the same while it does.
  const unread = useMemo(() => unreadOf(rows, def, model).join("/"), [rows, def, model]);
  const columns = useMemo(() => {
    const all = readColumns(def.columns, typed);
    const others = all.filter(({ field }) => !unread.split("/").includes(field));
    return others.length > 0 ? others : all;
  }, [def.columns, typed, unread]);
  const actions = useMemo(() => (def.rowActions ?? []).slice(0, MAX_ROW_ACTIONS), [def.rowActions]);
  const currencies = useStable(
    columns.map(({ currency, currencyOf: of }) =>
      of ? resolve(of.refers.rows, binding) : resolve(currency, binding),
    ),
  );
  const nameOf = (row: Json, field: string | undefined) =>
    calledBy(nameIn(row, field), model, locale);
  const firstOf = (row: Json) => {
    const said = columns.find(
      ({ field }) => typeof own(row, field) === "string" && own(row, field),
    );
    return said && wordsOf(own(row, said.field), said, model, locale);
  };
  return {
    title,
    typed,
    columns,
    currencies,
    emptyText,
    locale,
    rows,
    actions,
    keyOf: (row, index) => (def.key ? text(own(row, def.key)) : "") || String(index),
    nameOf,
    titleOf: (row, field) => nameOf(row, field) || firstOf(row) || say.untitled,
  };
}

/** The records of a list, or those that a map holds under their keys. */
function recordsOf(value: Json | undefined): readonly Json[] {
  const held = isObject(value) ? Object.values(value).filter(isObject) : [];
  return held.length > 0 ? held : arrayOf(value);
}

/** A member that names a record, beside a code of it. */
const NAMING = /(name|title|label)$/i;

/**
 * Whether the keys of the records tell a person nothing: some are technical, none is a number; or
 * the records have names, too, and the keys are words of programs.
 */
function hasIds(rows: readonly Json[], { key, columns = [] }: RecordsDef): boolean {
  const keys = rows.map((row) => own(row, key));
  const isNamed = columns.some(({ field }) => field !== key && NAMING.test(field));
  return isNamed
    ? keys.length > 0 && keys.every(isKey)
    : keys.some(isTechnical) && keys.every(isSlug);
}

/** The members of records that tell a person nothing. */
function unreadOf(rows: readonly Json[], def: RecordsDef, model: BindingScope["model"]): string[] {
  const isKeyed = hasIds(rows, def);
  const fields = (def.columns ?? []).flatMap(({ field, refers }) => (refers ? [] : [field]));
  return fields.filter(
    (field) =>
      (isKeyed && field === def.key) || rows.some((row) => isUnread(field, own(row, field), model)),
  );
}

function readColumns(columns: readonly Column[] = [], typed: boolean): Column[] {
  return columns
    .slice(0, MAX_COLUMNS)
    .map((column) => (typed ? asTyped(column) : column))
    .map((column) => ({
      ...column,
      align: column.align ?? (numeric.test(column.format ?? "") ? "end" : undefined),
    }));
}

/** The same array while its items are the same, so unchanged rows are not drawn again. */
function useStable<T>(items: readonly T[]): readonly T[] {
  return useMemo(() => items, [...items]);
}

/**
 * The currency of a cell: of the whole column, of the record where the path is relative, or of the
 * one it names.
 */
export function currencyOf(column: Column, common: Json | undefined, row: Json): Json | undefined {
  const of = column.currencyOf;
  if (of && isPath(of.id))
    return lookedUp(own(row, of.id.path), recordsIn(common, of.refers), of.refers);
  return isPath(column.currency) && !column.currency.path.startsWith("/")
    ? own(row, column.currency.path)
    : common;
}

/** Characters of a fact: a page shows some fifty records with some ten of them. */
const MAX_FACT = 2000;

/** The name of a record, as long as names are; of somebody with a role it is that person's. */
export function nameIn(row: Json, field: string | undefined): string {
  return nameOf(own(row, field));
}

export function nameOf(value: Json | undefined): string {
  if (!isObject(value)) return shortName(text(value));
  const names = Object.keys(value).filter(
    (key) => typeof own(value, key) === "string" && !/(id|kind|role|type)$/i.test(key),
  );
  return shortName(text(own(value, names.find(isName) ?? names[0] ?? "")));
}

/** What a value says where there is room for its words only, such as the name of its record. */
export function wordsOf(
  value: Json | undefined,
  { format, refers }: Column,
  model: BindingScope["model"],
  locale: string,
): string {
  if (format === "reference" && refers) {
    const rows = recordsIn(resolve(refers.rows, { model, path: [], locale }), refers);
    return calledBy(lookedUp(value, rows, refers) ?? value, model, locale);
  }
  if (/^(badge|choice)$/.test(format ?? "") && typeof value === "string")
    return humanise(shortName(value));
  return calledBy(isObject(value) ? nameOf(value) : value, model, locale);
}

/** The value of one record in a column. */
export function Value({ records, row, column }: { records: Records; row: Json; column: Column }) {
  const currency = records.currencies[records.columns.indexOf(column)];
  return (
    <>
      {valueNode(
        own(row, column.field),
        column.format,
        records.locale,
        currencyOf(column, currency, row),
        MAX_FACT,
        faceOf(column, row),
      )}
    </>
  );
}

/** The values of one record with their labels; what is absent is left out. */
export function Facts({
  records,
  row,
  of = records.columns,
}: {
  records: Records;
  row: Json;
  of?: readonly Column[];
}) {
  const present = of.filter(
    ({ field }) => text(own(row, field) ?? "") !== "" && !isEmpty(own(row, field)),
  );
  if (present.length === 0) return null;
  return (
    <dl class="g-facts">
      {present.map((column) => (
        <div
          key={column.field}
          data-long={
            /^records?$/.test(column.format ?? "") ||
            text(own(row, column.field)).length > 40 ||
            undefined
          }
        >
          <dt class={namesItself(own(row, column.field), column.label) ? "g-hidden" : undefined}>
            {column.label}
          </dt>
          <dd>
            <Value records={records} row={row} column={column} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** `Parcel 46` needs no label that says that it is a parcel. */
function namesItself(value: Json | undefined, label: string): boolean {
  return typeof value === "string" && value.toLowerCase().startsWith(`${label.toLowerCase()} `);
}

interface ActionsProps {
  readonly def: { readonly id: string };
  readonly scope: Scope;
  readonly records: Records;
  readonly row: Json;
  readonly rowKey: string;
  readonly name: string;
  readonly except?: string;
  /** Whether only this one record is shown. */
  readonly alone?: boolean;
}

/** Everything that can be done with one record. */
export function Actions({ def, scope, records, row, rowKey, name, except, alone }: ActionsProps) {
  const offered = records.actions.filter(({ action }) => action !== except);
  if (offered.length === 0) return null;
  // Several inputs beside their buttons would make a form of what is shown.
  const asking = offered.filter(({ inputs }) => inputs !== undefined).length;
  return (
    <div class="g-record-actions">
      {offered.map((spec) => (
        <RowAction
          key={spec.action}
          tableId={def.id}
          spec={spec}
          row={row}
          rowName={name}
          rowKey={rowKey}
          scope={scope}
          alone={alone && asking === 1}
        />
      ))}
    </div>
  );
}
