// Calendar: events on the days of a month, or of the weeks they fill; where it is narrow, only the
// days that have some.

import { useState } from "preact/hooks";
import { type ComponentProps, useDraw } from "../draw/context";
import { formatMoment } from "../draw/format";
import { useField } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { own } from "../draw/pointer";
import { humanise } from "../form/field";
import { guestStrings as say } from "../strings";
import type { Json } from "../wire/json";
import { useChosen } from "./kit/chosen";
import { Dialog } from "./kit/dialog";
import { Icon } from "./kit/icons";
import { Actions, Facts, useRecords } from "./kit/records";
import { addStyles } from "./styles";
import css from "./styles/calendar.css?inline";

addStyles(css);

interface Event_ {
  readonly row: Json;
  readonly rowKey: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const DAY = 86_400_000;
const MAX_EVENTS = 2000;
/**
 * Events within so many weeks are shown with those weeks alone: the rest of a month would be empty.
 */
const WEEKS_ALONE = 2;

/** The day of a moment as a count of days; a date without a time belongs to no zone. */
export function dayOf(value: Json | undefined): number | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value))
    return Date.parse(value) / DAY;
  const at = new Date(value);
  return Number.isNaN(at.getTime())
    ? undefined
    : Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / DAY;
}

/** The first day of a month (`2026-05`) or of a week (`2026-W20`), or a day itself. */
export function firstDay(text: Json | undefined): number | undefined {
  const [, year, week] = /^(\d{4})-W(\d{2})$/.exec(String(text)) ?? [];
  if (!year) return dayOf(typeof text === "string" && text.length === 7 ? `${text}-01` : text);
  // The fourth of January is always in the first week, which begins on a Monday.
  const fourth = Date.UTC(Number(year), 0, 4) / DAY;
  return fourth - ((new Date(fourth * DAY).getUTCDay() + 6) % 7) + (Number(week) - 1) * 7;
}

/** The first day of a month as what stands in the slot: a month, a week or a day. */
export function writtenLike(text: string, day: number): string {
  const date = new Date(day * DAY).toISOString();
  if (!text.includes("W")) return date.slice(0, text.length === 7 ? 7 : 10);
  // A week belongs to the year of its Thursday.
  const thursday = day + 3 - ((new Date(day * DAY).getUTCDay() + 6) % 7);
  const year = new Date(thursday * DAY).getUTCFullYear();
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / DAY) / 7) + 1;
  return `${year}-W${String(week).padStart(2, "0")}`;
}

/**
 * The days from one to another in whole weeks, `first` being the weekday a week begins with (0 is
 * Sunday).
 */
function weeksBetween(begin: number, end: number, first: number): number[][] {
  const weeks: number[][] = [];
  const weekday = new Date(begin * DAY).getUTCDay();
  for (let day = begin - ((weekday - first + 7) % 7); day <= end; day += 7)
    weeks.push(Array.from({ length: 7 }, (_, index) => day + index));
  return weeks;
}

/** The days of a month in whole weeks. */
export function weeksOf(year: number, month: number, first: number): number[][] {
  return weeksBetween(Date.UTC(year, month, 1) / DAY, Date.UTC(year, month + 1, 0) / DAY, first);
}

/** The first day of a month that is counted from year 0. */
function monthAt(count: number): Date {
  const month = new Date(Date.UTC(2000, count % 12, 1));
  month.setUTCFullYear(Math.floor(count / 12));
  return month;
}

/** The weeks that events fill, if they are few. */
export function weeksAlone(
  events: readonly { readonly from: number; readonly to: number }[],
  first: number,
): number[][] | undefined {
  if (events.length === 0) return undefined;
  const begin = Math.min(...events.map(({ from }) => from));
  const end = Math.max(...events.map(({ to }) => to));
  if (end - begin > WEEKS_ALONE * 7) return undefined;
  const weeks = weeksBetween(begin, end, first);
  return weeks.length <= WEEKS_ALONE ? weeks : undefined;
}

function firstWeekday(locale: string): number {
  try {
    const info = new Intl.Locale(locale) as {
      getWeekInfo?: () => { firstDay: number };
      weekInfo?: { firstDay: number };
    };
    return (info.getWeekInfo?.() ?? info.weekInfo)!.firstDay % 7;
  } catch {
    return 1;
  }
}

/** From when to when; the day is said once where it is the same, and a moment once. */
export function spanOf(start: Json | undefined, end: Json | undefined, locale: string): string {
  const ends = [...new Set([start, end])].filter((at) => at !== undefined && at !== null);
  const isOneDay = dayOf(start) === dayOf(end);
  return ends
    .map((at, index) => formatMoment(at, index === 1 && isOneDay ? "time" : "datetime", locale))
    .join(" – ");
}

