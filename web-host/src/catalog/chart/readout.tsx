// The values of one point beside the place they stand at, for the pointer and for arrow keys.

import { guestStrings as say } from "../../strings";
import type { AxisNames, Point, Series } from "./data";

interface ReadoutProps {
  readonly at: number | null;
  /** Pixels from the left of a plot that is so wide. */
  readonly left: number;
  readonly width: number;
  readonly point: Point | undefined;
  readonly series: readonly Series[];
  readonly axis: AxisNames;
  readonly yText: (value: number | undefined) => string;
}

export function Readout({ at, left, width, point, series, axis, yText }: ReadoutProps) {
  return (
    <div
      class="g-readout"
      role="status"
      hidden={!point}
      style={
        point
          ? { insetInlineStart: "auto", left: `${Math.min(Math.max(left, 70), width - 70)}px` }
          : undefined
      }
    >
      {point && (
        <>
          <strong>{axis.exact(point) || `${say.position} ${at! + 1}`}</strong>
          {series.map((item, which) => (
            <span key={which}>
              <i data-series={which % 6} />
              {item.label} {yText(point.values[which])}
            </span>
          ))}
        </>
      )}
    </div>
  );
}
