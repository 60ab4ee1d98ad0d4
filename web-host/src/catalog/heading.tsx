// Heading: a title of a level, with an optional caption.

import type { ComponentProps } from "../draw/context";
import { useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { plain } from "./kit/markdown";

export function Heading({ def, scope }: ComponentProps<"Heading">) {
  const text = useText(def.text, scope);
  const caption = useText(def.caption, scope);
  const level = Math.min(Math.max(Math.round(Number(def.level ?? 2)) || 2, 1), 4);
  const Tag = `h${level}` as "h1";
  return (
    <header {...useRoot(def, scope, "heading")}>
      <Tag>{plain(text)}</Tag>
      {caption && <p class="g-muted">{caption}</p>}
    </header>
  );
}
