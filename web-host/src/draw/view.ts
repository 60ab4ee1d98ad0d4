// Reads a stored view into an index of components, refusing what would never finish drawing.

import type { ComponentDef } from "../wire/catalog";
import type { JsonObject } from "../wire/json";
import { MAX_PARTS } from "./limits";
import { arrayOf, isArray, isObject, own } from "./pointer";

export const MAX_DEPTH = 64;
export const MAX_NODES = 5000;

export interface DrawableView {
  readonly components: ReadonlyMap<string, ComponentDef>;
  /** How many nodes each component draws, itself included and one item per template. */
  readonly sizes: ReadonlyMap<string, number>;
  /** How many components are made from a schema: each draws more than itself. */
  readonly forms: number;
}
type ViewResult =
  | { readonly ok: true; readonly view: DrawableView }
  | { readonly ok: false; readonly problem: string };

export function readView(stored: unknown): ViewResult {
  const list = own(own(stored, "view"), "components");
  if (!isArray(list)) return fail("the view has no list of components");
  if (list.length > MAX_NODES) return fail(`the view has more than ${MAX_NODES} components`);
  const components = new Map<string, ComponentDef>();
  let forms = 0;
  for (const def of list) {
    if (!isObject(def) || !isComponent(def)) return fail("a component has no id or no name");
    const crowded = Object.keys(def).find(
      (name) => name !== "children" && arrayOf(own(def, name)).length > MAX_PARTS,
    );
    if (crowded) return fail(`"${crowded}" of a component lists more than ${MAX_PARTS} parts`);
    components.set(def.id, def);
    // One that is behind a button is drawn alone.
    forms += Number(isObject(own(def, "schema")) && own(def, "display") !== "dialog");
  }
  if (!components.has("root")) return fail('the view has no component with the id "root"');
  return measure(components, forms);
}

/** The server has checked what else a component has against the catalog. */
function isComponent(def: JsonObject): def is ComponentDef {
  return typeof def.id === "string" && typeof def.component === "string";
}

/** The ids a component draws inside itself, templates included. */
function childIds(def: ComponentDef): string[] {
  const children = own(def, "children");
  const ids = [
    ...["child", "trigger", "content"].map((name) => own(def, name)),
    ...(isArray(children) ? children : [own(children, "componentId")]),
    ...arrayOf(own(def, "tabs")).map((tab) => own(tab, "child")),
  ];
  return ids.filter((id) => typeof id === "string");
}

/** Walks from every component once; shared children are counted each time they are drawn. */
function measure(components: ReadonlyMap<string, ComponentDef>, forms: number): ViewResult {
  const sizes = new Map<string, number>();
  const heights = new Map<string, number>();
  const open = new Set<string>();
  const visit = (id: string): string | undefined => {
    const def = components.get(id);
    if (!def || sizes.has(id)) return undefined;
    if (open.has(id)) return `component "${id}" contains itself`;
    if (open.size >= MAX_DEPTH) return tooDeep;
    open.add(id);
    let size = 1;
    let height = 1;
    for (const child of childIds(def)) {
      const problem = visit(child);
      if (problem) return problem;
      size += sizes.get(child) ?? 1;
      height = Math.max(height, 1 + (heights.get(child) ?? 1));
    }
    open.delete(id);
    if (height > MAX_DEPTH) return tooDeep;
    if (size > MAX_NODES) return `the view draws more than ${MAX_NODES} components`;
    sizes.set(id, size);
    heights.set(id, height);
    return undefined;
  };
  for (const id of components.keys()) {
    const problem = visit(id);
    if (problem) return fail(problem);
  }
  return { ok: true, view: { components, sizes, forms } };
}

const tooDeep = `components are nested more than ${MAX_DEPTH} deep`;

function fail(problem: string): ViewResult {
  return { ok: false, problem };
}
