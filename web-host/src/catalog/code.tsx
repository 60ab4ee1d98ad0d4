// Code: text or JSON as it is, with a copy button.

import type { ComponentProps } from "../draw/context";
import { useText, useValue } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { guestStrings as say } from "../strings";
import { CopyButton } from "./kit/copy";

export function Code({ def, scope }: ComponentProps) {
  const title = useText(def.title, scope);
  const value = useValue(def.value, scope);
  const source = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value, null, 2);
  return (
    <section {...useRoot(def, scope, "code")}>
      <div class="g-head"><h2 class="g-title">{title}</h2>{source && <CopyButton value={() => source} />}</div>
      {source ? <pre tabIndex={0} data-language={def.language}><code>{source}</code></pre> : <p class="g-muted">{say.noData}</p>}
    </section>
  );
}
