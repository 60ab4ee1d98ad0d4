// From bound rows to drawable points: reading, thinning and the scale of an axis.

import { formatValue } from "../../draw/format";
import { shortName } from "../../draw/limits";
import { arrayOf, own } from "../../draw/pointer";
import { text } from "../../draw/text";
import { worded } from "../../form/field";
import type { Catalog, ComponentDef } from "../../wire/catalog";
import type { Json } from "../../wire/json";
import { lookedUp } from "../kit/structure";

/**
 * Points SVG is drawn with: more do not stand apart on a screen. Up to some thousand it serves for
 * all of them, as it can be themed, read out and reached by keys by itself.
 */
export const MAX_POINTS = 600;
/**
 * Points that are painted on a canvas: so many are read and painted anew within 40 ms, so that a
 * chart that is fed never keeps the page waiting; who looks closer sees each of them.
 */
export const MAX_PAINTED = 10_000;

/** Lines that are read; those beyond the colours are counted. */
const MAX_LINES = 100;

/** Colours that are told apart in one picture. */
export const COLOURS = 6;

export type Series = Catalog["Chart"]["series"][number];

export interface Point {
  readonly x: Json | undefined;
  readonly values: readonly (number | undefined)[];
}

export function readPoints(
  rows: Json | undefined,
  x: string | undefined,
  series: readonly Series[],
): Point[] {
  return arrayOf(rows).map((row) => ({
    x: x === undefined ? undefined : own(row, x),
    values: series.map(({ field }) => {
      const value = field === "" ? row : own(row, field);
      return typeof value === "number" && Number.isFinite(value) ? value : undefined;
    }),
  }));
}

/** Records that each hold one number of one line, as points that hold those of all lines. */
export function readLines(
  rows: Json | undefined,
  { x, series, seriesField, seriesNames }: ComponentDef<"Chart">,
  names: readonly Json[],
): { readonly points: Point[]; readonly series: Series[] } {
  const lines = new Map<string, Json | undefined>();
  const at = new Map<string, { x: Json | undefined; values: Map<string, number> }>();
  for (const row of arrayOf(rows)) {
    const place = own(row, x);
    const line = own(row, seriesField);
    const value = own(row, series?.[0]?.field);
    const point = at.get(text(place)) ?? { x: place, values: new Map<string, number>() };
    at.set(text(place), point);
    lines.set(text(line), line);
    if (typeof value === "number" && Number.isFinite(value)) point.values.set(text(line), value);
  }
  const drawn = [...lines].slice(0, MAX_LINES);
  return {
    points: [...at.values()].map((point) => ({
      x: point.x,
      values: drawn.map(([field]) => point.values.get(field)),
    })),
    series: drawn.map(([field, line]) => ({
      field,
      label: shortName(text(seriesNames && lookedUp(line, names, seriesNames))) || worded(field),
    })),
  };
}

/**
 * At most `limit` points: from every stretch the point farthest from its mean, so that peaks stay
 * visible.
 */
export function thin(points: readonly Point[], limit = MAX_POINTS): readonly Point[] {
  if (points.length <= limit) return points;
  const kept: Point[] = [];
  for (let bucket = 0; bucket < limit; bucket++) {
    const stretch = points.slice(
      Math.floor((bucket * points.length) / limit),
      Math.floor(((bucket + 1) * points.length) / limit),
    );
    const level = (point: Point) => point.values.find((value) => value !== undefined) ?? 0;
    const mean = stretch.reduce((sum, point) => sum + level(point), 0) / stretch.length;
    kept.push(
      stretch.reduce((far, point) =>
        Math.abs(level(point) - mean) > Math.abs(level(far) - mean) ? point : far,
      ),
    );
  }
  return kept;
}

/** Whole numbers below this are years or ranks on an axis, and their digits are not grouped. */
const YEARS = 10_000;
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const YEAR = 365 * DAY;

export type Namer = (point: Point) => string;

export interface AxisNames {
  readonly timed: boolean;
  /** The moment of each point, where all have one. */
  readonly times: readonly number[];
  /** Whether they are days without a time. */
  readonly calendar: boolean;
  /** How a point is named by itself: times so finely that it differs from its neighbours. */
  readonly exact: Namer;
  /** How a point is named where there is room: times as finely as their span asks for. */
  readonly full: Namer;
  /** The same for the axis, shorter and shorter. */
  readonly shorter: readonly Namer[];
}

