// Wizard: a form in steps, which one action sends at the end, or of which each step has its own.

import { useMemo } from "preact/hooks";
import { resolveContext } from "../draw/bind";
import { type ComponentProps, useDraw } from "../draw/context";
import { useActionControl, useBindingScope, useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { bare, formatPointer, isObject, own } from "../draw/pointer";
import { choicesOf, membersOf } from "../form/field";
import { formsOf, listedStepsOf, stepsOf } from "../form/steps";
import { guestStrings as say } from "../strings";
import type { Json } from "../wire/json";
import { Editor } from "./fields/editor";
import { Fields } from "./form";
import { ActionStatus, FireButton } from "./kit/action";
import { onceHeld } from "./kit/held";
import { StepList, useSteps } from "./kit/steps";
import { useSubmission } from "./kit/submission";
import { valueNode } from "./kit/value";
import { addStyles } from "./styles";
import css from "./styles/stepper.css?inline";
import "./kit/field-styles";

addStyles(css);

export function Wizard(props: ComponentProps<"Wizard">) {
  return Array.isArray(props.def.steps) ? <Saved {...props} /> : <Whole {...props} />;
}

/** One form, step by step; the last one shows what was given before it is sent. */
function Whole({ def, scope }: ComponentProps<"Wizard">) {
  const { locale } = useDraw();
  const { action, control, description, element, form, send, submitLabel, title } = useSubmission(
    { def, scope },
    () => show(0),
  );
  const turning = useActionControl(def.id, scope, "turn");
  const keeping = useActionControl(def.id, scope, "keep");
  const { keep } = def;
  const binding = useBindingScope(scope);
  const steps = useSteps({ def, scope });
  const { names, keys, inputs, at, last } = steps;
  const members = membersOf(form.field);
  const parts = useMemo(() => {
    if (names.length === 0) return [members];
    if (inputs) return listedStepsOf(members, inputs);
    return stepsOf(
      members,
      names.map((name, index) => `${keys[index]} ${name}`),
    );
  }, [members, names.join("\n"), keys.join("\n"), JSON.stringify(inputs)]);
  const here = parts[at] ?? [];
  const show = (index: number) => {
    form.calm();
    steps.show(index);
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
      at === last ? names.findIndex((_, index) => problemIn(index)) : problemIn(at) ? at : -1;
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
      <StepList steps={steps} title={title} />
      <div class="g-fields">
        {at === last && names.length > 1 && (
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
            draft={own(form.draft, name)}
            required={required}
            room={form.room}
            // What is all of a step is called as the step is.
            hideLabel={here.length === 1 && field.kind === "group"}
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
        {keep && (
          <>
            <FireButton
              action={keep.action}
              label={keep.label}
              state={keeping.state}
              onFire={() => {
                const given = resolveContext(keep.given, binding);
                keeping.fire(
                  keep.action,
                  Object.assign(bare<Json>(), given, { [keep.to]: form.value ?? null }),
                );
              }}
            />
            <ActionStatus state={keeping.state} />
          </>
        )}
      </div>
    </form>
  );
}

/** A form for each step, which saves it; what ends them all stands below the last. */
function Saved({ def, scope }: ComponentProps<"Wizard">) {
  const title = useText(def.title, scope);
  const steps = useSteps({ def, scope });
  const turning = useActionControl(def.id, scope, "turn");
  const forms = def.steps ?? [];
  const { names, keys, at, last, show } = steps;
  const places = formsOf(
    forms.map(({ action }) => String(action)),
    names.map((name, index) => `${keys[index]} ${name}`),
  );
  const turn = (turned: { readonly action: string } | undefined, index: number) => {
    show(index);
    if (turned) turning.fire(turned.action, null);
  };
  return (
    <section {...useRoot(def, scope, "form")}>
      {title && <h2 class="g-title">{title}</h2>}
      <StepList steps={steps} title={title} />
      {forms.map(
        (form, index) =>
          places[index] === at && (
            <Fields
              key={form.action}
              def={{
                ...form,
                id: `${def.id}-${form.action}`,
                component: "Form",
                variant: at === last ? "default" : "primary",
              }}
              scope={scope}
              keeps
              onTaken={() => at < last && show(at + 1)}
            />
          ),
      )}
      {at === last && (
        <Fields
          def={{
            ...def,
            id: `${def.id}-end`,
            component: "Form",
            title: undefined,
            variant: "primary",
          }}
          scope={scope}
        />
      )}
      <div class="g-form-end">
        {at > 0 && (
          <button type="button" class="g-button" onClick={() => turn(def.back, at - 1)}>
            {say.previous}
          </button>
        )}
        {at < last && (
          <button type="button" class="g-button" onClick={() => turn(def.next, at + 1)}>
            {say.next}
          </button>
        )}
        <ActionStatus state={turning.state} />
      </div>
    </section>
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
