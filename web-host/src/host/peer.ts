// JSON-RPC 2.0 over postMessage with one other window; messages from any other window are never read.

export interface RpcError {
  readonly code: number;
  readonly message: string;
}

export interface PeerHandlers {
  /** Answers a request; undefined means the method is unknown. */
  request(method: string, params: any): Promise<unknown> | undefined;
  notification(method: string, params: any): void;
  /** Messages that are not JSON-RPC. */
  plain?(data: any): void;
  /** Whether one more message is read; answers to our own requests always are. */
  admits?(method: unknown): boolean;
}

const METHOD_NOT_FOUND = -32601;
const REQUEST_TIMEOUT = 30_000;

export class Peer {
  readonly #target: () => Window | null;
  readonly #handlers: PeerHandlers;
  readonly #waiting = new Map<
    string,
    { settle: (message: any) => void; timer: ReturnType<typeof setTimeout> }
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

  request<T = any>(method: string, params: unknown, timeout = REQUEST_TIMEOUT): Promise<T> {
    const id = `p${this.#next++}`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject({ code: 0, message: `${method} was not answered` } satisfies RpcError);
      }, timeout);
      this.#waiting.set(id, {
        timer,
        settle: (message) => (message.error ? reject(message.error) : resolve(message.result)),
      });
      this.post({ jsonrpc: "2.0", id, method, params });
    });
  }

  #receive(event: MessageEvent): void {
    const target = this.#target();
    const message = event.data;
    if (!target || event.source !== target || typeof message !== "object" || message === null)
      return;
    const isAnswer = message.jsonrpc === "2.0" && typeof message.method !== "string";
    if (!isAnswer && this.#handlers.admits?.(message.method) === false) return;
    if (message.jsonrpc !== "2.0") this.#handlers.plain?.(message);
    else if (!isAnswer) this.#handle(message);
    else {
      const waiting = this.#waiting.get(message.id);
      if (!waiting) return;
      this.#waiting.delete(message.id);
      clearTimeout(waiting.timer);
      waiting.settle(message);
    }
  }

  #handle(message: { id?: unknown; method: string; params?: unknown }): void {
    const params =
      typeof message.params === "object" && message.params !== null ? message.params : {};
    if (message.id === undefined) return this.#handlers.notification(message.method, params);
    const answer = (body: object) => this.post({ jsonrpc: "2.0", id: message.id, ...body });
    const result = this.#handlers.request(message.method, params);
    if (!result)
      return answer({
        error: { code: METHOD_NOT_FOUND, message: `Method not found: ${message.method}` },
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
