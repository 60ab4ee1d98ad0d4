// Chooses the transport: the best one that works, the next one when it fails, and a better one when
// that works again.

import type { ClientFrame, ServerFrame } from "../../wire/channel";
import type { SubscribeAck, WireError } from "../../wire/frames";
import type { Slice } from "../slice";
import { type Clock, jittered, retryDelay } from "./clock";
import type { Loss, OpenTransport, Reading, Transport, TransportName } from "./transport";

/** `away`: lost and being retried. `offline`: away for so long that it should be shown. */
export type LiveState = "connecting" | "open" | "away" | "offline" | "ended";

export interface FailoverHandlers {
  state(state: LiveState, transport: TransportName): void;
  ack(ack: SubscribeAck): void;
  snapshot(slice: Slice): void;
  frame(frame: ServerFrame): void;
  /** The channel is closed for good; nothing is retried. */
  ended(error: WireError): void;
}

export interface Step {
  readonly name: TransportName;
  readonly open: OpenTransport;
  /** Absent if it can always be tried. */
  readonly usable?: () => boolean;
}

/** Failed attempts in a row before the next transport is tried: none for one that never worked. */
const ATTEMPTS = 3;
const ATTEMPTS_NEVER_UP = 2;
/** A server that says it restarts is back this soon. */
const RESTART_DELAY = 100;
const OFFLINE_AFTER = 15_000;
const FIRST_CLIMB = 10_000;
const SLOWEST_CLIMB = 300_000;
/** How long frames of a better transport wait for items the old one has not delivered yet. */
const HANDOVER_LIMIT = 3000;

interface Trial {
  readonly step: number;
  transport: Transport | undefined;
  isUp: boolean;
}

export class Failover {
  readonly #steps: readonly Step[];
  readonly #reading: Reading;
  readonly #handlers: FailoverHandlers;
  readonly #clock: Clock;
  #state: LiveState = "connecting";
  /** The transport in use, or the one being tried. */
  #current: Trial | undefined;
  /** A better transport, tried while the current one continues. */
  #better: Trial | undefined;
  /** The transport that was left for a better one and has not delivered all items yet. */
  #old: Trial | undefined;
  /** Frames of the better transport, buffered until the old one has delivered its items. */
  #held: ServerFrame[] | undefined;
  #heldUntil = 0;
  readonly #wasUp = new Set<number>();
  /** Attempts in a row that failed on this step, and descents in a row that found no way. */
  #failures = 0;
  #descents = 0;
  #climbs = 0;
  /**
   * Where the log stood at the last ack; the cursor may move there once everything before it has
   * arrived.
   */
  #ackSequence = 0;
  #renewed = false;
  #refusal: WireError | undefined;
  #cancelRetry = () => {};
  #cancelClimb = () => {};
  #cancelOffline = () => {};
  #cancelHandover = () => {};

