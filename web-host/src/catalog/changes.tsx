// Changes: records that are each one change of a text, with the words that were removed and added
// marked in it, and what can be done with each.

import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import type { ComponentProps } from "../draw/context";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { own } from "../draw/pointer";
import { text } from "../draw/text";
import { guestStrings as say } from "../strings";
import type { Json } from "../wire/json";
import type { Column } from "../wire/view";
import { Marked, useChosen } from "./kit/chosen";
import { usePaged } from "./kit/paged";
import { Actions, Facts, type Records, useRecords, Value } from "./kit/records";
import { isEmpty } from "./kit/value";
import { Whole } from "./kit/whole";
import { compareWords, type Run } from "./kit/words";
import { addStyles } from "./styles";
import article from "./styles/article.css?inline";
import css from "./styles/changes.css?inline";

addStyles(article);
addStyles(css);

interface ReplacedProps {
  readonly records: Records;
  readonly row: Json;
  readonly sides: readonly (Column | undefined)[];
}

const PAGE = 50;
/** Letters of a change that are read without being asked for: some three pages. */
const LETTERS = 8000;

export function Changes({ def, scope }: ComponentProps<"Changes">) {
  const records = useRecords(def, scope);
  const chosen = useChosen(def, scope);
  const [shown, more] = usePaged(records.rows, PAGE);
  const sides = [def.beforeField, def.afterField].map((side) =>
    records.columns.find(({ field }) => field === side),
  );
  const facts = records.columns.filter((column) => !sides.includes(column));
  const Name = records.title ? "h3" : "h2";
  return (
    <section {...useRoot(def, scope, "changes")}>
      {records.title && <h2 class="g-title">{records.title}</h2>}
      {shown.length === 0 && <p class="g-nodata">{records.emptyText}</p>}
      <ul role="list" aria-label={records.title || undefined}>
        {shown.map((row, index) => {
          const rowKey = records.keyOf(row, index);
          const title = records.nameOf(row, def.titleField);
          const number = shortName(text(own(row, def.numberField)));
          const before = text(own(row, def.beforeField));
          const after = text(own(row, def.afterField));
          const name = title || number || shortName(after || before);
          return (
            <li key={rowKey} class="g-passage" data-record={rowKey}>
              {(title || number || chosen) && (
                <Name>
                  {title && number && <span class="g-muted">{number}</span>}{" "}
                  <Marked chosen={chosen} row={row} name={title || number || say.untitled} />
                </Name>
              )}
              {isText(row, def.beforeField) && isText(row, def.afterField) ? (
                <Change before={before} after={after} />
              ) : (
                <Replaced {...{ records, row }} sides={sides} />
              )}
              <Facts records={records} row={row} of={facts} />
              <Actions
                def={def}
                scope={scope}
                records={records}
                row={row}
                rowKey={rowKey}
                name={name}
              />
            </li>
          );
        })}
      </ul>
      {more}
    </section>
  );
}

const isText = (row: Json, field = "") => typeof (own(row, field) ?? "") === "string";

/** Values that are no texts, the old one before the new one. */
function Replaced({ records, row, sides }: ReplacedProps) {
  return (
    <p class="g-change g-written" data-replaced>
      {sides.map((column, index) => {
        if (!column || isEmpty(own(row, column.field))) return undefined;
        const mark = index === 0 ? "removed" : "added";
        const Part = PARTS[mark];
        return (
          <Fragment key={mark}>
            <span class="g-hidden">{` ${say.marks[mark]} `}</span>
            <Part>
              <Value records={records} row={row} column={column} />
            </Part>
          </Fragment>
        );
      })}
    </p>
  );
}

function Change({ before, after }: { before: string; after: string }) {
  const runs = useMemo(() => compareWords(before, after), [before, after]);
  const isReplaced = runs.length > 1 && runs.every(({ mark }) => mark !== "same");
  return (
    <>
      {runs.length > 0 && (
        <p class="g-change g-written" data-replaced={isReplaced || undefined}>
          <Whole
            text={runs.map(({ text }) => text).join("")}
            letters={LETTERS}
            draw={(shown) => marked(runs, shown)}
          />
        </p>
      )}
      {before === after && <p class="g-muted">{say.noChange}</p>}
    </>
  );
}

const PARTS = { added: "ins", removed: "del", same: "span" } as const;

/** As much of the runs as is shown; what only their looks would say is heard, too. */
function marked(runs: readonly Run[], shown: string) {
  let end = 0;
  return runs.map((run, index) => {
    const start = end;
    end += run.text.length;
    const Part = PARTS[run.mark];
    const isHeard = index > 0 || run.mark !== "same";
    return (
      start < shown.length && (
        <Fragment key={index}>
          {isHeard && <span class="g-hidden">{` ${say.marks[run.mark]} `}</span>}
          <Part>{shown.slice(start, end)}</Part>
        </Fragment>
      )
    );
  });
}
