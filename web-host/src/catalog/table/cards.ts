// Whether the rows of a table stand as cards: where it is narrow, and where what can be done with them would not be in sight.

import { useLayoutEffect } from "preact/hooks";

/** In pixels: below the first no table is read with ease; from the second on one scrolls instead, and its rows stay together. */
const NARROW = 500;
const WIDE = 720;

interface Ref {
  readonly current: HTMLElement | null;
}

/** Marks `table` with `data-cards`; `box` is what scrolls in it. */
export function useCards(table: Ref, box: Ref, hasActions: boolean): void {
  useLayoutEffect(() => {
    const [outer, inner] = [table.current, box.current];
    if (!outer || !inner) return;
    // How wide it was when it did not fit.
    let needed = 0;
    const measure = () => {
      const width = outer.clientWidth;
      const over = "cards" in outer.dataset ? 0 : inner.scrollWidth - inner.clientWidth;
      if (over > 0) needed = width + over;
      outer.toggleAttribute("data-cards", width > 0 && (width < NARROW || (hasActions && width < WIDE && width < needed)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    return () => observer.disconnect();
  }, [hasActions]);
}
