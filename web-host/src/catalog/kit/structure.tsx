// Values inside values, as a person reads them: an amount, a range, a place, names with their
// values; never JSON.

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { isPath, resolve } from "../../draw/bind";
import { useDraw } from "../../draw/context";
import { formatNumeral } from "../../draw/format";
import { shortName } from "../../draw/limits";
import { arrayOf, isArray, isObject, own } from "../../draw/pointer";
import { text } from "../../draw/text";
import { humanise, worded } from "../../form/field";
import { guestStrings as say } from "../../strings";
import type { Json } from "../../wire/json";
import type { Column, Reference } from "../../wire/view";
import { addStyles } from "../styles";
import css from "../styles/structure.css?inline";
import { calledBy } from "./names";
import { Picture, pictureIn } from "./picture";

addStyles(css);

/** Records within each other that an id may name. */
const MAX_TREE_DEPTH = 32;

/** What the catalog says of a value. */
export type Shown = Column & {
  /** Whose face a picture shows. */
  readonly of?: string;
  /** It is user input: no address in it is requested or opened. */
  readonly typed?: boolean;
};

/** Whether a member of records holds the picture of somebody's face. */
export function isFace(field: string | undefined): boolean {
  return /avatar|portrait/i.test(field ?? "");
}

/** A column of faces, with the name of the record it is drawn of. */
export function faceOf<S extends Shown>(shown: S, record: Json): S {
  if (shown.format !== "image" || !isFace(shown.field) || !isObject(record)) return shown;
  const named = Object.keys(record).find(isName);
  return named ? { ...shown, of: shortName(text(own(record, named))) } : shown;
}

/** What stands in the record with this id. */
export function lookedUp(id: Json | undefined, rows: readonly Json[], refers: Reference) {
  const found = rows.find((row) => own(row, refers.key) === id);
  return found === undefined ? undefined : own(found, refers.titleField);
}

/** User input at every depth: the addresses in it are texts like any other. */
export function asTyped<S extends Pick<Shown, "parts">>(shown: S): S {
  return { ...shown, typed: true, parts: shown.parts?.map(asTyped) };
}

/** Values shown of one record inside another; a page of fifty rows stays quick to draw. */
const MAX_PARTS = 12;
/** Words and numbers listed in one value: some lines of them. */
const MAX_SCALARS = 48;
/** Records shown inside one value; the others are counted. */
const MAX_INNER = 3;
const MAX_DEPTH = 4;

/** The records a reference speaks of. */
export function useReferred(refers: Reference | undefined): readonly Json[] {
  const { model, locale } = useDraw();
  const value = refers && resolve(refers.rows, { model, path: [], locale });
  return useMemo(() => recordsIn(value, refers), [value, refers]);
}

/** The records of a list or a map, those that stand inside each, or all of a tree. */
export function recordsIn(value: Json | undefined, refers: Reference | undefined): readonly Json[] {
  const rows = arrayOf(value);
  if (refers && !refers.children && isObject(value))
    return Object.entries(value).flatMap(([id, row]) =>
      isObject(row) ? [{ ...row, [refers.key]: id }] : [],
    );
  if (refers?.children) return treeOf(isObject(value) ? [value] : rows, refers.children);
  const within = refers?.within;
  return within ? rows.flatMap((row) => arrayOf(own(row, within))) : rows;
}

/** The records of a tree, each before what is inside it. */
function treeOf(rows: readonly Json[], children: string, depth = 0): readonly Json[] {
  if (depth > MAX_TREE_DEPTH) return [];
  return rows.flatMap((row) => [row, ...treeOf(arrayOf(own(row, children)), children, depth + 1)]);
}

function Referred({ id, refers }: { id: Json; refers: Reference }) {
  const { model, locale } = useDraw();
  const rows = useReferred(refers);
  const name = (one: Json) => {
    const found = rows.find((row) => own(row, refers.key) === one);
    return calledBy(found === undefined ? one : own(found, refers.titleField), model, locale);
  };
  return <>{(isArray(id) ? id : [id]).map(name).join(", ")}</>;
}

