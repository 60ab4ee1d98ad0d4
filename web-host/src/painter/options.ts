// The options with which uPlot draws like the charts of fewer points.

import UPlot from "uplot";
import { barPaths } from "./bars";
import type { Ink } from "./ink";
import type { PaintListener, Part, Picture, Stop } from "./picture";

/** Colours of series before they come again. */
const COLORS = 6;
/** Points that are shown at least: closer there is nothing more to see. */
const CLOSEST = 8;
/**
 * Pixels of a line, and of one with more points than the plot is wide: so thin a line a browser
 * draws eight times as fast, and it shows more of them.
 */
const LINE = 2;
const THIN_LINE = 1;
const TOP = 10;
const BOTTOM = 26;
const RIGHT = 8;
/** Pixels a mouse moves before that is a drag and no click. */
const DRAG = 4;

const series = (which: number) => `var(--ggui-series-${which % COLORS})`;

/** How uPlot draws the picture there is at any moment. */
export function optionsOf(
  now: () => Picture,
  ink: Ink,
  width: number,
  listener: PaintListener,
): UPlot.Options {
  let stops: readonly Stop[] = [];
  const stopsOf = oneKept((picture: Picture, low: number, high: number, room: number) =>
    picture.stops(Math.round(low + padOf(picture)), Math.round(high - padOf(picture)), room),
  );
  const { kind, columns, height } = now();
  const fillTo = () => Math.min(Math.max(0, now().scale.min), now().scale.max);
  const font = ink.font;
  const quiet = {
    ticks: { show: false },
    stroke: () => ink.color("var(--ggui-color-muted)"),
    font,
  };
  return {
    width,
    height,
    padding: [TOP, RIGHT, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: false, range: (_, low, high) => rangeOf(now(), low, high) },
      y: { range: () => [now().scale.min, now().scale.max] },
    },
    axes: [
      {
        ...quiet,
        size: BOTTOM,
        gap: 8,
        grid: { show: false },
        splits: (plot, _, low, high) =>
          (stops = stopsOf(now(), low, high, plot.bbox.width / UPlot.pxRatio)).map(({ at }) => at),
        values: () => stops.map(({ name }) => name),
      },
      {
        ...quiet,
        size: () => now().left,
        gap: 6,
        grid: { width: 1, stroke: () => ink.color("var(--ggui-color-border)") },
        splits: () => [...now().scale.ticks],
        values: () => [...now().tickNames],
      },
    ],
    series: [{}, ...columns.map((_, which) => seriesOf(now(), which, ink, fillTo))],
    cursor: {
      y: false,
      drag: { x: true, y: false, dist: DRAG },
      // The mark stands on points, as it does where it is moved by keys.
      move: (plot, left, top) =>
        left < 0 ? [left, top] : [plot.valToPos(plot.posToIdx(left), "x"), top],
      points:
        kind === "bar"
          ? { show: false }
          : {
              size: 10,
              width: 2,
              fill: (_, which) => ink.color(series(which - 1)),
              stroke: () => ink.color("var(--ggui-color-surface)"),
            },
    },
    hooks: {
      setScale: [
        (plot, key) => {
          const { min, max } = plot.scales.x!;
          const half = padOf(now());
          const part: Part = { from: Math.round(min! + half), to: Math.round(max! - half) };
          if (key !== "x") return;
          const width = part.to - part.from > plot.bbox.width / UPlot.pxRatio ? THIN_LINE : LINE;
          if (kind !== "bar") for (const line of plot.series) line.width = width;
          listener.shown(part.from > 0 || part.to < last(now()) ? part : null);
        },
      ],
      setCursor: [
        (plot) => {
          const at = plot.cursor.idx ?? null;
          listener.read(at, at === null ? 0 : now().left + plot.valToPos(at, "x"));
        },
      ],
    },
  };
}

function seriesOf(
  { kind, columns }: Picture,
  which: number,
  ink: Ink,
  fillTo: () => number,
): UPlot.Series {
  const color = () => ink.color(series(which));
  const common = { auto: false, points: { show: false }, fillTo };
  if (kind === "bar")
    return { ...common, width: 0, fill: color, paths: barPaths(which, columns.length, fillTo) };
  const fill = () => ink.color(`color-mix(in srgb, ${series(which)} 14%, transparent)`);
  return { ...common, stroke: color, width: LINE, ...(kind === "area" ? { fill } : {}) };
}

/** A plot asks for the same several times while it finds its measures. */
function oneKept<Given extends unknown[], Made>(
  make: (...given: Given) => Made,
): (...given: Given) => Made {
  let kept: { readonly given: Given; readonly made: Made } | undefined;
  return (...given) => {
    if (!kept?.given.every((value, index) => value === given[index]))
      kept = { given, made: make(...given) };
    return kept.made;
  };
}

export function last({ columns }: Picture): number {
  return (columns[0]?.length ?? 1) - 1;
}

/** Bars need room beside their points. */
export function padOf({ kind }: Picture): number {
  return kind === "bar" ? 0.5 : 0;
}

/** Whole points, within those there are, and not too few of them. */
function rangeOf(picture: Picture, low: number, high: number): [number, number] {
  const end = last(picture);
  const half = padOf(picture);
  let from = Math.max(0, Math.round(low));
  let to = Math.min(end, Math.ceil(high - 0.5));
  if (to - from < CLOSEST) {
    from = Math.max(0, Math.min(from, end - CLOSEST));
    to = Math.min(end, from + CLOSEST);
  }
  return [from - half, to + half];
}
