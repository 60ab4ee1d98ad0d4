// Whether the rows of a table stand as cards: where it is narrow, and where what can be done with
// them would not be in sight.

import { useLayoutEffect } from "preact/hooks";

/**
 * In pixels: below the first no table is read with ease; from the second on one scrolls instead,
 * and its rows stay together.
 */
const NARROW = 500;
const WIDE = 720;
/**
 * The share of the width that what can be done with a row may take: beside more of it values scroll
 * past in a slit.
 */
const ACTIONS_MAX = 0.4;

interface Ref {
  readonly current: HTMLElement | null;
}

/** Makes what scrolls a stop of the Tab key, as long as there is more in it than can be seen. */
export function useScrollStop(box: Ref): void {
  useLayoutEffect(() => {
    const inner = box.current!;
    const observer = new ResizeObserver(() => {
      const over = inner.scrollWidth > inner.clientWidth || inner.scrollHeight > inner.clientHeight;
      inner.toggleAttribute("data-over", inner.scrollWidth > inner.clientWidth);
      inner.tabIndex = over && getComputedStyle(inner).overflowX !== "visible" ? 0 : -1;
    });
    for (const part of [inner, ...inner.children]) observer.observe(part);
    return () => observer.disconnect();
  }, []);
}

/** Marks `table` with `data-cards`; `box` is what scrolls in it. */
export function useCards(table: Ref, box: Ref, hasActions: boolean): void {
  useLayoutEffect(() => {
    const [outer, inner] = [table.current, box.current];
    if (!outer || !inner) return;
    // How wide it was when it did not fit.
    let needed = 0;
    // Before anything is painted, and for many tables at once: none makes the page be laid out anew
    // for itself alone.
    const observer = new ResizeObserver(([entry]) => {
      const width = Math.round(entry!.contentRect.width);
      const actions = inner.querySelector<HTMLElement>("tbody .g-row-actions");
      const decides =
        hasActions &&
        width >= NARROW &&
        (width < WIDE || width < needed || (actions?.offsetWidth ?? 0) > width * ACTIONS_MAX);
      const over =
        decides && !("cards" in outer.dataset) ? inner.scrollWidth - inner.clientWidth : 0;
      if (over > 0) needed = width + over;
      outer.toggleAttribute(
        "data-cards",
        width > 0 && (width < NARROW || (decides && width < needed)),
      );
    });
    observer.observe(outer);
    return () => observer.disconnect();
  }, [hasActions]);
}
