// The life of an action: pending, sent, received by the agent, answered; queued while the network
// is away.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ActionPort, ActionState, Firing, Question } from "../draw/context";
import { arrayOf, sameJson } from "../draw/pointer";
import { errorSentences, guestStrings as say, sentenceFor } from "../strings";
import type { ActionAck, ActionRequest, PayloadOf, WireError } from "../wire/frames";
import type { Json, JsonObject } from "../wire/json";
import type { ObservedEvent } from "../wire/observe";
import type { RuntimeAnswer } from "../wire/runtime";
import type { AgreedAction } from "../wire/slice";
import { type Flight, isFlight } from "./flight";
import { markOf } from "./mark";

export interface ActionRoutes {
  readonly sessionId: string;
  context(): JsonObject;
  /** False where the server accepts no actions from this mount. */
  readonly mayAct?: boolean | undefined;
  /** What the contract says about an action. */
  agreed(name: string): AgreedAction | undefined;
  /** This mount shows history, so actions in it are not sent. */
  frozen(): boolean;
  /** The socket can send actions now. */
  live(): boolean;
  /** The socket may be able to send actions again later. */
  mayRecover(): boolean;
  /** The live channel was lost and is being retried. */
  away(): boolean;
  send(requestId: string, request: ActionRequest): void;
  /** Sends through the host, if there is one that relays tools. */
  relay?: (request: ActionRequest) => Promise<RuntimeAnswer | undefined>;
  /** Asks through the host, if there is one that asks; undefined where it did not. */
  confirm?: (action: string, data: Json) => Promise<unknown>;
  /** Called when the server has accepted it. */
  accepted(request: ActionRequest): void;
  /** Notifies the host's conversation that an action waits to be consumed. */
  ring(request: ActionRequest): void;
  observe(event: ObservedEvent): void;
}

const ANSWER_LIMIT = 20_000;
/** When a host that failed is asked again: by then the channel has noticed a lost server, too. */
const RELAY_AGAIN = 2000;
/** Actions that are queued or unanswered: nobody makes more by hand while the network is away. */
const MAX_FLIGHTS = 100;
/** How long a result is shown, and how long to wait for one before the control is idle again. */
const ANSWERED_SHOWN = 3000;
const ANSWER_AWAITED = 60_000;
const idle: ActionState = { phase: "idle" };

export class Actions implements ActionPort {
  readonly #states = new Map<string, Signal<ActionState>>();
  readonly #questions = new Map<string, Signal<Question | undefined>>();
  #asked: Question | undefined;
  /**
   * Unaccepted actions in the order in which they were fired; each waits for the earlier one of its
   * control.
   */
  readonly #flights = new Map<string, Flight>();
  /**
   * The last action of each control that timed out without a response: it may have arrived all the
   * same.
   */
  readonly #unanswered = new Map<string, Flight>();
  readonly #sent = new Map<string, string>();
  /** Controls whose action was consumed by the agent and not answered yet. */
  readonly #awaited = new Set<string>();
  readonly #routes: () => ActionRoutes;

  /** Controls whose action may be done once, and was accepted. */
  readonly #done = new Set<string>();
  readonly #keep: (flights: Json | undefined) => void;

  /**
   * `keep` gets the unaccepted actions, and the controls of what is not done again, whenever they
   * change.
   */
  constructor(routes: () => ActionRoutes, keep: (flights: Json | undefined) => void = () => {}) {
    this.#routes = routes;
    this.#keep = keep;
  }

