// Text: headings, captions and body with a little markdown.

import type { ComponentProps } from "../draw/context";
import { useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { inline, Markdown } from "./kit/markdown";

export function Text({ def, scope }: ComponentProps) {
  const text = useText(def.text, scope);
  const root = useRoot(def, scope, "text");
  const variant = String(def.variant ?? "body");
  if (/^h[1-5]$/.test(variant)) {
    const Tag = variant as "h1";
    return <Tag {...root}>{inline(text)}</Tag>;
  }
  return (
    <div {...root} data-variant={variant}>
      <Markdown source={text} />
    </div>
  );
}