/**
 * Where a value inside a record has its currency: in that record, or where the record has its own.
 */
function currencyIn(
  shown: Shown,
  value: Json,
  around: Json | undefined,
  model: Reader,
): Json | undefined {
  if (typeof shown.currency === "string") return shown.currency;
  if (!isPath(shown.currency)) return around;
  const { path } = shown.currency;
  return path.startsWith("/") ? model(path) : (own(value, path) ?? around);
}

type Reader = (path: string) => Json | undefined;

/** Draws one value that holds no others. */
type DrawValue = (
  value: Json,
  format: string | undefined,
  locale: string,
  currency: Json | undefined,
  letters: number | undefined,
  shown: Shown | undefined,
) => ComponentChildren;

interface StructureProps {
  readonly value: Json;
  readonly draw: DrawValue;
  readonly format: string | undefined;
  readonly shown: Shown | undefined;
  readonly currency: Json | undefined;
  readonly depth?: number;
}

export function Structure({ value, draw, format, shown, currency, depth = 0 }: StructureProps) {
  const { model, locale } = useDraw();
  const read: Reader = (path) => resolve({ path }, { model, path: [], locale });
  const parts = shown?.parts ?? [];
  const part = (one: Shown, inside: Json): ComponentChildren => {
    const inner = own(inside, one.field);
    if (isNothing(inner)) return null;
    const inCurrency = currencyIn(one, inside, currency, read);
    return typeof inner === "object" ? (
      <Structure
        value={inner}
        draw={draw}
        format={one.format}
        shown={one}
        currency={inCurrency}
        depth={depth + 1}
      />
    ) : (
      draw(inner, one.format, locale, inCurrency, undefined, faceOf(one, inside))
    );
  };
  if (format === "reference" && shown?.refers) return <Referred id={value} refers={shown.refers} />;
  if (isObject(value)) {
    const numbers = (...names: string[]) =>
      names.map((name) => own(value, name)).find((found) => typeof found === "number");
    const [low, high] = parts;
    if (format === "range" && low && high) {
      const period = periodOf(own(value, low.field), own(value, high.field), low.format, locale);
      if (period) return <>{period}</>;
      const [from, to] = [part(low, value), part(high, value)];
      const measure = text(shown?.unit ?? own(value, "unit"));
      const unit = measure && ` ${measure}`;
      const same = own(value, low.field) === own(value, high.field);
      if (from === null || same)
        return (
          <>
            {to}
            {unit}
          </>
        );
      if (to === null)
        return (
          <>
            {from}
            {unit}
          </>
        );
      return (
        <>
          {from}
          {/^(of|total|capacity|limit)$/.test(high.field)
            ? " / "
            : [low, high].some(({ field }) => Number(own(value, field)) < 0)
              ? " – "
              : "–"}
          {to}
          {unit}
        </>
      );
    }
    if (format === "amount" && low) return <>{part(low, value)}</>;
    if (format === "measure" && low)
      return (
        <>
          {part(low, value)} {text(own(value, "unit"))}
        </>
      );
    const [lat, lng] = [numbers("lat", "latitude"), numbers("lng", "lon", "longitude")];
    if (format === "place" && lat !== undefined && lng !== undefined)
      return (
        <>
          {formatNumeral(lat, locale, 4)}°, {formatNumeral(lng, locale, 4)}°
        </>
      );
    const typed = shown?.typed;
    const named: readonly Shown[] = parts.length
      ? parts
      : Object.keys(value).map((field) => ({ field, label: humanise(field), typed }));
    // Where nothing says that it was given, it may be what somebody typed.
    const picture = shown && !typed ? pictureIn(value, named, format) : undefined;
    // A unit beside numbers is said with each of them.
    const unit = text(own(value, "unit"));
    const isMeasured = (one: Shown) =>
      unit !== "" && !one.unit && typeof own(value, one.field) === "number";
    const hasMeasures = named.some(isMeasured);
    const there = named.filter(
      ({ field }) =>
        !isNothing(own(value, field)) &&
        // A text of the kind `text` says no more than the text.
        !(/^(kind|type)$/.test(field) && own(value, text(own(value, field)))) &&
        !(hasMeasures && field === "unit") &&
        !(picture && (/^(alt|kind|type)$/.test(field) || field === picture.field)),
    );
    const drawn = there
      .slice(0, MAX_PARTS)
      .map((one) => [one, part(isMeasured(one) ? { ...one, unit } : one, value)] as const);
    if (drawn.length === 0 && !picture) return <span class="g-muted">{say.none}</span>;
    if (depth >= MAX_DEPTH) return <>{there.length}</>;
    return (
      <span class="g-record" data-picture={picture && true}>
        {picture && (
          <Picture
            class="g-thumb"
            url={text(own(value, picture.field))}
            words={text(own(value, "alt"))}
          />
        )}
        {drawn.map(([one, node], index) => (
          <span key={index}>
            {/* The name of a record needs no word before it, nor does what is said. */}
            {(index === 0 && (isName(one.field) || /^(kind|type)$/.test(one.field))) ||
            /^(body|message|text)$/.test(one.field) ||
            (picture && /^(caption|credit)$/.test(one.field)) ? null : (
              <span class="g-muted">{one.label} </span>
            )}
            {node}
          </span>
        ))}
        <AndMore count={there.length - drawn.length} />
      </span>
    );
  }
  if (isArray(value)) {
    const all = value;
    if (all.length === 0) return <span class="g-muted">{say.none}</span>;
    if (all.every((item) => typeof item !== "object" || item === null))
      return (
        <>
          {all
            .slice(0, MAX_SCALARS)
            .map((item) =>
              typeof item === "number"
                ? formatNumeral(item, locale)
                : (format === "choice" ? humanise : worded)(shortName(text(item))),
            )
            .join(", ")}{" "}
          <AndMore count={all.length - MAX_SCALARS} />
        </>
      );
    if (depth >= MAX_DEPTH) return <>{all.length}</>;
    const most = depth === 0 && parts.length > 0 ? MAX_PARTS : MAX_INNER;
    return (
      <ul class="g-inner" role="list">
        {all.slice(0, most).map((item, index) => (
          <li key={index}>
            {typeof item === "object" && item !== null ? (
              <Structure
                value={item}
                draw={draw}
                format="record"
                shown={shown}
                currency={currency}
                depth={depth + 1}
              />
            ) : (
              draw(item, undefined, locale, undefined, undefined, undefined)
            )}
          </li>
        ))}
        {all.length > most && <li class="g-muted">{say.andMore(all.length - most)}</li>}
      </ul>
    );
  }
  return <>{draw(value, undefined, locale, undefined, undefined, undefined)}</>;
}

/** Two days or two moments as one period: what they share is said once. */
function periodOf(
  from: Json | undefined,
  to: Json | undefined,
  format: string | undefined,
  locale: string,
): string | undefined {
  if (typeof from !== "string" || typeof to !== "string" || !/^date(time)?$/.test(format ?? ""))
    return undefined;
  const ends = [new Date(from), new Date(to)] as const;
  if (ends.some((end) => Number.isNaN(end.getTime())) || ends[0] > ends[1]) return undefined;
  const isDays = from.length === 10 && to.length === 10;
  return new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    ...(isDays ? { timeZone: "UTC" } : format === "datetime" ? { timeStyle: "short" } : {}),
  }).formatRange(...ends);
}

function isNothing(value: Json | undefined): value is undefined | null | "" {
  return value === undefined || value === null || value === "";
}

/** What is left out is counted. */
export function AndMore({ count }: { count: number }) {
  return count > 0 ? <span class="g-muted">{say.andMore(count)}</span> : null;
}

export function isName(field: string): boolean {
  return /(name|title|label|text|summary|headline|subject|number|code)$/i.test(field);
}
