// Numbers, money, dates and sizes in the reader's language.

import type { Json } from "../wire/json";
import { plainNumeral } from "./numeral";

const DASH = "–";

const numberFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function numbers(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options);
  let format = numberFormats.get(key);
  if (!format) numberFormats.set(key, (format = new Intl.NumberFormat(locale, options)));
  return format;
}

function dates(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  let format = dateFormats.get(key);
  if (!format) dateFormats.set(key, (format = new Intl.DateTimeFormat(locale, options)));
  return format;
}

/** A value as a person reads it; an absent one is an en dash. */
export function formatValue(
  value: Json | undefined,
  format: string | undefined,
  locale: string,
  currency?: Json,
): string {
  if (value === undefined || value === null) return DASH;
  switch (format) {
    case "integer":
    case "number":
      return formatNumeral(value, locale);
    case "percent":
      return typeof value === "number"
        ? `${formatNumeral(value, locale, undefined, undefined, 2)} %`
        : plain(value);
    case "ratio":
      return typeof value === "number"
        ? `${formatNumeral(value * 100, locale, undefined, undefined, value !== 0 && Math.abs(value) < 0.1 ? 2 : 1)} %`
        : plain(value);
    case "milliseconds":
      return typeof value === "number" && Math.abs(value) >= 1000
        ? formatDuration(value / 1000, locale)
        : `${formatNumeral(value, locale)} ms`;
    case "bytes":
      return typeof value === "number" ? formatBytes(value, locale) : plain(value);
    case "currency":
      return formatMoney(value, locale, currency);
    case "money":
      return formatMoney(value, locale, currency, undefined, undefined, true);
    case "date":
    case "datetime":
    case "time":
      return formatMoment(value, format, locale);
    case "duration":
      return formatDuration(value, locale);
    case "json":
      return JSON.stringify(value);
    default:
      return typeof value === "number" || typeof value === "bigint"
        ? formatNumeral(value, locale, undefined, false)
        : MOMENT.test(value as string)
          ? formatMoment(value, "datetime", locale)
          : SPAN.test(value as string)
            ? formatDuration(value, locale)
            : plain(value).replace(CLOCK, "$1");
  }
}

/** A moment as programs write it; nobody reads it so, whatever its name is. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(Z|[+-]\d\d:\d\d)?$/;

/** A time of day without its seconds; with some, it may as well be how long something took. */
const CLOCK = /^(\d\d:\d\d):00$/;

/** How long something takes, as programs write it. */
const SPAN = /^P(\d+[DW]|(\d+D)?T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)(?<!T)$/;

function plain(value: Json): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== "object"))
    return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A number, also one that is written as text; a whole one of many digits is exact. */
function amountOf(value: Json | undefined): number | bigint | undefined {
  if (typeof value === "bigint") return value;
  const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof amount === "number" && Number.isFinite(amount) ? amount : undefined;
}

/**
 * Where a number is so small that its digits lie behind the places that are shown, and where it is
 * so large that it is all noughts.
 */
const MANY_NOUGHTS = 1e21;
const TINIEST = 1e-9;

export function formatNumeral(
  value: Json | undefined,
  locale: string,
  decimals?: Json,
  grouping?: Json,
  maximum = 3,
): string {
  const amount = amountOf(value);
  if (amount === undefined) return value === undefined || value === null ? "" : plain(value!);
  const digits = typeof decimals === "number" ? Math.min(Math.max(decimals, 0), 20) : undefined;
  // One digit more is nearer to what was said than to an error of its computing: 0.9214, 3.125 %.
  const isExact = String(amount).split(".")[1]?.length === maximum + 1;
  const least = Math.trunc(digits ?? 0);
  const most = Math.trunc(digits ?? maximum + +isExact);
  const size = Math.abs(Number(amount));
  if (digits === undefined && size !== 0 && (size < 10 ** -most || size >= MANY_NOUGHTS))
    return numbers(locale, {
      maximumSignificantDigits: size < 1 ? 6 : 17,
      notation: size < TINIEST || size >= MANY_NOUGHTS ? "scientific" : "standard",
    }).format(amount);
  return (
    plainNumeral(amount, locale, least, most, grouping !== false) ??
    numbers(locale, {
      useGrouping: grouping !== false,
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    }).format(amount)
  );
}

/**
 * `minor`: the value counts the smallest unit of its currency, such as cents; without a currency it
 * is unchanged.
 */
