// The columns of a board that hold their cards themselves.

import type { ComponentProps } from "../draw/context";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { arrayOf, own } from "../draw/pointer";
import { text } from "../draw/text";
import { guestStrings as say } from "../strings";
import { Actions, Facts, nameIn, useRecords } from "./kit/records";

/** Cards of one column. */
const SHOWN = 50;

export function Lanes({ def, scope }: ComponentProps<"Board">) {
  const records = useRecords(def, scope);
  const Name = records.title ? "h3" : "h2";
  return (
    <section {...useRoot(def, scope, "board")}>
      {records.title && <h2 class="g-title">{records.title}</h2>}
      {records.rows.length === 0 && <p class="g-nodata">{records.emptyText}</p>}
      <div class="g-board-columns">
        {records.rows.map((lane, at) => {
          const name = nameIn(lane, def.groupField) || say.untitled;
          const cards = arrayOf(own(lane, def.cardsField));
          return (
            <section key={at} class="g-board-column" aria-label={say.group(name, cards.length)}>
              <Name>
                {name} <span class="g-muted">{cards.length}</span>
              </Name>
              {cards.slice(0, SHOWN).map((card, index) => {
                const cardKey = shortName(text(own(card, def.key))) || `${at}.${index}`;
                const title = nameIn(card, def.titleField) || say.untitled;
                return (
                  <article
                    key={cardKey}
                    class="g-board-card"
                    data-card={cardKey}
                    aria-label={title}
                  >
                    <strong>{title}</strong>
                    <Facts records={records} row={card} />
                    <Actions
                      def={def}
                      scope={scope}
                      records={records}
                      row={card}
                      rowKey={cardKey}
                      name={title}
                    />
                  </article>
                );
              })}
              {cards.length === 0 && <p class="g-muted">{say.nothingHere}</p>}
              {cards.length > SHOWN && <p class="g-muted">{say.andMore(cards.length - SHOWN)}</p>}
            </section>
          );
        })}
      </div>
    </section>
  );
}
