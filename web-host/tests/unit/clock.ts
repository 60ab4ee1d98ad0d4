// A clock the tests hold in their hand: nothing happens until it is moved.

import type { Clock } from "../../src/runtime/live/clock";

export class ManualClock implements Clock {
  #now = 1_000_000;
  #timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  random(): number {
    return 1;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers.push(timer);
    return () => (this.#timers = this.#timers.filter((other) => other !== timer));
  }

  /** Lets time pass; everything that falls due runs in its order, with its promises settled. */
  async pass(milliseconds: number): Promise<void> {
    const until = this.#now + milliseconds;
    await settled();
    for (;;) {
      const next = this.#timers
        .filter(({ at }) => at <= until)
        .sort((left, right) => left.at - right.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await settled();
    }
    this.#now = until;
  }
}

/** Lets promises that wait on nothing but each other run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
