// One value in its format, as the components that show data print it.

import type { ComponentChildren } from "preact";
import { useDraw } from "../../draw/context";
import { formatValue } from "../../draw/format";
import { MIN_TEXT, shortName } from "../../draw/limits";
import { text } from "../../draw/text";
import { toneOf } from "../../draw/tone";
import { humanise, worded } from "../../form/field";
import { guestStrings as say } from "../../strings";
import type { Json } from "../../wire/json";
import { Icon } from "./icons";
import { inline, plain, unlinked } from "./markdown";
import { isTechnical, nameById } from "./names";
import { isImageUrl, isWebUrl, Link, Picture } from "./picture";
import { Stars } from "./stars";
import { AndMore, type Shown, Structure } from "./structure";
import { Whole } from "./whole";
import "./data-styles";

/** `letters` is how many characters of a long text are shown. */
export function valueNode(
  value: Json | undefined,
  format: string | undefined,
  locale: string,
  currency?: Json,
  letters?: number,
  shown?: Shown,
): ComponentChildren {
  if (
    typeof value === "boolean" &&
    (format === "boolean" || format === undefined || format === "text")
  ) {
    return value ? <Icon name="check" label={say.yes} /> : <span class="g-muted">{say.no}</span>;
  }
  const isListed = format === "tags" || format === "choice";
  if (isEmpty(value) && isListed) return <span class="g-muted">{say.none}</span>;
  // What is counted in thousands, as chess players are, is no row of stars.
  if (typeof value === "number" && format === "rating" && value > MAX_STARS) return text(value);
  if (typeof value === "number" && format === "rating")
    return <Stars value={value} locale={locale} />;
  if (Array.isArray(value) && isListed)
    return (
      <span class="g-tags">
        {value.slice(0, MAX_TAGS).map((item, index) => (
          <span key={index} class="g-badge">
            {format === "choice" ? (
              humanise(shortName(text(item)))
            ) : isTechnical(item) ? (
              <Named id={item} words={worded(item)} />
            ) : (
              worded(shortName(text(item)))
            )}
          </span>
        ))}
        <AndMore count={value.length - MAX_TAGS} />
      </span>
    );
  // A row of swatches or of pictures says more than one of them.
  if (Array.isArray(value) && (format === "image" || format === "colour") && value.every(isText))
    return (
      <span class="g-tags">
        {value.slice(0, MAX_PICTURES).map((item, index) => (
          <span key={index}>{valueNode(item, format, locale, undefined, undefined, shown)}</span>
        ))}
        <AndMore count={value.length - MAX_PICTURES} />
      </span>
    );
  if (typeof value === "object" && value !== null && format !== "json")
    return (
      <Structure value={value} draw={valueNode} format={format} shown={shown} currency={currency} />
    );
  if (value !== undefined && value !== null && format === "reference" && shown?.refers)
    return (
      <Structure value={value} draw={valueNode} format={format} shown={shown} currency={currency} />
    );
  if (typeof value === "number" && shown?.unit)
    return `${formatValue(value, format, locale)} ${shown.unit}`;
  if (typeof value === "string" && value !== "") {
    if (format === "markdown")
      return <Whole text={value} letters={letters} draw={shown?.typed ? unlinked : inline} />;
    if (format === "colour" && /^#[0-9a-f]{3,8}$/i.test(value))
      return MARKED.test(shown?.field ?? "") ? (
        <span
          class="g-swatch"
          role="img"
          aria-label={value}
          title={value}
          style={{ background: value }}
        />
      ) : (
        <>
          <span class="g-swatch" style={{ background: value }} />
          {value}
        </>
      );
    if (format === "badge")
      return (
        <span class="g-badge" data-tone={toneOf(value)}>
          {humanise(shortName(value))}
        </span>
      );
    if (format === "choice") return humanise(shortName(value));
    if (format === "code")
      return (
        <code>
          <Whole text={value} letters={letters} />
        </code>
      );
    if (!shown?.typed) {
      if (format === "url" && isWebUrl(value)) return <Link url={value} />;
      if (format === "email") return <a href={`mailto:${value}`}>{shortName(value)}</a>;
      if (format === "image" && isImageUrl(value))
        return <Picture class="g-thumb" url={value} of={shown?.of} />;
    }
  }
  if (isTechnical(value) && (format === undefined || format === "text"))
    return <Named id={value} />;
  const written = formatValue(value, format, locale, currency);
  const draw = shown?.typed || typeof value !== "string" ? undefined : plain;
  if (written.length > MIN_TEXT) return <Whole text={written} letters={letters} draw={draw} />;
  return draw ? draw(written) : written;
}

/** A colour by which something is known, rather than one that is spoken of. */
const MARKED = /(colou?r|hue)$/i;

/** Whether a list has nothing in it. */
export function isEmpty(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The most stars of a rating; higher ones are points. */
const MAX_STARS = 10;

/** Pictures and swatches of one value: two lines of them. */
const MAX_PICTURES = 24;

function isText(value: Json): value is string {
  return typeof value === "string";
}

/** Tags of one value: some lines of them. */
const MAX_TAGS = 100;

/** The name of the record with this id, if the page has it; else other words for it. */
function Named({ id, words = id }: { id: string; words?: string }) {
  const { model } = useDraw();
  return <>{shortName(nameById(id, model) ?? words)}</>;
}