  constructor(steps: readonly Step[], reading: Reading, handlers: FailoverHandlers) {
    this.#steps = steps;
    this.#reading = reading;
    this.#handlers = handlers;
    this.#clock = reading.clock;
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Frames can be sent now. */
  get sends(): boolean {
    return this.#state === "open" && this.#current?.transport?.send !== undefined;
  }

  /** Frames could be sent later. */
  get maySend(): boolean {
    return this.#state !== "ended" && this.#steps.some(({ name }) => name === "ws");
  }

  open(): void {
    this.#cancelOffline = this.#clock.after(OFFLINE_AFTER, () => this.#move("offline"));
    this.#try(0);
  }

  send(frame: ClientFrame): void {
    if (this.sends) this.#current!.transport!.send!(frame);
  }

  /** Checks at once for news, as after something was sent. */
  look(): void {
    this.#current?.transport?.nudge?.();
  }

  /** Retries at once, as when the network is back. */
  retry(): void {
    // An attempt that began earlier fails with the network it began in, so the next one does not
    // wait long.
    this.#climbs = this.#descents = this.#failures = 0;
    if (this.#state === "ended") return;
    if (!this.#current) this.#try(0);
    else if (this.#state === "open" && this.#current.step > 0) this.#planClimb(0);
  }

  close(): void {
    this.#move("ended");
    for (const cancel of [
      this.#cancelRetry,
      this.#cancelClimb,
      this.#cancelOffline,
      this.#cancelHandover,
    ])
      cancel();
    for (const trial of [this.#current, this.#better, this.#old]) trial?.transport?.close();
    this.#current = this.#better = this.#old = this.#held = undefined;
    this.#reading.credential.close();
  }

  #end(error: WireError): void {
    if (this.#state === "ended") return;
    this.close();
    this.#handlers.ended(error);
  }

  #try(from: number): void {
    this.#cancelRetry();
    const step = this.#usable(from);
    if (step !== undefined)
      this.#current = this.#start(step, (trial, loss) => this.#lost(trial, loss));
  }

  /** The first transport from here down that can be tried now. */
  #usable(from: number): number | undefined {
    const step = this.#steps.findIndex(
      ({ usable }, index) => index >= from && (usable?.() ?? true),
    );
    return step < 0 ? undefined : step;
  }

  #start(step: number, down: (trial: Trial, loss: Loss) => void): Trial {
    const trial: Trial = { step, transport: undefined, isUp: false };
    let isOver = false;
    const alive = () => !isOver && this.#state !== "ended";
    trial.transport = this.#steps[step]!.open(this.#reading, {
      up: (ack) => alive() && this.#up(trial, ack),
      frame: (frame) => alive() && this.#frame(trial, frame),
      snapshot: (slice) => alive() && this.#handlers.snapshot(slice),
      down: (loss) => {
        if (!alive()) return;
        isOver = true;
        down(trial, loss);
      },
    });
    return trial;
  }

  #up(trial: Trial, ack?: SubscribeAck): void {
    trial.isUp = true;
    const before = this.#current;
    const isHandover = before !== trial && before?.isUp === true;
    if (ack) this.#acknowledged(ack, isHandover);
    if (this.#better === trial) this.#better = undefined;
    this.#current = trial;
    this.#wasUp.add(trial.step);
    this.#failures = this.#descents = 0;
    this.#renewed = false;
    this.#refusal = undefined;
    this.#cancelRetry();
    this.#cancelOffline();
    if (isHandover) this.#handOver(before, ack?.streamSeq ?? 0);
    this.#move("open");
    if (trial.step > 0) this.#planClimb();
    else {
      this.#climbs = 0;
      this.#cancelClimb();
    }
  }