export function axisNames(points: readonly Point[], locale: string): AxisNames {
  const times: number[] = [];
  for (const { x } of points) {
    const time = timeOf(x);
    if (time === undefined) break;
    times.push(time);
  }
  if (times.length === points.length && times.length > 0)
    return timeNames(
      times,
      points.every(({ x }) => typeof x === "string" && x.length === 10),
      locale,
    );
  const full: Namer = ({ x }) =>
    typeof x === "number"
      ? formatValue(x, Number.isInteger(x) && Math.abs(x) < YEARS ? "text" : "number", locale)
      : shortName(text(x));
  return { timed: false, times: [], calendar: false, exact: full, full, shorter: [] };
}

/** The names of points between these. */
export function namesWithin(axis: AxisNames, from: number, to: number, locale: string): AxisNames {
  return axis.timed ? timeNames(axis.times.slice(from, to + 1), axis.calendar, locale) : axis;
}

function timeNames(times: readonly number[], calendar: boolean, locale: string): AxisNames {
  const span =
    times.reduce((last, time) => Math.max(last, time), -Infinity) -
    times.reduce((first, time) => Math.min(first, time), Infinity);
  const known = { timed: true, times, calendar };
  const day: Intl.DateTimeFormatOptions = {
    month: "short",
    day: "numeric",
    ...(calendar ? { timeZone: "UTC" } : {}),
  };
  const date: Intl.DateTimeFormatOptions = span > YEAR ? { ...day, year: "numeric" } : day;
  const step = span / Math.max(times.length - 1, 1);
  const moment: Intl.DateTimeFormatOptions = {
    ...(span > DAY ? date : {}),
    hour: "numeric",
    minute: "2-digit",
    ...(step < MINUTE ? { second: "2-digit" } : {}),
  };
  const exact = namer(locale, calendar || step >= DAY ? date : moment);
  if (span > YEAR)
    return {
      ...known,
      exact,
      full: exact,
      shorter: [
        namer(locale, { ...date, day: undefined }),
        namer(locale, { year: "numeric", timeZone: date.timeZone }),
      ],
    };
  if (calendar || span > 2 * DAY) return { ...known, exact, full: namer(locale, day), shorter: [] };
  const seconds: Intl.DateTimeFormatOptions = { timeStyle: "medium" };
  const minutes: Intl.DateTimeFormatOptions = { timeStyle: "short" };
  if (span >= 10 * MINUTE)
    return {
      ...known,
      exact,
      full: namer(locale, minutes),
      shorter: [namer(locale, minutes, true)],
    };
  return {
    ...known,
    exact,
    full: namer(locale, seconds),
    shorter: [
      namer(locale, seconds, true),
      ...(span >= 5 * MINUTE ? [namer(locale, minutes, true)] : []),
    ],
  };
}

/** `bare` leaves out the part of the day, where the locale has one. */
function namer(locale: string, style: Intl.DateTimeFormatOptions, bare = false): Namer {
  const format = new Intl.DateTimeFormat(locale, style);
  const parts = (time: number | undefined) =>
    format
      .formatToParts(time)
      .map(({ type, value }) => (type === "dayPeriod" ? "" : value))
      .join("")
      .trim();
  return ({ x }) => (bare ? parts(timeOf(x)) : format.format(timeOf(x)));
}

function timeOf(x: Json | undefined): number | undefined {
  if (typeof x === "number") return x > 1e11 && x < 1e14 ? x : undefined;
  const time = typeof x === "string" && /^\d{4}-\d{2}-\d{2}(T|$)/.test(x) ? Date.parse(x) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

/**
 * Round bounds and about four steps between them; shares run from 0 to 100 unless values lie
 * beyond.
 */
export function scaleOf(
  points: readonly Point[],
  fromZero: boolean,
  min?: number,
  max?: number,
  shares = false,
): Scale {
  let low = Infinity;
  let high = -Infinity;
  for (const point of points) {
    for (const value of point.values) {
      if (value === undefined) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) [low, high] = [0, 1];
  if (shares) [low, high] = [Math.min(low, 0), Math.max(high, 100)];
  if (fromZero || (low > 0 && low < (high - low) * 0.5)) low = Math.min(low, 0);
  if (fromZero) high = Math.max(high, 0);
  low = min ?? low;
  high = max ?? high;
  if (high <= low) high = low + (Math.abs(low) || 1);
  const step = roundStep((high - low) / 4);
  const start = min ?? Math.floor(low / step) * step;
  const end = max ?? Math.ceil(high / step) * step;
  const ticks: number[] = [];
  for (let tick = Math.ceil(start / step) * step; tick <= end + step / 1e6; tick += step)
    ticks.push(Number(tick.toPrecision(12)));
  return { min: start, max: end, ticks };
}

export function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 2.5 ? 2.5 : lead <= 5 ? 5 : 10) * power;
}
