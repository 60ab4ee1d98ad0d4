// Rows that stay drawn wherever they are: the one that has the focus, and those in which something
// is typed.

import { useRef } from "preact/hooks";

/** Nobody types in more rows at a time; of more the latest stay. */
const MAX_TYPED = 20;

interface Held {
  /** The keys of these rows. */
  readonly keys: readonly string[];
  /** Records that something was typed; for the element around the rows. */
  readonly onInput: (event: Event) => void;
  /** The person goes to other rows: none is kept any more but the one with the focus. */
  release(): void;
}

export function useHeld(box: { readonly current: HTMLElement | null }): Held {
  const typed = useRef<readonly string[]>([]);
  const active = document.activeElement;
  const focused = box.current?.contains(active) ? keyOf(active) : undefined;
  return {
    keys: focused === undefined ? typed.current : [...typed.current, focused],
    onInput({ target }) {
      const key = (target as Element).closest("form") ? keyOf(target as Element) : undefined;
      if (key !== undefined)
        typed.current = [...typed.current.filter((other) => other !== key), key].slice(-MAX_TYPED);
    },
    release: () => (typed.current = []),
  };
}

function keyOf(element: Element | null): string | undefined {
  return element?.closest<HTMLElement>("[data-row]")?.dataset.row;
}
