// The rows of a table in their order. Many of them are put in order a little at a time, so that the
// page goes on meanwhile; until then they stand as they stood.

import { useEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { type Arrangement, arrange, arranging, type PlacedRow } from "./rows";

/** So many rows are put in order at once: within a few milliseconds. */
const AT_ONCE = 500;
/**
 * Milliseconds of work at a time, half of what a screen with 60 frames a second leaves between two.
 */
const SLICE = 8;

interface Work {
  readonly arrangement: Arrangement;
  timer: ReturnType<typeof setTimeout>;
  /**
   * The rows have changed meanwhile: what is begun is finished first, or rows that never rest would
   * never be shown.
   */
  next?: Arrangement;
}

export function useArranged(arrangement: Arrangement): readonly PlacedRow[] {
  const { rows, columns, sort, filter, locale } = arrangement;
  const atOnce = rows.length <= AT_ONCE || (!sort && !filter.trim());
  const placed = useMemo(
    () => (atOnce ? arrange(arrangement) : undefined),
    [atOnce, rows, columns, sort, filter, locale],
  );
  const last = useRef<readonly PlacedRow[] | undefined>(undefined);
  if (placed) last.current = placed;
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const work = useRef<Work | undefined>(undefined);

  useEffect(() => {
    const begin = (begun: Arrangement) => {
      const steps = arranging(begun);
      const goOn = () => {
        const until = performance.now() + SLICE;
        for (;;) {
          const { done, value } = steps.next();
          if (done) return finish(value);
          if (performance.now() > until) break;
        }
        current.timer = setTimeout(goOn);
      };
      const current: Work = { arrangement: begun, timer: setTimeout(goOn) };
      work.current = current;
      const finish = (value: readonly PlacedRow[]) => {
        last.current = value;
        work.current = undefined;
        draw(undefined);
        if (current.next) begin(current.next);
      };
    };
    const under = work.current;
    if (!atOnce && under && isSameOrder(under.arrangement, arrangement)) under.next = arrangement;
    else {
      clearTimeout(under?.timer);
      work.current = undefined;
      if (!atOnce) begin(arrangement);
    }
  }, [atOnce, rows, columns, sort, filter, locale]);
  useEffect(() => () => clearTimeout(work.current?.timer), []);
  return last.current ?? (last.current = arrange({ ...arrangement, sort: null, filter: "" }));
}

function isSameOrder(left: Arrangement, right: Arrangement): boolean {
  return (
    left.columns === right.columns &&
    left.sort === right.sort &&
    left.filter === right.filter &&
    left.locale === right.locale
  );
}
