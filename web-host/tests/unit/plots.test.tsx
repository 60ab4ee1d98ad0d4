// Which plots are painted, and what stands below very many points.

import { afterEach, describe, expect, it } from "vitest";
import { axisNames, readPoints } from "../../src/catalog/chart/data";
import { stopsBelow } from "../../src/catalog/chart/names";
import { PAINTED_ABOVE } from "../../src/catalog/chart/painter";
import { PAINTER, type Picture } from "../../src/painter/picture";
import { act, draw } from "./mount";

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ t: index, n: index % 9 }));
const chart = (kind: string) => [
  {
    id: "root",
    component: "Chart",
    kind,
    data: { path: "/props/rows" },
    x: "t",
    series: [{ field: "n", label: "N" }],
  },
];

/** A painter that keeps what it is given: there is no canvas here. */
function withPainter() {
  const painted: Picture[] = [];
  const paint = (_: HTMLElement, first: Picture) => {
    painted.push(first);
    return {
      repaint: (next: Picture) => void (next !== painted.at(-1) && painted.push(next)),
      read: () => undefined,
      show: () => undefined,
      end: () => undefined,
    };
  };
  Object.assign(globalThis, { [PAINTER]: paint });
  return painted;
}

describe("a chart", () => {
  const named = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ t: `Town ${at}`, n: at + 1 }));
  it("draws as many bars as are told apart, and says how many more there are", async () => {
    const few = await draw(chart("bar"), { rows: named(50) });
    expect(few.text()).not.toContain("more");
    const many = await draw(chart("bar"), { rows: named(53) });
    expect(many.text()).toContain("and 3 more");
    const numbers = await draw(chart("bar"), { rows: rows(53) });
    expect(numbers.text()).not.toContain("more");
  });
  it("gives no colour to two lines or two slices", async () => {
    const series = Array.from({ length: 8 }, (_, at) => ({ field: `s${at}`, label: `S${at}` }));
    const row = Object.fromEntries(series.map(({ field }, at) => [field, at]));
    const lines = await draw([{ ...chart("line")[0], series }], { rows: [row, row] });
    expect(lines.root.querySelectorAll(".g-legend li")).toHaveLength(6);
    expect(lines.text()).toContain("and 2 more");
    const slices = await draw(chart("pie"), { rows: named(9) });
    const legend = [...slices.root.querySelectorAll(".g-legend li")].map((it) => it.textContent);
    expect(legend).toHaveLength(6);
    expect(legend[0]).toContain("Town 8");
    expect(legend[5]).toContain("and 4 more");
  });
});

describe("a plot", () => {
  afterEach(() => void Reflect.deleteProperty(globalThis, PAINTER));

  it.each(["line", "area", "bar"])(
    "of kind %s is painted above the limit, with every point",
    async (kind) => {
      const painted = withPainter();
      const few = await draw(chart(kind), { rows: rows(PAINTED_ABOVE) });
      expect(few.root.querySelector(".g-plot svg")).not.toBeNull();
      expect(painted).toEqual([]);
      const many = await draw(chart(kind), { rows: rows(PAINTED_ABOVE + 1) });
      expect(many.root.querySelector(".g-plot svg")).toBeNull();
      // So many bars are an area.
      const drawn = kind === "bar" ? "area" : kind;
      expect(painted[0]).toMatchObject({ kind: drawn, columns: [{ length: PAINTED_ABOVE + 1 }] });
      expect(many.root.querySelectorAll(".g-hidden tbody tr")).toHaveLength(50);
    },
  );
  it.each(["pie", "sparkline"])("that is none (%s) is never painted", async (kind) => {
    const painted = withPainter();
    await draw(chart(kind), { rows: rows(PAINTED_ABOVE + 1) });
    expect(painted).toEqual([]);
  });
  it("is thinned and drawn where there is no painter", async () => {
    const drawn = await draw(chart("line"), { rows: rows(PAINTED_ABOVE + 1) });
    const curve = drawn.root.querySelector(".g-curve")!.getAttribute("d")!;
    expect(curve.split(/[ML]/).slice(1)).toHaveLength(600);
  });
  it("changes hands when it grows, and when it shrinks", async () => {
    const painted = withPainter();
    const drawn = await draw(chart("line"), { rows: rows(10) });
    await act(() => drawn.model.setProps({ rows: rows(PAINTED_ABOVE + 5) }));
    expect(painted.at(-1)?.columns[0]).toHaveLength(PAINTED_ABOVE + 5);
    await act(() => drawn.model.setProps({ rows: rows(PAINTED_ABOVE + 7) }));
    expect(painted.at(-1)?.columns[0]).toHaveLength(PAINTED_ABOVE + 7);
    await act(() => drawn.model.setProps({ rows: rows(10) }));
    expect(drawn.root.querySelector(".g-plot svg")).not.toBeNull();
  });
  it("of more points than are painted anew in a moment is thinned to as many as are", async () => {
    const painted = withPainter();
    await draw(chart("line"), { rows: rows(30_000) });
    expect(painted[0]!.columns[0]).toHaveLength(10_000);
  });
});

