// Article: the sections of one text, as they are read, each with what can be done with it; or one
// record that is the whole text.

import type { ComponentProps } from "../draw/context";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { own } from "../draw/pointer";
import { text } from "../draw/text";
import type { Json } from "../wire/json";
import { Document } from "./kit/document";
import { isHeaded, plain } from "./kit/markdown";
import { usePaged } from "./kit/paged";
import { Actions, Facts, nameIn, useRecords, Value } from "./kit/records";
import { Whole } from "./kit/whole";
import { addStyles } from "./styles";
import css from "./styles/article.css?inline";

addStyles(css);

const PAGE = 50;
/** Letters of a section that are read without being asked for: some three pages. */
const LETTERS = 8000;

const isTexts = (value: Json | undefined): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

export function Article({ def, scope }: ComponentProps<"Article">) {
  const records = useRecords(def, scope);
  const [shown, more] = usePaged(records.rows, PAGE);
  // A text of several parts is drawn as its column says.
  const blocks = records.columns.find(({ field }) => field === def.textField);
  const others = records.columns.filter((column) => column !== blocks);
  const Name = records.title ? "h3" : "h2";
  return (
    <section {...useRoot(def, scope, "article")}>
      {records.title && <h2 class="g-title">{records.title}</h2>}
      {shown.length === 0 && <p class="g-nodata">{records.emptyText}</p>}
      {shown.map((row, index) => {
        const rowKey = records.keyOf(row, index);
        const title = nameIn(row, def.titleField);
        const number = text(own(row, def.numberField) ?? "");
        const lead = text(own(row, def.leadField) ?? "");
        const said = own(row, def.textField);
        const body = isTexts(said) ? said.join("\n\n") : text(said);
        const isMarkdown = def.textFormat === "markdown" || isHeaded(body);
        // Headings in a text stand below all that is above it.
        const level = (records.title ? 3 : 2) + (title || number ? 1 : 0);
        const document = (source: string) => (
          <Document {...{ source, level }} typed={records.typed} />
        );
        const drawn = isMarkdown ? document : records.typed ? undefined : plain;
        const facts = <Facts records={records} row={row} of={others} />;
        return (
          <div key={rowKey} class="g-passage" data-record={rowKey}>
            {(title || number) && (
              <Name>
                {number && <span class="g-muted">{number}</span>} {title}
              </Name>
            )}
            {lead && <p class="g-standfirst">{lead}</p>}
            {def.record && facts}
            <div class={isMarkdown ? "g-text" : "g-text g-written"}>
              {blocks && !isTexts(said) ? (
                <Value records={records} row={row} column={blocks} />
              ) : (
                <Whole text={body} letters={LETTERS} draw={drawn} />
              )}
            </div>
            {!def.record && facts}
            <Actions
              def={def}
              scope={scope}
              records={records}
              row={row}
              rowKey={rowKey}
              name={title || shortName(body)}
            />
          </div>
        );
      })}
      {more}
    </section>
  );
}
