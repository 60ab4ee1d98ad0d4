// The state of one form on the screen: drafts, what was visited, and which problems may be seen.

import { useMemo, useRef, useState } from "preact/hooks";
import { useDraw } from "../../draw/context";
import { formatPointer, isObject, type Path, sameJson, setAt } from "../../draw/pointer";
import { type Draft, draftOf } from "../../form/draft";
import { encode, type Problems } from "../../form/encode";
import { type Field, formFieldOf } from "../../form/field";
import type { Json, Schema } from "../../wire/json";

export interface FormState {
  readonly field: Field;
  /** How many rows its lists may show. */
  readonly room: number;
  /** What is typed at this moment. */
  readonly draft: Draft;
  readonly value: Json | undefined;
  readonly valid: boolean;
  /** What is wrong with what is typed, by pointer. */
  readonly problems: Problems;
  /** Whether the person has changed anything. */
  readonly edited: boolean;
  set(path: Path, draft: Draft): void;
  visit(path: Path): void;
  problemAt(path: Path): string | undefined;
  /** Shows every problem; the value when there is none. */
  submit(): Json | undefined;
  /** Shows only the problems of what was visited again. */
  calm(): void;
  reset(): void;
}

interface Screen {
  readonly draft: Draft;
  readonly edited: ReadonlySet<string>;
  readonly visited: ReadonlySet<string>;
  readonly submitted: boolean;
}

/**
 * `refused` are the server's problems by pointer; one disappears once its field is edited. With a
 * `place` what is typed is kept there.
 */
export function useFormState(
  schema: Schema,
  initial: Json | undefined,
  refused: ReadonlyMap<string, string>,
  room: number,
  { onChange, place }: { onChange?: (value: Json) => void; place?: string } = {},
): FormState {
  const { kept } = useDraw();
  const field = useMemo(() => formFieldOf(schema, room), [schema, room]);
  const fresh = (): Screen => ({
    draft: draftOf(field, initial),
    edited: new Set(),
    visited: new Set(),
    submitted: false,
  });
  const [screen, setScreen] = useState(() => {
    const before = place === undefined ? undefined : kept.get(place);
    return isObject(before) ? { ...fresh(), draft: before.draft, edited: new Set(["/"]) } : fresh();
  });
  const latest = useRef(screen);
  const seed = useRef(initial);
  const cleared = useRef({ refused, pointers: new Set<string>() });

  const show = (next: Screen) => {
    latest.current = next;
    setScreen(next);
  };
  const keep = (draft: Draft | undefined) =>
    place !== undefined && kept.set(place, draft === undefined ? undefined : { draft });
  if (!sameJson(seed.current ?? null, initial ?? null)) {
    seed.current = initial;
    if (latest.current.edited.size === 0) show(fresh());
  }
  if (cleared.current.refused !== refused) cleared.current = { refused, pointers: new Set() };

  const judge = (draft: Draft) => {
    const problems: Problems = new Map();
    return { value: encode(field, draft, true, "", problems), problems };
  };
  const { value, problems } = judge(latest.current.draft);

  return {
    field,
    room,
    get draft() {
      return latest.current.draft;
    },
    value,
    get edited() {
      return latest.current.edited.size > 0;
    },
    valid: problems.size === 0,
    problems,
    set(path, draft) {
      const pointer = formatPointer(path);
      cleared.current.pointers.add(pointer);
      const next = setAt(latest.current.draft, path, draft);
      show({ ...latest.current, draft: next, edited: new Set(latest.current.edited).add(pointer) });
      keep(next);
      if (!onChange) return;
      const changed = judge(next);
      if (changed.problems.size === 0 && changed.value !== undefined) onChange(changed.value);
    },
    visit(path) {
      const pointer = formatPointer(path);
      if (latest.current.edited.has(pointer))
        show({ ...latest.current, visited: new Set(latest.current.visited).add(pointer) });
    },
    problemAt(path) {
      const pointer = formatPointer(path);
      const own =
        latest.current.submitted || latest.current.visited.has(pointer)
          ? problems.get(pointer)
          : undefined;
      return own ?? (cleared.current.pointers.has(pointer) ? undefined : refused.get(pointer));
    },
    submit() {
      show({ ...latest.current, submitted: true });
      const now = judge(latest.current.draft);
      return now.problems.size === 0 ? now.value : undefined;
    },
    calm() {
      show({ ...latest.current, submitted: false });
    },
    reset() {
      show(fresh());
      keep(undefined);
    },
  };
}
