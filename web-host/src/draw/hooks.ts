// Hooks that tie a component's properties to the data model.

import { computed } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";
import type { Json } from "../wire/json";
import type { Check, Dynamic } from "../wire/view";
import { isCall, isPath, resolve } from "./bind";
import { type ActionState, type Firing, type Scope, useDraw } from "./context";
import { lettersEach, roomForForm, shorten } from "./limits";
import { type BindingScope, isTyped } from "./model";
import { formatPointer, isObject, own, resolvePointer } from "./pointer";
import { text } from "./text";

/** An item of a long list may draw few components, and each shows little. */
const LETTERS_PER_NODE = 200;

export function useBindingScope(scope: Scope): BindingScope {
  const { model, locale } = useDraw();
  return useMemo(() => ({ model, path: scope.path, locale }), [model, locale, scope.path]);
}

/** The current value of a property; the component is drawn again only when this value changes. */
export function useValue(dynamic: Json | undefined, scope: Scope): Json | undefined {
  const binding = useBindingScope(scope);
  // Most properties are literals, which need no subscription.
  const bound = useMemo(
    () =>
      isPath(dynamic) || isCall(dynamic) ? computed(() => resolve(dynamic, binding)) : undefined,
    [dynamic, binding],
  );
  return bound ? bound.value : dynamic;
}

/** A property as a text to read, cut where it would be too long for its place. */
export function useText(dynamic: Dynamic | undefined, scope: Scope): string {
  return shorten(...useWhole(dynamic, scope));
}

/** The whole text, and how many of its characters its place has room for. */
export function useWhole(dynamic: Dynamic | undefined, scope: Scope): [string, number] {
  const { view } = useDraw();
  return [
    text(useValue(dynamic, scope)),
    Math.min(lettersEach(view.components.size), scope.budget * LETTERS_PER_NODE),
  ];
}

/**
 * An address that the browser asks for by itself, or opens with a click. Nothing that is typed is
 * read for it, and there is none where what is typed is repeated: it would be gone with every
 * letter.
 */
export function useAddress(dynamic: Dynamic | undefined, scope: Scope): string {
  const { model, locale } = useDraw();
  const address = useMemo(
    () =>
      computed(() =>
        isTyped(scope.path)
          ? ""
          : text(resolve(dynamic, { model: model.given, path: scope.path, locale })),
      ),
    [dynamic, model, locale, scope.path],
  );
  return address.value;
}

/**
 * Whether what is shown here is user input, wholly or in part: no address in it is requested or
 * opened. It is where the value would be another one without what is typed, and where what is typed
 * is repeated.
 */
export function useIsTyped(dynamic: Dynamic | undefined, scope: Scope): boolean {
  const { model, locale } = useDraw();
  const { path } = scope;
  const typed = useMemo(
    () =>
      computed(
        () =>
          isTyped(path) ||
          resolve(dynamic, { model, path, locale }) !==
            resolve(dynamic, { model: model.given, path, locale }),
      ),
    [dynamic, model, locale, path],
  );
  return typed.value;
}

/** The limits of a form at this place. */
export function useRoom(scope: Scope): number {
  const { view } = useDraw();
  return roomForForm(view.forms, scope.budget);
}

/** Whether one of these properties waits for the first data of a channel. */
export function useWaiting(dynamics: readonly unknown[], scope: Scope): boolean {
  const { model } = useDraw();
  const waiting = useMemo(() => {
    const bound = dynamics.filter(isPath).map(({ path }) => resolvePointer(path, scope.path));
    return bound.length > 0 ? computed(() => bound.some((path) => model.waits(path))) : undefined;
  }, [model, scope.path, ...dynamics]);
  return waiting?.value ?? false;
}

/**
 * A two-way property: writes to context and ui state, and stays local when the path is the
 * server's.
 */
export function useField(
  dynamic: Dynamic | undefined,
  scope: Scope,
): [Json | undefined, (value: Json | undefined) => void] {
  const { model } = useDraw();
  const bound = useValue(dynamic, scope);
  const [local, setLocal] = useState<{ over: Json | undefined; value: Json | undefined } | null>(
    null,
  );
  const set = (value: Json | undefined) => {
    const written = isPath(dynamic) && model.write(resolvePointer(dynamic.path, scope.path), value);
    setLocal(written ? null : { over: bound, value });
  };
  return [local && local.over === bound ? local.value : bound, set];
}

/**
 * A two-way property with its checks: the problem is shown once the person has changed the value.
 */
export function useCheckedField(
  def: { readonly value?: Dynamic; readonly checks?: readonly Check[] },
  scope: Scope,
): [Json | undefined, (value: Json | undefined) => void, string | undefined] {
  const [value, set] = useField(def.value, scope);
  const failed = useFailedCheck(def.checks, scope);
  const [changed, setChanged] = useState(false);
  const change = (next: Json | undefined) => {
    setChanged(true);
    set(next);
  };
  return [value, change, changed ? failed || undefined : undefined];
}

export function useFailedCheck(
  checks: readonly Check[] | undefined,
  scope: Scope,
): string | undefined {
  const binding = useBindingScope(scope);
  return useMemo(() => computed(() => firstFailure(checks, binding)), [checks, binding]).value;
}

/**
 * The message of the first check that does not hold; a result may be a boolean or {valid, message}.
 */
export function firstFailure(
  checks: readonly Check[] | undefined,
  binding: BindingScope,
): string | undefined {
  for (const { condition, message } of checks ?? []) {
    const result = resolve(condition, binding);
    const holds = isObject(result) ? result.valid : result;
    if (!holds) return message || text(own(result, "message"));
  }
  return undefined;
}

/** A state that is stored: restored from an earlier page if it still has the same type. */
export function useKept<T>(place: string, initial: T & Json): [T, (next: T & Json) => void] {
  const { kept } = useDraw();
  const [value, set] = useState<T>(() => {
    const before = kept.get(place);
    return hasTypeOf<T>(initial, before) ? before : initial;
  });
  const change = (next: T & Json) => {
    kept.set(place, next);
    set(() => next);
  };
  return [value, change];
}

function hasTypeOf<T>(sample: T, value: unknown): value is T {
  return typeof value === typeof sample;
}

export interface ActionControl {
  /** The control's own name. */
  readonly name: string;
  readonly state: ActionState;
  fire(name: string, data: Json, firing?: Firing): void;
}

/** The action life of one control, named by its component, its place and an optional part. */
export function useActionControl(componentId: string, scope: Scope, part = ""): ActionControl {
  const { actions } = useDraw();
  const control = `${componentId}${scope.place ?? formatPointer(scope.path)}#${part}`;
  const state = actions.state(control).value;
  const question = actions.question(control).value;
  return {
    name: control,
    state: question ? { ...state, question } : state,
    fire: (name, data, firing) => actions.fire(control, name, data, firing),
  };
}
