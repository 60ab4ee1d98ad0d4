// Records a page at a time: the first of them, and a button that shows more.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { guestStrings as say } from "../../strings";
import type { Json } from "../../wire/json";

/** The records that are shown, and the button for the next `size` of them while there are more. */
export function usePaged(
  rows: readonly Json[],
  size: number,
): readonly [readonly Json[], ComponentChildren] {
  const [limit, setLimit] = useState(size);
  const more = limit < rows.length && (
    <button type="button" class="g-button" onClick={() => setLimit(limit + size)}>
      {say.showMore}
    </button>
  );
  return [rows.slice(0, limit), more];
}
