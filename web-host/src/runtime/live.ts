// The live channel: one socket, subscribed, pinged, and opened again whenever it is lost.

import { SUPPORTED_VERSIONS, type ActionRequest, type Frame, type SubscribeAck, type WireError } from "../wire/frames";

export type LiveState = "connecting" | "open" | "closed";

export interface LiveHandlers {
  state(state: LiveState, everOpen: boolean): void;
  ack(ack: SubscribeAck): void;
  frame(frame: Frame): void;
  /** The channel is over for good; nothing is tried again. */
  ended(error: WireError): void;
}

export interface LiveOptions {
  readonly wsUrl: string;
  readonly wsToken: string;
  readonly sessionId: string;
  readonly appId: string;
  /** A fresh token for an expired one, where someone can give it. */
  readonly refresh?: (expired: string) => Promise<string | undefined>;
}

const PING_EVERY = 30_000;
const SILENCE_LIMIT = 75_000;
const ACK_LIMIT = 10_000;
const MAX_DELAY = 30_000;
const SERVICE_RESTART = 1012;
const POLICY = 1008;
const OFFLINE_AFTER = 3;

/** Doubling delays with jitter; a restarting server is tried again at once. */
export function retryDelay(attempt: number, closeCode: number, random: number): number {
  if (closeCode === SERVICE_RESTART && attempt === 1) return 100;
  return Math.min(1000 * 2 ** (attempt - 1), MAX_DELAY) * (0.5 + random / 2);
}

export class LiveChannel {
  readonly #options: LiveOptions;
  readonly #handlers: LiveHandlers;
  #socket: WebSocket | undefined;
  #token: string;
  #lastSeq = 0;
  #attempt = 0;
  #subscribed = false;
  #everOpen = false;
  #ended = false;
  #refreshed = false;
  #heardAt = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #ackTimer: ReturnType<typeof setTimeout> | undefined;
  #pingTimer: ReturnType<typeof setInterval> | undefined;

  constructor(options: LiveOptions, handlers: LiveHandlers) {
    this.#options = options;
    this.#handlers = handlers;
    this.#token = options.wsToken;
  }

  get subscribed(): boolean {
    return this.#subscribed;
  }

  get ended(): boolean {
    return this.#ended;
  }

  open(): void {
    clearTimeout(this.#retryTimer);
    if (this.#ended) return;
    const { wsUrl } = this.#options;
    let socket: WebSocket;
    try {
      socket = new WebSocket(`${wsUrl}${wsUrl.includes("?") ? "&" : "?"}wsToken=${encodeURIComponent(this.#token)}`);
    } catch {
      return this.#lost(0);
    }
    this.#socket = socket;
    this.#handlers.state(this.#attempt >= OFFLINE_AFTER ? "closed" : "connecting", this.#everOpen);
    socket.onopen = () => this.#subscribe();
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = (event) => {
      if (this.#socket !== socket) return;
      if (event.code === POLICY && event.reason === "session_expired") this.end({ code: "SESSION_EXPIRED", message: event.reason });
      else this.#lost(event.code);
    };
  }

  /** Tries at once what would be tried later, as when the network is back. */
  retryNow(): void {
    if (!this.#ended && !this.#socket) this.open();
  }

  end(error: WireError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#drop();
    clearTimeout(this.#retryTimer);
    this.#handlers.state("closed", this.#everOpen);
    this.#handlers.ended(error);
  }

  close(): void {
    this.#ended = true;
    clearTimeout(this.#retryTimer);
    this.#drop();
  }

  sendAction(requestId: string, payload: ActionRequest): void {
    this.#send({ type: "action", requestId, payload });
  }

  #send(frame: Frame): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #subscribe(): void {
    const { sessionId, appId } = this.#options;
    this.#heardAt = Date.now();
    this.#send({
      type: "subscribe",
      requestId: "subscribe",
      payload: { sessionId, appId, role: "user", wsToken: this.#token, fromSeq: this.#lastSeq, supportedVersions: SUPPORTED_VERSIONS, observe: true },
    });
    this.#ackTimer = setTimeout(() => this.#lost(0), ACK_LIMIT);
    this.#pingTimer = setInterval(() => {
      if (Date.now() - this.#heardAt > SILENCE_LIMIT) this.#lost(0);
      else this.#send({ type: "ping", payload: {} });
    }, PING_EVERY);
  }

  #receive(data: unknown): void {
    this.#heardAt = Date.now();
    let frame: Frame;
    try {
      frame = JSON.parse(String(data));
    } catch {
      return;
    }
    if (typeof frame?.type !== "string" || typeof frame.payload !== "object" || frame.payload === null) return;
    if (!this.#subscribed) {
      if (frame.type === "ack") return this.#subscribedWith(frame.payload);
      if (frame.type === "error") return void this.#refused(frame.payload);
    }
    if (frame.type === "data") {
      if (frame.payload.seq <= this.#lastSeq) return;
      this.#lastSeq = frame.payload.seq;
    }
    this.#handlers.frame(frame);
  }

  #subscribedWith(ack: SubscribeAck): void {
    clearTimeout(this.#ackTimer);
    if (ack.serverVersion && !(SUPPORTED_VERSIONS as readonly string[]).includes(ack.serverVersion)) {
      return this.end({ code: "UPGRADE_REQUIRED", message: "the server speaks another version", details: { serverVersion: ack.serverVersion } });
    }
    if (ack.sessionToken) this.#token = ack.sessionToken;
    if (ack.streamSeq !== undefined && ack.streamSeq < this.#lastSeq) this.#lastSeq = ack.streamSeq;
    this.#subscribed = true;
    this.#everOpen = true;
    this.#refreshed = false;
    this.#attempt = 0;
    this.#handlers.ack(ack);
    this.#handlers.state("open", true);
  }

  async #refused(error: WireError): Promise<void> {
    if (error.code === "RATE_LIMITED") return this.#lost(0);
    if (error.code !== "BOOTSTRAP_EXPIRED" || this.#refreshed) return this.end(error);
    this.#refreshed = true;
    this.#drop();
    const fresh = await this.#options.refresh?.(this.#token).catch(() => undefined);
    if (!fresh) return this.end(error);
    this.#token = fresh;
    this.open();
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#subscribed = false;
    clearTimeout(this.#ackTimer);
    clearInterval(this.#pingTimer);
    if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
    socket?.close();
  }

  #lost(code: number): void {
    if (this.#ended) return;
    this.#drop();
    this.#attempt += 1;
    this.#handlers.state(this.#attempt >= OFFLINE_AFTER ? "closed" : "connecting", this.#everOpen);
    this.#retryTimer = setTimeout(() => this.open(), retryDelay(this.#attempt, code, Math.random()));
  }
}
