// What a person typed, opened, chose and could not send yet, told to a host that keeps it while the page is away.

import { signal } from "@preact/signals";
import type { Kept } from "../draw/context";
import { isObject } from "../draw/pointer";
import type { Json } from "../wire/json";
import { markOf } from "./mark";
import { parseJson } from "./slice";

/** Milliseconds after a change: a letter or two are quickly typed again. */
const TOLD_AFTER = 150;
/** Letters of one value: a file is chosen again. */
const MAX_VALUE = 100_000;
/** Where actions stand that were not taken yet: they belong to no view. */
const UNSENT = "unsent";

export class Drafts implements Kept {
  /** Grows when something came back: what is drawn is drawn anew with it. */
  readonly restored = signal(0);
  readonly #tell: (text: string) => void;
  readonly #places = new Map<string, Json>();
  #view = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  get(place: string): Json | undefined {
    return this.#places.get(place);
  }

  set(place: string, value: Json | undefined): void {
    if (value === undefined) this.#places.delete(place);
    else this.#places.set(place, value);
    this.#timer ??= setTimeout(() => this.#flush(), TOLD_AFTER);
  }

  /** Places belong to one view: of another one nothing is kept. */
  begin(view: Json): void {
    const mark = markOf(JSON.stringify(view));
    if (this.#view && this.#view !== mark)
      for (const place of this.#places.keys()) if (place !== UNSENT) this.#places.delete(place);
    this.#view = mark;
  }

  get unsent(): Json | undefined {
    return this.get(UNSENT);
  }

  set unsent(value: Json | undefined) {
    this.set(UNSENT, value);
  }

  /** What a host has kept; what was done here meanwhile is newer. */
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
    this.#tell(
      places.length === 0
        ? ""
        : JSON.stringify({ view: this.#view, places: Object.fromEntries(places) }),
    );
  }
}
