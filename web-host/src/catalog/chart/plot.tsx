// Lines, areas and bars over two axes, with a value read out by pointer or arrow keys.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AxisNames, Namer, Point, Scale, Series } from "./data";
import { clip, PLOT_HEIGHT as HEIGHT, LETTER, NAME_GAP, roomBeside } from "./names";
import { Readout } from "./readout";

export interface PlotProps {
  readonly kind: "line" | "area" | "bar";
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly scale: Scale;
  readonly label: string;
  readonly axis: AxisNames;
  readonly yText: (value: number | undefined) => string;
}

const TOP = 10;
const BOTTOM = 26;

export function Plot({ kind, points, series, scale, label, axis, yText }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  const [read, setRead] = useState<number | null>(null);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(
      ([entry]) => entry && setWidth(Math.max(200, Math.round(entry.contentRect.width))),
    );
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);

  const left = roomBeside(scale.ticks.map(yText));
  const inner = width - left - 8;
  const slot = inner / Math.max(kind === "bar" ? points.length : points.length - 1, 1);
  const xAt = (index: number) =>
    left + (kind === "bar" ? (index + 0.5) * slot : points.length === 1 ? inner / 2 : index * slot);
  const yAt = (value: number) =>
    TOP + (1 - (value - scale.min) / (scale.max - scale.min)) * (HEIGHT - TOP - BOTTOM);
  const base = yAt(Math.min(Math.max(0, scale.min), scale.max));

  const nearest = (event: PointerEvent) => {
    const x = event.clientX - box.current!.getBoundingClientRect().left - left;
    setRead(
      Math.min(
        points.length - 1,
        Math.max(0, kind === "bar" ? Math.floor(x / slot) : Math.round(x / slot)),
      ),
    );
  };
  const keys = (event: KeyboardEvent) => {
    const steps: { [key: string]: number } = { ArrowRight: 1, ArrowLeft: -1 };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    setRead((at) =>
      Math.min(points.length - 1, Math.max(0, (at ?? (step > 0 ? -1 : points.length)) + step)),
    );
  };
  const at = read !== null && read < points.length ? read : null;
  const point = at === null ? undefined : points[at];
  const { name, every } = fitNames(axis, points, inner);
  return (
    <div class="g-plot" ref={box}>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={label}
        tabIndex={0}
        onKeyDown={keys}
        onPointerMove={nearest}
        onPointerLeave={() => setRead(null)}
        onBlur={() => setRead(null)}
      >
        {scale.ticks.map((tick) => (
          <g key={tick}>
            <line class="g-grid" x1={left} x2={width - 8} y1={yAt(tick)} y2={yAt(tick)} />
            <text class="g-tick" x={left - 6} y={yAt(tick) + 4} text-anchor="end">
              {yText(tick)}
            </text>
          </g>
        ))}
        {points.map((item, index) => {
          if (index % every !== every >> 1) return null;
          const text = clip(name(item));
          // A name near an edge is moved in as far as it needs, so that none is cut off; not into
          // its neighbour.
          const half = text.length * (LETTER / 2);
          const x = Math.min(Math.max(xAt(index), half), width - half);
          if (every < points.length && Math.abs(x - xAt(index)) > NAME_GAP / 2) return null;
          return (
            <text key={index} class="g-tick" x={x} y={HEIGHT - 8} text-anchor="middle">
              {text}
            </text>
          );
        })}
        {series.map((_, which) =>
          kind === "bar" ? (
            points.map((item, index) => (
              <Bar
                key={index}
                x={xAt(index) + (which / series.length - 0.5) * slot * 0.76}
                width={(slot * 0.76) / series.length}
                value={item.values[which]}
                yAt={yAt}
                base={base}
                which={which}
              />
            ))
          ) : (
            <Curve
              key={which}
              which={which}
              area={kind === "area"}
              points={points}
              xAt={xAt}
              yAt={yAt}
              base={base}
            />
          ),
        )}
        {at !== null && (
          <line class="g-cursor" x1={xAt(at)} x2={xAt(at)} y1={TOP} y2={HEIGHT - BOTTOM} />
        )}
        {at !== null &&
          kind !== "bar" &&
          point!.values.map(
            (value, which) =>
              value !== undefined && (
                <circle
                  key={which}
                  class="g-dot"
                  data-series={which % 6}
                  cx={xAt(at)}
                  cy={yAt(value)}
                  r={4}
                />
              ),
          )}
      </svg>
      <Readout
        at={at}
        left={at === null ? 0 : xAt(at)}
        width={width}
        point={point}
        series={series}
        axis={axis}
        yText={yText}
      />
    </div>
  );
}

const WANTED_NAMES = 4;

/** The longest names of which a few fit below the axis, and at how many points one stands. */
function fitNames(
  { timed, full, shorter }: AxisNames,
  points: readonly Point[],
  room: number,
): { name: Namer; every: number } {
  const sample = timed ? [points[0]!, points.at(-1)!] : points;
  const fits = [full, ...shorter].map((name) => ({
    name,
    every: Math.max(
      1,
      Math.ceil(
        (points.length *
          (NAME_GAP + Math.max(...sample.map((point) => clip(name(point)).length)) * 6.5)) /
          room,
      ),
    ),
  }));
  return (
    fits.find(({ every }) => points.length / every >= Math.min(WANTED_NAMES, points.length)) ??
    fits.at(-1)!
  );
}

interface CurveProps {
  readonly which: number;
  readonly area: boolean;
  readonly points: readonly Point[];
  readonly xAt: (index: number) => number;
  readonly yAt: (value: number) => number;
  readonly base: number;
}

function Curve({ which, area, points, xAt, yAt, base }: CurveProps) {
  let path = "";
  let fill = "";
  let start = -1;
  points.forEach((point, index) => {
    const value = point.values[which];
    if (value === undefined) return;
    const joined = start >= 0 && points[index - 1]?.values[which] !== undefined;
    const step = `${xAt(index).toFixed(1)} ${yAt(value).toFixed(1)}`;
    path += (joined ? "L" : "M") + step;
    fill += joined
      ? `L${step}`
      : `${fill && start >= 0 ? `L${xAt(index - 1).toFixed(1)} ${base}Z` : ""}M${xAt(index).toFixed(1)} ${base}L${step}`;
    start = index;
  });
  if (start < 0) return null;
  return (
    <g data-series={which % 6}>
      {area && <path class="g-area" d={`${fill}L${xAt(start).toFixed(1)} ${base}Z`} />}
      <path class="g-curve" d={path} />
    </g>
  );
}

interface BarProps {
  readonly x: number;
  readonly width: number;
  readonly value: number | undefined;
  readonly yAt: (value: number) => number;
  readonly base: number;
  readonly which: number;
}

function Bar({ x, width, value, yAt, base, which }: BarProps) {
  if (value === undefined) return null;
  const y = yAt(value);
  return (
    <rect
      class="g-bar-mark"
      data-series={which % 6}
      x={x}
      width={Math.max(1, width - 1)}
      y={Math.min(y, base)}
      height={Math.max(1, Math.abs(base - y))}
      rx={Math.min(3, width / 4)}
    />
  );
}
