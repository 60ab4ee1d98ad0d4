// The state of one session in the guest: its view, its data, its epoch, and stream frames applied
// once a frame.

import { batch, signal } from "@preact/signals";
import { DataModel, RING_SIZE } from "../draw/model";
import { bare, isObject, sameJson } from "../draw/pointer";
import { type DrawableView, readView } from "../draw/view";
import type { StoredSession } from "../wire/channel";
import type { PayloadOf } from "../wire/frames";
import type { Json } from "../wire/json";
import type { Slice } from "./slice";
import { parseJson } from "./slice";

/**
 * A hidden frame gets no animation frames: above this many pending messages they are applied at
 * once.
 */
const MAX_QUEUED = 2 * RING_SIZE;
/** Milliseconds until it is looked again whether the person is still at work. */
const RETRY_AFTER = 500;

/** An item of a channel, from any transport. */
type StreamItem = Pick<PayloadOf<"data">, "channel" | "mode" | "payload" | "complete">;

export class SessionStore {
  /** Whether the person is at work in the view that is shown. */
  isBusy = () => false;
  /** Notes where the person has scrolled to; what it gives goes back there. */
  place: () => () => void = () => () => {};
  readonly model = new DataModel();
  readonly view = signal<DrawableView | null>(null);
  readonly frozen = signal(false);
  /** Why the newest view cannot be drawn, for the details drawer; the previous one stays. */
  readonly problem = signal("");
  /** A chat host mounted a result: then newer epochs are not shown. */
  #isPinned = false;
  #epoch = 0;
  /** The epoch of the view that is shown. */
  #shown = -1;
  /** The newest known epoch. */
  #newest = 0;
  #stored: Json | undefined;
  /** A view that waits until the person is no longer at work in the one that is shown. */
  #next: { readonly stored: Json; readonly view: DrawableView } | undefined;
  /** Goes back to where the person was, once the view that is shown now is drawn. */
  #goBack: (() => void) | undefined;
  #queue: StreamItem[] = [];
  #scheduled = false;

  /** The view as it came. */
  get stored(): Json | undefined {
    return this.#stored;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** From now on this is the card of one epoch, which becomes history once there is a newer one. */
  pin(): void {
    this.#isPinned = true;
    this.frozen.value = this.#newest > this.#epoch;
  }

  /** Paints from what the slice carries, before any network. */
  seed(slice: Slice): void {
    batch(() => {
      this.#epoch = slice.epoch ?? 0;
      this.#newest = Math.max(this.#newest, this.#epoch);
      this.frozen.value = this.#isPinned && this.#newest > this.#epoch;
      const slots = bare<Json>();
      for (const slot of slice.contextSlots ?? [])
        if (typeof slot?.name === "string" && slot.default !== undefined)
          slots[slot.name] = slot.default;
      this.model.setContext({ ...slots, ...this.model.context() });
      const props = parseJson(slice.propsJson);
      if (isObject(props)) this.model.setProps(props);
      const view = parseJson(slice.viewJson);
      if (view !== undefined) this.#setView(view);
    });
  }

  /** The session as a fallback of the live channel read it; user input stays. */
  follow(slice: Slice): void {
    if (!this.#follow(slice.epoch)) return;
    const props = parseJson(slice.propsJson);
    const view = parseJson(slice.viewJson);
    batch(() => {
      if (view !== undefined && !this.#setView(view, true)) return;
      if (isObject(props)) this.model.setProps(props);
    });
  }

  /** The session as an ack or a `render` frame describes it. */
  apply(session: Partial<Pick<StoredSession, "epoch" | "view" | "props">>): void {
    if (!this.#follow(session.epoch)) return;
    batch(() => {
      if (session.view && !this.#setView(session.view, true)) return;
      if (isObject(session.props)) this.model.setProps(session.props);
    });
  }

  updateProps(update: Partial<PayloadOf<"props_update">>): void {
    if (this.#follow(update.epoch) && isObject(update.props)) this.model.setProps(update.props);
  }

  push(frame: StreamItem): void {
    // History stays as it was.
    if (this.frozen.peek()) return;
    this.#queue.push(frame);
    if (this.#queue.length >= MAX_QUEUED) return this.flush();
    if (this.#scheduled) return;
    this.#scheduled = true;
    const flush = () => {
      this.#scheduled = false;
      this.flush();
    };
    if (document.hidden) setTimeout(flush, 250);
    else requestAnimationFrame(flush);
  }

  flush(): void {
    const frames = this.#queue;
    this.#queue = [];
    const appended = new Map<string, Json[]>();
    batch(() => {
      for (const { channel, mode, payload, complete } of frames) {
        const empty = payload === undefined || (complete && payload === null);
        if (mode === "append" && !empty) {
          const items = appended.get(channel);
          if (items) items.push(payload);
          else appended.set(channel, [payload]);
        } else if (!empty) this.model.replaceStream(channel, payload);
        if (complete) this.model.completeStream(channel);
      }
      for (const [channel, items] of appended)
        this.model.appendStream(channel, items.slice(-RING_SIZE));
    });
  }

  #follow(epoch: number | undefined): boolean {
    const next = epoch ?? this.#epoch;
    this.#newest = Math.max(this.#newest, next);
    if (this.#isPinned && next > this.#epoch) this.frozen.value = true;
    if (this.frozen.value) return false;
    this.#epoch = next;
    return true;
  }

  /**
   * Whether it can be drawn: the last good view is never replaced by one that cannot. Within an
   * epoch it waits for whoever is at work.
   */
  #setView(stored: unknown, waits = false): boolean {
    this.#next = undefined;
    if (this.#stored !== undefined && sameJson(this.#stored, stored as Json)) {
      this.problem.value = "";
      this.#shown = this.#epoch;
      return true;
    }
    const result = readView(stored);
    this.problem.value = result.ok ? "" : result.problem;
    if (!result.ok) return false;
    this.#next = { stored: stored as Json, view: result.view };
    this.#show(waits);
    return true;
  }

  #show(waits: boolean): void {
    const next = this.#next;
    if (!next) return;
    if (waits && this.#shown === this.#epoch && this.isBusy()) {
      setTimeout(() => this.#show(true), RETRY_AFTER);
      return;
    }
    this.#next = undefined;
    // A new epoch is another page, which begins at its beginning.
    if (this.#shown === this.#epoch) this.#goBack = this.place();
    this.#shown = this.#epoch;
    this.#stored = next.stored;
    this.view.value = next.view;
  }

  /** The view that is shown is drawn. */
  drawn(): void {
    this.#goBack?.();
    this.#goBack = undefined;
  }
}
