// Which part of a frame a person sees: one that is as tall as its content lies in a page that
// scrolls.

export interface Sight {
  /** From the upper edge of the frame's own viewport, in pixels. */
  readonly top: number;
  readonly bottom: number;
  /** How much of it lies under a bar of the host. */
  readonly covered: number;
}

/** A browser that has not reported after this many milliseconds draws nothing of the frame. */
const REPORT_TIMEOUT = 200;
/**
 * Milliseconds: what is out of sight for so long is not missed yet. No observer tells that a page
 * was scrolled around a frame.
 */
const LOOKED_EVERY = 150;

let pane: HTMLElement | undefined;
let covered = 0;

/** Pixels of the host's viewport that a bar of the host lies over, at its upper edge. */
export function coverTop(pixels: unknown): void {
  if (typeof pixels === "number" && pixels >= 0) covered = pixels;
}

/**
 * Reports what is visible at this moment: at once for a window, after the next paint for a frame.
 */
function look(report: (seen: Sight) => void): () => void {
  const whole = { top: 0, bottom: innerHeight, covered: 0 };
  if (window.parent === window) {
    report(whole);
    return () => {};
  }
  if (!pane) {
    pane = document.createElement("div");
    pane.style.cssText = "position:fixed;inset:0;visibility:hidden;pointer-events:none";
    document.body.append(pane);
  }
  // Without a root of its own an observer sees with the eyes of the outermost page, whosever it is.
  const observer = new IntersectionObserver((entries) => finish(entries.at(-1)!.intersectionRect));
  const finish = ({ top, bottom }: DOMRectReadOnly) => {
    stop();
    // A frame whose upper edge is seen begins below the bar.
    report(bottom > top ? { top: top && top + covered, bottom, covered } : whole);
  };
  const timer = setTimeout(() => finish(new DOMRect()), REPORT_TIMEOUT);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(pane);
  return stop;
}

/**
 * Has an element placed where it is seen: now, when it or the frame changes its size, and while the
 * page is scrolled. `moved` is false in the last case: then the person scrolls, and nobody scrolls
 * them back.
 */
export function keepInSight(
  element: Element,
  place: (seen: Sight, moved: boolean) => void,
): () => void {
  let stopLooking = () => {};
  let isLooking = false;
  let hasMoved = false;
  const again = (moved: boolean) => {
    hasMoved ||= moved;
    // What changes while it is looked is seen with it.
    if (isLooking) return;
    isLooking = true;
    stopLooking = look((seen) => {
      isLooking = false;
      place(seen, hasMoved);
      hasMoved = false;
    });
  };
  const resized = () => again(true);
  const growing = new ResizeObserver(resized);
  for (const part of [element, ...element.children]) growing.observe(part);
  addEventListener("resize", resized);
  const timer = setInterval(again, LOOKED_EVERY, false);
  again(true);
  return () => {
    stopLooking();
    clearInterval(timer);
    growing.disconnect();
    removeEventListener("resize", resized);
  };
}
