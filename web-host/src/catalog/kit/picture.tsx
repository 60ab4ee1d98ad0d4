// Pictures by their addresses, and what stands in their place where they cannot be loaded.

import { useState } from "preact/hooks";
import { shortName } from "../../draw/limits";
import { own } from "../../draw/pointer";
import { text } from "../../draw/text";
import { guestStrings as say } from "../../strings";
import type { JsonObject } from "../../wire/json";
import type { Column } from "../../wire/view";

export function isWebUrl(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

export function Link({ url, words }: { url: string; words?: string }) {
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {words || shortName(url.replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, ""))}
    </a>
  );
}

/** The letters that stand for somebody without a picture. */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters.map((word) => (word ? [...word][0]! : "")).join("");
}

interface PictureProps {
  readonly url: string;
  readonly class?: string;
  /** Whose face it is. */
  readonly of?: string;
  /** What it shows, for whoever cannot see it. */
  readonly words?: string;
}

/**
 * A picture beside a text; what cannot be loaded is the initials of whom it shows, or a link in its
 * words.
 */
export function Picture({ url, class: name, of, words }: PictureProps) {
  const [broken, setBroken] = useState("");
  if (url === broken && of)
    return (
      <span class="g-thumb g-initials" aria-hidden="true">
        {initialsOf(of)}
      </span>
    );
  if (url === broken) {
    const link = isWebUrl(url) ? (
      <Link url={url} words={words || say.noImage} />
    ) : (
      <span>{words}</span>
    );
    return name ? link : <div class="g-broken">{link}</div>;
  }
  return (
    <img class={name} src={url} alt={words ?? ""} loading="lazy" onError={() => setBroken(url)} />
  );
}

export function isImageUrl(url: string): boolean {
  return /^(https?:\/\/|data:image\/)/i.test(url);
}

/** An address of which it is known that it is that of a picture. */
const PICTURE = /^data:image\/|\.(avif|gif|jpe?g|png|svg|webp)([?#]|$)/i;

/**
 * The member with the address of a record that is a picture: one address, and texts about it. A
 * link has the same, a name beside it, so something has to say that this is none.
 */
export function pictureIn<Part extends Pick<Column, "field" | "format">>(
  record: JsonObject,
  parts: readonly Part[],
  format: string | undefined,
): Part | undefined {
  if (Object.values(record).some((member) => member !== null && typeof member !== "string"))
    return undefined;
  const [found, ...others] = parts.filter(
    ({ field }) => /^(src|url|href)$/.test(field) && isImageUrl(text(own(record, field))),
  );
  const isPicture =
    format === "image" ||
    found?.format === "image" ||
    found?.field === "src" ||
    own(record, "alt") !== undefined ||
    PICTURE.test(text(own(record, found?.field)));
  return isPicture && others.length === 0 ? found : undefined;
}
