// Days, weeks and spans of the calendar, and what the diff makes of two texts.

import { describe, expect, it } from "vitest";
import {
  dayOf,
  firstDay,
  spanOf,
  weeksAlone,
  weeksOf,
  writtenLike,
} from "../../src/catalog/calendar";
import { readPatch } from "../../src/catalog/diff";
import { compare } from "../../src/catalog/kit/compare";
import { draw, press } from "./mount";

const fairs = {
  id: "root",
  component: "Calendar",
  rows: { path: "/props/events" },
  titleField: "name",
  startField: "on",
  columns: [],
};

describe("Calendar", () => {
  it("knows the days of a month in whole weeks, whatever the first weekday is", () => {
    expect(weeksOf(2026, 10, 1).length).toBe(6);
    expect(weeksOf(2026, 1, 0).length).toBe(4);
    expect(weeksOf(2026, 1, 1).flat().length % 7).toBe(0);
  });
  it("shows events of a week or two with those weeks alone, and others with their month", async () => {
    const weeks = (...days: string[]) =>
      weeksAlone(
        days.map((day) => ({ from: dayOf(day)!, to: dayOf(day)! })),
        1,
      )?.length;
    expect(weeks("2026-07-06", "2026-07-12")).toBe(1);
    expect(weeks("2026-07-05", "2026-07-06")).toBe(2);
    expect(weeks("2026-07-05", "2026-07-20")).toBeUndefined();
    expect(weeks()).toBeUndefined();
    const events = (...days: string[]) => ({ events: days.map((on) => ({ name: "Fair", on })) });
    const brief = await draw([fairs], events("2030-06-28", "2030-07-01"));
    expect(brief.root.querySelectorAll("tbody tr")).toHaveLength(2);
    expect(brief.root.querySelector("h2")!.textContent).toMatch(/^June\s–\sJuly 2030$/);
    expect(brief.root.querySelectorAll(".g-pager, [data-outside]")).toHaveLength(0);
    const long = await draw([fairs], events("2030-06-03", "2030-08-01"));
    expect(long.root.querySelectorAll(".g-pager button")).toHaveLength(2);
  });
  it("shows the month that a slot says, and says there which one was turned to", async () => {
    const calendar = { ...fairs, shown: { path: "/context/month" } };
    const events = ["2026-01-05", "2026-12-24"].map((on) => ({ name: "Fair", on }));
    const drawn = await draw([calendar], { events }, { month: "2026-12" });
    const title = () => drawn.root.querySelector("h2")!.textContent;
    expect(title()).toBe("December 2026");
    await press(drawn.root.querySelectorAll(".g-pager button")[1]!);
    expect(title()).toBe("January 2027");
    expect(drawn.model.context().month).toBe("2027-01");
  });
  it("knows weeks by their number and writes days as they are written", () => {
    const day = (text: string) => dayOf(text)!;
    for (const [week, monday] of [
      ["2026-W20", "2026-05-11"],
      ["2027-W01", "2027-01-04"],
      ["2020-W53", "2020-12-28"],
    ] as const) {
      expect(firstDay(week)).toBe(day(monday));
      expect(writtenLike(week, day(monday))).toBe(week);
    }
    expect(firstDay("2026-05")).toBe(day("2026-05-01"));
    expect(firstDay("soon")).toBeUndefined();
    expect(writtenLike("2026-05", day("2026-06-01"))).toBe("2026-06");
    expect(writtenLike("2026-05-09", day("2026-06-01"))).toBe("2026-06-01");
  });
  it("keeps what has no date and opens it", async () => {
    const drawn = await draw([fairs], { events: [{ name: "Fair", on: null }] });
    expect(drawn.text()).toContain("No date");
    await press(drawn.root.querySelector(".g-event"));
    expect(document.querySelector("[role=dialog], dialog")!.textContent).toContain("Fair");
  });
  it("never moves a date without a time by a zone", () => {
    expect(dayOf("2026-11-22")).toBe(Date.UTC(2026, 10, 22) / 86_400_000);
    expect(dayOf("soon")).toBeUndefined();
  });
  it("says the day of an event once, and a moment once", () => {
    const zoned = (at: string) => `2026-11-${at}`;
    expect(spanOf(zoned("18T08:00:00"), zoned("18T10:30:00"), "de")).toBe(
      "18.11.2026, 08:00 – 10:30",
    );
    expect(spanOf(zoned("18T08:00:00"), zoned("19T10:30:00"), "de")).toBe(
      "18.11.2026, 08:00 – 19.11.2026, 10:30",
    );
    expect(spanOf(zoned("18T08:00:00"), zoned("18T08:00:00"), "de")).toBe("18.11.2026, 08:00");
    expect(spanOf("2026-11-18", undefined, "de")).toBe("18.11.2026");
  });
  it("shows an event on every day it lasts and opens its facts", async () => {
    const { root, text } = await draw(
      [
        {
          id: "root",
          component: "Calendar",
          rows: { path: "/props/events" },
          titleField: "name",
          startField: "from",
          endField: "to",
          columns: [{ field: "who", label: "Who" }],
        },
      ],
      { events: [{ name: "Fair", from: "2030-05-06", to: "2030-05-08", who: "Ada" }] },
    );
    expect(root.querySelectorAll(".g-event").length).toBe(3);
    expect(text()).toContain("May 2030");
  });
});

describe("Diff", () => {
  const marks = (lines: { mark: string; text: string }[]) =>
    lines.map(({ mark, text }) => `${mark[0]} ${text}`);
  it("keeps what both texts have", () => {
    expect(marks(compare(["a", "b", "c"], ["a", "x", "c", "d"]))).toEqual([
      "s a",
      "r b",
      "a x",
      "s c",
      "a d",
    ]);
    expect(compare(["a"], ["a"])).toEqual([]);
  });
  it("reads a unified patch", () => {
    expect(marks(readPatch("--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same"))).toEqual([
      "p --- a",
      "p +++ b",
      "p @@ -1 +1 @@",
      "r old",
      "a new",
      "s same",
    ]);
  });
  it("does not compare texts line by line that are too long for it", () => {
    const many = (name: string) => Array.from({ length: 3000 }, (_, index) => `${name}${index}`);
    expect(compare(many("a"), many("b")).length).toBe(6000);
  });
});
