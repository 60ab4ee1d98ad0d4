// Defers work until the view is painted, or until the browser is idle.

/**
 * A frame that nobody sees is never painted, so deferred work starts after this many milliseconds.
 */
const UNSEEN = 500;
/** Milliseconds after which the work starts in a browser that is never idle. */
const NEVER_IDLE = 2000;

/**
 * Runs something once, in a task of its own, when the next frame has been painted and the page has
 * been seen: between the two the browser still puts the picture together, and should have the
 * machine to itself.
 */
export function afterPaint(run: () => void): void {
  let waits = true;
  const once = () => {
    if (waits) run();
    waits = false;
  };
  requestAnimationFrame(() =>
    setTimeout(() => new PerformanceObserver(once).observe({ type: "paint", buffered: true })),
  );
  setTimeout(once, UNSEEN);
}

/** Runs something once the browser is idle; where it does not report that, a moment later. */
export function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(run, { timeout: NEVER_IDLE });
  else setTimeout(run, UNSEEN);
}
