// Unsent input, open parts and queued actions, sent to a host that stores them while the page is
// away.

import { signal } from "@preact/signals";
import type { Kept } from "../draw/context";
import { isObject } from "../draw/pointer";
import type { Json } from "../wire/json";
import { markOf } from "./mark";
import { parseJson } from "./slice";

/** Milliseconds after a change: a character or two are quickly typed again. */
const SAVE_AFTER = 150;
/** Characters of one value: a file can be chosen again. */
const MAX_VALUE = 100_000;
/** The key of unaccepted actions, which belong to no view. */
const UNSENT = "unsent";

export class Drafts implements Kept {
  /** Grows when something was restored, so that the view is drawn again with it. */
  readonly restored = signal(0);
  readonly #save: (text: string) => void;
  readonly #places = new Map<string, Json>();
  #view = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(save: (text: string) => void) {
    this.#save = save;
  }

  get(place: string): Json | undefined {
    return this.#places.get(place);
  }

  set(place: string, value: Json | undefined): void {
    if (value === undefined) this.#places.delete(place);
    else this.#places.set(place, value);
    this.#timer ??= setTimeout(() => this.#flush(), SAVE_AFTER);
  }

  /** Places belong to one view: those of another view are dropped. */
  begin(view: Json): void {
    const mark = markOf(JSON.stringify(view));
    if (this.#view && this.#view !== mark)
      for (const place of this.#places.keys()) if (place !== UNSENT) this.#places.delete(place);
    this.#view = mark;
  }

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  get unsent(): Json | undefined {
    return this.get(UNSENT);
  }

  set unsent(value: Json | undefined) {
    this.set(UNSENT, value);
  }

  /** What the host has stored; input made here meanwhile is newer. */
  restore(text: string): void {
    const before = parseJson(text);
    if (!isObject(before) || !isObject(before.places)) return;
    for (const [place, value] of Object.entries(before.places))
      if ((before.view === this.#view || place === UNSENT) && !this.#places.has(place))
        this.#places.set(place, value!);
    if (this.#places.size > 0) this.restored.value += 1;
  }

  #flush(): void {
    this.#timer = undefined;
    const isShort = (value: Json) => JSON.stringify(value).length <= MAX_VALUE;
    const places = [...this.#places].filter(([, value]) => isShort(value));
    this.#save(
      places.length === 0
        ? ""
        : JSON.stringify({ view: this.#view, places: Object.fromEntries(places) }),
    );
  }
}
