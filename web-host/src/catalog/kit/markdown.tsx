// A small markdown: bold, italic, code, links and lists, as nodes and never as HTML text.

import { type ComponentChildren, Fragment } from "preact";

const INLINE =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|__([^_\n]+)__|\*([^*\s][^*\n]*)\*|\b_([^_\n]+)_\b|\[([^\]\n]{1,300})\]\((https?:\/\/[^\s)]{1,2000})\)/g;

export function inline(source: string): ComponentChildren[] {
  const nodes: ComponentChildren[] = [];
  let at = 0;
  for (const match of source.matchAll(INLINE)) {
    if (match.index > at) nodes.push(source.slice(at, match.index));
    const [whole, code, strong, strong2, em, em2, label, href] = match;
    const key = nodes.length;
    if (code) nodes.push(<code key={key}>{code}</code>);
    else if (strong ?? strong2)
      nodes.push(<strong key={key}>{inline((strong ?? strong2)!)}</strong>);
    else if (em ?? em2) nodes.push(<em key={key}>{inline((em ?? em2)!)}</em>);
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

export function Markdown({ source }: { source: string }) {
  return (
    <>
      {source.split(/\n{2,}/).map((block, index) => (
        <Block key={index} source={block} />
      ))}
    </>
  );
}

function Block({ source }: { source: string }) {
  const lines = source.split("\n").filter((line) => line.trim() !== "");
  const bullets = lines.length > 0 && lines.every((line) => /^\s*[-*+]\s+/.test(line));
  const numbers = lines.length > 0 && lines.every((line) => /^\s*\d{1,4}[.)]\s+/.test(line));
  if (bullets || numbers) {
    const items = lines.map((line, index) => (
      <li key={index}>{inline(line.replace(/^\s*([-*+]|\d+[.)])\s+/, ""))}</li>
    ));
    return bullets ? <ul>{items}</ul> : <ol>{items}</ol>;
  }
  return (
    <p>
      {lines.map((line, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          {inline(line)}
        </Fragment>
      ))}
    </p>
  );
}
