// Writing a page: on top of the version it was read at, and where somebody else was faster, both
// put together.

import { useEffect, useRef, useState } from "preact/hooks";
import { stageStrings as say } from "../../strings";
import { type Memory, memory, Refused, save } from "./ask";
import { type Choice, joined, merge, type Part } from "./merge";

/** What was written and not saved, by page: it outlives a look at another one. */
interface Draft {
  readonly title: string;
  readonly content: string;
  /** The version that it was made from, with its title and its text. */
  readonly version: number;
  readonly named: string;
  readonly base: string;
}

const drafts = new Map<string, Draft>();

export const hasDraft = (slug: string) => drafts.has(slug);

function guard(event: BeforeUnloadEvent): void {
  if (drafts.size > 0) event.preventDefault();
}

type State =
  | { readonly is: "writing"; readonly notice?: string; readonly failed?: string }
  | { readonly is: "saving" }
  | { readonly is: "choosing"; readonly parts: readonly Part[]; readonly theirs: Memory };

export function Editor({ page, onDone }: { page: Memory; onDone: (saved: Memory | null) => void }) {
  const [draft, setDraft] = useState<Draft>(
    () =>
      drafts.get(page.slug) ?? {
        title: page.title,
        content: page.content,
        version: page.version,
        named: page.title,
        base: page.content,
      },
  );
  const [state, setState] = useState<State>({ is: "writing" });
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    first.current?.focus();
    addEventListener("beforeunload", guard);
    return () => removeEventListener("beforeunload", guard);
  }, []);
  const write = (change: Partial<Draft>) => {
    const next = { ...draft, ...change };
    setDraft(next);
    drafts.set(page.slug, next);
  };
  const leave = (saved: Memory | null) => {
    drafts.delete(page.slug);
    onDone(saved);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (state.is === "saving") return;
    setState({ is: "saving" });
    try {
      const title = draft.title.trim();
      const saved = await save(page.slug, {
        content: draft.content,
        ...(title && title !== draft.named ? { title } : {}),
        expected_version: draft.version,
      });
      leave(saved);
    } catch (error) {
      const refused = error instanceof Refused ? error : new Refused(0, String(error));
      if (refused.status === 409) await rebase();
      else setState({ is: "writing", failed: sentenceOf(refused) });
    }
  };
  const rebase = async () => {
    try {
      const theirs = await memory(page.slug);
      const parts = merge(draft.base, draft.content, theirs.content);
      if (parts.some((part) => !("lines" in part))) setState({ is: "choosing", parts, theirs });
      else take(joined(parts, []), theirs);
    } catch (error) {
      const gone = error instanceof Refused && error.status === 404;
      setState({ is: "writing", failed: gone ? say.saveGone : say.saveFailed });
    }
  };
  /** The text as it is now stands on their version. */
  const take = (content: string, theirs: Memory) => {
    const title = draft.title === draft.named ? theirs.title : draft.title;
    write({ title, content, version: theirs.version, named: theirs.title, base: theirs.content });
    setState({ is: "writing", notice: say.conflictMerged(theirs.version) });
    first.current?.focus();
  };
  return (
    <>
      {state.is === "choosing" && (
        <Conflict
          parts={state.parts}
          number={state.theirs.version}
          onChoose={(choices) => take(joined(state.parts, choices), state.theirs)}
        />
      )}
      <form class="s-editor" onSubmit={submit} hidden={state.is === "choosing"}>
        {state.is === "writing" && state.notice && (
          <p role="alert" data-tone="warn">
            {state.notice}
          </p>
        )}
        {state.is === "writing" && page.version > draft.version && (
          <p role="status" data-tone="warn">
            {say.changedMeanwhile(page.version)}
          </p>
        )}
        {state.is === "writing" && state.failed && (
          <p role="alert" data-tone="bad">
            {state.failed}
          </p>
        )}
        <label>
          {say.pageTitle}
          <input
            class="g-input"
            value={draft.title}
            maxLength={200}
            onInput={(event) => write({ title: event.currentTarget.value })}
          />
        </label>
        <label>
          {say.pageText}
          <textarea
            ref={first}
            class="g-input"
            required
            rows={18}
            value={draft.content}
            onInput={(event) => write({ content: event.currentTarget.value })}
          />
        </label>
        <div class="s-editor-end">
          <button type="button" class="g-button" onClick={() => leave(null)}>
            {say.cancel}
          </button>
          <button
            type="submit"
            class="g-button"
            data-variant="primary"
            aria-disabled={state.is === "saving"}
          >
            {state.is === "saving" ? say.saving : say.save}
          </button>
        </div>
      </form>
    </>
  );
}

function sentenceOf({ status, message }: Refused): string {
  if (status === 401 || status === 403) return say.saveForbidden;
  if (status === 404) return say.saveGone;
  return status === 422 ? `${say.saveRefused} ${message}` : say.saveFailed;
}

function Conflict({
  parts,
  number,
  onChoose,
}: {
  parts: readonly Part[];
  number: number;
  onChoose: (choices: readonly Choice[]) => void;
}) {
  const places = parts.filter((part) => !("lines" in part));
  const [choices, setChoices] = useState<readonly Choice[]>(() => places.map(() => "both"));
  const head = useRef<HTMLParagraphElement>(null);
  useEffect(() => head.current?.focus(), []);
  let at = 0;
  return (
    <form
      class="s-conflict"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(choices);
      }}
    >
      <p ref={head} tabIndex={-1} role="alert" data-tone="warn">
        {say.conflictOpen(number)}
      </p>
      {parts.map((part, index) => {
        if ("lines" in part) return null;
        const place = at++;
        const ways: readonly (readonly [Choice, string, readonly string[]])[] = [
          ["mine", say.conflictMine, part.mine],
          ["theirs", say.conflictTheirs, part.theirs],
          ["both", say.conflictBoth, []],
        ];
        return (
          <fieldset key={index}>
            <legend>{say.conflictPlace(place + 1, places.length)}</legend>
            {ways.map(([choice, label, lines]) => (
              <label key={choice}>
                <input
                  type="radio"
                  name={`place-${place}`}
                  checked={choices[place] === choice}
                  onChange={() =>
                    setChoices(choices.map((known, other) => (other === place ? choice : known)))
                  }
                />
                <span>
                  {label}
                  {choice !== "both" && (
                    <pre>{lines.length > 0 ? lines.join("\n") : say.conflictNothing}</pre>
                  )}
                </span>
              </label>
            ))}
          </fieldset>
        );
      })}
      <div class="s-editor-end">
        <button type="submit" class="g-button" data-variant="primary">
          {say.conflictUse}
        </button>
      </div>
    </form>
  );
}
