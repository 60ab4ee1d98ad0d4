// Labels beside and below a plot, and their positions.

import { type AxisNames, type Namer, namesWithin, type Point, roundStep } from "./data";

export const PLOT_HEIGHT = 220;
/** The greatest width of a character on an axis, in pixels. */
export const LETTER = 7;
/** The usual width of a character. */
const USUAL_LETTER = 6.5;
/** Pixels between two names below the axis. */
export const NAME_GAP = 20;
/** Characters of a label below the axis. */
const NAME = 14;
/** Points of many that are looked at for how long names are. */
const SAMPLE = 60;
/** Names that stand below an axis where shorter ones can make room for so many. */
const WANTED = 4;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Steps people count time in, up to months, which are not all of one length. */
const STEPS = [
  1000,
  5000,
  15_000,
  30_000,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
];
const MONTH = 30.44 * DAY;
/** Steps in months; the last is a hundred years. */
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 300, 600, 1200];

export function clip(label: string): string {
  return label.length > NAME ? `${label.slice(0, NAME - 1)}…` : label;
}

/** Pixels for what stands beside the ticks of a scale. */
export function roomBeside(names: readonly string[]): number {
  return 12 + Math.max(...names.map((name) => name.length)) * LETTER;
}

export interface Stop {
  readonly at: number;
  readonly name: string;
}

/**
 * Names below very many points: at round times and numbers where the points are in order, else
 * evenly spread.
 */
export function stopsBelow(
  points: readonly Point[],
  whole: AxisNames,
  from: number,
  to: number,
  room: number,
  locale: string,
): Stop[] {
  const shown = points.slice(from, to + 1);
  const axis = namesWithin(whole, from, to, locale);
  const { name, most } = fitting(axis, shown, room);
  const places = roundPlaces(shown, axis, most) ?? evenPlaces(shown.length, most);
  const perPoint = room / Math.max(shown.length - 1, 1);
  const stops: Stop[] = [];
  let end = -Infinity;
  for (const place of places) {
    const label = clip(name(shown[place]!).replace(/\s+/g, " "));
    const half = (label.length * USUAL_LETTER) / 2;
    const middle = place * perPoint;
    // Room beyond the last point is little, so a name that needs more is left out.
    if (middle - half < end + NAME_GAP / 2 || middle + half > room + 8) continue;
    end = middle + half;
    stops.push({ at: from + place, name: label });
  }
  return stops;
}

/** The longest names of which a few fit, and how many do. */
function fitting(
  { timed, full, shorter }: AxisNames,
  points: readonly Point[],
  room: number,
): { name: Namer; most: number } {
  const step = Math.ceil(points.length / (timed ? 2 : SAMPLE));
  const sample = points.filter((_, index) => index % step === 0 || index === points.length - 1);
  const fits = [full, ...shorter].map((name) => {
    const longest = Math.max(...sample.map((point) => clip(name(point)).length));
    return { name, most: Math.max(1, Math.floor(room / (NAME_GAP + longest * USUAL_LETTER))) };
  });
  return fits.find(({ most }) => most >= Math.min(WANTED, points.length)) ?? fits.at(-1)!;
}

/** The first point at or after each round value; nothing where points are not in order. */
function roundPlaces(
  points: readonly Point[],
  { timed, times, calendar }: AxisNames,
  most: number,
): number[] | undefined {
  const values = timed ? times : points.map(({ x }) => (typeof x === "number" ? x : undefined));
  const inOrder = values.every(
    (value, index) => value !== undefined && (index === 0 || value > values[index - 1]!),
  );
  if (!inOrder || values.length < 2) return undefined;
  const first = values[0]!;
  const rough = (values.at(-1)! - first) / most;
  const places: number[] = [];
  let place = 0;
  // Some begin before the first point, and one is beyond the last.
  const count = most + 3;
  for (const tick of timed
    ? roundTimes(first, rough, count, !calendar)
    : roundNumbers(first, roundStep(rough), count)) {
    if (tick < first) continue;
    while (place < values.length && values[place]! < tick) place++;
    if (place === values.length) return places;
    if (places.at(-1) !== place) places.push(place);
  }
  return places;
}

function roundNumbers(first: number, step: number, count: number, shift = 0): number[] {
  const start = Math.ceil((first - shift) / step) * step + shift;
  return Array.from({ length: count }, (_, index) => start + index * step);
}

/** Round where the reader is; days without a time are so everywhere. */
function roundTimes(first: number, rough: number, count: number, isLocal: boolean): number[] {
  const step = STEPS.find((step) => step >= rough);
  if (step !== undefined)
    return roundNumbers(
      first,
      step,
      count,
      isLocal ? new Date(first).getTimezoneOffset() * MINUTE : 0,
    );
  const months = MONTHS.find((count) => count * MONTH >= rough) ?? MONTHS.at(-1)!;
  const begin = Math.floor(((new Date(first).getFullYear() - 1900) * 12) / months) * months;
  // Years below 100 are counted from 1900 on.
  return Array.from({ length: count + 12 }, (_, index) => begin + index * months).map((month) =>
    isLocal ? new Date(0, month).getTime() : Date.UTC(0, month),
  );
}

function evenPlaces(count: number, most: number): number[] {
  const every = Math.max(1, Math.ceil(count / most));
  const places: number[] = [];
  for (let place = every >> 1; place < count; place += every) places.push(place);
  return places;
}
