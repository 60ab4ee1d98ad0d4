// The control that fires an action: spinner while pending, the confirmation before, and the outcome
// after.

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { type ActionState, isTaken, type Question } from "../../draw/context";
import { guestStrings as say } from "../../strings";
import { ConfirmDialog } from "./dialog";
import { onceHeld } from "./held";
import { Icon } from "./icons";

interface ActionButtonProps {
  readonly action: string;
  readonly label: string;
  readonly state: ActionState;
  readonly onFire: () => void;
  readonly variant?: string;
  readonly tone?: string;
  readonly icon?: string;
  readonly accessibleLabel?: string;
  readonly submit?: boolean;
  readonly disabled?: boolean;
  /** The id of the words that say why it is off. */
  readonly describedBy?: string;
  readonly dialog?: boolean;
  readonly children?: ComponentChildren;
}

/** The button where the last click began. */
let begun: EventTarget | null = null;

/**
 * `submit` makes it the button that Enter presses; the click alone fires, as some hosts withhold
 * form submission.
 */
export function FireButton({
  action,
  label,
  state,
  onFire,
  variant,
  tone,
  icon,
  accessibleLabel,
  submit,
  disabled,
  describedBy,
  dialog,
  children,
}: ActionButtonProps) {
  const pending = state.phase === "pending";
  const isOff = Boolean(pending || disabled || state.done);
  const press = (event: MouseEvent) => {
    event.preventDefault();
    // The second half of a double click belongs to the button of the first, even if that is gone; a
    // form is never sent twice by it.
    const isSecond = event.detail > 1 && (submit || begun !== event.currentTarget);
    if (!isSecond) begun = event.currentTarget;
    if (!(isOff || isSecond)) onFire();
  };
  return (
    <button
      type={submit ? "submit" : "button"}
      class="g-button"
      data-action={action}
      data-variant={variant}
      data-tone={tone}
      data-phase={state.phase}
      aria-disabled={isOff}
      aria-busy={pending}
      aria-label={accessibleLabel}
      aria-describedby={describedBy}
      aria-haspopup={dialog ? "dialog" : undefined}
      onClick={press}
      onKeyDown={onceHeld}
    >
      {pending ? <span class="g-spinner" aria-hidden="true" /> : icon ? <Icon name={icon} /> : null}
      {children ?? label}
    </button>
  );
}

/** The question before an action; it goes with its control. */
function Asked({ question }: { question: Question }) {
  useEffect(() => () => question.answer(false), [question]);
  return (
    <ConfirmDialog
      label={question.label}
      action={question.action}
      tone={question.tone}
      onAnswer={question.answer}
    />
  );
}

/**
 * The question before an action and, quietly, what became of the last one; violations stand in a
 * drawer.
 */
export function ActionStatus({ state }: { state: ActionState }) {
  const text =
    state.phase === "idle"
      ? ""
      : (state.message ??
        {
          pending: "",
          sent: say.sent,
          received: say.received,
          answered: say.answered,
          failed: say.notSent,
        }[state.phase]);
  const done = isTaken(state.phase);
  return (
    <>
      <span
        class={text ? "g-status" : "g-hidden"}
        data-phase={state.phase}
        title={done ? text : undefined}
      >
        <span role="status" aria-live="polite">
          {text && done && <Icon name="check" />}
          <span>{text}</span>
        </span>
        {state.phase === "failed" && state.violations?.length ? (
          <details class="g-details">
            <summary>{say.details}</summary>
            <ul>
              {state.violations.map((violation) => (
                <li key={violation.field}>
                  <code>{violation.field}</code> {violation.message}
                </li>
              ))}
            </ul>
          </details>
        ) : null}
      </span>
      {state.question && <Asked question={state.question} />}
    </>
  );
}
