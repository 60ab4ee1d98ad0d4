// Code: text or JSON as it is, with a copy button.

import type { ComponentProps } from "../draw/context";
import { useText, useValue } from "../draw/hooks";
import { MAX_SOURCE } from "../draw/limits";
import { useRoot } from "../draw/node";
import { isArray } from "../draw/pointer";
import { guestStrings as say } from "../strings";
import type { Json } from "../wire/json";
import { CopyButton } from "./kit/copy";
import { useEmptyText } from "./kit/empty";
import { Whole } from "./kit/whole";
import { addStyles } from "./styles";
import css from "./styles/code.css?inline";

addStyles(css);

export function Code({ def, scope }: ComponentProps<"Code">) {
  const title = useText(def.title, scope);
  const value = useValue(def.value, scope);
  const emptyText = useEmptyText([def.value], scope, say.noData);
  const source =
    typeof value === "string"
      ? value
      : value === undefined || value === null
        ? ""
        : jsonText(value);
  return (
    <section {...useRoot(def, scope, "code")}>
      <div class="g-head">
        {title && <h2 class="g-title">{title}</h2>}
        {source && <CopyButton value={() => source} />}
      </div>
      {source ? (
        <pre tabIndex={0} role="region" aria-label={title || say.code} data-language={def.language}>
          <code>
            <Whole text={source} letters={MAX_SOURCE} />
          </code>
        </pre>
      ) : (
        <p class="g-muted">{emptyText}</p>
      )}
    </section>
  );
}

const LINE = 72;

/** Levels that are indented; deeper ones stay on one line. */
const LEVELS = 20;

/** JSON with line breaks only where a line would grow too long. */
export function jsonText(value: Json, indent = ""): string {
  if (typeof value !== "object" || value === null || indent.length > 2 * LEVELS)
    return JSON.stringify(value);
  const deeper = `${indent}  `;
  const write = (inner: string) =>
    isArray(value)
      ? value.map((item) => jsonText(item, inner))
      : Object.entries(value).map(
          ([name, item]) => `${JSON.stringify(name)}: ${jsonText(item ?? null, inner)}`,
        );
  const [open, close] = isArray(value) ? "[]" : "{}";
  if (indent.length + JSON.stringify(value).length <= LINE) {
    const flat = `${open}${write(indent).join(", ")}${close}`;
    if (flat.length + indent.length <= LINE) return flat;
  }
  return `${open}\n${write(deeper)
    .map((part) => deeper + part)
    .join(",\n")}\n${indent}${close}`;
}
