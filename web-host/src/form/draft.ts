// What a person has typed so far: drafts from JSON, and the fresh draft of a new row.

import { bare, isObject, own, sameJson } from "../draw/pointer";
import type { Json } from "../wire/json";
import {
  branchesOf,
  choicesOf,
  type Field,
  itemOf,
  mapValueOf,
  membersOf,
  placesOf,
} from "./field";
import { fromDateTime, fromTime } from "./moment";

/** Text stays text while it is typed; `undefined` is untouched. */
export type Draft = string | boolean | Json | undefined;

/** The draft that shows a value; undefined when the value does not suit the field. */
export function draftOf(field: Field, value: Json | undefined): Draft {
  const seed = value === undefined ? (field.schema.default as Json | undefined) : value;
  switch (field.kind) {
    case "group": {
      const draft = bare<Json>();
      for (const member of membersOf(field)) {
        const inner = draftOf(member.field, own(seed, member.name));
        if (inner !== undefined) draft[member.name] = inner;
      }
      return Object.keys(draft).length > 0 ? draft : undefined;
    }
    case "list": {
      const item = itemOf(field);
      return Array.isArray(seed) ? seed.map((entry) => draftOf(item, entry) ?? null) : undefined;
    }
    case "map": {
      const inner = mapValueOf(field);
      return isObject(seed)
        ? Object.keys(seed).map((key) => ({ key, value: draftOf(inner, seed[key]) ?? null }))
        : undefined;
    }
    case "union":
      return seed === undefined ? undefined : unionDraft(field, seed);
    case "choice":
      return choicesOf(field.schema).find((choice) => sameJson(choice.value, seed))?.value;
    case "choices":
      return Array.isArray(seed) ? seed : undefined;
    case "boolean":
      return typeof seed === "boolean" ? seed : undefined;
    case "json":
      return seed === undefined ? undefined : JSON.stringify(seed, null, 2);
    case "number":
      return typeof seed === "number" ? String(seed / 10 ** placesOf(field)) : undefined;
    case "date-time":
      return typeof seed === "string" ? fromDateTime(seed) : undefined;
    case "time":
      return typeof seed === "string" ? fromTime(seed) : undefined;
    // A confirmation is only given by the person, never prefilled.
    case "consent":
    case "fixed":
      return undefined;
    default:
      return typeof seed === "string" || typeof seed === "number" ? String(seed) : undefined;
  }
}

function unionDraft(field: Field, seed: Json): Draft {
  const branches = branchesOf(field);
  const suits = (branch: Field) =>
    branch.kind === "group"
      ? isObject(seed) &&
        membersOf(branch).every(({ name, field: member, required }) =>
          own(seed, name) === undefined
            ? !required
            : member.schema.const === undefined || sameJson(own(seed, name), member.schema.const),
        )
      : draftOf({ ...branch, schema: { ...branch.schema, default: undefined } }, seed) !==
        undefined;
  const index = Math.max(0, branches.findIndex(suits));
  return { branch: index, value: draftOf(branches[index]!, seed) ?? null };
}
