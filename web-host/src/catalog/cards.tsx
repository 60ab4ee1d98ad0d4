// Cards: records as tiles, each with its picture, its facts and what can be done with it.

import type { ComponentProps } from "../draw/context";
import { useRoot } from "../draw/node";
import { isObject, own } from "../draw/pointer";
import { text } from "../draw/text";
import { Marked, useChosen } from "./kit/chosen";
import { usePaged } from "./kit/paged";
import { isImageUrl, Picture } from "./kit/picture";
import { Actions, Facts, useRecords } from "./kit/records";
import { isFace } from "./kit/structure";
import { addStyles } from "./styles";
import css from "./styles/cards.css?inline";

addStyles(css);

const PAGE = 24;

export function Cards({ def, scope }: ComponentProps<"Cards">) {
  const records = useRecords(def, scope);
  const chosen = useChosen(def, scope);
  const [shown, more] = usePaged(records.rows, PAGE);
  const Name = records.title ? "h3" : "h2";
  // A face stands beside its name, and whoever has no picture is shown by initials.
  const hasFaces = isFace(def.imageField);
  return (
    <section {...useRoot(def, scope, "cards")}>
      {records.title && <h2 class="g-title">{records.title}</h2>}
      {shown.length === 0 && <p class="g-nodata">{records.emptyText}</p>}
      <ul class="g-tiles" role="list" aria-label={records.title || undefined}>
        {shown.map((row, index) => {
          const rowKey = records.keyOf(row, index);
          const name = records.titleOf(row, def.titleField);
          const picture = own(row, def.imageField);
          const address = isObject(picture)
            ? (own(picture, "src") ?? own(picture, "url") ?? own(picture, "href"))
            : picture;
          const image = records.typed ? "" : text(address);
          const title = (
            <Name>
              <Marked chosen={chosen} row={row} name={name} />
            </Name>
          );
          return (
            <li key={rowKey} class="g-tile" data-record={rowKey}>
              {!hasFaces && isImageUrl(image) && (
                <Picture url={image} words={text(own(picture, "alt") ?? own(picture, "caption"))} />
              )}
              <div>
                {hasFaces ? (
                  <div class="g-person">
                    <Picture class="g-face" url={isImageUrl(image) ? image : ""} of={name} />
                    {title}
                  </div>
                ) : (
                  title
                )}
                <Facts records={records} row={row} />
                <Actions
                  def={def}
                  scope={scope}
                  records={records}
                  row={row}
                  rowKey={rowKey}
                  name={name}
                />
              </div>
            </li>
          );
        })}
      </ul>
      {more}
    </section>
  );
}
