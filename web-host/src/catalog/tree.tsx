// Tree: records inside records, opened with the arrow keys, and the facts of the chosen one beside
// them.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ComponentProps } from "../draw/context";
import { useValue } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { arrayOf, isObject, own } from "../draw/pointer";
import { humanise } from "../form/field";
import { guestStrings as say } from "../strings";
import type { Json } from "../wire/json";
import { useChosen } from "./kit/chosen";
import { Icon } from "./kit/icons";
import { Actions, Facts, nameIn, useRecords } from "./kit/records";
import { addStyles } from "./styles";
import css from "./styles/tree.css?inline";

addStyles(css);

const MAX_DEPTH = 32;
const MAX_SHOWN = 1000;
/** A tree up to this many nodes stands open from the start. */
const OPEN_UP_TO = 30;

interface Item {
  readonly row: Json;
  /** Its name below those of its parents: an item stays itself when others come before it. */
  readonly path: string;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly parent: string;
}

/** Records of one array by their parents; one whose parent is not there stands at the top. */
function nest(rows: readonly Json[], key: string | undefined, parentField: string | undefined) {
  if (!parentField) return undefined;
  const ids = new Set(rows.map((row) => own(row, key) ?? null));
  const roots: Json[] = [];
  const children = new Map<Json, Json[]>();
  for (const row of rows) {
    const parent = own(row, parentField) ?? null;
    if (parent === null || !ids.has(parent)) roots.push(row);
    else children.set(parent, [...(children.get(parent) ?? []), row]);
  }
  return { roots, children };
}

export function Tree({ def, scope }: ComponentProps<"Tree">) {
  const records = useRecords(def, scope);
  const root = useValue(def.root, scope);
  const nested = useMemo(() => nest(records.rows, def.key, def.parentField), [records.rows, def]);
  const roots = def.root ? (isObject(root) ? [root] : []) : (nested?.roots ?? records.rows);
  const childrenOf = (row: Json): readonly Json[] => {
    if (nested) return nested.children.get(own(row, def.key) ?? null) ?? [];
    return arrayOf(own(row, def.childrenField));
  };
  const size = (rows: readonly Json[], depth: number): number =>
    depth > MAX_DEPTH
      ? 0
      : rows.reduce((sum: number, row) => sum + 1 + size(childrenOf(row), depth + 1), 0);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const startsOpen = size(roots, 0) <= OPEN_UP_TO;
  const isOpen = (path: string, level: number) => (startsOpen || level === 0) !== toggled.has(path);
  const [chosen, setChosen] = useState<string>();
  const slot = useChosen(def, scope);
  const list = useRef<HTMLUListElement>(null);
  const goes = useRef(false);

  const items: Item[] = [];
  const nameOf = (row: Json) => {
    const name = nameIn(row, def.titleField) || say.untitled;
    return def.titleFormat === "choice" ? humanise(name) : name;
  };
  const collect = (rows: readonly Json[], parent: string, level: number) => {
    const times = new Map<string, number>();
    rows.forEach((row, index) => {
      if (items.length >= MAX_SHOWN || level > MAX_DEPTH) return;
      const name = nameOf(row);
      times.set(name, (times.get(name) ?? 0) + 1);
      const path = `${parent}\n${times.get(name)} ${name}`;
      items.push({ row, path, level, position: index + 1, siblings: rows.length, parent });
      if (isOpen(path, level)) collect(childrenOf(row), path, level + 1);
    });
  };
  collect(roots, "", 0);
  const found = items.findIndex(({ path, row }) =>
    chosen === undefined ? slot?.has(row) : path === chosen,
  );
  // Where the chosen one is gone its neighbour takes its place.
  const last = useRef(0);
  const at = (last.current =
    found < 0 ? Math.max(0, Math.min(last.current, items.length - 1)) : found);
  const current = items[at];

  const choose = (path: string, focus = true) => {
    setChosen(path);
    const next = items.find((item) => item.path === path);
    if (next) slot?.choose(next.row);
    goes.current = focus;
  };
  useLayoutEffect(() => {
    if (goes.current) list.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    goes.current = false;
  });
  const toggle = (path: string) =>
    setToggled((before) => {
      const next = new Set(before);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  const keys = (event: KeyboardEvent) => {
    if (!current) return;
    const rtl = getComputedStyle(list.current!).direction === "rtl";
    const inner = childrenOf(current.row).length > 0;
    const open = inner && isOpen(current.path, current.level);
    const forward = event.key === (rtl ? "ArrowLeft" : "ArrowRight");
    const back = event.key === (rtl ? "ArrowRight" : "ArrowLeft");
    if (event.key === "ArrowDown" || (forward && open))
      choose(items[Math.min(at + 1, items.length - 1)]!.path);
    else if (event.key === "ArrowUp") choose(items[Math.max(at - 1, 0)]!.path);
    else if (event.key === "Home") choose(items[0]!.path);
    else if (event.key === "End") choose(items.at(-1)!.path);
    else if (forward || (back && open)) inner && toggle(current.path);
    else if (back) current.parent && choose(current.parent);
    else if (event.key === "Enter" || event.key === " ") inner && toggle(current.path);
    else return;
    event.preventDefault();
  };
  return (
    <section {...useRoot(def, scope, "tree")}>
      {records.title && <h2 class="g-title">{records.title}</h2>}
      {items.length === 0 ? (
        <p class="g-nodata">{records.emptyText}</p>
      ) : (
        <div class="g-tree-parts">
          <ul role="tree" aria-label={records.title || say.tree} ref={list} onKeyDown={keys}>
            {items.map(({ row, path, level, position, siblings }) => {
              const inner = childrenOf(row).length > 0;
              const open = isOpen(path, level);
              return (
                <li
                  key={path}
                  role="treeitem"
                  aria-level={level + 1}
                  aria-posinset={position}
                  aria-setsize={siblings}
                  aria-expanded={inner ? open : undefined}
                  aria-selected={path === current?.path}
                  tabIndex={path === current?.path ? 0 : -1}
                  style={{ paddingInlineStart: `${8 + level * 20}px` }}
                  onClick={() => {
                    if (inner && path === current?.path) toggle(path);
                    choose(path, false);
                  }}
                >
                  <span class="g-tree-mark" aria-hidden="true">
                    {inner && <Icon name={open ? "down" : "next"} />}
                  </span>
                  {nameOf(row)}
                </li>
              );
            })}
          </ul>
          {current && (
            <div
              class="g-tree-detail"
              key={current.path}
              role="group"
              aria-label={nameOf(current.row)}
            >
              <strong>{nameOf(current.row)}</strong>
              <Facts records={records} row={current.row} />
              <Actions
                def={def}
                scope={scope}
                records={records}
                row={current.row}
                rowKey={current.path}
                name={nameOf(current.row)}
                alone
              />
            </div>
          )}
        </div>
      )}
    </section>
  );
}
