// Toast: a short message that stands at the lower edge for a while and can be put away.

import { useEffect, useState } from "preact/hooks";
import type { ComponentProps } from "../draw/context";
import { useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { guestStrings as say } from "../strings";
import { Icon } from "./kit/icons";
import { addStyles } from "./styles";
import css from "./styles/toast.css?inline";

addStyles(css);

/** Long enough to be read twice; while the pointer or the focus is on it, it stays. */
const SHOWN_MS = 8000;

export function Toast({ def, scope }: ComponentProps<"Toast">) {
  const text = useText(def.text, scope);
  const root = useRoot(def, scope, "toast");
  const [gone, setGone] = useState("");
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (!text || held) return;
    const timer = setTimeout(() => setGone(text), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text, held]);
  const close = () => {
    setGone(text);
    // Not every browser fires an event when the focus disappears with its button.
    setHeld(false);
  };
  const shown = text !== "" && text !== gone;
  return (
    <div
      {...root}
      role="status"
      data-shown={shown || undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusCapture={() => setHeld(true)}
      onBlurCapture={() => setHeld(false)}
    >
      {shown && (
        <>
          <span>{text}</span>
          <button
            type="button"
            class="g-button"
            data-variant="quiet"
            aria-label={say.close}
            onClick={close}
          >
            <Icon name="close" />
          </button>
        </>
      )}
    </div>
  );
}
