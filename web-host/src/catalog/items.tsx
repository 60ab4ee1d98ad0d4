// Items: short texts in a row, as bullets, numbers or tags; where one is to be picked, as buttons.

import { useState } from "preact/hooks";
import { type ComponentProps, useDraw } from "../draw/context";
import { useActionControl, useIsTyped, useText, useValue } from "../draw/hooks";
import { lettersEach, shorten, shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { arrayOf } from "../draw/pointer";
import { text } from "../draw/text";
import { worded } from "../form/field";
import { guestStrings as say } from "../strings";
import { ActionStatus, FireButton } from "./kit/action";
import { useEmptyText } from "./kit/empty";
import { plain } from "./kit/markdown";
import { valueNode } from "./kit/value";
import { Whole } from "./kit/whole";
import { addStyles } from "./styles";
import css from "./styles/items.css?inline";

addStyles(css);

/** Kinds without a mark before each item. */
const IN_A_ROW = /^(colours|images|tags)$/;
const LIMIT = 500;
const LETTERS = lettersEach(LIMIT);

export function Items({ def, scope }: ComponentProps<"Items">) {
  const { locale } = useDraw();
  const title = useText(def.title, scope);
  const typed = useIsTyped(def.items, scope);
  const value = useValue(def.items, scope);
  const emptyText = useEmptyText([def.items], scope, useText(def.emptyText, scope) || say.noRows);
  const control = useActionControl(def.id, scope);
  const [picked, setPicked] = useState<number>();
  const { pick } = def;
  const all = arrayOf(value).map(text);
  const items = all.slice(0, LIMIT);
  const fire = (index: number) => {
    setPicked(index);
    control.fire(
      pick!.action,
      { [pick!.to]: items[index]! },
      { confirm: pick!.confirm, subject: shortName(items[index]!) },
    );
  };
  const drawn = items.map((item, index) => (
    <li key={index}>
      {pick ? (
        <FireButton
          action={pick.action}
          label={shorten(item, LETTERS)}
          accessibleLabel={`${pick.label}: ${shortName(item)}`}
          state={picked === index ? control.state : { phase: "idle" }}
          onFire={() => fire(index)}
        />
      ) : def.kind === "colours" || def.kind === "images" ? (
        valueNode(item, def.kind === "images" && !typed ? "image" : "colour", locale)
      ) : def.kind === "tags" ? (
        worded(shortName(item))
      ) : (
        <Whole text={item} letters={LETTERS} draw={typed ? undefined : plain} />
      )}
    </li>
  ));
  return (
    <section {...useRoot(def, scope, "items")} data-kind={pick ? "picks" : def.kind}>
      {title && <h2 class="g-title">{title}</h2>}
      {items.length === 0 ? (
        <p class="g-muted">{emptyText}</p>
      ) : def.kind === "numbers" && !pick ? (
        <ol>{drawn}</ol>
      ) : (
        <ul role={pick || IN_A_ROW.test(def.kind ?? "") ? "list" : undefined}>{drawn}</ul>
      )}
      {items.length < all.length && <p class="g-muted">{say.andMore(all.length - items.length)}</p>}
      {pick && <ActionStatus state={control.state} />}
    </section>
  );
}
