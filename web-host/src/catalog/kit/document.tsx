// A markdown document as nodes: headings, lists, tasks, tables, quotes, code and rules.

import { type ComponentChildren, Fragment, h } from "preact";
import { addStyles } from "../styles";
import css from "../styles/text.css?inline";
import { inline, type PageLink, unlinked } from "./markdown";

addStyles(css);

const FENCE = /^ {0,3}(```+|~~~+)/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$/;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-*+]|\d{1,4}[.)])[ \t]+(.*)$/;
const COLUMNS = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const TASK = /^\[([ xX])\][ \t]+/;
/** Quotes and lists within each other; what is deeper is text. */
const DEPTH = 8;
/** The first heading of a document stands below the title of its card. */
const LEVEL = 3;

/** What all parts of one document are drawn with. */
interface Options {
  readonly level: number;
  readonly drawInline: (source: string) => ComponentChildren[];
}

interface DocumentProps {
  readonly source: string;
  /** The level of its first heading. */
  readonly level?: number;
  readonly page?: PageLink;
  /** It is user input, wholly or in part: there is no link in it. */
  readonly typed?: boolean;
}

export function Document({ source, level = LEVEL, page, typed }: DocumentProps) {
  const drawInline = typed ? unlinked : (words: string) => inline(words, page);
  const options = { level, drawInline };
  return <>{blocks(source.replace(/\r\n?/g, "\n").split("\n"), 0, options)}</>;
}

function blocks(lines: readonly string[], depth: number, options: Options): ComponentChildren[] {
  const nodes: ComponentChildren[] = [];
  const levels: number[] = [];
  const add = (tag: string, children: ComponentChildren, props: object = {}) =>
    nodes.push(h(tag, { key: nodes.length, ...props }, children));
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const upTo = (isOver: (line: string, index: number) => boolean) => {
      const from = at++;
      while (at < lines.length && !isOver(lines[at]!, at)) at++;
      return lines.slice(from, at);
    };
    const fence = FENCE.exec(line)?.[1];
    const heading = HEADING.exec(line);
    if (line.trim() === "") at++;
    else if (fence) {
      const [, ...code] = upTo((other) => other.trim().startsWith(fence));
      at++;
      add("pre", <code>{code.map((one) => `${one}\n`)}</code>, { tabIndex: 0 });
    } else if (heading) {
      const level = heading[1]!.length;
      while (levels.length > 0 && levels.at(-1)! >= level) levels.pop();
      levels.push(level);
      add(`h${Math.min(options.level - 1 + levels.length, 6)}`, options.drawInline(heading[2]!));
      at++;
    } else if (RULE.test(line)) {
      add("hr", null);
      at++;
    } else if (QUOTE.test(line) && depth < DEPTH) {
      const own = upTo((other) => !QUOTE.test(other)).map((other) => other.replace(QUOTE, ""));
      add("blockquote", blocks(own, depth + 1, options));
    } else if (ITEM.test(line) && depth < DEPTH) {
      nodes.push(
        <Items
          key={nodes.length}
          lines={upTo((_, index) => ends(lines, index, line))}
          depth={depth}
          options={options}
        />,
      );
    } else if (isTable(lines, at)) {
      nodes.push(
        <Rows
          key={nodes.length}
          lines={upTo((other) => !other.includes("|") || !other.trim())}
          options={options}
        />,
      );
    } else {
      const own = upTo((other, index) => other.trim() === "" || interrupts(lines, index, depth));
      add("p", broken(own, options));
    }
  }
  return nodes;
}

/** Lines as they were written: agents break them on purpose. */
function broken(lines: readonly string[], { drawInline }: Options): ComponentChildren {
  return lines.map((line, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {drawInline(line.trim())}
    </Fragment>
  ));
}

const isTable = (lines: readonly string[], at: number) =>
  lines[at]!.includes("|") && lines[at + 1]?.includes("-") && COLUMNS.test(lines[at + 1]!);

/** What begins something else without an empty line before it. */
function interrupts(lines: readonly string[], at: number, depth: number): boolean {
  const line = lines[at]!;
  if (FENCE.test(line) || HEADING.test(line) || RULE.test(line) || isTable(lines, at)) return true;
  if (depth >= DEPTH) return false;
  const marker = ITEM.exec(line)?.[2];
  // A year may begin a line; a list that follows a text begins with one.
  const begins = marker !== undefined && (!/\d/.test(marker) || Number.parseInt(marker, 10) === 1);
  return begins || QUOTE.test(line);
}

/**
 * A list ends with a list of another kind, a heading or code, or after an empty line that nothing
 * of it follows.
 */
function ends(lines: readonly string[], at: number, first: string): boolean {
  const line = lines[at]!;
  if (HEADING.test(line) || FENCE.test(line)) return true;
  const next = line.trim() === "" ? lines.slice(at).find((other) => other.trim() !== "") : line;
  if (next === undefined) return true;
  const [, indent, marker] = ITEM.exec(first)!;
  const item = ITEM.exec(next);
  if (item && item[1]!.length <= indent!.length) return /\d/.test(item[2]!) !== /\d/.test(marker!);
  if (RULE.test(next)) return true;
  return line.trim() === "" && !item && !/^ {2}/.test(next);
}

interface ItemsProps {
  readonly lines: readonly string[];
  readonly depth: number;
  readonly options: Options;
}

function Items({ lines, depth, options }: ItemsProps) {
  const [, indent, marker] = ITEM.exec(lines[0]!)!;
  const items: string[][] = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item && item[1]!.length <= indent!.length) items.push([item[3]!]);
    // What stands below an item stands within it, without the room before it.
    else items.at(-1)!.push(line.replace(/^ {1,4}/, ""));
  }
  const isOrdered = /\d/.test(marker!);
  const start = Number.parseInt(marker!, 10);
  const own = items.map((item, index) => {
    const done = TASK.exec(item[0]!)?.[1];
    const words = done === undefined ? item : [item[0]!.replace(TASK, ""), ...item.slice(1)];
    const inner = words.length > 1 ? words.slice(1) : [];
    return (
      <li key={index} data-task={done === undefined ? undefined : done.trim() !== ""}>
        {done !== undefined && <span aria-hidden="true">{done.trim() ? "☑ " : "☐ "}</span>}
        {options.drawInline(words[0]!)}
        {blocks(inner, depth + 1, options)}
      </li>
    );
  });
  return isOrdered ? <ol start={start === 1 ? undefined : start}>{own}</ol> : <ul>{own}</ul>;
}

const cells = (line: string) =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

function Rows({ lines, options }: { lines: readonly string[]; options: Options }) {
  const [head, aligned, ...rows] = lines.map(cells);
  const side = (at: number) => {
    const rule = aligned?.[at] ?? "";
    return rule.endsWith(":") ? { textAlign: rule.startsWith(":") ? "center" : "end" } : undefined;
  };
  return (
    <div class="g-text-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head!.map((cell, at) => (
              <th key={at} scope="col" style={side(at)}>
                {options.drawInline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {head!.map((_, at) => (
                <td key={at} style={side(at)}>
                  {options.drawInline(row[at] ?? "")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