export function Calendar({ def, scope }: ComponentProps<"Calendar">) {
  const { locale } = useDraw();
  const records = useRecords(def, scope);
  const today = dayOf(Date.now())!;
  const nameOf = def.titleFormat === "choice" ? humanise : String;
  const all = records.rows.slice(0, MAX_EVENTS).map((row, index) => ({
    row,
    rowKey: records.keyOf(row, index),
    name: nameOf(records.titleOf(row, def.titleField)),
    from: dayOf(own(row, def.startField)),
  }));
  const events = all.flatMap(({ from, ...event }): Event_[] =>
    from === undefined
      ? []
      : [{ ...event, from, to: Math.max(from, dayOf(own(event.row, def.endField)) ?? from) }],
  );
  const undated = all.filter(({ from }) => from === undefined);
  const nearest =
    events.filter(({ to }) => to >= today).sort((left, right) => left.from - right.from)[0] ??
    events.at(-1);
  const [held, hold] = useField(def.shown, scope);
  const seen = firstDay(held);
  const start = nearest && nearest.to < today ? nearest.from : Math.max(today, nearest?.from ?? 0);
  const home = new Date((seen ?? start) * DAY);
  /**
   * The month a person navigated to, counted from year 0, so that new data does not change the
   * page.
   */
  const [turned, setTurned] = useState<number>();
  const [open, setOpen] = useState<string>();
  const slot = useChosen(def, scope);
  const shown =
    (seen === undefined ? turned : undefined) ?? home.getUTCFullYear() * 12 + home.getUTCMonth();
  const month = monthAt(shown);
  const turn = (by: number) => {
    if (seen === undefined) setTurned(shown + by);
    else hold(writtenLike(String(held), monthAt(shown + by).getTime() / DAY));
  };
  const first = firstWeekday(locale);
  const alone = weeksAlone(events, first);
  const weeks = alone ?? weeksOf(month.getUTCFullYear(), month.getUTCMonth(), first);
  const name = (day: number | Date, style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...style, timeZone: "UTC" }).format(
      typeof day === "number" ? day * DAY : day,
    );
  const chosen = all.find(({ rowKey }) => rowKey === open);
  // An event that disappeared does not open by itself when it comes back.
  if (open !== undefined && !chosen) setOpen(undefined);
  const days = alone?.flat() ?? [month.getTime() / DAY];
  const label = new Intl.DateTimeFormat(locale, {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  }).formatRange(days[0]! * DAY, days.at(-1)! * DAY);
  const eventButton = (event: Pick<Event_, "row" | "rowKey" | "name">, continued = false) => (
    <button
      key={event.rowKey}
      type="button"
      class="g-event"
      data-continued={continued || undefined}
      onClick={() => {
        setOpen(event.rowKey);
        slot?.choose(event.row);
      }}
    >
      {event.name}
    </button>
  );
  return (
    <section {...useRoot(def, scope, "calendar")}>
      <div class="g-head">
        <h2 class="g-title">{records.title ? `${records.title}, ${label}` : label}</h2>
        {!alone && (
          <span class="g-pager">
            <button
              type="button"
              class="g-button"
              data-variant="quiet"
              aria-label={say.previousMonth}
              onClick={() => turn(-1)}
            >
              <Icon name="back" />
            </button>
            <button
              type="button"
              class="g-button"
              data-variant="quiet"
              aria-label={say.nextMonth}
              onClick={() => turn(1)}
            >
              <Icon name="next" />
            </button>
          </span>
        )}
      </div>
      <table aria-label={records.title ? `${records.title}, ${label}` : label}>
        <thead>
          <tr>
            {weeks[0]!.map((day) => (
              <th key={day} scope="col" abbr={name(day, { weekday: "long" })}>
                {name(day, { weekday: "short" })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => {
                const own = events.filter(({ from, to }) => from <= day && day <= to);
                const inside =
                  alone !== undefined || new Date(day * DAY).getUTCMonth() === month.getUTCMonth();
                return (
                  <td
                    key={day}
                    data-outside={!inside || undefined}
                    data-quiet={own.every(({ from }) => from < day) || undefined}
                    aria-current={day === today ? "date" : undefined}
                  >
                    <span class="g-day">
                      <span class="g-day-long">
                        {name(day, { weekday: "short", day: "numeric", month: "short" })}
                      </span>
                      <span class="g-day-short" aria-hidden="true">
                        {name(day, { day: "numeric" })}
                      </span>
                    </span>
                    {own.map((event) => eventButton(event, event.from < day))}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {undated.length > 0 && (
        <div role="group" aria-label={say.undated}>
          <p class="g-muted">{say.undated}</p>
          {undated.map((event) => eventButton(event))}
        </div>
      )}
      {all.length === 0 && <p class="g-nodata">{records.emptyText}</p>}
      {chosen && (
        <Dialog title={chosen.name} onClose={() => setOpen(undefined)}>
          <p class="g-muted">
            {spanOf(own(chosen.row, def.startField), own(chosen.row, def.endField), locale)}
          </p>
          <Facts records={records} row={chosen.row} />
          <Actions
            def={def}
            scope={scope}
            records={records}
            row={chosen.row}
            rowKey={chosen.rowKey}
            name={chosen.name}
            alone
          />
          <div class="g-dialog-buttons">
            <button type="button" class="g-button" onClick={() => setOpen(undefined)}>
              {say.close}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}