export function formatMoney(
  value: Json | undefined,
  locale: string,
  currency?: Json,
  decimals?: Json,
  grouping?: Json,
  minor?: boolean,
): string {
  const amount = amountOf(value);
  if (amount === undefined || typeof currency !== "string" || !/^[A-Za-z]{3}$/.test(currency)) {
    return amount !== undefined && !minor
      ? formatNumeral(value, locale, 2, grouping)
      : formatNumeral(value, locale, undefined, grouping);
  }
  const digits =
    typeof decimals === "number"
      ? { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
      : {};
  const format = (options: Intl.NumberFormatOptions) =>
    numbers(locale, {
      style: "currency",
      currency: currency.toUpperCase(),
      useGrouping: grouping !== false,
      ...options,
    });
  // The number of digits of the smallest unit: none for JPY, three for KWD.
  const exponent = minor ? format({}).resolvedOptions().maximumFractionDigits! : 0;
  return format(digits).format(exponent ? shifted(amount, exponent) : amount);
}

/** The number of digits behind the point of a currency; undefined if it is none. */
export function exponentOf(currency: unknown): number | undefined {
  if (typeof currency !== "string" || !/^[A-Za-z]{3}$/.test(currency)) return undefined;
  const format = numbers("en", { style: "currency", currency: currency.toUpperCase() });
  return format.resolvedOptions().maximumFractionDigits;
}

/**
 * Moves the decimal point to the left: whole numbers are handled as text, so that no digit is lost.
 */
function shifted(amount: number | bigint, places: number): number | `${number}` {
  const [, sign = "", digits] = /^(-?)(\d+)$/.exec(String(amount)) ?? [];
  if (digits === undefined) return Number(amount) / 10 ** places;
  const padded = digits.padStart(places + 1, "0");
  return `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}` as `${number}`;
}

function formatBytes(value: number, locale: string): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let size = value;
  let unit = 0;
  while (Math.abs(size) >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${formatNumeral(size, locale, undefined, undefined, unit === 0 ? 0 : 1)} ${units[unit]}`;
}

const UNITS = "y mo w d h min s".split(" ");
const ISO_DURATION =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/;

/** Seconds, or an ISO 8601 duration, as "1 h 5 min". */
function formatDuration(value: Json, locale: string): string {
  const said = (counts: readonly number[]) =>
    counts.flatMap((count, at) => (count > 0 ? `${count} ${UNITS[at]}` : []));
  const counts = ISO_DURATION.exec(String(value))
    ?.slice(1)
    .map((count) => +(count ?? 0));
  // Years, months and weeks are no number of seconds: they are said as they were written.
  if (counts?.slice(0, 3).some(Boolean)) return said(counts).join(" ");
  const seconds = counts
    ? ((counts[3]! * 24 + counts[4]!) * 60 + counts[5]!) * 60 + counts[6]!
    : value;
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) return plain(value);
  if (Math.abs(seconds) < 60) return `${formatNumeral(seconds, locale, undefined, undefined, 1)} s`;
  const whole = Math.round(Math.abs(seconds));
  const shown = said([
    0,
    0,
    0,
    Math.floor(whole / 86400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
    whole % 60,
  ]).slice(0, 2);
  return (seconds < 0 ? "−" : "") + shown.join(" ");
}

/** A date without a time is a calendar day and is never moved by the time zone. */
function moment(value: Json): { at: Date; calendar: boolean } | undefined {
  const calendar = typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value);
  if (typeof value === "string" && /^\d{2}:\d{2}/.test(value))
    return { at: new Date(`1970-01-01T${value}`), calendar: false };
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? undefined : { at, calendar };
}

export function formatMoment(
  value: Json,
  format: "date" | "datetime" | "time" | "clock",
  locale: string,
): string {
  const found = moment(value);
  if (!found || Number.isNaN(found.at.getTime())) return plain(value);
  const isClock = typeof value === "string" && value[2] === ":";
  const style: Intl.DateTimeFormatOptions =
    format === "clock"
      ? { timeStyle: "medium" }
      : format === "time" || isClock
        ? { timeStyle: "short" }
        : format === "date" || found.calendar
          ? { dateStyle: "medium" }
          : { dateStyle: "medium", timeStyle: "short" };
  return dates(locale, found.calendar ? { ...style, timeZone: "UTC" } : style).format(found.at);
}

const PATTERN_FIELDS: { [token: string]: Intl.DateTimeFormatOptions } = {
  yyyy: { year: "numeric" },
  yy: { year: "2-digit" },
  MMMM: { month: "long" },
  MMM: { month: "short" },
  MM: { month: "2-digit" },
  M: { month: "numeric" },
  dd: { day: "2-digit" },
  d: { day: "numeric" },
  EEEE: { weekday: "long" },
  E: { weekday: "short" },
};

/** The part of Unicode TR 35 date patterns that the A2UI catalog uses. */
export function formatDatePattern(
  value: Json | undefined,
  pattern: string,
  locale: string,
): string {
  if (value === undefined || value === null) return "";
  const found = moment(value);
  if (!found) return plain(value);
  if (!pattern) return formatMoment(value, "datetime", locale);
  const timeZone = found.calendar ? "UTC" : undefined;
  const hour = found.calendar ? found.at.getUTCHours() : found.at.getHours();
  const minute = found.calendar ? found.at.getUTCMinutes() : found.at.getMinutes();
  const second = found.calendar ? found.at.getUTCSeconds() : found.at.getSeconds();
  const pad = (part: number, width: number) => String(part).padStart(width, "0");
  return pattern.replace(
    /'([^']*)'|yyyy|yy|y|MMMM|MMM|MM|M|dd|d|EEEE|E{1,3}|HH|H|hh|h|mm|m|ss|s|a/g,
    (token, literal?: string) => {
      if (literal !== undefined) return literal || "'";
      if (token[0] === "H") return pad(hour, token.length);
      if (token[0] === "h") return pad(hour % 12 || 12, token.length);
      if (token[0] === "m") return pad(minute, token.length);
      if (token[0] === "s") return pad(second, token.length);
      if (token === "a") return hour < 12 ? "AM" : "PM";
      const name = token === "y" ? "yyyy" : token.startsWith("E") && token.length < 4 ? "E" : token;
      return dates(locale, { ...PATTERN_FIELDS[name], timeZone })
        .format(found.at)
        .padStart(/^(dd|MM)$/.test(name) ? 2 : 0, "0");
    },
  );
}
