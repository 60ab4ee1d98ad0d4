// A text of any length: its beginning, its length, and all of it on request.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { MAX_TEXT } from "../../draw/limits";
import { guestStrings as say } from "../../strings";

export function Whole({
  text,
  letters = MAX_TEXT,
  draw = (shown) => shown,
}: {
  text: string;
  letters?: number;
  draw?: ((shown: string) => ComponentChildren) | undefined;
}) {
  const [all, setAll] = useState(false);
  if (text.length <= letters || all) return <>{draw(text)}</>;
  return (
    <>
      {draw(`${text.slice(0, letters)}…`)}{" "}
      <button type="button" class="g-button" data-variant="borderless" onClick={() => setAll(true)}>
        {say.showWhole(text.length)}
      </button>
    </>
  );
}
