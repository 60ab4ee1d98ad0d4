// What a mouse does by dragging, done with a finger: uPlot listens to mice alone.

import type UPlot from "uplot";

/** Pixels a finger moves sideways before that is a choice and no tap. */
const DRAG = 12;

export function zoomByTouch(plot: UPlot): void {
  const { over } = plot;
  let start: number | undefined;
  const at = (event: PointerEvent) =>
    Math.min(Math.max(event.clientX - over.getBoundingClientRect().left, 0), over.clientWidth);
  const chosen = (event: PointerEvent) => {
    const end = at(event);
    return { left: Math.min(start!, end), width: Math.abs(end - start!) };
  };
  const mark = (left: number, width: number) =>
    plot.setSelect({ left, width, top: 0, height: over.clientHeight }, false);
  over.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch" || !event.isPrimary) return;
    start = at(event);
    plot.setCursor({ left: start, top: 0 });
  });
  over.addEventListener("pointermove", (event) => {
    if (start === undefined) return;
    const { left, width } = chosen(event);
    plot.setCursor({ left: at(event), top: 0 });
    if (width >= DRAG) mark(left, width);
  });
  over.addEventListener("pointerup", (event) => {
    if (start === undefined) return;
    const { left, width } = chosen(event);
    start = undefined;
    mark(0, 0);
    if (width >= DRAG)
      plot.setScale("x", { min: plot.posToVal(left, "x"), max: plot.posToVal(left + width, "x") });
  });
  // The browser took the finger to scroll the page.
  over.addEventListener("pointercancel", () => {
    start = undefined;
    mark(0, 0);
  });
}
