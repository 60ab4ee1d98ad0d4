// Values: anything at all, as names and values; what is inside is shown inside.

import type { ComponentProps } from "../draw/context";
import { useDraw } from "../draw/context";
import { useText, useValue } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { isObject } from "../draw/pointer";
import { humanise } from "../form/field";
import { guestStrings as say } from "../strings";
import { useEmptyText } from "./kit/empty";
import { valueNode } from "./kit/value";

/** Names of one value; a page stays quick to draw. */
const MAX_NAMES = 200;

export function Values({ def, scope }: ComponentProps<"Values">) {
  const { locale } = useDraw();
  const title = useText(def.title, scope);
  const value = useValue(def.value, scope);
  const emptyText = useEmptyText([def.value], scope, say.noData);
  const names = isObject(value) ? Object.keys(value) : [];
  const isEmpty =
    value === undefined ||
    value === null ||
    value === "" ||
    (typeof value === "object" && Object.keys(value).length === 0);
  return (
    <section {...useRoot(def, scope, "keyvalue")}>
      {title && <h2 class="g-title">{title}</h2>}
      {isEmpty ? (
        <p class="g-muted">{emptyText}</p>
      ) : isObject(value) ? (
        <dl>
          {names.slice(0, MAX_NAMES).map((name) => (
            <div key={name}>
              <dt>{humanise(name)}</dt>
              <dd>{valueNode(value[name], undefined, locale)}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <div>{valueNode(value, undefined, locale)}</div>
      )}
      {names.length > MAX_NAMES && <p class="g-muted">{say.andMore(names.length - MAX_NAMES)}</p>}
    </section>
  );
}
