// JSON-RPC 2.0 over postMessage with one other window; messages from any other window are never
// read.

import { type Fields, isFields } from "../wire/json";

interface RpcError {
  readonly code: number;
  readonly message: string;
}

interface PeerHandlers {
  /** Answers a request; undefined means the method is unknown. */
  request(method: string, params: Fields): Promise<unknown> | undefined;
  notification(method: string, params: Fields): void;
  /** Messages that are not JSON-RPC. */
  plain?(data: Fields): void;
  /** Whether one more message is read; responses to our own requests always are. */
  admits?(method: unknown): boolean;
}

const METHOD_NOT_FOUND = -32601;
const REQUEST_TIMEOUT = 30_000;

export class Peer {
  readonly #target: () => Window | null;
  readonly #handlers: PeerHandlers;
  readonly #waiting = new Map<
    string,
    { settle: (message: Fields) => void; timer: ReturnType<typeof setTimeout> }
  >();
  readonly #listener = (event: MessageEvent) => this.#receive(event);
  #next = 1;

  constructor(target: () => Window | null, handlers: PeerHandlers) {
    this.#target = target;
    this.#handlers = handlers;
    window.addEventListener("message", this.#listener);
  }

  close(): void {
    window.removeEventListener("message", this.#listener);
  }

  post(message: unknown): void {
    this.#target()?.postMessage(message, "*");
  }

  notify(method: string, params: unknown = {}): void {
    this.post({ jsonrpc: "2.0", method, params });
  }

  /** The result is undefined, or an object with unchecked fields. */
  request(method: string, params: unknown, timeout = REQUEST_TIMEOUT): Promise<Fields | undefined> {
    const id = `p${this.#next++}`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject({ code: 0, message: `${method} was not answered` } satisfies RpcError);
      }, timeout);
      this.#waiting.set(id, {
        timer,
        settle: (message) =>
          message.error
            ? reject(message.error)
            : resolve(isFields(message.result) ? message.result : undefined),
      });
      this.post({ jsonrpc: "2.0", id, method, params });
    });
  }

  #receive(event: MessageEvent): void {
    const target = this.#target();
    const message: unknown = event.data;
    if (!target || event.source !== target || !isFields(message)) return;
    const isAnswer = message.jsonrpc === "2.0" && typeof message.method !== "string";
    if (!isAnswer && this.#handlers.admits?.(message.method) === false) return;
    if (message.jsonrpc !== "2.0") this.#handlers.plain?.(message);
    else if (typeof message.method === "string") this.#handle(message.method, message);
    else {
      const { id } = message;
      if (typeof id !== "string") return;
      const waiting = this.#waiting.get(id);
      if (!waiting) return;
      this.#waiting.delete(id);
      clearTimeout(waiting.timer);
      waiting.settle(message);
    }
  }

  #handle(method: string, message: Fields): void {
    const params = isFields(message.params) ? message.params : {};
    if (message.id === undefined) return this.#handlers.notification(method, params);
    const answer = (body: object) => this.post({ jsonrpc: "2.0", id: message.id, ...body });
    const result = this.#handlers.request(method, params);
    if (!result)
      return answer({
        error: { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` },
      });
    result.then(
      (value) => answer({ result: value ?? {} }),
      (problem) =>
        answer({
          error: { code: problem?.code ?? -32603, message: problem?.message ?? "Internal error" },
        }),
    );
  }
}
