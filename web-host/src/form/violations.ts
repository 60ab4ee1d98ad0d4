// Turns the field path of a violation into the pointer of the form field it belongs to.

import { formatPointer } from "../draw/pointer";
import type { Violation } from "../wire/observe";

/**
 * `setQuantity.data.items[0]["odd key"]` → `/items/0/odd key`; undefined when it is not inside the
 * action's data.
 */
export function pointerOfViolation(field: string, action: string): string | undefined {
  const prefix = `${action}.data`;
  if (field !== prefix && !field.startsWith(`${prefix}.`) && !field.startsWith(`${prefix}[`))
    return undefined;
  const segments: string[] = [];
  const part = /\.([^.[\]]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/gy;
  part.lastIndex = prefix.length;
  while (part.lastIndex < field.length) {
    const match = part.exec(field);
    if (!match) return undefined;
    segments.push(match[1] ?? match[2] ?? unquote(match[3]!));
  }
  return formatPointer(segments);
}

function unquote(quoted: string): string {
  try {
    return JSON.parse(`"${quoted}"`);
  } catch {
    return quoted;
  }
}

export function violationsByPointer(
  violations: readonly Violation[] | undefined,
  action: string,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const violation of violations ?? []) {
    const pointer = pointerOfViolation(violation.field, action);
    if (pointer !== undefined) found.set(pointer, violation.message);
  }
  return found;
}
