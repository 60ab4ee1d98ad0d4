// JSON Pointers: parsing, reading and immutable writing, never through a prototype.

import type { Json, JsonObject } from "../wire/json";

export type Path = readonly string[];

export function parsePointer(pointer: string): string[] {
  const segments = pointer.split("/").map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
  if (pointer.startsWith("/")) segments.shift();
  return segments.length === 1 && segments[0] === "" ? [] : segments;
}

export function formatPointer(path: Path): string {
  return path.map((part) => `/${part.replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
}

/** Absolute pointers start with a slash; everything else is relative to the template's item. */
export function resolvePointer(pointer: string, scope: Path): Path {
  return pointer.startsWith("/") ? parsePointer(pointer) : [...scope, ...parsePointer(pointer)];
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

const none: readonly Json[] = [];

/** An array as it is, and none of anything else. */
export function arrayOf(value: unknown): readonly Json[] {
  return isArray(value) ? value : none;
}

export function own(value: unknown, key: string | undefined): Json | undefined {
  if (key === undefined) return undefined;
  if (isArray(value)) return /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function getAt(value: Json | undefined, path: Path): Json | undefined {
  let at = value;
  for (const key of path) {
    at = own(at, key);
    if (at === undefined) return undefined;
  }
  return at;
}

/** A copy of an object without its prototype, so that any name is an ordinary key. */
export function bare<T>(source?: { readonly [key: string]: T | undefined }): { [key: string]: T } {
  const copy = Object.create(null);
  if (source) for (const key of Object.keys(source)) copy[key] = source[key];
  return copy;
}

/** A copy of `value` with `path` set; `undefined` removes the key. */
export function setAt(
  value: Json | undefined,
  path: Path,
  next: Json | undefined,
): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  const child = setAt(own(value, key), rest, next);
  if (Array.isArray(value) && /^\d+$/.test(key)) {
    const copy = [...value];
    if (child === undefined) copy.splice(Number(key), 1);
    else copy[Number(key)] = child;
    return copy;
  }
  const copy = bare<Json>(isObject(value) ? value : undefined);
  if (child === undefined) delete copy[key];
  else copy[key] = child;
  return copy;
}

/**
 * `next`, with every subtree that equals the one in `previous` replaced by it, so identity means
 * equality.
 */
export function share(previous: Json | undefined, next: Json): Json {
  if (
    previous === next ||
    typeof previous !== "object" ||
    typeof next !== "object" ||
    previous === null ||
    next === null
  ) {
    return next;
  }
  if (isArray(next)) {
    const before = arrayOf(previous);
    const shared = next.map((item, index) => share(before[index], item));
    return isArray(previous) &&
      before.length === shared.length &&
      shared.every((item, i) => item === before[i])
      ? previous
      : shared;
  }
  const shared = bare<Json>();
  const keys = Object.keys(next);
  for (const key of keys) shared[key] = share(own(previous, key), next[key] ?? null);
  const same =
    !isArray(previous) &&
    Object.keys(previous).length === keys.length &&
    keys.every((key) => Object.hasOwn(previous, key) && shared[key] === previous[key]);
  return same ? previous : shared;
}

export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  return left !== undefined && right !== undefined && share(left, right) === left;
}
