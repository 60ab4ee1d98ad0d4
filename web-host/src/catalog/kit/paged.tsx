// Records a page at a time: the first of them, and a button that shows more.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { guestStrings as say } from "../../strings";

/** The records that are shown, and the button for the next `size` of them while there are more. */
export function usePaged<T>(
  rows: readonly T[],
  size: number,
): readonly [readonly T[], ComponentChildren] {
  const [limit, setLimit] = useState(size);
  const more = limit < rows.length && (
    <button type="button" class="g-button" onClick={() => setLimit(limit + size)}>
      {say.showMore}
    </button>
  );
  return [rows.slice(0, limit), more];
}
