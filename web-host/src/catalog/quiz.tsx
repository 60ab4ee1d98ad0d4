// Quiz: questions, one after the other, each with its options or a line to answer; each is answered
// by itself, or all are handed in together, and each may be checked before.

import { useState } from "preact/hooks";
import { type ComponentProps, isTaken } from "../draw/context";
import { useActionControl } from "../draw/hooks";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { arrayOf, isArray, own } from "../draw/pointer";
import { text } from "../draw/text";
import { formStrings } from "../form/strings";
import { guestStrings as say } from "../strings";
import type { ComponentDef } from "../wire/catalog";
import type { Json } from "../wire/json";
import { ActionStatus, FireButton } from "./kit/action";
import { Answer, type Answers, HandIn, isBlank, isSeveral, useAnswers } from "./kit/hand-in";
import type { Choice } from "./kit/inputs";
import { plain } from "./kit/markdown";
import { Actions, Facts, type Records, useRecords } from "./kit/records";
import { pick as taken } from "./kit/row-action";
import { addStyles } from "./styles";
import css from "./styles/quiz.css?inline";

addStyles(css);

/** Options of one question. */
const MAX_OPTIONS = 50;

export function Quiz({ def, scope }: ComponentProps<"Quiz">) {
  const records = useRecords(def, scope);
  const [at, setAt] = useState(0);
  const answers = useAnswers(def, scope, records, () => setAt(0));
  const count = records.rows.length;
  const here = Math.min(at, Math.max(0, count - 1));
  const row = records.rows[here];
  const place = `${here + 1} / ${count}`;
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
          place={def.handIn ? `${place} · ${formStrings.given(answers.count, count)}` : place}
          answers={answers}
        />
      )}
      {(count > 1 || (count > 0 && def.handIn)) && (
        <div class="g-form-end">
          {count > 1 && (
            <>
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
            </>
          )}
          {def.handIn && (
            <HandIn
              id={def.id}
              scope={scope}
              spec={def.handIn}
              answers={answers}
              of={count}
              isLast={here === count - 1}
            />
          )}
        </div>
      )}
    </section>
  );
}

interface QuestionProps extends ComponentProps<"Quiz"> {
  readonly records: Records;
  readonly row: Json;
  readonly rowKey: string;
  readonly place: string;
  readonly answers: Answers;
}

function Question({ def, scope, records, row, rowKey, place, answers }: QuestionProps) {
  const { handIn, pick } = def;
  const several = isSeveral(def, row);
  const asked = shortName(text(own(row, def.textField)));
  const choices = choicesOf(def, row);
  const pictures = records.columns.filter(({ format }) => format === "image");
  return (
    // The field of an answer is named after the question itself.
    <div role="group" aria-label={handIn ? place : asked || undefined}>
      <p class="g-muted">{place}</p>
      {/* What is asked about is looked at first. */}
      <Facts records={records} row={row} of={pictures} />
      {handIn || (pick && several) ? (
        <>
          <Answer
            asked={asked || (handIn ?? pick!).label}
            choices={choices}
            several={several}
            answer={answers.of(rowKey)}
            onAnswer={(answer) => answers.set(rowKey, answer)}
          />
          {pick && <Check {...{ def, scope, row, rowKey }} answer={answers.of(rowKey) ?? null} />}
        </>
      ) : (
        <Picked {...{ def, scope, row, rowKey, asked, choices }} />
      )}
      <Facts
        records={records}
        row={row}
        of={records.columns.filter((one) => !pictures.includes(one))}
      />
      <Actions {...{ def, scope, records, row, rowKey }} name={asked} alone />
    </div>
  );
}

function choicesOf(def: ComponentDef<"Quiz">, row: Json): Choice[] {
  const { optionField, optionKey } = def;
  const as = def.handIn ? def.handIn.option : def.pick?.as;
  return arrayOf(own(row, def.optionsField))
    .slice(0, MAX_OPTIONS)
    .map((option, index) => {
      const label = text(optionField ? own(option, optionField) : option);
      return { label, value: as === "index" ? index : (own(option, optionKey) ?? label) };
    });
}

/** What is sent for one question. */
function sentOf(
  { fixed, to, several }: NonNullable<ComponentDef<"Quiz">["pick"]>,
  row: Json,
  answer: Json,
) {
  const given = several && !isArray(answer) ? [answer] : answer;
  return Object.assign(taken(fixed, row), { [to]: given });
}

interface CheckProps extends ComponentProps<"Quiz"> {
  readonly row: Json;
  readonly rowKey: string;
  readonly answer: Json;
}

/** Sends the answer that is chosen for one question, and keeps it chosen. */
function Check({ def, scope, row, rowKey, answer }: CheckProps) {
  const { action, label, variant, confirm } = def.pick!;
  const control = useActionControl(def.id, scope, `${action}:${rowKey}`);
  return (
    <p>
      <FireButton
        {...{ action, label, variant }}
        disabled={isBlank(answer) || isTaken(control.state.phase)}
        state={control.state}
        onFire={() => control.fire(action, sentOf(def.pick!, row, answer), { confirm })}
      />
      <ActionStatus state={control.state} />
    </p>
  );
}

interface PickedProps extends ComponentProps<"Quiz"> {
  readonly row: Json;
  readonly rowKey: string;
  readonly asked: string;
  readonly choices: readonly Choice[];
}

/** A question whose options each send an answer, or a line that does. */
function Picked({ def, scope, row, rowKey, asked, choices }: PickedProps) {
  const { pick } = def;
  const control = useActionControl(def.id, scope, `${pick?.action}:${rowKey}`);
  const [chosen, setChosen] = useState<number>();
  const [typed, setTyped] = useState("");
  const fire = (answer: Json) =>
    control.fire(pick!.action, sentOf(pick!, row, answer), { confirm: pick!.confirm });
  return (
    <>
      <p>
        <strong>{plain(asked)}</strong>
      </p>
      <ul class="g-options" role="list">
        {choices.map(({ label, value }, index) => (
          <li key={index}>
            {pick ? (
              <FireButton
                action={pick.action}
                label={label}
                accessibleLabel={`${pick.label}: ${label}`}
                disabled={isTaken(control.state.phase)}
                state={chosen === index ? control.state : { phase: "idle" }}
                onFire={() => {
                  setChosen(index);
                  fire(value);
                }}
              />
            ) : (
              label
            )}
          </li>
        ))}
      </ul>
      {pick && choices.length === 0 && (
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
    </>
  );
}
