// Bars side by side, and as many of them as a plot is wide where there are more.

import UPlot from "uplot";

/** The part of a point's place that its bars take. */
const BARS = 0.76;

/** How the bars of one of so many series are drawn. */
export function barPaths(
  which: number,
  count: number,
  base: () => number,
): UPlot.Series.PathBuilder {
  const wide = BARS / count;
  const starts = (plot: UPlot) => Array.from(plot.data[0], (at) => at - BARS / 2 + which * wide);
  const beside = UPlot.paths.bars!({
    disp: { x0: { unit: 1, values: starts }, size: { unit: 1, values: () => [wide] } },
  });
  return (plot, series, first, last) =>
    last - first > plot.bbox.width
      ? densely(plot, series, first, last, base())
      : beside(plot, series, first, last);
}

/**
 * One bar for every pixel, as high as the highest and as low as the lowest of those that would
 * stand there.
 */
function densely(
  plot: UPlot,
  series: number,
  first: number,
  last: number,
  base: number,
): UPlot.Series.Paths {
  const fill = new Path2D();
  const values = plot.data[series]!;
  const bottom = plot.valToPos(base, "y", true);
  let column = NaN;
  let high = bottom;
  let low = bottom;
  const end = () => {
    if (low > high) fill.rect(column, high, 1, low - high);
    high = low = bottom;
  };
  for (let at = first; at <= last; at++) {
    const value = values[at];
    if (value === null || value === undefined) continue;
    const next = Math.floor(plot.valToPos(at, "x", true));
    if (next !== column) end();
    column = next;
    const y = plot.valToPos(value, "y", true);
    high = Math.min(high, y);
    low = Math.max(low, y);
  }
  end();
  return { fill };
}
