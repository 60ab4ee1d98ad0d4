// What may wait: until the picture is painted, or until the browser has nothing better to do.

/** A frame that nobody sees is never painted: what waits for that goes on after so many milliseconds. */
const UNSEEN = 500;
/** Milliseconds after which a browser that is never idle is asked anyway. */
const NEVER_IDLE = 2000;

/**
 * Runs something once, in a task of its own, when the next frame has been painted and the page has been
 * seen: between the two the browser still puts the picture together, and should have the machine to itself.
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

/** Runs something once the browser is idle; where it does not tell, a moment later. */
export function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(run, { timeout: NEVER_IDLE });
  else setTimeout(run, UNSEEN);
}
