// What every form does: it holds what is typed, sends it with what the page gives, and leads to the
// first problem.

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { resolveContext } from "../../draw/bind";
import { isTaken, type Scope } from "../../draw/context";
import { useActionControl, useBindingScope, useRoom, useText, useValue } from "../../draw/hooks";
import { bare, isObject } from "../../draw/pointer";
import { NO_FIELDS } from "../../form/schema";
import { violationsByPointer } from "../../form/violations";
import { guestStrings as say } from "../../strings";
import type { ComponentDef } from "../../wire/catalog";
import type { Json } from "../../wire/json";
import { useAmounts } from "./amounts";
import { useFormState } from "./form-state";
import { useReferences } from "./references";

/**
 * `done` is called once what was sent has been taken, unless something else was typed meanwhile;
 * with `keeps` the form stays as it is.
 */
export function useSubmission(
  { def, scope }: { def: Omit<ComponentDef<"Form">, "component">; scope: Scope },
  done: () => void,
  keeps = false,
) {
  const control = useActionControl(def.id, scope);
  const title = useText(def.title, scope);
  const description = useText(def.description, scope);
  const submitLabel = useText(def.submitLabel, scope) || say.submit;
  const initial = useValue(def.initial, scope);
  const schema = useAmounts(useReferences(def.schema ?? NO_FIELDS, def.choices));
  const binding = useBindingScope(scope);
  const action = String(def.action);
  const refused = useMemo(
    () => violationsByPointer(control.state.violations, action),
    [control.state.violations, action],
  );
  const form = useFormState(schema, initial, refused, useRoom(scope), {
    place: `form:${control.name}`,
  });
  const element = useRef<HTMLFormElement>(null);
  const sent = useRef<{ readonly draft: unknown } | undefined>(undefined);
  const missing = useRef(false);
  const taken = isTaken(control.state.phase);

  // Both before the next paint, so before anything else can be typed.
  useLayoutEffect(() => {
    if (!taken || !sent.current || sent.current.draft !== form.draft) return;
    sent.current = undefined;
    if (initial === undefined && !keeps) form.reset();
    done();
  }, [taken]);
  useLayoutEffect(() => {
    if (missing.current)
      element.current!.querySelector<HTMLElement>("[aria-invalid] input, [aria-invalid]")?.focus();
    missing.current = false;
  });

  const send = (tone: string | undefined) => {
    const typed = form.submit();
    missing.current = typed === undefined;
    if (typed === undefined) return;
    sent.current = { draft: form.draft };
    const given = resolveContext(def.given, binding);
    const data: Json = isObject(given) ? Object.assign(bare<Json>(), given, typed) : typed;
    // An action that takes nothing is sent nothing.
    control.fire(action, def.schema ? data : null, { confirm: def.confirm === true, tone });
  };
  return { action, control, description, element, form, send, submitLabel, title };
}
