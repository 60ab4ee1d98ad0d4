// Resolves literals, pointers and function calls against the data model.

import type { Json } from "../wire/json";
import type { Binding, Call, Dynamic } from "../wire/view";
import { callFunction } from "./functions";
import type { BindingScope } from "./model";
import { bare, isArray, isObject, resolvePointer } from "./pointer";

const MAX_CALL_DEPTH = 16;

export function isPath(value: unknown): value is Binding {
  return isObject(value) && typeof value.path === "string" && Object.keys(value).length === 1;
}

export function isCall(value: unknown): value is Call {
  return isObject(value) && typeof value.call === "string";
}

/** The value now; arguments of calls are any JSON, with bindings at any depth. */
export function resolve(
  dynamic: Json | undefined,
  scope: BindingScope,
  depth = 0,
): Json | undefined {
  if (isPath(dynamic)) return scope.model.read(resolvePointer(dynamic.path, scope.path));
  if (isCall(dynamic)) {
    if (depth > MAX_CALL_DEPTH) return undefined;
    const args = bare<Json | undefined>();
    for (const [name, value] of Object.entries(dynamic.args ?? {}))
      args[name] = resolveDeep(value, scope, depth + 1);
    return callFunction(dynamic.call, args, scope);
  }
  return dynamic;
}

function resolveDeep(
  value: Json | undefined,
  scope: BindingScope,
  depth: number,
): Json | undefined {
  if (isArray(value)) return value.map((item) => resolveDeep(item, scope, depth) ?? null);
  return resolve(value, scope, depth);
}

/** The data of an action: the resolved context, or null when the action carries none. */
export function resolveContext(
  context: { readonly [key: string]: Dynamic } | undefined,
  scope: BindingScope,
): Json {
  if (!context) return null;
  const data = bare<Json>();
  for (const [key, value] of Object.entries(context)) {
    const resolved = resolve(value, scope);
    if (resolved !== undefined) data[key] = resolved;
  }
  return data;
}
