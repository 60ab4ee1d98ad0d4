// Answers that are kept while a person goes through the questions, and are handed in together.

import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { resolveContext } from "../../draw/bind";
import { isTaken, type Scope } from "../../draw/context";
import { type ActionControl, useActionControl, useBindingScope, useKept } from "../../draw/hooks";
import { arrayOf, bare, own, sameJson, setAt } from "../../draw/pointer";
import { text } from "../../draw/text";
import { formStrings } from "../../form/strings";
import { guestStrings as say } from "../../strings";
import type { ComponentDef } from "../../wire/catalog";
import type { Json } from "../../wire/json";
import { ActionStatus, FireButton } from "./action";
import { listOf } from "./choices";
import { Checks, type Choice, TextInput } from "./inputs";
import { Labeled, LabeledGroup } from "./labeled";
import type { Records } from "./records";
import { ActionDialog } from "./row-action";

type Spec = NonNullable<ComponentDef<"Quiz">["handIn"]>;

export interface Answers {
  /** How many questions are answered. */
  readonly count: number;
  readonly control: ActionControl;
  of(key: string): Json | undefined;
  set(key: string, answer: Json): void;
  /** All of them, as they are sent; they are forgotten once they have been taken. */
  take(): Json;
}

/** Whether several options of a question may be chosen. */
export function isSeveral(def: ComponentDef<"Quiz">, row: Json): boolean {
  const value = own(row, def.severalField) ?? false;
  return value === true || Number(value) > 1 || /^(multiple|picks|several)/i.test(text(value));
}

/** `done` is called once they have been taken, unless one was changed meanwhile. */
export function useAnswers(
  def: ComponentDef<"Quiz">,
  scope: Scope,
  { rows, keyOf }: Records,
  done: () => void,
): Answers {
  const spec = def.handIn;
  const control = useActionControl(def.id, scope, spec && partOf(spec));
  const [held, hold] = useKept<Json>(`answers:${control.name}`, {});
  const sent = useRef<Json | undefined>(undefined);
  const taken = isTaken(control.state.phase);
  useLayoutEffect(() => {
    if (!taken || sent.current === undefined || sent.current !== held) return;
    sent.current = undefined;
    hold({});
    done();
  }, [taken]);

  const given = rows.flatMap((row, index): Given[] => {
    const key = keyOf(row, index);
    const answer = own(held, key);
    if (answer === undefined || isBlank(answer)) return [];
    const isTyped = arrayOf(own(row, def.optionsField)).length === 0;
    return [{ key, id: own(row, def.key) ?? index, answer, several: isSeveral(def, row), isTyped }];
  });
  return {
    count: given.length,
    control,
    of: (key) => own(held, key),
    set: (key, answer) => hold(setAt(held, [key], answer) ?? {}),
    take() {
      sent.current = held;
      return spec?.as === "list" ? listed(spec, given) : mapped(given);
    },
  };
}

/** The part of the component that hands in: a dialog, where more is asked for. */
function partOf({ action, inputs }: Spec): string {
  return inputs ? `${action}:` : action;
}

interface Given {
  readonly key: string;
  readonly id: Json;
  readonly answer: Json;
  readonly several: boolean;
  /** There were no options to choose from. */
  readonly isTyped: boolean;
}

export function isBlank(answer: Json): boolean {
  return Array.isArray(answer) ? answer.length === 0 : text(answer).trim() === "";
}

function mapped(given: readonly Given[]): Json {
  const map = bare<Json>();
  for (const { key, answer } of given) map[key] = answer;
  return map;
}

function listed(spec: Spec, given: readonly Given[]): Json {
  const { id = "id", values, number, value = values ?? number ?? "value" } = spec;
  return given.map((one) => {
    if (number && one.isTyped && Number.isFinite(Number(one.answer)))
      return { [id]: one.id, [number]: Number(one.answer) };
    const member = one.several && values ? values : value;
    return { [id]: one.id, [member]: member === values ? listOf(one.answer) : one.answer };
  });
}

interface AnswerProps {
  readonly asked: string;
  readonly choices: readonly Choice[];
  readonly several: boolean;
  readonly answer: Json | undefined;
  readonly onAnswer: (answer: Json) => void;
}

/** What answers one question: its options, or a line. */
export function Answer({ asked, choices, several, answer, onAnswer }: AnswerProps) {
  const name = useId();
  if (choices.length === 0)
    return (
      <Labeled label={asked}>
        {(ids) => <TextInput ids={ids} type="text" value={text(answer)} onInput={onAnswer} />}
      </Labeled>
    );
  return (
    <LabeledGroup label={asked} role={several ? "group" : "radiogroup"}>
      {() =>
        several ? (
          <Checks choices={choices} value={listOf(answer)} onChoose={onAnswer} />
        ) : (
          <div class="g-checks">
            {choices.map((choice, index) => (
              <label key={index} class="g-check">
                <input
                  type="radio"
                  name={name}
                  checked={sameJson(choice.value, answer)}
                  onChange={() => onAnswer(choice.value)}
                />
                <span>{choice.label || say.untitled}</span>
              </label>
            ))}
          </div>
        )
      }
    </LabeledGroup>
  );
}

interface HandInProps {
  readonly id: string;
  readonly scope: Scope;
  readonly spec: Spec;
  readonly answers: Answers;
  /** How many questions there are. */
  readonly of: number;
  /** Whether the last question is shown, after which they are handed in. */
  readonly isLast: boolean;
}

/** The button behind the last question, and what became of the answers. */
export function HandIn({ id, scope, spec, answers, of, isLast }: HandInProps) {
  const { action, label, confirm, given, inputs, choices, to } = spec;
  const { count, control } = answers;
  const hint = useId();
  const binding = useBindingScope(scope);
  const [open, setOpen] = useKept<boolean>(`open:${control.name}`, false);
  const fire = () => {
    const data = Object.assign(bare<Json>(), resolveContext(given, binding));
    data[to] = answers.take();
    control.fire(action, data, { confirm });
  };
  return (
    <>
      {isLast && (
        <FireButton
          action={action}
          label={label}
          variant={spec.variant ?? "primary"}
          disabled={count === 0}
          describedBy={count === 0 ? hint : undefined}
          state={control.state}
          dialog={inputs !== undefined}
          onFire={inputs ? () => setOpen(true) : fire}
        />
      )}
      {isLast && count === 0 && (
        <span class="g-hint" id={hint}>
          {formStrings.noneGiven}
        </span>
      )}
      <ActionStatus state={control.state} />
      {inputs && open && (
        <ActionDialog
          tableId={id}
          scope={scope}
          spec={{ action, label, confirm, given, inputs, choices, fixed: { [to]: "value" } }}
          row={{ value: answers.take() }}
          rowName={formStrings.given(count, of)}
          rowKey=""
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
