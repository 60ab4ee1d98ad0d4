// Encodes what a person typed as the value to send, with every problem found on the way.

import { arrayOf, bare, formatPointer, isArray, isObject, own } from "../draw/pointer";
import type { Json } from "../wire/json";
import type { Draft } from "./draft";
import { branchesOf, type Field, itemOf, mapValueOf, membersOf, placesOf } from "./field";
import { toDateTime, toTime } from "./moment";
import { numberProblem, textProblem } from "./problems";
import { numberAt } from "./schema";
import { formStrings } from "./strings";

export type Problems = Map<string, string>;

/** Untouched optional fields are left out: never "" and never null. */
export function encode(
  field: Field,
  draft: Draft,
  required: boolean,
  at: string,
  problems: Problems,
): Json | undefined {
  const refuse = (message: string): undefined => void problems.set(at, message);
  const absent = (): Json | undefined => {
    if (required && field.nullable) return null;
    return required ? refuse(formStrings.required) : undefined;
  };
  switch (field.kind) {
    case "fixed":
      return required || draft !== undefined ? field.schema.const : undefined;
    case "group":
      return encodeGroup(field, draft, required, at, problems);
    case "list":
    case "choices":
      return encodeList(field, draft, required, at, problems);
    case "map":
      return encodeMap(field, draft, required, at, problems);
    case "union":
      return encodeUnion(field, draft, required, at, problems);
    case "consent":
      if (draft === true) return true;
      return required ? refuse(formStrings.consent) : undefined;
    case "boolean":
      return typeof draft === "boolean"
        ? draft
        : required
          ? field.nullable
            ? null
            : false
          : undefined;
    case "choice":
      return draft === undefined || draft === null ? absent() : draft;
    default:
      break;
  }
  const typed = typeof draft === "string" ? draft : "";
  if (typed === "") return absent();
  switch (field.kind) {
    case "number": {
      const value = Number(typed);
      // A constant is sent as it is shown.
      if (/^-?\d+$/.test(typed) && BigInt(typed) !== BigInt(value))
        return refuse(formStrings.tooLong);
      const problem = numberProblem(value, field.schema);
      if (problem) return refuse(problem);
      const places = placesOf(field);
      return places > 0 ? Math.round(value * 10 ** places) : value;
    }
    case "json":
      try {
        return JSON.parse(typed);
      } catch {
        return refuse(formStrings.notJson);
      }
    case "date-time":
      return toDateTime(typed) ?? refuse(formStrings.date);
    case "time":
      return toTime(typed) ?? refuse(formStrings.date);
    default: {
      const problem = textProblem(typed, field.schema);
      return problem ? refuse(problem) : typed;
    }
  }
}

function encodeGroup(
  field: Field,
  draft: Draft,
  required: boolean,
  at: string,
  problems: Problems,
): Json | undefined {
  if (!required && !isTouched(draft)) return undefined;
  const value = bare<Json>();
  for (const member of membersOf(field)) {
    const inner = encode(
      member.field,
      own(draft, member.name),
      member.required,
      at + formatPointer([member.name]),
      problems,
    );
    if (inner !== undefined) value[member.name] = inner;
  }
  return value;
}

function encodeList(
  field: Field,
  draft: Draft,
  required: boolean,
  at: string,
  problems: Problems,
): Json | undefined {
  if (!Array.isArray(draft)) {
    if (!required) return undefined;
    if (field.nullable) return null;
  }
  const drafts = arrayOf(draft);
  const item = itemOf(field);
  const items =
    field.kind === "choices"
      ? drafts
      : drafts.map(
          (inner, index) =>
            encode(item, inner ?? undefined, true, `${at}/${index}`, problems) ?? null,
        );
  const least = numberAt(field.schema, "minItems");
  const most = numberAt(field.schema, "maxItems");
  if (least !== undefined && items.length < least) problems.set(at, formStrings.minItems(least));
  else if (most !== undefined && items.length > most) problems.set(at, formStrings.maxItems(most));
  else if (
    field.schema.uniqueItems === true &&
    new Set(items.map((entry) => JSON.stringify(entry))).size < items.length
  )
    problems.set(at, formStrings.uniqueItems);
  return items;
}

function encodeMap(
  field: Field,
  draft: Draft,
  required: boolean,
  at: string,
  problems: Problems,
): Json | undefined {
  if (!isArray(draft) && !required) return undefined;
  const value = bare<Json>();
  const inner = mapValueOf(field);
  arrayOf(draft).forEach((row, index) => {
    const key = own(row, "key");
    const here = `${at}/${index}`;
    if (typeof key !== "string" || key === "") problems.set(`${here}/key`, formStrings.required);
    else if (Object.hasOwn(value, key)) problems.set(`${here}/key`, formStrings.uniqueItems);
    else
      value[key] =
        encode(inner, own(row, "value") ?? undefined, true, `${here}/value`, problems) ?? null;
  });
  return value;
}

function encodeUnion(
  field: Field,
  draft: Draft,
  required: boolean,
  at: string,
  problems: Problems,
): Json | undefined {
  if (!isObject(draft)) {
    if (required && field.nullable) return null;
    if (required) problems.set(at, formStrings.required);
    return undefined;
  }
  const branch = branchesOf(field)[Number(own(draft, "branch"))];
  return branch && encode(branch, own(draft, "value") ?? undefined, true, `${at}/value`, problems);
}

function isTouched(draft: Draft): boolean {
  if (draft === undefined || draft === null || draft === "") return false;
  if (Array.isArray(draft)) return true;
  return typeof draft === "object" ? Object.values(draft).some((inner) => isTouched(inner)) : true;
}
