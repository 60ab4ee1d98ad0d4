// Wizard: a form in steps; each asks for its fields, and the last one shows what was given before it is sent.

import { useMemo, useState } from "preact/hooks";
import { isPath } from "../draw/bind";
import { type ComponentProps, useDraw } from "../draw/context";
import { useActionControl, useField, useValue } from "../draw/hooks";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { formatPointer, isObject, own } from "../draw/pointer";
import { text } from "../draw/text";
import { choicesOf, membersOf } from "../form/field";
import { stepsOf } from "../form/steps";
import { guestStrings as say } from "../strings";
import type { Json } from "../wire/json";
import { Editor } from "./fields/editor";
import { ActionStatus, FireButton } from "./kit/action";
import { onceHeld } from "./kit/held";
import { Icon } from "./kit/icons";
import { useSubmission } from "./kit/submission";
import { valueNode } from "./kit/value";
import { addStyles } from "./styles";
import css from "./styles/stepper.css?inline";
import "./kit/field-styles";

addStyles(css);

/** Nobody follows more steps than these. */
const MAX_STEPS = 30;

export function Wizard({ def, scope }: ComponentProps) {
  const { locale } = useDraw();
  const { action, control, description, element, form, send, submitLabel, title } = useSubmission(
    { def, scope },
    () => show(0),
  );
  const turning = useActionControl(def.id, scope, "turn");
  const value = useValue(def.rows, scope);
  const rows = (Array.isArray(value) ? (value as readonly Json[]) : []).slice(0, MAX_STEPS);
  const labelOf = (row: Json) => shortName(text(def.labelField ? own(row, def.labelField) : row));
  const names = rows.map(labelOf);
  const keys = rows.map((row) => text(def.key ? own(row, def.key) : labelOf(row)));
  const members = membersOf(form.field);
  const parts = useMemo(
    () =>
      names.length === 0
        ? [members]
        : stepsOf(
            members,
            names.map((name, index) => `${keys[index]} ${name}`),
          ),
    [members, names.join("\n"), keys.join("\n")],
  );
  const first = Number(def.first ?? 1);
  const [slot, setSlot] = useField(def.current, scope);
  const [mine, setMine] = useState(0);
  const isBound = isPath(def.current) && slot !== undefined;
  const found =
    typeof slot === "number"
      ? slot - first
      : Math.max(keys.indexOf(text(slot)), names.indexOf(text(slot)));
  const last = Math.max(0, rows.length - 1);
  const at = Math.min(last, Math.max(0, isBound ? found : mine));
  const here = parts[at] ?? [];
  const show = (index: number) => {
    form.calm();
    setMine(index);
    // The step is the agent's to see where it stands in a slot.
    if (isPath(def.current)) setSlot(typeof slot === "string" ? keys[index]! : index + first);
  };
  const problemIn = (index: number) =>
    (parts[index] ?? []).some(({ name }) =>
      [...form.problems.keys()].some(
        (pointer) =>
          pointer === formatPointer([name]) || pointer.startsWith(`${formatPointer([name])}/`),
      ),
    );
  const go = () => {
    if (control.state.phase === "pending") return;
    const wrong =
      at === last ? rows.findIndex((_, index) => problemIn(index)) : problemIn(at) ? at : -1;
    if (wrong >= 0 && wrong !== at) show(wrong);
    if (wrong >= 0 || at === last) return send(root["data-tone"]);
    turn(def.next, at + 1);
  };
  /** Where the contract has an action for it, the agent is told by it. */
  const turn = (turned: { readonly action: string } | undefined, index: number) => {
    show(index);
    if (turned) turning.fire(turned.action, null);
  };

  const root = useRoot(def, scope, "form");
  const hint = def.hintField ? text(own(rows[at], def.hintField)) : "";
  return (
    <form
      {...root}
      ref={element}
      noValidate
      onKeyDown={onceHeld}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
      data-form={action}
    >
      {title && <h2 class="g-title">{title}</h2>}
      {description && <p class="g-muted">{description}</p>}
      <ol class="g-steps" role="list" aria-label={title || undefined}>
        {names.map((name, index) => {
          const state = index < at ? "done" : index === at ? "current" : "ahead";
          return (
            <li key={index} data-state={state} aria-current={index === at ? "step" : undefined}>
              <span class="g-step-mark" aria-hidden="true">
                {state === "done" ? <Icon name="check" /> : index + 1}
              </span>
              <span>
                {name}
                <span class="g-hidden">, {say.stepStates[state]}</span>
              </span>
            </li>
          );
        })}
      </ol>
      {hint && <p class="g-muted">{hint}</p>}
      <div class="g-fields">
        {at === last && rows.length > 1 && (
          <dl class="g-review">
            {parts.slice(0, last).flatMap((step) =>
              step.flatMap(({ name, field }) => {
                const given = isObject(form.draft)
                  ? own(form.value ?? form.draft, name)
                  : undefined;
                if (given === undefined || given === "" || given === null) return [];
                const chosen =
                  field.kind === "choice" &&
                  choicesOf(field.schema).find((one) => one.value === given);
                return [
                  <div key={name}>
                    <dt>{field.label}</dt>
                    <dd>
                      {chosen ? chosen.label : valueNode(given, formatOf(field.kind), locale)}
                    </dd>
                  </div>,
                ];
              }),
            )}
          </dl>
        )}
        {here.map(({ name, field, required }) => (
          <Editor
            key={name}
            form={form}
            field={field}
            path={[name]}
            draft={own(form.draft as Json, name)}
            required={required}
            room={form.room}
          />
        ))}
      </div>
      <div class="g-form-end">
        {at > 0 && (
          <button type="button" class="g-button" onClick={() => turn(def.back, at - 1)}>
            {say.previous}
          </button>
        )}
        {at < last ? (
          <button type="submit" class="g-button" data-variant="primary">
            {say.next}
          </button>
        ) : (
          <FireButton
            action={action}
            label={submitLabel}
            state={control.state}
            variant="primary"
            onFire={go}
            submit
          />
        )}
        <ActionStatus state={at === last ? control.state : turning.state} />
      </div>
    </form>
  );
}

const FORMATS: { readonly [kind: string]: string } = {
  date: "date",
  "date-time": "datetime",
  time: "time",
  boolean: "boolean",
  consent: "boolean",
  choices: "tags",
  list: "records",
  group: "record",
};

function formatOf(kind: string): string {
  return FORMATS[kind] ?? "text";
}
