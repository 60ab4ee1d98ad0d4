// What stands within a line of markdown, as nodes and never as HTML text: bold, italic, code and links.

import type { ComponentChildren } from "preact";

// Underscores stand in names of programs and in addresses far more often than they emphasise: they stay, as does a star within a word.
const INLINE =
  /`([^`\n]+)`|(https?:\/\/[^\s<>)\]]+)|(?<![\w*])\*\*([^*\s](?:[^*\n]*[^*\s])?)\*\*(?![\w*])|(?<![\w*])\*([^*\s](?:[^*\n]*[^*\s])?)\*(?![\w*])|\[([^\]\n]{1,300})\]\((https?:\/\/[^\s)]{1,2000})\)/g;

export function inline(source: string): ComponentChildren[] {
  const nodes: ComponentChildren[] = [];
  let at = 0;
  for (const match of source.matchAll(INLINE)) {
    if (match.index > at) nodes.push(source.slice(at, match.index));
    const [whole, code, address, strong, em, label, href] = match;
    const key = nodes.length;
    if (code) nodes.push(<code key={key}>{code}</code>);
    else if (address) nodes.push(address);
    else if (strong) nodes.push(<strong key={key}>{inline(strong)}</strong>);
    else if (em) nodes.push(<em key={key}>{inline(em)}</em>);
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
