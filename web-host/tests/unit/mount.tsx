// Draws a view in the test document and gives the tests its handles.

import { type Signal, signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { catalog } from "../../src/catalog/index";
import type { ActionState, DrawContext } from "../../src/draw/context";
import { DataModel } from "../../src/draw/model";
import { Root } from "../../src/draw/node";
import { MAX_NODES, readView } from "../../src/draw/view";
import type { Json } from "../../src/wire/json";

export interface Fired {
  readonly control: string;
  readonly name: string;
  readonly data: Json;
  /** Whether the person is asked first. */
  readonly confirm?: boolean;
}

export function view(...components: object[]) {
  return { version: "v0.9", catalogId: "urn:proscenium:catalog:v1", view: { components } };
}

export async function draw(
  components: object[],
  props: Record<string, Json> = {},
  context: Record<string, Json> = {},
) {
  const result = readView(view(...components));
  if (!result.ok) throw new Error(result.problem);
  const model = new DataModel();
  model.setProps(props);
  model.setContext(context);
  const fired: Fired[] = [];
  const failures: unknown[] = [];
  const states = new Map<string, Signal<ActionState>>();
  const state = (control: string) => {
    if (!states.has(control)) states.set(control, signal<ActionState>({ phase: "idle" }));
    return states.get(control)!;
  };
  const root = document.createElement("main");
  document.body.replaceChildren(root);
  const context_: DrawContext = {
    view: result.view,
    catalog,
    model,
    locale: "en",
    kept: new Map(),
    runtimeUrl: undefined,
    actions: {
      state,
      question: () => signal(undefined),
      fire: (control, name, data, { confirm, sent } = {}) => {
        fired.push({ control, name, data, confirm });
        sent?.();
      },
    },
    openUrl: () => undefined,
    failed: (_, problem) => void failures.push(problem),
  };
  await act(() => render(<Root draw={context_} budget={MAX_NODES} />, root));
  return { root, model, fired, failures, state, text: () => root.textContent ?? "" };
}

export async function type(input: Element | null, value: string) {
  const field = input as HTMLInputElement;
  await act(() => {
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

export async function press(element: Element | null) {
  await act(() => (element as HTMLElement).click());
}

export { act };
