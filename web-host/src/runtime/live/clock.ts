// Time and randomness for the live channel, so that tests can control both.

export interface Clock {
  now(): number;
  /** From 0 up to, but never, 1. */
  random(): number;
  /**
   * Runs something once after that many milliseconds, unless the returned function is called
   * before.
   */
  after(milliseconds: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * Randomises a delay to between half of it and all of it, so that clients do not retry at the same
 * time.
 */
export function jittered(milliseconds: number, clock: Clock): number {
  return milliseconds * (0.5 + clock.random() / 2);
}

const FIRST_DELAY = 1000;
const MAX_DELAY = 30_000;

/** How long to wait before attempt `attempt` (from 1) to get through again. */
export function retryDelay(attempt: number, clock: Clock): number {
  return jittered(Math.min(FIRST_DELAY * 2 ** (attempt - 1), MAX_DELAY), clock);
}
