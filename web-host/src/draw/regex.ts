// Patterns written by an agent, matched by a state machine whose work grows with the text and never
// explodes.

/**
 * Characters of a pattern, as many as a contract may have, and of a value; longer ones are left to
 * the server.
 */
const MAX_PATTERN = 1024;
const MAX_VALUE = 10_000;
/** Steps that all patterns of the page may take within one second: a tenth of it, at worst. */
const STEPS_PER_SECOND = 500_000;
/**
 * Steps that reading one pattern may take: a repetition counts what it repeats as often as it does.
 */
const READING_STEPS = 20_000;
/** Steps that reading a character class counts: the browser compiles a table for each. */
const CLASS_STEPS = 100;
/** Machines that are cached, so that a pattern is parsed once and not for every character typed. */
const MAX_KEPT = 200;

const ATOM =
  /\\(?:u\{[\da-fA-F]+\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|.)|\[(?:\\.|[^\\\]])*\]|./suy;
const REPEAT = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y;
const GROUP = /\((?:\?:|\?<[^=!>][^>]*>|(?!\?))/y;
const WORD = /\w/;

/** How many steps may still be taken. */
interface Budget {
  left: number;
}

type Test = (char: string) => boolean;
type Place = { readonly before: string | undefined; readonly after: string | undefined };

interface State {
  /** Consumes a character that passes; without a test nothing is consumed. */
  readonly test?: Test;
  /** What has to hold between two characters. */
  readonly holds?: (at: Place) => boolean;
  readonly next: State[];
  /** The position it was entered at last. */
  seen: number;
}

/** Makes the states that match one part of a pattern and go on with `next`. */
type Part = (next: State) => State;

class Unjudged extends Error {}

const assertions: { readonly [source: string]: (at: Place) => boolean } = {
  "^": ({ before }) => before === undefined,
  $: ({ after }) => after === undefined,
  "\\b": (at) => isBoundary(at),
  "\\B": (at) => !isBoundary(at),
};

function isBoundary({ before = "", after = "" }: Place): boolean {
  return WORD.test(before) !== WORD.test(after);
}

function spend(budget: Budget, steps = 1): void {
  budget.left -= steps;
  if (budget.left < 0) throw new Unjudged();
}

/** A pattern of ECMA-262 without look-around and back-references; as a machine, after Thompson. */
function read(pattern: string, budget: Budget): State {
  // Many patterns escape more than necessary. Escapes with another meaning are not supported.
  if (!isValid(pattern, "u") && (!isValid(pattern, "") || /\\(?:[pP]|u\{)/.test(pattern)))
    throw new Unjudged();
  const tests = new Map<string, Test>();
  let at = 0;

  const take = (token: RegExp): RegExpExecArray | null => {
    token.lastIndex = at;
    const found = token.exec(pattern);
    if (found) at = token.lastIndex;
    return found;
  };
  const state = (made: Omit<State, "seen">): State => {
    spend(budget);
    return { ...made, seen: -1 };
  };

  const choice = (): Part => {
    const parts = [sequence()];
    while (pattern[at] === "|") {
      at += 1;
      parts.push(sequence());
    }
    return parts.length === 1
      ? parts[0]!
      : (next) => state({ next: parts.map((part) => part(next)) });
  };
  const sequence = (): Part => {
    const parts: Part[] = [];
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")")
      parts.push(repeated(single()));
    return (next) => parts.reduceRight((after, part) => part(after), next);
  };
  const repeated = (part: Part): Part => {
    const found = take(REPEAT);
    if (!found) return part;
    const [whole, least, range, most] = found;
    const from = least === undefined ? Number(whole[0] === "+") : Number(least);
    const to =
      least === undefined
        ? whole[0] === "?"
          ? 1
          : Number.POSITIVE_INFINITY
        : range === undefined
          ? from
          : most === ""
            ? Number.POSITIVE_INFINITY
            : Number(most);
    return (next) => {
      let first = next;
      if (to === Number.POSITIVE_INFINITY) {
        first = state({ next: [next] });
        first.next.push(part(first));
      } else for (let more = from; more < to; more++) first = state({ next: [part(first), next] });
      for (let more = 0; more < from; more++) {
        spend(budget);
        first = part(first);
      }
      return first;
    };
  };
  const single = (): Part => {
    if (pattern[at] === "(") {
      if (!take(GROUP)) throw new Unjudged();
      const inner = choice();
      at += 1;
      return inner;
    }
    const source = take(ATOM)![0];
    const holds = Object.hasOwn(assertions, source) ? assertions[source] : undefined;
    if (holds) return (next) => state({ holds, next: [next] });
    // Back-references by number and by name, and octal numbers.
    if (/^\\(?:[1-9]|k)/.test(source) || (source === "\\0" && /\d/.test(pattern[at] ?? "")))
      throw new Unjudged();
    const test = testOf(source);
    return (next) => state({ test, next: [next] });
  };
  const testOf = (source: string): Test => {
    let test = tests.get(source);
    if (test) return test;
    if (/^(?:\.|\[|\\\w)/.test(source)) {
      spend(budget, CLASS_STEPS);
      const flags = isValid(source, "u") ? "u" : "";
      const one = new RegExp(`^${source}$`, flags);
      let last: string | undefined;
      let passed = false;
      test = (char) => {
        if (!flags && char.length > 1) throw new Unjudged();
        if (char !== last) passed = one.test((last = char));
        return passed;
      };
    } else {
      const letter = source.replace("\\", "") || source;
      test = (char) => char === letter;
    }
    tests.set(source, test);
    return test;
  };

  return choice()(end);
}

const end: State = { next: [], seen: -1 };

function isValid(pattern: string, flags: string): boolean {
  try {
    return Boolean(new RegExp(pattern, flags));
  } catch {
    return false;
  }
}

/**
 * Whether some part of the value is matched; every state is entered at most once between two
 * characters.
 */
function run(start: State, value: string, budget: Budget): boolean {
  const chars = [...value];
  // The machine may have been run before, over a value of any length.
  const base = (rounds += MAX_VALUE + 1);
  let entered: State[] = [];
  for (let at = 0; at <= chars.length; at++) {
    const place = { before: chars[at - 1], after: chars[at] };
    const open = [...entered, start];
    entered = [];
    for (let state = open.pop(); state; state = open.pop()) {
      spend(budget);
      if (state === end) return true;
      if (state.seen === base + at) continue;
      state.seen = base + at;
      if (state.holds && !state.holds(place)) continue;
      if (!state.test) open.push(...state.next);
      else if (place.after !== undefined && state.test(place.after)) entered.push(...state.next);
    }
  }
  return false;
}

let rounds = 0;

/** Null stands for an unsupported pattern. */
const kept = new Map<string, State | null>();

function machineOf(pattern: string, budget: Budget): State | null {
  let start = kept.get(pattern);
  if (start !== undefined) return start;
  const reading = { left: READING_STEPS };
  try {
    start = read(pattern, reading);
  } catch (problem) {
    if (!(problem instanceof Unjudged)) throw problem;
    start = null;
  }
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(pattern, start);
  budget.left -= READING_STEPS - reading.left;
  return start;
}

/**
 * Whether the value matches; undefined if that is too expensive to compute, or the pattern is
 * unsupported.
 */
export function judge(pattern: string, value: string, budget: Budget): boolean | undefined {
  if (budget.left <= 0 || pattern.length > MAX_PATTERN || value.length > MAX_VALUE)
    return undefined;
  const start = machineOf(pattern, budget);
  try {
    return start ? run(start, value, budget) : undefined;
  } catch (problem) {
    if (problem instanceof Unjudged) return undefined;
    throw problem;
  }
}

const shared: Budget = { left: 0 };
let renewed = Number.NEGATIVE_INFINITY;

/** False if the value does not match; undecided values pass, because the server validates them. */
export function matchesPattern(pattern: string, value: string): boolean {
  const now = performance.now();
  if (now - renewed >= 1000) {
    renewed = now;
    shared.left = STEPS_PER_SECOND;
  }
  return judge(pattern, value, shared) ?? true;
}
