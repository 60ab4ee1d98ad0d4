// Quiz: questions, one after the other, each with its options or a line to answer.

import { useState } from "preact/hooks";
import { type ComponentProps, isTaken } from "../draw/context";
import { useActionControl } from "../draw/hooks";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { arrayOf, own } from "../draw/pointer";
import { text } from "../draw/text";
import { guestStrings as say } from "../strings";
import type { Json } from "../wire/json";
import { ActionStatus, FireButton } from "./kit/action";
import { Actions, Facts, useRecords } from "./kit/records";
import { pick as taken } from "./kit/row-action";
import { addStyles } from "./styles";
import css from "./styles/quiz.css?inline";

addStyles(css);

/** Options of one question. */
const MAX_OPTIONS = 50;

export function Quiz({ def, scope }: ComponentProps<"Quiz">) {
  const records = useRecords(def, scope);
  const [at, setAt] = useState(0);
  const count = records.rows.length;
  const here = Math.min(at, Math.max(0, count - 1));
  const row = records.rows[here];
  return (
    <section {...useRoot(def, scope, "quiz")}>
      {records.title && <h2 class="g-title">{records.title}</h2>}
      {row === undefined ? (
        <p class="g-nodata">{records.emptyText}</p>
      ) : (
        <Question
          key={records.keyOf(row, here)}
          def={def}
          scope={scope}
          records={records}
          row={row}
          rowKey={records.keyOf(row, here)}
          place={`${here + 1} / ${count}`}
        />
      )}
      {count > 1 && (
        <p class="g-form-end">
          <button
            type="button"
            class="g-button"
            aria-disabled={here === 0}
            onClick={() => setAt(Math.max(0, here - 1))}
          >
            {say.previous}
          </button>
          <button
            type="button"
            class="g-button"
            aria-disabled={here === count - 1}
            onClick={() => setAt(Math.min(count - 1, here + 1))}
          >
            {say.next}
          </button>
        </p>
      )}
    </section>
  );
}

interface QuestionProps extends ComponentProps<"Quiz"> {
  readonly records: ReturnType<typeof useRecords>;
  readonly row: Json;
  readonly rowKey: string;
  readonly place: string;
}

function Question({ def, scope, records, row, rowKey, place }: QuestionProps) {
  const { pick } = def;
  const control = useActionControl(def.id, scope, `${pick?.action}:${rowKey}`);
  const [chosen, setChosen] = useState<number>();
  const [typed, setTyped] = useState("");
  const asked = shortName(text(own(row, def.textField)));
  const options = arrayOf(own(row, def.optionsField)).slice(0, MAX_OPTIONS);
  const nameOf = (option: Json) => text(def.optionField ? own(option, def.optionField) : option);
  const answerOf = (option: Json) =>
    (def.optionKey ? own(option, def.optionKey) : undefined) ?? nameOf(option);
  const fire = (answer: Json) =>
    control.fire(pick!.action, Object.assign(taken(pick!.fixed, row), { [pick!.to]: answer }), {
      confirm: pick!.confirm,
    });
  return (
    <div role="group" aria-label={asked || undefined}>
      <p class="g-muted">{place}</p>
      <p>
        <strong>{asked}</strong>
      </p>
      <ul class="g-options" role="list">
        {options.map((option, index) => (
          <li key={index}>
            {pick ? (
              <FireButton
                action={pick.action}
                label={nameOf(option)}
                accessibleLabel={`${pick.label}: ${nameOf(option)}`}
                disabled={isTaken(control.state.phase)}
                state={chosen === index ? control.state : { phase: "idle" }}
                onFire={() => {
                  setChosen(index);
                  fire(pick.as === "index" ? index : answerOf(option));
                }}
              />
            ) : (
              nameOf(option)
            )}
          </li>
        ))}
      </ul>
      {pick && options.length === 0 && (
        <form
          class="g-inline-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim()) fire(typed);
          }}
        >
          <input
            class="g-input"
            aria-label={asked || pick.label}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <FireButton
            action={pick.action}
            label={pick.label}
            variant={pick.variant}
            state={control.state}
            onFire={() => typed.trim() && fire(typed)}
            submit
          />
        </form>
      )}
      <ActionStatus state={control.state} />
      <Facts records={records} row={row} />
      <Actions
        def={def}
        scope={scope}
        records={records}
        row={row}
        rowKey={rowKey}
        name={asked}
        alone
      />
    </div>
  );
}
