// Search: a text to look for, bound both ways; Escape empties it.

import type { ComponentProps } from "../draw/context";
import { useField, useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { text } from "../draw/text";
import { guestStrings as say } from "../strings";
import { Icon } from "./kit/icons";
import { addStyles } from "./styles";
import css from "./styles/search.css?inline";
import "./kit/field-styles";

addStyles(css);

export function Search({ def, scope }: ComponentProps<"Search">) {
  const [value, set] = useField(def.value, scope);
  const label = useText(def.label, scope);
  return (
    <label {...useRoot(def, scope, "search")}>
      <span class="g-hidden">{label || say.search}</span>
      <Icon name="search" />
      <input
        type="search"
        class="g-input"
        placeholder={label}
        value={text(value)}
        onInput={(event) => set(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && set("")}
      />
    </label>
  );
}
