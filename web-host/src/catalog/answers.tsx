// Answers: buttons that take nothing until the page has been in sight for a moment, so that nobody
// answers with a click that was meant for what stood there before.

import { useRef } from "preact/hooks";
import type { ComponentProps } from "../draw/context";
import { ChildNodes, useRoot } from "../draw/node";
import { placement } from "./kit/placement";
import { useUnseen } from "./kit/unseen";
import { addStyles } from "./styles";
import css from "./styles/answers.css?inline";

addStyles(css);

/** While they wait they keep their places and the focus: pressing them does nothing. */
export function Answers({ def, scope }: ComponentProps<"Answers">) {
  const root = useRoot(def, scope, "row");
  const element = useRef<HTMLDivElement>(null);
  const waits = useUnseen(element);
  // Enter and the space bar click a button, too; Enter in a field submits its form.
  const hold = (event: Event) => {
    if (!waits.peek()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      {...root}
      ref={element}
      role="group"
      aria-disabled={waits.value}
      onClickCapture={hold}
      onSubmitCapture={hold}
      style={{ ...root.style, ...placement(def) }}
    >
      <ChildNodes of={def.children} scope={scope} />
    </div>
  );
}
