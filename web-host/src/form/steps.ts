// Which fields of a form belong to which of its steps.

import type { Member } from "./field";

/** Steps that look back on what was given, and ask for nothing but consent. */
const REVIEW = /\b(review|check|confirm|summary|sign|finish|done|send|submit)/i;

const wordsOf = (text: string): string[] =>
  (
    text
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? []
  ).map((word) => word.replace(/s$/, ""));

/** Whether two words are forms of one: `sign` and `signature`. */
const isOne = (left: string, right: string) =>
  left === right ||
  (left.length >= 4 && right.startsWith(left)) ||
  (right.length >= 4 && left.startsWith(right));

/** Words that name nothing. */
const EMPTY = new Set(["and", "for", "our", "the", "your"]);

/**
 * The fields of each step, in their order. A field whose name says a step belongs to it; those
 * between two such fields go to the steps between, or stay with the step before.
 */
export function stepsOf(
  members: readonly Member[],
  steps: readonly string[],
): readonly (readonly Member[])[] {
  const found: Member[][] = steps.map(() => []);
  if (steps.length === 0) return found;
  const last = steps.length - 1;
  const words = steps.map((step) => wordsOf(step).filter((word) => !EMPTY.has(word)));
  const placeOf = (member: Member) => {
    const own = wordsOf(`${member.name} ${member.field.label}`);
    return words.findIndex((step) => step.some((word) => own.some((mine) => isOne(word, mine))));
  };
  // Who agrees has seen everything.
  const places = members.map((member) =>
    member.field.kind === "consent" ? last : placeOf(member),
  );
  const isReview = REVIEW.test(steps[last]!) && last > 0;
  let before = 0;
  for (let at = 0; at < members.length; ) {
    const place = places[at]!;
    if (place >= 0) {
      before = place;
      found[place]!.push(members[at]!);
      at += 1;
      continue;
    }
    let end = at;
    while (end < members.length && places[end]! < 0) end += 1;
    const next = end < members.length ? places[end]! : isReview ? last : last + 1;
    const isBegun = found.some((step) => step.length > 0);
    const from = isBegun ? before + 1 : 0;
    const free = Math.max(0, next - from);
    for (let nth = at; nth < end; nth++) {
      const share = Math.floor(((nth - at) * free) / (end - at));
      found[free > 0 ? from + share : before]!.push(members[nth]!);
    }
    if (free > 0) before = next - 1;
    at = end;
  }
  return found;
}

/**
 * The fields of each step, where its record lists their names. What no step lists stands in the
 * last one, so that nothing is lost.
 */
export function listedStepsOf(
  members: readonly Member[],
  listed: readonly (readonly string[])[],
): readonly (readonly Member[])[] {
  const placeOf = ({ name }: Member) => listed.findIndex((names) => names.includes(name));
  const last = listed.length - 1;
  return listed.map((_, step) =>
    members.filter((member) => {
      const place = placeOf(member);
      return (place >= 0 ? place : last) === step;
    }),
  );
}

/**
 * The step of each form, by the words of its action: `saveAddress` saves the step `Address`. The
 * others take the steps that are left, in their order, and the last of all those that remain.
 */
export function formsOf(actions: readonly string[], steps: readonly string[]): readonly number[] {
  const words = steps.map(wordsOf);
  const named = actions.map((action) => {
    const own = wordsOf(action).slice(1);
    return words.findIndex((step) => step.some((word) => own.some((mine) => isOne(word, mine))));
  });
  const taken = new Set(named);
  const free = steps.map((_, index) => index).filter((index) => !taken.has(index));
  return named.map((place) => (place >= 0 ? place : (free.shift() ?? steps.length - 1)));
}
