// formatString: text with ${pointer} and ${function(name: value)} parts.

import type { Json, JsonObject } from "../wire/json";
import { MAX_SOURCE } from "./limits";
import type { BindingScope } from "./model";
import { bare, resolvePointer } from "./pointer";
import { text } from "./text";

const MAX_NESTING = 8;
/**
 * Expressions of one text, including those of the templates it inserts: no sentence for people has
 * as many.
 */
const MAX_EXPRESSIONS = 1000;

/** Calls a function by its name; undefined for an unknown one. */
type Call = (
  name: string,
) => ((args: JsonObject, scope: BindingScope) => Json | undefined) | undefined;

export function interpolate(
  template: string,
  scope: BindingScope,
  call: Call,
  work = { left: MAX_EXPRESSIONS },
  depth = 0,
): string {
  let out = "";
  let at = 0;
  while (at < template.length && out.length <= MAX_SOURCE && work.left > 0) {
    const next = template.indexOf("${", at);
    if (next < 0) return out + template.slice(at);
    if (next > at && template[next - 1] === "\\") {
      out += `${template.slice(at, next - 1)}\${`;
      at = next + 2;
      continue;
    }
    out += template.slice(at, next);
    const end = closing(template, next + 2);
    if (end < 0) return out + template.slice(next);
    out += text(evaluate(template.slice(next + 2, end), scope, call, work, depth));
    at = end + 1;
  }
  return out;
}

/**
 * The index of the brace that closes an expression, skipping quoted text and nested expressions.
 */
function closing(source: string, from: number): number {
  let depth = 0;
  let quote = "";
  for (let i = from; i < source.length; i++) {
    const char = source[i]!;
    if (quote) {
      if (char === quote) quote = "";
    } else if (char === "'" || char === '"') quote = char;
    else if (char === "{") depth += 1;
    else if (char === "}") {
      if (depth === 0) return i;
      depth -= 1;
    }
  }
  return -1;
}

function evaluate(
  source: string,
  scope: BindingScope,
  call: Call,
  work: { left: number },
  depth: number,
): Json | undefined {
  const expression = source.trim();
  if (depth > MAX_NESTING || work.left-- <= 0) return undefined;
  if (expression.startsWith("${") && expression.endsWith("}"))
    return evaluate(expression.slice(2, -1), scope, call, work, depth + 1);
  const quoted = /^(['"])(.*)\1$/s.exec(expression);
  if (quoted) return quoted[2] ?? "";
  if (/^-?\d+(\.\d+)?$/.test(expression)) return Number(expression);
  if (expression === "true" || expression === "false") return expression === "true";
  const written = /^([A-Za-z_]\w*)\s*\(([\s\S]*)\)$/.exec(expression);
  const called = written && call(written[1]!);
  if (called) {
    const args = bare<Json | undefined>();
    for (const part of splitArguments(written[2]!)) {
      const named = /^\s*([A-Za-z_]\w*)\s*:([\s\S]*)$/.exec(part);
      if (named) args[named[1]!] = evaluate(named[2]!, scope, call, work, depth + 1);
    }
    // An inserted value may itself be a template from data: it shares the limits of the one around
    // it.
    return written[1] === "formatString"
      ? interpolate(text(args.value), scope, call, work, depth + 1)
      : called(args, scope);
  }
  return scope.model.read(resolvePointer(expression, scope.path));
}

function splitArguments(source: string): string[] {
  const parts: string[] = [];
  let nesting = 0;
  let quote = "";
  let start = 0;
  for (let i = 0; i < source.length; i++) {
    const char = source[i]!;
    if (quote) {
      if (char === quote) quote = "";
    } else if (char === "'" || char === '"') quote = char;
    else if ("({[".includes(char)) nesting += 1;
    else if (")}]".includes(char)) nesting -= 1;
    else if (char === "," && nesting === 0) {
      parts.push(source.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(source.slice(start));
  return parts;
}
