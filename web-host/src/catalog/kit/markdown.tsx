// What stands within a line of markdown, as nodes and never as HTML text: bold, italic, code and
// links.

import { type ComponentChildren, Fragment } from "preact";

/**
 * Draws a link to another page, written `[[target]]` or `[[target|label]]`; without it the text
 * stays as it is.
 */
export type PageLink = (target: string, label: string) => ComponentChildren;

// Underscores stand in names of programs and in addresses far more often than they emphasise: they
// stay, as does a star within a word.
const INLINE =
  /`([^`\n]+)`|(https?:\/\/[^\s<>)\]]+)|(?<![\w*])\*\*([^*\s](?:[^*\n]*[^*\s])?)\*\*(?![\w*])|(?<![\w*])\*([^*\s](?:[^*\n]*[^*\s])?)\*(?![\w*])|\[([^\]\n]{1,300})\]\((https?:\/\/[^\s)]{1,2000})\)|\[\[([^\]|\n]{1,600})(?:\|([^\]\n]{1,300}))?\]\]/g;

/**
 * Words between two stars, or two pairs of them, that stand as words do; those of a path are not.
 * Between single ones there are whole words: a star behind a price is a footnote.
 */
const STARRED =
  /(?<![^\s("'“‘„«—–-])(?:\*\*([^*\s](?:[^*\n]*[^*\s])?)\*\*|\*([\p{L}\p{N}][^*\n]*[\p{L}\p{N}.!?])\*)(?![^\s.,;:!?)"'”’»…—–-])/u;

/** Whether a text has a lower heading in Markdown, whatever is said of it: `#` may be a comment. */
export function isHeaded(source: string): boolean {
  return /^#{2,4} \S/m.test(source);
}

/**
 * A plain text. Whoever writes with a model at hand puts stars around what matters, whatever the
 * schema says: those words are bold or italic, and nothing else of it is read as Markdown.
 */
export function plain(source: string): ComponentChildren {
  const found = source.split(STARRED);
  if (found.length === 1) return source;
  return found.map((words, at) =>
    at % 3 === 0 || words === undefined ? (
      words
    ) : at % 3 === 1 ? (
      <strong key={at}>{words}</strong>
    ) : (
      <em key={at}>{words}</em>
    ),
  );
}

/** A line in which somebody types: its links stay as they are written. */
export const unlinked = (source: string): ComponentChildren[] => inline(source, undefined, false);

export function inline(source: string, page?: PageLink, links = true): ComponentChildren[] {
  const nodes: ComponentChildren[] = [];
  let at = 0;
  for (const match of source.matchAll(INLINE)) {
    if (match.index > at) nodes.push(source.slice(at, match.index));
    const [whole, code, address, strong, em, label, href, target, named] = match;
    const key = nodes.length;
    if (code) nodes.push(<code key={key}>{code}</code>);
    else if (address) nodes.push(address);
    else if (strong) nodes.push(<strong key={key}>{inline(strong, page, links)}</strong>);
    else if (em) nodes.push(<em key={key}>{inline(em, page, links)}</em>);
    else if (target)
      nodes.push(page ? <Fragment key={key}>{page(target, named ?? target)}</Fragment> : whole);
    else if (!links) nodes.push(whole);
    else
      nodes.push(
        <a key={key} href={href} rel="noreferrer noopener" target="_blank">
          {label}
        </a>,
      );
    at = match.index + whole.length;
  }
  if (at < source.length) nodes.push(source.slice(at));
  return nodes;
}
