// Tabs: one panel at a time, with the arrow keys between tabs.

import { useId, useRef } from "preact/hooks";
import type { ComponentProps, Scope } from "../draw/context";
import { useKept, useText } from "../draw/hooks";
import { Node, useRoot } from "../draw/node";
import { formatPointer } from "../draw/pointer";
import type { Dynamic } from "../wire/view";
import { addStyles } from "./styles";
import css from "./styles/tabs.css?inline";

addStyles(css);

export function Tabs({ def, scope }: ComponentProps<"Tabs">) {
  const tabs = def.tabs ?? [];
  const [chosen, setChosen] = useKept(`tab:${def.id}${formatPointer(scope.path)}`, 0);
  const id = useId();
  // What is begun behind a tab is still there on the way back.
  const opened = useRef(new Set<number>());
  opened.current.add(chosen);
  const move = (event: KeyboardEvent) => {
    const rtl = getComputedStyle(event.currentTarget as Element).direction === "rtl";
    const steps: { [key: string]: number } = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1 };
    const step = steps[event.key];
    const next =
      event.key === "Home"
        ? 0
        : event.key === "End"
          ? tabs.length - 1
          : step && (chosen + step + tabs.length) % tabs.length;
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
    ((event.currentTarget as Element).children[next] as HTMLElement).focus();
  };
  return (
    <div {...useRoot(def, scope, "tabs")}>
      <div class="g-tablist" role="tablist" onKeyDown={move}>
        {tabs.map((tab, index) => (
          <button
            key={index}
            type="button"
            role="tab"
            id={`${id}-tab${index}`}
            aria-controls={opened.current.has(index) ? `${id}-panel${index}` : undefined}
            aria-selected={index === chosen}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
          >
            <Title of={tab.title} scope={scope} />
          </button>
        ))}
      </div>
      {tabs.map(
        (tab, index) =>
          opened.current.has(index) && (
            <div
              class="g-tabpanel"
              role="tabpanel"
              id={`${id}-panel${index}`}
              aria-labelledby={`${id}-tab${index}`}
              key={index}
              hidden={index !== chosen}
            >
              <Node id={tab.child} scope={scope} />
            </div>
          ),
      )}
    </div>
  );
}

function Title({ of, scope }: { of: Dynamic; scope: Scope }) {
  return <>{useText(of, scope)}</>;
}
