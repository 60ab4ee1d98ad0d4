// The token of the live channel: always the newest one, renewed before it expires.

import type { Clock } from "./clock";

/** How long before its end a token is renewed, and at what part of its life at the latest. */
const RENEW_BEFORE = 30_000;
const RENEW_AT = 0.8;
/** Timers cannot count further. */
const LONGEST_WAIT = 2 ** 31 - 1;

export type Renewal = (token: string) => Promise<string | undefined>;

export class Credential {
  token: string;
  readonly #clock: Clock;
  readonly #renewals: readonly Renewal[];
  #renewing: Promise<boolean> | undefined;
  #cancel: (() => void) | undefined;

  /** `renewals` are the ways to get a fresh token, the best first. */
  constructor(token: string, clock: Clock, renewals: readonly Renewal[]) {
    this.token = token;
    this.#clock = clock;
    this.#renewals = renewals;
    this.#plan();
  }

  adopt(token: string): void {
    if (token === this.token) return;
    this.token = token;
    this.#plan();
  }

  /** Whether a fresh token was obtained; concurrent callers share one request. */
  renew(): Promise<boolean> {
    return (this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined)));
  }

  close(): void {
    this.#cancel?.();
  }

  async #renew(): Promise<boolean> {
    const old = this.token;
    for (const renewal of this.#renewals) {
      const fresh = await renewal(old).catch(() => undefined);
      if (this.token !== old) return true;
      if (!fresh) continue;
      this.adopt(fresh);
      return true;
    }
    return false;
  }

  #plan(): void {
    this.#cancel?.();
    const life = lifeOf(this.token);
    if (life === undefined) return;
    const wait = Math.max(life - RENEW_BEFORE, life * RENEW_AT);
    if (wait > 0 && wait < LONGEST_WAIT)
      this.#cancel = this.#clock.after(wait, () => void this.renew());
  }
}

/** The lifetime of a token, from its own claims, so that it does not depend on the clock. */
function lifeOf(token: string): number | undefined {
  try {
    const { iat, exp } = JSON.parse(
      atob(token.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/")),
    );
    return Number.isFinite(exp - iat) ? (exp - iat) * 1000 : undefined;
  } catch {
    return undefined;
  }
}