  #acknowledged(ack: SubscribeAck, isHandover: boolean): void {
    const { cursor, credential } = this.#reading;
    if (ack.sessionToken) credential.adopt(ack.sessionToken);
    // A stream that counts from the start again is a new stream.
    if (ack.streamSeq !== undefined && ack.streamSeq < cursor.streamSeq)
      cursor.streamSeq = ack.streamSeq;
    // While the old transport still delivers rows, only it moves the cursor over them.
    this.#ackSequence = isHandover ? 0 : ack.sequence;
    this.#handlers.ack(ack);
  }

  /**
   * The old transport continues until it has delivered everything from before the better one was
   * ready.
   */
  #handOver(old: Trial, until: number): void {
    this.#old = old;
    this.#held = [];
    this.#heldUntil = until;
    this.#cancelHandover = this.#clock.after(HANDOVER_LIMIT, () => this.#finishHandover());
    if (this.#reading.cursor.streamSeq >= until) this.#finishHandover();
    else old.transport?.nudge?.();
  }

  #finishHandover(): void {
    const frames = this.#held ?? [];
    this.#held = undefined;
    this.#cancelHandover();
    this.#old?.transport?.close();
    this.#old = undefined;
    for (const frame of frames) this.#deliver(frame);
  }

  #frame(trial: Trial, frame: ServerFrame): void {
    if (!this.#held) {
      if (trial === this.#current) this.#deliver(frame);
    } else if (trial === this.#current) this.#held.push(frame);
    else {
      // From the old transport only items count: the better one delivered the state again.
      if (frame.type === "data") this.#deliver(frame);
      if (this.#reading.cursor.streamSeq >= this.#heldUntil) this.#finishHandover();
    }
  }

  #deliver(frame: ServerFrame): void {
    // The response to the first ping follows everything the ack announced.
    if (frame.type === "pong")
      this.#reading.cursor.sequence = Math.max(this.#reading.cursor.sequence, this.#ackSequence);
    if (this.#reading.cursor.admits(frame)) this.#handlers.frame(frame);
  }

  #lost(trial: Trial, loss: Loss): void {
    if (this.#held) this.#finishHandover();
    if (trial !== this.#current) return;
    this.#current = undefined;
    if (loss.kind === "ended") return this.#end(loss.error);
    if (this.#state === "open") this.#away();
    if (loss.kind === "expired" && !this.#renewed) return void this.#renew(trial.step);
    if (loss.kind === "lost") {
      // A transport that hangs is not waited for a second time.
      this.#failures += loss.slow ? ATTEMPTS_NEVER_UP : 1;
      const limit = this.#wasUp.has(trial.step) ? ATTEMPTS : ATTEMPTS_NEVER_UP;
      const isLast = this.#usable(trial.step + 1) === undefined;
      if (this.#failures < limit || isLast) return this.#retry(trial.step, loss.soon === true);
    } else
      this.#refusal =
        loss.kind === "refused"
          ? loss.error
          : { code: "BOOTSTRAP_EXPIRED", message: "the token has ended" };
    this.#stepDown(trial.step);
  }

  #stepDown(from: number): void {
    this.#failures = 0;
    if (this.#usable(from + 1) !== undefined) this.#try(from + 1);
    else if (this.#refusal) this.#end(this.#refusal);
  }

  async #renew(step: number): Promise<void> {
    this.#renewed = true;
    const isFresh = await this.#reading.credential.renew();
    if (this.#state === "ended" || this.#current) return;
    if (isFresh) return this.#try(step);
    this.#refusal = { code: "BOOTSTRAP_EXPIRED", message: "the token has ended" };
    this.#stepDown(step);
  }

  /**
   * After the last transport comes the first again: then the network is gone, not one transport.
   */
  #retry(step: number, soon: boolean): void {
    const again = this.#usable(0) !== step && this.#failures >= ATTEMPTS;
    const delay =
      soon && this.#failures === 1
        ? RESTART_DELAY
        : retryDelay(this.#failures + this.#descents, this.#clock);
    if (again) {
      this.#descents += 1;
      this.#failures = 0;
    }
    this.#cancelRetry = this.#clock.after(delay, () => this.#try(again ? 0 : step));
  }

  #away(): void {
    this.#cancelClimb();
    this.#better?.transport?.close();
    this.#better = undefined;
    this.#move("away");
    this.#cancelOffline = this.#clock.after(OFFLINE_AFTER, () => this.#move("offline"));
  }

  #planClimb(wait?: number): void {
    this.#cancelClimb();
    const delay =
      wait ?? jittered(Math.min(FIRST_CLIMB * 2 ** this.#climbs, SLOWEST_CLIMB), this.#clock);
    this.#cancelClimb = this.#clock.after(delay, () => this.#climb(0));
  }

  /** Tries the better transports one after the other while the current one continues. */
  #climb(step: number): void {
    this.#climbs += step === 0 ? 1 : 0;
    if (this.#state !== "open" || this.#better) return;
    if (step >= this.#current!.step) return this.#planClimb();
    this.#better = this.#start(step, (trial, loss) => {
      if (trial === this.#current) return this.#lost(trial, loss);
      this.#better = undefined;
      if (loss.kind === "expired") void this.#reading.credential.renew();
      if (loss.kind === "ended") this.#end(loss.error);
      else this.#climb(trial.step + 1);
    });
  }

  #move(state: LiveState): void {
    if (this.#state === "ended") return;
    this.#state = state;
    const step = this.#current?.step ?? 0;
    this.#handlers.state(state, this.#steps[step]!.name);
  }
}
