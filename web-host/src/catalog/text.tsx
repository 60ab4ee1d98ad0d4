// Text: headings, captions and body in markdown.

import type { ComponentProps } from "../draw/context";
import { useIsTyped, useWhole } from "../draw/hooks";
import { shorten } from "../draw/limits";
import { useRoot } from "../draw/node";
import { Document } from "./kit/document";
import { inline, isHeaded, plain, unlinked } from "./kit/markdown";
import { Whole } from "./kit/whole";

export function Text({ def, scope }: ComponentProps<"Text">) {
  const [text, letters] = useWhole(def.text, scope);
  const typed = useIsTyped(def.text, scope);
  const root = useRoot(def, scope, "text");
  const variant = String(def.variant ?? "body");
  const asWritten = typed ? undefined : plain;
  if (/^h[1-5]$/.test(variant)) {
    const Tag = variant as "h1";
    return <Tag {...root}>{(typed ? unlinked : inline)(shorten(text, letters))}</Tag>;
  }
  return (
    <div {...root} data-variant={variant}>
      <Whole
        text={text}
        letters={letters}
        draw={
          variant === "plain" && !isHeaded(text)
            ? asWritten
            : (source) => <Document source={source} typed={typed} />
        }
      />
    </div>
  );
}