  /** Sends what an earlier page could not, with the original ids, so that each counts once. */
  restore(kept: Json | undefined): void {
    const flights: readonly unknown[] = arrayOf(kept);
    for (const flight of flights) {
      if (!isFlight(flight)) {
        this.#done.add(String(flight));
        this.#set(String(flight), idle);
        continue;
      }
      const { actionId, sessionId } = flight.request;
      if (sessionId !== this.#routes().sessionId) continue;
      if (!this.#flights.has(actionId)) this.#flights.set(actionId, { ...flight });
    }
    this.reroute();
  }

  /** Another window of the same session sent an action: its control shows that here, too. */
  elsewhere(actionId: unknown): void {
    if (typeof actionId !== "string" || this.#find(actionId) || this.#sent.has(actionId)) return;
    for (const control of this.#states.keys())
      if (actionId.endsWith(markOf(control)) && this.#line(control).length === 0) {
        this.#sent.set(actionId, control);
        this.#set(control, { phase: "sent", message: say.sentElsewhere });
      }
  }

  state(control: string): ReadonlySignal<ActionState> {
    return this.#cell(control);
  }

  question(control: string): ReadonlySignal<Question | undefined> {
    return cellIn(this.#questions, control, undefined);
  }

  /** The contract decides whether to confirm, and in which words, even in an agent's view. */
  fire(control: string, name: string, data: Json, firing: Firing = {}): void {
    // The same action again right away is an accidental double click.
    if (isSame(this.#line(control).at(-1), name, data)) return;
    const routes = this.#routes();
    if (routes.mayAct === false)
      return this.#set(control, { phase: "failed", message: say.readOnly });
    if (routes.frozen()) return this.#set(control, { phase: "failed", message: say.frozen });
    if (this.#done.has(control)) return;
    const agreed = routes.agreed(name);
    const go = () => {
      this.#submit(control, name, data);
      firing.sent?.();
    };
    const ask = () => this.#ask(control, name, agreed, firing, go);
    if (agreed?.confirm && routes.confirm)
      void routes
        .confirm(name, data)
        .then((yes) => (yes === undefined ? ask() : yes === true && go()));
    else if (agreed?.confirm || firing.confirm) ask();
    else go();
  }

  /** One confirmation at a time: a new one replaces an unanswered one. */
  #ask(
    control: string,
    action: string,
    agreed: AgreedAction | undefined,
    { subject, tone }: Firing,
    go: () => void,
  ): void {
    const cell = cellIn(this.#questions, control, undefined);
    const label = agreed?.label ?? action;
    this.#asked?.answer(false);
    const question: Question = {
      action,
      label: subject ? `${label}: ${subject}` : label,
      tone,
      answer: (confirmed) => {
        if (cell.peek() !== question) return;
        cell.value = undefined;
        this.#asked = undefined;
        if (confirmed) go();
      },
    };
    cell.value = this.#asked = question;
  }

  #submit(control: string, name: string, data: Json): void {
    const line = this.#line(control);
    const routes = this.#routes();
    if (routes.frozen()) return this.#set(control, { phase: "failed", message: say.frozen });
    if (this.#flights.size >= MAX_FLIGHTS)
      return this.#set(control, { phase: "failed", message: errorSentences.tooMany });
    const payload = { action: name, data, uiContext: routes.context() };
    const given = this.#unanswered.get(control);
    // A repeated action after a time-out keeps its id, so that it counts once.
    const again = isSame(given, name, data);
    const request: ActionRequest = again
      ? { ...given!.request, payload }
      : {
          sessionId: routes.sessionId,
          type: "data:submit",
          actionId: newId() + markOf(control),
          firedAt: new Date().toISOString(),
          payload,
        };
    if (again) this.#unanswered.delete(control);
    const flight: Flight = { control, request };
    this.#flights.set(request.actionId, flight);
    this.#keepFlights();
    if (line.length === 0) this.#dispatch(flight);
  }

  /**
   * The transports have changed: queued and unanswered actions are sent again with their ids, so
   * that each counts once.
   */
  reroute(): void {
    for (const flight of [...this.#flights.values()])
      if (this.#line(flight.control)[0] === flight) this.#dispatch(flight);
  }

  /** Uses the socket, or the host; without either it waits, and nothing times out. */
  #dispatch(flight: Flight): void {
    clearTimeout(flight.timer);
    this.#awaited.delete(flight.control);
    const routes = this.#routes();
    this.#set(flight.control, { phase: "pending" });
    if (routes.live()) this.#send(flight);
    else if (routes.relay) void this.#relay(flight, routes.relay);
    else if (routes.mayRecover())
      this.#set(flight.control, { phase: "pending", message: say.kept });
    else this.#fail(flight, { phase: "failed", message: say.notSent });
  }

  /** The socket is gone for good; whether an action was not sent. */
  abandon(message: string): boolean {
    const isLost = this.#flights.size > 0;
    for (const { control, timer } of this.#flights.values()) {
      clearTimeout(timer);
      this.#set(control, { phase: "failed", message });
    }
    this.#flights.clear();
    this.#keepFlights();
    return isLost;
  }

  acknowledged(requestId: string | undefined, ack: Partial<ActionAck>): void {
    const flight = this.#find(requestId ?? ack.actionId ?? "");
    if (flight) this.#accepted(flight, ack.consumerPresent);
  }

  refused(requestId: string | undefined, error: WireError): boolean {
    const flight = requestId === undefined ? undefined : this.#find(requestId);
    if (!flight) return false;
    const violations = error.details?.violations;
    if (error.code === "CONTRACT_VIOLATION") {
      this.#fail(flight, { phase: "failed", message: say.refused, violations });
      this.#routes().observe({
        kind: "contract-violation",
        action: flight.request.payload.action,
        code: error.code,
        message: error.message,
        violations,
      });
    } else this.#fail(flight, { phase: "failed", message: sentenceFor(error.code) });
    return true;
  }

  drained({ eventId }: Pick<PayloadOf<"drain_ack">, "eventId">): void {
    const flight = this.#find(eventId);
    const control = this.#sent.get(eventId) ?? flight?.control;
    if (control === undefined) return;
    this.#sent.delete(eventId);
    if (flight) {
      this.#land(flight);
      this.#goOn(control);
    }
    // The control shows the state of the action that was fired after it.
    if (this.#line(control).length > 0) return;
    this.#set(control, { phase: "received", message: say.working });
    this.#awaited.add(control);
    this.#quietLater(control, ANSWER_AWAITED);
  }

  /** The agent has changed what is shown, so the actions it consumed before are answered. */
  answered(): void {
    for (const control of this.#awaited) {
      this.#set(control, { phase: "answered" });
      this.#quietLater(control, ANSWERED_SHOWN);
    }
    this.#awaited.clear();
  }

  #quietLater(control: string, milliseconds: number): void {
    const state = this.#cell(control).peek();
    setTimeout(() => {
      // A later state has its own time-out.
      if (this.#cell(control).peek() !== state) return;
      this.#awaited.delete(control);
      this.#set(control, idle);
    }, milliseconds);
  }

  #send(flight: Flight): void {
    flight.timer = setTimeout(() => this.#giveUp(flight), ANSWER_LIMIT);
    this.#routes().send(flight.request.actionId, flight.request);
  }

  async #relay(flight: Flight, relay: NonNullable<ActionRoutes["relay"]>): Promise<void> {
    try {
      const answer = await relay(flight.request);
      if (!this.#flights.has(flight.request.actionId)) return;
      if (answer?.ok) this.#accepted(flight, answer.consumerPresent === true);
      else if (answer?.code)
        this.#fail(flight, { phase: "failed", message: sentenceFor(answer.code) });
      else this.#notRelayed(flight);
    } catch {
      // If the socket has taken it over meanwhile, a missing response of the host means nothing.
      if (this.#flights.has(flight.request.actionId) && (!flight.timer || !this.#routes().live()))
        this.#notRelayed(flight);
    }
  }

  /**
   * A host that reaches no server while the channel is away waits for it like the socket does; one
   * that fails twice while the channel is open refuses.
   */
  #notRelayed(flight: Flight): void {
    clearTimeout(flight.timer);
    const isAway = this.#routes().away();
    if (!isAway && flight.isRelayedAgain) return this.#giveUp(flight);
    flight.isRelayedAgain = !isAway;
    this.#set(flight.control, { phase: "pending", message: say.kept });
    if (!isAway) flight.timer = setTimeout(() => this.#dispatch(flight), RELAY_AGAIN);
  }

  #accepted(flight: Flight, consumerPresent: boolean | undefined): void {
    const { control, request } = flight;
    if (this.#routes().agreed(request.payload.action)?.once) this.#done.add(control);
    this.#land(flight);
    this.#sent.set(request.actionId, control);
    this.#set(control, { phase: "sent" });
    this.#routes().accepted(request);
    if (consumerPresent === false) this.#routes().ring(request);
    this.#goOn(control);
  }

  #fail(flight: Flight, state: ActionState): void {
    this.#land(flight);
    this.#set(flight.control, state);
    this.#goOn(flight.control);
  }

  /** There was no response; it may still arrive later. */
  #giveUp(flight: Flight): void {
    this.#fail(flight, { phase: "failed", message: say.notSent });
    this.#unanswered.set(flight.control, flight);
  }

  /** Actions that are pending, or timed out without a response. */
  #find(actionId: string): Flight | undefined {
    return (
      this.#flights.get(actionId) ??
      [...this.#unanswered.values()].find(({ request }) => request.actionId === actionId)
    );
  }

  #line(control: string): Flight[] {
    return [...this.#flights.values()].filter((flight) => flight.control === control);
  }

  #goOn(control: string): void {
    const [next] = this.#line(control);
    if (next) this.#dispatch(next);
  }

  #land(flight: Flight): void {
    clearTimeout(flight.timer);
    this.#flights.delete(flight.request.actionId);
    if (this.#unanswered.get(flight.control) === flight) this.#unanswered.delete(flight.control);
    this.#keepFlights();
  }

  #keepFlights(): void {
    const flights = [...this.#flights.values()].map(({ control, request }) => ({
      control,
      request,
    }));
    const kept = [...flights, ...this.#done];
    this.#keep(kept.length > 0 ? kept : undefined);
  }

  #set(control: string, state: ActionState): void {
    this.#cell(control).value = this.#done.has(control) ? { ...state, done: true } : state;
  }

  #cell(control: string): Signal<ActionState> {
    return cellIn(this.#states, control, idle);
  }
}

function cellIn<T>(cells: Map<string, Signal<T>>, control: string, initial: T): Signal<T> {
  let cell = cells.get(control);
  if (!cell) cells.set(control, (cell = signal(initial)));
  return cell;
}

function isSame(flight: Flight | undefined, name: string, data: Json): boolean {
  return flight?.request.payload.action === name && sameJson(flight.request.payload.data, data);
}

/**
 * Prefix of ids, followed by the mark of the control, by which other windows of the session know
 * it.
 */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
