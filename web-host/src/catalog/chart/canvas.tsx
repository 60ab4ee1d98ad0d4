// A plot of very many points: painted on a canvas, read by pointer or keys, and looked at closer
// part by part.

import { useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useDraw } from "../../draw/context";
import type { Paint, Painting, Part, Picture } from "../../painter/picture";
import { canvasStrings as say } from "../strings";
import { PLOT_HEIGHT, roomBeside, stopsBelow } from "./names";
import type { PlotProps } from "./plot";
import { Readout } from "./readout";

/** How much closer one key press looks, and by which part of what is shown one moves on. */
const CLOSER = 0.5;
const MOVE = 0.25;

export function CanvasPlot({
  paint,
  kind,
  points,
  series,
  scale,
  label,
  axis,
  yText,
}: PlotProps & { readonly paint: Paint }) {
  const { locale } = useDraw();
  const box = useRef<HTMLDivElement>(null);
  const painting = useRef<Painting | null>(null);
  const [read, setRead] = useState<{ readonly at: number; readonly left: number } | null>(null);
  const [part, setPart] = useState<Part | null>(null);
  const help = useId();
  const last = points.length - 1;
  const picture = useMemo<Picture>(() => {
    const tickNames = scale.ticks.map(yText);
    return {
      kind,
      scale,
      tickNames,
      left: roomBeside(tickNames),
      height: PLOT_HEIGHT,
      columns: series.map((_, which) => points.map(({ values }) => values[which] ?? null)),
      stops: (from, to, room) => stopsBelow(points, axis, from, to, room, locale),
    };
  }, [points]);
  useLayoutEffect(() => {
    painting.current = paint(box.current!, picture, {
      read: (at, left) => setRead(at === null ? null : { at, left }),
      shown: setPart,
    });
    return () => painting.current!.end();
  }, [paint, kind, series.length]);
  useLayoutEffect(() => painting.current!.repaint(picture), [picture]);

  const { from, to } = part ?? { from: 0, to: last };
  const shift = (by: number) => {
    const first = Math.min(Math.max(from + by, 0), last - (to - from));
    painting.current!.show({ from: first, to: first + to - from });
  };
  const zoom = (factor: number) => {
    const middle = read && read.at >= from && read.at <= to ? read.at : (from + to) / 2;
    painting.current!.show({
      from: Math.max(0, middle - (middle - from) * factor),
      to: Math.min(last, middle + (to - middle) * factor),
    });
  };
  const step = (by: number) =>
    painting.current!.read(Math.min(last, Math.max(0, read ? read.at + by : by > 0 ? from : to)));
  const move = Math.max(1, Math.round((to - from) * MOVE));
  const acts: { readonly [key: string]: (shifted: boolean) => void } = {
    ArrowRight: (shifted) => (shifted ? shift(move) : step(1)),
    ArrowLeft: (shifted) => (shifted ? shift(-move) : step(-1)),
    Home: () => painting.current!.read(from),
    End: () => painting.current!.read(to),
    "+": () => zoom(CLOSER),
    "=": () => zoom(CLOSER),
    "-": () => zoom(1 / CLOSER),
    "0": () => painting.current!.show(null),
  };
  const keys = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key];
    if (!act) return;
    event.preventDefault();
    act(event.shiftKey);
  };
  const nameOf = (at: number) => (points[at] && axis.exact(points[at])) || `${at + 1}`;
  return (
    <div class="g-plot" data-points={points.length}>
      <div
        ref={box}
        role="img"
        aria-label={label}
        aria-describedby={help}
        tabIndex={0}
        onKeyDown={keys}
        onBlur={() => painting.current!.read(null)}
      />
      <Readout
        at={read?.at ?? null}
        left={read?.left ?? 0}
        width={box.current?.clientWidth ?? 0}
        point={read ? points[read.at] : undefined}
        series={series}
        axis={axis}
        yText={yText}
      />
      <div class="g-closer">
        <span role="status">{part && say.shownPart(nameOf(from), nameOf(to))}</span>
        {part && (
          <button
            type="button"
            class="g-button"
            data-variant="borderless"
            onClick={() => painting.current!.show(null)}
          >
            {say.showAll}
          </button>
        )}
        <span id={help} hidden={part !== null}>
          {say.lookCloser}
        </span>
      </div>
    </div>
  );
}
