// What a story of a component is, and the states every component is looked at in.

import { isObject } from "../src/draw/pointer";
import type { ComponentDef, ComponentName } from "../src/wire/catalog";
import type { Json, JsonObject } from "../src/wire/json";

export interface Story {
  /** The component with everything it can show, bound to `/props`. */
  readonly root: { [Name in ComponentName]: Omit<ComponentDef<Name>, "id"> }[ComponentName];
  readonly props: JsonObject;
  /** What stands inside it. */
  readonly inside: readonly ComponentDef[];
}

export interface State {
  readonly components: readonly ComponentDef[];
  readonly props: JsonObject;
  readonly dir: "ltr" | "rtl";
  /** What became of everything that was fired. */
  readonly failed: boolean;
}

export function story(
  root: Story["root"],
  props: JsonObject = {},
  inside: readonly ComponentDef[] = [],
): Story {
  return { root, props, inside };
}

const LONG =
  "A sentence that goes on and on, as sentences do when nobody told them to stop, with Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft in it.";
const ARABIC = "نص باللغة العربية";
/** The properties of a component that people read; all others are names. */
const SPOKEN = new Set([
  "text",
  "caption",
  "title",
  "label",
  "description",
  "submitLabel",
  "emptyText",
  "unit",
  "message",
]);
/** Values that are read by programs too, and so stay as they are. */
const MEANT = /^(\d{4}-\d\d|https?:|data:|@@|[A-Z]{3}$|\/|[a-z]+$)/;

/** Every state of a story, by its name. */
export function statesOf({ root, props, inside }: Story): { readonly [name: string]: State } {
  const components = [{ ...root, id: "root" } as ComponentDef, ...inside];
  const usual: State = { components, props, dir: "ltr", failed: false };
  const said = (words: string) => ({
    components: components.map((part) => spoken(part, words)),
    props: changed(props, (value) => (MEANT.test(value) ? value : words)),
  });
  return {
    usual,
    empty: { ...usual, props: emptied(props) as JsonObject },
    loading: {
      ...usual,
      components: components.map((part) => rebound(part) as ComponentDef),
      props: {},
    },
    error: { ...usual, props: misshapen(props), failed: true },
    long: { ...usual, ...said(LONG) },
    rtl: { ...usual, ...said(ARABIC), dir: "rtl" },
  };
}

function emptied(value: Json | undefined): Json {
  if (Array.isArray(value)) return [];
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, emptied(inner)]));
  return typeof value === "string" ? "" : null;
}

/** Nothing is what the component was promised. */
function misshapen(props: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(props).map(([key, value]) => [
      key,
      Array.isArray(value)
        ? [null, 7, { unexpected: [] }]
        : isObject(value)
          ? "neither"
          : { unexpected: [] },
    ]),
  );
}

/** Bound to channels on which nothing has come yet. */
function rebound(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rebound);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "path" && typeof inner === "string"
        ? inner.replace(/^\/props\//, "/streams/")
        : rebound(inner),
    ]),
  );
}

function changed(value: JsonObject, to: (text: string) => string): JsonObject {
  const walk = (inner: Json | undefined): Json => {
    if (typeof inner === "string") return to(inner);
    if (Array.isArray(inner)) return inner.map(walk);
    return isObject(inner) ? changed(inner, to) : (inner ?? null);
  };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
}

function spoken(part: ComponentDef, words: string): ComponentDef {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        SPOKEN.has(key) && typeof inner === "string" ? words : walk(inner),
      ]),
    );
  };
  return walk(part) as ComponentDef;
}
