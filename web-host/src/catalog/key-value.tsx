// KeyValue: the facts of one record, each with its label.

import { isPath } from "../draw/bind";
import { type ComponentProps, type Scope, useDraw } from "../draw/context";
import { useAddress, useIsTyped, useText, useValue, useWaiting } from "../draw/hooks";
import { lettersEach } from "../draw/limits";
import { useRoot } from "../draw/node";
import type { Catalog } from "../wire/catalog";
import { isUnread } from "./kit/names";
import { asTyped, lookedUp, useReferred } from "./kit/structure";
import { valueNode } from "./kit/value";
import { addStyles } from "./styles";
import css from "./styles/key-value.css?inline";

addStyles(css);

type Item = Catalog["KeyValue"]["items"][number];

export function KeyValue({ def, scope }: ComponentProps<"KeyValue">) {
  const title = useText(def.title, scope);
  const items = def.items ?? [];
  return (
    <section {...useRoot(def, scope, "keyvalue")}>
      {title && <h2 class="g-title">{title}</h2>}
      <dl>
        {items.map((item, index) => (
          <Fact key={index} item={item} scope={scope} letters={lettersEach(items.length)} />
        ))}
      </dl>
    </section>
  );
}

function Fact({ item, scope, letters }: { item: Item; scope: Scope; letters: number }) {
  const { locale, model } = useDraw();
  const label = useText(item.label, scope);
  const value = useValue(item.value, scope);
  const picture = useAddress(item.format === "image" ? item.value : undefined, scope);
  const of = item.currencyOf;
  const id = useValue(of?.id, scope);
  const records = useReferred(of?.refers);
  const own = useValue(item.currency, scope);
  const currency = of ? lookedUp(id, records, of.refers) : own;
  const typed = useIsTyped(item.value, scope);
  const shown = { field: "", ...item };
  const waits = useWaiting([item.value], scope);
  const member = isPath(item.value) ? item.value.path.split("/").pop()! : "";
  if (isUnread(member, value, model)) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd data-waiting={waits || undefined} aria-busy={waits || undefined}>
        {valueNode(
          item.format === "image" && typeof value !== "object" ? picture || undefined : value,
          item.format,
          locale,
          currency,
          letters,
          typed ? asTyped(shown) : shown,
        )}
      </dd>
    </div>
  );
}
