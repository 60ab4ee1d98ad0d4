// Shares of a whole, each named with its value beside it.

import { guestStrings as say } from "../../strings";
import { COLOURS, type Point } from "./data";

interface Slice {
  readonly name: string;
  readonly value: number;
}

/** The largest slices, and one of all that are smaller: no colour stands for two. */
function withOthers(all: readonly Slice[]): readonly Slice[] {
  const sorted = all.toSorted((left, right) => right.value - left.value);
  const rest = sorted.slice(COLOURS - 1);
  const value = rest.reduce((sum, slice) => sum + slice.value, 0);
  return [...sorted.slice(0, COLOURS - 1), { name: say.andMore(rest.length), value }];
}

interface PieProps {
  readonly points: readonly Point[];
  readonly label: string;
  readonly xText: (point: Point, index: number) => string;
  readonly yText: (value: number | undefined) => string;
}

export function Pie({ points, label, xText, yText }: PieProps) {
  const all = points.map((point, index) => ({
    name: xText(point, index) || `${index + 1}`,
    value: Math.max(point.values[0] ?? 0, 0),
  }));
  const slices = all.length > COLOURS ? withOthers(all) : all;
  const total = slices.reduce((sum, slice) => sum + slice.value, 0) || 1;
  let turned = 0;
  return (
    <div class="g-pie">
      <svg viewBox="-50 -50 100 100" role="img" aria-label={label}>
        {slices.map((slice, index) => {
          const from = turned;
          turned += slice.value / total;
          return (
            <circle
              key={index}
              data-series={index % 6}
              class="g-slice"
              r={34}
              pathLength={1}
              stroke-dasharray={`${slice.value / total} 1`}
              stroke-dashoffset={-from}
              transform="rotate(-90)"
            />
          );
        })}
      </svg>
      <ul class="g-legend">
        {slices.map((slice, index) => (
          <li key={index}>
            <i data-series={index % 6} />
            {slice.name} <strong>{yText(slice.value)}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}
