// A label, its control, its hint and its problem, tied together for assistive technology.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./field-styles";
import { formStrings } from "../../form/strings";

export interface ControlIds {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: boolean;
  readonly "aria-required"?: boolean;
}

interface LabeledProps {
  readonly label: string;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly hint?: string;
  readonly problem?: string;
  readonly hideLabel?: boolean;
  readonly children: (ids: ControlIds) => ComponentChildren;
}

function useParts({
  hint,
  problem,
  required,
}: Pick<LabeledProps, "hint" | "problem" | "required">) {
  const id = useId();
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  const ids: ControlIds = {
    id,
    ...(described ? { "aria-describedby": described } : {}),
    ...(problem ? { "aria-invalid": true } : {}),
    ...(required ? { "aria-required": true } : {}),
  };
  return { id, ids };
}

function Notes({ id, hint, problem }: { id: string; hint?: string; problem?: string }) {
  return (
    <>
      {hint && (
        <span class="g-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem && (
        <span class="g-problem" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
    </>
  );
}

function Mark({ optional }: { optional?: boolean }) {
  return optional ? <span class="g-optional"> {formStrings.optional}</span> : null;
}

export function Labeled({
  label,
  required,
  optional,
  hint,
  problem,
  hideLabel,
  children,
}: LabeledProps) {
  const { id, ids } = useParts({ hint, problem, required });
  return (
    <div class="g-field">
      {label && (
        <label class={hideLabel ? "g-hidden" : "g-label"} for={id}>
          {label}
          <Mark optional={optional} />
        </label>
      )}
      {children(ids)}
      <Notes id={id} hint={hint} problem={problem} />
    </div>
  );
}

/** A control with its unit beside it, which is heard with it. */
export function Measured({
  unit,
  ids,
  children,
}: {
  readonly unit: string | undefined;
  readonly ids: ControlIds;
  readonly children: (ids: ControlIds) => ComponentChildren;
}) {
  if (!unit) return <>{children(ids)}</>;
  const id = `${ids.id}-unit`;
  const described = [id, ids["aria-describedby"]].filter(Boolean).join(" ");
  return (
    <span class="g-measured">
      {children({ ...ids, "aria-describedby": described })}
      <span class="g-muted" id={id}>
        {unit}
      </span>
    </span>
  );
}

/** The same for several controls that belong together. */
export function LabeledGroup({
  label,
  optional,
  hint,
  problem,
  hideLabel,
  children,
  role,
}: LabeledProps & { role?: "group" | "radiogroup" }) {
  const { id, ids } = useParts({ hint, problem });
  return (
    <fieldset
      class="g-field g-plain"
      role={role}
      aria-describedby={ids["aria-describedby"]}
      aria-invalid={ids["aria-invalid"]}
    >
      <legend class={hideLabel ? "g-hidden" : "g-label"}>
        {label}
        <Mark optional={optional} />
      </legend>
      {children(ids)}
      <Notes id={id} hint={hint} problem={problem} />
    </fieldset>
  );
}
