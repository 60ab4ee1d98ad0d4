// A sparkline: the shape of recent values and nothing else.

import { addStyles } from "../styles";
import css from "../styles/sparkline.css?inline";
import { thin } from "./data";

addStyles(css);

const WIDTH = 120;
const HEIGHT = 32;

export function Sparkline({ values }: { values: readonly number[] }) {
  const points = thin(
    values.map((value) => ({ x: undefined, values: [value] })),
    120,
  ).map((point) => point.values[0]!);
  const low = Math.min(...points);
  const range = Math.max(...points) - low || 1;
  const path = points
    .map((value, index) => {
      const x = (index / Math.max(points.length - 1, 1)) * WIDTH;
      return `${index ? "L" : "M"}${x.toFixed(1)} ${(HEIGHT - 2 - ((value - low) / range) * (HEIGHT - 4)).toFixed(1)}`;
    })
    .join("");
  return (
    <svg
      class="g-sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="g-spark-area" d={`${path}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} />
      <path class="g-spark-line" d={path} vector-effect="non-scaling-stroke" />
    </svg>
  );
}
