// The text of a page: headings, markdown, and links to other pages; never HTML.

import type { ComponentChildren } from "preact";
import { Markdown, type PageLink } from "../../catalog/kit/markdown";
import { pageAddress } from "./place";

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*$/;
const FENCE = /^ {0,3}```/;

/** What is held true: everything before the line that begins the timeline. */
export function truthOf(content: string): string {
  const lines = content.split("\n");
  const rule = lines.findIndex((line) => line.trimEnd() === "---");
  return (rule < 0 ? lines : lines.slice(0, rule)).join("\n");
}

/** Links without a collection lead to that of the page they stand on. */
export function linkFrom(slug: string): PageLink {
  const collection = slug.includes("::") ? slug.slice(0, slug.indexOf("::") + 2) : "";
  return (target, label) => {
    const address = target.includes("::") ? target : collection + target.trim();
    return <a href={pageAddress(address)}>{label}</a>;
  };
}

/** Headings begin below that of the page; its own title is not said twice. */
export function Text({ source, title, page }: { source: string; title: string; page: PageLink }) {
  const nodes: ComponentChildren[] = [];
  let block: string[] = [];
  let fenced = false;
  const flush = () => {
    if (block.length > 0)
      nodes.push(<Markdown key={nodes.length} source={block.join("\n")} page={page} />);
    block = [];
  };
  for (const line of source.replace(/\r\n/g, "\n").split("\n")) {
    if (FENCE.test(line)) fenced = !fenced;
    const heading = fenced ? null : HEADING.exec(line);
    if (!heading) {
      block.push(line);
      continue;
    }
    flush();
    const [, marks, words] = heading;
    const Level = (["h2", "h2", "h3", "h4", "h5", "h6"] as const)[marks!.length - 1]!;
    if (nodes.length > 0 || words !== title) nodes.push(<Level key={nodes.length}>{words}</Level>);
  }
  flush();
  return <div class="s-text">{nodes}</div>;
}
