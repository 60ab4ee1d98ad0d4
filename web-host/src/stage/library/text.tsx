// The text of a page: headings, markdown, and links to other pages; never HTML.

import { Document } from "../../catalog/kit/document";
import type { PageLink } from "../../catalog/kit/markdown";
import { pageAddress } from "./place";

const HEADING = /^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*$/;

/** What is held true: everything before the line that begins the timeline. */
export function truthOf(content: string): string {
  const lines = content.split("\n");
  const rule = lines.findIndex((line) => line.trimEnd() === "---");
  return (rule < 0 ? lines : lines.slice(0, rule)).join("\n");
}

/** The words of a text without the marks around them; links that are cut off at its end, too. */
export function plain(source: string): string {
  return source
    .replace(/\[\[(?:[^\]|\n]*\|)?([^\]|\n]*)(?:\]\]|$)/g, "$1")
    .replace(/\[([^\]\n]+)\]\([^)\s]*(?:\)|$)/g, "$1")
    .replace(/(\*\*|`)([^*`\n]+)\1/g, "$2");
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
  const [first = ""] = source.trimStart().split("\n", 1);
  const isTitle = HEADING.exec(first.trimEnd())?.[1] === title;
  const rest = isTitle ? source.trimStart().slice(first.length) : source;
  return (
    <div class="g-text s-text">
      <Document source={rest} level={2} page={page} />
    </div>
  );
}
