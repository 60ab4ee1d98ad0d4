// Chart: rows over time or by category as a picture, and as a table for those who do not see it.

import { type ComponentProps, useDraw } from "../../draw/context";
import { formatValue } from "../../draw/format";
import { useText, useValue } from "../../draw/hooks";
import { useRoot } from "../../draw/node";
import { arrayOf, isArray, isObject, own } from "../../draw/pointer";
import { guestStrings as say } from "../../strings";
import type { Json } from "../../wire/json";
import type { Reference } from "../../wire/view";
import { useEmptyText } from "../kit/empty";
import { lookedUp, useReferred } from "../kit/structure";
import { addStyles } from "../styles";
import css from "../styles/chart.css?inline";
import { CanvasPlot } from "./canvas";
import {
  type AxisNames,
  axisNames,
  COLOURS,
  MAX_PAINTED,
  MAX_POINTS,
  type Point,
  readLines,
  readPoints,
  type Series,
  scaleOf,
  thin,
} from "./data";
import { PAINTED_ABOVE, usePainter } from "./painter";
import { Pie } from "./pie";
import { Plot } from "./plot";
import { Sparkline } from "./sparkline";

addStyles(css);

const TABLE_ROWS = 50;
/**
 * Bars that are told apart; more of them along times or numbers are an area, and of others the
 * first are shown.
 */
const MAX_BARS = 50;

export function Chart({ def, scope }: ComponentProps<"Chart">) {
  const { locale } = useDraw();
  const title = useText(def.title, scope);
  const data = useValue(def.data, scope);
  const more = useValue(def.more, scope);
  const places = useReferred(def.xNames);
  const all = def.more && isArray(data) ? [...data, ...arrayOf(more)] : data;
  const rows = def.xNames ? placed(all, def.x ?? "", def.xNames, places) : all;
  const emptyText = useEmptyText([def.data], scope, say.noData);
  const unit = useText(def.unit, scope);
  const currency = useValue(def.currency, scope);
  const names = useReferred(def.seriesNames);
  const split = def.seriesField === undefined ? undefined : readLines(rows, def, names);
  const declared =
    split?.series ?? (def.series?.length ? def.series : [{ field: "", label: say.value }]);
  const series = declared.slice(0, COLOURS);
  const isPlot = def.kind !== "pie" && def.kind !== "sparkline";
  const paint = usePainter(isPlot && Array.isArray(rows) && rows.length > PAINTED_ABOVE);
  const read = split?.points ?? readPoints(rows, def.x, series);
  const isCrowded = def.kind === "bar" && read.length > MAX_BARS;
  const isOrdered = (axis: AxisNames) => axis.timed || read.every(({ x }) => typeof x !== "string");
  const isArea = def.kind === "area" || (isCrowded && isOrdered(axisNames(read, locale)));
  const isCut = isCrowded && !isArea;
  const points = isCut ? read.slice(0, MAX_BARS) : thin(read, paint ? MAX_PAINTED : MAX_POINTS);
  const drawn = points.some((point) => point.values.some((value) => value !== undefined));
  const yText = (value: number | undefined) =>
    formatValue(value, def.format ?? "number", locale, currency) +
    (unit && value !== undefined ? ` ${unit}` : "");
  const axis = axisNames(points, locale);
  const xText = axis.exact;
  const label = title || series.map((item) => item.label || item.field).join(", ");
  const kind = isArea ? "area" : def.kind === "bar" ? "bar" : "line";
  const plot = {
    kind,
    points,
    series,
    scale: scaleOf(points, kind !== "line", def.min, def.max, def.format === "percent"),
    label,
    axis,
    yText,
  } as const;
  return (
    <section {...useRoot(def, scope, "chart")} data-kind={def.kind}>
      <div class="g-head">
        {title && <h2 class="g-title">{title}</h2>}
        {drawn && def.kind !== "pie" && (
          <Legend
            series={series}
            title={title}
            latest={def.kind !== "bar" || axis.timed ? points : []}
            yText={yText}
          />
        )}
      </div>
      {!drawn ? (
        <p class="g-nodata">{emptyText}</p>
      ) : def.kind === "pie" ? (
        <Pie points={points} label={label} xText={xText} yText={yText} />
      ) : def.kind === "sparkline" ? (
        <Sparkline
          values={points.map((point) => point.values[0]).filter((value) => value !== undefined)}
        />
      ) : paint && !isCut ? (
        <CanvasPlot paint={paint} {...plot} />
      ) : (
        <Plot {...plot} />
      )}
      {isCut && <p class="g-muted">{say.andMore(read.length - MAX_BARS)}</p>}
      {declared.length > COLOURS && <p class="g-muted">{say.andMore(declared.length - COLOURS)}</p>}
      {drawn && (
        <HiddenTable label={label} points={points} series={series} xText={xText} yText={yText} />
      )}
    </section>
  );
}

/** Rows with the names of what they refer to along the axis. */
function placed(
  rows: Json | undefined,
  x: string,
  refers: Reference,
  names: readonly Json[],
): Json[] {
  return arrayOf(rows).map((row) => {
    const name = lookedUp(own(row, x), names, refers);
    return isObject(row) && name ? { ...row, [x]: name } : row;
  });
}

interface LegendProps {
  readonly series: readonly Series[];
  readonly title: string;
  readonly latest: readonly Point[];
  readonly yText: (value: number | undefined) => string;
}

/**
 * The name of each series with its last value; a single series goes without its colour, and without
 * the title's name.
 */
function Legend({ series, title, latest, yText }: LegendProps) {
  const last = (which: number) =>
    latest.findLast((point) => point.values[which] !== undefined)?.values[which];
  return (
    <ul class="g-legend">
      {series.map((item, index) => (
        <li key={item.field}>
          {series.length > 1 && <i data-series={index % 6} />}
          {(series.length > 1 || item.label !== title) && item.label}{" "}
          {last(index) !== undefined && <strong>{yText(last(index))}</strong>}
        </li>
      ))}
    </ul>
  );
}

interface HiddenTableProps {
  readonly label: string;
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly xText: (point: Point) => string;
  readonly yText: (value: number | undefined) => string;
}

function HiddenTable({ label, points, series, xText, yText }: HiddenTableProps) {
  const latest = points.slice(-TABLE_ROWS);
  return (
    <div class="g-hidden">
      <table>
        <caption>
          {say.chartData}: {label}
          {latest.length < points.length && ` (${say.latest(latest.length)})`}
        </caption>
        <thead>
          <tr>
            <th scope="col">{say.position}</th>
            {series.map((item) => (
              <th scope="col" key={item.field}>
                {item.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {latest.map((point, index) => (
            <tr key={index}>
              <th scope="row">{xText(point) || points.length - latest.length + index + 1}</th>
              {point.values.map((value, which) => (
                <td key={which}>{yText(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