describe("below very many points", () => {
  const stops = (xs: readonly (string | number)[], from = 0, to = xs.length - 1, room = 800) => {
    const points = readPoints(
      xs.map((x) => ({ x, n: 1 })),
      "x",
      [{ field: "n", label: "" }],
    );
    return stopsBelow(points, axisNames(points, "en-GB"), from, to, room, "en-GB");
  };
  const times = (count: number, step: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        Date.UTC(2026, 10, 20) + new Date(2026, 10, 20).getTimezoneOffset() * 60_000 + index * step,
    );

  it("stand round times, finer where one looks closer", () => {
    const day = times(2880, 30_000);
    expect(stops(day).map(({ name }) => name)).toEqual([
      "00:00",
      "03:00",
      "06:00",
      "09:00",
      "12:00",
      "15:00",
      "18:00",
      "21:00",
    ]);
    expect(stops(day, 121, 241).map(({ name }) => name)).toEqual([
      "01:05",
      "01:10",
      "01:15",
      "01:20",
      "01:25",
      "01:30",
      "01:35",
      "01:40",
      "01:45",
      "01:50",
      "01:55",
    ]);
  });
  it("stand years and months below many years of days", () => {
    const days = Array.from({ length: 4000 }, (_, index) =>
      new Date(Date.UTC(2012, 4, 7) + index * 86_400_000).toISOString().slice(0, 10),
    );
    const names = stops(days).map(({ name }) => name);
    expect(names).toEqual(["1 Jan 2014", "1 Jan 2016", "1 Jan 2018", "1 Jan 2020", "1 Jan 2022"]);
  });
  it("stand round numbers", () => {
    expect(
      stops(Array.from({ length: 5000 }, (_, index) => index))
        .map(({ name }) => name)
        .slice(0, 3),
    ).toEqual(["0", "500", "1000"]);
  });
  it("stands something, and not too much, whatever the points are", () => {
    const hostile: (string | number)[][] = [
      Array.from({ length: 3000 }, (_, index) => `name ${"x".repeat(index % 40)}`),
      Array.from({ length: 3000 }, (_, index) => (index % 2 ? -1e308 : 1e308)),
      [-1.7e308, ...Array.from({ length: 3000 }, (_, index) => index), 1.7e308],
      Array.from({ length: 3000 }, (_, index) => 9_007_199_254_740_992 + index * 2),
      Array.from({ length: 3000 }, () => 7),
      Array.from({ length: 3000 }, (_, index) =>
        index % 2 ? "2026-11-20" : "2026-11-20T10:00:00Z",
      ),
    ];
    for (const xs of hostile) {
      for (const room of [10, 200, 3000])
        expect(stops(xs, 0, xs.length - 1, room).length).toBeLessThan(1 + room / 20);
      expect(stops(xs, 5, 13).length).toBeLessThan(10);
    }
  });
});
