// The data model a view is bound to: server-owned props and streams, two-way context and local ui
// state.

import { type Signal, signal } from "@preact/signals";
import type { Json, JsonObject } from "../wire/json";
import { arrayOf, bare, getAt, isObject, type Path, setAt, share } from "./pointer";

export const RING_SIZE = 1000;

/** Where a binding is read: relative pointers start at `path`. */
export interface BindingScope {
  readonly model: Pick<DataModel, "read">;
  readonly path: Path;
  readonly locale: string;
}

/** The branches of the model that a person writes; everything else comes from the agent. */
export function isTyped([root]: Path): boolean {
  return root === "context" || root === "ui";
}

export class DataModel {
  /** Only data from the agent, whose addresses may be requested over the network. */
  readonly given = { read: (path: Path) => (isTyped(path) ? undefined : this.read(path)) };
  readonly #props = signal<Json>(bare<Json>());
  readonly #streams = new Map<string, Signal<Json | undefined>>();
  readonly #complete = new Map<string, Signal<Json | undefined>>();
  readonly #context = signal<Json>(bare<Json>());
  readonly #ui = signal<Json>(bare<Json>());
  #contextListener: (slots: JsonObject) => void = () => {};
  #uiListener: (state: Json) => void = () => {};

  setProps(props: JsonObject): void {
    this.#props.value = share(this.#props.peek(), props);
  }

  setContext(slots: JsonObject): void {
    this.#context.value = bare<Json>(slots);
  }

  context(): JsonObject {
    const slots = this.#context.peek();
    return isObject(slots) ? slots : {};
  }

  onContext(listener: (slots: JsonObject) => void): void {
    this.#contextListener = listener;
  }

  onUi(listener: (state: Json) => void): void {
    this.#uiListener = listener;
  }

  setUi(state: Json | undefined): void {
    if (isObject(state)) this.#ui.value = bare<Json>(state);
  }

  appendStream(channel: string, items: readonly Json[]): void {
    const cell = this.#channel(this.#streams, channel);
    cell.value = [...arrayOf(cell.peek()), ...items].slice(-RING_SIZE);
  }

  replaceStream(channel: string, value: Json): void {
    const cell = this.#channel(this.#streams, channel);
    cell.value = share(cell.peek(), value);
  }

  completeStream(channel: string): void {
    this.#channel(this.#complete, channel).value = true;
  }

  read(path: Path): Json | undefined {
    const [root, key, ...rest] = path;
    switch (root) {
      case "props":
        return getAt(this.#props.value, path.slice(1));
      case "context":
        return getAt(this.#context.value, path.slice(1));
      case "ui":
        return getAt(this.#ui.value, path.slice(1));
      case "streams":
        return key === undefined ? undefined : getAt(this.#channel(this.#streams, key).value, rest);
      case "complete":
        return key === undefined ? undefined : this.#channel(this.#complete, key).value;
      default:
        return undefined;
    }
  }

  /** Whether a value comes from a channel that has had no item yet but may still get one. */
  waits([root, channel]: Path): boolean {
    return (
      root === "streams" &&
      channel !== undefined &&
      this.#channel(this.#streams, channel).value === undefined &&
      this.#channel(this.#complete, channel).value !== true
    );
  }

  /** Only the person's own branches can be written; props and streams belong to the server. */
  write(path: Path, value: Json | undefined): boolean {
    const cell = path[0] === "context" ? this.#context : path[0] === "ui" ? this.#ui : undefined;
    if (!cell || path.length < 2) return false;
    cell.value = setAt(cell.peek(), path.slice(1), value) ?? bare<Json>();
    if (cell === this.#context) this.#contextListener(this.context());
    else this.#uiListener(cell.peek());
    return true;
  }

  #channel(cells: Map<string, Signal<Json | undefined>>, name: string): Signal<Json | undefined> {
    let cell = cells.get(name);
    if (!cell) cells.set(name, (cell = signal<Json | undefined>(undefined)));
    return cell;
  }
}
