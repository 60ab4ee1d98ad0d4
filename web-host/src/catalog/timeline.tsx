// Timeline: what happened or will happen, one moment below the other.

import type { ComponentProps } from "../draw/context";
import { formatMoment } from "../draw/format";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { own } from "../draw/pointer";
import { text } from "../draw/text";
import { toneOf } from "../draw/tone";
import { humanise } from "../form/field";
import { plain } from "./kit/markdown";
import { usePaged } from "./kit/paged";
import { Actions, Facts, useRecords } from "./kit/records";
import { Whole } from "./kit/whole";
import { addStyles } from "./styles";
import css from "./styles/timeline.css?inline";

addStyles(css);

const PAGE = 50;

export function Timeline({ def, scope }: ComponentProps<"Timeline">) {
  const records = useRecords(def, scope);
  const [shown, more] = usePaged(records.rows, PAGE);
  return (
    <section {...useRoot(def, scope, "timeline")}>
      {records.title && <h2 class="g-title">{records.title}</h2>}
      {shown.length === 0 && <p class="g-nodata">{records.emptyText}</p>}
      <ol role="list" aria-label={records.title || undefined}>
        {shown.map((row, index) => {
          const rowKey = records.keyOf(row, index);
          const at = own(row, def.timeField) ?? null;
          const name = records.nameOf(row, def.titleField);
          const title = def.titleFormat === "choice" ? humanise(name) : name;
          const body = text(own(row, def.textField));
          return (
            <li
              key={rowKey}
              data-tone={def.toneField ? toneOf(text(own(row, def.toneField))) : undefined}
            >
              {at !== null && (
                <time class="g-muted">
                  {formatMoment(at, def.timeFormat ?? "datetime", records.locale)}
                </time>
              )}
              {title && <strong>{title}</strong>}
              {body && (
                <div class="g-text g-written">
                  <Whole text={body} draw={records.typed ? undefined : plain} />
                </div>
              )}
              <Facts records={records} row={row} />
              <Actions
                def={def}
                scope={scope}
                records={records}
                row={row}
                rowKey={rowKey}
                name={title || shortName(body)}
              />
            </li>
          );
        })}
      </ol>
      {more}
    </section>
  );
}
